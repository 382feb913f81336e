"""P-values that are adjusted for the number of comparisons: by Holm's method, and by max-t."""

from __future__ import annotations

import numpy as np

from pandas_ordinal.counting.arrays import Floats, Positions
from pandas_ordinal.query import Comparison

N_DIRECTIONS = 4096
N_NODES = 32
N_STEPS = 12
ENTRIES_PER_BLOCK = 2**19
NEGLIGIBLE = 1e-7


def adjusted(
    p: Floats,
    covariance: Floats,
    first: Positions,
    second: Positions,
    df: Floats,
    comparison: Comparison,
) -> tuple[Floats, Floats]:
    """Return p-values adjusted as a comparison asks for, and the level of its intervals."""
    alpha = 1 - comparison.ci
    if comparison.adjust == "holm":
        return holm(p), np.full((len(p), 1), alpha)
    two_sided = not comparison.is_one_sided
    return max_t(p, covariance, first, second, df, alpha=alpha, two_sided=two_sided)


def holm(p: Floats) -> Floats:
    """Adjust the p-values in each row for their number, by Holm's method."""
    order = np.argsort(p, axis=-1)
    n_tests = np.isfinite(p).sum(axis=-1, keepdims=True)
    steps = np.take_along_axis(p, order, axis=-1) * (n_tests - np.arange(p.shape[-1]))
    steps = np.minimum(np.maximum.accumulate(steps, axis=-1), 1)
    adjusted = np.empty_like(p)
    np.put_along_axis(adjusted, order, steps, axis=-1)
    return adjusted


def max_t(
    p: Floats,
    covariance: Floats,
    first: Positions,
    second: Positions,
    df: Floats,
    *,
    alpha: float,
    two_sided: bool = True,
) -> tuple[Floats, Floats]:
    """Adjust the p-values of differences between models by the largest t of equal models.

    Parameters
    ----------
    p : ndarray, shape (n_groups, n_pairs)
        The p-values of t tests. Those of a group are adjusted together, NaN left out.
    covariance : ndarray, shape (n_groups, n_models, n_models)
        The covariances of the values of the models.
    first, second : ndarray, shape (n_pairs,)
        The positions of the two models of each pair.
    df : ndarray, shape (n_groups, n_pairs)
        The degrees of freedom of the tests.
    alpha : float
        The level of all tests of a group together.
    two_sided : bool, default True
        Whether the p-values are those of ``|t|``, or of t.

    Returns
    -------
    tuple of ndarray
        The adjusted p-values, and the level ``(n_groups, 1)`` of each single test and interval: a
        p-value is at most this level if the adjusted one is at most `alpha`.

    Notes
    -----
    An adjusted p-value is the probability that equal models have a p-value as small for any pair.
    The t of all pairs then have a multivariate t distribution, with the correlations of the
    differences and the largest degrees of freedom of the group. A draw from it is a length times a
    direction. The length has a distribution of its own, and the mean over directions is that of
    fixed points. An adjusted p-value is neither below the p-value nor above Bonferroni's, so that
    it is about right even if it is tiny.

    References
    ----------
    T. Hothorn, F. Bretz and P. Westfall, Simultaneous inference in general parametric models,
    Biometrical Journal 50 (2008) 346-363, doi:10.1002/bimj.200810425.

    Examples
    --------
    Three equal models have the critical value 2.344, as Tukey's test has:

    >>> from scipy.special import ndtri
    >>> pairs, many = (np.array([0, 0, 1]), np.array([1, 2, 2])), np.full((1, 3), 1e9)
    >>> p = np.array([[0.01, 0.02, 0.9]])
    >>> adjusted, level = max_t(p, np.eye(3)[None], *pairs, many, alpha=0.05)
    >>> adjusted.round(3).tolist(), float(-ndtri(level[0, 0] / 2).round(3))
    ([[0.027, 0.052, 0.991]], 2.344)
    """
    from scipy.special import stdtrit  # slow to import, and not needed elsewhere

    tested = np.isfinite(p)
    axes = _axes(covariance)
    reach = _reach(axes, first, second, tested, two_sided=two_sided)
    n_tests = np.maximum(tested.sum(axis=1, keepdims=True), 1)
    common = np.where(tested, df, 1).max(axis=1, keepdims=True)
    sides = 2 if two_sided else 1

    def of_largest(p: Floats) -> Floats:
        """Return the probability that a group has a p-value this small."""
        t = -stdtrit(common, np.maximum(p / sides, np.finfo(float).tiny))[..., None]
        towards = reach[:, None]
        longer = _longer(t / towards, axes.shape[-1], common[..., None])
        if not two_sided:
            longer = np.where(
                towards > 0, np.where(t > 0, longer, 1), np.where(t < 0, 1 - longer, 0)
            )
        return np.asarray(np.clip(longer.mean(axis=-1), p, np.minimum(n_tests * p, 1)), float)

    with np.errstate(all="ignore"):
        level = np.full((len(p), 1), alpha) / n_tests
        for _ in range(N_STEPS):
            level = level * alpha / of_largest(level)
        return of_largest(p), level


def _longer(length: Floats, n_axes: int, df: Floats) -> Floats:
    """Return the probability that a draw from the multivariate t distribution is longer.

    The square of the length over the number of axes has an F distribution. If this number is even,
    its tail is a sum of so few terms that it costs less than the incomplete beta function.
    """
    square = length**2
    share = 1 / (1 + df / square)
    term = np.ones_like(square)
    total = term.copy()
    for n in range(1, n_axes // 2):
        term *= share * (df / 2 + n - 1) / n
        total += term
    return np.asarray(total * np.exp(-df / 2 * np.log1p(square / df)), float)


def _reach(
    axes: Floats, first: Positions, second: Positions, tested: Floats, two_sided: bool
) -> Floats:
    """Return the largest t in directions of the unit sphere, ``(n_groups, N_NODES)``.

    Directions with about the same t are averaged, which costs little precision and saves time.
    """
    rows = axes[:, first] - axes[:, second]
    size = np.sqrt((rows**2).sum(axis=-1, keepdims=True))
    counts = tested[..., None] & (size > NEGLIGIBLE * size.max(axis=1, keepdims=True))
    rows = np.divide(rows, size, out=np.zeros_like(rows), where=counts)
    directions = _directions(rows.shape[-1])
    largest = np.empty((len(rows), N_DIRECTIONS))
    step = max(1, ENTRIES_PER_BLOCK // (len(first) * N_DIRECTIONS))
    for start in range(0, len(rows), step):
        block = slice(start, start + step)
        t = rows[block] @ directions.T
        t[~counts[block, :, 0]] = 0 if two_sided else -1
        (np.abs(t, out=t) if two_sided else t).max(axis=1, out=largest[block])
    largest.sort(axis=1)
    return np.asarray(largest.reshape(len(rows), N_NODES, -1).mean(axis=-1), float)


def _axes(covariance: Floats) -> Floats:
    """Return vectors with the covariances of differences between models, the last one at 0.

    Their number of axes is even.
    """
    covariance = np.nan_to_num(covariance, nan=0, posinf=0, neginf=0)
    last = covariance[:, :-1, -1:]
    apart = covariance[:, :-1, :-1] - last - last.swapaxes(1, 2) + covariance[:, -1:, -1:]
    squares, vectors = np.linalg.eigh(apart)
    axes = vectors * np.sqrt(np.maximum(squares, 0))[:, None]
    return np.pad(axes, ((0, 0), (0, 1), (0, axes.shape[-1] % 2)))


def _directions(length: int) -> Floats:
    """Return points that are spread evenly over the unit sphere."""
    from scipy.special import ndtri

    ratio = 2.0
    for _ in range(64):
        ratio = (1 + ratio) ** (1 / length)
    numbers = np.arange(N_DIRECTIONS) + 0.5
    spread = numbers[:, None] * ratio ** -np.arange(1.0, length) % 1
    points = ndtri(np.column_stack([numbers / N_DIRECTIONS, spread]))
    return np.asarray(points / np.linalg.norm(points, axis=1, keepdims=True), float)
