"""What surfaces of pandas and Dask share: the rows that a call asks about."""
