"""Evaluate ordinal classifiers where their predictions are: in pandas and xarray."""

from pandas_ordinal import metrics
from pandas_ordinal.accessors import ordinal, register
from pandas_ordinal.combine import add, concat
from pandas_ordinal.counter import Counter
from pandas_ordinal.errors import (
    ClassOrderError,
    MissingValueError,
    UndefinedMetricWarning,
    UnknownClassError,
)
from pandas_ordinal.files import decode, open_cube, open_report, read_parquet
from pandas_ordinal.inference import (
    Dominance,
    Friedman,
    corrected_t_test,
    disagreements,
    friedman,
    influence,
    metric_correlation,
    pareto,
)
from pandas_ordinal.intervals import parse_intervals
from pandas_ordinal.score_ranges import by_score_ranges, score_bounds
from pandas_ordinal.tables import confusion, from_counts

__version__ = "0.1.0"

__all__ = [
    "ClassOrderError",
    "Counter",
    "Dominance",
    "Friedman",
    "MissingValueError",
    "UndefinedMetricWarning",
    "UnknownClassError",
    "add",
    "by_score_ranges",
    "concat",
    "confusion",
    "corrected_t_test",
    "decode",
    "disagreements",
    "friedman",
    "from_counts",
    "influence",
    "metric_correlation",
    "metrics",
    "open_cube",
    "open_report",
    "ordinal",
    "pareto",
    "parse_intervals",
    "read_parquet",
    "score_bounds",
]

register()


def __dir__() -> list[str]:
    """Show public names, and not the submodules, which remain importable."""
    return [*__all__, "__version__"]
