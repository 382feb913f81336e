"""The limits of prediction sets, as a method of frames, their groups and Series."""

from __future__ import annotations

import pandas as pd

from pandas_ordinal.accessors.calibration import OfForecasts
from pandas_ordinal.metrics.sets import refuse_coverage
from pandas_ordinal.rows.sample import Sample


def set_limits(
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
    refuse_coverage(coverage)

    def show(rows: Sample) -> pd.Series[float]:
        from pandas_ordinal.rows.sets import limits_of_classes

        return limits_of_classes(rows, coverage, by_class)

    return OfForecasts(show)
