"""Agreement beyond chance, with weights for partial agreement."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from pandas_ordinal.metrics.error import square
from pandas_ordinal.metrics.kernel import Stack, distance, metric, total, weigh

COHEN = "Cohen 1960, doi:10.1177/001316446002000104; Cohen 1968, doi:10.1037/h0026256"

WeightsName: TypeAlias = Literal[
    "identity", "linear", "quadratic", "ordinal", "radical", "bipolar"
]


@metric(range=(-np.inf, 1), greater_is_better=True, reference=COHEN)
def kappa(counts: Stack, *, weights: WeightsName | npt.ArrayLike = "quadratic") -> Stack:
    """Cohen's kappa; weights are quadratic by default (scikit-learn's default is none).

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.
    weights : str or array_like, shape (K, K), default "quadratic"
        The agreement that a cell is worth, 1 for full and 0 for none. "identity" is the unweighted
        kappa; "linear", "quadratic", "radical", "ordinal" and "bipolar" fall with the distance of
        the declared classes.

    Returns
    -------
    float or ndarray, shape (...)
        Up to 1, higher is better; 0 is what independent columns agree by chance. NaN where chance
        alone agrees in full, as with one class in both columns.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square, or if there are no such weights, or
        they are not a K x K matrix of finite numbers.

    Notes
    -----
    ``(p_a - p_e) / (1 - p_e)`` with ``p_a = sum w * p`` and ``p_e = sum w * p_true * p_pred``,
    computed from the disagreements ``1 - w``. With ``d = |r - c|``, the weights are

    - linear ``1 - d / (K - 1)``, quadratic ``1 - d² / (K - 1)²``
    - radical ``1 - sqrt(d / (K - 1))``, ordinal ``1 - d * (d + 1) / (K * (K - 1))``
    - bipolar ``1 - b / max b``, ``b = d² / ((r + c) * (2 * (K - 1) - r - c))``, 0 on the diagonal,
      classes counted from 0.

    References
    ----------
    J. Cohen, A coefficient of agreement for nominal scales, Educ. Psychol. Meas. 20 (1960) 37-46,
    doi:10.1177/001316446002000104. J. Cohen, Weighted kappa, Psychol. Bull. 70 (1968) 213-220,
    doi:10.1037/h0026256.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> counts = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]
    >>> round(float(po.metrics.kappa(counts)), 7)
    0.8921569
    >>> round(float(po.metrics.kappa(counts, weights="identity")), 7)
    0.7964094
    """
    disagreement = 1 - agreement_weights(weights, len(counts))
    shares = counts / total(counts)
    true, pred = shares.sum(axis=1), shares.sum(axis=0)
    expected: Stack = np.einsum("rc,rb,cb->b", disagreement, true, pred)
    return 1 - weigh(disagreement, shares) / expected


def agreement_weights(weights: WeightsName | npt.ArrayLike, n_classes: int) -> Stack:
    """Return the K x K weights of that name, or the given ones."""
    if weights is None or isinstance(weights, str):
        if weights not in DISAGREEMENTS:
            raise ValueError(
                f"weights={weights!r} is unknown: give one of {', '.join(DISAGREEMENTS)}, or a "
                "K x K array; the unweighted kappa has the weights 'identity'"
            )
        if n_classes == 1:
            return np.ones((1, 1))
        disagreement = DISAGREEMENTS[weights](distance(n_classes))
        agreement: Stack = 1 - disagreement / disagreement.max()
        return agreement
    return square(weights, n_classes, "weights")


def _bipolar(apart: Stack) -> Stack:
    position = np.arange(float(len(apart)))
    sums = position[:, None] + position
    room = np.where(apart > 0, sums * (2 * position[-1] - sums), 1)
    return apart**2 / room


DISAGREEMENTS: dict[str, Callable[[Stack], Stack]] = {
    "identity": np.sign,
    "linear": lambda apart: apart,
    "quadratic": lambda apart: apart**2,
    "ordinal": lambda apart: apart * (apart + 1) / 2,
    "radical": np.sqrt,
    "bipolar": _bipolar,
}
