"""Random frames, keys and cubes against literal answers; `make fuzz` runs as many as told."""
