"""What to predict from class probabilities? Five rules and three kinds of sets, in 24 cases.

The outcomes come from three surveys, whose data are in the public domain and ship with
statsmodels, so nothing is downloaded: party and left-right position in the American National
Election Study of 1996, the rating of the marriage in Fair's survey, and doctor visits in five bins
in the RAND Health Insurance Experiment. Of the last two, 2,500 rows are drawn at random. Each
model gives every row probabilities in a 5-fold cross-validation. Thresholds are then chosen on
four of these folds and applied to the fifth; all five are scored together. Limits of prediction
sets are found on a random half of the rows and applied to the other, in 20 such splits.

Run it with ``make decisions`` (about two minutes); it needs the extra ``docs``.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Self, TypeAlias

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
from tqdm.auto import tqdm  # type: ignore[import-untyped]

import pandas_ordinal as po

Cases: TypeAlias = Sequence[tuple[str, str, pd.DataFrame]]

FOLDS = 5
ROWS = 2500
SEED = 1996
METRICS = ["kappa", "oci", "stc", "amae", "uoc", "mmae"]
SPLITS, COVERAGE = 20, 0.9
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
        frame = forecasts(outcome)
        group = pd.Series(outcome.groups, pd.RangeIndex(len(outcome.groups)))
        for model, rows in frame.groupby("model", observed=True):
            yield name, str(model), rows.assign(group=group.loc[rows["row"]].to_numpy())


def values_of_rules(of_cases: Cases) -> pd.DataFrame:
    """Score the rules by each metric: a row per outcome, model and metric."""
    found: dict[tuple[str, str, str], Any] = {}
    for name, model, rows in of_cases:
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


def shortest_run(proba: Floats) -> tuple[Ints, Ints]:
    """Return the ends of the shortest run of classes that has the probability itself."""
    below = np.pad(np.cumsum(proba, axis=1), ((0, 0), (1, 0)))
    for size in range(1, proba.shape[1] + 1):
        mass = below[:, size:] - below[:, :-size]
        best = mass.argmax(axis=1)
        if size == 1:
            low, high, found = best, best, mass.max(axis=1) >= COVERAGE - 1e-9
            continue
        new = ~found & (mass.max(axis=1) >= COVERAGE - 1e-9)
        low, high = np.where(new, best, low), np.where(new, best + size - 1, high)
        found |= new
    return low, high


def values_of_sets(of_cases: Cases) -> pd.DataFrame:
    """Report the sets of each case, mean over the splits: a row per outcome, model and kind."""
    rng = np.random.default_rng(SEED)
    found = {}
    for name, model, rows in tqdm(of_cases, unit="case"):
        classes = rows["y"].cat.categories
        low, high = shortest_run(rows[list(classes)].to_numpy())
        own = {"low": low, "high": high}
        of_splits = []
        for _ in range(SPLITS):
            groups = rows["group"].unique()
            known = rows["group"].isin(rng.permutation(groups)[: len(groups) // 2])
            ends: dict[str, dict[str, str]] = {end: {} for end in own}
            new = rows[~known].copy()
            for kind, by_class in (("sets", False), ("by class", True)):
                limits = po.ordinal(rows[known]).set_limits(
                    "y", list(classes), coverage=COVERAGE, by_class=by_class
                )
                sets = po.ordinal(new).prediction_sets(list(classes), limits)
                for end in own:
                    ends[end][kind] = f"{kind} {end}"
                    new[f"{kind} {end}"] = sets[end]
            for end, codes in own.items():
                ends[end]["model's own"] = f"own {end}"
                new[f"own {end}"] = pd.Categorical.from_codes(codes[~known], dtype=rows["y"].dtype)
            of_splits.append(po.ordinal(new).report_sets("y", coverage=COVERAGE, **ends))
        found[name, model] = pd.concat(of_splits).groupby(level=0, sort=False).mean()
    table: pd.DataFrame = pd.concat(found, names=["outcome", "model", "kind"])
    return table.drop(columns="n")


def main() -> None:
    """Print the means over all cases, and how often thresholds are better."""
    of_cases = list(cases())
    values = values_of_rules(of_cases)
    n_cases = len(values) // len(METRICS)
    print(f"Mean over {n_cases} cases, four outcomes by six models\n")
    means = values.groupby("metric").mean().loc[METRICS, RULES]
    print(means.to_string(float_format="{:.3f}".format))
    print(f"\nIn how many of {n_cases} cases thresholds, chosen with labels, are better\n")
    print(wins(values).to_string())
    kappa = values.xs("kappa", level="metric").groupby("outcome").mean()[RULES]
    print("\nQuadratic kappa by outcome, mean over the models\n")
    print(kappa.to_string(float_format="{:.3f}".format))
    sets = values_of_sets(of_cases)
    coverage = sets["coverage"].groupby("kind", sort=False)
    shown = sets.groupby("kind", sort=False).mean()
    shown.insert(1, "least", coverage.min())
    shown.insert(2, "most", coverage.max())
    print(
        f"\nSets of coverage {COVERAGE}, mean over the cases, and its least and most over them\n"
    )
    print(shown.to_string(float_format="{:.3f}".format))
    size = sets["size"].unstack("kind")
    fewer = (size["sets"] < size["model's own"]).sum()
    print(f"\nSets are smaller than the model's own in {fewer} of {n_cases} cases")


if __name__ == "__main__":
    main()
