"""What holds for all metrics of scores and of class probabilities, and what each one states."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.samples import Sample, random_sample, samples, weights
from oracles.strategies import QUICK

from pandas_ordinal.metrics import registry
from pandas_ordinal.metrics.segments import ROWS_A_BLOCK, Segments

# The table of invariances -------------------------------------------------------------------

Relation = Literal["same", "negated", "complement", "undefined", None]

RELATIONS: dict[str, Callable[[Any], Any]] = {
    "same": lambda value: value,
    "negated": lambda value: -value,
    "complement": lambda value: 1 - value,
    "undefined": lambda value: np.full_like(value, np.nan),
}


@dataclass(frozen=True)
class States:
    """How a value changes with its rows; None: not in a stated way.

    Results that have class dimensions are turned round, or cut to the old classes, before they
    are compared.
    """

    reversal: Relation = "same"  # of the class order, and of the scores or the columns
    one_reversal: Relation = None  # of the scores or the columns alone
    permutation: Relation = None  # of the classes, and of the columns
    scale: Relation = "same"  # all weights times the same number
    unused_end: Relation = "same"  # one more class below or above all others
    unused_middle: Relation = "same"  # one more class between two others
    options: tuple[tuple[str, Any], ...] = ()
    of: str | None = None  # the metric, where it is not the key of the table
    tolerance: float = 1e-11


def with_options(of: str, states: States, **options: Any) -> States:
    return replace(states, of=of, options=tuple(options.items()))


VOLUME = States(unused_end="undefined", unused_middle="undefined")
# twice the rows make it less uncertain
SPREAD = replace(VOLUME, scale=None)
# the root of a difference, which is right to 1e-16
ROOT = replace(SPREAD, tolerance=1e-7)
AREA = States(one_reversal="complement")
# a tie counts for nobody
STRICT_AREA = States()
# does not know the order of the classes
OF_CLASSES = States(permutation="same")

AREAS = ["pairwise_auc", "consecutive_auc", "u_ovo", "u_pairs", "u_cons"]

TABLE: dict[str, States] = {
    "vus": VOLUME,
    "vus-strict": with_options("vus", VOLUME, ties="strict"),
    "vus_se": SPREAD,
    "vus_se-strict": with_options("vus_se", SPREAD, ties="strict"),
    "vus_se-u_statistic": with_options("vus_se", ROOT, method="u_statistic"),
    "vus_se-u_statistic-strict": with_options("vus_se", ROOT, method="u_statistic", ties="strict"),
    "vus_cov": SPREAD,
    "vus_cov-strict": with_options("vus_cov", SPREAD, ties="strict"),
    "vus_cov-u_statistic": with_options("vus_cov", SPREAD, method="u_statistic"),
    "vus_cov-u_statistic-strict": with_options(
        "vus_cov", SPREAD, method="u_statistic", ties="strict"
    ),
    **{name: AREA for name in AREAS},
    **{f"{name}-strict": with_options(name, STRICT_AREA, ties="strict") for name in AREAS},
    # a class between two others is one more place where the cumulative probability may be wrong
    "rps": States(unused_middle=None),
    "rps-normalized": with_options(
        "rps", States(unused_end=None, unused_middle=None), normalized=True
    ),
    "log_loss": OF_CLASSES,
    "brier": OF_CLASSES,
}


def metric_of(key: str) -> Any:
    return registry[TABLE[key].of or key]


OF_SCORES = [key for key in TABLE if metric_of(key).needs == "scores"]
OF_PROBABILITIES = [key for key in TABLE if metric_of(key).needs == "probabilities"]


def test_every_metric_of_rows_states_its_invariances() -> None:
    """A new metric needs an entry, and so does each of its options that has named values."""
    named = {name for name, m in registry.items() if m.needs in ("scores", "probabilities")}
    assert {states.of or key for key, states in TABLE.items()} == named
    assert named <= TABLE.keys()
    assert set(OF_SCORES) | set(OF_PROBABILITIES) == set(TABLE)
    for name in named:
        stated = {
            option for key in TABLE if metric_of(key).name == name for option in options(key)
        }
        parameters = inspect.signature(registry[name].kernel).parameters.values()
        optional = {p.name for p in parameters if p.default is not p.empty}
        assert stated == optional - {"sample_weight"}


def options(key: str) -> dict[str, Any]:
    return dict(TABLE[key].options)


def call(key: str, sample: Sample) -> Any:
    metric, given = metric_of(key), options(key)
    if "other" in metric.required:
        given["other"] = sample.other
    arrays = [sample.true, sample.proba]
    if metric.needs == "scores":
        arrays = [sample.true, sample.scores, sample.n_classes]
    if sample.weights is not None:
        given["sample_weight"] = sample.weights
    return metric.kernel(*arrays, **given)


def assert_same(key: str, actual: Any, expected: Any) -> None:
    tolerance = TABLE[key].tolerance
    np.testing.assert_allclose(actual, expected, rtol=1e-11, atol=tolerance, equal_nan=True)


def insert_class(sample: Sample, position: int) -> Sample:
    """Declare one more class, which no row has and none is predicted to have."""
    return replace(
        sample,
        true=sample.true + (sample.true >= position),
        proba=np.insert(sample.proba, position, 0, axis=-1),
    )


Change = Callable[[str, Sample], tuple[Any, Any]]


def negated(sample: Sample) -> Sample:
    return replace(
        sample, scores=-sample.scores, other=-sample.other, proba=sample.proba[..., ::-1]
    )


def reversal(key: str, sample: Sample) -> tuple[Any, Any]:
    """Pair (k, l) becomes (K - 1 - l, K - 1 - k); the split after k that after K - 2 - k."""
    after = call(key, negated(replace(sample, true=sample.n_classes - 1 - sample.true)))
    output = metric_of(key).output
    if output == ("true",):
        after = np.roll(np.flip(after, axis=-1), -1, axis=-1)
    elif output == ("true", "pred"):
        after = np.flip(after, axis=(-2, -1)).swapaxes(-2, -1)
    return call(key, sample), after


def one_reversal(key: str, sample: Sample) -> tuple[Any, Any]:
    return call(key, sample), call(key, negated(sample))


def permutation(key: str, sample: Sample) -> tuple[Any, Any]:
    """The last class becomes the first one."""
    moved = np.roll(sample.proba, 1, axis=-1)
    true = (sample.true + 1) % sample.n_classes
    return call(key, sample), call(key, replace(sample, true=true, proba=moved))


def scale(factor: float) -> Change:
    def change(key: str, sample: Sample) -> tuple[Any, Any]:
        ours = np.ones(sample.true.shape) if sample.weights is None else sample.weights
        return call(key, sample.weighted(ours)), call(key, sample.weighted(ours * factor))

    return change


def unused_class(where: Callable[[int], int]) -> Change:
    def change(key: str, sample: Sample) -> tuple[Any, Any]:
        position = where(sample.n_classes)
        after = call(key, insert_class(sample, position))
        for axis in range(-len(metric_of(key).output), 0):
            after = np.delete(after, position, axis)
        return call(key, sample), after

    return change


CHANGES: dict[str, list[Change]] = {
    "reversal": [reversal],
    "one_reversal": [one_reversal],
    "permutation": [permutation],
    "scale": [scale(factor) for factor in (2, 3, 1.5)],
    "unused_end": [unused_class(lambda k: 0), unused_class(lambda k: k)],
    "unused_middle": [unused_class(lambda k: k // 2)],
}


@pytest.mark.parametrize(
    ("key", "kind"),
    [(key, kind) for key, states in TABLE.items() for kind in CHANGES if getattr(states, kind)],
)
@QUICK
@given(data=st.data())
def test_stated_invariance(key: str, kind: str, data: st.DataObject) -> None:
    # with a single class there is no middle, and K - 1 is zero
    sample = data.draw(samples(min_classes=2))
    if data.draw(st.booleans()):
        sample = sample.weighted(data.draw(weights(len(sample.true))))
    for change in CHANGES[kind]:
        before, after = change(key, sample)
        assert_same(key, after, RELATIONS[getattr(TABLE[key], kind)](before))


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        (key, kind)
        for key, states in TABLE.items()
        for kind in CHANGES
        if not getattr(states, kind)
    ],
)
def test_nothing_is_left_unstated(key: str, kind: str) -> None:
    """Where the table states nothing, some rows break every relation."""
    sample = random_sample(0, 3, 300, 9)
    for change in CHANGES[kind]:
        before, after = change(key, sample)
        for relation in RELATIONS.values():
            close = np.isclose(after, relation(before), rtol=0, atol=1e-6, equal_nan=True)
            assert not close.all()


@pytest.mark.parametrize("key", [key for key, states in TABLE.items() if states.scale])
@pytest.mark.parametrize("factor", [1e-60, 0.1, 1e60])
def test_weights_of_any_size(key: str, factor: float) -> None:
    for k in (2, 4):
        before, after = scale(factor)(key, random_sample(k, k, 20, 12))
        assert_same(key, after, before)


# Rows and their weights ---------------------------------------------------------------------


@pytest.mark.parametrize("key", TABLE)
@QUICK
@given(data=st.data())
def test_order_of_rows_does_not_matter(key: str, data: st.DataObject) -> None:
    sample = data.draw(samples())
    if data.draw(st.booleans()):
        sample = sample.weighted(data.draw(weights(len(sample.true))))
    order = data.draw(st.permutations(range(len(sample.true))))
    assert_same(key, call(key, sample.take(np.array(order, int))), call(key, sample))


@pytest.mark.parametrize("key", TABLE)
@QUICK
@given(data=st.data())
def test_weights_are_repetitions(key: str, data: st.DataObject) -> None:
    sample = data.draw(samples())
    times = data.draw(weights(len(sample.true)))
    repeated = sample.take(np.repeat(np.arange(len(times)), times))
    for given_as in (int, float, np.uint8):
        assert_same(key, call(key, sample.weighted(times.astype(given_as))), call(key, repeated))


@pytest.mark.parametrize("key", TABLE)
def test_weights_may_be_flags(key: str) -> None:
    sample = random_sample(4, 3, 14)
    keep = np.arange(14) % 5 != 2
    assert_same(key, call(key, sample.weighted(keep)), call(key, sample.take(keep)))


@pytest.mark.parametrize("key", TABLE)
@QUICK
@given(data=st.data())
def test_rows_that_do_not_count_are_not_there(key: str, data: st.DataObject) -> None:
    """Even where their score or their probabilities are missing, and whatever their weight."""
    sample = data.draw(samples())
    n_rows, more = len(sample.true), data.draw(st.integers(1, 4))
    source = sample if n_rows else random_sample(0, sample.n_classes, 1)
    longer = source.take(np.r_[np.arange(n_rows), np.zeros(more, int)])
    added = np.arange(n_rows, n_rows + more)
    nothing = data.draw(st.sampled_from([np.nan, 1e9, np.inf]))
    longer.true[added] = -1
    longer.scores[added] = longer.other[added] = nothing
    longer.proba[added] = nothing
    order = np.array(data.draw(st.permutations(range(n_rows + more))), int)
    times = data.draw(weights(n_rows + more))
    assert_same(key, call(key, longer.take(order)), call(key, sample))
    assert_same(
        key,
        call(key, longer.weighted(times).take(order)),
        call(key, sample.weighted(times[:n_rows])),
    )


@pytest.mark.parametrize("key", TABLE)
def test_only_rows_that_do_not_count(key: str) -> None:
    sample = replace(random_sample(0, 3, 4), true=np.full(4, -1))
    assert np.isnan(call(key, sample)).all()
    assert np.isnan(call(key, random_sample(0, 3, 4).weighted(np.zeros(4)))).all()


# Scores -------------------------------------------------------------------------------------

INCREASING: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "exp": np.exp,
    "affine": lambda x: 3 * x - 7,
    "far off": lambda x: x + 1e15,
    "tiny": lambda x: x * 1e-300,
    "cube": lambda x: x**3,
    "ranks": lambda x: np.searchsorted(np.unique(x), x),
    "the ends are infinite": lambda x: np.where(np.abs(x) > 1, np.copysign(np.inf, x), x),
    **{
        np.dtype(dtype).name: lambda x, dtype=dtype: x.astype(dtype)
        for dtype in (np.int8, np.int16, np.int64, np.float16, np.float32)
    },
    "the lowest int8": lambda x: (x - 126).astype(np.int8),
    "uint8": lambda x: (x + 2).astype(np.uint8),
    "the highest uint8": lambda x: (x + 253).astype(np.uint8),
    "the highest uint64": lambda x: (x + 2).astype(np.uint64) + np.uint64(2**64 - 5),
    "the lowest int64": lambda x: (x + 2).astype(np.int64) + np.int64(-(2**63)),
}


@pytest.mark.parametrize("key", OF_SCORES)
@QUICK
@given(sample=samples())
def test_increasing_functions_of_the_score_change_nothing(key: str, sample: Sample) -> None:
    expected = call(key, sample)
    for name, function in INCREASING.items():
        changed = replace(sample, scores=function(sample.scores), other=function(sample.other))
        assert np.array_equal(call(key, changed), expected, equal_nan=True), name


@pytest.mark.parametrize("key", OF_SCORES)
def test_scores_may_be_flags(key: str) -> None:
    sample = random_sample(1, 3, 12, n_scores=2)
    flags = replace(sample, scores=sample.scores == 1, other=sample.other == 1)
    assert np.array_equal(call(key, flags), call(key, sample), equal_nan=True)


@pytest.mark.parametrize("key", OF_SCORES)
def test_integers_that_floats_cannot_tell_apart(key: str) -> None:
    sample = random_sample(1, 3, 12)
    scores, other = (values.astype(int) + 2**60 for values in (sample.scores, sample.other))
    assert len(np.unique(scores.astype(float))) == 1
    assert_same(key, call(key, replace(sample, scores=scores, other=other)), call(key, sample))


# Probabilities ------------------------------------------------------------------------------


@pytest.mark.parametrize("key", OF_PROBABILITIES)
def test_kind_of_probabilities_does_not_matter(key: str) -> None:
    certain = np.eye(3, dtype=int)[[0, 2, 2, 1]]
    sample = replace(random_sample(0, 3, 4), proba=certain)
    expected = call(key, replace(sample, proba=certain.astype(float)))
    for dtype in (bool, np.int8, np.uint8, np.float32):
        assert_same(key, call(key, replace(sample, proba=certain.astype(dtype))), expected)


# Shapes -------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", TABLE)
@pytest.mark.parametrize("k", [1, 2, 4])
@pytest.mark.parametrize("n_rows", [0, 1, 11])
def test_leading_dimensions(key: str, k: int, n_rows: int) -> None:
    for leading in [(), (4,), (3, 2), (0,), (2, 0), (1, 1, 1)]:
        sample = random_sample(k, k, *leading, n_rows)
        sample = sample.weighted(np.random.default_rng(0).integers(0, 3, sample.true.shape))
        for stack in (sample, replace(sample, weights=None)):
            actual = call(key, stack)
            assert np.shape(actual) == leading + (k,) * len(metric_of(key).output)
            for position in np.ndindex(leading):
                assert_same(key, actual[position], call(key, stack.at(position)))


@pytest.mark.parametrize("key", TABLE)
def test_no_rows(key: str) -> None:
    for k in (1, 3):
        for leading in [(), (2,), (0,), (2, 0)]:
            assert np.isnan(call(key, random_sample(0, k, *leading, 0))).all()


@pytest.mark.parametrize("key", TABLE)
def test_broadcasting(key: str) -> None:
    full = random_sample(3, 3, 4, 2, 12)
    full = full.weighted(np.random.default_rng(1).integers(0, 3, full.true.shape))

    def check(**parts: np.ndarray) -> None:
        repeated = {
            name: np.broadcast_to(part, getattr(full, name).shape).copy()
            for name, part in parts.items()
        }
        actual = call(key, replace(full, **parts))
        assert np.shape(actual)[:2] == (4, 2)
        assert_same(key, actual, call(key, replace(full, **repeated)))

    check(true=full.true[0, 0])
    check(true=full.true[:, :1])
    check(scores=full.scores[0, 0], other=full.other[0, 0], proba=full.proba[0, 0])
    check(scores=full.scores[0, :1], other=full.other[:, :1], proba=full.proba[0, :1])
    check(weights=full.weights[0, 0])
    check(true=full.true[:1], weights=full.weights[:, :1])


# Many segments ------------------------------------------------------------------------------


def segments_of(key: str) -> tuple[np.ndarray, int]:
    """The segment of each row: very many short ones, some long ones, and some without rows."""
    rng = np.random.default_rng(5)
    n_short = 600 if "u_statistic" in key else 4000
    sizes = [
        *rng.integers(0, 20, n_short),
        ROWS_A_BLOCK + 100,
        *rng.integers(20, 3000, 12),
        0,
        1,
        17,
        0,
    ]
    rng.shuffle(sizes)
    rows = np.repeat(np.arange(len(sizes)), sizes)
    rng.shuffle(rows)
    return rows, len(sizes)


@pytest.mark.parametrize("key", TABLE)
@pytest.mark.parametrize("weighted", [False, True])
def test_segments_of_very_different_lengths(key: str, weighted: bool) -> None:
    """Each is scored as if it were alone; the rows of all of them are mixed."""
    segments, n_segments = segments_of(key)
    sample = random_sample(2, 3, len(segments), n_scores=7)
    sample.true[::11] = -1
    if weighted:
        sample = sample.weighted(np.random.default_rng(0).integers(0, 4, len(segments)))
    rows = Segments(sample.true, 3, segments, n_segments, sample.weights)
    given = options(key)
    if "other" in metric_of(key).required:
        given["other"] = sample.other
    column = sample.scores if key in OF_SCORES else sample.proba
    actual = metric_of(key).by_segment(rows, column, **given)
    assert actual.shape == (n_segments, *[3] * len(metric_of(key).output))

    sizes = np.bincount(segments, minlength=n_segments)
    by_size = np.argsort(sizes, kind="stable")
    chosen = {*by_size[:6], *by_size[-14:], *by_size[::29], 0, n_segments - 1}
    order = np.argsort(segments, kind="stable")
    ends = np.cumsum(sizes)
    for number in sorted(chosen):
        alone = sample.take(order[ends[number] - sizes[number] : ends[number]])
        assert_same(key, actual[number], call(key, alone))


@pytest.mark.parametrize("key", TABLE)
def test_more_segments_than_any_block(key: str) -> None:
    n_segments = 500 if "u_statistic" in key else 5000
    sample = random_sample(3, 3, n_segments, 9)
    actual = call(key, sample)
    for position in range(0, n_segments, n_segments // 50):
        assert_same(key, actual[position], call(key, sample.at(position)))


@pytest.mark.parametrize("key", TABLE)
def test_one_segment_longer_than_any_block(key: str) -> None:
    """The same rows in a stack, twice: a block holds one of the segments only."""
    sample = random_sample(3, 3, ROWS_A_BLOCK + 7, n_scores=9)
    stack = sample.take(np.stack([np.arange(ROWS_A_BLOCK + 7)] * 2))
    one = call(key, sample)
    for value in call(key, stack):
        assert_same(key, value, one)


# Results and inputs -------------------------------------------------------------------------


@pytest.mark.parametrize("key", TABLE)
def test_type_of_result(key: str) -> None:
    one, many = call(key, random_sample(0, 3, 12)), call(key, random_sample(0, 3, 2, 12))
    if metric_of(key).output:
        assert isinstance(one, np.ndarray)
        assert one.dtype == np.float64
    else:
        assert type(one) is np.float64
    assert isinstance(many, np.ndarray)
    assert many.dtype == np.float64


@pytest.mark.parametrize("key", TABLE)
def test_kind_of_input_does_not_matter(key: str) -> None:
    sample = random_sample(2, 3, 12).weighted(np.arange(12.0))
    expected = call(key, sample)
    as_lists = Sample(
        sample.true.tolist(),
        sample.scores.tolist(),
        sample.other.tolist(),
        sample.proba,
        sample.weights.tolist(),
    )
    labels = np.array(["low", "mid", "top"])
    codes = pd.Categorical(labels[sample.true], labels, ordered=True).codes
    index = np.arange(12) * 3 + 5
    as_series = Sample(
        pd.Series(codes, index),
        pd.Series(sample.scores, index[::-1]),
        pd.Series(sample.other, index + 1),
        sample.proba,
        pd.Series(sample.weights, index),
    )
    strided = sample.take(np.repeat(np.arange(12), 2)).take(slice(None, None, 2))
    fortran = replace(sample, proba=np.asfortranarray(sample.proba))
    for other in (as_lists, as_series, strided, fortran):
        assert_same(key, call(key, other), expected)


@pytest.mark.parametrize("key", TABLE)
@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint8, np.int16, np.int64, np.uint64])
def test_type_of_codes_does_not_matter(key: str, dtype: type) -> None:
    sample = random_sample(2, 2, 12)
    as_given = replace(sample, true=sample.true.astype(dtype))
    assert_same(key, call(key, as_given), call(key, sample))


@pytest.mark.parametrize("key", OF_PROBABILITIES)
def test_probabilities_may_be_a_frame_or_lists(key: str) -> None:
    sample = random_sample(2, 3, 12)
    expected = call(key, sample)
    for proba in (pd.DataFrame(sample.proba), sample.proba.tolist()):
        assert_same(key, metric_of(key).kernel(sample.true, proba, **options(key)), expected)


@pytest.mark.parametrize("key", TABLE)
@pytest.mark.parametrize("dtype", [float, int])
def test_input_stays_as_it_was(key: str, dtype: type) -> None:
    sample = random_sample(2, 3, 4, 12).weighted(np.ones((4, 12), dtype))
    sample.true[:, 3] = -1
    sample = replace(sample, scores=sample.scores.astype(dtype), other=sample.other.astype(dtype))
    arrays = [sample.true, sample.scores, sample.other, sample.proba, sample.weights]
    before = [array.copy() for array in arrays]
    for array in arrays:
        array.flags.writeable = False
    result = call(key, sample)
    for array, copy in zip(arrays, before, strict=True):
        assert np.array_equal(array, copy)
        assert not np.shares_memory(result, array)
    assert result.flags.writeable


@pytest.mark.parametrize("key", TABLE)
def test_silence(key: str) -> None:
    """Undefined is NaN, without a word, also where NumPy would warn."""
    sample = random_sample(1, 3, 6, 8)
    sample.true[0] = 0
    sample.true[1] = -1
    sample.true[2, 1:] = -1
    sample.true[3] = [0, 0, 0, 0, 1, 1, 1, 2]
    sample.scores[3] = sample.other[3] = 0
    sample.scores[4, ::2] = np.inf
    sample.other[4, ::2] = -np.inf
    sample.proba[5] = np.eye(3)[0]
    heavy = np.ones((6, 8))
    heavy[4] = np.resize([0, 1e-300, 1e150], 8)
    with warnings.catch_warnings(), np.errstate(all="warn"):
        warnings.simplefilter("error")
        for weight in (None, heavy):
            call(key, replace(sample, weights=weight))
        call(key, random_sample(0, 1, 3))


# Range and direction ------------------------------------------------------------------------


@pytest.mark.parametrize("key", TABLE)
@QUICK
@given(sample=samples())
def test_values_stay_within_bounds(key: str, sample: Sample) -> None:
    low, high = metric_of(key).bounds(sample.n_classes)
    values = np.asarray(call(key, sample))
    values = values[~np.isnan(values)]
    assert (values >= low).all()
    assert (values <= (high if key != "rps-normalized" else 1) + 1e-12).all()


UNEVEN = np.repeat(np.arange(4), [3, 1, 7, 2])


@pytest.mark.parametrize("name", ["vus", *AREAS])
@pytest.mark.parametrize("ties", ["half", "strict"])
def test_best_and_worst_score(name: str, ties: str) -> None:
    """Exactly one and zero, in every pair and every split."""
    kernel = registry[name].kernel
    for k in (2, 3, 4):
        true = UNEVEN[UNEVEN < k]
        best, worst = kernel(true, true, k, ties=ties), kernel(true, -true, k, ties=ties)
        assert (best[~np.isnan(best)] == 1).all()
        assert (worst[~np.isnan(worst)] == 0).all()
        defined = {"pairwise_auc": k * (k - 1) / 2, "consecutive_auc": k - 1}
        assert np.count_nonzero(~np.isnan(best)) == defined.get(name, 1)


@pytest.mark.parametrize("name", ["vus_se", "vus_cov"])
@pytest.mark.parametrize("method", ["first_order", "u_statistic"])
def test_the_best_score_is_certain(name: str, method: str) -> None:
    true = np.repeat(np.arange(3), [3, 2, 4])
    given = {"other": 2 * true} if name == "vus_cov" else {}
    value = registry[name].kernel(true, true, 3, method=method, **given)
    assert value == pytest.approx(0, abs=1e-7 if name == "vus_se" else 1e-14)


@pytest.mark.parametrize("key", OF_PROBABILITIES)
def test_best_and_worst_probabilities(key: str) -> None:
    true = np.array([0, 3, 3, 0])
    certain = np.eye(4)
    sample = replace(random_sample(0, 4, 4), true=true)
    assert call(key, replace(sample, proba=certain[true])) == 0
    highest = {"rps": 3, "rps-normalized": 1, "log_loss": np.inf, "brier": 2}
    assert call(key, replace(sample, proba=certain[3 - true])) == highest[key]


# Best ends and ranges as defined; None: neither end is better.
RANGES: dict[str, tuple[float, float, bool | None]] = {
    "vus": (0, 1, True),
    "vus_se": (0, np.inf, None),
    "vus_cov": (-np.inf, np.inf, None),
    **{name: (0, 1, True) for name in AREAS},
    "rps": (0, 3, False),
    "log_loss": (0, np.inf, False),
    "brier": (0, 2, False),
}


@pytest.mark.parametrize("name", sorted({metric_of(key).name for key in TABLE}))
def test_range_and_direction_for_four_classes(name: str) -> None:
    low, high, greater_is_better = RANGES[name]
    assert registry[name].bounds(4) == (low, high)
    assert registry[name].greater_is_better is greater_is_better
