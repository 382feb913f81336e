"""Members of an ensemble as forecasts, against loops over cases and members."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po
from pandas_ordinal.errors import MissingValueError, UndefinedMetricWarning, UnknownClassError

K, N_TIMES, N_CELLS, N_LEADS, N_MEMBERS = 4, 24, 3, 2, 6
RNG = np.random.default_rng(31)
COORDS = {"time": pd.date_range("2000-01", periods=N_TIMES, freq="MS")}
TRUE = xr.DataArray(
    RNG.integers(0, K, (N_TIMES, N_CELLS)), COORDS, ("time", "cell"), name="observed"
)
WHOLE = xr.DataArray(
    RNG.integers(0, K, (N_LEADS, N_TIMES, N_CELLS, N_MEMBERS)),
    COORDS,
    ("lead", "time", "cell", "member"),
    name="forecast",
)
GAPS = WHOLE.where(xr.DataArray(RNG.random(WHOLE.shape) < 0.7, dims=WHOLE.dims))
GAPS[0, 5, 1, :] = np.nan  # no member
GAPS[1, 7, 0, 1:] = np.nan  # a single one
GAPS[1, 7, 0, 0] = 2
AREA = xr.DataArray(RNG.random(N_CELLS), dims="cell")
EQUAL = np.ones(N_CELLS)
SEASON = TRUE["time.season"].values


def error(true: Any, members: np.ndarray, fair: bool) -> float:
    """Read the ranked probability score of one case literally; NaN if it has none."""
    there = [m for m in members if m == m]
    n = len(there)
    if n < (2 if fair else 1):
        return np.nan
    total = 0.0
    for k in range(K - 1):
        share = sum(m <= k for m in there) / n
        total += (share - (true <= k)) ** 2
        total -= share * (1 - share) / (n - 1) if fair else 0
    return total


def expected(
    members: xr.DataArray, fair: bool, weights: Any = EQUAL, season: str = ""
) -> list[float]:
    """Average the errors over the cases that have one, at each lead."""
    found = []
    for lead in range(N_LEADS):
        above = below = 0.0
        for time in range(N_TIMES):
            for cell in range(N_CELLS):
                one = error(TRUE.values[time, cell], members.values[lead, time, cell], fair)
                if one == one and season in ("", SEASON[time]):
                    above += weights[cell] * one
                    below += weights[cell]
        found.append(above / below)
    return found


@pytest.mark.parametrize("fair", [False, True])
@pytest.mark.parametrize("members", [WHOLE, GAPS], ids=["whole", "gaps"])
@pytest.mark.parametrize("in_chunks", [False, True])
def test_scores_of_members_are_those_of_a_loop(
    members: xr.DataArray, fair: bool, in_chunks: bool
) -> None:
    asked: dict[str, Any] = {"member_dim": "member", "fair": fair, "classes": range(K)}
    asked["dropna"] = members is GAPS
    true, given = TRUE, members
    if in_chunks:
        true, given = true.chunk(time=7), given.chunk(time=5, lead=1, member=4)
    due = expected(members, fair)
    found = true.ordinal.rps(given, **asked)
    assert (found.chunks is not None) == in_chunks
    np.testing.assert_allclose(found, due, rtol=0, atol=1e-13)
    ds = xr.Dataset({"y": true, "m": given})
    np.testing.assert_allclose(ds.ordinal.rps("y", "m", **asked), due, rtol=0, atol=1e-13)
    weighted = true.ordinal.rps(given, sample_weight=AREA, **asked)
    np.testing.assert_allclose(weighted, expected(members, fair, AREA.values), atol=1e-13)
    by = true.ordinal.rps(given, by="time.season", **asked)
    for season in np.unique(SEASON):
        due = expected(members, fair, season=season)
        np.testing.assert_allclose(by.sel(season=season), due, rtol=0, atol=1e-13)


@pytest.mark.parametrize("fair", [False, True])
def test_skill_of_members_is_one_minus_the_ratio_of_errors(fair: bool) -> None:
    asked: dict[str, Any] = {"member_dim": "member", "fair": fair, "dropna": True}
    shares = np.full(K, 1 / K)
    skill = TRUE.ordinal.rps_skill(GAPS, reference=shares, classes=range(K), **asked)
    for lead in range(N_LEADS):
        one = GAPS.isel(lead=lead)
        errors = [
            (error(true, members, fair), sum((shares[: k + 1].sum() - (true <= k)) ** 2
                                             for k in range(K - 1)))
            for true, members in zip(TRUE.values.ravel(), one.values.reshape(-1, N_MEMBERS),
                                     strict=True)
        ]  # fmt: skip
        own, reference = np.array([pair for pair in errors if pair[0] == pair[0]]).T
        assert float(skill[lead]) == pytest.approx(1 - own.mean() / reference.mean(), abs=1e-13)


def test_intervals_of_fair_scores_are_those_of_the_mean_of_errors() -> None:
    report = TRUE.ordinal.report(
        proba=WHOLE, member_dim="member", fair=True, metrics=["rps", "rps_skill"], se=True, ci=0.9,
        cluster="time",
    )  # fmt: skip
    plain = TRUE.ordinal.report(proba=WHOLE, member_dim="member", metrics=["rps"], se=True)
    for lead in range(N_LEADS):
        errors = np.array(
            [
                [error(TRUE.values[t, c], WHOLE.values[lead, t, c], True) for c in range(N_CELLS)]
                for t in range(N_TIMES)
            ]
        )
        means = errors.mean(axis=1)  # of months, as many cells in each
        assert float(report.rps[lead]) == pytest.approx(errors.mean())
        # a pseudo-row widens the interval of few clusters a little
        assert float(report.rps_se[lead]) == pytest.approx(means.std(ddof=1) / N_TIMES**0.5, 0.1)
        assert report.rps_low[lead] < report.rps[lead] < report.rps_high[lead]
    assert (report.rps_skill_low < report.rps_skill).all()
    assert (plain.rps > report.rps).all()
    assert (report.n_clusters == N_TIMES).all()


def test_shares_are_of_the_members_that_are_present() -> None:
    shares = GAPS.ordinal.probabilities("member", classes=range(K))
    assert shares.dims == ("lead", "time", "cell", "class")
    for lead, time, cell in np.ndindex(N_LEADS, N_TIMES, N_CELLS):
        members = GAPS.values[lead, time, cell]
        there = members[~np.isnan(members)]
        due = [np.mean(there == k) if len(there) else np.nan for k in range(K)]
        np.testing.assert_allclose(shares.values[lead, time, cell], due, rtol=0, atol=1e-15)
    lazy = GAPS.chunk(time=5, member=2).ordinal.probabilities("member", classes=range(K))
    assert lazy.chunks is not None
    xr.testing.assert_identical(lazy.compute(), shares)
    score = TRUE.ordinal.rps(shares, dropna=True)
    np.testing.assert_allclose(score, expected(GAPS, False), atol=1e-13)
    assert shares.attrs == {"long_name": "share of members", "units": "1"}


def test_members_of_text_and_of_ignored_labels() -> None:
    names = np.array(["dry", "mild", "wet", "flood"], object)
    text = WHOLE.copy(data=names[WHOLE.values])
    true = TRUE.copy(data=names[TRUE.values])
    asked: dict[str, Any] = {"member_dim": "member", "fair": True}
    found = true.ordinal.rps(text, classes=names.tolist(), **asked)
    np.testing.assert_allclose(found, expected(WHOLE, True), atol=1e-13)
    packed = GAPS.fillna(255).astype("uint8")
    shares = packed.ordinal.probabilities("member", ignore=255)
    np.testing.assert_array_equal(shares, GAPS.ordinal.probabilities("member", classes=range(K)))
    found = TRUE.ordinal.rps(packed, ignore=255, dropna=True, classes=range(K), **asked)
    np.testing.assert_allclose(found, expected(GAPS, True), atol=1e-13)


def test_cases_without_members_are_missing_and_single_members_have_no_fair_score() -> None:
    asked: dict[str, Any] = {"member_dim": "member", "classes": range(K)}
    with pytest.raises(MissingValueError, match="'forecast' holds 1 missing value"):
        TRUE.ordinal.rps(GAPS, **asked)
    case = GAPS.isel(lead=1, time=[7])
    true = TRUE.isel(time=[7])
    with pytest.warns(UndefinedMetricWarning):
        by_case = true.ordinal.rps(case, dim=[], fair=True, **asked)
    with pytest.warns(UndefinedMetricWarning):
        over_all = true.ordinal.rps(case, fair=True, **asked)
    assert by_case.isnull().values.tolist() == [[True, False, False]]
    assert over_all.isnull()
    single = true.ordinal.report(proba=case, fair=True, dropna=True, metrics=["rps"], **asked)
    assert int(single.n) == N_CELLS - 1
    due = [error(t, m, True) for t, m in zip(TRUE.values[7, 1:], case.values[0, 1:], strict=True)]
    assert float(single.rps) == pytest.approx(np.mean(due))


def test_numbers_of_members_are_sorted_into_bins() -> None:
    rain = xr.DataArray([[0.0, 0.5, 3.0], [np.nan, 8.0, 3.0]], dims=("case", "member"), name="r")
    shares = rain.ordinal.probabilities("member", bins=[-np.inf, 0, 3, np.inf])
    assert shares.values.tolist() == [[1 / 3, 2 / 3, 0], [0, 0.5, 0.5]]
    assert shares.indexes["class"].tolist() == list(
        pd.IntervalIndex.from_breaks([-np.inf, 0, 3, np.inf])
    )
    whole = xr.DataArray([[0, 4], [4, 4]], dims=("case", "member"))  # values, not codes
    assert whole.ordinal.probabilities("member", bins=[-1, 2, 9]).values.tolist() == [
        [0.5, 0.5],
        [0, 1],
    ]
    with pytest.raises(UnknownClassError, match=r"'r' holds 1 value outside the bins .* 8\.0"):
        rain.ordinal.probabilities("member", bins=[-1, 0, 3])
    codes = rain.ordinal.cut([-np.inf, 0, 3, np.inf])
    xr.testing.assert_identical(codes.ordinal.probabilities("member"), shares)
    for asked in ({"classes": range(3)}, {"ignore": 3}):
        with pytest.raises(ValueError, match="but (classes|ignore)= belongs to labels"):
            rain.ordinal.probabilities("member", bins=[0, 1, 9], **asked)
    with pytest.raises(ValueError, match="but the attribute flag_meanings belongs to labels"):
        codes.ordinal.probabilities("member", bins=[-1, 0, 3])


def test_classes_occur_among_true_labels_or_members() -> None:
    true = xr.DataArray([0, 1, 1], dims="i")
    members = xr.DataArray([[0, 1], [1, 2], [2, 2]], dims=("i", "member"))
    # cumulative shares 0.5 and 1, 0 and 0.5, 0 and 0, against 1 and 1, 0 and 1, 0 and 1
    due = np.mean([0.5**2, 0.5**2, 1])
    assert float(true.ordinal.rps(members, member_dim="member")) == pytest.approx(due)


def test_other_metrics_read_members_as_shares() -> None:
    shares = WHOLE.ordinal.probabilities("member")
    for name in ("brier", "rps_mcb", "rps_skill"):
        method = getattr(TRUE.ordinal, name)
        np.testing.assert_allclose(method(WHOLE, member_dim="member"), method(shares), atol=1e-13)
    report = TRUE.ordinal.report(proba=WHOLE, member_dim="member")
    xr.testing.assert_allclose(report, TRUE.ordinal.report(proba=shares))


def test_wrong_requests_say_what_to_give() -> None:
    with pytest.raises(ValueError, match=r"fair=True corrects rps and rps_skill, not brier"):
        TRUE.ordinal.brier(WHOLE, member_dim="member", fair=True)
    with pytest.raises(ValueError, match=r"not log_loss: .* metrics=\['rps', 'rps_skill'\]"):
        TRUE.ordinal.report(
            proba=WHOLE, member_dim="member", fair=True, metrics=["rps", "log_loss"]
        )
    with pytest.raises(ValueError, match='needs these: give their dimension, .*member_dim="mem'):
        TRUE.ordinal.rps(WHOLE.ordinal.probabilities("member"), fair=True)
    with pytest.raises(ValueError, match="member_dim='time' must name .* one of .'lead', 'membe"):
        TRUE.ordinal.rps(WHOLE, member_dim="time")
    for wrong in (pd.NA, ["member"], None):
        with pytest.raises(ValueError, match="dim=.* must name the dimension of the members"):
            WHOLE.ordinal.probabilities(wrong)
    with pytest.raises(TypeError, match="sample_weight must be a DataArray, not a bytearray"):
        TRUE.ordinal.rps(WHOLE, member_dim="member", sample_weight=bytearray(3))
    with pytest.raises(ValueError, match=r"^bins=.. must be increasing"):
        WHOLE.ordinal.probabilities("member", bins=[])
    with pytest.raises(ValueError, match="dim='membre' must name.*did you mean 'member'"):
        WHOLE.ordinal.probabilities("membre")
    with pytest.raises(UnknownClassError, match="'forecast' holds"):
        TRUE.ordinal.rps(WHOLE, member_dim="member", classes=range(3))
    with pytest.raises(po.errors.ClassOrderError, match="chunked"):
        WHOLE.chunk().ordinal.probabilities("member")


@pytest.mark.parametrize(
    ("method", "given"),
    [
        ("cut", ([0, 1],)),
        ("as_ordered", ([0, 1],)),
        ("classify", ([1],)),
        ("expected_class", ()),
        ("most_likely", ()),
        ("median_class", ()),
        ("least_costly", (np.eye(3),)),
        ("probabilities", ("true",)),
    ],
)
def test_counts_are_neither_values_nor_labels(method: str, given: tuple[Any, ...]) -> None:
    cube = TRUE.ordinal.confusion(WHOLE)
    with pytest.raises(ValueError, match=f"holds counts: {method} is for the arrays"):
        getattr(cube.ordinal, method)(*given)


def test_labels_that_a_mask_leaves_out_need_not_be_classes() -> None:
    mask = TRUE > 0
    true, members = TRUE.where(mask, 99), WHOLE.where(mask, 99)
    asked: dict[str, Any] = {"member_dim": "member", "fair": True, "classes": range(K)}
    found = true.ordinal.rps(members, sample_weight=mask, **asked)
    for lead in range(N_LEADS):
        errors = [
            error(TRUE.values[w], WHOLE.values[(lead, *w)], True)
            for w in np.ndindex(N_TIMES, N_CELLS)
            if TRUE.values[w] > 0
        ]
        assert float(found[lead]) == pytest.approx(np.mean(errors))
    left_out = TRUE.where(mask, 255).ordinal.rps(members, ignore=[99, 255], dropna=True, **asked)
    np.testing.assert_allclose(left_out, found)


def test_messages_do_not_speak_of_internal_names() -> None:
    with pytest.raises(po.errors.UnknownNameError, match=r"there are \['time'\]"):
        TRUE.ordinal.rps(WHOLE, member_dim="member", by="member")
    with pytest.raises(ValueError, match=r"two dimensions 'class' among \['class', 'class'\]"):
        WHOLE[0, :, 0].rename(time="class").ordinal.probabilities("member")
    with pytest.raises(UnknownClassError, match="a dimension of members is member_dim="):
        TRUE.ordinal.rps(WHOLE)
