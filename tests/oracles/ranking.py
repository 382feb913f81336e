"""Scores by their definitions: loops over pairs of rows and over all sequences of rows."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from oracles.rows import NAN

Numbers = Sequence[Any]


class Item(NamedTuple):
    """A row that counts."""

    score: Any
    weight: Fraction
    other: Any = None


def by_class(
    true: Sequence[int],
    scores: Numbers,
    n_classes: int,
    weights: Numbers | None = None,
    other: Numbers | None = None,
) -> list[list[Item]]:
    """The rows of each class, without those of weight 0 or of class -1."""
    own: list[list[Item]] = [[] for _ in range(n_classes)]
    for row, k in enumerate(true):
        weight = Fraction(1 if weights is None else weights[row])
        if k >= 0 and weight:
            own[k].append(Item(scores[row], weight, None if other is None else other[row]))
    return own


def worth(sequence: Iterable[Any], ties: str) -> Fraction:
    """How much a sequence of scores counts: 1 if it ascends, 1/m! where m of them are equal."""
    sequence = list(sequence)
    if any(a > b for a, b in itertools.pairwise(sequence)):
        return Fraction(0)
    runs = [len(list(run)) for _, run in itertools.groupby(sequence)]
    if ties == "strict":
        return Fraction(max(runs, default=1) == 1)
    return Fraction(1, math.prod(math.factorial(length) for length in runs))


def weight_of(sequence: Iterable[Item]) -> Fraction:
    return math.prod((item.weight for item in sequence), start=Fraction(1))


def mean_worth(own: Sequence[Sequence[Item]], ties: str, column: str = "score") -> Fraction:
    """Weighted mean over all sequences, a row of each class."""
    above = below = Fraction(0)
    for sequence in itertools.product(*own):
        weight = weight_of(sequence)
        above += weight * worth((getattr(item, column) for item in sequence), ties)
        below += weight
    return above / below


def vus(
    true: Sequence[int],
    scores: Numbers,
    n_classes: int,
    *,
    ties: str = "half",
    weights: Numbers | None = None,
) -> Fraction | float:
    own = by_class(true, scores, n_classes, weights)
    return mean_worth(own, ties) if all(own) else NAN


def summary(
    true: Sequence[int],
    scores: Numbers,
    sizes: Numbers,
    *,
    ties: str = "half",
    weights: Numbers | None = None,
) -> list[list[Fraction]]:
    """Entry (i, j): the share of the sequences of classes i to j - 1 that these rows add."""
    own = by_class(true, scores, len(sizes), weights)
    matrix = [[Fraction(0)] * (len(sizes) + 1) for _ in range(len(sizes) + 1)]
    for i, j in itertools.combinations_with_replacement(range(len(sizes) + 1), 2):
        ascending = sum(
            (
                weight_of(sequence) * worth((item.score for item in sequence), ties)
                for sequence in itertools.product(*own[i:j])
            ),
            Fraction(0),
        )
        matrix[i][j] = ascending / math.prod((Fraction(s) for s in sizes[i:j]), start=Fraction(1))
    return matrix


def auc(lower: Sequence[Item], upper: Sequence[Item], ties: str) -> Fraction | float:
    """Share of the pairs in which the row of the lower class has the lower score."""
    wins = pairs = Fraction(0)
    for a in lower:
        for b in upper:
            pairs += a.weight * b.weight
            if a.score < b.score:
                wins += a.weight * b.weight
            elif a.score == b.score and ties == "half":
                wins += a.weight * b.weight / 2
    return wins / pairs if pairs else NAN


def pairwise_auc(
    true: Sequence[int],
    scores: Numbers,
    n_classes: int,
    *,
    ties: str = "half",
    weights: Numbers | None = None,
) -> list[list[Fraction | float]]:
    own = by_class(true, scores, n_classes, weights)
    return [
        [auc(lower, upper, ties) if k < m else NAN for m, upper in enumerate(own)]
        for k, lower in enumerate(own)
    ]


def splits(own: Sequence[Sequence[Item]]) -> Iterator[tuple[list[Item], list[Item]]]:
    """Classes up to each one against those above."""
    for k in range(len(own)):
        yield (
            [item for items in own[: k + 1] for item in items],
            [item for items in own[k + 1 :] for item in items],
        )


def consecutive_auc(
    true: Sequence[int],
    scores: Numbers,
    n_classes: int,
    *,
    ties: str = "half",
    weights: Numbers | None = None,
) -> list[Fraction | float]:
    own = by_class(true, scores, n_classes, weights)
    return [auc(lower, upper, ties) for lower, upper in splits(own)]


def mean(values: Sequence[Fraction]) -> Fraction | float:
    return sum(values, Fraction(0)) / len(values) if values else NAN


def u_ovo(
    true: Sequence[int],
    scores: Numbers,
    n_classes: int,
    *,
    ties: str = "half",
    weights: Numbers | None = None,
) -> Fraction | float:
    own = by_class(true, scores, n_classes, weights)
    present = [items for items in own if items]
    return mean([Fraction(auc(a, b, ties)) for a, b in itertools.combinations(present, 2)])


def u_pairs(
    true: Sequence[int],
    scores: Numbers,
    n_classes: int,
    *,
    ties: str = "half",
    weights: Numbers | None = None,
) -> Fraction | float:
    """Over all pairs of rows that differ in class."""
    wins = pairs = Fraction(0)
    own = by_class(true, scores, n_classes, weights)
    rows = [(k, item) for k, items in enumerate(own) for item in items]
    for (k, a), (m, b) in itertools.product(rows, rows):
        if k < m:
            pairs += a.weight * b.weight
            wins += a.weight * b.weight * worth((a.score, b.score), ties)
    return wins / pairs if pairs else NAN


def u_cons(
    true: Sequence[int],
    scores: Numbers,
    n_classes: int,
    *,
    ties: str = "half",
    weights: Numbers | None = None,
) -> Fraction | float:
    """Mean over the different splits: those with the same rows below are the same split."""
    different = {
        len(lower): (lower, upper)
        for lower, upper in splits(by_class(true, scores, n_classes, weights))
        if lower and upper
    }
    return mean([Fraction(auc(lower, upper, ties)) for lower, upper in different.values()])


def vus_cov(
    true: Sequence[int],
    scores: Numbers,
    n_classes: int,
    *,
    other: Numbers,
    ties: str = "half",
    weights: Numbers | None = None,
) -> Fraction | float:
    """The covariance of two volumes, from the placements of the rows by either score."""
    own = by_class(true, scores, n_classes, weights, other)
    if not all(own):
        return NAN
    volumes = [mean_worth(own, ties, column) for column in ("score", "other")]
    covariance = Fraction(0)
    for k, items in enumerate(own):
        size = sum(item.weight for item in items)
        if size <= 1:
            return NAN
        covariance += sum(
            item.weight
            * (placement(own, k, item, ties, "score") - volumes[0])
            * (placement(own, k, item, ties, "other") - volumes[1])
            for item in items
        ) / (size * (size - 1))
    return covariance


def placement(
    own: Sequence[Sequence[Item]], k: int, item: Item, ties: str, column: str = "score"
) -> Fraction:
    """The share of the sequences through a row that ascend."""
    return mean_worth([*own[:k], [item], *own[k + 1 :]], ties, column)


def exact_vus(table: Sequence[Sequence[int]], ties: str = "half") -> Fraction:
    """From the whole number of rows of each class at each score, ``(K, values)``, lowest first.

    ``ascending[k]`` is k! times the number of ascending sequences of the first k classes: whole.
    """
    n_classes = len(table)
    ascending = [1] + [0] * n_classes
    for counts in zip(*table, strict=True):
        for k in range(n_classes, 0, -1):
            equal = 1
            for length in range(1, k + 1 if ties == "half" else 2):
                equal *= counts[k - length]
                if not equal:
                    break
                places = math.comb(k, length) if ties == "half" else 1
                ascending[k] += places * ascending[k - length] * equal
    multiple = math.factorial(n_classes) if ties == "half" else 1
    return Fraction(ascending[-1], multiple * math.prod(sum(line) for line in table))


def exact_untied_vus(ascending_codes: Sequence[int], n_classes: int) -> Fraction:
    """From the classes of rows without ties, the lowest score first, in one pass."""
    ascending, sizes = [1] + [0] * n_classes, [0] * n_classes
    for k in ascending_codes:
        ascending[k + 1] += ascending[k]
        sizes[k] += 1
    return Fraction(ascending[-1], math.prod(sizes))
