"""The rows of a pandas or Dask table: gathered, counted, scored and compared.

- `table`: how a frame or a Series finds the columns that a query names.
- `gather`: the rows that a query asks about become a `Sample`.
- `sample`: a sample is counted and scored, and reported.
- `compare`: models that predict the same rows, compared pair by pair.
- `summaries`: means over folds, curves over thresholds and distances.
- `partitions`, `ranked_partitions`, `score_ranges`: Dask frames, partition by partition.
- `counter`: rows that arrive part by part.
- `from_counts`: tables that were counted elsewhere become cubes.
"""
