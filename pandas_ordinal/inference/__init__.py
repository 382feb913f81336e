"""How sure a metric is: what a row adds to it, and intervals and tests that follow from that."""

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
