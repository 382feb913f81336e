"""Draw the pictures of the README and of docs/pictures.md."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from demo import read_predictions
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import pandas_ordinal as po

DOCS = Path(__file__).parents[1] / "docs"
DATA = Path(__file__).parent / "data"
ERRORS = pd.DataFrame(
    {
        "svm": [0.42, 0.51, 0.38, 0.60, 0.47],
        "forest": [0.40, 0.47, 0.36, 0.58, 0.44],
        "logit": [0.45, 0.53, 0.38, 0.66, 0.55],
    }
)


def comparison_of_start() -> pd.DataFrame:
    """Compare the models of docs/start.md."""
    grades = ["mild", "moderate", "severe"]
    X, progression = load_diabetes(return_X_y=True)
    y = np.array(grades)[np.digitize(progression, [100, 250])]
    models = {
        "tree": DecisionTreeClassifier(max_depth=4, random_state=0),
        "neighbours": KNeighborsClassifier(15),
        "regression": po.sklearn.OrdinalThresholds(LinearRegression(), classes=grades),
    }
    df = po.sklearn.cross_val_frame(models, X, y, cv=5, classes=grades)
    return po.ordinal(df).compare(
        "y", "yhat", model="model", id="row", metrics=["mae", "amae", "oci"]
    )


def main() -> None:
    """Write docs/*.png."""
    predictions = read_predictions()
    panels = po.ordinal(po.ordinal(predictions).confusion("y", "yhat", by="model")).plot(
        col="model", path=True
    )
    once = po.ordinal(predictions.query("repeat == 1"))
    plot = po.ordinal(once.confusion("y", "yhat", by="model")).plot
    report = once.report("y", "yhat", by="model", metrics=["mae", "amae", "stc"], ci=0.95)
    comparison = po.ordinal(predictions).compare(
        "y", "yhat", model="model", id=["row", "repeat"], cluster="row",
        metrics=["mae", "amae", "stc"],
    )  # fmt: skip
    forecasts = pd.read_csv(DATA / "anes96_probabilities.csv").query("model == 'boosting'")
    parties = list(forecasts.columns[3:])
    voters = pd.read_csv(DATA / "anes96_probabilities.csv").query("model == 'logistic'")
    pictures = {
        "start": po.plot.differences(comparison_of_start())[0],
        "prediction_sets": draw_sets(voters, parties)[0],
        "reliability": po.ordinal(forecasts).plot_reliability("y", parties, classes=parties)[0],
        "confusion": panels[0],
        "difference": plot.difference("boosting", "rounded-regression"),
        "accuracy_within": plot.accuracy_within(),
        "class_mae": plot.class_mae(),
        "forest": po.plot.forest(report)[0],
        "differences": po.plot.differences(comparison)[0],
        "critical_difference": po.plot.critical_difference(
            po.friedman(ERRORS, greater_is_better=False)
        ),
    }
    for name, axes in pictures.items():
        dpi = 110 if name == "confusion" else 80
        axes.figure.savefig(
            DOCS / f"{name}.png", dpi=dpi, bbox_inches="tight", pil_kwargs={"optimize": True}
        )


def draw_sets(voters: pd.DataFrame, parties: list[str]) -> Any:
    """Draw the sets of half of the voters, by limits from the other half, of both kinds."""
    known, new = (voters[voters["row"] % 2 == half] for half in (0, 1))
    ends: dict[str, dict[str, str]] = {"low": {}, "high": {}}
    for kind, by_class in (("all", False), ("each", True)):
        limits = po.ordinal(known).set_limits(
            "y", parties, classes=parties, coverage=0.8, by_class=by_class
        )
        sets = po.ordinal(new).prediction_sets(parties, limits)
        new = new.assign(**{f"{end}_{kind}": sets[end] for end in ends})
        for end, columns in ends.items():
            columns[kind] = f"{end}_{kind}"
    return po.ordinal(new).plot_sets("y", low=ends["low"], high=ends["high"], classes=parties)


if __name__ == "__main__":
    main()
