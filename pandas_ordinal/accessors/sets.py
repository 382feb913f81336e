"""Methods of frames, their groups and Series for prediction sets and their limits."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, Unpack

import pandas as pd

from pandas_ordinal import plot
from pandas_ordinal.accessors.calibration import OfForecasts
from pandas_ordinal.accessors.typing import ColumnsLike
from pandas_ordinal.classes.columns import ProbaLike
from pandas_ordinal.classes.gate import ClassesLike
from pandas_ordinal.query import Comparison, ComparisonOptions, Query, Uncertainty
from pandas_ordinal.rows.table import FrameTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pandas_ordinal.rows.sample import Sample


def limits_by_coverage(
    *, coverage: float, by_class: bool = False
) -> OfForecasts[pd.Series[float], pd.Series[float]]:
    """Find limits with which `prediction_sets` hold the true class of new rows that often.

    The rows must be others than those that the model was fitted to, and like the new ones.

    Parameters
    ----------
    coverage : float
        The share of new rows whose set holds the true class, such as 0.9.
    by_class : bool, default False
        Whether this share holds in each true class, and not only over all rows. The sets are then
        larger.

    Returns
    -------
    Series
        The limit of each class, after the keys of the group and the model: ``limits.loc[key]`` are
        the limits of one, for `prediction_sets`. Infinite, so that all sets hold the class, where
        there are too few rows: fewer than ``coverage / (1 - coverage)``.

    Raises
    ------
    ValueError
        If `coverage` is not between 0 and 1.

    See Also
    --------
    prediction_sets : the sets of new rows.
    report_sets : how often sets hold the true class, and how large they are.
    pandas_ordinal.metrics.set_limits : the formula.

    Notes
    -----
    If new rows are exchangeable with these, the expected share of sets that hold the true class is
    at least `coverage`, whatever the model. It is not if the model has seen these rows, if rows
    repeat or belong together, or if new rows are of another kind.

    References
    ----------
    V. Vovk, A. Gammerman and G. Shafer, Algorithmic learning in a random world, 2005,
    doi:10.1007/b106715. By class: V. Vovk, Conditional validity of inductive conformal predictors,
    Mach. Learn. 92 (2013) 349-376, doi:10.1007/s10994-013-5355-6.

    Examples
    --------
    >>> import pandas as pd
    >>> import pandas_ordinal as po
    >>> known = pd.DataFrame({
    ...     "y": [0, 1, 2, 2], 0: [0.8, 0.2, 0.1, 0.5], 1: [0.2, 0.6, 0.3, 0.3],
    ...     2: [0.0, 0.2, 0.6, 0.2]
    ... })
    >>> limits = known.ordinal.set_limits("y", [0, 1, 2], coverage=0.6)
    >>> limits.round(2).tolist()
    [0.17, 0.17, 0.17]
    """

    def show(rows: Sample) -> pd.Series[float]:
        from pandas_ordinal.rows.sets import limits_of_classes

        return limits_of_classes(rows, coverage, by_class)

    return OfForecasts(show)


class FrameSets:
    """Methods of frames for prediction sets."""

    _table: FrameTable

    def prediction_sets(
        self,
        proba: ProbaLike,
        limits: pd.Series[float] | Any,
        *,
        classes: ClassesLike | None = None,
        atol: float | None = None,
    ) -> pd.DataFrame:
        """Return the set of neighbouring classes of each row, by the limits of `set_limits`.

        Parameters
        ----------
        proba : list of labels, dict or label
            The columns that hold the probabilities of the classes: named as the classes, in any
            order, or a dict {class: column}. For two classes, also the column of the higher one.
        limits : Series or array_like
            The limit of each class, the result of `set_limits` on rows whose true class is known.
            Labels are matched to the classes.
        classes : sequence, optional
            The classes from lowest to highest, if `limits` is an array. Default: those of
            `limits`.
        atol : float, optional
            By how much the probabilities of a row may differ from a sum of 1, such as 0.002 for
            three decimals. They are not rescaled. Default: 1e-6.

        Returns
        -------
        DataFrame
            ``low`` and ``high``, the lowest and the highest class of the set, as ordered
            Categoricals. Missing where a probability is missing.

        See Also
        --------
        pandas_ordinal.metrics.prediction_sets : the formula.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> new = pd.DataFrame({0: [0.9, 0.3], 1: [0.1, 0.4], 2: [0.0, 0.3]})
        >>> limits = pd.Series([0.3, 0.3, 0.3], pd.CategoricalIndex([0, 1, 2], ordered=True))
        >>> new.ordinal.prediction_sets([0, 1, 2], limits)
          low high
        0   0    0
        1   1    1
        """
        from pandas_ordinal.rows.sets import sets_of_rows

        return sets_of_rows(self._table, proba, limits, classes, atol)

    def report_sets(
        self,
        true: Hashable,
        *,
        low: Hashable | ColumnsLike,
        high: Hashable | ColumnsLike,
        coverage: float | None = None,
        by: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        ci: float | None = None,
        se: bool = False,
        cluster: Hashable | None = None,
    ) -> pd.Series[float] | pd.DataFrame:
        """Report how often sets of neighbouring classes hold the true one, and how large they are.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        low, high : label, list of labels or dict
            The columns that hold the lowest and the highest class of the set of each row, of
            whatever origin; dicts {name: column}, or lists of the same length, for several models.
        coverage : float, optional
            The share of rows whose sets should hold the true class, such as 0.9: adds
            ``interval_score``.
        by : label or list of labels, optional
            Columns or index levels to group by, such as that of the true classes.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. `n` still counts
            rows. A column of booleans selects rows; `n` counts only these.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        dropna : bool, default False
            Drop rows with a missing label or key. By default, they raise an error.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1. Rows with one of them are dropped.
        ci : float, optional
            The level of an interval of each metric, such as 0.95: adds ``<metric>_low`` and
            ``<metric>_high``.
        se : bool, default False
            Add the standard error of each metric, ``<metric>_se``.
        cluster : label, optional
            The column that identifies clusters of rows, such as patients. Default: rows are
            independent.

        Returns
        -------
        Series or DataFrame
            A row per group and model, or a Series if there are neither: ``n``, the number of rows;
            ``coverage``, the share of sets that hold the true class; ``size``, the mean number of
            classes in a set; ``least_coverage``, the coverage of the true class in which it is
            smallest; ``distance``, the mean number of classes by which sets miss the true one;
            ``interval_score``, ``size - 1 + 2 / (1 - coverage) * distance``, with the share that
            is asked for, lower is better. NaN without rows.

        Raises
        ------
        ClassOrderError
            If the labels declare no order of the classes, or contradicting ones.
        MissingValueError
            If a label or key is missing, unless dropna=True.
        ValueError
            If `low` is above `high`, or they are of different models.

        Notes
        -----
        The class of the set that is nearest to the true one takes the place of a prediction:
        ``coverage`` is its `accuracy`, ``distance`` its `mae` and ``least_coverage`` its
        `min_sensitivity`, with their intervals. Those of ``size`` and ``interval_score`` are
        intervals of means over rows.

        References
        ----------
        R. L. Winkler, A decision-theoretic approach to interval estimation, J. Am. Stat. Assoc. 67
        (1972) 187-191, doi:10.1080/01621459.1972.10481224.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({"y": [0, 1, 2, 2], "low": [0, 0, 0, 1], "high": [1, 0, 1, 2]})
        >>> df.ordinal.report_sets("y", low="low", high="high", coverage=0.9).round(2)
        n                  4.00
        coverage           0.50
        size               1.75
        least_coverage     0.00
        distance           0.50
        interval_score    10.75
        dtype: float64
        """
        from pandas_ordinal.rows.sets import SetColumns, report_of_sets

        query = Query(
            true=true, by=by, sample_weight=sample_weight, classes=classes, dropna=dropna,
            ignore=ignore,
        )  # fmt: skip
        return report_of_sets(
            self._table, query, SetColumns(low, high, coverage),
            Uncertainty(ci=ci, se=se, cluster=cluster),
        )  # fmt: skip

    def compare_sets(
        self,
        true: Hashable,
        *,
        low: ColumnsLike,
        high: ColumnsLike,
        coverage: float | None = None,
        by: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        **comparison: Unpack[ComparisonOptions],
    ) -> pd.DataFrame:
        """Compare the prediction sets of several models on the same rows, as `compare` does.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        low, high : dict or list of labels
            The columns that hold the lowest and the highest class of the sets of each model: dicts
            {name: column}, or lists of the same length.
        coverage : float, optional
            The share of rows whose sets should hold the true class, such as 0.9: adds
            ``interval_score``.
        by : label or list of labels, optional
            Columns or index levels to group by; each group is compared separately.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. `n` still counts
            rows. A column of booleans selects rows; `n` counts only these.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        dropna : bool, default False
            Drop rows with a missing label or key. By default, they raise an error.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1. Rows with one of them are dropped.
        **comparison : ComparisonOptions
            How models are compared.

        Returns
        -------
        DataFrame
            A row for each group, column of `report_sets` and pair of models, with the columns of
            `compare`. A larger ``coverage`` counts as better, and a smaller ``size``: read both,
            or ``interval_score``, which weighs one against the other.

        Raises
        ------
        ValueError
            If there are fewer than two models, or no row for which all of them have a set.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({
        ...     "y": [0, 1, 2, 2] * 9, "a": [0, 0, 1, 1] * 9, "b": [0, 1, 1, 2] * 9,
        ...     "top": [2] * 36
        ... })
        >>> low, high = {"a": "a", "b": "b"}, {"a": "top", "b": "top"}
        >>> found = df.ordinal.compare_sets("y", low=low, high=high)
        >>> found.loc["size", ["value_a", "value_b", "difference", "better"]].round(2)
             value_a  value_b  difference better
        a b
        a b      2.5      2.0         0.5      b

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({
        ...     "y": [0, 1, 2, 2] * 9, "a": [0, 0, 1, 1] * 9, "b": [0, 1, 1, 2] * 9,
        ...     "top": [2] * 36,
        ... })
        >>> low, high = {"a": "a", "b": "b"}, {"a": "top", "b": "top"}
        >>> found = df.ordinal.compare_sets("y", low=low, high=high)
        >>> found.loc["size", ["value_a", "value_b", "difference", "better"]].round(2)
             value_a  value_b  difference better
        a b
        a b      2.5      2.0         0.5      b
        """
        from pandas_ordinal.rows.sets import SetColumns, comparison_of_sets

        asked = Comparison(**comparison)
        if asked.method == "permutation":
            raise ValueError("compare_sets has no permutation test: leave method= out")
        query = Query(
            true=true, by=by, sample_weight=sample_weight, classes=classes, dropna=dropna,
            ignore=ignore,
        )  # fmt: skip
        return comparison_of_sets(self._table, query, SetColumns(low, high, coverage), asked)

    def plot_sets(
        self,
        true: Hashable,
        *,
        low: Hashable | ColumnsLike,
        high: Hashable | ColumnsLike,
        by: Hashable | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        ax: Axes | None = None,
    ) -> Any:
        """Draw how often the sets of each true class hold each class.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        low, high : label, list of labels or dict
            The columns that hold the lowest and the highest class of the set of each row; dicts
            {name: column}, or lists of the same length, for several models.
        by : label, optional
            A column or index level to group by.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. A column of
            booleans selects rows.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        dropna : bool, default False
            Drop rows with a missing label or key. By default, they raise an error.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1. Rows with one of them are dropped.
        ax : matplotlib Axes, optional
            Where to draw a single panel. Default: a new figure.

        Returns
        -------
        matplotlib Axes, or array of Axes
            A row for each true class: in each column the share of its sets that hold the class.
            The outlined diagonal is the coverage of each class, and a row adds up to the mean size
            of its sets. Groups and models have a panel each.

        Raises
        ------
        ImportError
            If matplotlib is missing.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({"y": [0, 1, 2, 2], "low": [0, 0, 0, 1], "high": [1, 0, 1, 2]})
        >>> axes = df.ordinal.plot_sets("y", low="low", high="high")
        >>> axes.get_ylabel()
        'true class'
        """
        from pandas_ordinal.rows.sets import SetColumns, shares_in_sets

        query = Query(
            true=true, by=by, sample_weight=sample_weight, classes=classes, dropna=dropna,
            ignore=ignore,
        )  # fmt: skip
        shares = shares_in_sets(self._table, query, SetColumns(low, high))
        matrices = plot.matrix.set_matrices(shares, shares.indexes["true"].categories)
        panels = [str(dim) for dim in shares.dims[:-2]]
        if len(panels) > 2:
            raise ValueError(
                f"plot_sets has panels for two of by= and the models, not for {panels}: give by= "
                "one key, or one model"
            )
        if panels and ax is not None:
            raise ValueError(f"ax= has room for one panel, not for {panels}: leave ax= out")
        if panels and not 0 < (n_panels := shares[..., 0, 0].size) <= plot.canvas.MOST_PANELS:
            raise ValueError(
                f"there would be {n_panels} panels, but a picture has from 1 to "
                f"{plot.canvas.MOST_PANELS}: select the rows of some groups"
            )
        row, col = ([None] * 2 + panels)[-2:]
        return plot.facets.draw(matrices, row, col, ax)


class GroupBySets:
    """Methods of grouped frames for prediction sets."""

    _table: FrameTable

    if TYPE_CHECKING:

        def _with_keys(self, result: Any) -> Any: ...

    def report_sets(
        self,
        true: Hashable,
        *,
        low: Hashable | ColumnsLike,
        high: Hashable | ColumnsLike,
        coverage: float | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        ci: float | None = None,
        se: bool = False,
        cluster: Hashable | None = None,
    ) -> pd.DataFrame:
        """Report how often the sets of each group hold the true class, and how large they are.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        low, high : label, list of labels or dict
            The columns that hold the lowest and the highest class of the set of each row, of
            whatever origin; dicts {name: column}, or lists of the same length, for several models.
        coverage : float, optional
            The share of rows whose sets should hold the true class, such as 0.9: adds
            ``interval_score``.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. `n` still counts
            rows. A column of booleans selects rows; `n` counts only these.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        dropna : bool, default False
            Drop rows with a missing label. By default, they raise an error.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1. Rows with one of them are dropped.
        ci : float, optional
            The level of an interval of each metric, such as 0.95: adds ``<metric>_low`` and
            ``<metric>_high``.
        se : bool, default False
            Add the standard error of each metric, ``<metric>_se``.
        cluster : label, optional
            The column that identifies clusters of rows, such as patients. Default: rows are
            independent.

        Returns
        -------
        DataFrame
            A row per group and model, with the columns of `FrameOrdinal.report_sets`.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({
        ...     "fold": [1, 1, 2, 2], "y": [0, 1, 2, 2], "low": [0, 0, 0, 1], "high": [1, 0, 1, 2]
        ... })
        >>> df.groupby("fold").ordinal.report_sets("y", low="low", high="high").round(2)
              n  coverage  size  least_coverage  distance
        fold
        1     2       0.5   1.5             0.0       0.5
        2     2       0.5   2.0             0.5       0.5
        """
        from pandas_ordinal.rows.sets import SetColumns, report_of_sets

        query = Query(
            true=true, sample_weight=sample_weight, classes=classes, dropna=dropna, ignore=ignore
        )
        report = report_of_sets(
            self._table, query, SetColumns(low, high, coverage),
            Uncertainty(ci=ci, se=se, cluster=cluster),
        )  # fmt: skip
        found: pd.DataFrame = self._with_keys(report)
        return found
