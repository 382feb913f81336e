"""Tables that each lack some rows of one cell, without a copy of the table for each.

Such a table differs from the whole one in a single row, that of the true class, and in a single
column. So whatever a formula sums over the classes is that of the whole table, but for one class,
whose sum is taken anew: nothing is subtracted that could cancel.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from pandas_ordinal.counting.arrays import LARGEST_EXPONENT, Floats, Positions, Stack
from pandas_ordinal.counting.forks import computed_once

FEWEST_CLASSES = 20  # with fewer, copies of the table are faster


def after(stack: Stack, axis: int) -> Stack:
    """Sum the cells of the classes above each class along an axis."""
    sums = np.empty_like(stack)
    source, target = stack.swapaxes(axis, 0), sums.swapaxes(axis, 0)
    target[-1] = 0
    for position in range(len(source) - 1, 0, -1):
        np.add(source[position], target[position], out=target[position - 1, ...])
    return sums


def before(stack: Stack, axis: int) -> Stack:
    """Sum the cells of the classes below each class along an axis."""
    return np.flip(after(np.flip(stack, axis), axis), axis)


@dataclass(frozen=True)
class LeftOut:
    """One table without some rows of a cell, for each of several cells.

    Attributes
    ----------
    table : ndarray, shape (K, K)
        The whole table.
    true, pred : ndarray, shape (batch,)
        The true and the predicted class of each cell.
    weight : ndarray, shape (batch,)
        How many rows of the cell are left out.
    scale : ndarray, shape (batch,), or 1
        What the tables are divided by.
    """

    table: Floats
    true: Positions
    pred: Positions
    weight: Floats
    scale: Floats | float = 1.0

    @property
    def shape(self) -> tuple[int, int, int]:
        """The shape of the stack that this stands for."""
        return (*self.table.shape, len(self.true))

    def __len__(self) -> int:
        """Return the number of classes."""
        return len(self.table)

    def __truediv__(self, divisor: Floats) -> LeftOut:
        """Divide each table by a number."""
        return replace(self, scale=self.scale * divisor)

    def __mul__(self, factor: Floats) -> LeftOut:
        """Multiply each table by a number."""
        return replace(self, scale=self.scale / factor)

    @computed_once
    def row(self) -> Stack:
        """The row of each cell without these rows, ``(K, batch)``."""
        return self._without(self.table.T[:, self.true], self.pred)

    @computed_once
    def column(self) -> Stack:
        """The column of each cell without these rows, ``(K, batch)``."""
        return self._without(self.table[:, self.pred], self.true)

    def _without(self, line: Stack, place: Positions) -> Stack:
        line[place, np.arange(len(place))] -= self.weight
        return line

    def _by_class(self, whole: Floats, changed: Positions, values: Floats) -> Stack:
        """Return sums of the whole table ``(K,)``, each with the value of one class instead."""
        sums = np.repeat(whole[:, None], len(changed), axis=1)
        sums[changed, np.arange(len(changed))] = values
        return np.asarray(sums / self.scale)

    def sum(self, axis: int | tuple[int, ...]) -> Stack:
        """Sum the tables over the true classes (0), the predicted ones (1) or both."""
        if axis == 0:
            return self._by_class(self.table.sum(axis=0), self.pred, self.column.sum(axis=0))
        sizes = self._by_class(self.table.sum(axis=1), self.true, self.row.sum(axis=0))
        return sizes if axis == 1 else np.asarray(sizes.sum(axis=0))

    def diagonal(self) -> Stack:
        """Return the rows of each class that are predicted right, ``(K, batch)``."""
        right = self.row[self.true, np.arange(len(self.true))]
        return self._by_class(self.table.diagonal(), self.true, right)

    def cells(self) -> tuple[Positions, Positions, Stack]:
        """Return the true and the predicted class of the cells with rows, and their counts."""
        rows, columns = np.nonzero(self.table)
        place = np.zeros(self.table.shape, np.intp)
        place[rows, columns] = np.arange(len(rows))
        counts = np.repeat(self.table[rows, columns][:, None], len(self.true), axis=1)
        counts = self._without(counts, place[self.true, self.pred])
        return rows, columns, np.asarray(counts / self.scale)

    def weigh_rows(self, values: Floats) -> Stack:
        """Add up the cells of each row, weighted by values ``(K, K)``: ``(K, batch)``."""
        changed = np.einsum("cb,bc->b", self.row, values[self.true])
        return self._by_class((self.table * values).sum(axis=1), self.true, changed)

    def weigh_by_both(self, true: Stack, pred: Stack) -> Stack:
        """Add up the cells, weighted by values of the true and of the predicted class."""
        sums = self.table @ pred
        sums[self.true, np.arange(len(self.true))] = np.einsum("cb,cb->b", self.row, pred)
        return np.asarray(np.einsum("rb,rb->b", true, sums) / self.scale)

    def pairs(self, related: Floats, *, within: bool = False) -> Stack:
        """Count the pairs of rows of a lower and a higher true class whose predictions relate.

        ``related[c, d]`` is 1 if predictions c of the lower and d of the higher class do. `within`
        adds the pairs of each true class, in both orders and with the row itself.
        """
        exponent = min(-int(np.frexp(self.table.sum())[1]), LARGEST_EXPONENT)
        unit = np.ldexp(1.0, exponent)  # squares stay within floats
        table, row = self.table * unit, self.row * unit
        of_lower, of_higher = table @ related.T, table @ related
        of_classes = table @ of_lower.T
        by_class = np.triu(of_classes, 1)
        higher = after(by_class, 1)
        others = (
            before(by_class.sum(axis=0), 0)
            + after(by_class.sum(axis=1), 0)
            + np.triu(higher, 1).sum(axis=0)
        )
        partners = after(of_lower, 0) + before(of_higher, 0)
        own = np.einsum("cb,bc->b", row, partners[self.true])
        if within:
            alone = of_classes.diagonal()
            others = others + before(alone, 0) + after(alone, 0)
            own += np.einsum("cb,cb->b", row, related @ row)
        return np.asarray((others[self.true] + own) / (self.scale * unit) ** 2)


StackLike: TypeAlias = Stack | LeftOut
"""Confusion matrices batch last, or what is left of one without each of its cells."""
