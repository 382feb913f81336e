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

Run it from the root of the repository (half a minute); it needs the extra ``docs``::

    python examples/make_predictions.py
"""

from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
import statsmodels.api as sm
from demo import PARTIES
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import pandas_ordinal as po

OUTPUT = Path(__file__).parent / "data" / "anes96_predictions.csv"

# `vote` is left out: the intended vote follows from party identification rather than preceding it,
# and would nearly reveal the party. `popul` is left out because `logpopul` contains it.
FEATURES = ["logpopul", "selfLR", "ClinLR", "DoleLR", "age", "educ", "income", "TVnews"]

FOLDS = 5
REPEATS = 3
SEED = 1996

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class FrankHall(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """An ordinal classifier made of binary ones (Frank & Hall 2001, ECML).

    For K ordered classes, K - 1 binary classifiers each learn whether the class lies above the
    k-th. The probability of a class is then the difference of two neighbouring predictions::

        P(y = k) = P(y > k - 1) - P(y > k),    with P(y > -1) = 1 and P(y > K - 1) = 0

    Parameters
    ----------
    binary : estimator
        A binary classifier.
    """

    def __init__(self, binary: Any) -> None:
        self.binary = binary

    def fit(self, X: Floats, y: Ints) -> Self:
        """Fit one binary classifier per boundary between neighbouring classes."""
        self.classes_ = np.unique(y)
        self.binaries_ = [clone(self.binary).fit(X, y > label) for label in self.classes_[:-1]]
        return self

    def predict_proba(self, X: Floats) -> Floats:
        """Return the probability of each class (column) for each row of `X`."""
        above = [binary.predict_proba(X)[:, 1] for binary in self.binaries_]
        bounds = np.column_stack([np.ones(len(X)), *above, np.zeros(len(X))])
        # The binary classifiers know nothing of each other, so P(y > k) may rise with k.
        steps = np.clip(bounds[:, :-1] - bounds[:, 1:], 0, None)
        proba: Floats = steps / steps.sum(axis=1, keepdims=True)
        return proba

    def predict(self, X: Floats) -> Ints:
        """Return the most probable class of each row of `X`."""
        best: Ints = self.classes_[self.predict_proba(X).argmax(axis=1)]
        return best


class RoundedRegression(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Linear regression on the class position, as if the classes were equally far apart."""

    def fit(self, X: Floats, y: Ints) -> Self:
        """Fit the regression."""
        self.classes_ = np.unique(y)
        self.regression_ = LinearRegression().fit(X, y)
        return self

    def predict_score(self, X: Floats) -> Floats:
        """Return the unrounded prediction of the regression."""
        score: Floats = self.regression_.predict(X)
        return score

    def predict(self, X: Floats) -> Ints:
        """Return the prediction rounded to an existing class."""
        score = self.predict_score(X)
        return np.clip(np.rint(score), 0, len(PARTIES) - 1).astype(np.int64)


logistic = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
MODELS = {
    "logistic": logistic,
    # Answers of neighbouring classes overlap a lot, so leaves of single respondents fit noise.
    # One job on purpose: threads add up the trees' votes in the order in which they finish,
    # which can tip near ties and so change the file.
    "forest": RandomForestClassifier(
        n_estimators=500, min_samples_leaf=5, random_state=SEED, n_jobs=1
    ),
    "frank-hall": FrankHall(logistic),
    # Slower and shallower than the default, which overfits fewer than 800 training rows; not the
    # histogram variant, whose sums depend on the number of threads.
    "boosting": GradientBoostingClassifier(
        n_estimators=60, learning_rate=0.05, max_depth=2, random_state=SEED
    ),
    "rounded-regression": RoundedRegression(),
}


def load() -> tuple[Floats, Ints]:
    """Return the features and the class positions of the ANES 1996 respondents."""
    data = sm.datasets.anes96.load_pandas().data
    return data[FEATURES].to_numpy(dtype=np.float64), data["PID"].to_numpy(dtype=np.int64)


def predict_all(X: Floats, y: Ints) -> pd.DataFrame:
    """Return the out-of-fold predictions of every model in every repeat."""
    cv = RepeatedStratifiedKFold(n_splits=FOLDS, n_repeats=REPEATS, random_state=SEED)
    frame = po.sklearn.cross_val_frame(
        MODELS, X, y, cv, classes=range(len(PARTIES)), progress=True
    )
    for column in ("y", "yhat"):
        frame[column] = frame[column].cat.rename_categories(PARTIES)
    frame["score"] = frame["score"].round(4)
    return frame[["row", "repeat", "fold", "model", "y", "yhat", "score"]]


def main() -> None:
    """Write the predictions."""
    predictions = predict_all(*load())
    OUTPUT.parent.mkdir(exist_ok=True)
    # The same bytes on every platform.
    predictions.to_csv(OUTPUT, index=False, lineterminator="\n")


if __name__ == "__main__":
    main()
