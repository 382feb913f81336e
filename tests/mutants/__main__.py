"""Draw mutants, test them, and print the shares that were noticed."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import mutants
from mutants.changes import Mutant, changes_of, drawn, equivalent, rooms
from mutants.copies import copies
from mutants.reached import reached
from mutants.trials import try_all


def main() -> int:
    parser = argparse.ArgumentParser(prog="mutants", description=mutants.__doc__)
    parser.add_argument("--mutants", type=int, default=300, help="how many (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the choice (default %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many at a time")
    parser.add_argument("--room", default="", help="only modules with this in their name")
    parser.add_argument("--list", action="store_true", help="list the mutants, and run none")
    parser.add_argument(
        "--reached", type=Path, help="a folder to keep, for other runs, which lines tests reach"
    )
    given = parser.parse_args()
    found = [changes_of(room) for room in rooms() if given.room in room]
    chosen = drawn(found, given.mutants, given.seed)
    if given.list:
        for mutant in chosen:
            print(f"{mutant.room}:{mutant.lines.start}  {mutant.key()}")
        return 0
    n_found = sum(map(len, found))
    print(f"{len(chosen)} of {n_found:,} mutants, seed {given.seed}", file=sys.stderr)
    with copies(given.jobs) as folders, tempfile.TemporaryDirectory() as lost:
        tests = reached(folders[0], given.reached or Path(lost), given.jobs)
        survivors = try_all(chosen, tests, folders)
    known = equivalent()
    same = [mutant for mutant in chosen if mutant.key() in known]
    left = [mutant for mutant in survivors if mutant not in same]
    _print_shares([mutant for mutant in chosen if mutant not in same], left)
    return 1 if left else 0


def _print_shares(chosen: Sequence[Mutant], survivors: Sequence[Mutant]) -> None:
    """Print how many mutants were noticed, but for those that are known to be equivalent."""
    whole = Counter(mutant.folder for mutant in chosen)
    missed = Counter(mutant.folder for mutant in survivors)
    for name in [*sorted(whole), "all"]:
        n = whole[name] if name in whole else whole.total()
        noticed = n - (missed[name] if name in whole else missed.total())
        print(f"{name:12} {noticed:4} of {n:4} noticed, {noticed / max(n, 1):5.0%}")


if __name__ == "__main__":
    sys.exit(main())
