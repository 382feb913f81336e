"""What the classes are: their order, bins, and columns that are read by them."""
