"""`.ordinal` on a DataTree: the methods of a Dataset, for each node that has variables."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import xarray as xr

from pandas_ordinal.accessors.dataset import DatasetOrdinal
from pandas_ordinal.metrics.metric import registry
from pandas_ordinal.reports.by_class import REPORTS_BY_CLASS

# What returns arrays; tables of rows and files are those of one node
OF_NODES = [
    "report",
    "confusion",
    "agreement",
    *REPORTS_BY_CLASS,
    *registry,
]


class TreeOrdinal:
    """Ordinal evaluation of the labels in the nodes of a DataTree.

    It has those methods of a Dataset that return arrays. Each gives a DataTree of their results;
    an array becomes a variable with its name. Nodes without variables stay as they are.

    Parameters
    ----------
    tree : DataTree
        True and predicted labels as variables of its nodes.
    """

    def __init__(self, tree: xr.DataTree) -> None:
        self._tree = tree

    def __getattr__(self, name: str) -> Callable[..., xr.DataTree]:
        """Return a method of a Dataset as one of all nodes; raise for any other name."""
        method = getattr(DatasetOrdinal(xr.Dataset()), name)  # which knows what is meant
        if name not in OF_NODES:
            raise AttributeError(
                f"{type(self).__name__!r} object has no attribute {name!r}, which takes one "
                f"Dataset: call it on a node, as in tree['/model'].dataset.ordinal.{name}(...)"
            )

        @functools.wraps(method)
        def of_nodes(*args: Any, **kwargs: Any) -> xr.DataTree:
            def of_node(node: xr.Dataset) -> xr.Dataset:
                if not node.data_vars:
                    return node
                result = getattr(DatasetOrdinal(node), name)(*args, **kwargs)
                return result.to_dataset() if isinstance(result, xr.DataArray) else result

            return self._tree.map_over_datasets(of_node)

        of_nodes.__signature__ = inspect.signature(method)  # type: ignore[attr-defined]
        return of_nodes

    def __dir__(self) -> list[str]:
        """Return the methods, for completion."""
        return sorted([*super().__dir__(), *OF_NODES])

    def __repr__(self) -> str:
        """Describe the tree, and name the methods to call."""
        n_nodes = sum(bool(node.data_vars) for node in self._tree.subtree)
        return (
            f".ordinal of a DataTree with {n_nodes} node{'s' * (n_nodes != 1)} that "
            f"{'has' if n_nodes == 1 else 'have'} variables\n"
            f"call report, confusion, or one of {len(registry)} metrics, such as oci or mae"
        )
