"""Comparisons, summaries and tests of ranks in words."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Hashable, Iterable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from pandas_ordinal.errors import an
from pandas_ordinal.hints import explains_arguments
from pandas_ordinal.inference.adjust import holm
from pandas_ordinal.inference.folds import Friedman
from pandas_ordinal.inference.pairs import NEITHER
from pandas_ordinal.reports.facts import direction_behind, metrics_behind
from pandas_ordinal.reports.style_rows import groups_of_rows

PairOfModels: TypeAlias = tuple[Hashable, Hashable]

LINE_WIDTH = 79
NO_TEST = "No test is behind these values: compare shows which differences are significant."


@explains_arguments
def describe(found: pd.DataFrame | Friedman) -> str:
    """Put a comparison, a summary or a test of ranks into words.

    Parameters
    ----------
    found : DataFrame or Friedman
        What `compare`, `summary` or `po.friedman` returned, or some of its rows.

    Returns
    -------
    str
        A sentence for each group and conclusion; metrics with the same conclusion share one. Each
        begins a line, and goes on indented where it has more than 79 characters.

    Raises
    ------
    TypeError
        If this is another result.
    ValueError
        If it has no rows.

    Notes
    -----
    A model is called better only where the column ``better`` names it, which takes the number of
    pairs into account. Two models that "cannot be told apart" may still differ: more rows might
    show it. Models are called equivalent if ``p_equivalent``, adjusted by Holm's method for the
    pairs of the metric, is at most ``1 - ci``. That level is read from the attributes of the
    comparison. Without them, equivalence and metrics without a direction are not described.

    A summary has no tests, so its sentences only name the best values.

    Examples
    --------
    >>> import pandas as pd
    >>> import pandas_ordinal as po
    >>> df = pd.DataFrame({"y": [0, 1, 2, 2] * 25, "a": [0, 1, 2, 1] * 25, "b": [0, 1, 1, 0] * 25})
    >>> found = po.ordinal(df).compare("y", ["a", "b"], metrics=["mae", "kappa", "bias"])
    >>> print(po.describe(found))
    By mae and kappa: a is better than b.
    By bias: a is higher than b; the metric has no direction.
    """
    return "\n".join(map(_wrapped, _sentences(found).splitlines()))


def _wrapped(sentence: str) -> str:
    """Break a line between words: notebooks break a long one anywhere."""
    return textwrap.fill(
        sentence,
        LINE_WIDTH,
        subsequent_indent="  ",
        expand_tabs=False,
        replace_whitespace=False,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _sentences(found: pd.DataFrame | Friedman) -> str:
    """Return a line for each sentence."""
    if isinstance(found, Friedman):
        return _of_friedman(found)
    if isinstance(found, pd.DataFrame):
        levels, columns = set(found.index.names), set(found.columns)
        kinds = {
            _of_comparison: {"a", "b"} <= levels and columns & {"better", "non_inferior"},
            _of_summary: "metric" in levels and columns >= {"mean", "n_folds", "pooled"},
        }
        for describes, is_this in kinds.items():
            if is_this and not len(found):
                raise ValueError("the result has no rows: there is nothing to describe")
            if is_this:
                return describes(found)
    raise TypeError(
        "describe puts into words what .ordinal.compare(...), .ordinal.summary(...) or "
        f"po.friedman(...) returned, not {an(type(found).__name__)} of another kind: give the "
        "result itself, with its index"
    )


def _of_friedman(found: Friedman) -> str:
    return (
        f"By mean rank: {_conclusion(found.pairs, _facts_of(found.pairs))}.\n"
        f"Friedman's test: chi-squared {found.statistic:.2f} with {found.df} degrees of freedom, "
        f"p = {found.p_value:.2g}."
    )


def _of_comparison(found: pd.DataFrame) -> str:
    lines, facts = [], _facts_of(found)
    for keys, rows in groups_of_rows(found):
        group = ", ".join(str(one) if name is None else f"{name} {one}" for name, one in keys)
        metrics: dict[str, list[str]] = {}
        if "metric" not in rows.index.names:
            lines.append(_line(group, f"by this metric: {_conclusion(rows, facts)}"))
            continue
        for metric, pairs in rows.groupby(level="metric", sort=False, observed=True):
            metrics.setdefault(_conclusion(pairs, facts), []).append(str(metric))
        for conclusion, names in metrics.items():
            lines.append(_line(group, f"by {_listed(names)}: {conclusion}"))
    return "\n".join(lines)


class Attributes(NamedTuple):
    """What the attributes of a comparison say: the level of its tests, their side, the margin."""

    level: float | None
    is_one_sided: bool
    within: str


def _facts_of(found: pd.DataFrame) -> Attributes:
    """Return the facts of a comparison; an infinite bound shows that it is one-sided, too.

    Without attributes and bounds, it may be.
    """
    ci, margin = found.attrs.get("ci"), found.attrs.get("margin")
    bounds = found[[name for name in ("low", "high") if name in found.columns]]
    ends = bounds.to_numpy(dtype=float)
    is_unknown = bool(ends.size and np.isnan(ends).all())
    side = found.attrs.get("alternative", None if is_unknown else "two-sided")
    return Attributes(
        level=1 - ci if isinstance(ci, float) else None,
        is_one_sided=bool(np.isinf(ends).any()) or side != "two-sided",
        within=f" within {margin:g}" if isinstance(margin, (int, float)) else " within the margin",
    )


def _line(group: str, text: str) -> str:
    """Return a sentence about a group, or about all rows if it has no name."""
    return f"In {group}, {text}." if group else f"{text[0].upper()}{text[1:]}."


def _conclusion(pairs: pd.DataFrame, facts: Attributes) -> str:
    """Describe the pairs of models by one metric in one group."""
    sides = (pairs.index.get_level_values(side) for side in ("a", "b"))
    labels = list(zip(*sides, strict=True))
    if "non_inferior" in pairs.columns:
        return _not_inferior(labels, pairs["non_inferior"])
    has_p, better = pairs["p_adjusted"].notna().to_numpy(), pairs["better"]
    if has_p.any() and better.isna().all():
        return _undirected(labels, pairs, facts)
    decided = [
        _ahead(pair, which)
        for pair, which in zip(labels, better, strict=True)
        if pd.notna(which) and which != NEITHER
    ]
    rest = [pair for pair, which in zip(labels, better, strict=True) if which == NEITHER]
    without = [pair for pair, has in zip(labels, has_p, strict=True) if not has]
    if facts.is_one_sided:
        parts = [*_pairs(decided, BETTER), *_pairs(rest, NOT_BETTER)]
        return "; ".join([*parts, *_without(without, labels)])
    equivalent = _equivalent(labels, pairs, facts)
    rest = [pair for pair in rest if pair not in equivalent]
    parts = [*_pairs(decided, BETTER), *_alike(equivalent, facts), *_without(without, labels)]
    return "; ".join([*parts, *_undecided(rest, labels, bool(parts))])


def _ahead(pair: PairOfModels, better: Hashable) -> PairOfModels:
    """Return a pair with the better model first."""
    one, other = pair
    return (one, other) if better == one else (other, one)


def _not_inferior(labels: list[PairOfModels], verdicts: pd.Series[Any]) -> str:
    """Describe which models are not inferior to others."""
    pairs: dict[bool | None, list[PairOfModels]] = {True: [], False: [], None: []}
    for pair, verdict in zip(labels, verdicts, strict=True):
        pairs[None if pd.isna(verdict) else bool(verdict)].append(pair)
    parts = [*_pairs(pairs[True], NOT_INFERIOR), *_pairs(pairs[False], MAYBE_INFERIOR)]
    return "; ".join([*parts, *_without(pairs[None], labels)])


def _undirected(labels: list[PairOfModels], pairs: pd.DataFrame, facts: Attributes) -> str:
    """Describe differences by a metric without a direction."""
    if facts.level is None or facts.is_one_sided:
        return "no model is better, since the metric has no direction"
    p, difference = pairs[["p_adjusted", "difference"]].to_numpy(dtype=float).T
    is_real = (p <= facts.level) & (difference != 0)
    higher = [
        _ahead(labels[n], labels[n][int(difference[n] < 0)]) for n in np.flatnonzero(is_real)
    ]
    rest = [labels[n] for n in np.flatnonzero(~is_real & ~np.isnan(p))]
    without = [labels[n] for n in np.flatnonzero(np.isnan(p))]
    parts = [*_pairs(higher, HIGHER), *_without(without, labels)]
    parts += _undecided(rest, labels, bool(parts))
    return "; ".join([*parts, *(["the metric has no direction"] if higher else [])])


def _equivalent(
    labels: list[PairOfModels], pairs: pd.DataFrame, facts: Attributes
) -> list[PairOfModels]:
    """Return the pairs of models that are equivalent."""
    if facts.level is None or "p_equivalent" not in pairs.columns:
        return []
    p = holm(pairs["p_equivalent"].to_numpy(dtype=float)[None])[0]
    return [labels[n] for n in np.flatnonzero(p <= facts.level)]


def _alike(pairs: list[PairOfModels], facts: Attributes) -> list[str]:
    """Describe pairs of equivalent models."""
    models = dict.fromkeys(model for pair in pairs for model in pair)
    if len(models) > 2 and _are_all_pairs(pairs):
        return [f"{_listed(models)} are equivalent to one another{facts.within}"]
    return _stars(pairs, Wording("is equivalent to", "are equivalent to", facts.within))


class Wording(NamedTuple):
    """What is said of one model and others, of several and others, and after these."""

    one: str
    several: str
    after: str = ""
    joined_by: str = "and"


BETTER = Wording("is better than", "are better than")
NOT_BETTER = Wording(
    "is not shown to be better than", "are not shown to be better than", joined_by="or"
)
HIGHER = Wording("is higher than", "are higher than")
NOT_INFERIOR = Wording("is not inferior to", "are not inferior to", joined_by="or")
MAYBE_INFERIOR = Wording("may be inferior to", "may be inferior to")
UNDECIDED = Wording("cannot be told apart from", "cannot be told apart from", joined_by="or")
UNTESTED = Wording("has no p-value against", "have no p-value against", joined_by="or")


def _pairs(pairs: Iterable[PairOfModels], wording: Wording) -> list[str]:
    """Describe ordered pairs; models with the same others share a part of the sentence."""
    others: dict[Hashable, list[Hashable]] = {}
    for one, other in pairs:
        others.setdefault(one, []).append(other)
    alike: dict[frozenset[Hashable], list[Hashable]] = {}
    for one, its_others in others.items():
        alike.setdefault(frozenset(its_others), []).append(one)
    return [
        f"{_listed(ones)} {wording.one if len(ones) == 1 else wording.several} "
        f"{_listed(others[ones[0]], wording.joined_by)}{wording.after}"
        for ones in sorted(alike.values(), key=lambda ones: -len(others[ones[0]]))
    ]


def _stars(pairs: Iterable[PairOfModels], wording: Wording) -> list[str]:
    """Describe pairs without an order, each by the model of the two that is in more of them."""
    left, ordered = list(pairs), []
    while left:
        n_pairs = Counter(model for pair in left for model in pair)
        centre = max(n_pairs, key=n_pairs.__getitem__)
        ordered += [_ahead(pair, centre) for pair in left if centre in pair]
        left = [pair for pair in left if centre not in pair]
    return _pairs(ordered, wording)


def _undecided(pairs: list[PairOfModels], among: list[PairOfModels], is_rest: bool) -> list[str]:
    """Describe the pairs without a better model, among all pairs of a comparison."""
    if len(pairs) == 1:
        return [f"{_listed(pairs[0])} cannot be told apart"]
    is_star = any(all(model in pair for pair in pairs) for model in pairs[0]) if pairs else True
    if is_star or not _are_all_pairs(among):
        return _stars(pairs, UNDECIDED)
    return [f"no {'other ' if is_rest else ''}two models can be told apart"]


def _without(pairs: list[PairOfModels], among: list[PairOfModels]) -> list[str]:
    """Describe pairs without a p-value, among all pairs of a comparison."""
    if len(pairs) > 1 and len(pairs) == len(among) and _are_all_pairs(among):
        return ["no two models have a p-value"]
    return _stars(pairs, UNTESTED)


def _are_all_pairs(pairs: list[PairOfModels]) -> bool:
    """Return whether every two of the models are a pair."""
    n_models = len({model for pair in pairs for model in pair})
    return len(set(map(frozenset, pairs))) == n_models * (n_models - 1) // 2


def _of_summary(found: pd.DataFrame) -> str:
    """Name the best means over folds and the best pooled values, which no test stands behind."""
    behind = metrics_behind(found.attrs, None)
    lines: dict[str, list[str]] = {}
    for metric, rows in found.groupby(level="metric", sort=False, observed=True):
        labels, is_alone = _labels_of(rows), len(rows) == 1
        up = direction_behind(str(metric), behind)
        one = _alone(labels[0], rows.iloc[0]) if is_alone else _best_of(up, labels, rows)
        lines.setdefault(one, []).append(str(metric))
    sentences = [f"By {_listed(metrics)}: {text}." for text, metrics in lines.items()]
    return "\n".join([*sentences, NO_TEST])


def _labels_of(rows: pd.DataFrame) -> list[str]:
    """Return the keys of each row as text, without its metric."""
    names = rows.index.names
    keys = [rows.index.get_level_values(n) for n, name in enumerate(names) if name != "metric"]
    return [", ".join(map(str, labels)) for labels in zip(*keys, strict=True)] or [""]


def _alone(label: str, row: pd.Series[Any]) -> str:
    """Describe the values of a single model."""
    if pd.isna(row["mean"]):
        return f"{label or 'the model'} has no value in any fold"
    n = int(row["n_folds"])
    spread = "" if pd.isna(row.get("std")) else f", with a standard deviation of {row['std']:.3g}"
    folds = "1 fold" if n == 1 else f"{n} folds"
    text = f"a mean of {row['mean']:.3g} over {folds}{spread}, and {row['pooled']:.3g} pooled"
    return f"{label} has {text}" if label else text


def _best_of(up: bool | None, labels: list[str], rows: pd.DataFrame) -> str:
    """Name the rows with the best mean, and those with the best pooled value."""
    if up is None:
        return "no value is best, since the metric has no known direction"
    best = {}
    for column in ("mean", "pooled"):
        values = rows[column].to_numpy(dtype=float) * (1 if up else -1)
        if np.isnan(values).all():
            return f"no {column} value is defined"
        best[column] = [labels[place] for place in np.flatnonzero(values == np.nanmax(values))]
    of_folds, pooled = best["mean"], best["pooled"]
    if of_folds == pooled:
        return f"{_has_best(of_folds)} mean over the folds and the best pooled value"
    return f"{_has_best(of_folds)} mean over the folds, but {_has_best(pooled)} pooled value"


def _has_best(labels: list[str]) -> str:
    return f"{_listed(labels)} {'has' if len(labels) == 1 else 'share'} the best"


def _listed(names: Iterable[Any], last: str = "and") -> str:
    """Join names as in a sentence."""
    *others, final = map(str, names)
    return f"{', '.join(others)} {last} {final}" if others else final
