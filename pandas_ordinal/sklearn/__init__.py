"""Cross-validate, search and score estimators of scikit-learn by ordinal metrics.

`po.sklearn` is loaded when it is first used.

- `cross_val`: out-of-fold predictions as a frame.
- `estimators`: estimators and their predictions, for the other modules.
- `scoring`: metrics as scorers of scikit-learn.
- `thresholds`: an estimator that cuts scores at the best thresholds.
"""

from typing import TYPE_CHECKING, Any

try:
    import sklearn  # noqa: F401
except ImportError as error:
    raise ImportError('scikit-learn is missing: pip install "pandas_ordinal[sklearn]"') from error

from pandas_ordinal.counterparts import IN_SKLEARN
from pandas_ordinal.hints import unknown_name_error
from pandas_ordinal.sklearn.cross_val import cross_val_frame
from pandas_ordinal.sklearn.scoring import OrdinalScorer, scorer
from pandas_ordinal.sklearn.thresholds import OrdinalThresholds

__all__ = ["OrdinalScorer", "OrdinalThresholds", "cross_val_frame", "scorer"]


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:  # otherwise type checkers would accept any name

    def __getattr__(name: str) -> Any:
        """Raise for an unknown name, and suggest the one that is meant."""
        raise unknown_name_error(__name__, name, __all__, IN_SKLEARN.get(name))
