"""Pictures, by matplotlib, which is imported when the first one is drawn.

- `models`: curves, points and intervals of models.
- `facets`, `matrix`: confusion matrices, side by side and each by itself.
- `canvas`, `artists`: figures, colours, and texts that fit their cells.
"""

from typing import TYPE_CHECKING, Any

from pandas_ordinal.hints import IN_PLOT, unknown
from pandas_ordinal.plot.models import critical_difference, forest

__all__ = ["critical_difference", "forest"]


def __dir__() -> list[str]:
    """Show public names, and not the submodules."""
    return __all__


if not TYPE_CHECKING:  # a checker would take any name for known

    def __getattr__(name: str) -> Any:
        """Raise for a name that there is not, with what is meant by it."""
        raise unknown(__name__, name, __all__, IN_PLOT)
