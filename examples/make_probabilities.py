"""Make ``data/anes96_probabilities.csv``: out-of-fold probabilities of the voters' parties.

The respondents are those of `make_predictions`. Each of three models forecasts every respondent
once, in a stratified 5-fold cross-validation: logistic regression, gradient boosting with so many
trees that it overfits, and the same boosting, calibrated by scikit-learn.

The file has one line per model and respondent: ``row``, ``model``, the true class ``y``, and the
probability of each class.

Run it from the root of the repository (a few minutes); it needs the extra ``docs``::

    python examples/make_probabilities.py
"""

import numpy as np
import pandas as pd
from demo import PARTIES
from make_predictions import OUTPUT, SEED, load, logistic
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.model_selection import StratifiedKFold

import pandas_ordinal as po

DECIMALS = 4

boosting = GradientBoostingClassifier(n_estimators=300, random_state=SEED)
MODELS = {
    "logistic": logistic,
    "boosting": boosting,
    "calibrated": CalibratedClassifierCV(boosting, method="isotonic"),
}


def rounded(proba: pd.DataFrame) -> pd.DataFrame:
    """Round probabilities so that the sum of a row is 1: the largest one takes the rest."""
    units = (proba * 10**DECIMALS).round().astype(np.int64)
    values = units.to_numpy(copy=True)
    rows = np.arange(len(values))
    values[rows, values.argmax(axis=1)] += 10**DECIMALS - values.sum(axis=1)
    return pd.DataFrame(values / 10**DECIMALS, proba.index, proba.columns)


def main() -> None:
    """Write the probabilities."""
    cv = StratifiedKFold(5, shuffle=True, random_state=SEED)
    classes = list(range(len(PARTIES)))
    frame = po.sklearn.cross_val_frame(MODELS, *load(), cv, classes=classes)
    proba = rounded(frame[classes]).set_axis(PARTIES, axis=1)
    labels = frame["y"].cat.rename_categories(PARTIES)
    table = frame[["row", "model"]].assign(y=labels).join(proba)
    # The same bytes on every platform.
    table.to_csv(OUTPUT.with_name("anes96_probabilities.csv"), index=False, lineterminator="\n")


if __name__ == "__main__":
    main()
