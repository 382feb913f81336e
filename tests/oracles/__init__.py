"""Slow, literal readings of the definitions; they share no code with the package.

A confusion matrix is a nested list or an integer array, truth on the rows. Arithmetic is exact
(`int`, `fractions.Fraction`) up to the last root or division. Undefined is NaN.

Beside them stand what draws small matrices (`strategies`) and rows (`samples`), what compares
(`close`), which oracle is that of a kernel (`cases`), and how each metric is called
(`of_matrices`, `of_rows`).
"""
