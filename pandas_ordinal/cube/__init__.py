"""Cubes of confusion matrices, DataArrays with the dimensions `(*by, model, true, pred)`.

- `layout`: how a cube is built and checked.
- `keys_of_cubes`: the groups of several cubes along a dimension, in one order.
- `combine`: the addition of cubes, and cubes or frames combined along a dimension.
"""
