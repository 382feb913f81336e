"""`.ordinal` of a DataTree is that of its nodes."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest
import xarray as xr

import pandas_ordinal as po
from pandas_ordinal.accessors.tree import OF_NODES, TreeOrdinal

RNG = np.random.default_rng(0)


def node(*shape: int) -> xr.Dataset:
    dims = ("lead", "case")[-len(shape) :]
    return xr.Dataset(
        {
            "y": ("case", RNG.integers(0, 3, shape[-1])),
            "yhat": (dims, RNG.integers(0, 3, shape)),
            "other": ("case", RNG.integers(0, 3, shape[-1])),
        }
    )


NODES = {"/gcm": node(2, 9), "/statistical/logistic": node(7), "/statistical/forest": node(8)}
TREE = xr.DataTree.from_dict({**NODES, "/later": xr.Dataset(attrs={"note": "to come"})})
OPTIONS: dict[str, Any] = {"classes": range(3)}


@pytest.mark.parametrize("name", ["mae", "class_recall", "oci_path", "confusion"])
@pytest.mark.parametrize("tree", [TREE, TREE.chunk()], ids=["memory", "dask"])
def test_arrays_become_variables(name: str, tree: xr.DataTree) -> None:
    found = getattr(tree.ordinal, name)("y", "yhat", **OPTIONS)
    assert isinstance(found, xr.DataTree)
    variable = "count" if name == "confusion" else name
    for path, ds in NODES.items():
        due = getattr(ds.ordinal, name)("y", "yhat", **OPTIONS)
        assert list(found[path].data_vars) == [variable]
        xr.testing.assert_allclose(found[path][variable].compute(), due)
        assert found[path][variable].attrs == due.attrs


@pytest.mark.parametrize("name", ["report", "class_report", "cut_report"])
def test_reports(name: str) -> None:
    found = getattr(po.ordinal(TREE), name)("y", "yhat", ci=0.9, **OPTIONS)
    for path, ds in NODES.items():
        due = getattr(ds.ordinal, name)("y", "yhat", ci=0.9, **OPTIONS)
        xr.testing.assert_identical(found[path].to_dataset(), due)
    assert not found["/later"].data_vars and found["/later"].attrs == {"note": "to come"}
    assert not found["/statistical"].data_vars


def test_agreement() -> None:
    found = TREE["/statistical"].ordinal.agreement(["y", "other"], **OPTIONS)
    due = NODES["/statistical/forest"].ordinal.agreement(["y", "other"], **OPTIONS)
    xr.testing.assert_identical(found["forest"].to_dataset(), due)


def test_help_is_that_of_a_dataset() -> None:
    of_tree, of_dataset = TREE.ordinal, NODES["/gcm"].ordinal
    public = {name for name in dir(of_tree) if not name.startswith("_")}
    assert public == set(OF_NODES) <= set(dir(of_dataset))
    for name in OF_NODES:
        one, other = getattr(of_tree, name), getattr(of_dataset, name)
        assert inspect.signature(one) == inspect.signature(other)
        assert one.__doc__ == other.__doc__ and one.__name__ == name
    assert xr.DataTree.ordinal is TreeOrdinal


def test_repr() -> None:
    assert repr(TREE.ordinal).splitlines() == [
        ".ordinal of a DataTree with 3 nodes that have variables",
        "call report, confusion, or one of "
        f"{len(po.metrics.registry)} metrics, such as oci or mae",
    ]
    assert "with 1 node that has variables" in repr(TREE["/gcm"].ordinal)


def test_wrong_names() -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'qwk'; qwk is kappa\("):
        print(TREE.ordinal.qwk)
    with pytest.raises(AttributeError, match="no attribute 'ocii'; did you mean 'oci'"):
        print(TREE.ordinal.ocii)
    assert not hasattr(TREE.ordinal, "compare") and not hasattr(TREE.ordinal, "to_netcdf")
    with pytest.raises(AttributeError, match=r"'compare', which takes one Dataset: call it on a"):
        print(TREE.ordinal.compare)
    with pytest.raises(po.UnknownNameError, match="the dataset has no variable 'yhatt'"):
        TREE.ordinal.mae("y", "yhatt", **OPTIONS)
