"""The counting loop: codes become stacked confusion counts.

- `counts`: the counting loop, one pass over the rows for all groups and models.
- `arrays`: kinds of arrays, blocks of rows, weights and class probabilities of rows.
- `forks`: locks and imports for which a fork waits.
"""
