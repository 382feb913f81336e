"""Evaluate ordinal classifiers where their predictions are: in pandas and xarray."""

from pandas_ordinal import metrics
from pandas_ordinal.accessors import ordinal, register
from pandas_ordinal.combine import add, concat
from pandas_ordinal.errors import (
    ClassOrderError,
    MissingValueError,
    UndefinedMetricWarning,
    UnknownClassError,
)
from pandas_ordinal.files import decode, open_cube, open_report, read_parquet
from pandas_ordinal.inference import Friedman, corrected_t_test, friedman, influence
from pandas_ordinal.intervals import parse_intervals
from pandas_ordinal.tables import confusion, from_counts

__version__ = "0.1.0"

__all__ = [
    "ClassOrderError",
    "Friedman",
    "MissingValueError",
    "UndefinedMetricWarning",
    "UnknownClassError",
    "add",
    "concat",
    "confusion",
    "corrected_t_test",
    "decode",
    "friedman",
    "from_counts",
    "influence",
    "metrics",
    "open_cube",
    "open_report",
    "ordinal",
    "parse_intervals",
    "read_parquet",
]

register()


def __dir__() -> list[str]:
    """Show public names, and not the submodules, which remain importable."""
    return [*__all__, "__version__"]
