"""Copies of the project, in which mutants are tested."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mutants.changes import ROOT


@contextmanager
def copies(n: int) -> Iterator[list[Path]]:
    """Make copies of the project, one for each mutant that is tested at a time."""
    with tempfile.TemporaryDirectory() as folder:
        made = [Path(folder) / str(number) for number in range(n)]
        for there in made:
            for file in files():
                (there / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / file, there / file)
        yield made


def files() -> list[str]:
    """Return the files of the project, also those that git does not know yet."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [file for file in found.stdout.splitlines() if (ROOT / file).is_file()]
