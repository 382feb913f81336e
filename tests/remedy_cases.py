"""Calls that raise, and the lines of their errors to follow."""

from __future__ import annotations

from oracles.calibration import by_chance
from remedies import MAE, PROBA, RPS, Case, case, fix

SPLITS = (
    "from sklearn.tree import DecisionTreeClassifier; from "
    "sklearn.model_selection import StratifiedGroupKFold; X, y = "
    "np.arange(30)[:, None], np.arange(30) % 3; tree = DecisionTreeClassifier(); "
    "groups = np.repeat(range(10), 3)"
)

YEARS = (
    "rng = np.random.default_rng(0); "
    "ds = xr.Dataset({n: ('time', rng.integers(0, 3, 24)) for n in ['y', 'yhat', 'w']}, "
    "{'time': pd.date_range('2020', periods=24, freq='MS')})"
)

DASK = "import dask.dataframe; ddf = dask.dataframe.from_pandas({}, npartitions=2)"

# fits of 1, 0, 0, 0 and of 1, 1/2, 0, 1/2, which are wrong by 1/8 in all
MCB = RPS - 1 / 8
DSC = 3 / 16 + 1 / 4 - 1 / 8 - by_chance(PROBA)
OF_THIRTY = [i % 3 for i in range(30)]

TWO_MODELS = (
    "df = pd.DataFrame({'y': [0, 1, 2] * 10, 'a': [0, 1, 1] * 10, 'b': [0, 2, 2] * 10})"
    ".assign(fold=np.arange(30) % 5); cube = df.ordinal.confusion('y', ['a', 'b'], by='fold'); "
)
MAES = [1 / 3, 1 / 3]
OF_MODELS = "['value_a', 'value_b']].iloc[0]"

OF_TWO = {"any": "'y', ['a', 'b'], metrics=['mae']"}
NO_NUMBER = [float("nan")]  # of two models with the same MAE
FOUND = TWO_MODELS + "found = df.ordinal.compare('y', ['a', 'b'], metrics=['mae']); "
COMPARED = "comparison = df.ordinal.compare('y', ['a', 'b'], metrics=['mae']); {}"

OF_COMPARISONS = [
    case(
        "po.ordinal(ddf).compare('y', 'yhat', model='model', classes=range(3))",
        [0.5, 0],
        fix(
            "ddf[[...]].compute().ordinal.compare(..., model=...)",
            "{}[" + OF_MODELS,
            **{
                "[[...]]": "[['y', 'yhat', 'id', 'model']]",
                "(..., model=...)": "('y', 'yhat', model='model', id='id', metrics=['mae'])",
            },
        ),
        setup=(
            "import dask.dataframe; numbers['id'] = range(4); ddf = dask.dataframe.from_pandas("
            "pd.concat([numbers.assign(model='a'), numbers.assign(model='b', yhat=numbers['y'])]),"
            " npartitions=2)"
        ),
    ),
    case(
        f"cube.ordinal.compare('model', metrics=['mae'])[{OF_MODELS}",
        MAES,
        fix(
            "cluster='fold'",
            "cube.ordinal.compare('model', {}, metrics=['mae'])[" + OF_MODELS,
        ),
        fix("df.ordinal.compare(...)", "{}[" + OF_MODELS, any="'y', ['a', 'b'], metrics=['mae']"),
        setup=TWO_MODELS,
    ),
    case(
        "cube.ordinal.compare('model', cluster='fold', method='permutation')",
        MAES,
        fix(
            'df.ordinal.compare(..., method="permutation")',
            "{}[" + OF_MODELS,
            any="'y', ['a', 'b'], metrics=['mae']",
        ),
        setup=TWO_MODELS,
    ),
    case(
        "df['y'].to_xarray().ordinal.compare('model')",
        MAES,
        fix(
            "ds.ordinal.compare('y', ['a', 'b'])",
            "ds = df.to_xarray(); {}.loc['mae'][" + OF_MODELS,
        ),
        setup=TWO_MODELS,
    ),
    case(
        "df.assign(n=1).ordinal.compare('y', 'a', model='b', id='fold', count='n')",
        MAES,
        fix(
            "pred=['a', 'b']",
            "df.assign(n=1).ordinal.compare('y', {}, count='n').loc['mae'][" + OF_MODELS,
        ),
        setup=TWO_MODELS,
    ),
]

RATINGS = (
    "long = pd.DataFrame({'item': [7, 7, 8, 8], 'rater': ['a', 'b', 'a', 'b'], "
    "'rating': [0, 1, 2, 2], 'occasion': 1, 'site': ['x', 'x', 'y', 'y']}); "
)
KAPPA = "metrics=['fleiss_kappa'])['fleiss_kappa']"
OF_ITEMS = f"long.ordinal.agreement('rating', item='item', rater='rater', {KAPPA}"
DUE = 7 / 11

OF_RATERS = [
    case(
        "long.ordinal.agreement('rating')",
        DUE,
        fix(
            'item="..." and rater="..."',
            f"long.ordinal.agreement('rating', {{}}, {KAPPA}",
            **{'item="..." and rater="..."': "item='item', rater='rater'"},
        ),
        setup=RATINGS,
    ),
    case(
        "df.ordinal.agreement(['y', 'yhat'], item='id', rater='g')",
        None,
        fix("item= and rater=", "df.ordinal.agreement(['y', 'yhat'])"),
    ),
    case(
        "more.ordinal.agreement('rating', item='item', rater='rater')",
        None,
        fix("item=['item', 'occasion']", "more.ordinal.agreement('rating', {}, rater='rater')"),
        setup=RATINGS + "more = pd.concat([long, long[:1].assign(occasion=2)])",
    ),
    case(
        f"more.ordinal.agreement('rating', item='item', rater='rater', {KAPPA}",
        DUE,
        fix("df.dropna(subset=['item'])", "df = more; long = {}; " + OF_ITEMS),
        setup=RATINGS + "more = pd.concat([long, long[:1].assign(item=np.nan)])",
    ),
    case(
        "more.ordinal.agreement(['y', 'yhat'], ci=0.95, cluster='g')",
        None,
        fix("df.dropna(subset=['g'])", "df = more; {}.ordinal.agreement(['y', 'yhat'])"),
        setup="more = df.assign(g=['a', None, 'b', 'b'])",
    ),
    case(
        "ratings.ordinal.agreement('rater', by='key')",
        None,
        fix(
            "ratings.where(key.notnull(), drop=True)",
            "key = ratings['key']; {}.ordinal.agreement('rater', by='key')",
        ),
        setup=(
            "ratings = xr.DataArray([[0, 1, 2], [0, 2, 2]], dims=('rater', 'item')).assign_coords("
            "key=('item', ['a', None, 'a']))"
        ),
    ),
    case(
        "true.chunk().ordinal.agreement('case')",
        None,
        fix(".compute()", "true.chunk(){}.expand_dims(item=1).ordinal.agreement('case')"),
    ),
    case(
        "cube.ordinal.agreement('true')",
        None,
        fix("cube.ordinal.krippendorff_alpha()"),
    ),
    case(
        "ds.ordinal.agreement('rated')",
        None,
        fix('rater="rater"', "ds.ordinal.agreement('rated', {})"),
        setup="ds = xr.Dataset({'rated': (('rater', 'item'), [[0, 1, 2], [0, 2, 2]])})",
    ),
    case(
        "df.ordinal.agreement(['y', 'yhat'], metrics='fleiss_kappa')",
        None,
        fix('metrics=["fleiss_kappa"]', "df.ordinal.agreement(['y', 'yhat'], {})"),
    ),
    case(
        "po.metrics.fleiss_kappa(df[['y', 'yhat']], 3)",
        None,
        fix("df.ordinal.agreement([...])", dots="['y', 'yhat']"),
    ),
]

BOTH_ENDS = "df = df.assign(low_a='low', low_b='mid', high_a='high', high_b='high')"

OF_SETS = [
    case(
        "df.ordinal.prediction_sets(LEVELS, [0.3] * 3)",
        [0, 1, 2, 1],
        fix(
            "classes=[...]",
            "df.ordinal.prediction_sets(LEVELS, [0.3] * 3, {})['high'].cat.codes.tolist()",
            dots="LEVELS",
        ),
    ),
    case(
        "po.metrics.set_interval_score([0, 2], [0, 0], [1, 1], coverage=90)",
        11,
        fix("coverage=0.9", "po.metrics.set_interval_score([0, 2], [0, 0], [1, 1], {})"),
    ),
    case(
        "df.ordinal.report_sets('y', low=['low_a', 'low_b'], high='high_a')",
        [1, 0.75],
        fix(
            "low={'a': 'low_a', 'b': 'low_b'}, high={'a': 'high_a', 'b': 'high_b'}",
            "df.ordinal.report_sets('y', {})['coverage'].tolist()",
        ),
        setup=BOTH_ENDS,
    ),
    case(
        "df.ordinal.compare_sets('y', low={'a': 'low_a'}, high={'a': 'high_a'})",
        [1, 0.75],
        fix(
            "low={'a': 'low_a', 'b': 'low_b'}, high={'a': 'high_a', 'b': 'high_b'}",
            "df.ordinal.compare_sets('y', {})[['value_a', 'value_b']].iloc[0]",
        ),
        setup="df = df.assign(low_a='low', low_b='mid', high_a='high', high_b='high')",
    ),
    case(
        "df.ordinal.prediction_sets(LEVELS, df.ordinal.set_limits('y', LEVELS, by='g', "
        "coverage=0.3))",
        [0, 1, 2, 1],
        fix(
            "limits.loc['a']",
            "limits = df.ordinal.set_limits('y', LEVELS, by='g', coverage=0.3)"
            "; df.ordinal.prediction_sets(LEVELS, {})['high'].cat.codes.tolist()",
        ),
    ),
    case(
        "df.groupby('g').ordinal.compare_sets",
        [1, 0.5],
        fix(
            "df.ordinal.compare_sets(..., by=...)",
            "{}.loc['a'].loc['coverage', ['value_a', 'value_b']].iloc[0]",
            **{
                "(..., by=...)": "('y', low={'a': 'low_a', 'b': 'low_b'}, "
                "high={'a': 'high_a', 'b': 'high_b'}, by='g')"
            },
        ),
        setup=BOTH_ENDS,
    ),
    case(
        "df.to_xarray().ordinal.prediction_sets",
        [0, 1, 2, 1],
        fix(
            "df.ordinal.prediction_sets([...], limits)",
            "limits = df.ordinal.set_limits('y', LEVELS, coverage=0.5)"
            "; {}['low'].cat.codes.tolist()",
            dots="LEVELS",
        ),
        fix(
            "proba.ordinal.prediction_sets(limits)",
            "limits = df.ordinal.set_limits('y', LEVELS, coverage=0.5)"
            "; proba = df[LEVELS].to_xarray().to_dataarray('class'); {}['low'].values.tolist()",
        ),
    ),
    case(
        "po.metrics.prediction_sets(PROBA, df.ordinal.set_limits('y', LEVELS, coverage=0.5))",
        [0, 1, 2, 1],
        fix(
            "df.ordinal.prediction_sets(...)",
            "{}['low'].cat.codes.tolist()",
            **{"(...)": "(LEVELS, df.ordinal.set_limits('y', LEVELS, coverage=0.5))"},
        ),
    ),
    case(
        "df.ordinal.conformal",
        [0, 1, 2, 1],
        fix(
            'known.ordinal.set_limits("y", proba=[...], coverage=0.9)',
            "known = df; limits = {}; assert np.isinf(limits).all(); "
            "limits = known.ordinal.set_limits('y', LEVELS, coverage=0.5); "
            "df.ordinal.prediction_sets(LEVELS, limits)['low'].cat.codes.tolist()",
            dots="LEVELS",
        ),
        fix(
            "new.ordinal.prediction_sets([...], limits)",
            "new = df; limits = df.ordinal.set_limits('y', LEVELS, coverage=0.5)"
            "; {}['low'].cat.codes.tolist()",
            dots="LEVELS",
        ),
    ),
    case(
        "df.ordinal.winkler_score",
        1,
        fix(
            'df.ordinal.report_sets("y", low="low", high="high", coverage=0.9)',
            "df = df.assign(low='low', high='high'); {}['coverage']",
        ),
    ),
]

OF_SURFACES = [
    case(
        "po.mae",
        MAE,
        fix("po.metrics.mae", "{}(cube.to_numpy())"),
        fix("df.ordinal.mae", "{}('y', 'yhat')"),
    ),
    case("po.report", None, fix("df.ordinal.report(...)", any="'y', 'yhat'")),
    case(
        "po.ordinal([1, 2])",
        MAE,
        fix("po.from_counts", "{}(cube.to_numpy(), classes=LEVELS).ordinal.mae()"),
        fix("po.metrics", "{}.mae(cube.to_numpy())"),
    ),
    case(
        "cube.ordinal.mae(cube)",
        MAE,
        fix("cube.sum(...)", "{}.ordinal.mae()", any="'g'"),
        setup="cube = df.ordinal.confusion('y', 'yhat', by='g')",
    ),
    case(
        "true.ordinal.mae(pred)",
        MAE,
        fix(".rename(...)", "true{}.ordinal.mae(pred{})", any="true='a', pred='b'"),
        setup=(
            "true, pred = (xr.DataArray(one.to_numpy().reshape(2, 2), dims=('true', "
            "'pred')) for one in (true, pred))"
        ),
    ),
    case(
        "cube.ordinal.vus()",
        0.5,
        fix("true.ordinal.vus(score)"),
        setup="score = xr.DataArray([0, 1, 2, 0.5], dims='case')",
    ),
    case(
        "true.ordinal.mae()",
        MAE,
        fix(".ordinal.confusion(...)", "true{}.ordinal.mae()", any="pred"),
        fix("true.ordinal.mae(pred, dim=...)", **{"...": "'case'"}),
    ),
    case(
        "df.ordinal('y', 'yhat')",
        MAE,
        fix(".ordinal.mae(...)", "df{}", any="'y', 'yhat'"),
        fix(".ordinal.report(...)", "df{}['mae']", any="'y', 'yhat'"),
    ),
    case(
        "ds.ordinal.mae('y', pred)",
        MAE,
        fix("ds.assign(pred=...)", "{}.ordinal.mae('y', 'pred')", any="pred"),
        setup="ds = true.to_dataset()",
    ),
    case(
        "df.ordinal.class_report('y', 'yhat', cluster='id')",
        [1, 0, 0.5],
        fix("ci=0.95", "df.ordinal.class_report('y', 'yhat', cluster='id', {})['recall']"),
    ),
    case(
        "ds.ordinal.mae('y', ['a', 'b'])",
        [MAE, MAE],
        fix(
            "ds.assign(pred=xr.decode_cf(ds[[...]]).to_dataarray('model'))",
            "{}.ordinal.mae('y', 'pred')",
            dots="['a', 'b']",
        ),
        setup="ds = true.to_dataset().assign(a=pred, b=pred)",
    ),
    case(
        "ds.ordinal.mae('y', ['a', 'b'], dropna=True)",
        [MAE, 1 / 3],
        fix(
            "ds.assign(pred=xr.decode_cf(ds[[...]]).to_dataarray('model'))",
            "{}.ordinal.mae('y', 'pred', dropna=True)",
            dots="['a', 'b']",
        ),
        setup="ds = true.to_dataset().assign(a=pred, b=pred.assign_attrs(_FillValue=1))",
    ),
    case(
        "df.groupby('n', as_index=False).ordinal.report('y', 'yhat', metrics=['mae'])",
        [MAE],
        fix(
            "as_index=True",
            "df.groupby('n', {}).ordinal.report('y', 'yhat', metrics=['mae'])['mae']",
        ),
        setup="df['n'] = 1",
    ),
    case(
        "cube.ordinal.plot.difference('a', 'b')",
        None,
        fix(
            "df.ordinal.confusion(..., by='model')",
            "{}.ordinal.plot.difference('a', 'b')",
            **{"...": "'y', 'yhat'"},
        ),
        setup="df['model'] = df['g']",
    ),
    case(
        "cube.ordinal.plot.accuracy_within(ci=0.95)",
        None,
        fix("ci=None", "cube.ordinal.plot.accuracy_within({})"),
        setup="cube = cube.astype(float)",
    ),
]

OF_LABELS = [
    case(
        "df.ordinal.mae('y', 'yhat')",
        MAE,
        fix(
            "df['y'] = df['y'].ordinal.as_ordered([<lowest>, ..., <highest>])",
            "{}; df['yhat'] = df['yhat'].astype(LEVEL)",
            low="LEVELS",
        ),
        fix("classes=[<lowest>, ..., <highest>]", low="LEVELS"),
        setup="df = text",
    ),
    case(
        "y.ordinal.mae(text['yhat'])",
        MAE,
        fix(
            "true = true.ordinal.as_ordered([<lowest>, ..., <highest>])",
            "true = y; {}; y = true; text['yhat'] = text['yhat'].astype(LEVEL)",
            low="LEVELS",
        ),
        fix("classes=[<lowest>, ..., <highest>]", low="LEVELS"),
        setup="y = text['y'].rename(None)",
    ),
    case(
        "df.ordinal.vus('y', 's')",
        0.25,
        fix(
            "df['s'].astype(pd.CategoricalDtype([...], ordered=True))",
            "df['s'] = {}",
            dots="LEVELS",
        ),
        setup="df['s'] = text['yhat']",
    ),
    case(
        "df.ordinal.vus('y', 's')",
        0.5,
        fix("df['s'].astype(float)", "df['s'] = {}"),
        setup="df['s'] = ['0', '1', '2', '0.5']",
    ),
    case(
        "df.ordinal.vus('y', 's')",
        0.5,
        fix("(df['s'] - df['s'].min()) / pd.Timedelta(days=1)", "df['s'] = {}"),
        setup="df['s'] = pd.Timestamp('2020') + pd.to_timedelta([0, 2, 4, 1], 'D')",
    ),
    case(
        "df.ordinal.vus('y', 's')",
        0.5,
        fix("(df['s'] - pd.Timedelta(0)) / pd.Timedelta(days=1)", "df['s'] = {}"),
        setup="df['s'] = pd.to_timedelta([0, 2, 4, 1], 'D')",
    ),
    case(
        "df.ordinal.mae('y', 'yhat')",
        MAE,
        fix(
            "df['y'].round()",
            "df['y'] = {}.astype(int); df['yhat'] = df['yhat'].round().astype(int)",
        ),
        fix(
            "df['y'].ordinal.cut([...])",
            "df['y'] = {}; df['yhat'] = df['yhat'].ordinal.cut([0, 1, 2, 3])",
            dots="[0, 1, 2, 3]",
        ),
        fix(
            "df['y'].ordinal.classify([...], classes=[...])",
            ("df['y'] = {}; df['yhat'] = df['yhat'].ordinal.classify([1, 2], classes=LEVELS)"),
            **{"[...], classes=[...]": "[1, 2], classes=LEVELS"},
        ),
        setup="df = numbers + 0.1",
    ),
    case(
        "df.ordinal.mae('y', 'yhat')",
        MAE,
        fix("classes=[...]", dots="[0.5, 1.5, 2.5]"),
        setup="df = numbers + 0.5",
    ),
    case(
        "df.ordinal.mae('y', 's')",
        MAE,
        fix(
            "df['s'].ordinal.classify([...], classes=[...])",
            "df['s'] = {}",
            **{"[...], classes=[...]": "[1, 2], classes=LEVELS"},
        ),
        setup="df['s'] = [0.1, 2.1, 2.7, 1.4]",
    ),
    case(
        "df.ordinal.mae('y', 'yhat', classes=range(3))",
        MAE,
        fix("df['yhat'].round()", "df['yhat'] = {}"),
        fix(
            "df['yhat'].ordinal.classify([...], classes=[...])",
            "df['yhat'] = {}",
            **{"[...], classes=[...]": "[0.5, 1.5], classes=[0, 1, 2]"},
        ),
        setup="df = numbers.assign(yhat=numbers['yhat'] + 0.1)",
    ),
    case(
        "df.ordinal.mae('y', 'yhat')",
        MAE,
        fix(
            "df['y'] = po.parse_intervals(df['y'])",
            "{}; df['yhat'] = po.parse_intervals(df['yhat'], edges=[-1, 0, 1, 2])",
        ),
        setup="df = numbers.apply(lambda one: pd.cut(one, [-1, 0, 1, 2])).astype(str)",
    ),
    case(
        "df.ordinal.mae('y', 'yhat')",
        MAE,
        fix("df['y'] = df['y'].astype(int)"),
        setup="df = numbers.assign(y=numbers['y'].astype(str))",
    ),
    case(
        "df.ordinal.mae('y', 'yhat')",
        MAE,
        fix(
            "df['yhat'] = pd.Categorical.from_codes(df['yhat'], ['low', 'mid', 'high'], "
            "ordered=True)"
        ),
        fix(
            "df['yhat'] = encoder.inverse_transform(df['yhat'])",
            (
                "encoder = LabelEncoder().fit(LEVELS); df['yhat'] = [1, 0, 0, 2]; {}; "
                "df['yhat'] = df['yhat'].astype(LEVEL)"
            ),
        ),
        setup="df['yhat'] = numbers['yhat']",
    ),
    case(
        "df.ordinal.mae('y', 'yhat')",
        MAE,
        fix(
            "df['yhat'] = pd.Categorical.from_codes(df['yhat'], "
            "pd.IntervalIndex.from_breaks([-1, 0, 1, 2], closed='right'), ordered=True)"
        ),
        setup="df = numbers; df['y'] = pd.cut(df['y'], [-1, 0, 1, 2])",
    ),
    case(
        "df.ordinal.mae('y', 'yhat')",
        MAE,
        fix(".astype(int)", "df['y'] = df['y']{}; df['yhat'] = df['yhat']"),
        setup="df = numbers.iloc[[0, 1]].assign(y=[False, True], yhat=[0, 0])",
    ),
    case(
        "df.ordinal.report('y', 'yhat', metrics=['mae'])",
        None,
        fix("classes=[...]", dots="LEVELS"),
        setup="df = numbers.iloc[:0]",
    ),
    case(
        "df.ordinal.mae('y', 'yhat')",
        MAE,
        fix("classes=[...]", dots="[0, 1, 2**40]"),
        setup="df = numbers.replace(2, 2**40)",
    ),
    case(
        "df.ordinal.mae('y', 'yhat')", MAE, fix("classes=range(-1, 2)"), setup="df = numbers - 1"
    ),
    case(
        "df.ordinal.mae('y', 'yhat')",
        MAE,
        fix("ignore=-1"),
        fix(
            "column.where(column >= 0)",
            "column = df['y']; df['y'] = {}; numbers = df.dropna(); df = df.dropna()",
        ),
        setup=(
            "df = pd.concat([numbers, pd.DataFrame({'y': [-1], 'yhat': [2]})], ignore_index=True)"
        ),
    ),
    case(
        "df.ordinal.mae('y', 'yhat')",
        MAE,
        fix("classes=[...]", dots="[0, 10, 20]"),
        fix("[0, 10, 20]", "df.ordinal.mae('y', 'yhat', classes={})"),
        setup="df = numbers * 10",
    ),
    case(
        "df.ordinal.mae('y', 'yhat')",
        MAE,
        fix("ignore=-9999"),
        setup=(
            "df = pd.concat([numbers, pd.DataFrame({'y': [-9999], 'yhat': [2]})], "
            "ignore_index=True)"
        ),
    ),
    case(
        "df.ordinal.mae('y', 'yhat', classes=['0', '1', '2'])",
        MAE,
        fix(
            "df['y'] = df['y'].astype('Int64').astype('string')",
            "{}; df['yhat'] = df['yhat'].astype(str)",
        ),
        setup="df = numbers.assign(y=numbers['y'] * 1.0)",
    ),
    case(
        "df.ordinal.mae('y', 'yhat')",
        MAE,
        fix("ignore=[...]", dots="[99]"),
        setup=(
            "df = pd.concat([numbers, pd.DataFrame({'y': [99], 'yhat': [2]})], ignore_index=True)"
        ),
    ),
    case(
        "df.ordinal.mae('y', 'yhat', classes=range(3))",
        MAE,
        fix("ignore=255"),
        setup=(
            "df = pd.concat([df, df.iloc[:1].assign(yhat='mid')], ignore_index=True); "
            "df['y'] = [0, 1, 2, 2, 255]; df['yhat'] = [0, 2, 2, 1, 1]"
        ),
    ),
    case(
        "df.ordinal.mae('y', 'yhat', classes=['low', 'mid'])",
        MAE,
        fix("classes=[...]", "df.ordinal.mae('y', 'yhat', {})", dots="LEVELS"),
        setup="df = text",
    ),
    case(
        "df.ordinal.mae('y', 'yhat', classes=['low', 'mid'])",
        MAE,
        fix(
            "df['y'].astype(pd.CategoricalDtype([...], ordered=True))",
            "df['y'] = {}; df.ordinal.mae('y', 'yhat')",
            dots="LEVELS",
        ),
    ),
    case(
        "df.ordinal.mae('y', 'yhat')",
        MAE,
        fix(
            "df['yhat'].astype(pd.CategoricalDtype([...], ordered=True))",
            "df['yhat'] = {}",
            dots="LEVELS",
        ),
        setup=("df['yhat'] = pd.Categorical(df['yhat'], ['high', 'mid', 'low'], ordered=True)"),
    ),
    case(
        "df.ordinal.mae('y', 'yhat')",
        MAE,
        fix(
            "df['yhat'].ordinal.cut([...])",
            ("df = numbers.copy(); df['y'] = pd.cut(df['y'], [-1, 0, 1, 2]); df['yhat'] = {}"),
            dots="[-1, 0, 1, 2]",
        ),
        setup=(
            "df = numbers.copy(); df['y'] = pd.cut(df['y'], [-1, 0, 1, 2]); df['yhat'] = "
            "pd.cut(df['yhat'], [-1, 0, 1.00001, 2], precision=5)"
        ),
    ),
    case(
        "df.ordinal.mae('y', 'yhat', dropna=True)",
        None,
        fix("classes=[...]", dots="LEVELS"),
        setup="df['y'] = df['yhat'] = pd.Categorical([None] * 4, [], ordered=True)",
    ),
    case(
        "df.ordinal.mae('y', 'yhat')",
        MAE,
        fix(
            "df['y'].map(repr)",
            (
                "df['y'] = {}; df['yhat'] = df['yhat'].map(repr); df.ordinal.mae('y', "
                "'yhat', classes=['True', '2'])"
            ),
        ),
        setup="df = pd.DataFrame({'y': [True, 2], 'yhat': [2, 2]}, dtype=object)",
    ),
    case(
        "df.ordinal.mae('y', 'yhat')",
        MAE,
        "dropna=True",
        setup=("df = pd.concat([df, df.iloc[:1]], ignore_index=True); df.loc[4, 'yhat'] = None"),
    ),
    case(
        "df.ordinal.mae('y', 'yhat')",
        MAE,
        fix("df['yhat'] = df['yhat'].ordinal.cut([...])", dots="[-1, 0, 1, 2]"),
        setup="df = numbers; df['y'] = pd.cut(df['y'], [-1, 0, 1, 2]); df['yhat'] += 0.0",
    ),
    case(
        "df.ordinal.mae('y', 'yhat')",
        MAE,
        fix("df['yhat'] = po.parse_intervals(df['yhat'], edges=[...])", dots="[-1, 0, 1, 2]"),
        setup=(
            "df = numbers; df['y'] = pd.cut(df['y'], [-1, 0, 1, 2]); df['yhat'] = "
            "pd.cut(df['yhat'], [-1, 0, 1, 2]).astype(str)"
        ),
    ),
    case(
        "df.ordinal.mae('y', 'yhat', classes=text['y'].astype('category'))",
        MAE,
        fix(
            "pd.CategoricalDtype([...], ordered=True)",
            "df.ordinal.mae('y', 'yhat', classes={})",
            dots="LEVELS",
        ),
    ),
    case(
        "df.ordinal.mae('y', 'yhat')",
        MAE,
        fix(
            (
                "df['y'] = df['y'].ordinal.as_ordered(pd.IntervalIndex.from_breaks([-1, 0, "
                "1, 2], closed='right'))"
            ),
            "{}; df['yhat'] = df['yhat'].astype(df['y'].dtype)",
        ),
        setup=(
            "df = numbers.apply(lambda one: pd.Series(list(pd.cut(one, [-1, 0, 1, 2])), "
            "dtype=object))"
        ),
    ),
]

OF_BINS = [
    case(
        "df.ordinal.interval_mae('y', 'yhat')",
        None,
        fix(
            "df[...].ordinal.cut([...])",
            ("df = numbers; df['y'] = {}; df['yhat'] = df['yhat'].ordinal.cut([-1, 0, 1, 2])"),
            **{"[...].": "['y'].", "([...])": "([-1, 0, 1, 2])"},
        ),
        fix(
            "po.parse_intervals(df[...])",
            (
                "df = numbers.apply(lambda one: pd.cut(one, [-1, 0, 1, 2])).astype(str); "
                "df['y'] = {}; df['yhat'] = po.parse_intervals(df['yhat'], "
                "df['y'].ordinal.classes)"
            ),
            dots="['y']",
        ),
        fix("bins=[...]", dots="[-1, 0, 1, 2]"),
    ),
    case(
        "df.ordinal.interval_mae('y', 'yhat', bins=[0, 1, 2])",
        None,
        fix(
            "classes=[...]",
            "df.ordinal.interval_mae('y', 'yhat', bins=[0, 1, 2], {})",
            dots="[0, 1]",
        ),
        fix(
            "df[...].ordinal.cut([...])",
            (
                "df = numbers; df['y'] = {}; df['yhat'] = df['yhat'].ordinal.cut([-1, 0, 1, "
                "2]); df.ordinal.interval_mae('y', 'yhat')"
            ),
            **{"[...].": "['y'].", "([...])": "([-1, 0, 1, 2])"},
        ),
        setup="df = numbers.iloc[[0]]",
    ),
    case(
        "days.ordinal.cut(bins).cat.codes",
        [0, 1, 2, 2],
        fix('bins.set_closed("left")', "days.ordinal.cut({}).cat.codes"),
        setup=(
            "days = pd.Series([0, 1, 2, 2]); bins = pd.IntervalIndex.from_breaks([0, 1, "
            "2, 3], closed='both')"
        ),
    ),
    case(
        "days.ordinal.cut([0, 1, 2]).cat.codes",
        [0, 1, 1],
        fix("right=False", "days.ordinal.cut([0, 1, 2], {}).cat.codes"),
        setup="days = pd.Series([0, 1, 1])",
    ),
    case(
        "days.ordinal.cut([0, 1, 2]).cat.codes",
        [0, 1, -1],
        fix('errors="coerce"', "days.ordinal.cut([0, 1, 2], {}).cat.codes"),
        fix(
            "-np.inf", "days.ordinal.cut([{}, 1, np.inf]).cat.codes.where([True, True, False], -1)"
        ),
        setup="days = pd.Series([1, 2, 3])",
    ),
    case(
        "po.parse_intervals(labels).codes",
        [0, 1],
        fix(
            (
                "pd.IntervalIndex([pd.Interval(d['left'], d['right'], d['closed']) for d in "
                "labels])"
            ),
            "pd.Categorical({}, ordered=True).codes",
        ),
        setup=(
            "labels = [{'left': 0, 'right': 1, 'closed': 'right'}, {'left': 1, 'right': "
            "2, 'closed': 'right'}]"
        ),
    ),
    case(
        "po.parse_intervals([None]).codes",
        [-1],
        fix("edges=[...]", "po.parse_intervals([None], {}).codes", dots="[0, 1]"),
    ),
    case(
        "po.parse_intervals(['(0, 1]', '(2, 3]']).codes",
        [0, 2],
        fix(
            "edges=[...]",
            "po.parse_intervals(['(0, 1]', '(2, 3]'], {}).codes",
            dots="[0, 1, 2, 3]",
        ),
    ),
    case(
        "days.ordinal.cut([0, 1, 2]).cat.codes",
        [0, 1],
        fix("pd.to_numeric", "days = {}(days)"),
        fix(".astype(float)", "days = days{}"),
        setup="days = pd.Series(['1', '2'])",
    ),
    case(
        "y.ordinal.as_ordered(bins).cat.codes",
        [0, 1],
        fix(
            "pd.IntervalIndex.from_breaks([...], closed='left')",
            "y.ordinal.as_ordered({}).cat.codes",
            dots="[0, 1, 2]",
        ),
        setup=(
            "y = pd.Series([pd.Interval(0, 1, 'left'), pd.Interval(1, 2, 'left')]); bins "
            "= [y[0], pd.Interval(1, 2)]"
        ),
    ),
    case(
        "po.metrics.mae(po.confusion(a, b))",
        0.5,
        fix("pred.ordinal.cut([...])", "pred = pd.Series([1, 1]); b = {}", dots="[0, 1, 2]"),
        setup=(
            "a = pd.cut(pd.Series([1, 2]), [0, 1, 2]); b = pd.cut(pd.Series([1, 2]), [0, "
            "1.0001, 2], precision=5)"
        ),
    ),
]

OF_COLUMNS = [
    case(
        "df.ordinal.mae('y', 'yhat')",
        MAE,
        fix(
            "po.parse_intervals(...)",
            "df['y'] = {}; df['yhat'] = po.parse_intervals(df['yhat'])",
            any="df['y']",
        ),
        setup=(
            "df = df.assign(**{one: pd.Categorical(pd.cut(numbers[one], [-1, 0, 1, "
            "2]).astype(str), ['(0, 1]', '(-1, 0]', '(1, 2]'], ordered=True) for one in "
            "numbers})"
        ),
    ),
    case(
        "df.ordinal.mae('y', iter(['yhat']))",
        [MAE],
        fix("list(...)", "df.ordinal.mae('y', {})", **{"...": "iter(['yhat'])"}),
    ),
    case(
        "df.ordinal.vus('y', 's', dropna=True)",
        None,
        fix("df.dropna(subset=['s'])", "df = {}; df = df.assign(s=df['s'].astype('int64'))"),
        setup="df = numbers; df['s'] = pd.array([1, 2, 2**53 + 1, None], dtype='Int64')",
    ),
    case(
        "df.ordinal.mae('y', 'yhat', sample_weight='w')",
        2 / 3,
        fix("df['w'].fillna(False)", "df['w'] = {}"),
        setup="df['w'] = pd.array([True, True, None, True], dtype='boolean')",
    ),
    case(
        "df.ordinal.rps('y', ['low', 'mid'])",
        RPS,
        fix(
            "{class: column}",
            "df.ordinal.rps('y', {})",
            **{"class: column": "one: one for one in LEVELS"},
        ),
        fix(
            "classes=[...]",
            "text.join(df[LEVELS]).iloc[[0, 1, 2, 3]].ordinal.rps('y', LEVELS, {})",
            dots="LEVELS",
        ),
    ),
    case(
        "df.ordinal.rps('y', table)",
        RPS,
        fix("df.join(proba)", "df = df[['y']]; proba = table; {}.ordinal.rps('y', LEVELS)"),
        setup="table = df[LEVELS].set_axis([*LEVELS], axis=1)",
    ),
    case(
        "df.ordinal.mae('y', 'yhat', ignore=('low', 'mid'))",
        None,
        fix("ignore=['low', 'mid']", "text.ordinal.mae('y', 'yhat', classes=['high'], {})"),
        fix("ignore=[('low', 'mid')]", "df.ordinal.mae('y', 'yhat', {})"),
    ),
    case(
        "df.ordinal.mae('y', 'yhat', ignore=np.nan)",
        MAE,
        fix(
            "dropna=True",
            (
                "df = pd.concat([df, df.iloc[:1]], ignore_index=True); df.loc[4, 'y'] = "
                "None; df.ordinal.mae('y', 'yhat', {})"
            ),
        ),
    ),
    case(
        "df.ordinal.mae('y', 'yhat')",
        MAE,
        fix("df.reset_index()", "df = {}"),
        setup="df = df.set_index('y')",
    ),
    case(
        "df.ordinal.mae('y', pred)",
        MAE,
        fix("df['y'].ordinal.oci(df['yhat'])", "{} * 0 + df['y'].ordinal.mae(df['yhat'])"),
        setup="pred = df['yhat']",
    ),
    case(
        "df.ordinal.mae('y', 'yhat', sample_weight=array)",
        MAE,
        fix("df.assign(weight=array)", "{}.ordinal.mae('y', 'yhat', sample_weight='weight')"),
        setup="array = np.ones(4)",
    ),
    case(
        ("df.ordinal.report('y', 'yhat', metrics=['mae'], ci=0.95, cluster=array)['mae']"),
        MAE,
        fix(
            "df.assign(cluster=array)",
            ("{}.ordinal.report('y', 'yhat', metrics=['mae'], ci=0.95, cluster='cluster')['mae']"),
        ),
        setup="array = np.arange(4)",
    ),
    case(
        "df.ordinal.report('y', None, metrics=['mae'])['mae']",
        [MAE],
        fix("pred=[None]", "df.ordinal.report('y', {}, metrics=['mae'])['mae']"),
        setup="df = df.rename(columns={'yhat': None})",
    ),
    case(
        "y.ordinal.vus(score)",
        0.5,
        fix("pd.Series(..., index=true.index)", "true = y; y.ordinal.vus({})", any="score"),
        setup="y = df['y']; score = {0: 0, 1: 1, 2: 2, 3: 0.5}.values()",
    ),
    case(
        "y.ordinal.mae(pred)",
        MAE,
        fix("pred.set_axis(true.index)", "true = y; y.ordinal.mae({})"),
        fix(
            "pred.reindex(true.index)",
            "true = y; pred.index = [0, 1, 2, 3]; pred = pred[::-1]; y.ordinal.mae({})",
        ),
        setup="y, pred = df['y'], df['yhat'].set_axis(list('abcd'))",
    ),
    case(
        "po.confusion(true, [0, 0], sample_weight=sample_weight)",
        [[1, 0], [10, 0]],
        fix(
            "sample_weight.set_axis(true.index)",
            "po.confusion(true, [0, 0], sample_weight={}[::-1].set_axis(true.index))",
        ),
        fix(
            "sample_weight.reindex(true.index)",
            "po.confusion(true, [0, 0], sample_weight={})",
        ),
        setup="true, sample_weight = pd.Series([0, 1], [5, 6]), pd.Series([10, 1], [6, 5])",
    ),
    case(
        "df.ordinal.mae('y', 'yhat', by='g')",
        [1 / 2, 1 / 2],
        fix("dropna=True"),
        setup="df = pd.concat([df, df.iloc[:1]], ignore_index=True); df.loc[4, 'g'] = None",
    ),
    case(
        "df.ordinal.mae('y', 'yhat', by='g')",
        [MAE],
        fix("df.rename_axis(index={'g': ...})", "df = {}", any="'h'"),
        setup="df['g'] = 1; df = df.set_index(pd.Index([1] * 4, name='g'))",
    ),
    case(
        "df.ordinal.mae('y', 'yhat', by='g')",
        [MAE],
        fix("df['g'].astype(float)", "df['g'] = {}"),
        setup="df['g'] = np.ones(4, np.longdouble)",
    ),
    case(
        "df.ordinal.mae('y', 'yhat', by='g')",
        [0.5, 0.5],
        fix("df['g'].map(str)", "df['g'] = {}"),
        setup="df['g'] = [[1], [1], [2], [2]]",
    ),
    case(
        "df.ordinal.expected_cost('y', 'yhat', costs=costs)",
        MAE,
        fix("costs.rename_axis(index='true', columns='pred')", "costs = {}"),
        setup=(
            "costs = pd.DataFrame([[0, 1, 2], [1, 0, 1], [2, 1, 0]], pd.Index(LEVELS, "
            "name='a'), pd.Index(LEVELS, name='b'))"
        ),
    ),
    case(
        "df.ordinal.expected_cost('y', 'yhat', costs=costs)",
        MAE,
        fix(".rename_axis(index='pred', columns='true')", "costs = costs{}"),
        fix("index='true', columns='pred'", "costs = costs.rename_axis({})"),
        setup=(
            "costs = pd.DataFrame([[0, 1, 2], [1, 0, 1], [2, 1, 0]], pd.Index(LEVELS, "
            "name='y_pred'), LEVELS)"
        ),
    ),
    case(
        (
            "df.ordinal.krippendorff_alpha('y', 'yhat', level='interval', values=values) "
            "- df.ordinal.krippendorff_alpha('y', 'yhat', level='interval')"
        ),
        0,
        fix("values.rename(true='class')", "values = {}"),
        setup="values = xr.DataArray([0, 1, 2], dims='true')",
    ),
    case(
        "po.concat([a, b]).ordinal.mae('y', 'y')",
        0,
        fix("classes=[...]", "po.concat([a, b], {}).ordinal.mae('y', 'y')", dots="LEVELS"),
        setup=(
            "a = pd.DataFrame({'y': pd.Categorical(['low', 'mid'], ['low', 'mid'], "
            "ordered=True)}); b = pd.DataFrame({'y': pd.Categorical(['low', 'high'], "
            "['low', 'high'], ordered=True)})"
        ),
    ),
    case(
        "po.concat([a, b])['y'].cat.codes",
        [0, 0],
        fix(
            "df[...].ordinal.cut([...])",
            "df = pd.DataFrame({'y': [1, 1]}); {}.cat.codes",
            **{"[...].": "['y'].", "([...])": "([0, 1, 2])"},
        ),
        setup=(
            "a = pd.DataFrame({'y': pd.cut([1], [0, 1, 2])}); b = pd.DataFrame({'y': "
            "pd.cut([1], [0, 1.0001, 2], precision=5)})"
        ),
    ),
    case(
        "df.ordinal.mae('y', 'yhat', sample_weight='w')",
        MAE,
        fix(".astype(float)", "df['w'] = df['w']{}"),
        setup="df['w'] = ['1'] * 4",
    ),
]

OF_CUBES = [
    case(
        "po.add([cube, cube]).ordinal.mae()",
        MAE,
        fix("po.add(*cubes)", "cubes = [cube, cube]; {}.ordinal.mae()"),
    ),
    case(
        "po.concat([frame, frame], dim='fold')",
        None,
        fix(
            "df.rename_axis(index={'fold': ...})",
            "df = frame; po.concat([{}] * 2, dim='fold').ordinal.mae('y', 'yhat')",
            any="'g'",
        ),
        setup="frame = df.rename_axis(index='fold')",
    ),
    case(
        "po.concat(objs, dim='fold').ordinal.mae('y', 'yhat', by='fold')",
        [MAE, MAE],
        fix(
            "po.concat({str(key): df for key, df in objs.items()}, dim='fold')",
            "{}.ordinal.mae('y', 'yhat', by='fold')",
        ),
        setup="objs = {(0, 1): df, (0, 2): df}",
    ),
    case(
        "po.concat([cube, cube], dim='g')",
        None,
        fix("po.add", "{}(cube, cube)"),
        setup="cube = cube.assign_coords(g='a')",
    ),
    case(
        "po.concat([cube, other], dim='g').ordinal.mae()",
        [MAE, MAE],
        fix(
            "cube.assign_coords({'g': [...]})",
            (
                "other = other.drop_vars('g', errors='ignore'); other = "
                "other.assign_coords(g=['a']); cube = {}"
            ),
            dots="['b']",
        ),
        setup="other = cube.expand_dims(g=['a']); cube = cube.expand_dims('g')",
    ),
    case(
        "po.add(cube, other).ordinal.mae()",
        [MAE, MAE],
        fix("cube.assign_coords({'g': cube.indexes['g'].astype(str)})", "cube = {}"),
        setup=(
            "other = cube.expand_dims(g=['a']); cube = "
            "cube.expand_dims(g=pd.IntervalIndex.from_breaks([0, 1]))"
        ),
    ),
    case(
        "po.add(cube, other).ordinal.mae()",
        [MAE, MAE],
        fix(
            "cube.assign_coords({'g': cube.indexes['g'].set_categories([...])})",
            "cube = {}",
            dots="['a', 'b'], ordered=True",
        ),
        setup=(
            "cube, other = (cube.expand_dims(g=pd.CategoricalIndex([one], order, "
            "ordered=True)) for one, order in (('a', ['b', 'a']), ('b', ['a', 'b'])))"
        ),
    ),
    case(
        "po.add(cube, other)",
        None,
        fix(
            ("cube.assign_coords({'g': cube.indexes['g'].map(lambda time: time.isoformat())})"),
            (
                "cube = other; other = {}; cube = keep; cube = cube.assign_coords({'g': "
                "cube.indexes['g'].map(lambda time: time.isoformat())})"
            ),
        ),
        setup=(
            "keep = cube = "
            "cube.expand_dims(g=pd.DatetimeIndex(['9999-01-01']).as_unit('s')) if 0 else "
            "cube.expand_dims(g=pd.DatetimeIndex(np.array(['9999-01-01'], 'M8[s]'))); "
            "other = "
            "cube.assign_coords(g=pd.DatetimeIndex(['2020-01-01T00:00:00.000000001']))"
        ),
    ),
    case(
        "po.add(cube, other).ordinal.mae().sum()",
        1,
        fix("cube.reorder_levels({'s': [...]})", "cube = {}", dots="['h', 'g']"),
        setup=(
            "other = cube.expand_dims(g=['a'], h=['b']).stack(s=['h', 'g']); cube = "
            "cube.expand_dims(g=['b'], h=['b']).stack(s=['g', 'h'])"
        ),
    ),
    case(
        "true.ordinal.plot()",
        None,
        fix("df.ordinal.confusion(...)", "{}.ordinal.plot()", any="'y', 'yhat'"),
        fix("true.ordinal.confusion(pred, dim=...)", "{}.ordinal.plot()", **{"...": "'case'"}),
    ),
    case("cube.ordinal.normalize('True')", None, fix('"true"', "cube.ordinal.normalize({})")),
    case(
        "cube.ordinal.plot(col='g')",
        None,
        fix("df.ordinal.confusion(..., by='g')", "cube = {}", any="'y', 'yhat'"),
    ),
    case(
        "cube.ordinal.report(metrics=['mae'])['mae']",
        MAE,
        fix("cube = df.ordinal.confusion(...)", any="'y', 'yhat'"),
        fix(
            'shares = cube.ordinal.normalize("true")',
            "cube = df.ordinal.confusion('y', 'yhat'); {}",
        ),
        setup="cube = cube.ordinal.normalize('true')",
    ),
    case(
        "cube.ordinal.report(metrics=['mae'], ci=0.95)['mae']",
        MAE,
        fix("cube.astype(int)", "cube = {}"),
        fix(
            "df.ordinal.report(..., sample_weight=...)",
            "{}['mae']",
            **{"weight=...": "weight='w'", "...": "'y', 'yhat', metrics=['mae'], ci=0.95"},
        ),
        setup="cube = cube * 2.0",
    ),
    case(
        "cube.ordinal.report(metrics=['mae'], ci=0.95, cluster='g')['mae']",
        MAE,
        fix(
            "df.ordinal.confusion(..., by=[...])",
            "{}.ordinal.report(metrics=['mae'], ci=0.95, cluster='g')['mae']",
            **{"..., by=[...]": "'y', 'yhat', by=['g']"},
        ),
        fix(
            "df.ordinal.report(..., cluster=...)",
            "{}['mae']",
            **{"..., cluster=...": "'y', 'yhat', metrics=['mae'], ci=0.95, cluster='id'"},
        ),
    ),
    case(
        "cube.ordinal.report(metrics=['mae'], ci=0.9, stratum_shares={})['mae']",
        MAE,
        fix(
            'stratify="pred"',
            "cube.ordinal.report(metrics=['mae'], ci=0.9, stratum_shares=shares, {})['mae']",
        ),
        setup="shares = cube.sum('true').to_series()",
    ),
    case(
        "df.ordinal.confusion('y', 'yhat', by=['a', 'b', 'c'])",
        None,
        fix("report(...)", "df.ordinal.{}['mae'].mean()", any="'y', 'yhat', by=['a', 'b', 'c']"),
        setup=(
            "df = pd.DataFrame({'y': 0, 'yhat': 0, 'a': range(3000), 'b': range(3000), "
            "'c': range(3000)}); df.loc[0, 'y'] = 1"
        ),
    ),
    case(
        "cube.ordinal.mae()",
        MAE,
        fix("po.cube_from_dataset(dataset)", "{}.ordinal.mae()"),
        fix(
            "po.open_cube(path)",
            (
                "path = folder + '/cube.nc'; df.ordinal.confusion('y', "
                "'yhat').ordinal.to_netcdf(path); {}.ordinal.mae()"
            ),
        ),
        fix(
            "po.open_cube([...])",
            (
                "path = folder + '/cube.nc'; df.ordinal.confusion('y', "
                "'yhat').ordinal.to_netcdf(path); {}.ordinal.mae()"
            ),
            dots="[path]",
        ),
        setup=("dataset = cube.ordinal.to_dataset(); cube = dataset[list(dataset.data_vars)[0]]"),
    ),
    case(
        "cube.ordinal.mae()",
        MAE,
        fix(
            "cube.assign_coords(true=pd.CategoricalIndex([...], [...], ordered=True))",
            ("cube = {}; cube = cube.assign_coords(pred=cube.indexes['true'].rename('pred'))"),
            dots="LEVELS",
        ),
        setup="cube = cube.assign_coords(true=[0, 1, 2], pred=[0, 1, 2])",
    ),
    case(
        "cube.ordinal.normalize('all').sum()",
        1,
        fix("cube.astype(float)", "cube = {}"),
        setup="cube = cube * 2**61 + 2**61",
    ),
    case(
        "po.add(cube, cube).ordinal.mae()",
        MAE,
        fix("cube.astype(float)", "cube = {}"),
        setup="cube = cube * (2**62)",
    ),
]

OF_ARRAYS = [
    case(
        "true.ordinal.mae(pred)",
        None,
        fix(
            "(true & 1).drop_attrs()",
            "true = {}; true.ordinal.mae(pred.clip(max=1), classes=[0, 1])",
        ),
        fix(
            "classes=[...]",
            "true = true.drop_attrs(); true.ordinal.mae(pred, {})",
            dots="[0, 1, 2]",
        ),
        setup=("true.name = 'true'; true.attrs = {'flag_masks': [1, 2], 'flag_meanings': 'a b'}"),
    ),
    case(
        "true.ordinal.mae(pred, classes=LEVELS)",
        2 / 3,
        fix("ignore=50"),
        fix(
            "true.drop_attrs()",
            (
                "true = {}; pred = pred.drop_attrs(); true.ordinal.mae(pred, classes=[0, 10, "
                "20, 50]) - 5 / 4 + 2 / 3"
            ),
        ),
        setup=(
            "true, pred = true.rename('true') * 10, pred * 10; true[0] = 50; pred.attrs "
            "= true.attrs = {'flag_values': [0, 10, 20], 'flag_meanings': 'low mid high'}"
        ),
    ),
    case(
        "true.ordinal.mae(pred)",
        MAE,
        fix("true.drop_attrs()", "true = {}; true.ordinal.mae(pred, classes=[0, 1, 2])"),
        fix(
            "classes=[...]",
            "true = true.drop_attrs(); true.ordinal.mae(pred, {})",
            dots="[0, 1, 2]",
        ),
        fix("true.assign_attrs(flag_values=[0, 1, 2])", "true = {}"),
        setup=(
            "true = true.rename('true'); true.attrs = {'flag_values': np.array([0, 1, "
            "2], 'int8'), 'flag_meanings': 'low mid high'}; pred = "
            "pred.astype('int8').assign_attrs(true.attrs)"
        ),
    ),
    case(
        "true.ordinal.mae(pred, classes=LEVELS)",
        MAE,
        fix("true.astype('uint8')", "true = {}"),
        setup=(
            "true = (true + 200).astype('uint8').astype('int8').rename('true'); pred += "
            "200; pred.attrs = true.attrs = {'flag_values': [200, 201, 202], "
            "'flag_meanings': 'low mid high'}"
        ),
    ),
    case(
        "true.ordinal.mae(pred, classes=LEVELS)",
        MAE,
        fix(
            "true.assign_attrs(flag_values=[200, 201, 202])",
            "true = {}; pred = pred.assign_attrs(true.attrs)",
        ),
        setup=(
            "true, pred = (true + 200).rename('true'), (pred + 200).rename('pred'); "
            "pred.attrs = true.attrs = {'flag_values': [-56, -55, -54], 'flag_meanings': "
            "'low mid high'}"
        ),
    ),
    case(
        "true.ordinal.mae(pred, classes=LEVELS)",
        MAE,
        fix(
            "true.assign_attrs(flag_values=[100, 200, 201])",
            "true = {}; pred = pred.assign_attrs(true.attrs)",
        ),
        setup=(
            "true, pred = (xr.where(one > 0, one + 199.0, 100.0) for one in (true, "
            "pred)); true.name = 'true'; pred.attrs = true.attrs = {'flag_values': "
            "np.array([100, 200, 201], 'uint8').view('int8'), 'flag_meanings': 'low mid "
            "high'}"
        ),
    ),
    case(
        "true.ordinal.mae(pred, classes=['low', 'mid', 'high'])",
        None,
        fix("classes=[...]", "true.ordinal.mae(pred, {})", dots="[*LEVELS, 'fog']"),
        fix("ignore=['fog']"),
        setup=("true.attrs = {'flag_values': [0, 1, 2, 3], 'flag_meanings': 'low mid high fog'}"),
    ),
    case(
        "true.ordinal.mae(pred, by=np.array(list('aabb')))",
        [0.5, 0.5],
        fix(
            "xr.DataArray(..., dims=('case',))",
            "true.ordinal.mae(pred, by={}.rename('g'))",
            **{"...": "list('aabb')"},
        ),
    ),
    case(
        "true.ordinal.mae(pred, by=xr.DataArray(list('aabb'), dims='case'))",
        [0.5, 0.5],
        fix(
            ".rename('region')",
            "true.ordinal.mae(pred, by=xr.DataArray(list('aabb'), dims='case'){})",
        ),
    ),
    case(
        "true.ordinal.mae(pred, by='s')",
        [0.5, 0.5],
        fix("by=['g', 'h']", "true.ordinal.mae(pred, {}).to_numpy()[[0, 1], [0, 1]]"),
        setup=(
            "index = "
            "xr.Coordinates.from_pandas_multiindex(pd.MultiIndex.from_arrays([list('aabb'), "
            "list('ccdd')], names=['g', 'h']), 's'); true, pred = "
            "(one.rename(case='s').assign_coords(index) for one in (true, pred))"
        ),
    ),
    case(
        "true.ordinal.mae(pred)",
        MAE,
        fix("classes=[...]", dots="[0, 1, 2]"),
        setup="true = true.chunk()",
    ),
    case(
        "true.ordinal.mae(pred)",
        MAE,
        fix('classes="flags"'),
        setup=(
            "true = true.chunk().assign_attrs(flag_values=[0, 1, 2], flag_meanings='low mid high')"
        ),
    ),
    case(
        "true.ordinal.mae(pred)",
        MAE,
        fix("dropna=True"),
        fix(
            "true.drop_attrs()",
            "true = {}; true.ordinal.mae(pred, classes=range(10)) - 9 / 5 + MAE",
        ),
        setup=(
            "true, pred = (xr.DataArray([*one.to_numpy(), last], dims='case') for one, "
            "last in ((true, 9), (pred, 2))); true.name = 'true'; "
            "true.attrs['_FillValue'] = 9"
        ),
    ),
    case(
        "true.ordinal.mae(pred)",
        MAE,
        fix("classes=[...]", dots="LEVELS"),
        setup=(
            "true, pred = (xr.DataArray([LEVELS[i] for i in one.to_numpy()], "
            "dims='case') for one in (true, pred))"
        ),
    ),
    case(
        "true.ordinal.mae(pred, classes='flags')",
        MAE,
        fix("classes=[...]", "true.ordinal.mae(pred, {})", dots="[0, 1, 2]"),
    ),
    case(
        "true.ordinal.mae(pred, classes=bins)",
        MAE,
        fix(
            "true.ordinal.cut([...])",
            "pred = pred.ordinal.cut([-1, 0, 1, 2]); true = {}",
            dots="[-1, 0, 1, 2]",
        ),
        setup=(
            "true = (true + 0.0).rename('true'); bins = "
            "pd.IntervalIndex.from_breaks([-1, 0, 1, 2])"
        ),
    ),
    case("true.ordinal.mae(pred, classes=LEVELS)", None, fix("ignore=9"), setup="true[0] = 9"),
    case(
        "true.ordinal.mae(pred, classes=['1', '2', '3'])",
        MAE,
        fix("y.astype(int).astype(str)", "y = true; true = {}; pred = pred.astype(str)"),
        setup="true, pred = true + 1, pred + 1",
    ),
    case(
        "true.ordinal.mae(pred)",
        MAE,
        fix("yhat.ordinal.as_ordered([...])", "yhat = pred; pred = {}", dots="[1, 2, 3]"),
        setup="pred += 1; true = (true + 1).ordinal.as_ordered([1, 2, 3])",
    ),
    case(
        "rain.ordinal.cut(edges)",
        [0, 1, 1, 1],
        fix("by='time.month'", "rain.ordinal.cut(edges, {})"),
        setup=(
            "rain = xr.DataArray([1, 2, 3, 4], {'time': pd.date_range('2001', periods=4, "
            "freq='MS')}); edges = xr.DataArray([[0, 1, 9]] * 12, {'month': range(1, 13)}, "
            "('month', 'edge'))"
        ),
    ),
    case(
        "rain.ordinal.cut(edges)",
        [0, 1],
        fix("edges.sel({'x': rain['x']})", "rain.ordinal.cut({})"),
        setup=(
            "rain = xr.DataArray([1, 2], {'x': [10, 20]}, name='rain'); edges = xr.DataArray("
            "[[0, 1, 9], [0, 5, 9]], {'x': [20, 10]}, ('x', 'edge'))"
        ),
    ),
    case(
        "proba.ordinal.most_likely()",
        [0, 1, 2, 1],
        fix(
            "proba.assign_coords({'class': [...]})",
            "{}.ordinal.most_likely()",
            dots="['low', 'mid', 'high']",
        ),
        setup="proba = xr.DataArray(PROBA, dims=('case', 'class'))",
    ),
    case(
        "true.ordinal.mae([pred, pred])",
        [MAE, MAE],
        fix("xr.concat(..., dim='model')", "true.ordinal.mae({})", any="[pred, pred]"),
    ),
    case(
        "cube.ordinal.probabilities('true')",
        1.5,
        fix("cube.ordinal.normalize('true')", "float(np.trace({}))"),
    ),
    case(
        "true.ordinal.rps(members, fair=True, classes=range(3))",
        MAE,
        fix('member_dim="member"'),
        setup="members = xr.concat([pred, pred], 'member')",
    ),
    case(
        "true.ordinal.brier(members, member_dim='member', fair=True)",
        MAE,
        fix(
            "metrics=['rps', 'rps_skill']",
            "true.ordinal.report(proba=members, member_dim='member', fair=True, {})['rps']",
        ),
        setup="members = xr.concat([pred, pred], 'member')",
    ),
    case(
        "true.ordinal.rps(proba)",
        RPS,
        fix(
            "proba.assign_coords({dimension: [...]})",
            "proba = {}",
            **{"dimension: [...]": "'class': [0, 1, 2]"},
        ),
        fix(
            "classes=[...]",
            ("proba = proba.assign_coords({'class': [0, 1, 2]}); true.ordinal.rps(proba, {})"),
            dots="[0, 1, 2]",
        ),
        setup="proba = xr.DataArray(PROBA, dims=('case', 'class'))",
    ),
    case(
        "true.ordinal.mae(pred, dim=['case', 'x'])",
        MAE,
        fix("pred.broadcast_like(true)", "pred = {}"),
        setup="true = true.expand_dims(x=2)",
    ),
    case(
        "true.ordinal.report(pred, dim='case')",
        None,
        fix(
            ".rename({'n': ...})",
            "pred = pred{}; true.ordinal.report(pred, dim='case')['mae'][0]",
            any="'fold'",
        ),
        setup="pred = pred.expand_dims(n=2)",
    ),
    case(
        "true.ordinal.vus(score)",
        0.5,
        fix(".astype(float)", "score = score{}"),
        setup="score = xr.DataArray(['0', '1', '2', '0.5'], dims='case')",
    ),
]

# Arrays with other coordinates
OF_COORDINATES = [
    case(
        "true.ordinal.mae(pred)",
        MAE,
        fix("pred.drop_vars('case')", "pred = {}"),
        setup=(
            "true, pred = true.assign_coords(case=range(4)), pred.assign_coords(case=list('abcd'))"
        ),
    ),
    case(
        "true.ordinal.mae(pred)",
        MAE,
        fix("pred.sel({'case': true['case']})", "pred = {}"),
        setup="true, pred = (one.assign_coords(case=range(4)) for one in (true, pred)); "
        "pred = pred[::-1]",
    ),
    case(
        "true.ordinal.mae(pred)",
        MAE,
        fix(
            "pred.isel({'case': pred.indexes['case'].get_indexer(true.indexes['case'])})",
            "pred = {}",
        ),
        setup=(
            "cells = xr.Coordinates.from_pandas_multiindex(pd.MultiIndex.from_product("
            "[[0, 1], [2, 3]], names=['a', 'b']), 'case'); "
            "true, pred = true.assign_coords(cells), pred.assign_coords(cells)[::-1]"
        ),
    ),
    case(
        "true.ordinal.mae(pred)",
        # the labels 1 to 3: 1, 2, 2 next to 2, 1, 2
        2 / 3,
        fix(
            "true = true.isel({'case': true.indexes['case'].isin(pred.indexes['case'])}) "
            "and then pred = pred.sel({'case': true['case']})",
            "{}",
            **{" and then ": "; "},
        ),
        setup=(
            "true = true.assign_coords(case=range(4)); "
            "pred = pred[[1, 2, 3, 0]].assign_coords(case=[1, 3, 2, 4])"
        ),
    ),
    case(
        "true.ordinal.mae(pred)",
        MAE,
        fix("pred.assign_coords({'case': true['case']})", "pred = {}"),
        setup=(
            "true = true.assign_coords(case=[0, 0.1, 0.2, 0.3]); "
            "pred = pred.assign_coords(case=[0, 0.1, 0.2, 0.3000001])"
        ),
    ),
    case(
        "true.ordinal.mae(pred)",
        MAE,
        fix(
            "pred.sortby('case').sel({'case': (true['case'].values + 180) % 360 - 180}, "
            "method='nearest', tolerance=0.9).assign_coords({'case': true['case']})",
            "pred = {}",
        ),
        setup=(
            "true = true.assign_coords(case=[0.0, 90.0, 180.0, 270.0]); "
            "pred = pred.assign_coords(case=[0.0, 90.0, -180.0, -90.0])"
        ),
    ),
    case(
        "true.ordinal.mae(pred)",
        MAE,
        fix("pred.assign_coords({'case': true['case']})", "pred = {}"),
        setup=(
            "days = pd.date_range('2019', periods=4, tz='UTC'); "
            "true = true.assign_coords(case=days); "
            "pred = pred.assign_coords(case=days.tz_convert('Europe/Berlin'))"
        ),
    ),
    case(
        "true.ordinal.mae(pred)",
        MAE,
        fix("pred.convert_calendar('standard', dim='case', use_cftime=False)", "pred = {}"),
        setup=(
            "true, pred = (one.assign_coords(case=pd.date_range('2019', periods=4)) "
            "for one in (true, pred)); "
            "pred = pred.convert_calendar('noleap', dim='case', use_cftime=True)"
        ),
    ),
    case(
        "true.ordinal.mae(pred)",
        # the last two days: 2, 2 next to 0, 2
        1,
        fix(
            "pred = pred.convert_calendar('standard', dim='case', use_cftime=False)",
            "{}; true = true.isel({'case': true.indexes['case'].isin(pred.indexes['case'])}); "
            "pred = pred.sel({'case': true['case']})",
        ),
        setup=(
            "true = true.assign_coords(case=pd.date_range('2019-01-01', periods=4)); "
            "pred = pred.assign_coords(case=pd.date_range('2019-01-03', periods=4)); "
            "pred = pred.convert_calendar('noleap', dim='case', use_cftime=True)"
        ),
    ),
]

OF_LOOKALIKES = [
    case(
        "df.ordinal.mae('y', 'yhat')",
        MAE,
        fix(
            f"df['yhat'] = df['yhat'].str{method}",
            "{}; df['yhat'] = df['yhat'].astype(df['y'].dtype)",
        ),
        setup=(
            f"classes = ['low', {declared!a}, 'high']; df = numbers.copy(); "
            "df['y'] = pd.Categorical.from_codes(df['y'], classes, ordered=True); "
            f"df['yhat'] = pd.Series(['low', {written!a}, 'high'])[df['yhat']].to_numpy()"
        ),
    )
    for method, declared, written in (
        (".normalize('NFC')", "m\xe9d", "me\u0301d"),
        (".normalize('NFD')", "me\u0301d", "m\xe9d"),
        (".normalize('NFKC')", "mid", "\uff4did"),
        (".strip()", "mid", "mid "),
    )
]

OF_OTHER_LIBRARIES = [
    case(
        "po.style(table)",
        None,
        fix(".to_pandas()", "table = table{}"),
        fix(".to_pandas(types_mapper=pd.ArrowDtype)", "table{}"),
        setup=(
            "import pyarrow; table = pyarrow.Table.from_pandas(df.ordinal.report('y', "
            "'yhat', by='g'))"
        ),
    ),
    case(
        "po.style(table)",
        MAE,
        fix(".to_table().to_pandas()", "table{}.ordinal.mae('y', 'yhat')"),
        setup=(
            "import pyarrow.dataset; table = "
            "pyarrow.dataset.dataset(pyarrow.Table.from_pandas(numbers))"
        ),
    ),
    case(
        "po.style(table)",
        MAE,
        fix(".to_table().to_pandas()", "table{}.ordinal.mae('y', 'yhat')"),
        setup=(
            "import pyarrow.dataset; table = "
            "pyarrow.dataset.dataset(pyarrow.Table.from_pandas(numbers)).scanner()"
        ),
    ),
    case(
        "po.style(table)",
        MAE,
        fix(".read_pandas()", "table{}.ordinal.mae('y', 'yhat')"),
        setup="import pyarrow; table = pyarrow.Table.from_pandas(numbers).to_reader()",
    ),
    case(
        "po.style(table)",
        MAE,
        fix(".to_pandas()", "table{}.ordinal.mae('y', 'yhat')"),
        setup="import polars; table = polars.from_pandas(numbers)",
    ),
    case(
        "po.style(table)",
        MAE,
        fix(".collect().to_pandas()", "table{}.ordinal.mae('y', 'yhat')"),
        setup="import polars; table = polars.from_pandas(numbers).lazy()",
    ),
    case(
        "po.style(table)",
        MAE,
        fix(".to_arrow_table().to_pandas()", "table{}.ordinal.mae('y', 'yhat')"),
        setup="import duckdb; table = duckdb.sql('select * from numbers')",
    ),
    case(
        "po.style(table)",
        MAE,
        fix(
            "sql",
            (
                "po.ordinal(table.{}('select * from (values (0, 0), (1, 2), (2, 2), (2, 1)) "
                "as t(y, yhat)')).mae('y', 'yhat')"
            ),
        ),
        setup="import duckdb; table = duckdb.connect()",
    ),
    case(
        "po.ordinal(ddf['y'])",
        0.5,
        fix(".compute()", "ddf['y']{}.ordinal.mae(ddf['yhat']{})"),
        fix(
            'po.ordinal(ddf).oci("y", "yhat")',
            "{}.compute() - po.ordinal(numbers).oci('y', 'yhat') + MAE",
        ),
        setup="import dask.dataframe; ddf = dask.dataframe.from_pandas(df)",
    ),
    case(
        "po.ordinal(ddf.groupby('model'))",
        [0.5, 0.5],
        fix(
            'po.ordinal(ddf).oci("y", "yhat", by="model")',
            "{}.compute() - df.ordinal.oci('y', 'yhat', by='model') + MAE",
        ),
        setup=(
            "import dask.dataframe; df['model'] = df['g']; ddf = dask.dataframe.from_pandas(df)"
        ),
    ),
    case(
        "po.ordinal(df.groupby('model')['y'])",
        [0, 0],
        fix(
            'df.groupby("model").ordinal.oci("y", "yhat")',
            "{} - df.ordinal.oci('y', 'yhat', by='model')",
        ),
        setup="df['model'] = df['g']",
    ),
    case(
        "po.ordinal(ds.groupby('model'))",
        [0, 0],
        fix(
            'ds.ordinal.oci("y", "yhat", by="model")',
            "{}.to_numpy() - df.ordinal.oci('y', 'yhat', by='model')",
        ),
        setup=(
            "df['model'] = df['g']; ds = "
            "numbers.rename_axis('case').to_xarray().assign(model=('case', "
            "df['model'].to_numpy()))"
        ),
    ),
    case(
        "po.ordinal(true.groupby('model'))",
        [0, 0],
        fix(
            'true.ordinal.oci(pred, by="model")',
            "{}.to_numpy() - df.ordinal.oci('y', 'yhat', by='g')",
        ),
        setup="true = true.assign_coords(model=('case', df['g'].to_numpy()))",
    ),
    *[
        case(
            f"po.ordinal({windows})",
            0,
            fix(line, "abs({}.to_numpy() - " + due + ").max()"),
            setup=YEARS,
        )
        for windows, line, due in [
            (
                "ds.resample(time='YS')",
                'ds.ordinal.oci("y", "yhat", by={"time": xr.groupers.TimeResampler("YS")})',
                "ds.ordinal.oci('y', 'yhat', by='time.year').to_numpy()",
            ),
            (
                "ds.coarsen(time=12)",
                'ds.coarsen(time=12).construct(time=("year", "month")).ordinal.oci('
                '"y", "yhat", dim="month")',
                "ds.ordinal.oci('y', 'yhat', by='time.year').to_numpy()",
            ),
            (
                "ds.rolling(time=12)",
                'ds.rolling(time=12).construct("window").ordinal.oci('
                '"y", "yhat", dim="window", dropna=True)',
                "[ds[['y', 'yhat']].isel(time=slice(max(0, i - 11), i + 1)).ordinal.oci('y', "
                "'yhat', classes=range(3)).item() for i in range(24)]",
            ),
            (
                "ds.weighted(ds.w)",
                'ds.ordinal.oci("y", "yhat", sample_weight="w")',
                "ds.to_dataframe().ordinal.oci('y', 'yhat', sample_weight='w')",
            ),
        ]
    ],
    case(
        "po.ordinal(true.weighted(weights))",
        0,
        fix("true.ordinal.oci(pred, sample_weight=weights)", "{} - true.ordinal.oci(pred)"),
        setup="weights = xr.ones_like(true)",
    ),
    case(
        "po.ordinal(true.rolling(case=2))",
        None,
        fix("ds = xr.Dataset({'y': true, 'yhat': pred})", "{}; ds.ordinal.mae('y', 'yhat')"),
    ),
    case(
        "xr.DataTree.from_dict({'/model': ds}).ordinal.compare('y', ['a', 'b'], metrics=['mae'])",
        MAES,
        fix(
            "tree['/model'].dataset.ordinal.compare(...)",
            "tree = xr.DataTree.from_dict({'/model': ds}); {}[" + OF_MODELS,
            **OF_TWO,
        ),
        setup=TWO_MODELS + "ds = df.to_xarray()",
    ),
    case(
        "ds.ordinal.mae('y', 'yhat', by=xr.groupers.UniqueGrouper())",
        [0, 0],
        fix(
            'by={"time": UniqueGrouper(...)}',
            "ds.ordinal.mae('y', 'yhat', {})",
            time="g",
            UniqueGrouper="xr.groupers.UniqueGrouper",
            any="",
        ),
        setup="ds = xr.Dataset({'y': true, 'yhat': true}).assign(g=('case', list('aabb')))",
    ),
    case(
        "ds.ordinal.mae('y', 'yhat', by={'g': 'b'})",
        [0, 0],
        fix(
            "xr.groupers.UniqueGrouper()",
            "ds.ordinal.mae('y', 'yhat', by=dict(g={}))",
        ),
        setup="ds = xr.Dataset({'y': true, 'yhat': true}).assign(g=('case', list('aabb')))",
    ),
    case(
        "po.confusion(true, pred)", None, fix("true.ordinal.confusion(pred)", "{}.ordinal.mae()")
    ),
]

OF_HINTS = [
    case(
        "df.ordinal.cohen_kappa",
        None,
        fix('kappa(weights="identity")', "df.ordinal.{}", **{"kappa(": "kappa('y', 'yhat', "}),
    ),
    case(
        "df.ordinal.cohen_kappa_score",
        None,
        fix('weights="identity"', "df.ordinal.kappa('y', 'yhat', {})"),
    ),
    case(
        "df.ordinal.weighted_kappa",
        None,
        fix('kappa(weights="linear")', "df.ordinal.{}", **{"kappa(": "kappa('y', 'yhat', "}),
    ),
    case(
        "df.ordinal.qwk",
        None,
        fix('kappa(weights="quadratic")', "df.ordinal.{}", **{"kappa(": "kappa('y', 'yhat', "}),
    ),
    case(
        "df.ordinal.ac1",
        None,
        fix(
            'gwet_ac(weights="identity")', "df.ordinal.{}", **{"gwet_ac(": "gwet_ac('y', 'yhat', "}
        ),
        fix("agreement([...])", "df.ordinal.{}", dots="['y', 'yhat']"),
    ),
    case(
        "df.ordinal.fleiss_kappa",
        None,
        fix('agreement([...], weights="identity")', "df.ordinal.{}", dots="['y', 'yhat']"),
    ),
    case(
        "df.ordinal.icc",
        None,
        fix("agreement([...])", "df.ordinal.{}", dots="['y', 'yhat']"),
    ),
    case(
        "df.ordinal.raters",
        None,
        fix("agreement([...])", "df.ordinal.{}", dots="['y', 'yhat']"),
    ),
    case(
        "df['y'].ordinal.agreement",
        None,
        fix("df.ordinal.agreement([...])", dots="['y', 'yhat']"),
    ),
    *OF_RATERS,
    *OF_SETS,
    case("df.ordinal.class_report('y', 'yhat', cluster='id')", None, "ci=0.95"),
    case(
        "df.ordinal.mcc",
        None,
        fix('kappa(weights="identity")', "df.ordinal.{}", **{"kappa(": "kappa('y', 'yhat', "}),
        fix("list(po.metrics.registry)", "len({})"),
    ),
    case(
        "df.ordinal.describe",
        None,
        fix("po.describe(comparison)", COMPARED),
        setup=TWO_MODELS,
    ),
    case(
        "df.ordinal.power",
        None,
        fix("po.rows_needed(comparison)", COMPARED),
        setup=TWO_MODELS,
    ),
    case(
        "po.rows_needed(found)",
        NO_NUMBER,
        fix("po.rows_needed(found, ci=0.95)", "{}.tolist()"),
        setup=FOUND + "found.attrs = {}",
    ),
    case(
        "po.rows_needed(found, power=80)",
        NO_NUMBER,
        fix("power=0.8", "po.rows_needed(found, {}).tolist()"),
        setup=FOUND,
    ),
    case(
        "po.rows_needed(df)",
        NO_NUMBER,
        fix(".ordinal.compare(...)", "po.rows_needed(df{}).tolist()", **OF_TWO),
        setup=TWO_MODELS,
    ),
    *(
        case(
            "po.rows_needed(found)",
            NO_NUMBER,
            fix(option, f"{FOUND}po.rows_needed(found).tolist()"),
            setup=f"{FOUND}found = df.ordinal.compare('y', ['a', 'b'], {option}{margin})",
        )
        for option, margin in {
            'alternative="non-inferior"': ", margin=1",
            'method="permutation"': "",
        }.items()
    ),
    case(
        "po.rows_needed([0.1])",
        NO_NUMBER,
        fix(".ordinal.compare(...)", "po.rows_needed(df{}).tolist()", **OF_TWO),
        setup=TWO_MODELS,
    ),
    case(
        "df.ordinal.differences",
        None,
        fix("po.plot.differences(comparison)", COMPARED),
        setup=TWO_MODELS,
    ),
    case(
        "po.plot.compare",
        None,
        fix("po.plot.differences(comparison)", COMPARED),
        setup=TWO_MODELS,
    ),
    case(
        "po.describe(df)",
        None,
        fix(".ordinal.compare(...)", "po.describe(df{})", **OF_TWO),
        fix(
            ".ordinal.summary(...)",
            "po.describe(df{})",
            any="'y', 'a', over='fold', metrics=['mae']",
        ),
        setup=TWO_MODELS,
    ),
    case(
        "po.plot.differences(comparison.loc['mae'])",
        1,
        fix("comparison.loc[['mae']]", "len(po.plot.differences({}))"),
        setup=f"{TWO_MODELS}{COMPARED[:-4]}",
    ),
    case(
        "po.plot.differences(df)",
        None,
        fix(".ordinal.compare(...)", "po.plot.differences(df{})", **OF_TWO),
        setup=TWO_MODELS,
    ),
    case(
        "df.assign(w=df.index + 1.0).ordinal.compare('y', ['a', 'b'], sample_weight='w', "
        "method='permutation', metrics=['mae'])",
        None,
        fix("sample_weight=", "df.ordinal.compare('y', ['a', 'b'], metrics=['mae'])"),
        setup=TWO_MODELS,
    ),
    case(
        "df.ordinal.forest",
        None,
        fix(
            "po.plot.forest(report)",
            "report = df.ordinal.report('y', 'yhat', by='g', metrics=['mae'], ci=0.9); {}",
        ),
    ),
    case(
        "df.ordinal.style",
        None,
        fix("po.style(report)", "report = df.ordinal.report('y', 'yhat', by='g'); {}"),
    ),
    case(
        "df.ordinal.to_latex",
        None,
        fix("po.style(report).to_latex()", "report = df.ordinal.report('y', 'yhat', by='g'); {}"),
    ),
    case(
        "df.ordinal.to_html",
        None,
        fix("po.style(report).to_html()", "report = df.ordinal.report('y', 'yhat', by='g'); {}"),
    ),
    case(
        "df.ordinal.bootstrap",
        None,
        fix(
            'report(..., method="bootstrap")',
            "df.ordinal.{}",
            any="'y', 'yhat', ci=0.9, metrics=['mae']",
        ),
    ),
    case(
        "df.ordinal.save",
        None,
        fix(
            'confusion(...).ordinal.to_netcdf("cube.nc")',
            "df.ordinal.{}",
            **{"(...)": "('y', 'yhat')", '"cube.nc"': "folder + '/cube.nc'"},
        ),
        fix(
            'df.ordinal.to_parquet("predictions.parquet")',
            **{'"predictions.parquet"': "folder + '/a.parquet'"},
        ),
    ),
    case(
        "df.ordinal.plot",
        None,
        fix("confusion(...).ordinal.plot()", "df.ordinal.{}", any="'y', 'yhat'"),
    ),
    case(
        "df.ordinal.normalize",
        None,
        fix('confusion(...).ordinal.normalize("true")', "df.ordinal.{}", any="'y', 'yhat'"),
    ),
    case(
        "df.ordinal.as_ordered",
        MAE,
        fix(
            'df["y"].ordinal.as_ordered(["low", "mid", "high"])',
            "df['y'] = text['y']; df['y'] = {}; df.ordinal.mae('y', 'yhat')",
        ),
    ),
    case("df.ordinal.classes", None, fix('df["y"].ordinal.classes')),
    case(
        "df.ordinal.classify",
        MAE,
        fix(
            'df["score"].ordinal.classify([...], classes=[...])',
            "df['score'] = [0, 2.5, 2.5, 1]; df['yhat'] = {}; df.ordinal.mae('y', 'yhat')",
            **{"[...], classes=[...]": "[0.5, 1.5], classes=LEVELS"},
        ),
    ),
    case(
        "df.ordinal.cut",
        MAE,
        fix(
            'df["days"].ordinal.cut([...])',
            (
                "df['days'] = [0, 2.0, 2, 1]; df['yhat'] = {}; df['y'] = "
                "numbers['y'].ordinal.cut([-1, 0, 1, 2]); df.ordinal.mae('y', 'yhat')"
            ),
            dots="[-1, 0, 1, 2]",
        ),
    ),
    case(
        "ds.ordinal.classify",
        [0, 0, 1, 1],
        fix(
            'ds["x"].ordinal.classify([...], classes=[...])',
            **{"[...], classes=[...]": "[1.5], classes=['low', 'high']"},
        ),
        setup="ds = xr.Dataset({'x': true})",
    ),
    case(
        "ds.ordinal.as_ordered",
        MAE,
        fix('ds.ordinal.mae("y", "yhat", classes=[...])', dots="range(3)"),
        setup="ds = xr.Dataset({'y': true, 'yhat': pred})",
    ),
    case(
        "ds.ordinal.classes",
        [0, 1, 2],
        fix('ds["y"].ordinal.classes'),
        setup="ds = xr.Dataset({'y': true, 'yhat': pred})",
    ),
    case(
        "ds.ordinal.cut",
        [0, 1, 2, 2],
        fix('ds["x"].ordinal.cut([...])', dots="[-1, 0, 1, 2]"),
        setup="ds = xr.Dataset({'x': true})",
    ),
    case(
        "po.ordinal(ddf).as_ordered",
        MAE,
        fix(
            'ddf["y"].astype(pd.CategoricalDtype([...], ordered=True))',
            (
                "ddf['y'] = {}; ddf['yhat'] = ddf['yhat'].astype(LEVEL); "
                "po.ordinal(ddf).mae('y', 'yhat').compute()"
            ),
            dots="LEVELS",
        ),
        setup="import dask.dataframe; ddf = dask.dataframe.from_pandas(text)",
    ),
    case(
        "po.ordinal(ddf).cut",
        MAE,
        fix(
            'ddf["x"].map_partitions(lambda x: x.ordinal.cut([...]))',
            (
                "ddf['x'] = ddf['yhat'].astype(float); ddf['y'] = "
                "numbers['y'].ordinal.cut([-1, 0, 1, 2]); ddf['yhat'] = {}; "
                "po.ordinal(ddf).mae('y', 'yhat').compute()"
            ),
            dots="[-1, 0, 1, 2]",
        ),
        setup="import dask.dataframe; ddf = dask.dataframe.from_pandas(numbers)",
    ),
    case(
        "po.ordinal(ddf).classify",
        MAE,
        fix(
            'ddf["x"].map_partitions(lambda x: x.ordinal.classify([...], classes=[...]))',
            (
                "ddf['x'] = ddf['yhat'].astype(float); ddf['yhat'] = {}; "
                "po.ordinal(ddf).mae('y', 'yhat', classes=range(3)).compute()"
            ),
            **{"[...], classes=[...]": "[0.5, 1.5], classes=[0, 1, 2]"},
        ),
        setup="import dask.dataframe; ddf = dask.dataframe.from_pandas(numbers)",
    ),
    case(
        "po.ordinal(ddf).dominance",
        None,
        fix(
            "ddf[[...]].compute().ordinal.dominance(...)",
            "{}.undominated == ['p']",
            **{"[[...]]": "[['y', 'yhat', 'p']]", "(...)": "('y', ['yhat', 'p'])"},
        ),
        setup=(
            "import dask.dataframe; ddf = "
            "dask.dataframe.from_pandas(numbers.assign(p=numbers['y']))"
        ),
    ),
    *OF_COMPARISONS,
    case(
        "numbers['y'].ordinal.cut([-1, 0, 1, 2], labels=LEVELS)",
        None,
        fix(
            ".cat.rename_categories([...])",
            "list(numbers['y'].ordinal.cut([-1, 0, 1, 2]){}.cat.categories).index('mid')",
            dots="LEVELS",
        ),
    ),
    case(
        "numbers['y'].ordinal.cut([0, 1, 2], include_lowest=True)",
        [0, 1, 2, 2],
        fix("right=False", "numbers['y'].ordinal.cut([0, 1, 2, 3], {}).cat.codes"),
        fix("-np.inf", "numbers['y'].ordinal.cut([{}, 0, 1, 2]).cat.codes"),
    ),
    case(
        "numbers['y'].ordinal.cut(bins=[-1, 0, 1, 2])",
        [0, 1, 2, 2],
        fix("edges=", "numbers['y'].ordinal.cut({}[-1, 0, 1, 2]).cat.codes"),
    ),
    case(
        "po.metrics.confusion_matrix",
        None,
        fix("po.confusion(true, pred)", "true, pred = df['y'], df['yhat']; {}"),
    ),
    case(
        "po.metrics.compare",
        None,
        fix("df.ordinal.compare(...)", any="'y', ['yhat', 'p'], metrics=['mae']"),
        setup="df['p'] = df['y']",
    ),
    case("po.metrics.report", None, fix("df.ordinal.report(...)", any="'y', 'yhat'")),
    *(
        case(
            f"po.metrics.{name}",
            None,
            fix(f"df.ordinal.{method}(...)", any="'y', 'yhat'"),
        )
        for name, method in {
            "classification_report": "class_report",
            "class_report": "class_report",
            "cut_report": "cut_report",
        }.items()
    ),
    case(
        "df.ordinal.class_recall('y', 'yhat', ci=0.95)",
        None,
        fix("class_report(..., ci=0.95)", "df.ordinal.{}", any="'y', 'yhat'"),
    ),
    case(
        "po.ordinal(ddf).cut_report('y', 'yhat', score='y', classes=range(4), ci=0.9)",
        None,
        fix(
            "ddf[[...]].compute().ordinal.cut_report(...)",
            **{
                "[[...]]": "[['y', 'yhat']]",
                "(...)": "('y', 'yhat', score='y', ci=0.9)",
            },
        ),
        setup="import dask.dataframe; ddf = dask.dataframe.from_pandas(numbers)",
    ),
    case(
        "po.sklearn.make_scorer",
        MAE,
        fix(
            'po.sklearn.scorer("oci", classes=[...])',
            "-{}(model, numbers[['yhat']], numbers['y'])",
            dots="range(3)",
            oci="mae",
        ),
        setup=(
            "from sklearn.base import BaseEstimator, ClassifierMixin\nclass "
            "Model(ClassifierMixin, BaseEstimator):\n    def fit(self, X, y):\n        "
            "return self\n    def predict(self, X):\n        return "
            "X['yhat'].to_numpy()\nmodel = Model(); model.classes_ = np.arange(3)"
        ),
    ),
    case(
        "po.sklearn.OptimizedRounder",
        [0] * 15 + [1] * 15,
        fix(
            "po.sklearn.OrdinalThresholds(estimator, metric=...)",
            "{}.fit(X, X[:, 0]).predict(X)",
            any="'kappa'",
        ),
        setup=(
            "from sklearn.linear_model import LinearRegression; estimator = LinearRegression(); "
            "X = np.arange(30)[:, None] // 15"
        ),
    ),
    case(
        "po.sklearn.cross_validate",
        None,
        fix('po.sklearn.cross_val_frame({"name": estimator}, X, y)', "{}"),
        fix(
            "po.sklearn.cross_val_frame",
            (
                "{}({'a': estimator}, X, y).ordinal.report('y', 'yhat', by='model', "
                "metrics=['mae'])"
            ),
        ),
        setup=(
            "from sklearn.tree import DecisionTreeClassifier; estimator = "
            "DecisionTreeClassifier(); X, y = np.arange(30)[:, None], np.arange(30) % 3"
        ),
    ),
    case(
        "po.sklearn.cross_val_frame({'name': estimator}, X, y, scoring='mae')",
        None,
        fix(
            'frame.ordinal.report("y", "yhat", by="model", metrics=["mae"])',
            "frame = po.sklearn.cross_val_frame({'name': estimator}, X, y); {}",
        ),
        setup=(
            "from sklearn.tree import DecisionTreeClassifier; estimator = "
            "DecisionTreeClassifier(); X, y = np.arange(30)[:, None], np.arange(30) % 3"
        ),
    ),
    case("po.plot.heatmap", None, fix("cube.ordinal.plot()")),
    case(
        "po.plot.difference",
        None,
        fix(
            "cube.ordinal.plot.difference(...)",
            "cube = df.ordinal.confusion('y', 'yhat', by='g'); {}",
            any="'a', 'b'",
        ),
    ),
    case("po.plot.accuracy_within", None, fix("cube.ordinal.plot.accuracy_within()")),
    case("po.plot.class_mae", None, fix("cube.ordinal.plot.class_mae()")),
    case(
        "po.plot.intervals",
        None,
        fix(
            "cube.ordinal.plot.intervals()",
            (
                "df = numbers.apply(lambda one: pd.cut(one, [-1, 0, 1, 2])); cube = "
                "df.ordinal.confusion('y', 'yhat'); {}"
            ),
        ),
    ),
    case(
        "po.plot.plot_roc",
        None,
        fix(
            'df.ordinal.plot_roc("y", "score")',
            (
                "df = df.assign(y=['low', 'low', 'high', 'high'], score=[0, 1, 2, 0.5]); "
                "df['y'] = df['y'].ordinal.as_ordered(['low', 'high']); {}"
            ),
        ),
    ),
    case(
        "po.plot.style",
        None,
        fix("po.style(report)", "report = df.ordinal.report('y', 'yhat', by='g'); {}"),
    ),
    case(
        "df.groupby('g').ordinal.mae('y', 'yhat', by='id')",
        None,
        fix(
            'df.groupby(["model", "fold"])',
            "df = df.assign(model=1, fold=2); {}.ordinal.mae('y', 'yhat')",
        ),
    ),
    case(
        "df['y'].ordinal.mae(df['yhat'], by='model')",
        [MAE, MAE],
        fix('df.ordinal.mae(..., by="model")', **{"...": "'y', 'yhat'"}),
        setup="df['model'] = df['g']",
    ),
    case(
        "po.friedman(table)",
        None,
        fix("greater_is_better=False"),
        fix("greater_is_better=True"),
        setup="table = pd.DataFrame([[0.1, 0.2, 0.3], [0.2, 0.1, 0.4], [0.1, 0.3, 0.2]])",
    ),
    case(
        "df.ordinal.confusion('y', 'yhat', normalize='true')",
        None,
        fix('.confusion(...).ordinal.normalize("true")', "df.ordinal{}", any="'y', 'yhat'"),
    ),
    case(
        "cube.ordinal.plot(cmap='viridis')",
        None,
        fix(
            'plt.imshow(cube.ordinal.normalize("true"), cmap=...)',
            "import matplotlib.pyplot as plt; {}",
            any="'viridis'",
        ),
    ),
    case(
        "df.ordinal.mae('y', 'yhat', alpha=0.05)",
        MAE,
        fix("report(...)", "df.ordinal.{}['mae']", any="'y', 'yhat', ci=0.95, metrics=['mae']"),
        fix(
            "compare(...)",
            "df['p'] = df['y']; abs(df.ordinal.{}['difference'].iloc[0])",
            any="'y', ['yhat', 'p'], ci=0.95, metrics=['mae']",
        ),
    ),
    case(
        "df.ordinal.compare('y', ['yhat', 'p'], paired=True)",
        None,
        fix("compare(...)", "df.ordinal.{}", any="'y', ['yhat', 'p']"),
        setup="df['p'] = df['y']",
    ),
    case(
        "df.ordinal.mae('y', 'yhat', folds='g')",
        None,
        fix(
            'summary(..., over="fold")',
            "df['fold'] = df['g']; df.ordinal.{}",
            **{"...": "'y', 'yhat'"},
        ),
    ),
    case(
        "cube.ordinal.plot(figsize=(3, 4))",
        None,
        fix(
            "axes.figure.set_size_inches(width, height)",
            "axes = cube.ordinal.plot(); width, height = 3, 4; {}",
        ),
        fix(
            "panels.flat[0].figure.set_size_inches(width, height)",
            (
                "panels = df.ordinal.confusion('y', 'yhat', by='g').ordinal.plot(col='g'); "
                "width, height = 3, 4; {}"
            ),
        ),
    ),
    case(
        "cube.ordinal.plot(title='Models')",
        None,
        fix('axes.set_title("...")', "axes = cube.ordinal.plot(); {}"),
    ),
    case(
        "po.style(report, caption='Models')",
        None,
        fix(".set_caption(...)", "po.style(report){}", any="'Models'"),
        setup="report = df.ordinal.report('y', 'yhat', by='g')",
    ),
    case(
        "df.ordinal.mae('y', 'yhat', ci=0.95)",
        MAE,
        fix(
            'report(..., metrics=["mae"], ci=0.95)',
            "df.ordinal.{}['mae']",
            **{"...": "'y', 'yhat'"},
        ),
    ),
    case(
        "df.ordinal.mae('y', 'yhat', ignore=[[1]])",
        MAE,
        fix("ignore=[9, 99]", "numbers.ordinal.mae('y', 'yhat', {})"),
    ),
    case("po.mae", MAE, fix("df.ordinal.mae", "{}('y', 'yhat')")),
    case(
        "true.ordinal.classes",
        MAE,
        fix("classes=[...]", "true.ordinal.mae(pred, {})", dots="LEVELS"),
        setup=(
            "true, pred = (xr.DataArray([LEVELS[i] for i in one.to_numpy()], dims='case') "
            "for one in (true, pred))"
        ),
    ),
    case(
        "rain.ordinal.least_costly([0, 1])",
        [0, 1],
        fix("costs=[[0, 1], [5, 0]]", "rain.ordinal.least_costly([0, 1], {}).cat.codes"),
        setup="rain = pd.DataFrame({0: [0.9, 0.8], 1: [0.1, 0.2]})",
    ),
    case(
        "df.ordinal.best_thresholds('y', metric='mae')",
        [0.75, 0.75],
        fix(
            'score="score"',
            "df.assign(score=[0.5, 1.1, 1.6, 1]).ordinal.best_thresholds('y', {}, metric='mae')",
        ),
        fix("proba=[...]", dots="LEVELS"),
    ),
    case(
        "df.ordinal.best_thresholds('y', LEVELS, metric='mae')",
        [0.75, 0.75],
        fix("proba=[...]", "df.ordinal.best_thresholds('y', {}, metric='mae')", dots="LEVELS"),
    ),
    case(
        "df.ordinal.best_thresholds(score='id', metric='mae')",
        [0.5, 1.5],
        fix('true="y"', "df.ordinal.best_thresholds(score='id', metric='mae', {})"),
    ),
    case(
        "df.ordinal.best_thresholds('y', 'id', proba=LEVELS, metric='mae')",
        [0.5, 1.5],
        fix("drop proba=", "df.ordinal.best_thresholds('y', 'id', metric='mae')"),
    ),
    case(
        "df.ordinal.best_thresholds(proba=LEVELS, classes=LEVEL, ignore=9, metric='mae')",
        None,
        fix(
            "drop ignore=", "df.ordinal.best_thresholds(proba=LEVELS, classes=LEVEL, metric='mae')"
        ),
    ),
    case(
        "df.ordinal.best_thresholds('y', proba=[LEVELS], metric='mae')",
        [0.75, 0.75],
        fix(
            "proba=['low', 'mid', 'high']",
            "df.ordinal.best_thresholds('y', metric='mae', {})",
        ),
    ),
    case(
        "df.groupby('g').ordinal.most_likely(LEVELS)",
        [0, 1, 2, 1],
        fix("df.ordinal.most_likely(...)", "{}.cat.codes", any="LEVELS, classes=LEVELS"),
    ),
    case(
        "df.ordinal.mae('y', model)",
        MAE,
        fix("df.assign(yhat=model.predict(X))", "{}.ordinal.mae('y', 'yhat')"),
        setup=(
            "from sklearn.tree import DecisionTreeClassifier; X = df[['id']]; "
            "model = DecisionTreeClassifier().fit(X, numbers['yhat']); df['y'] = numbers['y']"
        ),
    ),
    case(
        "df.ordinal.summary('y', 'yhat', metrics=['mae'])['mae'].loc['model', 'mean']",
        None,
        fix('over="fold"', "df.ordinal.summary('y', 'yhat', {}, metrics=['mae'])"),
        setup="df['fold'] = df['g']",
    ),
    case(
        "df.ordinal.compare('y', 'yhat', metrics=['mae'])",
        None,
        fix("pred=['a', 'b']", "df.ordinal.compare('y', {}, metrics=['mae'])"),
        setup="df['a'], df['b'] = df['yhat'], df['y']",
    ),
]

# Mean squared differences of the cumulated probabilities: 0.1, 0.3 next to 0, 0
OF_PROBABILITIES = [
    *[
        case(
            call.format(""),
            None,
            fix("atol=0.002", call.format(", {}")),
            setup=(
                "df[LEVELS] = [[0.333] * 3, [0.2, 0.5, 0.3], [0.25, 0.25, 0.501], [1, 0, 0]]; "
                "ds = xr.Dataset({'y': true, 'p': (('case', 'class'), df[LEVELS].to_numpy())}, "
                "{'class': LEVELS})"
            ),
        )
        for call in [
            "df.ordinal.rps('y', LEVELS{})",
            "df.ordinal.report('y', proba=LEVELS, metrics=['rps'], ci=0.9{})",
            "ds.ordinal.rps('y', 'p', classes=LEVELS{})",
            "df.ordinal.rps_skill('y', LEVELS, reference=df[LEVELS]{})",
        ]
    ],
    case(
        "df.ordinal.rps('y', LEVELS, atol=-1)",
        RPS,
        fix("atol=0.002", "df.ordinal.rps('y', LEVELS, {})"),
    ),
    case(
        "df['y'].ordinal.rps(df['p'])",
        0.05,
        fix("classes=[...]", dots="[0, 1]"),
        setup="df = pd.DataFrame({'y': [0, 0], 'p': [0.1, 0.3]})",
    ),
    case(
        "df['y'].ordinal.rps(df['p'])",
        0.05,
        fix("classes=[...]", dots="[0, 2]"),
        setup="df = pd.DataFrame({'y': [0, 2], 'p': [0.1, 0.7]})",
    ),
    case(
        "df.ordinal.rps('y', LEVELS)",
        RPS,
        fix(
            "df[columns].div(df[columns].sum(axis=1), axis=0)",
            "columns = LEVELS; df[columns] = {}",
        ),
        setup="df[LEVELS] *= 10",
    ),
    case(
        "df.ordinal.rps('y', array)",
        0.05,
        fix("df.assign(p=array)", "df = {}; df.ordinal.rps('y', 'p', classes=[0, 1])"),
        fix("proba='p'", "df = df.assign(p=array); df.ordinal.rps('y', {}, classes=[0, 1])"),
        setup="df = pd.DataFrame({'y': [0, 1]}); array = np.array([0.1, 0.7])",
    ),
    case(
        "df['y'].ordinal.rps(proba, classes=[0, 1])",
        [0.05],
        fix("proba[...].to_frame()", "proba['a'] = {}", **{"[...]": "['a']"}),
        fix(
            "pd.DataFrame({class: column})",
            "df['y'].ordinal.rps({'a': {}}, classes=[0, 1])",
            **{"class: column": "0: 1 - proba['a'], 1: proba['a']"},
        ),
        setup="df = pd.DataFrame({'y': [0, 1], 'p': [0.1, 0.7]}); proba = {'a': df['p']}",
    ),
    case(
        "df.ordinal.report('y', proba=LEVELS, metrics=['rps_dsc'], ci=0.95)['rps_dsc']",
        DSC,
        fix(
            "functools.partial(po.metrics.rps_dsc, corrected=True)",
            "df.ordinal.report('y', proba=LEVELS, metrics=[{}], ci=0.95)['rps_dsc']",
        ),
    ),
    case(
        "po.ordinal(ddf).rps_mcb('y', LEVELS)",
        MCB,
        fix(
            "ddf[[...]].compute()",
            "{}.ordinal.rps_mcb('y', LEVELS)",
            **{"[[...]]": "[['y', *LEVELS]]"},
        ),
        setup=DASK.format("df"),
    ),
    case(
        "df.ordinal.rps_skill('y', LEVELS, reference=reference)",
        0,
        fix("reference.set_axis(df.index)", "reference = {}"),
        setup="reference = df[LEVELS].set_axis(list('abcd'))",
    ),
    case(
        "df.ordinal.rps_skill('y', LEVELS, reference=reference)",
        0,
        fix("reference.reindex(df.index)", "reference = {}"),
        setup="reference = df[LEVELS][::-1]",
    ),
    case(
        "po.ordinal(ddf).rps_skill('y', LEVELS, reference=LEVELS)",
        0,
        fix(
            "ddf[[...]].compute()",
            "{}.ordinal.rps_skill('y', LEVELS, reference=LEVELS)",
            **{"[[...]]": "[['y', *LEVELS]]"},
        ),
        setup=DASK.format("df"),
    ),
]

OF_METRICS = [
    case(
        (
            "df.ordinal.gwet_ac('y', 'yhat', weights=d) - df.ordinal.gwet_ac('y', "
            "'yhat', weights='linear')"
        ),
        0,
        fix("1 - d / d.max()", "d = {}"),
        setup="d = np.array([[0, 1, 2], [1, 0, 1], [2, 1, 0]])",
    ),
    case(
        "po.metrics.mae(cube)",
        MAE,
        fix("cube.ordinal.oci()", oci="mae"),
        fix("po.from_counts(table)", "table = cube.to_pandas(); {}.ordinal.mae()"),
    ),
    case(
        "po.metrics.mae(pd.Series([0, 1, 2]))",
        1 / 3,
        fix(
            "df['y'].ordinal.mae(df['yhat'])",
            "df = pd.DataFrame({'y': [0, 1, 2], 'yhat': [0, 1, 1]}); {}",
        ),
        fix(
            "po.from_counts(table).ordinal.mae()", "table = pd.crosstab([0, 1, 2], [0, 1, 1]); {}"
        ),
    ),
    case(
        "po.metrics.mae([0, 1, 2])",
        MAE,
        fix(
            "po.confusion(true, pred, classes=[...])",
            "true, pred = df['y'], df['yhat']; po.metrics.mae({})",
            dots="LEVELS",
        ),
    ),
    case(
        "po.metrics.mae(counts)",
        MAE,
        fix(".astype(float)", "counts = counts{}"),
        setup="counts = cube.to_numpy().astype(str)",
    ),
    case(
        "df.ordinal.interval_mae('y', 'yhat', unbounded='optimal')",
        None,
        fix(
            "unbounded=(first, last)",
            "first, last = 1, 1; df.ordinal.interval_mae('y', 'yhat', {})",
        ),
        setup="df = numbers.apply(lambda one: pd.cut(one, [-np.inf, 0, 1, np.inf]))",
    ),
    case(
        "df.ordinal.report('y', 'yhat', metrics=['interval_mae'])",
        None,
        fix(
            "functools.partial(po.metrics.interval_mae, unbounded=(first, last))",
            "first, last = 1, 1; df.ordinal.report('y', 'yhat', metrics=[{}])",
        ),
        setup="df = numbers.apply(lambda one: pd.cut(one, [-np.inf, 0, 1, np.inf]))",
    ),
    case(
        "po.metrics.mae(estimator, [[0]], [0])",
        None,
        fix('po.sklearn.scorer("mae", classes=[<lowest>, ..., <highest>])', low="range(3)"),
        setup=(
            "from sklearn.tree import DecisionTreeClassifier; estimator = DecisionTreeClassifier()"
        ),
    ),
    case(
        "po.metrics.resolve(3)",
        None,
        fix("po.metrics.oci", "po.metrics.resolve({})"),
        fix(
            "functools.partial(po.metrics.oci, beta=0.25)",
            "df.ordinal.report('y', 'yhat', metrics=[{}])",
        ),
    ),
    case(
        "df.ordinal.report('y', 'yhat', metrics=['expected_cost'])",
        None,
        fix(
            "functools.partial(po.metrics.expected_cost, costs=...)",
            "df.ordinal.report('y', 'yhat', metrics=[{}])",
            any="np.ones((3, 3))",
        ),
    ),
    case(
        "df.ordinal.oci_general('y', 'yhat', beta2=0, gamma=np.inf, scaled=False)",
        None,
        fix("scaled=True", "df.ordinal.oci_general('y', 'yhat', beta2=0, gamma=np.inf, {})"),
    ),
    case(
        "po.metrics.oci_general(counts, beta2=0.5)",
        None,
        fix("beta2=0", "po.metrics.oci_general(counts, {})"),
        setup="counts = np.eye(40)",
    ),
    case(
        "po.metrics.vus([0, 1, 2, 2], scores, 3)",
        0.5,
        fix(".astype(float)", "scores = scores{}"),
        setup="scores = np.array(['0', '1', '2', '0.5'])",
    ),
    case(
        "po.metrics.vus(y, score, 3)",
        0.5,
        fix("score.to_numpy()", "y, score = y.to_numpy(), {}"),
        setup=(
            "y = pd.Series([0, 1, 2, 2]); score = pd.Series([0, 1, 2, 0.5], index=list('abcd'))"
        ),
    ),
    case(
        "cube.ordinal.mae()",
        MAE,
        fix(".fillna(0)", "cube = cube{}"),
        setup="cube = (2 * cube).where(cube > 0)",
    ),
    case("cube.where(cube > 0).ordinal.mae()", MAE, fix("po.add", "{}(cube, cube).ordinal.mae()")),
]

OF_INFERENCE = [
    case(
        "po.pareto(report)",
        [0.5],
        fix(
            "del report.attrs['metrics_by_label']",
            "{}; po.pareto(report, {'own': 'mae'})['own'].tolist()",
        ),
        setup=(
            "report = pd.DataFrame({'own': [0.5, 0.7]}, index=['a', 'b']); "
            "report.attrs['metrics_by_label'] = '{'"
        ),
    ),
    case(
        "po.pareto(report)",
        None,
        fix("metrics={'qwk': po.metrics.mae, ...}", "po.pareto(report, {})", **{", ...": ""}),
        setup="report = pd.DataFrame({'qwk': [0.5, 0.7]}, index=['a', 'b'])",
    ),
    case(
        "po.pareto(report)",
        None,
        fix("metrics={'own': po.metrics.accuracy, ...}", "po.pareto(report, {})", **{", ...": ""}),
        setup=(
            "report = df.ordinal.report('y', 'yhat', by='g', metrics={'own': lambda counts: "
            "counts[..., 0, 0]})"
        ),
    ),
    case(
        "po.pareto(report, metrics='mae')",
        None,
        fix("metrics=['mae']", "po.pareto(report, {})"),
        setup="report = df.ordinal.report('y', 'yhat', by='g')",
    ),
    case(
        "po.disagreements(comparison)",
        None,
        fix("comparison.rename_axis(index={'metric_1': ...})", "comparison = {}", any="'key'"),
        setup=(
            "comparison = df.assign(p=df['y'], metric_1=1).ordinal.compare('y', ['yhat', "
            "'p'], by='metric_1')"
        ),
    ),
    case(
        "df.assign(p=df['y']).ordinal.compare('y', ['yhat', 'p'], alternative='non-inferior')",
        None,
        "margin=0.02",
    ),
    case(
        "df.ordinal.compare('y', ['yhat', 'p'], alternative='better', margin=0.02)",
        None,
        fix(
            'alternative="non-inferior"', "df.ordinal.compare('y', ['yhat', 'p'], {}, margin=0.02)"
        ),
        setup="df['p'] = df['y']",
    ),
    case(
        "po.corrected_t_test(differences, test_train_ratio=1 / 4)",
        None,
        fix(".astype(float)", "differences = differences{}"),
        setup="differences = np.array(['0.1', '0.2', '0.3'])",
    ),
    case(
        "po.corrected_t_test([0.1, 0.2], test_train_ratio=1 / 4, rope=-0.01)",
        None,
        fix("rope=0.01", "po.corrected_t_test([0.1, 0.2], test_train_ratio=1 / 4, {})"),
    ),
    case(
        "po.friedman(table, greater_is_better=True)",
        None,
        fix("pd.DataFrame(...)", "table = {}", any="table"),
        setup="table = [[0.1, 0.2, 0.3], [0.2, 0.1, 0.4]]",
    ),
    case(
        "po.friedman(table, greater_is_better=True)",
        None,
        fix(".dropna()", "table = table{}"),
        setup=(
            "table = pd.DataFrame([[0.1, 0.2, 0.3], [0.2, 0.1, 0.4], [0.2, 0.1, None], "
            "[0.2, 0.1, 0.3]])"
        ),
    ),
    case(
        "po.friedman(table, greater_is_better=True)",
        None,
        fix(".astype(float)", "table = table{}"),
        setup="table = pd.DataFrame([[0.1, 0.2, 0.3], [0.2, 0.1, 0.4]]).astype(str)",
    ),
    case(
        ("df.ordinal.report('y', score='s', metrics=['vus'], ci=0.9, method='bootstrap')"),
        None,
        fix("ci= and se=", "df.ordinal.report('y', score='s', metrics=['vus'])"),
        setup="df['s'] = [0, 1, 2, 0.5]",
    ),
    case(
        "df.ordinal.report('y', 'yhat', score='s', metrics=['vus'], se=True, stratify='pred')",
        None,
        fix("ci= and se=", "df.ordinal.report('y', score='s', metrics=['vus'])"),
        setup="df['s'] = [0, 1, 2, 0.5]",
    ),
    case(
        "df.ordinal.compare('y', ['yhat', 'p'], metrics=[])",
        None,
        fix("metrics=['mae', 'oci']", "df.ordinal.compare('y', ['yhat', 'p'], {})"),
        setup="df['p'] = df['y']",
    ),
    case(
        "df.ordinal.summary('y', 'yhat', over='g', metrics=[])",
        None,
        fix("metrics=['mae', 'oci']", "df.ordinal.summary('y', 'yhat', over='g', {})"),
    ),
    case(
        (
            "df.ordinal.compare('y', ['yhat', 'p'], score=['s', 't'], metrics=['mae', "
            "'vus'], method='permutation')"
        ),
        None,
        fix("metrics=", "df.ordinal.compare('y', ['yhat', 'p'], {}['mae'], method='permutation')"),
        setup="df['p'] = df['y']; df['s'] = df['t'] = [0, 1, 2, 0.5]",
    ),
    case(
        "df.ordinal.compare('y', 'yhat', model='g')",
        None,
        fix(
            "id='row'",
            (
                "df['row'] = [0, 1, 0, 1]; df['y'] = df['y'].iloc[[0, 1, 0, 1]].to_numpy(); "
                "df['y'] = df['y'].astype(LEVEL); df.ordinal.compare('y', 'yhat', model='g', "
                "{})"
            ),
        ),
    ),
    case(
        "df.ordinal.compare('y', 'yhat', model='m', id='row')",
        None,
        fix("id=['row', 'repeat']", "df.ordinal.compare('y', 'yhat', model='m', {})"),
        setup=(
            "df = pd.concat([df.assign(m=m, row=[0, 0, 1, 1], repeat=[0, 1, 0, 1]) for m "
            "in 'ab'], ignore_index=True)"
        ),
    ),
    case(
        "df.ordinal.compare('y', 'yhat', model='g', id='row')",
        None,
        fix(
            "id=",
            (
                "df['row'] = [0, 1, 0, 1]; df['y'] = pd.Categorical(['low', 'mid'] * 2, "
                "dtype=LEVEL); df.ordinal.compare('y', 'yhat', model='g', {}'row')"
            ),
        ),
        setup="df['row'] = [0, 1, 0, 1]",
    ),
    case(
        "df.ordinal.compare('y', 'yhat', by='g')",
        None,
        fix(
            "model='g'",
            (
                "df['row'] = [0, 1, 0, 1]; df['y'] = pd.Categorical(['low', 'mid'] * 2, "
                "dtype=LEVEL); df.ordinal.compare('y', 'yhat', {}, id='row')"
            ),
        ),
    ),
    case(
        "df.ordinal.report('y', 'yhat', metrics=['mae'], ci=95)['mae']",
        MAE,
        fix("ci=0.95", "df.ordinal.report('y', 'yhat', metrics=['mae'], {})['mae']"),
    ),
    case(
        "df.ordinal.report('y', 'yhat', metrics=['mae'], cluster='g')['mae']",
        MAE,
        fix("ci=0.95", "df.ordinal.report('y', 'yhat', metrics=['mae'], cluster='g', {})['mae']"),
        fix("se=True", "df.ordinal.report('y', 'yhat', metrics=['mae'], cluster='g', {})['mae']"),
    ),
    case(
        "df.ordinal.report('y', 'yhat', metrics=['mae'], ci=0.9, cluster='c')['mae']",
        MAE,
        fix(
            "dropna=True",
            ("df.ordinal.report('y', 'yhat', metrics=['mae'], ci=0.9, cluster='c', {})['mae']"),
        ),
        setup=(
            "df = pd.concat([df, df], ignore_index=True); df['c'] = [1, 2, 3, 4, None, "
            "None, None, None]"
        ),
    ),
]

OF_REPORTS = [
    case(
        "po.style(1)",
        None,
        fix(".ordinal.report(...)", "po.style(df{})", any="'y', 'yhat', by='g'"),
    ),
    case(
        "po.style(report.unstack())",
        None,
        fix(".ordinal.report(...)", "po.style(df{})", any="'y', 'yhat', by=['g', 'w']"),
        setup="report = df.ordinal.report('y', 'yhat', by=['g', 'w'])",
    ),
    case(
        "po.style(df)",
        None,
        fix(".ordinal.report(...)", "po.style(df{})", any="'y', 'yhat', by='g'"),
    ),
    case(
        "df.ordinal.report('y', 'yhat', metrics=['class_mae'])",
        None,
        fix(".ordinal.class_mae(...)", "df{}", any="'y', 'yhat'"),
    ),
    case(
        "df.ordinal.report('y', 'yhat', metrics=['class_mae'])",
        None,
        fix(".ordinal.confusion(...)", "df{}", any="'y', 'yhat'"),
    ),
    case(
        "df.ordinal.report('y', 'yhat', metrics='mae')['mae']",
        MAE,
        fix("metrics=['mae']", "df.ordinal.report('y', 'yhat', {})['mae']"),
    ),
    case(
        "df.ordinal.report('y', 'yhat', metrics='mea')['mae']",
        MAE,
        fix("metrics=['mae', 'oci']", "df.ordinal.report('y', 'yhat', {})['mae']"),
    ),
    case(
        "df.ordinal.report('y', 'yhat', metrics=['oci', 'oci'])",
        None,
        fix(
            "{'first': functools.partial(po.metrics.oci, ...), ...}",
            "df.ordinal.report('y', 'yhat', metrics={})",
            **{", ...)": ", beta=0.5)", "), ...}": "), 'second': 'oci'}"},
        ),
    ),
    case(
        "df.ordinal.report('y', 'yhat', metrics={'own': own})['own']",
        4,
        fix("counts.sum(axis=(-2, -1))", "own = lambda counts: {}"),
        fix("np.trace(counts, axis1=-2, axis2=-1)", "own = lambda counts: 2 * {}"),
        fix(".ordinal.confusion(...)", "df{}.sum()", any="'y', 'yhat'"),
        setup="own = lambda counts: counts.sum(axis=-1)",
    ),
]

OF_PLOTS = [
    case(
        "cube.ordinal.plot(ax=axes)",
        None,
        fix("figure, axes = plt.subplots()", "import matplotlib.pyplot as plt; {}"),
        fix("ax=axes[0]", "cube.ordinal.plot({})"),
        setup="import matplotlib.pyplot; axes = matplotlib.pyplot.subplots(1, 2)[1]",
    ),
    case(
        "cube.ordinal.plot()",
        None,
        fix("cube.isel(g=0)", "cube = {}"),
        fix("cube.sum(['g'])", "cube = {}"),
        setup="cube = df.ordinal.confusion('y', 'yhat', by='g')",
    ),
    case(
        "cube.ordinal.plot(col='g', ax=axes)",
        None,
        fix("cube.isel(g=0)", "{}.ordinal.plot(ax=axes)"),
        setup=(
            "import matplotlib.pyplot; axes = matplotlib.pyplot.subplots()[1]; cube = "
            "df.ordinal.confusion('y', 'yhat', by='g')"
        ),
    ),
    case(
        "cube.ordinal.plot(col='g')",
        None,
        fix("cube.isel(g=slice(9))", "cube = {}"),
        setup=(
            "cube = pd.concat([df] * 50).assign(g=range(200)).ordinal.confusion('y', "
            "'yhat', by='g')"
        ),
    ),
    case(
        "df.ordinal.plot_roc('y', 's', ax=axes)",
        None,
        fix(
            'plt.subplots(subplot_kw={"projection": "3d"})',
            "import matplotlib.pyplot as plt; axes = {}[1]",
        ),
        setup=(
            "import matplotlib.pyplot; axes = matplotlib.pyplot.subplots()[1]; df['s'] = "
            "[0, 1, 2, 0.5]"
        ),
    ),
    case(
        "po.plot.critical_difference(table)",
        None,
        fix(
            "po.friedman(table, greater_is_better=...)",
            "po.plot.critical_difference({})",
            **{"...": "True"},
        ),
        setup=(
            "table = pd.DataFrame([[0.1, 0.2, 0.3], [0.2, 0.1, 0.4], [0.1, 0.3, 0.2]], "
            "columns=list('abc'))"
        ),
    ),
    case(
        "po.plot.forest(df.ordinal.report('y', 'yhat', by='g'))",
        None,
        fix(
            "df.ordinal.report(..., ci=0.95)",
            "po.plot.forest({})",
            **{"...": "'y', 'yhat', by='g', metrics=['mae']"},
        ),
    ),
]

OF_FILES = [
    case(
        "po.open_cube(b'cube.nc').ordinal.mae()",
        MAE,
        fix(
            "os.fsdecode(path)",
            (
                "path = (folder + '/cube.nc').encode(); cube.ordinal.to_netcdf({}); "
                "po.open_cube({}).ordinal.mae()"
            ),
        ),
    ),
    case(
        "cube.ordinal.to_netcdf(path)",
        None,
        fix("os.fsdecode(path)", "cube.ordinal.to_netcdf({})"),
        setup="path = (folder + '/cube.nc').encode()",
    ),
    case(
        "po.open_cube(path)",
        MAE,
        fix("po.open_report(path)", "{}['mae']"),
        setup="path = folder + '/report.nc'; cube.ordinal.report().ordinal.to_netcdf(path)",
    ),
    case(
        "po.open_report(path)",
        MAE,
        fix("po.open_cube", "{}(path).ordinal.mae()"),
        setup="path = folder + '/cube.nc'; cube.ordinal.to_netcdf(path)",
    ),
    case(
        "po.cube_from_dataset(dataset)",
        MAE,
        fix(
            "po.open_cube([...])",
            "cube.ordinal.to_netcdf(folder + '/a.nc'); {}.ordinal.mae()",
            dots="[folder + '/a.nc']",
        ),
        fix("po.cube_from_dataset", "{}(cube.ordinal.to_dataset()).ordinal.mae()"),
        setup=(
            "other = df.assign(g=[1, 2, 3, 4]).ordinal.confusion('y', 'yhat', "
            "by='g').ordinal.to_dataset(); dataset = "
            "xr.concat([df.ordinal.confusion('y', 'yhat', by='g').ordinal.to_dataset(), "
            "other], 'g', data_vars='minimal', coords='minimal', compat='override', "
            "join='outer')"
        ),
    ),
    case(
        "po.cube_from_dataset(dataset)",
        MAE,
        fix(
            ("cube.assign_coords(true=pd.CategoricalIndex([...], [...], ordered=True), pred=...)"),
            "cube = next(iter(dataset.values())); {}.ordinal.mae()",
            dots="LEVELS",
            **{"pred=...": "pred=pd.CategoricalIndex(LEVELS, LEVELS, ordered=True)"},
        ),
        setup="dataset = cube.ordinal.to_dataset().drop_attrs()",
    ),
    case(
        "po.cube_from_dataset(cube)",
        MAE,
        fix("cube.ordinal.to_dataset()", "po.cube_from_dataset({}).ordinal.mae()"),
    ),
    case(
        "array.ordinal.to_netcdf(path)",
        None,
        fix("array.assign_coords({'k': array['k'].astype(\"float64\")})", "array = {}"),
        setup="path = folder + '/cube.nc'; array = cube.assign_coords(k=np.float16(1))",
    ),
    case(
        "array.ordinal.to_netcdf(path)",
        None,
        fix("array.reset_index('s')", "array = {}"),
        setup=(
            "path = folder + '/cube.nc'; array = df.ordinal.confusion('y', 'yhat', "
            "by=['g', 'w']).stack(s=['g', 'w'])"
        ),
    ),
    case(
        "array.ordinal.to_netcdf(path)",
        None,
        fix(
            ("array.assign_coords({'g': ('g', array['g'].to_index().rename_categories(str))})"),
            "array = {}",
        ),
        setup=(
            "path = folder + '/cube.nc'; array = cube.expand_dims(g=pd.CategoricalIndex([(1, 2)]))"
        ),
    ),
    case(
        "array.ordinal.to_netcdf(path)",
        None,
        fix("array.assign_coords({'g': ('g', list(map(str, array['g'].values)))})", "array = {}"),
        setup=(
            "path = folder + '/cube.nc'; array = "
            "cube.expand_dims('g').assign_coords(g=('g', np.array([{1: 2}], object)))"
        ),
    ),
    case(
        "array.ordinal.to_netcdf(path)",
        None,
        fix("array.assign_coords({'k': array['k'].astype(str)})", "array = {}"),
        setup="path = folder + '/cube.nc'; array = cube.assign_coords(k=np.array(1j))",
    ),
    case(
        "po.cube_from_dataset(dataset)",
        None,
        fix("po.cube_from_dataset", "{}(one.ordinal.to_dataset())"),
        setup=(
            "one = df.ordinal.confusion('y', 'yhat', by=['g', 'w']); dataset = "
            "one.ordinal.to_dataset().stack(s=['g', 'w'])"
        ),
    ),
    case(
        "cube.ordinal.to_netcdf(path)",
        None,
        fix('engine="h5netcdf"', "cube.ordinal.to_netcdf(path, {})"),
        setup="path = folder + '/a\\\\b.nc'",
    ),
    case(
        "po.read_parquet(path).ordinal.mae('y', 'yhat')",
        MAE,
        fix("pd.read_parquet", "df = {}(path).astype(LEVEL); df.ordinal.mae('y', 'yhat')"),
        fix(
            'df["y"].ordinal.as_ordered([...])',
            (
                "df = pd.read_parquet(path); df['y'] = {}; df['yhat'] = "
                "df['yhat'].ordinal.as_ordered(LEVELS); df.ordinal.mae('y', 'yhat')"
            ),
            dots="LEVELS",
        ),
        setup="path = folder + '/a.parquet'; text.to_parquet(path)",
    ),
    case(
        "df.ordinal.to_parquet(path)",
        None,
        fix("df.assign(**{'c': df['c'].astype(str)})", "df = {}"),
        setup="path = folder + '/a.parquet'; df['c'] = [1j] * 4",
    ),
    case(
        "df.ordinal.to_parquet(path)",
        None,
        fix("df.assign(**{'c': df['c'].astype('float64')})", "df = {}"),
        setup="path = folder + '/a.parquet'; df['c'] = np.ones(4, '>f8')",
    ),
    case(
        "df.ordinal.to_parquet(path)",
        None,
        fix("df['c'].cat.rename_categories(str)", "df['c'] = {}"),
        setup="path = folder + '/a.parquet'; df['c'] = pd.Categorical([(1, 2)] * 4)",
    ),
    case(
        "df.ordinal.to_parquet(path)",
        None,
        fix("df['c'].astype(str)", "df['c'] = {}"),
        setup=(
            "import pyarrow; path = folder + '/a.parquet'; df['c'] = pd.array([b'a'] * "
            "4, dtype=pd.ArrowDtype(pyarrow.dictionary(pyarrow.int32(), "
            "pyarrow.binary())))"
        ),
    ),
    case(
        "df.ordinal.to_parquet(path)",
        None,
        fix("df.set_flags(allows_duplicate_labels=True)", "df = {}"),
        setup=("path = folder + '/a.parquet'; df = df.set_flags(allows_duplicate_labels=False)"),
    ),
    case(
        "df.ordinal.to_parquet(path)",
        None,
        fix("df.reset_index()", "df = {}"),
        setup="path = folder + '/a.parquet'; df = df[[]]",
    ),
    case(
        "df.ordinal.to_parquet(path)",
        None,
        fix("df.set_axis(list(df.columns), axis=1)", "df = {}"),
        setup="path = folder + '/a.parquet'; df.columns = pd.CategoricalIndex(df.columns)",
    ),
    case(
        "df.ordinal.to_parquet(path)",
        None,
        fix("df.assign(**{'c': ...})", "df = {}", any="df['c'].map(str)"),
        setup=(
            "path = folder + '/a.parquet'; df['c'] = pd.Series([1, 2, 3, np.int8(4)], "
            "dtype=object)"
        ),
    ),
    case(
        "df.ordinal.to_parquet(path)",
        None,
        fix("df.reset_index()", "df = {}"),
        setup="path = folder + '/a.parquet'; df = df.set_index('y')",
    ),
    case(
        "df.ordinal.to_parquet(path)",
        None,
        fix("df.reset_index()", "df = {}"),
        setup=(
            "path = folder + '/a.parquet'; df.index = pd.Index(pd.array([1, 2, 3, None], "
            "dtype='Int64'), name='k')"
        ),
    ),
    case(
        "df.ordinal.to_parquet(path)",
        None,
        fix("df.rename_axis(index=[...])", "df = {}", dots="['k']"),
        setup="path = folder + '/a.parquet'; df.index.name = 3",
    ),
    case(
        "df.ordinal.to_parquet(path)",
        None,
        fix("df.assign(**{'c': list(map(str, df['c']))})", "df = {}"),
        setup=(
            "import pyarrow; path = folder + '/a.parquet'; df['c'] = pd.array([[1]] * 4, "
            "dtype=pd.ArrowDtype(pyarrow.list_(pyarrow.int64())))"
        ),
    ),
    case(
        "df.ordinal.to_parquet(path)",
        None,
        fix("df.set_axis(list(map(str, df.columns)), axis=1)", "df = {}"),
        setup="path = folder + '/a.parquet'; df.columns = [1, *df.columns[1:]]",
    ),
    case(
        "df.ordinal.to_parquet(path)",
        None,
        fix("df.reset_index()", "df = {}"),
        setup=(
            "path = folder + '/a.parquet'; df.index = "
            "pd.MultiIndex.from_arrays([pd.array([1, 2, 3, None], dtype='Int64'), "
            "list('abcd')], names=['k', 'l'])"
        ),
    ),
    case(
        "cube.ordinal.to_zarr(path)",
        None,
        fix('mode="w"', "cube.ordinal.to_zarr(path, {})"),
        setup="path = folder + '/cube.zarr'; cube.ordinal.to_zarr(path)",
    ),
    case(
        "cube.ordinal.to_netcdf(path)",
        None,
        fix("os.makedirs('", "os.makedirs(os.path.dirname(path)); cube.ordinal.to_netcdf(path)"),
        setup="path = folder + '/new/cube.nc'",
    ),
]

OF_ROWS = [
    case(
        "a.update(numbers, 'y', 'yhat')",
        None,
        fix("pred=['yhat']", "a.update(numbers, 'y', {})"),
        setup="a = po.Counter(classes=range(3)); a.update(numbers, 'y', ['yhat'])",
    ),
    case(
        "a.merge(cube)",
        None,
        fix("po.add(counter.cube, cube)", "counter = a; {}.ordinal.mae()"),
        setup="a = po.Counter(classes=LEVELS); a.update(text, 'y', 'yhat')",
    ),
    case(
        (
            "po.Counter(classes=range(3)).update({'y': numbers['y'], 'yhat': "
            "numbers['yhat']}, 'y', 'yhat')"
        ),
        None,
        fix(
            "pd.DataFrame(...)",
            "po.Counter(classes=range(3)).update({}, 'y', 'yhat')",
            any="numbers",
        ),
    ),
    case(
        "po.from_counts(table)",
        MAE,
        fix(
            (
                "po.from_counts(table.stack().reset_index(name='n'), true='y', pred='yhat', "
                "count='n', by='g')"
            ),
            "{}.ordinal.mae().mean()",
        ),
        setup="table = pd.crosstab([df['g'], df['y']], df['yhat'])",
    ),
    case(
        "po.from_counts(table)",
        MAE,
        fix(
            (
                "po.from_counts(table.T.stack().reset_index(name='n'), true='y', "
                "pred='yhat', count='n', by='g')"
            ),
            "{}.ordinal.mae().mean()",
        ),
        setup="table = pd.crosstab(df['y'], [df['g'], df['yhat']])",
    ),
    case(
        "po.from_counts(table)",
        MAE,
        fix(
            (
                "po.from_counts(table.stack([0, 1], "
                "future_stack=True).reset_index(name='n'), true='y', pred='yhat', count='n', "
                "by=['w', 'g'])"
            ),
            "{}.ordinal.mae().mean()",
        ),
        setup="table = pd.crosstab([df['w'], df['y']], [df['g'], df['yhat']])",
    ),
    case(
        "po.from_counts(table, classes=LEVELS).ordinal.mae()",
        MAE,
        fix("table.filled(0)", "table = {}"),
        setup="table = np.ma.masked_equal(cube.to_numpy(), 0)",
    ),
    case(
        "po.from_counts(counts)",
        MAE,
        fix(
            "po.from_counts(counts.reset_index(name='n'), true=..., pred=..., count='n')",
            "{}.ordinal.mae()",
            **{"true=..., pred=...": "true='y', pred='yhat'"},
        ),
        setup="counts = df.groupby(['y', 'yhat'], observed=True).size()",
    ),
    case(
        "po.from_counts(cube.to_numpy())",
        MAE,
        fix("classes=[...]", "po.from_counts(cube.to_numpy(), {}).ordinal.mae()", dots="LEVELS"),
    ),
    case(
        "po.confusion(true, pred)",
        None,
        fix("pred.to_numpy().T", "po.confusion(true, {})"),
        setup="true, pred = [0, 1, 2], pd.DataFrame({'a': [0, 1, 1], 'b': [2, 1, 2]})",
    ),
    case(
        "po.confusion(true, pred)",
        None,
        fix("np.stack(pred)", "po.confusion(true, {})"),
        setup="true, pred = [0, 1, 2], [pd.Series([0, 1, 1]), pd.Series([2, 1, 2])]",
    ),
    case(
        "po.confusion([(0, 1), (0, 2)], [(0, 1), (0, 2)], classes=[(0, 1), (0, 2)])",
        None,
        fix(
            "pd.Series(true)",
            (
                "true = pred = [(0, 1), (0, 2)]; po.confusion({}, pd.Series(pred), "
                "classes=[(0, 1), (0, 2)])"
            ),
        ),
    ),
    case(
        "po.from_counts(table, true='y', pred='yhat', count='n').ordinal.mae()",
        MAE,
        fix(".astype(float)", "table['n'] = table['n']{}"),
        setup=(
            "table = df.groupby(['y', 'yhat'], "
            "observed=True).size().reset_index(name='n').astype({'n': str})"
        ),
    ),
    case(
        "po.from_counts(table)",
        MAE,
        fix("po.from_counts(table.set_index('y'), ...)", "{}.ordinal.mae()", **{", ...": ""}),
        setup="table = pd.crosstab(df['y'], df['yhat']).reset_index()",
    ),
    case(
        "po.from_counts(table)",
        MAE,
        fix(
            "po.from_counts(pa.table(table).to_pandas().set_index('y'), ...)",
            "import pyarrow as pa; {}.ordinal.mae()",
            **{", ...": ", classes=LEVELS"},
        ),
        setup=(
            "import duckdb; crossed = pd.crosstab(text['y'], "
            "text['yhat']).reset_index(); table = duckdb.sql('select * from crossed')"
        ),
    ),
    case(
        "po.from_counts(table)",
        MAE,
        fix(
            "po.from_counts(table.to_pandas().set_index('y'), ...)",
            "{}.ordinal.mae()",
            **{", ...": ", classes=LEVELS"},
        ),
        setup=(
            "import pyarrow; table = pyarrow.Table.from_pandas(pd.crosstab(text['y'], "
            "text['yhat']).reset_index())"
        ),
    ),
    case(
        "po.from_counts(table).ordinal.mae()",
        MAE,
        fix(
            "table.drop(index='All', columns='All', errors='ignore')",
            "table = {}; po.from_counts(table, classes=LEVELS).ordinal.mae()",
        ),
        setup="table = pd.crosstab(df['y'], df['yhat'], margins=True)",
    ),
    case(
        "df.ordinal.report('y', 'yhat', proba=PROBA, metrics=['rps'])['rps']",
        RPS,
        fix(
            "classes=[...]",
            "df.ordinal.report('y', 'yhat', proba=PROBA, metrics=['rps'], {})['rps']",
            dots="LEVELS",
        ),
        setup="df = text",
    ),
    case(
        "df.ordinal.expected_class(LEVELS)",
        [0.5, 1.1, 1.6, 1.0],
        fix("classes=[...]", dots="LEVELS"),
        fix("df['y'].dtype", "df.ordinal.expected_class(LEVELS, classes={})"),
    ),
    case(
        "df['y'].ordinal.rps(PROBA)", RPS, fix("classes=[...]", dots="LEVELS"), setup="df = text"
    ),
    case(
        "df['s'].ordinal.classify([0.5, 1.5]).cat.codes",
        [0, 1, 2, 1],
        fix("classes=[...]", "df['s'].ordinal.classify([0.5, 1.5], {}).cat.codes", dots="LEVELS"),
        setup="df['s'] = [0, 1, 2, 0.7]",
    ),
    case(
        "df['s'].ordinal.classify(pd.Series([0.5, 1.5], ['low', 'mid'])).cat.codes",
        [0, 1, 2, 1],
        fix(
            "classes=[...]",
            ("df['s'].ordinal.classify(pd.Series([0.5, 1.5], ['low', 'mid']), {}).cat.codes"),
            dots="LEVELS",
        ),
        setup="df['s'] = [0, 1, 2, 0.7]",
    ),
]

OF_DASK = [
    case(
        "po.ordinal(ddf).mae('y', 'yhat').compute()",
        MAE,
        fix(
            (
                "ddf['y'] = ddf['y'].astype(pd.CategoricalDtype([<lowest>, ..., <highest>], "
                "ordered=True))"
            ),
            "{}; ddf['yhat'] = ddf['yhat'].astype(LEVEL)",
            low="LEVELS",
        ),
        fix(
            "classes=[<lowest>, ..., <highest>]",
            "po.ordinal(ddf).mae('y', 'yhat', {}).compute()",
            low="LEVELS",
        ),
        setup=DASK.format("df")
        + ("; ddf['y'] = ddf['y'].cat.as_unknown(); ddf['yhat'] = ddf['yhat'].cat.as_unknown()"),
    ),
    case(
        "po.ordinal(ddf).mae('y', 'yhat').compute()",
        MAE,
        fix(
            "classes=range(<lowest>, <highest> + 1)",
            "po.ordinal(ddf).mae('y', 'yhat', {}).compute()",
            **{"<lowest>, <highest>": "0, 2"},
        ),
        fix(
            "classes=[<lowest>, ..., <highest>]",
            "po.ordinal(ddf).mae('y', 'yhat', {}).compute()",
            low="range(3)",
        ),
        setup=DASK.format("numbers"),
    ),
    case(
        ("po.ordinal(ddf).mae('y', 'yhat', by='k', groups={'k': [0, 1, 2, 3]}).compute()"),
        [0, 1, 0, 1],
        fix("ddf.reset_index()", "ddf = {}"),
        setup=DASK.format("df.rename_axis('k')"),
    ),
    case(
        "po.ordinal(ddf).mae('y', 'yhat', by='g', groups={'g': ['a']}).compute()",
        [0.5, 0.5],
        fix(
            "groups={'g': [...]}",
            "po.ordinal(ddf).mae('y', 'yhat', by='g', {}).compute()",
            dots="['a', 'b']",
        ),
        setup=DASK.format("df"),
    ),
    case(
        "po.ordinal(ddf).mae('y', ddf['yhat']).compute()",
        MAE,
        fix(
            "ddf.assign(...)",
            "ddf = {}; po.ordinal(ddf).mae('y', 'pred').compute()",
            any="pred=ddf['yhat']",
        ),
        setup=DASK.format("df"),
    ),
    case(
        "po.ordinal(ddf).mae('y', 'yhat', by='k').compute()",
        [0.5, 0.5],
        fix("ddf.astype({'k': 'Int64'})", "ddf = {}"),
        fix("ddf.astype({'k': str})", "ddf = {}"),
        setup=(
            "import dask.dataframe; parts = [df.iloc[:2].assign(k=2**53 + 1), "
            "df.iloc[2:].assign(k=2.0)]; ddf = dask.dataframe.from_map(lambda one: one, "
            "parts, meta=parts[0])"
        ),
    ),
    case(
        "po.ordinal(reader).mae('y', 'yhat')",
        MAE,
        fix("reader.read_all()", "reader = pa.table(df.reset_index()).to_reader(); reader = {}"),
        setup=(
            "import pyarrow as pa; reader = pa.table(df.reset_index()).to_reader(); "
            "reader.read_all()"
        ),
    ),
    case(
        "po.ordinal(ddf).report('y', 'yhat', se=True, cluster=array, metrics=['mae']).compute()",
        MAE,
        fix(
            "ddf.assign(cluster=array)",
            (
                "ddf['cluster'] = dask.array.from_array(array, chunks=2); po.ordinal(ddf).report("
                "'y', 'yhat', se=True, cluster='cluster', metrics=['mae']).compute()['mae']"
            ),
        ),
        setup=f"{DASK.format('df')}; import dask.array; array = np.arange(4)",
    ),
    case(
        "po.ordinal(ddf).mae('y', 'yhat', by='k').compute()",
        [0.5, 0.5],
        fix("ddf.astype({'k': 'datetime64[s]'})", "ddf = {}"),
        setup=(
            "import dask.dataframe; parts = [df.iloc[:2].assign(k=pd.Timestamp('2020')), "
            "df.iloc[2:].assign(k=np.datetime64('9999-01-01', 's'))]; "
            "parts[0]['k'] = parts[0]['k'].astype('datetime64[ns]'); "
            "ddf = dask.dataframe.from_map(lambda one: one, parts, meta=parts[0].iloc[:0])"
        ),
    ),
]

OF_SKLEARN = [
    case(
        "po.sklearn.cross_val_frame({'a': tree}, X, y, groups=groups)",
        None,
        fix(
            "cv=StratifiedGroupKFold(5)",
            "po.sklearn.cross_val_frame({'a': tree}, X, y, groups=groups, {})",
        ),
        fix(
            "cv=list(splitter.split(X, y))",
            (
                "from sklearn.model_selection import KFold; splitter = KFold(3, "
                "shuffle=True, random_state=0); po.sklearn.cross_val_frame({'a': tree}, X, "
                "y, {})"
            ),
        ),
        setup=SPLITS,
    ),
    case(
        "po.sklearn.cross_val_frame({'a': regressor}, X, y)",
        None,
        fix(
            "po.sklearn.OrdinalThresholds(regressor)",
            "po.sklearn.cross_val_frame({'a': {}}, X, y)".replace("{'a': {}}", "dict(a={})"),
        ),
        setup=SPLITS
        + ("; from sklearn.linear_model import LinearRegression; regressor = LinearRegression()"),
    ),
    case(
        "po.sklearn.cross_val_frame({'a': DecisionTreeClassifier}, X, y)",
        None,
        fix("DecisionTreeClassifier(...)", "po.sklearn.cross_val_frame(dict(a={}), X, y)", any=""),
        setup=SPLITS,
    ),
    case(
        "po.sklearn.cross_val_frame({'a': 3}, X, y)",
        None,
        fix(
            "sklearn.tree.DecisionTreeClassifier()",
            "import sklearn.tree; po.sklearn.cross_val_frame(dict(a={}), X, y)",
        ),
        setup=SPLITS,
    ),
    case(
        "po.sklearn.cross_val_frame({'a': tree}, X, y)",
        None,
        fix("X[~y.mask]", "X, y = {}, y.compressed()"),
        setup=SPLITS + "; y = np.ma.masked_array(y, [True] * 3 + [False] * 27)",
    ),
    case(
        "po.sklearn.cross_val_frame({'a': tree}, df[['x']], df['y'])",
        None,
        fix("df.dropna(subset=['y'])", "df = {}"),
        setup=SPLITS + "; df = pd.DataFrame({'x': range(30), 'y': [None, *y[1:]]})",
    ),
    case(
        "po.sklearn.scorer('mae')",
        None,
        fix("classes=[...]", dots="range(3)"),
        fix("classes=df['y']", "po.sklearn.scorer('mae', {})"),
    ),
    case(
        "po.sklearn.scorer('mae', classes=[0, 1])(tree.fit(X, y), X, y)",
        0,
        fix("classes=", "-po.sklearn.scorer('mae', {}[0, 1, 2])(tree.fit(X, y), X, y)"),
        setup=SPLITS,
    ),
]

OF_REST = [
    case(
        "pd.DataFrame({'y': y, 'yhat': y}).ordinal.mae('y', 'yhat')",
        0,
        fix(
            ".astype(pd.CategoricalDtype([...], ordered=True))",
            (
                "parts = [pd.Series(part.to_pylist()){} for part in parts]; y = "
                "pd.concat(parts, ignore_index=True)"
            ),
            dots="LEVELS",
        ),
        setup=(
            "import pyarrow as pa; parts = [pa.DictionaryArray.from_arrays(pa.array([0, "
            "1], pa.int32()), pa.array(labels), ordered=True) for labels in (['low', "
            "'mid'], ['mid', 'low'])]; y = pd.Series(pa.chunked_array(parts), "
            "dtype=pd.ArrowDtype(parts[0].type))"
        ),
    ),
    case(
        "df.ordinal.mae('y', 'yhat')",
        1 / 2,
        fix(
            "df['y'] = df['y'].ordinal.as_ordered(pd.IntervalIndex.from_breaks([...]))",
            "{}; df['yhat'] = df['yhat'].ordinal.as_ordered(df['y'].ordinal.classes)",
            dots="pd.to_datetime(['2020', '2021', '2022'])",
        ),
        setup=(
            "df = pd.DataFrame({'y': pd.to_datetime(['2020-05', '2021-05']), 'yhat': "
            "pd.to_datetime(['2020-05', '2020-05'])}); df = df.apply(lambda one: "
            "pd.Series(list(pd.cut(one, pd.to_datetime(['2020', '2021', '2022']))), "
            "dtype=object))"
        ),
    ),
    case(
        "df.ordinal.mae('y', 'yhat')",
        1 / 2,
        fix(
            (
                "pd.Categorical.from_codes(df['yhat'], pd.IntervalIndex.from_breaks([...]), "
                "ordered=True)"
            ),
            "df['yhat'] = {}",
            dots="pd.to_datetime(['2020', '2021', '2022'])",
        ),
        setup=(
            "df = pd.DataFrame({'y': pd.cut(pd.Series(pd.to_datetime(['2020-05', "
            "'2021-05'])), pd.to_datetime(['2020', '2021', '2022'])), 'yhat': [0, 0]})"
        ),
    ),
    case(
        "df.ordinal.to_parquet(path)",
        None,
        fix("df.reset_index()", "df = {}"),
        setup=(
            "path = folder + '/a.parquet'; df.index = pd.MultiIndex([[2**53 + 1], "
            "['a']], [[0, -1, 0, 0], [0, 0, 0, 0]], names=['k', 'l'])"
        ),
    ),
    case(
        "po.open_cube(path).ordinal.mae()",
        None,
        fix(
            "po.cube_from_dataset(xr.open_dataset('", "po.cube_from_dataset(xr.open_dataset(path))"
        ),
        setup=(
            "import h5py; path = folder + '/a.nc'; cube.ordinal.to_netcdf(path); file = "
            "h5py.File(path, 'r+'); file[cube.name or 'count'][0, 0] = 5; file.close()"
        ),
    ),
    case(
        "po.open_cube(path).ordinal.mae()",
        None,
        fix(
            ', engine="zarr", consolidated=False))', "po.cube_from_dataset(xr.open_dataset(path{}"
        ),
        setup=(
            "import glob; path = folder + '/a.zarr'; cube.ordinal.to_zarr(path); "
            "[os.remove(one) for one in glob.glob(path + '/*/c/0/0')]"
        ),
    ),
    case(
        "po.open_cube(path).ordinal.mae()",
        MAE,
        fix(
            "os.rename(",
            ("{}path + '.abcdefgh.part/a.zarr.old', path); po.open_cube(path).ordinal.mae()"),
        ),
        setup=(
            "path = os.path.realpath(folder) + '/a.zarr'; cube.ordinal.to_zarr(path); "
            "os.mkdir(path + '.abcdefgh.part'); os.rename(path, path + "
            "'.abcdefgh.part/a.zarr.old')"
        ),
    ),
    case(
        "df.ordinal.mae('y', 'yhat', by=lambda i: i)",
        [0, 1, 0, 1],
        fix("df.groupby(...).ordinal", "{}.mae('y', 'yhat')", any="lambda i: i"),
    ),
    case(
        "po.from_counts(table).ordinal.mae()",
        MAE,
        fix(
            "classes=[<lowest>, ..., <highest>]",
            "po.from_counts(table, {}).ordinal.mae()",
            low="LEVELS",
        ),
        fix(
            (
                "table.index = pd.Series(table.index).ordinal.as_ordered([<lowest>, ..., "
                "<highest>])"
            ),
            "{}; table.columns = pd.Series(table.columns).ordinal.as_ordered(LEVELS)",
            low="LEVELS",
        ),
        setup="table = pd.crosstab(text['y'], text['yhat'])",
    ),
    case(
        "po.from_counts(table).ordinal.mae()",
        MAE,
        "table.columns = pd.Series(table.columns).astype(int)",
        setup="table = pd.crosstab(numbers['y'], numbers['yhat']).rename(columns=str)",
    ),
    case(
        "po.from_counts(table, true='y', pred='yhat', count='n').ordinal.mae()",
        MAE,
        fix(
            "classes=[...]",
            "po.from_counts(table, true='y', pred='yhat', count='n', {}).ordinal.mae()",
            dots="LEVELS",
        ),
        setup=(
            "import pyarrow as pa; table = text.groupby(['y', "
            "'yhat']).size().reset_index(name='n'); table = table.assign(**{one: "
            "pd.Series(pa.DictionaryArray.from_arrays(pa.array([LEVELS.index(i) for i in "
            "table[one]], pa.int32()), pa.array(LEVELS), ordered=True), "
            "dtype=pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string(), True))) for one "
            "in ('y', 'yhat')})"
        ),
    ),
    case(
        "po.ordinal(ddf).mae('y', 'yhat', sample_weight=array).compute()",
        MAE,
        fix(
            "ddf.assign(weight=array)",
            "po.ordinal({}).mae('y', 'yhat', sample_weight='weight').compute()",
        ),
        setup=DASK.format("df") + "; array = ddf['w'].to_dask_array(lengths=True)",
    ),
    case(
        "po.ordinal(ddf).mae('y', 'yhat', sample_weight='w').compute()",
        MAE,
        fix("ddf['w'].astype(bool)", "ddf['w'] = {}"),
        fix(".astype(float)", "ddf['w'] = ddf['w']{}"),
        setup=(
            "import dask.dataframe\nwith dask.config.set({'dataframe.convert-string': "
            "False}): ddf = dask.dataframe.from_pandas(df.assign(w=pd.Series([True] * 4, "
            "dtype=object)), npartitions=2)"
        ),
    ),
    case(
        "df['s'].ordinal.classify(limits).cat.codes",
        [0, 1, 2, 1],
        fix("classes=[...]", "df['s'].ordinal.classify(limits, {}).cat.codes", dots="LEVELS"),
        setup=(
            "df['s'] = [0, 1, 2, 0.7]; limits = pd.Series([0.5, 1.5], "
            "pd.CategoricalIndex(['low', 'mid'], LEVELS))"
        ),
    ),
    case(
        "po.sklearn.cross_val_frame({'a': tree}, X, y)['y'].cat.codes",
        OF_THIRTY,
        fix(
            "classes=[<lowest>, ..., <highest>]",
            "po.sklearn.cross_val_frame({'a': tree}, X, y, {})['y'].cat.codes",
            low="LEVELS",
        ),
        fix("y = pd.Series(y).ordinal.as_ordered([<lowest>, ..., <highest>])", low="LEVELS"),
        setup=SPLITS + "; y = np.array(LEVELS)[y]",
    ),
]

OF_CALIBRATION = [
    case(
        "df.ordinal.report('y', metrics=['ece'], proba=LEVELS)",
        RPS,
        fix('calibration("y", proba=[...])', "df.ordinal.{}['rps']", dots="LEVELS"),
    ),
    case(
        "df.ordinal.calibration('y')",
        RPS,
        fix("proba=['low', 'mid', 'high']", "df.ordinal.calibration('y', {})['rps']"),
    ),
    case(
        "cube.ordinal.calibration('y', LEVELS)",
        RPS,
        fix("df.ordinal.calibration(...)", "{}['rps']", any="'y', LEVELS"),
        fix(
            "ddf[[...]].compute().ordinal.calibration(...)",
            "{}['rps']",
            **{"[[...]]": "[['y', *LEVELS]]", "calibration(...)": "calibration('y', LEVELS)"},
        ),
        setup=DASK.format("df"),
    ),
    case(
        "df.ordinal.optimized_rounder",
        [0.75, 0.75],
        fix('df.ordinal.best_thresholds("y", proba=[...], metric="kappa")', "{}", dots="LEVELS"),
    ),
    case(
        "df.ordinal.argmax",
        [0, 1, 2, 1],
        fix(
            "df.ordinal.most_likely([...], classes=[...])",
            "{}.cat.codes",
            dots="LEVELS",
        ),
    ),
    case(
        "df.ordinal.hosmer_lemeshow",
        RPS,
        fix('df.ordinal.calibration("y", proba=[...])', "{}['rps']", dots="LEVELS"),
    ),
    case(
        "df.ordinal.calibration_curve",
        8,
        fix('df.ordinal.reliability_curve("y", proba=[...])', "{}['n'].sum()", dots="LEVELS"),
    ),
    case(
        "df.ordinal.calibration_plot",
        2,
        fix('df.ordinal.plot_reliability("y", proba=[...])', "len({})", dots="LEVELS"),
    ),
    case(
        "po.plot.plot_reliability",
        2,
        fix('df.ordinal.plot_reliability("y", proba=[...])', "len({})", dots="LEVELS"),
    ),
    case(
        "df.ordinal.report('y', metrics=['rps_mcb'], proba=LEVELS, ci=0.9)",
        None,
        fix(
            "functools.partial(po.metrics.rps_mcb, corrected=True)",
            "df.ordinal.report('y', metrics={'own': {}}, proba=LEVELS, ci=0.9)",
        ),
    ),
    case(
        "df.ordinal.plot_reliability('y', LEVELS, ci=None, ax=axes)",
        None,
        "threshold='low'",
        setup="import matplotlib.pyplot as plt; axes = plt.figure().subplots()",
    ),
    case(
        "df.ordinal.plot_reliability('y', models, ci=None)",
        None,
        "threshold='low'",
        setup="models = {f'model {i}': LEVELS for i in range(51)}",
    ),
    case(
        "pd.Series([0, 0]).ordinal.calibration(np.ones((2, 1)), classes=[0])",
        0,
        fix(
            "classes=[...]",
            "pd.Series([0, 0]).ordinal.calibration(np.eye(2)[[0, 0]], {})['rps']",
            dots="[0, 1]",
        ),
    ),
]

CASES: list[Case] = [
    *OF_CALIBRATION,
    *OF_SURFACES,
    *OF_LABELS,
    *OF_BINS,
    *OF_COLUMNS,
    *OF_CUBES,
    *OF_ARRAYS,
    *OF_COORDINATES,
    *OF_LOOKALIKES,
    *OF_OTHER_LIBRARIES,
    *OF_HINTS,
    *OF_PROBABILITIES,
    *OF_METRICS,
    *OF_INFERENCE,
    *OF_REPORTS,
    *OF_PLOTS,
    *OF_FILES,
    *OF_ROWS,
    *OF_DASK,
    *OF_SKLEARN,
    *OF_REST,
]
