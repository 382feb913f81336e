"""Replacing a file so that whatever interrupts it leaves the old file or the new one."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape, glob
from shutil import rmtree
from tempfile import mkdtemp

from pandas_ordinal.errors import brief
from pandas_ordinal.files.reading import FilePath, address_hint, local_path

PART = ".part"  # a folder next to a file that is being written
OLD = ".old"  # in that folder, the store that is being replaced


@contextmanager
def replacing(path: FilePath, folders: bool = False) -> Iterator[str]:
    """Give a path to write to, and move what was written there to its place at the end.

    Whatever interrupts this, the old file or the new one is in place. Only a process that is
    killed leaves its folder ``.part``.

    Parameters
    ----------
    path : str or path
        The file to write or to replace.
    folders : bool
        Whether a folder may be replaced.
    """
    target = local_path(path)  # a link stays, and points to the new file
    folder, name = os.path.split(target)
    if not os.path.isdir(folder):
        remedy = address_hint(path) or f": os.makedirs({folder!r})"
        raise FileNotFoundError(f"there is no folder {folder!r} to save {name!r} in{remedy}")
    if os.path.isdir(target) and not folders:
        raise IsADirectoryError(f"{target!r} is a folder: give the name of a file in it")
    if os.path.exists(target) and not (os.path.isfile(target) or os.path.isdir(target)):
        raise FileExistsError(
            f"{os.fspath(path)!r} is a device, a pipe or a socket: give the name of a file"
        )
    # not a TemporaryDirectory, which would delete what was moved there when it is interrupted
    try:
        part = mkdtemp(prefix=f"{name}.", suffix=PART, dir=folder)
    except OSError as error:  # such as a name that is too long
        raise type(error)(f"cannot write {brief(target)}: {error.strerror}") from error
    old = backup_path(part)
    installed = False  # then a missing target is one that another writer is replacing
    try:
        new = os.path.join(part, name)
        yield new
        if folders:
            _replace_folder(new, target, old)
        else:
            _replace_file(new, target)
        installed = True
    finally:
        if not installed and os.path.lexists(old) and not os.path.lexists(target):
            os.rename(old, target)
        # threads of a failed save may still be writing: show that failure, not theirs
        rmtree(part, ignore_errors=True)


def _replace_file(new: str, target: str) -> None:
    """Move a file to its place, or a store to a place that no other writer has filled."""
    try:
        os.replace(new, target)
    except OSError as error:
        if error.errno in (errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR):
            raise already_there(target) from error
        raise


def already_there(path: FilePath) -> FileExistsError:
    """Return the error for a store that would replace another one unasked."""
    return FileExistsError(f'{os.fspath(path)!r} exists already: mode="w" replaces it')


def _replace_folder(new: str, target: str, old: str) -> None:
    """Move a folder away and another one to its place; retry if a second writer was faster."""
    while True:
        if os.path.lexists(old):
            rmtree(old)  # of the other writer, or what that one has replaced
        with suppress(FileNotFoundError):
            os.rename(target, old)
        try:
            os.rename(new, target)
            return
        except OSError as error:
            if error.errno not in (errno.EEXIST, errno.ENOTEMPTY):
                raise


def leftover_hint(path: FilePath) -> str:
    """Describe what is left next to a missing file, and what to do with it."""
    folder, name = os.path.split(os.path.realpath(path))
    parts = sorted(glob(os.path.join(escape(folder), f"{escape(name)}.*{PART}")))
    for part in parts:
        old = backup_path(part)
        if os.path.exists(old):
            return (
                f", but a process that was replacing it, and was killed or still runs, has left "
                f"{part!r}: os.rename({old!r}, {os.path.join(folder, name)!r}) brings back what "
                "was there"
            )
    if parts:
        return (
            f", but a process that was saving it, and was killed or still runs, has left "
            f"{parts[0]!r}: delete it, and save once more"
        )
    return ""


def destination_of(part: str) -> str:
    """Return the file for which a folder ``.part`` was made."""
    return part.rsplit(".", 2)[0]


def backup_path(part: str) -> str:
    """Return where a folder ``.part`` keeps the store that is being replaced."""
    return os.path.join(part, f"{os.path.basename(destination_of(part))}{OLD}")
