"""Pictures of confusion matrices, models and reports.

They need matplotlib, which is imported when the first picture is drawn.

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


if not TYPE_CHECKING:  # otherwise type checkers would accept any name

    def __getattr__(name: str) -> Any:
        """Raise for an unknown name, and suggest the one that is meant."""
        raise unknown(__name__, name, __all__, IN_PLOT)
