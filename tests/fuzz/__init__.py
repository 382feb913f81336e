"""Random frames, keys and cubes against literal answers; `make fuzz` runs any number of them."""
