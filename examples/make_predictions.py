"""Make ``data/anes96_predictions.csv``: out-of-fold predictions of a seven-class ordinal outcome.

Five scikit-learn models predict the party identification (``PID``, from Strong Democrat to
Strong Republican) of 944 respondents of the American National Election Study of 1996. The data
are in the public domain and ship with statsmodels (``statsmodels.api.datasets.anes96``), so
nothing is downloaded. Each of 3 repeats of a stratified 5-fold cross-validation predicts every
respondent once with each model, on the same folds.

The file has one line per model, repeat and respondent:

- ``row``: the respondent's position in the ANES table, from 0;
- ``repeat`` (1 to 3) and ``fold`` (1 to 5);
- ``model``: one of the names in ``MODELS``;
- ``y`` and ``yhat``: the true and the predicted class, as text;
- ``score``: the expected class position, 0 to 6, or for the regression its unrounded prediction,
  which can lie outside that range.

Run it from the root of the repository (half a minute); it needs scikit-learn and statsmodels::

    python examples/make_predictions.py
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
import statsmodels.api as sm
from demo import PARTIES
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

OUTPUT = Path(__file__).parent / "data" / "anes96_predictions.csv"

# `vote` is left out: whom one means to vote for follows from party identification rather than
# precedes it, and would nearly give the side away. `popul` is left out as `logpopul` holds it.
FEATURES = ["logpopul", "selfLR", "ClinLR", "DoleLR", "age", "educ", "income", "TVnews"]

FOLDS = 5
REPEATS = 3
SEED = 1996

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Split = tuple[Ints, Ints]


class Classifier(Protocol):
    """What this script asks of a scikit-learn classifier."""

    def fit(self, X: Floats, y: Ints) -> Any:
        """Learn from the rows of `X` with the class positions `y`."""

    def predict_proba(self, X: Floats) -> Floats:
        """Return the probability of each class (column) for each row of `X`."""


def make_logistic() -> Any:
    """Return a logistic regression (multinomial beyond two classes) of scaled features."""
    return make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))


def make_forest() -> Any:
    """Return a random forest."""
    # Answers of neighbouring classes overlap a lot, so leaves of single respondents fit noise.
    # One job on purpose: threads add up the trees' votes in the order in which they finish,
    # which can tip near ties and so change the file.
    return RandomForestClassifier(
        n_estimators=500, min_samples_leaf=5, random_state=SEED, n_jobs=1
    )


def make_boosting() -> Any:
    """Return gradient-boosted trees."""
    # Slower and shallower than the default, which overfits fewer than 800 training rows; not the
    # histogram variant, whose sums depend on the number of threads.
    return GradientBoostingClassifier(
        n_estimators=60, learning_rate=0.05, max_depth=2, random_state=SEED
    )


class FrankHall:
    """Ordinal classifier out of binary ones (Frank & Hall 2001, ECML).

    For K ordered classes, K - 1 binary classifiers each learn whether the class lies above the
    k-th. The probability of a class is then the difference of two neighbouring answers::

        P(y = k) = P(y > k - 1) - P(y > k),    with P(y > -1) = 1 and P(y > K - 1) = 0

    Parameters
    ----------
    make_binary : callable
        Makes a new, unfitted binary classifier.
    """

    def __init__(self, make_binary: Callable[[], Classifier]) -> None:
        self.make_binary = make_binary

    def fit(self, X: Floats, y: Ints) -> Self:
        """Fit one binary classifier per boundary between neighbouring classes."""
        self.binaries_ = [self.make_binary() for _ in range(len(PARTIES) - 1)]
        for k, binary in enumerate(self.binaries_):
            binary.fit(X, (y > k).astype(np.int64))
        return self

    def predict_proba(self, X: Floats) -> Floats:
        """Return the probability of each class (column) for each row of `X`."""
        above = [binary.predict_proba(X)[:, 1] for binary in self.binaries_]
        bounds = np.column_stack([np.ones(len(X)), *above, np.zeros(len(X))])
        # The binary classifiers know nothing of each other, so P(y > k) may rise with k.
        steps = np.clip(bounds[:, :-1] - bounds[:, 1:], 0, None)
        proba: Floats = steps / steps.sum(axis=1, keepdims=True)
        return proba


def make_frank_hall() -> FrankHall:
    """Return the ordinal decomposition with logistic regressions as its binary classifiers."""
    return FrankHall(make_logistic)


class RoundedRegression:
    """Linear regression of the class position, as if the classes were equally far apart."""

    def fit(self, X: Floats, y: Ints) -> Self:
        """Fit the regression."""
        self.regression_ = LinearRegression().fit(X, y)
        return self

    def predict_class_and_score(self, X: Floats) -> tuple[Ints, Floats]:
        """Return the prediction rounded to an existing class, and as it is."""
        score: Floats = self.regression_.predict(X)
        return np.clip(np.rint(score), 0, len(PARTIES) - 1).astype(np.int64), score


class MostProbable:
    """Gives a classifier's most probable class, and its expected class position as the score.

    Parameters
    ----------
    classifier : Classifier
        An unfitted classifier with class probabilities.
    """

    def __init__(self, classifier: Classifier) -> None:
        self.classifier = classifier

    def fit(self, X: Floats, y: Ints) -> Self:
        """Fit the classifier."""
        self.classifier.fit(X, y)
        return self

    def predict_class_and_score(self, X: Floats) -> tuple[Ints, Floats]:
        """Return the most probable class and the expected class position."""
        proba = self.classifier.predict_proba(X)
        return proba.argmax(axis=1), proba @ np.arange(len(PARTIES), dtype=np.float64)


MODELS: dict[str, Callable[[], MostProbable | RoundedRegression]] = {
    "logistic": lambda: MostProbable(make_logistic()),
    "forest": lambda: MostProbable(make_forest()),
    "frank-hall": lambda: MostProbable(make_frank_hall()),
    "boosting": lambda: MostProbable(make_boosting()),
    "rounded-regression": RoundedRegression,
}


def load() -> tuple[Floats, Ints]:
    """Return the features and the class positions of the ANES 1996 respondents."""
    data = sm.datasets.anes96.load_pandas().data
    return data[FEATURES].to_numpy(dtype=np.float64), data["PID"].to_numpy(dtype=np.int64)


def splits_by_repeat(X: Floats, y: Ints) -> list[list[Split]]:
    """Return, for each repeat, the training and test rows of its folds."""
    cv = RepeatedStratifiedKFold(n_splits=FOLDS, n_repeats=REPEATS, random_state=SEED)
    splits = list(cv.split(X, y))
    return [splits[start : start + FOLDS] for start in range(0, len(splits), FOLDS)]


def predict_folds(name: str, X: Floats, y: Ints, splits: list[Split]) -> Iterator[pd.DataFrame]:
    """Yield the predictions of one model for the test rows of each fold."""
    labels = np.array(PARTIES)
    for fold, (train, test) in enumerate(splits, start=1):
        model = MODELS[name]().fit(X[train], y[train])
        yhat, score = model.predict_class_and_score(X[test])
        columns = {"row": test, "fold": fold, "y": labels[y[test]], "yhat": labels[yhat]}
        yield pd.DataFrame({**columns, "score": score.round(4)})


def predict_all(X: Floats, y: Ints) -> pd.DataFrame:
    """Return the out-of-fold predictions of every model in every repeat."""
    splits = splits_by_repeat(X, y)
    parts = []
    for name in MODELS:
        for repeat in range(1, REPEATS + 1):
            print(f"{name}, repeat {repeat} of {REPEATS}", file=sys.stderr)
            folds = pd.concat(predict_folds(name, X, y, splits[repeat - 1]))
            parts.append(folds.assign(repeat=repeat, model=name))
    return pd.concat(parts)[["row", "repeat", "fold", "model", "y", "yhat", "score"]]


def main() -> None:
    """Write the predictions."""
    predictions = predict_all(*load())
    OUTPUT.parent.mkdir(exist_ok=True)
    # The same bytes on every platform.
    predictions.to_csv(OUTPUT, index=False, lineterminator="\n")


if __name__ == "__main__":
    main()
