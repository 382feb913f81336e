"""What an interval is made of: what each row adds to a metric, and the tests that follow.

- `influence`: what a row adds to a metric, and the pseudo-row.
- `interval`, `rows`: intervals of metrics of counts, and of scores and probabilities.
- `pairs`: differences of models that predict the same rows.
- `report`: bounds and standard errors as a report asks for them, or by bootstrap.
- `dominance`, `folds`: comparisons that start from finished reports.
"""

from pandas_ordinal.inference.dominance import (
    Dominance,
    disagreements,
    metric_correlation,
    pareto,
)
from pandas_ordinal.inference.folds import Friedman, corrected_t_test, friedman
from pandas_ordinal.inference.influence import influence

__all__ = [
    "Dominance",
    "Friedman",
    "corrected_t_test",
    "disagreements",
    "friedman",
    "influence",
    "metric_correlation",
    "pareto",
]
