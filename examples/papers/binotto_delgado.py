# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Binotto & Delgado 2025: STC and classes that are intervals
#
# G. Binotto and R. Delgado, *Adapting performance metrics for ordinal classification to interval
# scale: length matters*, Machine Learning 114 (2025), doi:10.1007/s10994-024-06654-4. The items
# and their numbers are those of the preprint, *How to adapt the performance metrics to ordinal
# classification by intervals?*
#
# The paper standardizes the total misclassification cost (TC) by its maximum, which gives STC, and
# carries both over to classes that are intervals. Each section below redoes one item with the
# library and compares it with a direct reading of the formula, or with the values that the paper
# derives.
#
# The paper writes the predicted classes on the rows and the true classes on the columns. The
# library does it the other way round, so its matrices are transposed here.

# %%
from itertools import product

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import display
from scipy.optimize import minimize_scalar

import pandas_ordinal as po

m = po.metrics
rng = np.random.default_rng(0)


def random_matrices(r, how_many):
    """Return matrices of the paper, predictions on the rows, in which each class has a row."""
    return rng.integers(9, size=(how_many, r, r)) + np.eye(r, dtype=int)


def transposed(C):
    """Return the confusion matrix with the true classes on the rows, as the library has it."""
    return np.swapaxes(C, -1, -2)


# %% [markdown]
# ## Metrics from the confusion matrix
#
# Section 2: the error rate, MAE, and the mean (AMAE), maximum (MMAE) and minimum (mMAE) of the MAE
# of each class.

# %%
for C in random_matrices(4, 100):
    r, N, n = len(C), C.sum(), C.sum(0)
    MAE_of = [sum(C[i, j] * abs(i - j) for i in range(r)) / n[j] for j in range(r)]
    counts = transposed(C)
    assert np.isclose(m.error_rate(counts), 1 - sum(C[i, i] for i in range(r)) / N)
    assert np.isclose(m.mae(counts), sum(n[j] * MAE_of[j] for j in range(r)) / N)
    assert np.isclose(m.amae(counts), sum(MAE_of) / r)
    assert np.isclose(m.mmae(counts), max(MAE_of))
    assert np.isclose(m.min_mae(counts), min(MAE_of))

# %% [markdown]
# ## Rank correlation
#
# The first form, by the signs γ of the differences of all pairs of rows, is right. The second one
# is wrong:
#
# $$\tau_b = \frac{Con - Dis}{\sqrt{(Con + Dis - Tobs)(Con + Dis - Tpred)}}$$
#
# The terms under the root must be N² − Tobs and N² − Tpred. All numbers count ordered pairs, those
# of a row with itself among them.

# %%
y, y_hat = rng.integers(4, size=(2, 60))
gamma = np.sign(np.subtract.outer(y, y))
gamma_hat = np.sign(np.subtract.outer(y_hat, y_hat))
first_form = (gamma * gamma_hat).sum() / np.sqrt((gamma**2).sum() * (gamma_hat**2).sum())

Con, Dis = (gamma * gamma_hat == 1).sum(), (gamma * gamma_hat == -1).sum()
Tobs, Tpred, pairs = (gamma == 0).sum(), (gamma_hat == 0).sum(), len(y) ** 2
as_printed = (Con - Dis) / np.sqrt((Con + Dis - Tobs) * (Con + Dis - Tpred))
mended = (Con - Dis) / np.sqrt((pairs - Tobs) * (pairs - Tpred))

tau_b = m.kendall_tau(po.confusion(y, y_hat, classes=range(4)))
forms = {"first form": first_form, "second form": as_printed, "mended": mended, "library": tau_b}
display(pd.DataFrame({"τ_b": forms}).round(4))
assert np.isclose(tau_b, first_form)
assert np.isclose(tau_b, mended)
assert not np.isclose(tau_b, as_printed)

# %% [markdown]
# ## Total cost
#
# Equation 3 and remark 1: TC is the sum of the counts times the cost matrix,
#
# $$m_{ij} = \frac{\gamma_{ij} |i - j|}{N}, \qquad \gamma_{ij} = \frac{N - n_j}{n_i}$$
#
# Remark 2: without the division by N it is the total cost of George et al. (2016), here N times
# TC.


# %%
def paper_costs(n):
    """Return the cost matrix of equation 4 for classes of n rows, predictions on the rows."""
    r, N = len(n), sum(n)
    return np.array([[(N - n[j]) / n[i] * abs(i - j) / N for j in range(r)] for i in range(r)])


for C in random_matrices(4, 100):
    M = paper_costs(C.sum(0))
    counts = transposed(C)
    assert np.allclose(m.cost_matrix(counts), transposed(M))
    assert np.isclose(m.total_cost(counts), (C * M).sum())
    N, n = C.sum(), C.sum(0)
    without_N = sum(
        C[i, j] * (N - n[j]) / n[i] * abs(i - j) for i, j in product(range(4), repeat=2)
    )
    assert np.isclose(N * m.total_cost(counts), without_N)

# %% [markdown]
# ## Symmetry of the cost matrix
#
# Remark 1 also states that the cost matrix is symmetric for balanced classes only. That fails for
# two classes, for which it is always symmetric: γ_ij is 1.


# %%
def is_symmetric(n):
    """Return whether the cost matrix of perfect predictions of classes of n rows is symmetric."""
    costs = m.cost_matrix(np.diag(n))
    return np.allclose(costs, costs.T)


assert is_symmetric([5, 5, 5])
assert not is_symmetric([5, 5, 6])
assert is_symmetric([5, 60])

# %% [markdown]
# ## STC
#
# Definition 1 divides TC by its maximum over all predictions of the same true classes. Proposition
# 1 gives the maximum: all rows of each true class are predicted as the class that costs most.
# Proposition 2: for two classes it is 1, so that STC is the error rate. Proposition 3 has closed
# forms for balanced classes, and corollary 1 says that they increase with r.

# %%
for C in random_matrices(3, 50):
    n, N = C.sum(0), C.sum()
    K = [max(n[j] * (N - n[j]) / n[i] * abs(i - j) for i in range(3) if i != j) for j in range(3)]
    assert np.isclose(m.max_total_cost(transposed(C)), sum(K) / N)
    assert np.isclose(m.stc(transposed(C)), m.total_cost(transposed(C)) / (sum(K) / N))
    worst = max(
        (np.eye(3)[list(of_class)] * n[:, None] * paper_costs(n).T).sum()
        for of_class in product(range(3), repeat=3)
    )
    assert np.isclose(m.max_total_cost(transposed(C)), worst)

binary = transposed(random_matrices(2, 100))
assert np.allclose(m.max_total_cost(binary), 1)
assert np.allclose(m.stc(binary), m.error_rate(binary))

# %%
classes = range(2, 9)
closed = {
    r: (r - 1) * (3 * r - 2) / 4 if r % 2 == 0 else (r - 1) ** 2 * (3 * r + 1) / (4 * r)
    for r in classes
}
ours = {r: m.max_total_cost(7 * np.eye(r, dtype=int)) for r in classes}
display(pd.DataFrame({"proposition 3": closed, "library": ours}).rename_axis("r").round(4))
for r in classes:
    h = r / 2 if r % 2 == 0 else r // 2 + 1
    assert np.isclose(ours[r], closed[r])
    assert np.isclose(ours[r], (r - 1) ** 2 / 2 + (r - 1) * (r - h) * h / r)
assert (np.diff(list(ours.values())) > 0).all()

# %% [markdown]
# ## Intervals
#
# Definition 2 replaces the sizes of the classes by their densities, rows per unit of length, and
# |i − j| by the Hausdorff distance of the intervals. Proposition 4 gives the maximum, and
# definition 3 divides by it. If all intervals have the same length L, the cost is L times TC.
# Proposition 5: for two intervals the maximum is the longer length.


# %%
def paper_interval_costs(n, edges):
    """Return the cost matrix of remark 4, predictions on the rows."""
    a, b = edges[:-1], edges[1:]
    delta = n / (b - a)
    r, N = len(n), sum(n)
    return np.array(
        [
            [
                (sum(delta) - delta[j]) / delta[i] * max(abs(a[j] - a[i]), abs(b[j] - b[i])) / N
                for j in range(r)
            ]
            for i in range(r)
        ]
    )


for C in random_matrices(4, 100):
    n, edges = C.sum(0), np.cumsum(rng.uniform(0.1, 5, size=5))
    M = paper_interval_costs(n, edges)
    counts = transposed(C)
    cost, highest = (C * M).sum(), sum(n[j] * max(M[:, j]) for j in range(4))
    assert np.allclose(m.interval_cost_matrix(counts, edges), transposed(M))
    assert np.isclose(m.interval_total_cost(counts, edges), cost)
    assert np.isclose(m.max_interval_total_cost(counts, edges), highest)
    assert np.isclose(m.interval_stc(counts, edges), cost / highest)
    equal = np.arange(5) * 2.5
    assert np.isclose(m.interval_total_cost(counts, equal), 2.5 * m.total_cost(counts))
    assert np.isclose(m.interval_stc(counts, equal), m.stc(counts))

for counts in binary:
    lengths = rng.uniform(0.1, 5, size=2)
    edges = [0, lengths[0], lengths.sum()]
    assert np.isclose(m.max_interval_total_cost(counts, edges), max(lengths))

# %% [markdown]
# Remark 4: the cost matrix of intervals is symmetric if the sizes of the classes are proportional
# to the lengths of the intervals. ("Only if" fails for two classes, as above.)

# %%
edges = np.array([0, 1, 3, 7])
proportional = m.interval_cost_matrix(np.diag([5, 10, 20]), edges)
other = m.interval_cost_matrix(np.diag([5, 10, 21]), edges)
two = m.interval_cost_matrix(np.diag([5, 60]), [0, 1, 3])
assert np.allclose(proportional, proportional.T)
assert not np.allclose(other, other.T)
assert np.allclose(two, two.T)

# %% [markdown]
# ## Maximal and minimal agreement
#
# Section 4.2: the interval STC is 0 for diagonal matrices only, and 1 if each row is predicted as
# the class that costs most.

# %%
edges = np.array([0, 1, 3, 4, 9])
for C in random_matrices(4, 50):
    n = C.sum(0)
    worst = paper_interval_costs(n, edges).argmax(0)
    counts = np.zeros((4, 4))
    counts[range(4), worst] = n
    assert np.isclose(m.interval_stc(counts, edges), 1)
    assert m.interval_stc(np.diag(n), edges) == 0
    assert m.interval_stc(transposed(C), edges) > 0 or np.array_equal(C, np.diag(n))

# %% [markdown]
# ## Property 1: scale invariance
#
# Another scale and origin of the edges, f(x) = cx + d with c > 0, change nothing.

# %%
for C in random_matrices(4, 50):
    c, d = rng.uniform(0.01, 100), rng.uniform(-50, 50)
    before, after = (m.interval_stc(transposed(C), e) for e in (edges, c * edges + d))
    assert np.isclose(after, before, rtol=0, atol=1e-12)

# %% [markdown]
# ## Property 2: monotonicity
#
# A prediction that moves farther from the true class, to a class of the same density, makes the
# metric worse. Here all densities are 5, and a row of the first class is predicted as the second,
# third and fourth class in turn.

# %%
equally_dense = np.diag([5, 10, 5, 25])
index = []
for predicted in [1, 2, 3]:
    counts = equally_dense.copy()
    counts[0, [0, predicted]] += [-1, 1]
    index.append(m.interval_stc(counts, edges))
predicted_as = pd.Index(["second", "third", "fourth"], name="predicted as")
display(pd.DataFrame({"interval STC": index}, predicted_as).round(4))
assert 0 < index[0] < index[1] < index[2]

# %% [markdown]
# ## Property 3: imbalance
#
# At the same distance, an error from a class of low density costs more than one from a class of
# high density. So does an error into a class of low density. Below, the intervals are equally
# long, and the classes have 4, 10 and 40 rows.

# %%
unequally_dense = np.diag([4, 10, 40])
even = np.array([0, 2, 4, 6])


def with_one_error(true, predicted):
    """Return the interval STC if one row is predicted wrongly."""
    counts = unequally_dense.copy()
    counts[true, [true, predicted]] += [-1, 1]
    return m.interval_stc(counts, even)


assert with_one_error(0, 1) > with_one_error(2, 1) > 0
assert with_one_error(1, 0) > with_one_error(1, 2) > 0

# %% [markdown]
# ## Homogeneity
#
# The paper states STC(κA) = κ STC(A). With N in the denominator of TC, the measure does not depend
# on the number of rows: STC(κA) = STC(A), with and without intervals.

# %%
for C in random_matrices(4, 50):
    counts = transposed(C)
    assert np.isclose(m.stc(3 * counts), m.stc(counts))
    assert np.isclose(m.interval_stc(3 * counts, edges), m.interval_stc(counts, edges))

# %% [markdown]
# ## The toy example
#
# Three classes of five rows; the first two intervals have length 1, the last one is unbounded. The
# length that minimizes the highest cost is x̃ = 1/√2. STC is (73 + 11/√2)/205 for A and (87 +
# 3/√2)/205 for B.

# %%
C_A = np.array([[3, 2, 1], [2, 2, 2], [0, 1, 2]])
C_B = np.array([[3, 2, 2], [2, 2, 1], [0, 1, 2]])
A, B = transposed(C_A), transposed(C_B)
open_edges = [0, 1, 2, np.inf]
paper = {
    "length of the last interval": 1 / np.sqrt(2),
    "highest cost": (2 * np.sqrt(2) + 7) / 3,
    "STC of A": (73 + 11 / np.sqrt(2)) / 205,
    "STC of B": (87 + 3 / np.sqrt(2)) / 205,
}
ours = {
    "length of the last interval": m.interval_lengths(A, open_edges)[-1],
    "highest cost": m.max_interval_total_cost(A, open_edges),
    "STC of A": m.interval_stc(A, open_edges),
    "STC of B": m.interval_stc(B, open_edges),
}
display(pd.DataFrame({"paper": paper, "ours": ours}).round(6))
assert np.allclose(list(ours.values()), list(paper.values()))
assert round(ours["STC of B"] - ours["STC of A"], 4) == 0.0407

# %% [markdown]
# For each length x, TC(A) is (6 + 4/x + (7 + x) max(1, x))/15, and TC(B) is 2/15 more. With any
# other length than x̃, the difference of the STC is smaller.

# %%
for x in [0.1, 0.5, 1, 2, 5]:
    cost_A, cost_B = (m.interval_total_cost(C, open_edges, unbounded=x) for C in (A, B))
    assert np.isclose(cost_A, (6 + 4 / x + (7 + x) * max(1, x)) / 15)
    assert np.isclose(cost_B - cost_A, 2 / 15)
    stc_A, stc_B = (m.interval_stc(C, open_edges, unbounded=x) for C in (A, B))
    assert stc_B - stc_A < 0.0406

# %% [markdown]
# ## Proposition 6
#
# Three balanced classes, intervals of lengths 1, L and x: the length x̃ that minimizes the highest
# cost, and that cost, in four cases of L.


# %%
def proposition_6(second):
    """Return the length of the last interval and the highest cost as the paper derives them."""
    root = np.sqrt(5)
    if second <= 1:
        x = np.sqrt(second / (second + 1))
        cost = (2 / x + 2 * second + 4 + 1 / second) / 3
    elif second <= (1 + root) / 2:
        x = second / np.sqrt(second + 1)
        cost = (2 * np.sqrt(second + 1) + 3 * second + 3 + 1 / second) / 3
    elif second <= (3 + root) / 2:
        x = second * (root - 1) / 2
        cost = second / 6 * ((root + 1) * second + root + 7)
    else:
        x = np.sqrt(second)
        cost = second / 3 * (2 * x + second + 3)
    return x, cost


balanced = np.diag([5, 5, 5])
rows = {}
for L in [0.25, 0.5, 1, 1.3, 1.6, 1.7, 2, 2.5, 2.7, 5, 10]:
    x, cost = proposition_6(L)
    lengths = m.interval_lengths(balanced, [0, 1, 1 + L, np.inf])
    highest = m.max_interval_total_cost(balanced, [0, 1, 1 + L, np.inf])
    rows[L] = {"length": x, "ours": lengths[-1], "highest cost": cost, "our cost": highest}
    assert np.isclose(lengths[-1], x)
    assert np.isclose(highest, cost)
display(pd.DataFrame(rows).T.rename_axis("L").round(4))

# %% [markdown]
# ## Figure 1
#
# x̃ as a function of L, from the library.

# %%
figure, axes = plt.subplots(1, 2, figsize=(8, 3), layout="constrained")
for axis, largest in zip(axes, [2, 10], strict=True):
    L = np.linspace(0, largest, 201)[1:]
    x = [m.interval_lengths(balanced, [0, 1, 1 + length, np.inf])[-1] for length in L]
    axis.plot(L, x)
    axis.set(xlabel="L", ylabel="x", xlim=(0, largest), ylim=0)
    assert np.allclose(x, [proposition_6(length)[0] for length in L])

# %% [markdown]
# ## Any number of classes
#
# The paper finds the length for three balanced classes. The library finds it for any number of
# classes of any size, because the highest cost is a convex function of the length. A general
# minimizer agrees.

# %%
for C in random_matrices(5, 20):
    counts = transposed(C)
    edges = np.append(np.cumsum(rng.uniform(0.5, 3, size=5)), np.inf)

    def highest_cost(x, counts=counts, edges=edges):
        """Return the highest cost if the last interval has length x."""
        return m.max_interval_total_cost(counts, edges, unbounded=x)

    found = minimize_scalar(highest_cost, bounds=(0.01, 50), method="bounded")
    assert np.isclose(m.max_interval_total_cost(counts, edges), found.fun)
