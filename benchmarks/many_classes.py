"""Time intervals of a few rows of many classes, whose cells are far more than the rows.

`make bench` takes the rows from here. Run it alone to print them as a table.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

import numpy as np
import pandas as pd
from harness import Row, race, same, share, table

import pandas_ordinal as po

N_ROWS = 600
N_CLASSES = 40, 160, 320


def rows() -> Iterator[Row]:
    """Measure a report with intervals against one without; the path of OCI takes all cells."""
    for n_classes in N_CLASSES:
        plain = functools.partial(po.ordinal(labelled(n_classes)).report, "y", "a")
        names = [name for name in plain().index if name not in ("n", "oci")]
        without = functools.partial(plain, metrics=names)
        ours = functools.partial(without, ci=0.9)
        same(ours()[names], without()[names])
        work = f"intervals but of OCI, {N_ROWS} rows, K = {n_classes}"
        yield share(work, "the report without", race(ours, without, 2), None)


def labelled(n_classes: int) -> pd.DataFrame:
    """Make rows whose predictions are up to three classes off."""
    rng = np.random.default_rng(0)
    true = rng.integers(0, n_classes, N_ROWS)
    pred = np.clip(true + rng.integers(-3, 4, N_ROWS), 0, n_classes - 1)
    classes = pd.CategoricalDtype(list(range(n_classes)), ordered=True)
    return pd.DataFrame({"y": true, "a": pred}).astype(classes)


if __name__ == "__main__":
    print(table(list(rows())))
