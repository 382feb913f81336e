"""Codes counted into stacked confusion matrices, group by group."""
