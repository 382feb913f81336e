"""Pictures, by matplotlib, which is imported when the first one is drawn."""

from pandas_ordinal.plot.forests import forest
from pandas_ordinal.plot.ranks import critical_difference

__all__ = ["critical_difference", "forest"]


def __dir__() -> list[str]:
    """Show public names, and not the submodules."""
    return __all__
