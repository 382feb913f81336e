"""What `class_report` and `cut_report` show, and the options that they take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from pandas_ordinal.metrics.metric import Metric, Resolved, registry
from pandas_ordinal.query import Uncertainty

CLASS_COLUMNS: Mapping[str, Metric] = {
    "recall": registry["class_recall"],
    "specificity": registry["class_specificity"],
    "precision": registry["class_precision"],
    "npv": registry["class_npv"],
    "mae": registry["class_mae"],
    "off_by_one": registry["class_off_by_one"],
}
CUT_COLUMNS: Mapping[str, Metric] = {
    "sensitivity": registry["class_recall"],
    "specificity": registry["class_specificity"],
    "ppv": registry["class_precision"],
    "npv": registry["class_npv"],
}
AUC = "auc"
AT_CUTS = Resolved(registry["consecutive_auc"], {})
OF_TWO = Resolved(registry["vus"], {})  # which is that area, for the two classes of a cut
(LEVEL,) = AT_CUTS.metric.output
SHOWN_BY_CLASS: Mapping[str, Metric] = {**CLASS_COLUMNS, **CUT_COLUMNS, AUC: AT_CUTS.metric}


@dataclass(frozen=True)
class TableByClass:
    """A table with a row for each class, or for each cut between classes.

    Attributes
    ----------
    name : str
        The method that returns it.
    metrics : mapping
        The metrics of counts, by the names of their columns.
    at_cuts : bool
        Whether there is a row for each class but the last, for the cut above it. Metrics are then
        those of the second of two classes, the rows above the cut.
    uncertainty : Uncertainty
        The intervals.
    """

    name: str
    metrics: Mapping[str, Metric]
    at_cuts: bool
    uncertainty: Uncertainty

    @property
    def sizes(self) -> tuple[str, ...]:
        """The names of the columns that count rows, and clusters."""
        clusters = () if self.uncertainty.cluster is None else ("n_clusters",)
        others = ("n_above", "predicted_above") if self.at_cuts else ("predicted",)
        return ("n", *clusters, *others)

    def names(self, with_auc: bool) -> list[str]:
        """Return the names of all other columns, bounds after their metric."""
        return self.uncertainty.columns_of([*self.metrics, *([AUC] if with_auc else [])])


def class_report(*, ci: float | None = None, cluster: Any = None) -> TableByClass:
    """Evaluate each class against all others: a row per class.

    An undefined value is NaN, without a warning.

    Parameters
    ----------
    ci : float, optional
        The level of an interval of each column, such as 0.95: adds ``<column>_low`` and
        ``<column>_high``.
    cluster : optional
        Clusters of rows, such as patients. Default: rows are independent.

    Returns
    -------
    TableByClass
        ``n``, the number of rows of the class; with clusters ``n_clusters``, that of clusters with
        such rows; ``predicted``, the number of rows predicted as it; ``recall``, its sensitivity;
        ``specificity``; ``precision``, its positive predictive value; ``npv``, its negative
        predictive value; ``mae``, the mean distance of predicted and true class of its rows; and
        ``off_by_one``, the share of its rows that are predicted as a class next to it. A class
        without rows has ``n`` 0.

    Notes
    -----
    These are `class_recall`, `class_specificity`, `class_precision`, `class_npv`, `class_mae` and
    `class_off_by_one`. Intervals of shares are exact, by Clopper and Pearson; those of ``mae`` are
    those of a mean, within the range of the class. With clusters, each cluster that has rows in
    the denominator is left out in turn; the degrees of freedom are their number minus 1. With
    weights, the degrees of freedom are ``sum(w)² / sum(w²) - 1``, within the denominator.

    References
    ----------
    C. Clopper and E. Pearson, The use of confidence or fiducial limits illustrated in the case of
    the binomial, Biometrika 26 (1934) 404-413, doi:10.1093/biomet/26.4.404. D. G. Altman and J. M.
    Bland, Diagnostic tests 1 and 2, BMJ 308 (1994) 1552, doi:10.1136/bmj.308.6943.1552, and 309
    (1994) 102, doi:10.1136/bmj.309.6947.102.
    """
    return TableByClass("class_report", CLASS_COLUMNS, False, _intervals(ci, cluster))


def cut_report(*, score: Any = None, ci: float | None = None, cluster: Any = None) -> TableByClass:
    """Evaluate each cut between classes: how well rows above it are told from the others.

    An undefined value is NaN, without a warning.

    Parameters
    ----------
    score : optional
        The scores, higher for higher classes: adds ``auc``.
    ci : float, optional
        The level of an interval of each column, such as 0.95: adds ``<column>_low`` and
        ``<column>_high``.
    cluster : optional
        Clusters of rows, such as patients. Default: rows are independent.

    Returns
    -------
    TableByClass
        A row for each class but the last, for the cut between it and the next, as the thresholds
        of `best_thresholds` have: ``n``, the number of rows; with clusters ``n_clusters``, that of
        clusters; ``n_above`` and ``predicted_above``, the numbers of rows whose true and whose
        predicted class is above the cut; ``sensitivity``, ``specificity``, ``ppv`` and ``npv`` of
        "above the cut", the last two its positive and negative predictive value; and ``auc``, the
        area under the ROC curve of the score, if there is one.

    Notes
    -----
    The shares are `class_recall`, `class_specificity`, `class_precision` and `class_npv` of the
    upper one of two classes, and ``auc`` is `consecutive_auc`. Intervals are those of
    `class_report`; that of ``auc`` is the interval that `report` has for `vus` of two classes.

    References
    ----------
    C. Clopper and E. Pearson, The use of confidence or fiducial limits illustrated in the case of
    the binomial, Biometrika 26 (1934) 404-413, doi:10.1093/biomet/26.4.404. D. G. Altman and J. M.
    Bland, Diagnostic tests 1 and 2, BMJ 308 (1994) 1552, doi:10.1136/bmj.308.6943.1552, and 309
    (1994) 102, doi:10.1136/bmj.309.6947.102.
    """
    return TableByClass("cut_report", CUT_COLUMNS, True, _intervals(ci, cluster))


def _intervals(ci: float | None, cluster: Any) -> Uncertainty:
    """Return the intervals of a table by class, which has no standard errors."""
    if ci is None and cluster is not None:
        raise ValueError("cluster= belongs to intervals: add ci=0.95")
    return Uncertainty(ci=ci, cluster=cluster)


def classes_of_rows(table: pd.DataFrame) -> pd.Index[Any] | None:
    """Return the class of each row of a finished table by class; None for other tables."""
    if LEVEL not in table.index.names:
        return None
    labels = table.index.get_level_values(LEVEL)
    return labels if getattr(labels.dtype, "ordered", False) else None


REPORTS_BY_CLASS = {"class_report": class_report, "cut_report": cut_report}
METRICS_BY_CLASS = {"class_report": [*CLASS_COLUMNS.values()], "cut_report": [AT_CUTS.metric]}
