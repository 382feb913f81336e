"""What a fork waits for: locks and imports that the new process would wait for in vain."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from threading import RLock, get_ident
from types import FrameType
from typing import Any, Generic, TypeVar

# Imported when they are first used, by this library or by what it uses
LOADED_LATER = {
    "pandas_ordinal",
    "dask",
    "h5netcdf",
    "h5py",
    "matplotlib",
    "netCDF4",
    "numcodecs",
    "pyarrow",
    "scipy",
    "sklearn",
    "xarray",
    "zarr",
}


_T = TypeVar("_T")


class computed_once(Generic[_T]):
    """A property that keeps its value, without the lock of `functools` in Python 3.11.

    A process that is forked while another thread computes would wait for that lock in vain.
    """

    def __init__(self, compute: Callable[[Any], _T]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __get__(self, instance: Any, owner: Any = None) -> _T:
        """Return the value, which hides this property from then on."""
        value = instance.__dict__[self._compute.__name__] = self._compute(instance)
        return value


def forkable_lock() -> Any:
    """Return a lock for which a fork waits: no child inherits it held by a thread it lacks."""
    lock = RLock()
    if sys.platform != "win32":
        os.register_at_fork(
            before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release
        )
    return lock


def make_forks_wait_for_imports() -> None:
    """Let forks wait for what other threads import: in a child, it would never be imported."""
    if sys.platform != "win32":
        os.register_at_fork(before=_finish_imports)


def _finish_imports() -> None:
    """Wait until all that other threads are importing is imported."""
    finished: set[str] = set()
    while started := _imported_by_others() - finished:
        for name in started:
            with suppress(Exception):  # an import that fails there fails here too
                import_module(name)
        finished |= started


def _imported_by_others() -> set[str]:
    """Return the modules that other threads are importing, of those that are loaded later."""
    names = set()
    for thread, newest in sys._current_frames().items():
        frame: FrameType | None = None if thread == get_ident() else newest
        while frame is not None:
            if frame.f_code.co_name == "_find_and_load":  # of importlib
                names.add(str(frame.f_locals.get("name")))
            frame = frame.f_back
    return {name for name in names if name.partition(".")[0] in LOADED_LATER}
