"""Cases that several modules are tested on, and how many examples the properties draw.

All examples, or 20 of 100 with ``--hypothesis-profile=quick``.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import xarray as xr
from hypothesis import settings

settings.register_profile("quick", max_examples=20)


@pytest.fixture
def cases() -> xr.Dataset:
    rng = np.random.default_rng(0)
    true = rng.integers(0, 3, 40)
    proba = rng.dirichlet([1, 1, 1], 40)
    return xr.Dataset(
        {
            "y": ("case", true),
            "yhat": ("case", rng.integers(0, 3, 40)),
            "score": (("model", "case"), true + rng.normal(size=(2, 40))),
            "proba": (("case", "grade"), proba[:, ::-1]),
            "w": ("case", rng.random(40)),
        },
        {"grade": [2, 1, 0]},
    )


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Return a client of two workers, each a process of its own."""
    from distributed import Client, LocalCluster

    with (
        warnings.catch_warnings(action="ignore"),  # of distributed, that a busy machine is slow
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client
