"""What an interval is made of: the influence of each row on a metric, and the tests that follow.

- `influence`: the influence of rows, and the pseudo-row.
- `scale`: intervals on a scale without bounds.
- `class_bounds`: intervals of class values, and of their extremes and means.
- `interval`, `rows`: intervals of metrics of counts, and of scores and probabilities.
- `by_class`: intervals within each class, and at each cut between classes.
- `calibration`: tests of calibration without random numbers.
- `logistic`: intercept and slope of calibration.
- `strata`: rows that were drawn by class, and shares of predicted classes.
- `paired`: the rows that several models predict.
- `extremes`: differences of extremes over the classes.
- `pairs`, `permutation`: differences between models that predict the same rows.
- `alternatives`, `adjust`: p-values and intervals of what is asked of differences, and of several.
- `discoveries`: p-values of many tests, adjusted for the false discovery rate.
- `report`: the uncertainty that a report shows, by influences or bootstrap.
- `dominance`, `folds`: comparisons of models, given finished reports.
- `planning`: how many rows a difference needs.
- `sentences`: comparisons and summaries in words.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
