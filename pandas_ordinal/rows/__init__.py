"""Rows of pandas and Dask frames: gathered, counted, scored and compared.

- `table`: frames and Series, and how they look up the columns that a query names.
- `reference`: probabilities in the rows that count, and a reference forecast for each row.
- `forecasts`: probabilities without truth, and the scores and classes that follow from them.
- `gather`: reads the rows of a query into a `Sample`.
- `absent_inputs`: reports of groups that have no scores, or no probabilities.
- `sample`: the `Sample`, with its counts, values and cube.
- `scored`: scores and reports of a sample, with uncertainty and warnings.
- `sums`: what the sample adds up for intervals, and over parts of the rows.
- `results`: values and sizes of groups, laid out over their keys, and tables of them.
- `by_class`: tables with a row for each class, or for each cut between classes.
- `calibration`: the table of calibration.
- `sets`: prediction sets, their limits, and how often they hold the true class.
- `reliability`: reliability curves, their bands, and what a picture of them shows.
- `compare`: models that predict the same rows, compared pair by pair.
- `long_format`: predictions with a row per model and case, put side by side.
- `repeats`: repeated folds, whose rows are not independent.
- `summaries`: means over folds, accuracy within distances, ROC points and thresholds.
- `part_labels`: labels and keys of partitions, in the dtypes of the whole frame.
- `part_tables`: tables of counts of partitions, added without rounding their keys.
- `partitions`, `ranked_partitions`, `score_ranges`: Dask frames, partition by partition.
- `paired_partitions`: models compared on Dask frames.
- `counter`: counts of rows that arrive part by part.
- `count_column`: columns of counts.
- `from_counts`: cubes from tables counted elsewhere.
- `two_arrays`: counts of two arrays of labels, or of stacks of them.
"""
