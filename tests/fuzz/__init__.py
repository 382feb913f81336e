"""Random frames, arrays, partitions and files against literal answers, by `make fuzz`."""
