"""Slow, literal readings of the definitions; they share no code with the package.

A confusion matrix is a nested list or an integer array, truth on the rows. Arithmetic is exact
(`int`, `fractions.Fraction`) up to the last root or division. Undefined is NaN.

The other modules draw small matrices (`strategies`) and rows (`samples`), compare numbers
(`close`), list the oracle of each kernel (`cases`), and call each metric (`of_matrices`,
`of_rows`) and the rules for single rows (`decisions`).
"""
