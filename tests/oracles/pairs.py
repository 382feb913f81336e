"""Measures that compare rows two by two."""

from __future__ import annotations

import math
from typing import NamedTuple

from oracles.rows import NAN, Counts, rows


class Pairs(NamedTuple):
    """How many unordered pairs of rows there are of each kind."""

    concordant: int
    discordant: int
    tied_in_truth: int  # only there
    tied_in_prediction: int  # only there
    tied_in_both: int


def count_pairs(counts: Counts) -> Pairs:
    data = rows(counts)
    concordant = discordant = truth = prediction = both = 0
    for i, a in enumerate(data):
        both += a.times * (a.times - 1) // 2
        for b in data[i + 1 :]:
            n = a.times * b.times
            if a.true == b.true and a.pred == b.pred:
                both += n
            elif a.true == b.true:
                truth += n
            elif a.pred == b.pred:
                prediction += n
            elif (a.true < b.true) == (a.pred < b.pred):
                concordant += n
            else:
                discordant += n
    return Pairs(concordant, discordant, truth, prediction, both)


def kendall_tau(counts: Counts, *, variant: str = "b") -> float:
    pairs = count_pairs(counts)
    difference = pairs.concordant - pairs.discordant
    if variant == "c":
        n, m = sum(row.times for row in rows(counts)), len(counts)
        return NAN if n == 0 or m == 1 else 2 * m * difference / (n**2 * (m - 1))
    untied_in_truth = pairs.concordant + pairs.discordant + pairs.tied_in_prediction
    untied_in_prediction = pairs.concordant + pairs.discordant + pairs.tied_in_truth
    if untied_in_truth == 0 or untied_in_prediction == 0:
        return NAN
    return difference / math.sqrt(untied_in_truth) / math.sqrt(untied_in_prediction)


def goodman_kruskal_gamma(counts: Counts) -> float:
    pairs = count_pairs(counts)
    decided = pairs.concordant + pairs.discordant
    return (pairs.concordant - pairs.discordant) / decided if decided else NAN


def somers_d(counts: Counts) -> float:
    pairs = count_pairs(counts)
    untied_in_truth = pairs.concordant + pairs.discordant + pairs.tied_in_prediction
    return (pairs.concordant - pairs.discordant) / untied_in_truth if untied_in_truth else NAN


def ndpm(counts: Counts) -> float:
    pairs = count_pairs(counts)
    preferred = pairs.concordant + pairs.discordant + pairs.tied_in_prediction
    if preferred == 0:
        return NAN
    return (2 * pairs.discordant + pairs.tied_in_prediction) / (2 * preferred)


def r_int(counts: Counts) -> float:
    """By ordered pairs of different rows: ≤ in truth (S1), in prediction (S2), in both (S12)."""
    data = rows(counts)
    s1 = s2 = s12 = 0
    for i, a in enumerate(data):
        for j, b in enumerate(data):
            n = a.times * b.times if i != j else a.times * (a.times - 1)
            s1 += n * (a.true <= b.true)
            s2 += n * (a.pred <= b.pred)
            s12 += n * (a.true <= b.true and a.pred <= b.pred)
    return -1 + 2 * (s12 / math.sqrt(s1) / math.sqrt(s2)) if s1 and s2 else NAN
