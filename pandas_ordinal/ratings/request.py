"""What `agreement` is asked for, and the columns that show it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from pandas_ordinal.counting.arrays import Array, Positions
from pandas_ordinal.errors import brief, did_you_mean, is_iterable
from pandas_ordinal.metrics.agreement import Level, WeightsName
from pandas_ordinal.metrics.rating_table import RatingTable, Scale, scale_of
from pandas_ordinal.query import Uncertainty
from pandas_ordinal.ratings.left_out import leaving
from pandas_ordinal.ratings.uncertainty import intervals_of
from pandas_ordinal.reports.metrics import Classes

COEFFICIENTS = (
    "fleiss_kappa",
    "conger_kappa",
    "gwet_ac",
    "brennan_prediger",
    "krippendorff_alpha",
)


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """The coefficients of a call, and their uncertainty.

    Attributes
    ----------
    metrics : list of str, optional
        The names of the coefficients. Default: all five.
    weights : str or array_like
        The agreement that each pair of classes stands for, for all but alpha.
    level : str
        The level of measurement of alpha.
    uncertainty : Uncertainty
        The intervals and standard errors.
    """

    metrics: Sequence[str] | None
    weights: WeightsName | npt.ArrayLike
    level: Level
    uncertainty: Uncertainty

    @property
    def names(self) -> list[str]:
        """The names of the coefficients; raise for others."""
        if self.metrics is None:
            return list(COEFFICIENTS)
        if isinstance(self.metrics, (str, bytes, Mapping)) or not is_iterable(self.metrics):
            raise ValueError(
                f"metrics={brief(self.metrics)} must be a list of names, such as "
                'metrics=["fleiss_kappa"]'
            )
        for name in self.metrics:
            if not isinstance(name, str) or name not in COEFFICIENTS:
                raise ValueError(
                    f"agreement has no metric {brief(name)}{did_you_mean(name, COEFFICIENTS)}; "
                    f"its metrics are {', '.join(COEFFICIENTS)}"
                )
        return list(dict.fromkeys(self.metrics))

    def scale(self, classes: Classes) -> Scale:
        """Return how far apart these classes are."""
        weights = cast("npt.ArrayLike", classes.aligned({"weights": self.weights})["weights"])
        return scale_of(len(classes), weights, self.level)

    def columns(self, table: RatingTable, classes: Classes) -> dict[str, Array]:
        """Return the columns of the result, a value for each group."""
        names = self.names
        found = leaving(table, self.scale(classes), names)
        with np.errstate(all="ignore"):
            values = found.values()
            estimates = {name: values[name] for name in names}
            parts: dict[str, Mapping[str, Array]] = {
                name: {"": one} for name, one in estimates.items()
            }
            if self.uncertainty.is_requested:
                low = -1.0 if isinstance(self.weights, str) else -np.inf
                limits = dict.fromkeys(names, (low, 1.0))
                level = 0.95 if self.uncertainty.ci is None else self.uncertainty.ci
                for name, one in intervals_of(found, estimates, limits, level).items():
                    parts[name] = {"": estimates[name], **one._asdict()}
        sums = found.totals.sums
        columns = {"n_items": sums.n_items.astype(np.int64)}
        if self.uncertainty.cluster is not None:
            columns["n_clusters"] = np.diff(table.group_starts)
        columns |= {
            "n_paired": sums.n_paired.astype(np.int64),
            "n_raters": n_raters_of(table),
            "n_ratings": np.diff(table.rating_starts),
        }
        for name in names:
            for suffix in ("", *self.uncertainty.suffixes):
                columns[f"{name}_{suffix}" if suffix else name] = parts[name][suffix]
        return columns

    def facts(self) -> dict[Any, Any]:
        """Return what the result says about its intervals."""
        options = {"ci": self.uncertainty.ci, "cluster": self.uncertainty.cluster}
        given = {name: value for name, value in options.items() if value is not None}
        return {name: getattr(one, "name", one) for name, one in given.items()}


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
    """Raise for a single rater."""
    raters = list(labels)
    if len(raters) == 1:
        raise ValueError(
            f"agreement needs two raters or more, but {brief(raters[0])} is the only one: give "
            "the columns of all raters, or all their ratings"
        )
