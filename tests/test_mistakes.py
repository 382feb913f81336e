"""Typical mistakes of new users: the error names the cause, and prints the line to write."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest
from remedies import MAE, RPS, Case, case, fix, followed, message_of

CALL = "df.ordinal.mae('y', 'yhat')"
AS_MODELS = "df = df.assign(a=df['yhat'], b=df['y'])"

# The words for the cause, and the call with its lines
MISTAKES: dict[str, tuple[str, Case]] = {
    "a wrong name": (
        "no column 'Yhat'",
        case("df.ordinal.mae('y', 'Yhat')", MAE, fix("'yhat'", "df.ordinal.mae('y', {})")),
    ),
    "a wrong key": (
        "no column 'grp'; its columns are",
        case(
            "df.ordinal.mae('y', 'yhat', by='grp')",
            [0.5, 0.5],
            fix("'g'", f"{CALL[:-1]}, by={{}})"),
        ),
    ),
    "a misspelt key": (
        "no column 'modle'",
        case(
            "df.ordinal.mae('y', 'yhat', by='modle')",
            [MAE],
            fix("'model'", f"{CALL[:-1]}, by={{}})"),
            setup="df['model'] = 1",
        ),
    ),
    "a list of the truth": (
        "not a list",
        case(
            "df.ordinal.mae(['y'], 'yhat')",
            MAE,
            fix("true='y'", "df.ordinal.mae({}, pred='yhat')"),
        ),
    ),
    "columns instead of names": (
        "not a Series",
        case(
            "df.ordinal.mae(df['y'], df['yhat'])",
            MAE,
            fix("df['y'].ordinal.oci(df['yhat'])", oci="mae"),
        ),
    ),
    "a name instead of a column": (
        "not a str",
        case("df['y'].ordinal.mae('yhat')", MAE, fix("df['yhat']", "df['y'].ordinal.mae({})")),
    ),
    "no predictions": (
        "missing a required argument: 'pred'",
        case("df.ordinal.mae('y')", MAE, 'df.ordinal.mae("y", "yhat")'),
    ),
    "several positions": (
        "too many positional arguments",
        case(
            "df.ordinal.rps('y', 'low', 'mid', 'high')",
            RPS,
            fix("proba=['low', 'mid', 'high']", "df.ordinal.rps('y', {})"),
        ),
    ),
    "no classes": (
        "declares no order of its classes",
        case(
            CALL, MAE, fix("classes=[<lowest>, ..., <highest>]", low="LEVELS"), setup="df = text"
        ),
    ),
    "classes of one fold": (
        "holds ['high'], which is not a class",
        case(
            "text.ordinal.mae('y', 'yhat', classes=text['y'][:2].tolist())",
            MAE,
            fix("classes=[...]", "text.ordinal.mae('y', 'yhat', {})", dots="LEVELS"),
        ),
    ),
    "classes as a number": (
        "classes=3 must be a list",
        case(
            "text.ordinal.mae('y', 'yhat', classes=3)",
            MAE,
            fix("a list", "text.ordinal.mae('y', 'yhat', classes=LEVELS)"),
        ),
    ),
    "classes one by one": (
        "too many positional arguments",
        case(
            "text['y'].ordinal.as_ordered('low', 'mid', 'high').cat.codes",
            [0, 1, 2, 2],
            fix("classes=['low', 'mid', 'high']", "text['y'].ordinal.as_ordered({}).cat.codes"),
        ),
    ),
    "the order of a frame": (
        "as_ordered is for a column",
        case(
            "text.ordinal.as_ordered",
            [0, 1, 2, 2],
            fix('df["y"].ordinal.as_ordered(["low", "mid", "high"])', "df = text; {}.cat.codes"),
        ),
    ),
    "another order": (
        "declares the classes high < mid < low",
        case(
            CALL,
            MAE,
            fix(
                "df['yhat'].astype(pd.CategoricalDtype([...], ordered=True))",
                "df['yhat'] = {}",
                dots="LEVELS",
            ),
            setup="df['yhat'] = pd.Categorical(df['yhat'], LEVELS[::-1], ordered=True)",
        ),
    ),
    "codes next to text": (
        "holds text, such as 'low', but column 'yhat' holds numbers",
        case(
            CALL,
            MAE,
            fix(
                "df['yhat'] = pd.Categorical.from_codes(df['yhat'], "
                "[<lowest>, ..., <highest>], ordered=True)",
                low="LEVELS",
            ),
            setup="df = text.assign(yhat=numbers['yhat'])",
        ),
    ),
    "floating-point codes next to text": (
        "holds text, such as 'low', but column 'yhat' holds numbers",
        case(
            CALL,
            MAE,
            fix(
                "df['yhat'] = pd.Categorical.from_codes(df['yhat'].fillna(-1).astype(int), "
                "[<lowest>, ..., <highest>], ordered=True)",
                low="LEVELS",
            ),
            setup="df = text.assign(yhat=numbers['yhat'].astype(float))",
        ),
    ),
    "predicted numbers next to text": (
        "holds [0.2, 1.8, 2.1, 0.9], which are not classes",
        case(
            "df.ordinal.mae('y', 'yhat', classes=LEVELS)",
            MAE,
            fix(
                "df['yhat'].ordinal.classify([...], classes=[...])",
                "df['yhat'] = {}",
                **{"[...], classes=[...]": "[0.5, 1.5], classes=LEVELS"},
            ),
            setup="df = text.assign(yhat=[0.2, 1.8, 2.1, 0.9])",
        ),
    ),
    "predicted numbers next to integers": (
        "holds 0.2, which is not a class",
        case(
            CALL,
            MAE,
            fix("df['yhat'].round()", "df['yhat'] = {}"),
            setup="df = numbers.assign(yhat=[0.2, 1.8, 2.1, 0.9])",
        ),
    ),
    "numbers as text": (
        "holds text, such as '0', but column 'yhat' holds numbers",
        case(
            CALL,
            MAE,
            "df['y'] = df['y'].astype(int)",
            setup="df = numbers.assign(y=numbers['y'].astype(str))",
        ),
    ),
    "missing labels": (
        "holds 1 missing value",
        case(
            CALL,
            1,
            "dropna=True",
            setup="df['yhat'] = pd.Categorical(['mid', None, 'mid', 'mid'], dtype=LEVEL)",
        ),
    ),
    "codes of missing labels": (
        "hold -1, a class or the code of a missing label",
        case(CALL, 1 / 3, "ignore=-1", setup="df = numbers.assign(yhat=[0, -1, 2, 1])"),
    ),
    "another index": (
        "rows are never aligned silently",
        case(
            "df['y'].ordinal.mae(pred)",
            MAE,
            fix("pred.set_axis(true.index)", "true = df['y']; true.ordinal.mae({})"),
            setup="pred = df['yhat'].set_axis(range(4, 8))",
        ),
    ),
    "arrays": (
        "no ordinal accessor for an ndarray",
        case(
            "po.ordinal(numbers['y'].to_numpy())",
            MAE,
            fix("DataFrame", "pd.{}(numbers).ordinal.mae('y', 'yhat')"),
        ),
    ),
    "a metric of the module": (
        "no attribute 'mae'",
        case("po.mae(df['y'], df['yhat'])", MAE, fix("df.ordinal.mae", "{}('y', 'yhat')")),
    ),
    "a kernel of labels": (
        "po.metrics.mae takes counts",
        case("po.metrics.mae(df['y'])", MAE, "df['y'].ordinal.mae(df['yhat'])"),
    ),
    "the model": (
        "not a model such as LinearRegression",
        case(
            "df.ordinal.mae('y', model)",
            MAE,
            fix(
                "df.assign(yhat=model.predict(X))",
                "X = df[['id']]; {}.ordinal.mae('y', 'yhat')",
                **{"model.predict(X)": "LEVEL.categories[np.array([0, 2, 2, 1])].astype(LEVEL)"},
            ),
            setup="from sklearn.linear_model import LinearRegression; model = LinearRegression()",
        ),
    ),
    "a name of scikit-learn": (
        "no attribute 'accuracy_score'",
        case(
            "df.ordinal.accuracy_score('y', 'yhat')",
            0.5,
            fix("accuracy", "df.ordinal.{}('y', 'yhat')"),
        ),
    ),
    "its parameters": (
        "missing a required argument: 'true'",
        case(
            "df.ordinal.mae(y_true='y', pred='yhat')",
            MAE,
            fix("true=", "df.ordinal.mae({}'y', pred='yhat')"),
        ),
    ),
    "probabilities that do not add up": (
        "which sums to 1.5",
        case(
            "df.ordinal.rps('y', columns)",
            RPS,
            fix("df[columns].div(df[columns].sum(axis=1), axis=0)", "df[columns] = {}"),
            setup="columns = LEVELS; df[columns] = df[columns].mul([1.5, 1, 1, 1], axis=0)",
        ),
    ),
    "probabilities of some classes": (
        "has columns for ['low', 'mid']",
        case(
            "df.ordinal.rps('y', ['low', 'mid'])",
            RPS,
            fix("a column for each class", "df.ordinal.rps('y', LEVELS)"),
        ),
    ),
    "a metric that is no list": (
        "metrics='mae' must be a list",
        case(
            "df.ordinal.report('y', 'yhat', metrics='mae')['mae']",
            MAE,
            fix("metrics=['mae']", "df.ordinal.report('y', 'yhat', {})['mae']"),
        ),
    ),
    "no metrics": (
        "names no metric",
        case(
            "df.ordinal.summary('y', 'yhat', over='g', metrics=[])",
            None,
            fix("metrics=['mae', 'oci']", "df.ordinal.summary('y', 'yhat', over='g', {})"),
        ),
    ),
    "a misspelt metric": (
        "unknown metric 'mea'",
        case(
            "df.ordinal.report('y', 'yhat', metrics=['mea'])",
            MAE,
            fix("'mae'", "df.ordinal.report('y', 'yhat', metrics=[{}])['mae']"),
        ),
    ),
    "a level in percent": (
        "ci=95 must be a level between 0 and 1",
        case(
            "df.ordinal.report('y', 'yhat', ci=95)",
            MAE,
            fix("ci=0.95", "df.ordinal.report('y', 'yhat', metrics=['mae'], {})['mae']"),
        ),
    ),
    "a level as a switch": (
        "ci=True must be a level between 0 and 1",
        case(
            "df.ordinal.report('y', 'yhat', ci=True)",
            MAE,
            fix("ci=0.95", "df.ordinal.report('y', 'yhat', metrics=['mae'], {})['mae']"),
        ),
    ),
    "an interval of a metric": (
        "intervals and standard errors are part of a report",
        case(
            "df.ordinal.mae('y', 'yhat', ci=0.95)",
            MAE,
            fix(
                'report(..., metrics=["mae"], ci=0.95)', "df.ordinal.{}['mae']", any="'y', 'yhat'"
            ),
        ),
    ),
    "clusters without intervals": (
        "cluster= belongs to intervals",
        case(
            "df.ordinal.report('y', 'yhat', cluster='id')",
            MAE,
            fix(
                "ci=0.95",
                "df.ordinal.report('y', 'yhat', cluster='id', metrics=['mae'], {})['mae']",
            ),
        ),
    ),
    "one model": (
        "compare needs two or more models",
        case(
            "df.ordinal.compare('y', 'yhat', metrics=['mae'])['difference'].abs()",
            [MAE],
            fix(
                "pred=['a', 'b']",
                "df.ordinal.compare('y', {}, metrics=['mae'])['difference'].abs()",
            ),
            setup=AS_MODELS,
        ),
    ),
    "keys of a groupby": (
        "already has keys",
        case(
            "df.groupby('model').ordinal.mae('y', 'yhat', by='fold')",
            [MAE],
            fix('df.groupby(["model", "fold"])', "{}.ordinal.mae('y', 'yhat')"),
            setup="df['model'] = df['fold'] = 1",
        ),
    ),
    "keys of columns": (
        "two Series have no keys",
        case(
            "df['y'].ordinal.mae(df['yhat'], by='model')",
            [MAE],
            fix('df.ordinal.mae(..., by="model")', any="'y', 'yhat'"),
            setup="df['model'] = 1",
        ),
    ),
    "an array of weights": (
        "sample_weight= takes the label of a column",
        case(
            "df.ordinal.mae('y', 'yhat', sample_weight=array)",
            MAE,
            fix("df.assign(weight=array)", "{}.ordinal.mae('y', 'yhat', sample_weight='weight')"),
            setup="array = np.ones(4)",
        ),
    ),
    "a picture of a frame": (
        "plot is a method of cubes",
        case(
            "df.ordinal.plot()",
            None,
            fix("confusion(...).ordinal.plot()", "df.ordinal.{}", any="'y', 'yhat'"),
        ),
    ),
    "panels of what was not counted": (
        "col='g' is not a dimension of the cube",
        case(
            "cube.ordinal.plot(col='g')",
            None,
            fix(
                "df.ordinal.confusion(..., by='g')", "{}.ordinal.plot(col='g')", any="'y', 'yhat'"
            ),
        ),
    ),
    "a frame as a report": (
        "this is not a report",
        case(
            "po.style(df)",
            None,
            fix(".ordinal.report(...)", "po.style(df{})", any="'y', 'yhat', by='g'"),
        ),
    ),
    "no direction": (
        "missing a required argument: 'greater_is_better'",
        case(
            "po.friedman(table)",
            None,
            fix("greater_is_better=False"),
            setup="table = pd.DataFrame([[0.1, 0.2, 0.3], [0.2, 0.1, 0.4]])",
        ),
    ),
    "labels in a list in a list": (
        "which cannot be a label",
        case(
            "df.ordinal.mae('y', 'yhat', ignore=[['fog']])",
            MAE,
            fix("ignore=[9, 99]", "numbers.ordinal.mae('y', 'yhat', {})"),
        ),
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_an_error_names_the_cause_and_the_line(name: str) -> None:
    cause, one = MISTAKES[name]
    message = message_of(one)
    assert cause in message
    for given in one.fixes:
        assert given.printed in message
        result: Any = followed(one, given)
        if one.due is not None:
            np.testing.assert_allclose(np.asarray(result, dtype=float), one.due, rtol=1e-12)


def test_pictures_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    cube = pd.DataFrame({"y": [0, 1], "yhat": [0, 1]}).ordinal.confusion("y", "yhat")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"matplotlib is missing: pip install"):
        cube.ordinal.plot()
