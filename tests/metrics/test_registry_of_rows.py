"""What holds for every metric of scores and of class probabilities: results, inputs, ranges."""

from __future__ import annotations

import itertools
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from oracles.of_rows import (
    AREAS,
    KEYS,
    OF_PROBABILITIES,
    assert_same,
    call,
    metric_of,
    options,
)
from oracles.samples import Sample, random_sample, samples
from oracles.strategies import QUICK

from pandas_ordinal.metrics import registry

# Shapes -------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("n_rows", [0, 1, 11])
def test_leading_dimensions(key: str, n_rows: int) -> None:
    shapes = [(), (2, 2), (0,), (2, 0), (1, 1, 1)]
    for k, leading in itertools.product((1, 2, 4), shapes):
        sample = random_sample(k, k, *leading, n_rows)
        sample = sample.weighted(np.random.default_rng(0).integers(0, 3, sample.true.shape))
        for stack in (sample, replace(sample, weights=None)):
            actual = call(key, stack)
            assert np.shape(actual) == leading + (k,) * len(metric_of(key).output)
            for position in np.ndindex(leading):
                assert_same(key, actual[position], call(key, stack.at(position)))


@pytest.mark.parametrize("key", KEYS)
def test_no_rows(key: str) -> None:
    for k in (1, 3):
        for leading in [(), (2,), (0,), (2, 0)]:
            assert np.isnan(call(key, random_sample(0, k, *leading, 0))).all()


@pytest.mark.parametrize("key", KEYS)
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
    check(scores=full.scores[0, 0], proba=full.proba[0, 0])
    check(scores=full.scores[0, :1], proba=full.proba[0, :1])
    check(weights=full.weights[0, 0])
    check(true=full.true[:1], weights=full.weights[:, :1])


# Results and inputs -------------------------------------------------------------------------


@pytest.mark.parametrize("key", KEYS)
def test_type_of_result(key: str) -> None:
    one, many = call(key, random_sample(0, 3, 12)), call(key, random_sample(0, 3, 2, 12))
    if metric_of(key).output:
        assert isinstance(one, np.ndarray)
        assert one.dtype == np.float64
    else:
        assert type(one) is np.float64
    assert isinstance(many, np.ndarray)
    assert many.dtype == np.float64


@pytest.mark.parametrize("key", KEYS)
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
        pd.Series(sample.scores, index),
        pd.Series(sample.other, index),
        sample.proba,
        pd.Series(sample.weights, index),
    )
    strided = sample.take(np.repeat(np.arange(12), 2)).take(slice(None, None, 2))
    fortran = replace(sample, proba=np.asfortranarray(sample.proba))
    for other in (as_lists, as_series, strided, fortran):
        assert_same(key, call(key, other), expected)


@pytest.mark.parametrize("key", KEYS)
def test_type_of_codes_does_not_matter(key: str) -> None:
    sample = random_sample(2, 2, 12)
    expected = call(key, sample)
    for dtype in (bool, np.int8, np.uint8, np.int16, np.int64, np.uint64):
        as_given = replace(sample, true=sample.true.astype(dtype))
        assert_same(key, call(key, as_given), expected)


@pytest.mark.parametrize("key", OF_PROBABILITIES)
def test_kind_of_probabilities_does_not_matter(key: str) -> None:
    certain = np.eye(3, dtype=int)[[0, 2, 2, 1]]
    sample = replace(random_sample(0, 3, 4), proba=certain)
    expected = call(key, replace(sample, proba=certain.astype(float)))
    for dtype in (bool, np.int8, np.uint8, np.float32):
        assert_same(key, call(key, replace(sample, proba=certain.astype(dtype))), expected)


@pytest.mark.parametrize("key", OF_PROBABILITIES)
def test_probabilities_may_be_a_frame_or_lists(key: str) -> None:
    sample = random_sample(2, 3, 12)
    expected = call(key, sample)
    for proba in (pd.DataFrame(sample.proba), sample.proba.tolist()):
        assert_same(key, metric_of(key).kernel(sample.true, proba, **options(key, 3)), expected)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("dtype", [float, int])
def test_input_stays_as_it_was(key: str, dtype: type) -> None:
    sample = random_sample(2, 3, 4, 12).weighted(np.ones((4, 12), dtype))
    sample.true[:, 3] = -1
    sample = replace(sample, scores=sample.scores.astype(dtype))
    arrays = [sample.true, sample.scores, sample.proba, sample.weights]
    before = [array.copy() for array in arrays]
    for array in arrays:
        array.flags.writeable = False
    result = call(key, sample)
    for array, copy in zip(arrays, before, strict=True):
        assert np.array_equal(array, copy)
        assert not np.shares_memory(result, array)
    assert result.flags.writeable


@pytest.mark.parametrize("key", KEYS)
def test_silence(key: str) -> None:
    """Undefined is NaN without a warning, even where NumPy would warn."""
    sample = random_sample(1, 3, 6, 8)
    sample.true[0] = 0
    sample.true[1] = -1
    sample.true[2, 1:] = -1
    sample.true[3] = [0, 0, 0, 0, 1, 1, 1, 2]
    sample.scores[3] = 0
    sample.scores[4, ::2] = np.inf
    sample.proba[5] = np.eye(3)[0]
    heavy = np.ones((6, 8))
    heavy[4] = np.resize([0, 1e-300, 1e150], 8)
    with warnings.catch_warnings(), np.errstate(all="warn"):
        warnings.simplefilter("error")
        for weight in (None, heavy):
            call(key, replace(sample, weights=weight))
        call(key, random_sample(0, 1, 3))


# Range and direction ------------------------------------------------------------------------


def bounds(key: str, n_classes: int) -> tuple[float, float]:
    metric = metric_of(key)
    if metric.limits is None:
        return metric.bounds(n_classes)
    return metric.limits(np.zeros((n_classes, n_classes)), options(key, n_classes))


@QUICK
@given(sample=samples())
def test_values_stay_within_bounds(sample: Sample) -> None:
    for key in KEYS:
        low, high = bounds(key, sample.n_classes)
        values = np.asarray(call(key, sample))
        values = values[~np.isnan(values)]
        assert (values >= low).all(), key
        assert (values <= high + 1e-12).all(), key


UNEVEN = np.repeat(np.arange(4), [3, 1, 7, 2])


@pytest.mark.parametrize("name", ["vus", *AREAS])
@pytest.mark.parametrize("ties", ["half", "strict"])
def test_best_and_worst_score(name: str, ties: str) -> None:
    """Exactly one and zero, in every pair and every split."""
    kernel = registry[name].kernel
    for k in (2, 3, 4):
        true = UNEVEN[k > UNEVEN]
        best, worst = kernel(true, true, k, ties=ties), kernel(true, -true, k, ties=ties)
        assert (best[~np.isnan(best)] == 1).all()
        assert (worst[~np.isnan(worst)] == 0).all()
        defined = {"pairwise_auc": k * (k - 1) / 2, "consecutive_auc": k - 1}
        assert np.count_nonzero(~np.isnan(best)) == defined.get(name, 1)


@pytest.mark.parametrize("key", OF_PROBABILITIES)
def test_best_and_worst_probabilities(key: str) -> None:
    true = np.array([0, 3, 3, 0])
    certain = np.eye(4)
    sample = replace(random_sample(0, 4, 4), true=true)
    # certain forecasts are right by chance whatever is drawn: nothing is corrected
    name = key.removesuffix("-corrected")
    best = 1.0 if metric_of(key).greater_is_better else 0.0
    # the classes are halves: each of three thresholds has the uncertainty 1/4
    parts = {"rps_dsc": 0.75, "rps_unc": 0.75, "rps_dsc-normalized": 0.25}
    parts |= {"rps_unc-normalized": 0.25, "log_loss_dsc": np.log(2), "log_loss_unc": np.log(2)}
    best = parts.get(name, best)
    assert call(key, replace(sample, proba=certain[true])) == pytest.approx(best, abs=1e-15)
    # climatology scores 3/4; shares of 0.1 to 0.4 score 1.46 for the lowest class, else 0.46
    worst = {"rps": 3, "rps-normalized": 1, "log_loss": np.inf, "brier": 2}
    worst |= {"rps_skill": 1 - 3 / 0.75, "rps_skill-given": 1 - 3 / 0.96}
    # the wrong order discriminates nothing: calibrated, it is the forecast of the shares
    worst |= {"rps_mcb": 3 - 0.75, "rps_mcb-normalized": 0.75, "log_loss_mcb": np.inf}
    worst |= dict.fromkeys(["rps_dsc", "rps_dsc-normalized", "log_loss_dsc"], 0.0)
    worst |= {other: value for other, value in parts.items() if "unc" in other}
    due = pytest.approx(worst[name], abs=1e-15)
    assert call(key, replace(sample, proba=certain[3 - true])) == due
