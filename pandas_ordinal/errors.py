"""What can be wrong with ordinal data, as exceptions and one warning."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path

from pandas_ordinal.messages import SHOWN

PACKAGE = str(Path(__file__).parent) + os.sep


class ClassOrderError(ValueError):
    """The order of the classes is not declared, or is declared in contradictory ways."""


class UnknownClassError(ValueError):
    """A label is none of the declared classes."""


class UnknownNameError(KeyError, ValueError):
    """A name is that of no column, index level, variable or model."""

    def __str__(self) -> str:
        """Return the message, which KeyError would show in quotes."""
        return Exception.__str__(self)


class MissingValueError(ValueError):
    """A label or a group key is missing."""


class UndefinedMetricWarning(UserWarning):
    """A metric has no value for some group that holds rows."""


def warn_undefined(name: str, groups: Sequence[str]) -> None:
    """Warn once, where the user's code called, of groups that hold rows and have no value."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_code.co_filename.startswith(PACKAGE):
        level, frame = level + 1, frame.f_back
    more = f" and {len(groups) - SHOWN} more" * (len(groups) > SHOWN)
    shown = ", ".join(groups[:SHOWN]) + more
    warnings.warn(
        f"{name} is undefined for {shown or 'these rows'}: NaN",
        UndefinedMetricWarning,
        stacklevel=level,
    )
