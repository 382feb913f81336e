"""Calibration on the surfaces of rows: the table, the reliability curve and its picture."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, Unpack

import pandas as pd

from pandas_ordinal import plot
from pandas_ordinal.accessors.typing import ForecastLike, ValuesLike
from pandas_ordinal.classes.columns import ProbaLike
from pandas_ordinal.classes.gate import ClassesLike
from pandas_ordinal.query import (
    Calibration,
    CalibrationOptions,
    Query,
    Reliability,
    ReliabilityOptions,
)
from pandas_ordinal.rows.gather import sample
from pandas_ordinal.rows.table import FrameTable, SeriesTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pandas_ordinal.rows.reliability import ReliabilityPicture
    from pandas_ordinal.rows.sample import Sample


class CalibrationOfFrame:
    """The methods of calibration of a DataFrame."""

    _table: FrameTable

    def calibration(
        self,
        true: Hashable,
        proba: ProbaLike,
        *,
        by: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        **calibration: Unpack[CalibrationOptions],
    ) -> pd.Series[float] | pd.DataFrame:
        """Test whether the probabilities can be believed, and measure what that costs.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        proba : list of labels, dict or label
            The columns that hold the probabilities of the classes: named as the classes, or a dict
            {class: column}; a list or dict of these for several models. For two classes, also the
            column of the higher one.
        by : label or list of labels, optional
            Columns or index levels to group by; each group is scored separately.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. `n` still counts
            rows. A column of booleans selects rows; `n` counts only these.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        dropna : bool, default False
            Drop rows with a missing value or key. By default, they raise an error.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1. Rows with one of them as true class are dropped.
        **calibration : CalibrationOptions
            What the table shows.

        Returns
        -------
        Series or DataFrame
            ``n``, the number of rows; ``rps``, the ranked probability score, and its parts
            ``mcb``, ``dsc`` and ``unc``; ``mcb_by_chance``; ``ece``, the calibration error, a mean
            over the thresholds; the p-values ``p_value``, ``p_large`` and ``p_score``.
            A row per group and model, or a Series if there are neither.

            With ``thresholds=True``, a row per group, model and class but the last:
            ``n``; ``share``, of the rows at or below the class; ``forecast``, the mean probability
            of that; ``intercept`` and ``slope`` with their standard errors; ``ece``; ``brier`` and
            its parts; ``p_value``. Over the thresholds, ``brier`` and its parts add up to ``rps``
            and its parts.

        Raises
        ------
        ClassOrderError
            If the labels declare no order of the classes, or contradicting ones.
        UnknownClassError
            If a label is not a class, or a class has no column of probabilities.
        MissingValueError
            If a label, probability, weight or key is missing, unless dropna=True.
        ValueError
            If there is one class only, if weights are negative or not finite, or probabilities are
            negative or do not sum to 1 within 1e-6.

        See Also
        --------
        reliability_curve : the curve of each threshold.
        plot_reliability : its picture.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({
        ...     "y": [0, 1, 1, 2, 1, 0],
        ...     0: [0.7, 0.5, 0.2, 0.1, 0.2, 0.4],
        ...     1: [0.2, 0.3, 0.5, 0.3, 0.2, 0.4],
        ...     2: [0.1, 0.2, 0.3, 0.6, 0.6, 0.2],
        ... })
        >>> found = df.ordinal.calibration("y", [0, 1, 2])
        >>> found[["rps", "mcb", "dsc", "unc", "p_value"]].round(3)
        rps        0.248
        mcb        0.082
        dsc        0.194
        unc        0.361
        p_value    0.595
        dtype: float64
        """
        query = Query(
            true=true, proba=proba, by=by, sample_weight=sample_weight, classes=classes,
            dropna=dropna, ignore=ignore,
        )  # fmt: skip
        asked = Calibration(**calibration)
        rows = sample(self._table, query, asked.cluster)
        return _table(rows, asked)

    def reliability_curve(
        self,
        true: Hashable,
        proba: ProbaLike,
        *,
        by: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        **reliability: Unpack[ReliabilityOptions],
    ) -> pd.DataFrame:
        """Compute how often events happen, by the probability that was forecast for them.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        proba : list of labels, dict or label
            The columns that hold the probabilities of the classes: named as the classes, or a dict
            {class: column}; a list or dict of these for several models. For two classes, also the
            column of the higher one.
        by : label or list of labels, optional
            Columns or index levels to group by; each group is scored separately.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. `n` still counts
            rows. A column of booleans selects rows; `n` counts only these.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        dropna : bool, default False
            Drop rows with a missing value or key. By default, they raise an error.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1. Rows with one of them as true class are dropped.
        **reliability : ReliabilityOptions
            The band of calibrated forecasts.

        Returns
        -------
        DataFrame
            The steps of the curve of each group, model and class but the last, from the
            lowest forecast of P(Y <= class) to the highest: ``low`` and ``high``, their ends;
            ``forecast``, the mean forecast on it; ``calibrated``, how often the class was at most
            this one there; ``n``, the number of rows; with a band, ``band_low`` and
            ``band_high``.

        Raises
        ------
        ClassOrderError
            If the labels declare no order of the classes, or contradicting ones.
        UnknownClassError
            If a label is not a class, or a class has no column of probabilities.
        MissingValueError
            If a label, probability, weight or key is missing, unless dropna=True.
        ValueError
            If there is one class only, if weights are negative or not finite, or probabilities are
            negative or do not sum to 1 within 1e-6.

        See Also
        --------
        calibration : tests and measures of calibration.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({"y": [0, 1, 0, 1], 0: [0.8, 0.6, 0.4, 0.3]})
        >>> df.assign(higher=1 - df[0]).ordinal.reliability_curve("y", "higher")
               low  high  forecast  calibrated  n
        class
        0      0.3   0.3       0.3         0.0  1
        0      0.4   0.6       0.5         0.5  2
        0      0.8   0.8       0.8         1.0  1
        """
        query = Query(
            true=true, proba=proba, by=by, sample_weight=sample_weight, classes=classes,
            dropna=dropna, ignore=ignore,
        )  # fmt: skip
        asked = Reliability(**reliability)
        rows = sample(self._table, query)
        return _curve(rows, asked)

    def plot_reliability(
        self,
        true: Hashable,
        proba: ProbaLike,
        *,
        by: Hashable | list[Any] | None = None,
        sample_weight: Hashable | None = None,
        threshold: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        ci: float | None = 0.9,
        n_draws: int = 200,
        seed: int = 0,
        ax: Axes | None = None,
    ) -> Any:
        """Draw how often events happen, by the probability that was forecast for them.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        proba : list of labels, dict or label
            The columns that hold the probabilities of the classes: named as the classes, or a dict
            {class: column}; a list or dict of these for several models. For two classes, also the
            column of the higher one.
        by : label or list of labels, optional
            Columns or index levels to group by; each group is scored separately.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. `n` still counts
            rows. A column of booleans selects rows; `n` counts only these.
        threshold : label, optional
            The class of the one threshold, P(Y <= class), to draw, with all models as curves.
            Default: a panel for each threshold.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        dropna : bool, default False
            Drop rows with a missing value or key. By default, they raise an error.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1. Rows with one of them as true class are dropped.
        ci : float, default 0.9
            The level of the band around the diagonal, in which the curve of calibrated forecasts
            lies at each place with this probability; None for no band.
        n_draws : int, default 200
            The number of draws of true classes from the forecasts, for the band.
        seed : int, default 0
            The seed of the draws.
        ax : matplotlib Axes, optional
            Where to draw a single panel. Default: a new figure.

        Returns
        -------
        matplotlib Axes, or array of Axes
            A panel for each threshold: the steps of `reliability_curve`, the diagonal of
            calibrated forecasts, and below it how many rows have each forecast. The title has the
            miscalibration, the discrimination and the p-value of recalibration at the threshold.
            Several models, or groups, have a row of panels each; with `threshold`, they are curves
            in one panel. A single panel is returned as Axes.

        Raises
        ------
        ClassOrderError
            If the labels declare no order of the classes, or contradicting ones.
        UnknownClassError
            If a label is not a class, or a class has no column of probabilities.
        MissingValueError
            If a label, probability, weight or key is missing, unless dropna=True.
        ValueError
            If there is one class only, if weights are negative or not finite, or probabilities are
            negative or do not sum to 1 within 1e-6.
        ImportError
            If matplotlib is missing.
        """
        query = Query(
            true=true, proba=proba, by=by, sample_weight=sample_weight, classes=classes,
            dropna=dropna, ignore=ignore,
        )  # fmt: skip
        asked = Reliability(ci=ci, n_draws=n_draws, seed=seed)
        rows = sample(self._table, query)
        return plot.reliability.draw_reliability(_picture(rows, asked, threshold), ax)


class CalibrationOfGroups:
    """The methods of calibration of a DataFrameGroupBy."""

    _table: FrameTable

    def _with_keys(self, result: Any) -> Any:
        raise NotImplementedError

    def calibration(
        self,
        true: Hashable,
        proba: ProbaLike,
        *,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        **calibration: Unpack[CalibrationOptions],
    ) -> pd.DataFrame:
        """Test whether the probabilities can be believed, and measure what that costs.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        proba : list of labels, dict or label
            The columns that hold the probabilities of the classes: named as the classes, or a dict
            {class: column}; a list or dict of these for several models. For two classes, also the
            column of the higher one.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. `n` still counts
            rows. A column of booleans selects rows; `n` counts only these.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        dropna : bool, default False
            Drop rows with a missing value or key. By default, they raise an error.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1. Rows with one of them as true class are dropped.
        **calibration : CalibrationOptions
            What the table shows.

        Returns
        -------
        DataFrame
            ``n``, the number of rows; ``rps``, the ranked probability score, and its parts
            ``mcb``, ``dsc`` and ``unc``; ``mcb_by_chance``; ``ece``, the calibration error, a mean
            over the thresholds; the p-values ``p_value``, ``p_large`` and ``p_score``.
            A row per group and model.

            With ``thresholds=True``, a row per group, model and class but the last:
            ``n``; ``share``, of the rows at or below the class; ``forecast``, the mean probability
            of that; ``intercept`` and ``slope`` with their standard errors; ``ece``; ``brier`` and
            its parts; ``p_value``. Over the thresholds, ``brier`` and its parts add up to ``rps``
            and its parts.

        Raises
        ------
        ClassOrderError
            If the labels declare no order of the classes, or contradicting ones.
        UnknownClassError
            If a label is not a class, or a class has no column of probabilities.
        MissingValueError
            If a label, probability, weight or key is missing, unless dropna=True.
        ValueError
            If there is one class only, if weights are negative or not finite, or probabilities are
            negative or do not sum to 1 within 1e-6.

        See Also
        --------
        reliability_curve : the curve of each threshold.
        plot_reliability : its picture.
        """
        query = Query(
            true=true, proba=proba, sample_weight=sample_weight, classes=classes, dropna=dropna,
            ignore=ignore,
        )  # fmt: skip
        asked = Calibration(**calibration)
        rows = sample(self._table, query, asked.cluster)
        found: pd.DataFrame = self._with_keys(_table(rows, asked))
        return found

    def reliability_curve(
        self,
        true: Hashable,
        proba: ProbaLike,
        *,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        **reliability: Unpack[ReliabilityOptions],
    ) -> pd.DataFrame:
        """Compute how often events happen, by the probability that was forecast for them.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        proba : list of labels, dict or label
            The columns that hold the probabilities of the classes: named as the classes, or a dict
            {class: column}; a list or dict of these for several models. For two classes, also the
            column of the higher one.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. `n` still counts
            rows. A column of booleans selects rows; `n` counts only these.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        dropna : bool, default False
            Drop rows with a missing value or key. By default, they raise an error.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1. Rows with one of them as true class are dropped.
        **reliability : ReliabilityOptions
            The band of calibrated forecasts.

        Returns
        -------
        DataFrame
            The steps of the curve of each group, model and class but the last, from the
            lowest forecast of P(Y <= class) to the highest: ``low`` and ``high``, their ends;
            ``forecast``, the mean forecast on it; ``calibrated``, how often the class was at most
            this one there; ``n``, the number of rows; with a band, ``band_low`` and
            ``band_high``.

        Raises
        ------
        ClassOrderError
            If the labels declare no order of the classes, or contradicting ones.
        UnknownClassError
            If a label is not a class, or a class has no column of probabilities.
        MissingValueError
            If a label, probability, weight or key is missing, unless dropna=True.
        ValueError
            If there is one class only, if weights are negative or not finite, or probabilities are
            negative or do not sum to 1 within 1e-6.

        See Also
        --------
        calibration : tests and measures of calibration.
        """
        query = Query(
            true=true, proba=proba, sample_weight=sample_weight, classes=classes, dropna=dropna,
            ignore=ignore,
        )  # fmt: skip
        asked = Reliability(**reliability)
        rows = sample(self._table, query)
        found: pd.DataFrame = self._with_keys(_curve(rows, asked))
        return found

    def plot_reliability(
        self,
        true: Hashable,
        proba: ProbaLike,
        *,
        sample_weight: Hashable | None = None,
        threshold: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        ci: float | None = 0.9,
        n_draws: int = 200,
        seed: int = 0,
        ax: Axes | None = None,
    ) -> Any:
        """Draw how often events happen, by the probability that was forecast for them.

        Parameters
        ----------
        true : label
            The column that holds the true classes.
        proba : list of labels, dict or label
            The columns that hold the probabilities of the classes: named as the classes, or a dict
            {class: column}; a list or dict of these for several models. For two classes, also the
            column of the higher one.
        sample_weight : label, optional
            The column that holds the weight of each row: finite and not negative. `n` still counts
            rows. A column of booleans selects rows; `n` counts only these.
        threshold : label, optional
            The class of the one threshold, P(Y <= class), to draw, with all models as curves.
            Default: a panel for each threshold.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        dropna : bool, default False
            Drop rows with a missing value or key. By default, they raise an error.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1. Rows with one of them as true class are dropped.
        ci : float, default 0.9
            The level of the band around the diagonal, in which the curve of calibrated forecasts
            lies at each place with this probability; None for no band.
        n_draws : int, default 200
            The number of draws of true classes from the forecasts, for the band.
        seed : int, default 0
            The seed of the draws.
        ax : matplotlib Axes, optional
            Where to draw a single panel. Default: a new figure.

        Returns
        -------
        matplotlib Axes, or array of Axes
            A panel for each threshold: the steps of `reliability_curve`, the diagonal of
            calibrated forecasts, and below it how many rows have each forecast. The title has the
            miscalibration, the discrimination and the p-value of recalibration at the threshold.
            Several models, or groups, have a row of panels each; with `threshold`, they are curves
            in one panel. A single panel is returned as Axes.

        Raises
        ------
        ClassOrderError
            If the labels declare no order of the classes, or contradicting ones.
        UnknownClassError
            If a label is not a class, or a class has no column of probabilities.
        MissingValueError
            If a label, probability, weight or key is missing, unless dropna=True.
        ValueError
            If there is one class only, if weights are negative or not finite, or probabilities are
            negative or do not sum to 1 within 1e-6.
        ImportError
            If matplotlib is missing.
        """
        query = Query(
            true=true, proba=proba, sample_weight=sample_weight, classes=classes, dropna=dropna,
            ignore=ignore,
        )  # fmt: skip
        asked = Reliability(ci=ci, n_draws=n_draws, seed=seed)
        rows = sample(self._table, query)
        return plot.reliability.draw_reliability(_picture(rows, asked, threshold), ax)


class CalibrationOfSeries:
    """The methods of calibration of a Series of true classes."""

    _table: SeriesTable

    def calibration(
        self,
        proba: ForecastLike | dict[Any, ForecastLike],
        *,
        sample_weight: ValuesLike | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        **calibration: Unpack[CalibrationOptions],
    ) -> pd.Series[float] | pd.DataFrame:
        """Test whether the probabilities can be believed, and measure what that costs.

        Parameters
        ----------
        proba : DataFrame, array or dict
            The probabilities of the classes: a DataFrame with the same index and a column named
            after each class, an array ``(n, K)``, or a dict of these for several models. For two
            classes, also a Series or array of the probability of the higher one.
        sample_weight : Series or array, optional
            The weight of each row, with the same index: finite and not negative. `n` still counts
            rows. Booleans select rows; `n` counts only these.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        dropna : bool, default False
            Drop rows with a missing value. By default, they raise an error.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1. Rows with one of them as true class are dropped.
        **calibration : CalibrationOptions
            What the table shows.

        Returns
        -------
        Series or DataFrame
            ``n``, the number of rows; ``rps``, the ranked probability score, and its parts
            ``mcb``, ``dsc`` and ``unc``; ``mcb_by_chance``; ``ece``, the calibration error, a mean
            over the thresholds; the p-values ``p_value``, ``p_large`` and ``p_score``.
            A row per model, or a Series if there is only one.

            With ``thresholds=True``, a row per model and class but the last:
            ``n``; ``share``, of the rows at or below the class; ``forecast``, the mean probability
            of that; ``intercept`` and ``slope`` with their standard errors; ``ece``; ``brier`` and
            its parts; ``p_value``. Over the thresholds, ``brier`` and its parts add up to ``rps``
            and its parts.

        Raises
        ------
        ClassOrderError
            If the labels declare no order of the classes, or contradicting ones.
        UnknownClassError
            If a label is not a class, or a class has no column of probabilities.
        MissingValueError
            If a label, probability, weight or key is missing, unless dropna=True.
        ValueError
            If there is one class only, if weights are negative or not finite, or probabilities are
            negative or do not sum to 1 within 1e-6.

        See Also
        --------
        reliability_curve : the curve of each threshold.
        plot_reliability : its picture.
        """
        query = Query(
            proba=proba, sample_weight=sample_weight, classes=classes, dropna=dropna,
            ignore=ignore,
        )  # fmt: skip
        asked = Calibration(**calibration)
        rows = sample(self._table, query, asked.cluster)
        return _table(rows, asked)

    def reliability_curve(
        self,
        proba: ForecastLike | dict[Any, ForecastLike],
        *,
        sample_weight: ValuesLike | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        **reliability: Unpack[ReliabilityOptions],
    ) -> pd.DataFrame:
        """Compute how often events happen, by the probability that was forecast for them.

        Parameters
        ----------
        proba : DataFrame, array or dict
            The probabilities of the classes: a DataFrame with the same index and a column named
            after each class, an array ``(n, K)``, or a dict of these for several models. For two
            classes, also a Series or array of the probability of the higher one.
        sample_weight : Series or array, optional
            The weight of each row, with the same index: finite and not negative. `n` still counts
            rows. Booleans select rows; `n` counts only these.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        dropna : bool, default False
            Drop rows with a missing value. By default, they raise an error.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1. Rows with one of them as true class are dropped.
        **reliability : ReliabilityOptions
            The band of calibrated forecasts.

        Returns
        -------
        DataFrame
            The steps of the curve of each model and class but the last, from the
            lowest forecast of P(Y <= class) to the highest: ``low`` and ``high``, their ends;
            ``forecast``, the mean forecast on it; ``calibrated``, how often the class was at most
            this one there; ``n``, the number of rows; with a band, ``band_low`` and
            ``band_high``.

        Raises
        ------
        ClassOrderError
            If the labels declare no order of the classes, or contradicting ones.
        UnknownClassError
            If a label is not a class, or a class has no column of probabilities.
        MissingValueError
            If a label, probability, weight or key is missing, unless dropna=True.
        ValueError
            If there is one class only, if weights are negative or not finite, or probabilities are
            negative or do not sum to 1 within 1e-6.

        See Also
        --------
        calibration : tests and measures of calibration.
        """
        query = Query(
            proba=proba, sample_weight=sample_weight, classes=classes, dropna=dropna,
            ignore=ignore,
        )  # fmt: skip
        asked = Reliability(**reliability)
        rows = sample(self._table, query)
        return _curve(rows, asked)

    def plot_reliability(
        self,
        proba: ForecastLike | dict[Any, ForecastLike],
        *,
        sample_weight: ValuesLike | None = None,
        threshold: Hashable | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        ci: float | None = 0.9,
        n_draws: int = 200,
        seed: int = 0,
        ax: Axes | None = None,
    ) -> Any:
        """Draw how often events happen, by the probability that was forecast for them.

        Parameters
        ----------
        proba : DataFrame, array or dict
            The probabilities of the classes: a DataFrame with the same index and a column named
            after each class, an array ``(n, K)``, or a dict of these for several models. For two
            classes, also a Series or array of the probability of the higher one.
        sample_weight : Series or array, optional
            The weight of each row, with the same index: finite and not negative. `n` still counts
            rows. Booleans select rows; `n` counts only these.
        threshold : label, optional
            The class of the one threshold, P(Y <= class), to draw, with all models as curves.
            Default: a panel for each threshold.
        classes : sequence, optional
            The classes from lowest to highest. Default: those that the labels declare.
        dropna : bool, default False
            Drop rows with a missing value. By default, they raise an error.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1. Rows with one of them as true class are dropped.
        ci : float, default 0.9
            The level of the band around the diagonal, in which the curve of calibrated forecasts
            lies at each place with this probability; None for no band.
        n_draws : int, default 200
            The number of draws of true classes from the forecasts, for the band.
        seed : int, default 0
            The seed of the draws.
        ax : matplotlib Axes, optional
            Where to draw a single panel. Default: a new figure.

        Returns
        -------
        matplotlib Axes, or array of Axes
            A panel for each threshold: the steps of `reliability_curve`, the diagonal of
            calibrated forecasts, and below it how many rows have each forecast. The title has the
            miscalibration, the discrimination and the p-value of recalibration at the threshold.
            Several models, or groups, have a row of panels each; with `threshold`, they are curves
            in one panel. A single panel is returned as Axes.

        Raises
        ------
        ClassOrderError
            If the labels declare no order of the classes, or contradicting ones.
        UnknownClassError
            If a label is not a class, or a class has no column of probabilities.
        MissingValueError
            If a label, probability, weight or key is missing, unless dropna=True.
        ValueError
            If there is one class only, if weights are negative or not finite, or probabilities are
            negative or do not sum to 1 within 1e-6.
        ImportError
            If matplotlib is missing.
        """
        query = Query(
            proba=proba, sample_weight=sample_weight, classes=classes, dropna=dropna,
            ignore=ignore,
        )  # fmt: skip
        asked = Reliability(ci=ci, n_draws=n_draws, seed=seed)
        rows = sample(self._table, query)
        return plot.reliability.draw_reliability(_picture(rows, asked, threshold), ax)


# The modules of the fits are imported when they are first needed


def _table(rows: Sample, asked: Calibration) -> pd.Series[float] | pd.DataFrame:
    from pandas_ordinal.rows.calibration import calibration_table

    return calibration_table(rows, asked)


def _curve(rows: Sample, asked: Reliability) -> pd.DataFrame:
    from pandas_ordinal.rows.reliability import curve_table

    return curve_table(rows, asked)


def _picture(rows: Sample, asked: Reliability, threshold: Hashable | None) -> ReliabilityPicture:
    from pandas_ordinal.rows.reliability import picture_of

    return picture_of(rows, asked, threshold)
