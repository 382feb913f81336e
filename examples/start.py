"""From a CSV file of predictions to a report, a comparison in words, a figure, LaTeX and files.

Models are columns, ``--pred svm forest``, or one column names them, ``--model model``. Without
arguments the script reads the predictions in ``data/anes96_predictions.csv``.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

import pandas_ordinal as po

DATA = Path(__file__).parent / "data" / "anes96_predictions.csv"
PARTIES = [
    "Strong Democrat",
    "Weak Democrat",
    "Independent-Democrat",
    "Independent-Independent",
    "Independent-Republican",
    "Weak Republican",
    "Strong Republican",
]
EXAMPLE = [
    *[str(DATA), "--true", "y", "--pred", "yhat", "--model", "model", "--id", "row", "repeat"],
    *["--cluster", "row", "--classes", *PARTIES],
]
METRICS = ["mae", "amae", "oci"]


def parser() -> argparse.ArgumentParser:
    """Describe the arguments, which are named as the parameters of the library."""
    words = argparse.ArgumentParser(
        description=__doc__.splitlines()[0] if __doc__ else None,
        epilog="If an error asks for a parameter such as classes=, give the option of its name.",
    )
    words.add_argument("csv", type=Path, help="the file of predictions")
    words.add_argument("--true", required=True, help="the column of true classes")
    words.add_argument(
        "--pred", required=True, nargs="+", help="the columns of predictions, one per model"
    )
    words.add_argument("--classes", nargs="+", help="the classes, from the lowest to the highest")
    words.add_argument("--model", help="the column that names the model, if --pred is one column")
    words.add_argument("--id", nargs="+", help="the columns that identify a case, with --model")
    words.add_argument("--by", nargs="+", help="columns of groups to score separately")
    words.add_argument("--cluster", help="the column of rows that belong together")
    words.add_argument("--dropna", action="store_true", help="leave out rows without a label")
    words.add_argument("--metrics", nargs="+", default=METRICS, help="the metrics to report")
    words.add_argument(
        "--output", type=Path, default=Path("results"), help="the folder of files (results)"
    )
    return words


def read_predictions(asked: argparse.Namespace) -> pd.DataFrame:
    """Read the file, and declare the order of the classes, which a CSV cannot hold."""
    predictions = pd.read_csv(asked.csv)
    if asked.classes:
        for column in predictions.columns.intersection([asked.true, *asked.pred]):
            labels = predictions[column]
            predictions[column] = po.ordinal(labels).as_ordered(like(labels, asked.classes))
    return predictions


def like(labels: "pd.Series[Any]", classes: list[str]) -> list[Any]:
    """Turn the words of the command line into numbers, if the labels of the file are numbers."""
    if not pd.api.types.is_numeric_dtype(labels):
        return classes
    numbers = pd.to_numeric(pd.Series(classes), errors="coerce")
    return classes if numbers.isna().any() else numbers.tolist()


def calls(asked: argparse.Namespace) -> tuple[dict[str, Any], dict[str, Any]]:
    """Write the options of the report, and of the comparison, as the library names them."""
    if asked.model:
        pred, by = asked.pred[0], [*(asked.by or []), asked.model]
        pairs = {"by": asked.by, "model": asked.model, "id": asked.id}
    else:
        pred, by = asked.pred, asked.by
        pairs = {"by": asked.by}
    labels = {"true": asked.true, "pred": pred, "dropna": asked.dropna}
    return labels | {"by": by}, labels | pairs


def run(asked: argparse.Namespace) -> None:
    """Print the report and the comparison, and save them with the predictions."""
    predictions = read_predictions(asked)
    ordinal = po.ordinal(predictions)
    of_models, of_pairs = calls(asked)
    numbers = {"metrics": asked.metrics, "cluster": asked.cluster}
    report: pd.DataFrame = ordinal.report(**of_models, **numbers, ci=0.95)
    print(report.round(3).to_string())
    if report.index.get_level_values(-1).nunique() > 1:
        comparison = ordinal.compare(**of_pairs, **numbers)
        print(f"\n{po.describe(comparison)}")
        panels = po.plot.differences(comparison)
    else:
        panels = po.plot.forest(report)
    folder = asked.output
    folder.mkdir(parents=True, exist_ok=True)
    panels.item(0).figure.savefig(folder / "figure.pdf")
    table = po.style(report, escape="latex").to_latex()
    (folder / "table.tex").write_text(table, encoding="utf-8")
    ordinal.to_parquet(folder / "predictions.parquet")
    po.ordinal(ordinal.confusion(**of_models)).to_netcdf(folder / "matrices.nc")
    print(f"\nfigure.pdf, table.tex, predictions.parquet and matrices.nc are in {folder}")


def main(words: Sequence[str] | None = None) -> None:
    """Run the script on the words of the command line, or on the example if there are none."""
    reader = parser()
    asked = reader.parse_args(words)
    try:
        run(asked)
    except (OSError, TypeError, ValueError) as error:
        reader.error(str(error))


if __name__ == "__main__":
    import sys

    main(sys.argv[1:] or EXAMPLE)
