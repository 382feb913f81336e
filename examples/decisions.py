"""What to predict from class probabilities? Five rules on four outcomes, six models each.

The outcomes come from three surveys, whose data are in the public domain and ship with
statsmodels, so nothing is downloaded: party and left-right position in the American National
Election Study of 1996, the rating of the marriage in Fair's survey, and doctor visits in five bins
in the RAND Health Insurance Experiment. Of the last two, 2,500 rows are drawn at random. Each
model gives every row probabilities in a 5-fold cross-validation. Thresholds are then chosen on
four of these folds and applied to the fifth; all five are scored together.

Run it with ``make decisions`` (about two minutes); it needs the extra ``docs``.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd
import statsmodels.api as sm
from make_predictions import FEATURES, Floats, FrankHall, Ints, logistic
from make_visits import load as load_visits
from make_visits import to_bin
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.model_selection import StratifiedGroupKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from statsmodels.miscmodels.ordinal_model import OrderedModel

import pandas_ordinal as po

FOLDS = 5
ROWS = 2500
SEED = 1996
METRICS = ["kappa", "oci", "stc", "amae", "uoc", "mmae"]
RULES = ["most likely", "median", "rounded", "thresholds", "without labels"]


class ProportionalOdds(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """The proportional-odds model of statsmodels."""

    def fit(self, X: Floats, y: Ints) -> Self:
        """Fit the model; the classes are those that occur."""
        self.classes_ = np.unique(y)
        model = OrderedModel(np.searchsorted(self.classes_, y), X, distr="logit")
        self.fitted_ = model.fit(method="bfgs", disp=False)
        return self

    def predict_proba(self, X: Floats) -> Floats:
        """Return the probability of each class (column) for each row of `X`."""
        proba: Floats = np.asarray(self.fitted_.predict(X))
        return proba

    def predict(self, X: Floats) -> Ints:
        """Return the most probable class of each row of `X`."""
        best: Ints = self.classes_[self.predict_proba(X).argmax(axis=1)]
        return best


MODELS = {
    "proportional odds": make_pipeline(StandardScaler(), ProportionalOdds()),
    "logistic": logistic,
    "frank-hall": FrankHall(logistic),
    "boosting": GradientBoostingClassifier(
        n_estimators=60, learning_rate=0.05, max_depth=2, random_state=SEED
    ),
    "forest": RandomForestClassifier(
        n_estimators=300, min_samples_leaf=5, random_state=SEED, n_jobs=1
    ),
    "naive Bayes": make_pipeline(StandardScaler(), GaussianNB()),
}


class Outcome(NamedTuple):
    """Features, positions of the classes, and groups of rows that share a fold."""

    X: Floats
    y: Ints
    groups: Ints


def outcomes() -> dict[str, Outcome]:
    """Return the four outcomes."""
    rng = np.random.default_rng(SEED)
    anes = sm.datasets.anes96.load_pandas().data
    fair = sm.datasets.fair.load_pandas().data.sample(ROWS, random_state=SEED)
    others = [name for name in FEATURES if name != "selfLR"]
    of_marriage = ["age", "yrs_married", "children", "religious", "educ"]
    visitors, visits, people = load_visits()
    some = np.sort(rng.choice(len(visits), ROWS, replace=False))
    return {
        "party": _of_frame(anes, FEATURES, "PID", lowest=0),
        "left-right": _of_frame(anes, [*others, "PID"], "selfLR", lowest=1),
        "marriage": _of_frame(fair, of_marriage, "rate_marriage", lowest=1),
        "visits": Outcome(visitors[some], to_bin(visits[some]), people[some]),
    }


def _of_frame(data: pd.DataFrame, features: list[str], y: str, lowest: int) -> Outcome:
    X = data[features].to_numpy(dtype=np.float64)
    return Outcome(X, data[y].to_numpy(dtype=np.int64) - lowest, np.arange(len(data)))


def forecasts(outcome: Outcome) -> pd.DataFrame:
    """Return out-of-fold probabilities of all models."""
    cv = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=SEED)
    splits = list(cv.split(*outcome))
    classes = range(int(outcome.y.max()) + 1)
    return po.sklearn.cross_val_frame(
        MODELS, outcome.X, outcome.y, splits, classes=classes, progress=True
    )


def decided(rows: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Predict the rows of a model by each rule; thresholds come from the other folds."""
    classes = rows["y"].cat.categories
    columns = list(classes)
    score = rows.ordinal.expected_class(columns)
    parts = []
    for fold in sorted(rows["fold"].unique()):
        known, new = rows[rows["fold"] != fold], score[rows["fold"] == fold]
        labelled = po.ordinal(known).best_thresholds("y", proba=columns, metric=metric)
        soft = po.ordinal(known).best_thresholds(proba=columns, metric=metric)
        found = {
            "thresholds": po.ordinal(new).classify(labelled),
            "without labels": po.ordinal(new).classify(soft),
        }
        parts.append(pd.DataFrame(found))
    nearest = [k + 0.5 for k in range(len(classes) - 1)]
    return pd.concat(parts).assign(
        **{
            "y": rows["y"],
            "most likely": po.ordinal(rows).most_likely(columns),
            "median": po.ordinal(rows).median_class(columns),
            "rounded": score.ordinal.classify(nearest, classes=columns),
        }
    )


def cases() -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Yield each outcome and model with its out-of-fold probabilities."""
    for name, outcome in outcomes().items():
        for model, rows in forecasts(outcome).groupby("model", observed=True):
            yield name, str(model), rows


def values_of_rules() -> pd.DataFrame:
    """Score the rules by each metric: a row per outcome, model and metric."""
    found: dict[tuple[str, str, str], Any] = {}
    for name, model, rows in cases():
        for metric in METRICS:
            scores = po.ordinal(decided(rows, metric)).report("y", RULES, metrics=[metric])
            found[name, model, metric] = scores[metric]
    names = ["outcome", "model", "metric"]
    return pd.DataFrame(found).T.rename_axis(index=names, columns=None)


def wins(values: pd.DataFrame) -> pd.DataFrame:
    """Count the cases in which thresholds are better than each other rule, by metric."""
    signs = [1 if po.metrics.registry[metric].greater_is_better else -1 for metric in METRICS]
    sign = pd.Series(signs, pd.Index(METRICS, name="metric"))
    gain = values.rsub(values["thresholds"], axis=0).mul(sign, axis=0, level="metric")
    return gain.drop(columns="thresholds").gt(0).groupby("metric").sum().loc[METRICS]


def main() -> None:
    """Print the means over all cases, and how often thresholds are better."""
    values = values_of_rules()
    n_cases = len(values) // len(METRICS)
    print(f"Mean over {n_cases} cases, four outcomes by six models\n")
    means = values.groupby("metric").mean().loc[METRICS, RULES]
    print(means.to_string(float_format="{:.3f}".format))
    print(f"\nIn how many of {n_cases} cases thresholds, chosen with labels, are better\n")
    print(wins(values).to_string())
    kappa = values.xs("kappa", level="metric").groupby("outcome").mean()[RULES]
    print("\nQuadratic kappa by outcome, mean over the models\n")
    print(kappa.to_string(float_format="{:.3f}".format))


if __name__ == "__main__":
    main()
