"""Time VUS against ``np.argsort`` of the same scores, with and without NumPy's AVX-512 sorts.

`make bench` takes the rows from here. Run it alone to print times as JSON, in seconds.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pandas as pd
from harness import Row, Times, race, same, share
from samples import BY, MILLION, N_CLASSES, ranked

import pandas_ordinal as po

TURNS, LIMIT = 15, 2.2
SORTS = {  # NumPy 2.4 renamed AVX512_SKX to X86_V4; names that it does not know have no effect
    "all CPU features": "",
    "no AVX-512": "X86_V4 AVX512_SKX AVX512_ICL",
}


def rows() -> list[Row]:
    """Measure all cases, in one process per set of sorts."""
    times = {sorts: in_process(disabled) for sorts, disabled in SORTS.items()}
    cases = times["all CPU features"]
    return [
        share(case, f"`np.argsort`, {sorts}", times[sorts][case], LIMIT)
        for case in cases
        for sorts in SORTS
    ]


def in_process(disabled: str) -> dict[str, Times]:
    """Measure in a separate process, with some features of the processor disabled."""
    done = subprocess.run(
        [sys.executable, __file__],
        env={**os.environ, "NPY_DISABLE_CPU_FEATURES": disabled},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    times: dict[str, Times] = json.loads(done.stdout)
    return times


def measured() -> Iterator[tuple[str, Times]]:
    """Time each case in turns with argsort of all its scores."""
    frame = ranked(1, 1, MILLION)
    score = frame["score"]
    cases = {
        "float64": score,
        "float32": score.astype(np.float32),
        "scores of 6 digits": six_digits(score),
        "500,000 distinct integers": (score.rank(method="first").astype(np.int64) - 1) // 2,
    }
    for name, scores in cases.items():
        case = frame.assign(score=scores)
        same(po.ordinal(case).vus("y", "score"), ascending(case))
        yield f"1 M rows, {name}", timed(case, None)
    for work, shape in {
        "100 groups × 10,000 rows": (10, 10, 10_000),
        "1,000 groups × 1,000 rows": (50, 20, 1_000),
        "33,000 groups × 30 rows": (1_000, 33, 30),
    }.items():
        case = ranked(*shape)
        together = case.sort_values(BY, kind="stable", ignore_index=True)
        yield f"{work}, one group after the other", timed(together, BY)
        rounded = case.assign(score=six_digits(case["score"]))
        for rounding, shuffled in {"": case, ", scores of 6 digits": rounded}.items():
            volumes = po.ordinal(shuffled).vus("y", "score", by=BY)
            some = volumes.dropna().sample(20, random_state=0)
            groups = shuffled.groupby(BY, observed=True)
            same(some, [ascending(groups.get_group(key)) for key in some.index])
            yield f"{work}, shuffled{rounding}", timed(shuffled, BY)


def six_digits(score: pd.Series[float]) -> pd.Series[float]:
    """Turn scores into probabilities of six digits, some of them equal."""
    return pd.Series(1 / (1 + np.exp(-score))).round(6)


def timed(frame: pd.DataFrame, by: list[str] | None) -> Times:
    scores: npt.NDArray[np.generic] = frame["score"].to_numpy()
    return race(
        lambda: po.ordinal(frame).vus("y", "score", by=by), lambda: np.argsort(scores), TURNS
    )


def ascending(frame: pd.DataFrame) -> float:
    """Count the share of ascending sequences, in which m equal scores count 1 / m!."""
    ordered = frame.sort_values("score")
    starts = ordered["score"].ne(ordered["score"].shift()).cumsum()
    tied = pd.crosstab(starts, ordered["y"].cat.codes.to_numpy()).to_numpy().tolist()
    sequences = [1.0] + [0.0] * N_CLASSES
    for counts in tied:
        for end in range(N_CLASSES, 0, -1):
            ways = 1.0
            for start in range(end - 1, -1, -1):
                ways *= counts[start] / (end - start)
                if not ways:
                    break
                sequences[end] += sequences[start] * ways
    return sequences[-1] / math.prod(map(float, frame["y"].value_counts()))


if __name__ == "__main__":
    warnings.simplefilter("ignore", po.UndefinedMetricWarning)  # 30 rows may lack a class
    print(json.dumps(dict(measured())))
