"""The script of *Get started* reads CSV files of any shape, and repeats what the library says."""

from __future__ import annotations

import runpy
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pandas_ordinal as po

ROOT = Path(__file__).parents[1]
GRADES = ["low", "mid", "high"]
DIGITS = ["1", "2", "3"]
FILES = ["figure.pdf", "matrices.nc", "predictions.parquet", "table.tex"]

with warnings.catch_warnings():  # built for another NumPy, in the lowest versions
    warnings.simplefilter("ignore")
    pytest.importorskip("netCDF4")


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "examples" / "start.py"))


@pytest.fixture
def main(script: dict[str, Any]) -> Callable[[list[str]], None]:
    main: Callable[[list[str]], None] = script["main"]
    return main


def wide(labels: list[str], missing: bool = False) -> pd.DataFrame:
    """Forty rows at two sites: `good` errs in every eighth one, `poor` in every second one."""
    true = np.arange(40) % 3
    codes = {
        "truth": true,
        "good": np.where(np.arange(40) % 8, true, (true + 1) % 3),
        "poor": np.where(np.arange(40) % 2, true, (true + 1) % 3),
    }
    table = pd.DataFrame({name: np.array(labels)[column] for name, column in codes.items()})
    if missing:
        table.loc[0, "good"] = np.nan
    return table.assign(site=np.repeat(["a", "b"], 20), patient=np.arange(40) // 2)


def long(labels: list[str]) -> pd.DataFrame:
    columns = ["truth", "site", "patient"]
    rows = wide(labels).rename_axis("visit").reset_index()
    return rows.melt(["visit", *columns], ["good", "poor"], "method", "grade")


IN_COLUMNS = ["--true", "truth", "--pred", "good", "poor"]
IN_ROWS = ["--true", "truth", "--pred", "grade", "--model", "method", "--id", "visit"]
CASES = {
    "columns of text": (wide(GRADES), [*IN_COLUMNS, "--classes", *GRADES]),
    "columns of integers": (wide(DIGITS), [*IN_COLUMNS, "--classes", *DIGITS]),
    "columns of integers, which need no classes": (wide(DIGITS), IN_COLUMNS),
    "integers in the opposite order": (wide(DIGITS), [*IN_COLUMNS, "--classes", *DIGITS[::-1]]),
    "rows of text": (long(GRADES), [*IN_ROWS, "--classes", *GRADES]),
    "rows of integers": (long(DIGITS), [*IN_ROWS, "--classes", *DIGITS]),
    "integers read as floats": (
        wide(DIGITS, missing=True),
        [*IN_COLUMNS, "--classes", *DIGITS, "--dropna"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_files_of_any_shape(
    main: Callable[[list[str]], None],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    name: str,
) -> None:
    table, options = CASES[name]
    table.to_csv(tmp_path / "predictions.csv", index=False)
    main([str(tmp_path / "predictions.csv"), *options, "--output", str(tmp_path / "results")])
    printed = capsys.readouterr().out
    folder = tmp_path / "results"
    assert "good is better than poor" in printed
    assert sorted(path.name for path in folder.iterdir()) == FILES
    rows = wide(DIGITS, "--dropna" in options)
    errors = rows["good"].astype(float) - rows["truth"].astype(float)
    cube = po.open_cube(folder / "matrices.nc")
    model = cube.sel({cube.dims[0]: "good"})
    assert model.ordinal.mae().item() == pytest.approx(errors.abs().mean())
    saved = po.read_parquet(folder / "predictions.parquet")["truth"]
    assert saved.astype(str).equals(table["truth"].astype(str))
    if "--classes" in options:
        first = options.index("--classes") + 1
        assert list(map(str, saved.cat.categories)) == options[first : first + 3]
    assert r"\bfseries" in (folder / "table.tex").read_text("utf-8")


def test_groups_and_clusters(
    main: Callable[[list[str]], None], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    long(GRADES).to_csv(tmp_path / "predictions.csv", index=False)
    asked = [*IN_ROWS, "--classes", *GRADES, "--by", "site", "--cluster", "patient"]
    main([str(tmp_path / "predictions.csv"), *asked, "--output", str(tmp_path)])
    printed = capsys.readouterr().out
    assert "n_clusters" in printed
    assert "In site a, by mae" in printed and "In site b, by mae" in printed
    assert po.open_cube(tmp_path / "matrices.nc").dims == ("site", "method", "true", "pred")


def test_one_model_is_not_compared(
    main: Callable[[list[str]], None], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    wide(GRADES).to_csv(tmp_path / "predictions.csv", index=False)
    asked = ["--true", "truth", "--pred", "good", "--classes", *GRADES, "--metrics", "stc"]
    main([str(tmp_path / "predictions.csv"), *asked, "--output", str(tmp_path / "results")])
    printed = capsys.readouterr().out
    assert "stc_low" in printed and "better" not in printed
    assert sorted(path.name for path in (tmp_path / "results").iterdir()) == FILES


WRONG = {
    "classes are not declared": (wide(GRADES), IN_COLUMNS, "declares no order of its classes"),
    "a class lacks": (wide(GRADES), [*IN_COLUMNS, "--classes", "low", "mid"], "['high']"),
    "numbers are not words": (
        wide(DIGITS),
        [*IN_COLUMNS, "--classes", *GRADES],
        "column 'truth' holds [1, 2, 3]",
    ),
    "a label is missing": (
        wide(GRADES, missing=True),
        [*IN_COLUMNS, "--classes", *GRADES],
        "column 'good' holds 1 missing value",
    ),
    "a column is missing": (
        wide(GRADES),
        ["--true", "y", "--pred", "good", "--classes", *GRADES],
        "no column 'y'",
    ),
    "cases are not named": (long(GRADES), [*IN_ROWS[:-2], "--classes", *GRADES], "needs id="),
    "a metric is unknown": (wide(DIGITS), [*IN_COLUMNS, "--metrics", "qwk"], "kappa"),
}


@pytest.mark.parametrize("name", WRONG)
def test_errors_of_the_library_are_shown(
    main: Callable[[list[str]], None],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    name: str,
) -> None:
    table, options, message = WRONG[name]
    table.to_csv(tmp_path / "predictions.csv", index=False)
    with pytest.raises(SystemExit) as raised:
        main([str(tmp_path / "predictions.csv"), *options, "--output", str(tmp_path / "results")])
    assert raised.value.code == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "results").exists()


def test_a_file_that_does_not_exist(
    main: Callable[[list[str]], None], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with pytest.raises(SystemExit):
        main([str(tmp_path / "none.csv"), *IN_COLUMNS])
    assert "No such file" in capsys.readouterr().err


def test_the_page_shows_what_the_script_prints(
    script: dict[str, Any], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    script["main"]([*script["EXAMPLE"], "--output", str(tmp_path / "results")])
    page = " ".join((ROOT / "docs" / "start.md").read_text("utf-8").split())
    sentences = capsys.readouterr().out.split("\n\n")[1]
    assert sentences.count("By ") == 3 and " ".join(sentences.split()) in page
