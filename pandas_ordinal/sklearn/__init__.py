"""Ordinal evaluation of scikit-learn's estimators; `po.sklearn` loads it when first used."""

from typing import TYPE_CHECKING, Any

try:
    import sklearn  # noqa: F401
except ImportError as error:
    raise ImportError('scikit-learn is missing: pip install "pandas_ordinal[sklearn]"') from error

from pandas_ordinal.hints import IN_SKLEARN, unknown
from pandas_ordinal.sklearn.cross_val import cross_val_frame
from pandas_ordinal.sklearn.scoring import OrdinalScorer, scorer
from pandas_ordinal.sklearn.thresholds import OrdinalThresholds

__all__ = ["OrdinalScorer", "OrdinalThresholds", "cross_val_frame", "scorer"]


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:  # a checker would take any name for known

    def __getattr__(name: str) -> Any:
        """Raise for a name that there is not, with what is meant by it."""
        raise unknown(__name__, name, __all__, IN_SKLEARN)
