"""A thousand cases in each run of the tests; `make fuzz` runs more."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pandas_ordinal as po
from fuzz import literal
from fuzz.answers import Refused
from fuzz.check import SURFACES, run
from fuzz.frames import make_case
from fuzz.misuse import Call, fault_of
from fuzz.surfaces import Name, names_by_surface

CASES = 1000
PIECES = 10  # so that several processes share them


@pytest.mark.slow
@pytest.mark.parametrize("piece", range(PIECES))
def test_random_cases_agree_with_literal_answers(piece: int) -> None:
    figures = run(0, range(piece, CASES, PIECES))
    assert not figures.faults, "\n".join(figures.faults)
    assert figures.cases == CASES // PIECES
    assert sum(figures.refusals.values()) < 0.6 * figures.calls


@pytest.mark.filterwarnings("ignore:numpy.ndarray size changed")  # old netCDF4
def test_names_take_the_arguments_that_are_called_valid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [one for names in names_by_surface().values() for one in names]:
        folder = tmp_path / f"{name.label} {len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        monkeypatch.chdir(folder)
        name.before()
        name({one: name.valid[one] for one in name.needed})


@pytest.mark.parametrize(
    ("raised", "fault"),
    [
        (lambda: po.metrics.oci(np.eye(3), beta="x"), ""),
        (lambda: po.metrics.oci("x"), "unnamed"),
        (lambda: int("x"), "foreign"),
    ],
)
def test_errors_are_told_apart(raised: Callable[[], object], fault: str) -> None:
    name = Name("po.metrics.oci", lambda beta: None, {}, frozenset())
    with pytest.raises(ValueError, match=r".") as caught:
        raised()
    found = fault_of(caught.value, Call(name, {"beta": "1j"}, {"beta": 1j}))
    assert found.partition(" ")[0] == fault


def test_a_case_is_determined_by_its_numbers() -> None:
    one, again = make_case(3, 14), make_case(3, 14)
    pd.testing.assert_frame_equal(one.frame, again.frame)
    assert one.keys == again.keys


def test_a_wrong_number_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(literal.METRICS, "mae", lambda rows, n_classes: 7.0)
    assert any(" report: Wrong" in fault for fault in run(0, range(30)).faults)


@pytest.mark.parametrize("surface", [name for name in SURFACES if name != "misuse"])
def test_a_wrong_number_is_noticed_on_each_surface(
    surface: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if surface == "partitions":
        pytest.importorskip("polars")
    monkeypatch.setattr(literal, "confusion", lambda rows, n_classes: [[7.0]])
    for name in literal.METRICS:
        monkeypatch.setitem(literal.METRICS, name, lambda rows, n_classes: 7.0)
    call, _ = SURFACES[surface]
    noticed = 0
    for number in range(20):
        try:
            call(random.Random(number))
        except Refused:
            continue
        except AssertionError:
            noticed += 1
    assert noticed > 5
