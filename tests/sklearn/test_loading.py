"""scikit-learn is loaded when it is first used; tests of the import cover the rest."""

from __future__ import annotations

import sys

import pytest

import pandas_ordinal as po


def test_it_is_loaded_when_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(po, "sklearn", raising=False)
    assert "sklearn" in dir(po)
    assert dir(po.sklearn) == sorted(po.sklearn.__all__)


def test_the_error_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(po, "sklearn", raising=False)
    monkeypatch.delitem(sys.modules, "pandas_ordinal.sklearn", raising=False)
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(ImportError, match=r"missing: pip install \"pandas_ordinal\[sklearn\]\""):
        po.sklearn  # noqa: B018


def test_other_names_are_unknown() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'scikit'"):
        po.scikit  # type: ignore[attr-defined]  # noqa: B018
