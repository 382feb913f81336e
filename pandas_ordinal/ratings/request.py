"""The columns that show an agreement, and what is refused."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from pandas_ordinal.counting.arrays import Array, Positions
from pandas_ordinal.errors import brief, did_you_mean, is_iterable
from pandas_ordinal.metrics.rating_table import RatingTable, scale_of
from pandas_ordinal.query import Agreement
from pandas_ordinal.ratings.left_out import leaving
from pandas_ordinal.ratings.uncertainty import intervals_of
from pandas_ordinal.reports.facts import Fact, facts_of
from pandas_ordinal.reports.metrics import Classes

COEFFICIENTS = (
    "fleiss_kappa",
    "conger_kappa",
    "gwet_ac",
    "brennan_prediger",
    "krippendorff_alpha",
)


def names_of(asked: Agreement) -> list[str]:
    """Return the names of the coefficients; raise for others."""
    if asked.metrics is None:
        return list(COEFFICIENTS)
    if isinstance(asked.metrics, (str, bytes, Mapping)) or not is_iterable(asked.metrics):
        raise ValueError(
            f"metrics={brief(asked.metrics)} must be a list of names, such as "
            'metrics=["fleiss_kappa"]'
        )
    for name in asked.metrics:
        if not isinstance(name, str) or name not in COEFFICIENTS:
            raise ValueError(
                f"agreement has no metric {brief(name)}{did_you_mean(name, COEFFICIENTS)}; "
                f"its metrics are {', '.join(COEFFICIENTS)}"
            )
    return list(dict.fromkeys(asked.metrics))


def agreement_columns(asked: Agreement, table: RatingTable, classes: Classes) -> dict[str, Array]:
    """Return the columns of the result, a value for each group."""
    names, uncertainty = names_of(asked), asked.uncertainty
    weights = cast("npt.ArrayLike", classes.aligned({"weights": asked.weights})["weights"])
    found = leaving(table, scale_of(len(classes), weights, asked.level), names)
    with np.errstate(all="ignore"):
        values = found.values()
        columns = {name: values[name] for name in names}
        if uncertainty.is_requested:
            lowest = -1.0 if isinstance(asked.weights, str) else -np.inf
            limits = dict.fromkeys(names, (lowest, 1.0))
            level = 0.95 if uncertainty.ci is None else uncertainty.ci
            for name, interval in intervals_of(found, dict(columns), limits, level).items():
                ends = interval._asdict().items()
                columns |= {f"{name}_{part}": values for part, values in ends}
    sums = found.totals.sums
    sizes = {"n_items": sums.n_items.astype(np.int64)}
    if uncertainty.cluster is not None:
        sizes["n_clusters"] = np.diff(table.group_starts)
    sizes |= {
        "n_paired": sums.n_paired.astype(np.int64),
        "n_raters": n_raters_of(table),
        "n_ratings": np.diff(table.rating_starts),
    }
    return sizes | {name: columns[name] for name in uncertainty.columns_of(names)}


def facts_about(asked: Agreement) -> dict[Hashable | None, Fact]:
    """Return what the result says about its intervals."""
    facts = facts_of(asked.uncertainty) if asked.uncertainty.is_requested else {}
    return {name: fact for name, fact in facts.items() if name != "method"}  # there is only one


def n_raters_of(table: RatingTable) -> Positions:
    """Return how many raters have a rating in each group."""
    sizes = np.diff(table.rating_starts)
    pairs = np.repeat(np.arange(table.n_groups) * table.n_raters, sizes) + table.raters
    size = table.n_groups * table.n_raters
    if size <= 4 * len(pairs):
        occurs = np.bincount(pairs, minlength=size) > 0
        return np.asarray(occurs.reshape(table.n_groups, table.n_raters).sum(axis=1))
    groups = np.unique(pairs) // max(table.n_raters, 1)
    return np.bincount(groups, minlength=table.n_groups)


def refuse_one_rater(labels: Iterable[Any]) -> None:
    """Raise for a single rater, or none."""
    raters = list(labels)
    if len(raters) < 2:
        only = f"{brief(raters[0])} is the only one" if raters else "there is none"
        raise ValueError(
            f"agreement needs two raters or more, but {only}: give the columns of all raters, or "
            "all their ratings"
        )
