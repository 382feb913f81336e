"""Tables by class and by cut, of the rows of a sample."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pandas_ordinal import inference
from pandas_ordinal.counting.arrays import Array
from pandas_ordinal.cube.layout import VECTOR_DIM, class_index
from pandas_ordinal.metrics.segments import Segments
from pandas_ordinal.reports.by_class import AT_CUTS, AUC, OF_TWO, TableByClass
from pandas_ordinal.reports.facts import facts_of
from pandas_ordinal.rows.results import laid_out_over, table_of
from pandas_ordinal.rows.sample import Sample
from pandas_ordinal.rows.scored import refuse_uncertainty
from pandas_ordinal.rows.sums import Units

if TYPE_CHECKING:
    from pandas_ordinal.rows.absent_inputs import PatternRankings
    from pandas_ordinal.rows.partitions import Partitions


def table_by_class(rows: Sample, table: TableByClass) -> pd.Series[float] | pd.DataFrame:
    """Return a row for each group, model and class, or cut."""
    with_auc, uncertainty = "score" in rows.inputs, table.uncertainty
    facts: dict[Any, Any] = {}
    if uncertainty.is_requested:
        refuse_uncertainty(rows, {AUC: OF_TWO} if with_auc else {}, uncertainty)
        rows.warn_of_repeats()
        facts = facts_of(uncertainty)
    numbers, columns = _of_counts(rows, table)
    if with_auc:
        columns |= _auc(rows, table)
    keys, places = rows.keys(numbers)
    labels = class_index(rows.classes.dtype, VECTOR_DIM)
    axes = [*rows.axes(keys), labels[:-1] if table.at_cuts else labels]
    fills = dict.fromkeys(table.sizes, 0) | dict.fromkeys(table.names(with_auc), np.nan)
    shown = {
        name: laid_out_over(columns[name], places, keys, fill).ravel()
        for name, fill in fills.items()
    }
    return table_of(shown, axes, facts)


def table_of_partitions(
    counted: pd.DataFrame,
    partitions: Partitions,
    table: TableByClass,
    rankings: PatternRankings = (),
) -> pd.Series[float] | pd.DataFrame:
    """Return the same of partitions, given the table of their counts."""
    return table_by_class(partitions.sample(counted, rankings), table)


def _of_counts(rows: Sample, table: TableByClass) -> tuple[Array, dict[str, Array]]:
    """Return the groups that have rows, and columns of counts ``(groups, models, classes)``."""
    n_models = len(rows.counts)
    units = [Units()] * n_models
    if table.uncertainty.is_requested:
        units = [rows.units(model) for model in range(n_models)]
    numbers: list[Array] = []
    parts: list[dict[str, Array]] = []
    for groups, in_rows, in_weights in rows.by_block():
        numbers.append(groups)
        found = []
        for model in range(n_models):
            n = in_rows[:, model].astype(np.int64)
            drawn = inference.by_class.drawn_tables(
                n, in_weights[:, model], **units[model].among(groups)
            )
            found.append(inference.by_class.columns_of_table(drawn, table))
        parts.append({name: np.stack([one[name] for one in found], 1) for name in found[0]})
    joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return np.concatenate(numbers), joined


def _auc(rows: Sample, table: TableByClass) -> dict[str, Array]:
    """Return the area under the ROC curve at each cut, and its bounds."""
    auc = rows.by_rows({AUC: AT_CUTS}).values[AUC][..., :-1]
    if not table.uncertainty.is_requested:
        return {AUC: auc}
    segment, numbers = rows.segments()
    suffixes = table.uncertainty.suffixes
    bounds = {part: np.empty(auc.shape) for part in suffixes}
    for model, codes in enumerate(rows.counted):
        inputs: Any = rows.inputs["score"][model]
        for k in range(rows.n_classes - 1):
            above = np.where(codes < 0, -1, codes > k)
            of_cut = inputs.of(Segments(above, 2, segment, len(numbers), rows.weights))
            found = inference.report.uncertainty_of_rows(
                OF_TWO, of_cut, inputs.array[:], auc[:, model, k], rows.clusters,
                classes=rows.classes, uncertainty=table.uncertainty,
            )  # fmt: skip
            for part, bound in zip(suffixes, found, strict=True):
                bounds[part][:, model, k] = bound
    return {AUC: auc} | {f"{AUC}_{part}": bounds[part] for part in suffixes}
