"""Which of six models predicts doctor visits best? The bins are of unequal width, and one is open.

Reads the out-of-fold predictions in ``data/randhie_predictions.csv`` (see `make_visits`): six
models, 20,190 person-years, five bins. All scores pool the folds; whether differences between them
could be due to chance is not tested. Run with ``make intervals``.
"""

from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

import pandas_ordinal as po

DATA = Path(__file__).parent / "data" / "randhie_predictions.csv"
EDGES = [0, 1, 3, 6, 11, np.inf]
BASELINE = "majority"
MODELS = [BASELINE, "logistic", "logistic-balanced", "boosting", "boosting-median", "poisson"]
MEASURES = ["accuracy", "mae", "stc", "interval_stc", "interval_mae"]


def in_bins(predictions: pd.DataFrame) -> pd.DataFrame:
    """Cut the visits into bins, and turn the bin numbers of the models into the same bins."""
    visits = po.ordinal(predictions["visits"]).cut(EDGES, right=False)
    bins = visits.cat.categories
    columns = {
        model: pd.Categorical.from_codes(predictions[model], categories=bins, ordered=True)
        for model in MODELS
    }
    return pd.DataFrame({"visits": visits} | columns)


def rank(scores: pd.DataFrame, measures: list[str]) -> pd.DataFrame:
    """Rank the models by each column from 1, the best, in the direction of its measure."""
    ranks = {
        column: scores[column].rank(ascending=not po.metrics.registry[measure].greater_is_better)
        for column, measure in zip(scores, measures, strict=True)
    }
    return pd.DataFrame(ranks).astype(int)


def show(scores: pd.DataFrame, ranks: pd.DataFrame) -> str:
    """Write the scores with the ranks in brackets."""
    return (scores.map("{:.4f} ".format) + ranks.map("({})".format)).to_string()


def pick(ranks: pd.DataFrame) -> str:
    """Name the best model by each measure."""
    best = ranks.idxmin()
    winners = best.groupby(best).groups.items()
    return "\n".join(f"    {', '.join(measures)}: {model}" for model, measures in winners)


def disagree(ranks: pd.DataFrame, one: str, other: str) -> str:
    """List the pairs of models on which two measures disagree."""
    pairs = list(combinations(ranks.sort_values(one).index, 2))
    disagreements = [f"    {a}, {b}" for a, b in pairs if ranks[other][a] > ranks[other][b]]
    share = f"{len(disagreements)} of {len(pairs)} pairs"
    title = f"{one} prefers the first, {other} the second, in {share}:"
    return "\n".join([title, *disagreements])


def same_for_all(binned: pd.DataFrame) -> str:
    """Score the prediction of the lowest bin for everybody."""
    lowest = binned["visits"].cat.categories[0]
    scores = po.ordinal(binned.assign(same=lowest)).report("visits", "same", metrics=MEASURES)
    return f"{lowest} for everybody has " + ", ".join(
        f"{measure} {scores[measure]:.4f}" for measure in ("mae", *MEASURES[2:])
    )


def vary_length(binned: pd.DataFrame, visits: "pd.Series[int]") -> str:
    """Score by interval STC with the optimal length of the open bin, and with two others."""
    optimal = po.ordinal(binned).interval_lengths("visits", BASELINE).iloc[-1]
    start = EDGES[-2]
    beyond = visits[visits >= start]
    mean, highest = beyond.mean(), beyond.max()
    lengths = [optimal, mean - start, highest - start]
    scores = pd.DataFrame(
        {
            f"length {length:.2f}": po.ordinal(binned).interval_stc(
                "visits", MODELS, unbounded=length
            )
            for length in lengths
        }
    )
    return f"""The highest possible cost is lowest if the open bin has the length {optimal:.2f}.
It holds {len(beyond)} person-years, with {mean:.1f} visits on average and {highest} at most.
interval_stc if it ends at {start + optimal:.1f}, at that mean, or at that highest number:

{show(scores, rank(scores, ["interval_stc"] * len(lengths)))}"""


def main() -> None:
    """Print the comparison, and what the length of the open bin does to it."""
    predictions = pd.read_csv(DATA)
    binned = in_bins(predictions)
    print("person-years by their number of visits\n")
    print(binned["visits"].value_counts(sort=False).to_string(header=False))
    scores = po.ordinal(binned).report("visits", MODELS, metrics=MEASURES)[MEASURES]
    ranks = rank(scores, MEASURES)
    print(f"\n{show(scores, ranks)}\n")
    print(f"Best by\n{pick(ranks)}")
    print(f"Best except {BASELINE}, which uses no features, by\n{pick(ranks.drop(BASELINE))}\n")
    for one, other in combinations(["mae", "stc", "interval_stc"], 2):
        print(disagree(ranks, one, other))
    print("\nErrors into a large class are cheap by stc, into a dense one by interval_stc:")
    print(f"{same_for_all(binned)};")
    print("that is a lower interval_stc than any model has.\n")
    print(vary_length(binned, predictions["visits"]))


if __name__ == "__main__":
    main()
