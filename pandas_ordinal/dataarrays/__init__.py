"""How a DataArray is read, counted and scored over its dimensions.

- `labels`: how a DataArray of labels is read as codes, by its dtype, axes or CF flags.
- `keys`: keys of arrays, which say what is scored together.
- `tiles`: arrays are summed block by block, in memory or in chunks.
- `query`: arrays of labels, scores and probabilities, as a query asks about them.
- `scored`: cubes and arrays, scored and reported.
- `sample`: arrays as rows, one per case, to compare models.
"""
