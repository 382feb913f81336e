"""Evaluate ordinal classifiers where their predictions are: in pandas and xarray."""

import importlib
from typing import TYPE_CHECKING, Any

from pandas_ordinal import metrics, plot
from pandas_ordinal.accessors import ordinal, register
from pandas_ordinal.accessors.frame import FrameOrdinal
from pandas_ordinal.classes.bins import parse_intervals
from pandas_ordinal.cube.combine import add, concat
from pandas_ordinal.cube.counter import Counter
from pandas_ordinal.cube.from_counts import confusion, from_counts
from pandas_ordinal.errors import (
    ClassOrderError,
    MissingValueError,
    UndefinedMetricWarning,
    UnknownClassError,
    UnknownNameError,
)
from pandas_ordinal.files import cube_from_dataset, open_cube, open_report, read_parquet
from pandas_ordinal.hints import unknown
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
from pandas_ordinal.reports.style import style
from pandas_ordinal.rows.score_ranges import by_score_ranges, score_bounds

if TYPE_CHECKING:
    from pandas_ordinal import sklearn as sklearn

__version__ = "0.1.0"

__all__ = [
    "ClassOrderError",
    "Counter",
    "Dominance",
    "Friedman",
    "MissingValueError",
    "UndefinedMetricWarning",
    "UnknownClassError",
    "UnknownNameError",
    "add",
    "by_score_ranges",
    "concat",
    "confusion",
    "corrected_t_test",
    "cube_from_dataset",
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
    "plot",
    "read_parquet",
    "score_bounds",
    "style",
]

register()


if not TYPE_CHECKING:  # a checker would take any name for known

    def __getattr__(name: str) -> Any:
        """Load `sklearn` when it is first used: its import takes long, and it is an extra."""
        if name == "sklearn":
            return importlib.import_module(f"{__name__}.{name}")
        raise unknown(__name__, name, [*__all__, *metrics.registry], _elsewhere(name))


def _elsewhere(name: str) -> dict[str, str]:
    """Say where a metric or a method is that is looked for in the module itself."""
    if name in metrics.registry:
        takes = "arrays" if metrics.registry[name].of_rows else "confusion matrices"
        return {name: f"po.metrics.{name} takes {takes}, and df.ordinal.{name} columns"}
    return {name: f"call df.ordinal.{name}(...)"} if name in vars(FrameOrdinal) else {}


def __dir__() -> list[str]:
    """Show public names, and not the other submodules, which remain importable."""
    return [*__all__, "__version__", "sklearn"]
