"""How much memory a call takes at its peak."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable


def peak(call: Callable[[], object]) -> int:
    """Return the number of bytes that a call allocates at its peak, after a call of its own.

    The first call also loads modules, which do not count.
    """
    call()
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
