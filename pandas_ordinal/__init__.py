"""Evaluate ordinal classifiers where their predictions are: in pandas and xarray.

- `po.ordinal(df)`, or `df.ordinal`, has all metrics and reports of a table or an array.
- `po.from_counts` makes a cube of confusion matrices from counts.
- `po.metrics` has the metrics as functions of arrays.
- `po.sklearn` cross-validates, searches and scores estimators of scikit-learn.
- `po.plot` draws models and reports.
"""

from pandas_ordinal import metrics
from pandas_ordinal.accessors import FrameOrdinal, register
from pandas_ordinal.counting.forks import make_forks_wait_for_imports
from pandas_ordinal.hints import attach

__version__ = "0.1.0"


def _instead(name: str) -> str:
    """Explain where a metric or a method is that is looked for in the module itself."""
    if name in metrics.registry:
        takes = "arrays" if metrics.registry[name].of_rows else "confusion matrices"
        return f"po.metrics.{name} takes {takes}, and df.ordinal.{name} columns"
    return f"call df.ordinal.{name}(...)" if hasattr(FrameOrdinal, name) else ""


__getattr__, _names = attach(__name__, __file__, metrics.registry, _instead)
# without an extra, which may be missing
__all__ = [n for n in _names if n != "sklearn"]  # pyright: ignore[reportUnsupportedDunderAll]


def __dir__() -> list[str]:
    """Return the public names, and not the other submodules, which remain importable."""
    return sorted([*_names, "__version__"])


register()
make_forks_wait_for_imports()
