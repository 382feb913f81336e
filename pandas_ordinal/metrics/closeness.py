"""Closeness of classes by how many true rows lie between them."""

from __future__ import annotations

import numpy as np

from pandas_ordinal.metrics.kernel import Stack, metric, total

AMIGO = "Amigó et al. 2020, doi:10.18653/v1/2020.acl-main.363"


@metric(range=(0, 1), greater_is_better=True, reference=AMIGO)
def cem(counts: Stack) -> Stack:
    """Nearness to the truth, where an error weighs more the more true rows lie between (CEM).

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Confusion matrices, true classes on axis -2.

    Returns
    -------
    float or ndarray, shape (...)
        0 to 1, higher is better. NaN without rows.

    Raises
    ------
    ValueError
        If counts are negative, not finite or not square.

    Notes
    -----
    ``sum n[r, c] * prox(c, r) / sum n[r] * prox(r, r)`` with ``prox(c, r) = -log2((n[c] / 2 + sum
    of n over the classes after c up to and including r) / N)``, where n are the sizes of the true
    classes. It has a direction: the predicted class counts half, the true one in full.

    References
    ----------
    E. Amigó, J. Gonzalo, S. Mizzaro and J. Carrillo-de-Albornoz, An effectiveness metric for
    ordinal classification: formal properties and experimental results, ACL 2020, 3938-3949,
    doi:10.18653/v1/2020.acl-main.363.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> round(float(po.metrics.cem([[1, 1, 0], [0, 0, 0], [0, 0, 1]])), 3)
    0.826
    """
    sizes = counts.sum(axis=1)
    upper = np.cumsum(sizes, axis=0)
    lower = upper - sizes
    up, down = upper[:, None] - upper, lower - lower[:, None]
    position = np.arange(len(sizes))
    rises = (position[:, None] > position)[:, :, None]
    between = sizes / 2 + np.where(rises, up, down)
    closeness = -np.log2(between / total(counts))
    reached = total(np.where(counts > 0, counts * closeness, 0))
    best = np.where(sizes > 0, sizes * np.einsum("rrb->rb", closeness), 0)
    share: Stack = reached / total(best)
    return share
