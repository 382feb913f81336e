"""Pictures of confusion matrices, models and reports.

They need matplotlib, which is imported when the first picture is drawn.

- `models`: curves, points and intervals of models.
- `pairs`: differences of pairs of models.
- `reliability`: reliability curves.
- `facets`, `matrix`: confusion matrices, side by side and each by itself.
- `canvas`, `artists`: figures, colours, and texts that fit their cells and axes.
"""

from pandas_ordinal.counterparts import IN_PLOT
from pandas_ordinal.hints import attach

__all__ = ["critical_difference", "differences", "forest"]  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__, _ = attach(__name__, __file__, instead=IN_PLOT.get)


def __dir__() -> list[str]:
    """Return the public names, and not the submodules."""
    return __all__
