"""How a DataArray is read, counted and scored over its dimensions.

- `query`: the entry: the arrays of a query, checked against each other, counted and scored.
- `coordinates`: how the coordinates of two arrays differ.
- `class_codes`: codes of classes whose attributes name the classes in order, and their bins.
- `climatology`: edges of classes at quantiles by cell, month and year.
- `decided`: labels, scores and probabilities turned into codes of classes.
- `cut`: sorts values into bins, whose edges may differ by cell and by key.
- `flags`: reads CF attributes: flags, fill values and unsigned bytes.
- `float_codes`: reads whole numbers in arrays of floats.
- `labels`: reads arrays of labels as codes, by dtype, classes or flags.
- `keys`: reads `dim=`, and the keys of `by=` and `cluster=`, which group the cases.
- `members`: members of an ensemble, counted by class.
- `tiles`: sums over arrays tile by tile, in memory or chunk by chunk.
- `scored`: values and reports of cubes and arrays, with uncertainty and warnings.
- `cube_comparison`: models along a dimension of a cube, compared by clusters.
- `by_class`: tables by class and by cut.
- `sample`: arrays flattened to rows, to compare models and to see that cases are repeated.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
