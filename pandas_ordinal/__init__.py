"""Evaluate ordinal classifiers where their predictions are: in pandas and xarray."""

from pandas_ordinal import metrics
from pandas_ordinal.accessors import ordinal, register
from pandas_ordinal.cube import add
from pandas_ordinal.errors import (
    ClassOrderError,
    MissingValueError,
    UndefinedMetricWarning,
    UnknownClassError,
)

__version__ = "0.1.0"

__all__ = [
    "ClassOrderError",
    "MissingValueError",
    "UndefinedMetricWarning",
    "UnknownClassError",
    "add",
    "metrics",
    "ordinal",
]

register()
