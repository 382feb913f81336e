"""What frames, their groups and Series show of forecasts: the table, the curve and its picture.

Each function reads the options of a method; `composed` makes the methods of the surfaces.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

import pandas as pd

from pandas_ordinal.accessors.typing import Many, One
from pandas_ordinal.query import Calibration, Reliability

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pandas_ordinal.rows.sample import Sample


@dataclass(frozen=True)
class OfForecasts(Generic[One, Many]):
    """What is shown of rows with forecasts, with and without groups or models.

    Attributes
    ----------
    show : callable
        Returns it, given the rows. It imports the modules of the fits when they are first needed.
    cluster : object
        The clusters of the rows; None if all are independent.
    """

    show: Callable[[Sample], Any]
    cluster: Any = None


def calibration(
    *, thresholds: bool = False, cluster: Any = None, n_draws: int = 20, seed: int = 0
) -> OfForecasts[pd.Series[float] | pd.DataFrame, pd.DataFrame]:
    """Test whether the probabilities can be believed, and measure what that costs.

    Parameters
    ----------
    thresholds : bool, default False
        Whether to return a row for each threshold, P(Y <= class), rather than one for all.
    cluster : optional
        Clusters of rows, such as patients, for p-values and standard errors. Default: rows are
        independent.
    n_draws : int, default 20
        The number of draws of true classes from the forecasts, whose mean miscalibration is
        `mcb_by_chance`.
    seed : int, default 0
        The seed of the draws.

    Returns
    -------
    Series or DataFrame
        ``n``, the number of rows; ``rps``, the ranked probability score, and its parts ``mcb``,
        ``dsc`` and ``unc``; ``mcb_by_chance``; ``ece``, the calibration error, a mean over the
        thresholds; the p-values ``p_value``, ``p_large`` and ``p_score``. A row per group and
        model, or a Series if there are neither.

        With ``thresholds=True``, a row per group, model and class but the last: ``n``; ``share``,
        of the rows at or below the class; ``forecast``, the mean probability of that;
        ``intercept`` and ``slope`` with their standard errors; ``ece``; ``brier`` and its parts;
        ``p_value``. Over the thresholds, ``brier`` and its parts add up to ``rps`` and its parts.

    Raises
    ------
    ValueError
        If there is one class only.

    See Also
    --------
    reliability_curve : the curve of each threshold.
    plot_reliability : its picture.

    Notes
    -----
    `rps` is mcb - dsc + unc [1]_. The miscalibration `mcb` is what isotonic recalibration of each
    threshold would save. The discrimination `dsc` is what the recalibrated forecasts save over the
    shares of the classes. The uncertainty `unc` is the score of these shares. Even calibrated
    forecasts would show `mcb_by_chance`, since the recalibration is fitted to the same rows. `ece`
    is the mean distance of forecasts from the recalibrated ones, without bins.

    `p_value` is that of recalibration: whether an intercept at each threshold and a common slope
    would improve the forecasts. `p_large` asks about the intercepts alone: whether the shares of
    the classes are those forecast. `p_score` asks whether the RPS is what the forecasts say that
    it is (Spiegelhalter's test). They need no draws and no bins: if the forecasts are right, the
    mean and the covariance of the sums are known exactly.

    With thresholds, `intercept` is calibration in the large, 0 for calibrated forecasts. `slope`
    is the calibration slope, 1 for calibrated forecasts and less for overconfident ones. Both are
    of logistic regressions [2]_, and `p_value` asks about both. A row with a weight is one row
    that counts more, also in tests.

    NaN, without a warning: everything but `n` without rows; `intercept`, `slope` and `p_value` if
    all rows are on one side; `slope` if a threshold of the forecasts separates the rows; p-values
    with no more clusters than degrees of freedom.

    References
    ----------
    .. [1] S. Arnold, E.-M. Walz, J. Ziegel and T. Gneiting, Decompositions of the mean continuous
       ranked probability score, Electron. J. Stat. 18 (2024) 4992-5044, doi:10.1214/24-EJS2316.
    .. [2] M. Edlinger, M. van Smeden, H. F. Alber, M. Wanitschek and B. Van Calster, Risk
       prediction models for discrete ordinal outcomes: calibration and the impact of the
       proportional odds assumption, Statistics in Medicine 41 (2022) 1334-1360,
       doi:10.1002/sim.9281.

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
    asked = Calibration(thresholds=thresholds, cluster=cluster, n_draws=n_draws, seed=seed)

    def show(rows: Sample) -> pd.Series[float] | pd.DataFrame:
        from pandas_ordinal.rows.calibration import calibration_table

        return calibration_table(rows, asked)

    return OfForecasts(show, cluster)


def reliability_curve(
    *, ci: float | None = None, n_draws: int = 200, seed: int = 0, progress: bool = False
) -> OfForecasts[pd.DataFrame, pd.DataFrame]:
    """Compute how often events happen, by the probability that was forecast for them.

    Parameters
    ----------
    ci : float, optional
        The level of the band, such as 0.9: adds ``band_low`` and ``band_high``, between which the
        curve of calibrated forecasts lies, at each place with this probability.
    n_draws : int, default 200
        The number of draws of true classes from the forecasts, for the band.
    seed : int, default 0
        The seed of the draws.
    progress : bool, default False
        Show the progress of the groups and models.

    Returns
    -------
    DataFrame
        The steps of the curve of each group, model and class but the last, from the lowest
        forecast of P(Y <= class) to the highest: ``low`` and ``high``, their ends; ``forecast``,
        the mean forecast on it; ``calibrated``, how often the class was at most this one there;
        ``n``, the number of rows; with a band, ``band_low`` and ``band_high``.

    Raises
    ------
    ValueError
        If there is one class only.

    See Also
    --------
    calibration : tests and measures of calibration.

    Notes
    -----
    The curve is the isotonic regression of [y <= k] on the forecast of it: no bins to choose [1]_.
    It is above the diagonal where events happen more often than forecast. Curves of different
    thresholds may cross.

    References
    ----------
    .. [1] T. Dimitriadis, T. Gneiting and A. I. Jordan, Stable reliability diagrams for
       probabilistic classifiers, PNAS 118 (2021) e2016191118, doi:10.1073/pnas.2016191118.

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
    asked = Reliability(ci=ci, n_draws=n_draws, seed=seed, progress=progress)

    def show(rows: Sample) -> pd.DataFrame:
        from pandas_ordinal.rows.reliability import curve_table

        return curve_table(rows, asked)

    return OfForecasts(show)


def plot_reliability(
    *,
    threshold: Hashable | None = None,
    ci: float | None = 0.9,
    n_draws: int = 200,
    seed: int = 0,
    ax: Axes | None = None,
) -> OfForecasts[Any, Any]:
    """Draw how often events happen, by the probability that was forecast for them.

    Parameters
    ----------
    threshold : label, optional
        The class of the one threshold, P(Y <= class), to draw, with all models as curves.
        Default: a panel for each threshold.
    ci : float, default 0.9
        The level of the band around the diagonal, in which the curve of calibrated forecasts lies
        at each place with this probability; None for no band.
    n_draws : int, default 200
        The number of draws of true classes from the forecasts, for the band.
    seed : int, default 0
        The seed of the draws.
    ax : matplotlib Axes, optional
        Where to draw a single panel. Default: a new figure.

    Returns
    -------
    matplotlib Axes, or array of Axes
        A panel for each threshold: the steps of `reliability_curve`, the diagonal of calibrated
        forecasts, and below it how many rows have each forecast. The title has the miscalibration,
        the discrimination and the p-value of recalibration at the threshold. Several models, or
        groups, have a row of panels each; with `threshold`, they are curves in one panel. A single
        panel is returned as Axes.

    Raises
    ------
    ValueError
        If there is one class only.
    ImportError
        If matplotlib is missing.
    """
    asked = Reliability(ci=ci, n_draws=n_draws, seed=seed)

    def show(rows: Sample) -> Any:
        from pandas_ordinal import plot
        from pandas_ordinal.rows.reliability import picture_of

        picture = picture_of(rows, asked, threshold, plot.canvas.MOST_PANELS)
        return plot.reliability.draw_reliability(picture, ax)

    return OfForecasts(show)


METHODS_OF_FORECASTS: Mapping[str, Callable[..., OfForecasts[Any, Any]]] = {
    "calibration": calibration,
    "reliability_curve": reliability_curve,
    "plot_reliability": plot_reliability,
}
