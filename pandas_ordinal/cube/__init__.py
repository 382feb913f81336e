"""Cubes of confusion matrices: made, checked, added, put together."""
