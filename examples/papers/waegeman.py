# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Waegeman, De Baets & Boullart 2008: the volume under the ROC surface
#
# W. Waegeman, B. De Baets and L. Boullart, *ROC analysis in ordinal regression learning*, Pattern
# Recognit. Lett. 29 (2008) 1–9, doi:10.1016/j.patrec.2007.07.019.
#
# The paper measures how well a score ranks rows of ordered classes: by the volume under the ROC
# surface (VUS, there Û), and by three averages over pairs of rows (U_pairs, U_ovo, U_cons). The
# text of the paper gives few numbers; its results are figures and statements about them, which are
# checked here.
#
# In the paper, ties do not count (`ties="strict"`). The default of the library counts a tied pair
# as one half. It makes no difference for the continuous scores below.
#
# The search of figure 8 takes some seconds. `python examples/papers/waegeman.py --full` runs it at
# the size that the paper has, 20 runs of 100 iterations with 500 candidates, in about ten minutes.

# %%
import sys
from itertools import combinations, product
from math import factorial

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from classifiers import DataReplication
from IPython.display import display
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.core.problem import Problem
from pymoo.optimize import minimize
from scipy.stats import kendalltau, kstest, norm, skew
from sklearn.datasets import load_diabetes
from sklearn.preprocessing import StandardScaler
from tqdm import tqdm

import pandas_ordinal as po

FULL = "--full" in sys.argv
m = po.metrics
MEASURES = {"VUS": m.vus, "U_cons": m.u_cons, "U_ovo": m.u_ovo, "U_pairs": m.u_pairs}


def classes_of(sizes):
    """Return the true classes of rows, 0 to r − 1, given the sizes of the classes."""
    return np.repeat(np.arange(len(sizes)), sizes)


# %% [markdown]
# ## The measures
#
# Equations 8 and 16 to 18, literally: the share of the sequences of one row per class that the
# score puts in order, and the share of the pairs that it puts in order, in three averages.
# Equation 19: U_pairs is the mean of the pairwise areas weighted by the products of the sizes. For
# two classes all of them are the area under the ROC curve, equation 4.

# %%
rng = np.random.default_rng(0)


def area(lower, higher):
    """Return the share of the pairs in which the score is lower in the lower class."""
    return np.mean([low < high for low, high in product(lower, higher)])


for sizes in [(4, 3, 5, 6), (7, 2, 3, 3), (5, 5, 5, 5), (6, 9)]:
    r, true = len(sizes), classes_of(sizes)
    score = np.round(true + rng.normal(0, 1.5, len(true)), 1)
    of_class = [score[true == k] for k in range(r)]
    areas = {(j, k): area(of_class[j], of_class[k]) for j, k in combinations(range(r), 2)}
    weights = {(j, k): sizes[j] * sizes[k] for j, k in areas}
    splits = [area(score[true < k], score[true >= k]) for k in range(1, r)]
    literal = {
        "VUS": np.mean([(np.diff(sequence) > 0).all() for sequence in product(*of_class)]),
        "U_cons": np.mean(splits),
        "U_ovo": np.mean(list(areas.values())),
        "U_pairs": sum(weights[pair] * areas[pair] for pair in areas) / sum(weights.values()),
    }
    for name, kernel in MEASURES.items():
        assert np.isclose(kernel(true, score, r, ties="strict"), literal[name])
    for (j, k), value in areas.items():
        assert np.isclose(m.pairwise_auc(true, score, r, ties="strict")[j, k], value)
    assert np.allclose(m.consecutive_auc(true, score, r, ties="strict")[:-1], splits)
    if r == 2:
        assert np.allclose(list(literal.values()), areas[0, 1])

# %% [markdown]
# ## Theorem 3.1
#
# VUS is the volume under the surface of the true positive rates. By equations 13 and 14, it is the
# mean true positive rate of the highest class over thresholds at one row of each other class,
# where these increase.

# %%
true = classes_of([8, 9, 10])
score = true + rng.normal(0, 1.5, len(true))
first, second = score[true == 0], score[true == 1]
thresholds = [[b_1, b_2] for b_1, b_2 in product(first, second) if b_1 < b_2]
_, rates = m.roc_surface(true, score, 3, thresholds=thresholds)
volume = rates[:, -1].sum() / (len(first) * len(second))
assert np.isclose(m.vus(true, score, 3), volume)

# %% [markdown]
# ## Theorem 3.2 and lemma 3.3
#
# The estimators are unbiased. For normal scores with means kd, k being the class, the area of the
# classes j and k is Φ((k − j) d/√2). That gives the expected values of U_ovo and U_pairs. A random
# score has 1/r! for VUS and 1/2 for the others. The means of 2,000 samples of 24, 18, 12 and 6
# rows are within four standard errors. For balanced classes, U_pairs and U_ovo are equal.

# %%
sizes = np.array([24, 18, 12, 6])
true = classes_of(sizes)
pairs = list(combinations(range(4), 2))
by_size = [sizes[j] * sizes[k] for j, k in pairs]
rows = {}
for d in [0, 0.8]:
    scores = d * true + rng.normal(size=(2000, len(true)))
    expected_areas = [norm.cdf((k - j) * d / np.sqrt(2)) for j, k in pairs]
    expected = {
        "U_ovo": np.mean(expected_areas),
        "U_pairs": np.average(expected_areas, weights=by_size),
    }
    if d == 0:
        expected |= {"VUS": 1 / factorial(4), "U_cons": 1 / 2}
    for name, value in expected.items():
        found = MEASURES[name](true, scores, 4)
        error = found.std() / np.sqrt(len(found))
        rows[name, d] = {"expected": value, "mean": found.mean(), "standard error": error}
        assert abs(found.mean() - value) < 4 * error
display(pd.DataFrame(rows).T.rename_axis(["measure", "d"]).round(4))

balanced = classes_of([9, 9, 9, 9])
score = rng.normal(size=36)
assert np.isclose(m.u_pairs(balanced, score, 4), m.u_ovo(balanced, score, 4))
assert not np.isclose(m.u_pairs(true, scores[0], 4), m.u_ovo(true, scores[0], 4))

# %% [markdown]
# ## The statistic of Jonckheere and Terpstra
#
# The paper says that U_ovo is known as the Jonckheere–Terpstra statistic. That statistic counts
# the pairs of rows in order, and hence is U_pairs times the number of pairs. It is U_ovo only if
# the classes are balanced.

# %%
score = scores[0]
statistic = sum((score[true == j][:, None] < score[true == k]).sum() for j, k in pairs)
assert np.isclose(statistic / sum(by_size), m.u_pairs(true, score, 4))
assert not np.isclose(statistic / sum(by_size), m.u_ovo(true, score, 4))

# %% [markdown]
# ## Figures 1 and 2
#
# Three clusters of 100 rows, and the surface of the score of an ordinal support vector machine.
# The paper uses the one of Chu & Keerthi; here it is data replication, whose boundaries are
# parallel, too. The paper prints no value.

# %%
centres, deviations = [(10, 10), (20, 10), (20, 20)], [5, 5, 7]
X = np.vstack(
    [rng.normal(centre, s, (100, 2)) for centre, s in zip(centres, deviations, strict=True)]
)
clusters = pd.DataFrame({"y": classes_of([100] * 3)})
scaled = StandardScaler().fit_transform(X)
ordinal_svm = DataReplication(3).fit(scaled, clusters["y"].to_numpy())
clusters["score"] = ordinal_svm.decide(scaled)[0]

figure, axis = plt.subplots(figsize=(4, 4))
axis.scatter(*X.T, c=clusters["y"], s=12)
surface = clusters.ordinal.roc_surface("y", "score", classes=range(3))
found = {
    "points of the surface": len(surface),
    "VUS": clusters.ordinal.vus("y", "score", classes=range(3)),
}
display(pd.DataFrame({"value": found}).round(3))

# %%
_ = clusters.ordinal.plot_roc("y", "score", classes=range(3))

# %% [markdown]
# ## Equation 15
#
# With a cost c(y) for each misclassified row of class y, the best classifier is a point of the
# surface. `best_thresholds` finds it without going through all points.

# %%
_, rates = m.roc_surface(clusters["y"], clusters["score"], 3)
for cost in [(1, 1, 1), (1, 1, 10), (8, 1, 2), (1, 5, 1)]:
    on_surface = ((1 - rates) * 100 * np.array(cost)).sum(1)
    costs = np.array(cost)[:, None] * (1 - np.eye(3))
    best = m.best_thresholds(clusters["y"], clusters["score"], 3, costs=costs)
    counts = po.confusion(clusters["y"], m.classify(clusters["score"], best), classes=range(3))
    assert np.isclose((counts * costs).sum(), on_surface.min())

# %% [markdown]
# ## Figures 3 to 5
#
# Normal scores with means kd, 100 rows per class, 20 runs. The relations are not linear: VUS
# starts at 1/r! and depends on r, the averages over pairs start at 1/2; all converge to 1. U_cons
# and U_ovo are similar, and less so the more classes there are.

# %%
spacing = np.arange(0, 5.01, 0.25)
values = {}
for r in [2, 3, 4, 5]:
    true = classes_of([100] * r)
    noise = rng.normal(size=(len(spacing), 20, len(true)))
    for d, run in zip(spacing, noise, strict=True):
        for name in ["VUS", "U_cons", "U_ovo"]:
            values[r, d, name] = MEASURES[name](true, d * true + run, r).mean()
values = pd.Series(values).rename_axis(["r", "d", None]).unstack()
figure, axes = plt.subplots(1, 3, figsize=(11, 3.5), layout="constrained")
for axis, (x, y) in zip(
    axes, [("VUS", "U_cons"), ("VUS", "U_ovo"), ("U_cons", "U_ovo")], strict=True
):
    for r, curve in values.groupby("r"):
        axis.plot(curve[x], curve[y], marker=".", label=f"r = {r}")
    axis.set(xlabel=x, ylabel=y)
_ = axis.legend()
display(values.unstack("r").loc[[0.0, 1.0, 2.0, 5.0]].T.round(3))

at_chance, apart = values.xs(0.0, level="d"), values.xs(5.0, level="d")
assert np.allclose(at_chance["VUS"], [1 / factorial(r) for r in at_chance.index], atol=0.03)
assert np.allclose(at_chance[["U_cons", "U_ovo"]], 0.5, atol=0.03)
assert (apart > 0.99).all(axis=None)
gap = (values["U_cons"] - values["U_ovo"]).groupby("r").max()
assert (np.diff(gap) > 0).all()

# %% [markdown]
# ## Figures 6 and 7
#
# 1,000 random rankings of 200 rows in four balanced classes. No pair of measures is comonotone,
# except U_ovo and U_pairs, which are equal. VUS is skewed, and a Kolmogorov–Smirnov test against
# the normal distribution with the same mean and variance mostly rejects it; the others are
# symmetric. One sample can go either way, so there are 20 of them.

# %%
true = classes_of([50] * 4)
samples = [
    {name: kernel(true, scores, 4) for name, kernel in MEASURES.items()}
    for scores in rng.normal(size=(20, 1000, 200))
]
rejected = pd.DataFrame(
    [
        {
            name: kstest((x - x.mean()) / x.std(ddof=1), "norm").pvalue < 0.05
            for name, x in sample.items()
        }
        for sample in samples
    ]
).sum()
skewness = pd.DataFrame(
    [{name: skew(x) for name, x in sample.items()} for sample in samples]
).mean()
display(pd.DataFrame({"skewness": skewness, "rejected in 20 samples": rejected}).round(2))
assert skewness["VUS"] > 0.3
assert skewness.drop("VUS").abs().max() < 0.1
assert rejected["VUS"] > 5 > 2 * rejected.drop("VUS").max()

# %%
sample = pd.DataFrame(samples[0])
_ = pd.plotting.scatter_matrix(sample, figsize=(7, 7), s=12)
assert np.allclose(sample["U_ovo"], sample["U_pairs"])
for a, b in [("VUS", "U_cons"), ("VUS", "U_ovo"), ("U_cons", "U_ovo")]:
    assert kendalltau(sample[a], sample[b]).statistic < 1

# %% [markdown]
# ## Figure 8
#
# A linear score and four thresholds, searched for six objectives at once. The paper uses a swarm
# (equations 22 and 23) on the Boston housing data; here it is NSGA-II of pymoo, on the diabetes
# data of scikit-learn in five classes. The priors of the paper, .3, .2, .1, .05 and .05, add up to
# .7, so they are divided by their sum.

# %%
X, target = load_diabetes(return_X_y=True)
X = StandardScaler().fit_transform(X)
priors = np.array([0.3, 0.2, 0.1, 0.05, 0.05])
levels = np.quantile(target, (priors / priors.sum()).cumsum()[:-1])
y = m.classify(target, levels)


OBJECTIVES = ["accuracy", "1 − MAE", *MEASURES]


class RankingAndErrors(Problem):
    """Six objectives of a linear score and its thresholds, all of them to be maximized."""

    def __init__(self):
        n_weights = X.shape[1]
        super().__init__(n_var=n_weights + 4, n_obj=6, xl=-1, xu=1)
        self.n_weights = n_weights

    def values(self, candidates):
        """Return the six measures of each candidate."""
        scores = candidates[:, : self.n_weights] @ X.T
        thresholds = np.sort(candidates[:, self.n_weights :], axis=1)
        predicted = [m.classify(f, b) for f, b in zip(scores, thresholds, strict=True)]
        counts = po.confusion(y, predicted, classes=range(5))
        ranking = [kernel(y, scores, 5) for kernel in MEASURES.values()]
        return np.column_stack([m.accuracy(counts), 1 - m.mae(counts), *ranking])

    def _evaluate(self, candidates, out, *args, **kwargs):
        out["F"] = -self.values(candidates)


n_runs, n_candidates = (20, 500) if FULL else (1, 40)
problem = RankingAndErrors()
found = [
    minimize(problem, NSGA2(pop_size=n_candidates), ("n_gen", 100), seed=seed).X
    for seed in tqdm(range(n_runs), disable=not FULL)
]
candidates = pd.DataFrame(problem.values(np.vstack(found)), columns=OBJECTIVES)
front = po.pareto(candidates, dict.fromkeys(OBJECTIVES, "accuracy"))  # higher is better for all
_ = pd.plotting.scatter_matrix(front, figsize=(9, 9), s=60)

# %% [markdown]
# The paper prints no values. It states that *none of the six measures manifests a comonotone
# relationship with another*, and that U_cons and U_ovo approximate VUS better than U_pairs. So it
# is here: the solutions that are best by one measure differ, and Kendall's τ with VUS over the
# front is higher for U_cons and U_ovo than for U_pairs. Accuracy and 1 − MAE trade off against
# VUS.

# %%
best = {f"best {name}": front.loc[front[name].idxmax()] for name in front}
display(pd.DataFrame(best).T.round(3))
with_vus = front.corr("kendall")["VUS"].drop("VUS")
display(with_vus.to_frame("Kendall's τ with VUS").round(2))
