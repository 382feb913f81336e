"""One cube from many files: the same as if the cubes were combined in memory."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, files

LABELS = ["low", "mid", "high"]


def cube(folds: str, labels: list[str] = LABELS) -> xr.DataArray:
    """A cube of 20 rows for each fold."""
    rng = np.random.default_rng(len(folds))
    n_rows = 20 * len(folds)
    y, yhat = (
        pd.Categorical.from_codes(rng.integers(0, len(labels), n_rows), labels, ordered=True)
        for _ in range(2)
    )
    df = pd.DataFrame({"fold": np.repeat([*folds], 20), "y": y, "yhat": yhat})
    return df.ordinal.confusion("y", "yhat", by="fold")


CUBES = {"one.nc": cube("BA"), "two.nc": cube("C"), "three.zarr": cube("ED", ["mid", "high"])}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, saved in CUBES.items():
        if name.endswith("zarr"):
            saved.ordinal.to_zarr(tmp_path / name, encoding={"chunks": (1, 2, 2)})
        else:
            saved.ordinal.to_netcdf(tmp_path / name)
    return tmp_path


def test_without_a_dimension_counts_add(folder: Path) -> None:
    expected = po.add(*CUBES.values())
    paths = [folder / name for name in CUBES]
    xr.testing.assert_identical(po.open_cube(paths), expected)
    xr.testing.assert_identical(po.open_cube(tuple(map(str, paths))), expected)
    assert int(po.open_cube([folder / "two.nc"] * 3).sum()) == 60


def test_along_an_existing_dimension(folder: Path) -> None:
    opened = po.open_cube([folder / name for name in CUBES], dim="fold")
    assert opened.indexes["fold"].tolist() == [*"ABCDE"]
    for saved in CUBES.values():
        one = opened.sel(fold=saved["fold"].values)
        assert one.to_series()[lambda counts: counts > 0].to_dict() == (
            saved.to_series()[lambda counts: counts > 0].to_dict()
        )


def test_along_a_new_dimension(folder: Path) -> None:
    named = {name: folder / name for name in CUBES}
    opened = po.open_cube(named, dim="file")
    xr.testing.assert_identical(opened, po.concat(CUBES, dim="file"))
    assert opened.indexes["file"].tolist() == list(CUBES)
    unlabelled = po.open_cube(list(named.values()), dim="file")
    xr.testing.assert_identical(unlabelled, opened.drop_vars("file"))
    months = [CUBES["two.nc"].assign_coords(month=pd.Timestamp(f"2026-0{m}")) for m in (2, 1)]
    for number, month in enumerate(months):
        month.ordinal.to_netcdf(folder / f"month{number}.nc")
    opened = po.open_cube(folder / "month*.nc", dim="month")
    xr.testing.assert_identical(opened, po.concat(months, dim="month"))


def test_patterns(folder: Path) -> None:
    expected = po.add(CUBES["one.nc"], CUBES["two.nc"])
    for pattern in (folder / "*.nc", f"{folder}/[ot]*.nc", f"{folder}/**/*.nc"):
        xr.testing.assert_identical(po.open_cube(pattern), expected)
    CUBES["two.nc"].ordinal.to_netcdf(folder / "run[1].nc")
    xr.testing.assert_identical(po.open_cube(folder / "run[1].nc"), CUBES["two.nc"])
    with pytest.raises(FileNotFoundError, match=r"store matches '.*\*\.cube'"):
        po.open_cube(folder / "*.cube")
    for nothing in ([], {}):
        with pytest.raises(ValueError, match="no path is given"):
            po.open_cube(nothing)
    with pytest.raises(TypeError, match="path=3 must be a path, a pattern, or a list or dict"):
        po.open_cube(3)  # type: ignore[arg-type]


SLOW = [pytest.param(chunks, marks=pytest.mark.slow) for chunks in ("auto", {"fold": 1})]


@pytest.mark.parametrize("chunks", [{}, *SLOW])
@pytest.mark.parametrize("dim", [None, "fold", "file"])
def test_lazily(folder: Path, dim: str | None, chunks: Any) -> None:
    paths = [folder / name for name in CUBES]
    lazy = po.open_cube(paths, dim=dim, chunks=chunks)
    assert lazy.chunks is not None
    xr.testing.assert_identical(lazy.compute(), po.open_cube(paths, dim=dim))
    assert lazy.ordinal.oci().chunks is not None
    lazy.close()
    one = po.open_cube(paths[0], chunks=chunks)
    assert one.chunks is not None
    xr.testing.assert_identical(one.compute(), CUBES["one.nc"])
    one.close()


def test_values_are_not_read_before_they_are_computed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = []
    for backend in ("netCDF4_", "h5netcdf_", "zarr"):
        module = __import__(f"xarray.backends.{backend}", fromlist=["x"])
        array = next(
            kind
            for name, kind in vars(module).items()
            if name in ("NetCDF4ArrayWrapper", "H5NetCDFArrayWrapper", "ZarrArrayWrapper")
        )
        getitem = array.__getitem__

        def watched(self: Any, key: Any, getitem: Any = getitem) -> Any:
            read.append(self.shape)
            return getitem(self, key)

        monkeypatch.setattr(array, "__getitem__", watched)
    lazy = po.open_cube([folder / name for name in CUBES], dim="fold", chunks={})
    assert not [shape for shape in read if len(shape) == 3]
    lazy.ordinal.oci()
    assert not [shape for shape in read if len(shape) == 3]
    lazy.compute()
    assert len([shape for shape in read if len(shape) == 3]) == 4  # of two files, and two chunks
    lazy.close()


def test_what_does_not_fit_together_names_the_files(folder: Path) -> None:
    cube("F", ["high", "low"]).ordinal.to_netcdf(folder / "wrong.nc")
    two_files = [folder / "one.nc", folder / "wrong.nc"]
    for chunks in (None, {}):
        for dim in (None, "fold", "file"):
            with pytest.raises(ClassOrderError, match=r"one\.nc', '.*wrong\.nc' do not fit.*low"):
                po.open_cube(two_files, dim=dim, chunks=chunks)
    with pytest.raises(ValueError, match=r"one\.nc'.*the group 'A' along 'fold' is in two"):
        po.open_cube([folder / "one.nc"] * 7, dim="fold")
    with pytest.raises(ValueError, match="and 2 more files do not fit"):
        po.open_cube([folder / "one.nc"] * 7, dim="fold")
    CUBES["one.nc"].sum("fold").ordinal.to_netcdf(folder / "sum.nc")
    with pytest.raises(ValueError, match="different dimensions"):
        po.open_cube([folder / "one.nc", folder / "sum.nc"])
    (folder / "text.nc").write_text("no cube")
    with pytest.raises(OSError, match=r"^'[^']*text\.nc' is not a netCDF 4 file"):
        po.open_cube([folder / "one.nc", folder / "text.nc"])
    with pytest.raises(FileNotFoundError, match="nowhere"):
        po.open_cube([folder / "one.nc", folder / "nowhere"])
    with pytest.raises(ValueError, match="dim='fold' is the dimension along which several files"):
        po.open_cube(folder / "one.nc", dim="fold")


def test_chunks_need_dask(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dask.array", None)
    with pytest.raises(ImportError, match=r'pip install "pandas_ordinal\[dask\]"'):
        po.open_cube(folder / "one.nc", chunks={})


BY_HAND: list[dict[str, Any]] = [
    {},
    {"combine": "nested", "concat_dim": "fold"},
    {"combine": "nested", "concat_dim": "file"},
    {"combine": "nested", "concat_dim": "file", "compat": "override", "coords": "minimal"},
]


@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("options", BY_HAND, ids=str)
def test_many_files_by_hand(folder: Path, options: dict[str, Any]) -> None:
    paths = [folder / "one.nc", folder / "two.nc"]
    with xr.open_mfdataset(paths, **options) as dataset:
        with pytest.raises(ClassOrderError, match=r"po\.open_cube\(\[\.\.\.\]\)"):
            po.cube_from_dataset(dataset)
        with pytest.raises(ClassOrderError, match=r"po\.open_cube\(\[\.\.\.\]\)"):
            dataset["count"].ordinal.oci()


def test_one_file_in_a_list_is_opened_as_by_its_path(folder: Path) -> None:
    cube = CUBES["one.nc"].assign_coords(run=7, size=("fold", [1, 2])).assign_attrs(note="x")
    cube.ordinal.to_netcdf(folder / "all.nc")
    for paths in ([folder / "all.nc"], {"a": folder / "all.nc"}, folder / "al*.nc"):
        xr.testing.assert_identical(po.open_cube(paths), cube)


def test_lazy_files_of_different_groups_are_not_widened(tmp_path: Path) -> None:
    cubes = [cube(folds) for folds in ("BD", "A", "EC", "F")]
    for number, saved in enumerate(cubes):
        saved.ordinal.to_netcdf(tmp_path / f"{number}.nc")
    lazy = po.open_cube(tmp_path / "*.nc", chunks={})
    assert len(lazy.__dask_graph__()) < 10 * len(cubes)
    xr.testing.assert_identical(lazy.compute(), po.add(*cubes))
    lazy.close()


def test_five_files_are_named_and_more_are_counted(folder: Path, tmp_path: Path) -> None:
    other = CUBES["one.nc"].expand_dims("x")
    other.ordinal.to_netcdf(tmp_path / "other.nc")
    for n_files, more in ((5, ""), (6, " and 1 more files"), (7, " and 2 more files")):
        paths = [tmp_path / "other.nc", *[folder / "one.nc"] * (n_files - 1)]
        named = ", ".join(repr(str(path)) for path in paths[:5])
        with pytest.raises(ValueError, match="do not fit together") as error:
            po.open_cube(paths)
        assert str(error.value).startswith(f"{named}{more} do not fit together: ")


def test_a_lazy_cube_keeps_its_file_open_until_it_is_closed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = []
    monkeypatch.setattr(xr.Dataset, "close", lambda dataset: closed.append(dataset))
    po.open_cube(folder / "one.nc")
    assert len(closed) == 1
    cube = po.open_cube(folder / "one.nc", chunks={})
    assert len(closed) == 1
    cube.close()
    assert len(closed) == 2


@pytest.mark.parametrize(
    ("chunks", "are_sizes"),
    [
        ("auto", True),
        ({}, True),
        (1, True),
        (-1, True),
        ({"true": 2}, True),
        ({"true": (2, 1)}, True),
        ({"true": None}, True),
        ({"true": "auto"}, True),
        (0, False),
        (-2, False),
        (2**63, False),
        (1.5, False),
        ((2, 1), False),
        ({"true": 0}, False),
        ({"true": "all"}, False),
        ({"true": (2, 1.5)}, False),
    ],
    ids=str,
)
def test_sizes_of_chunks(tmp_path: Path, chunks: Any, are_sizes: bool) -> None:
    cube = pd.DataFrame({"y": [0, 1, 2], "p": [0, 2, 2]}).ordinal.confusion("y", "p")
    cube.ordinal.to_netcdf(tmp_path / "cube.nc")
    if are_sizes:
        with po.open_cube(tmp_path / "cube.nc", chunks=chunks) as opened:
            assert opened.chunks is not None
            xr.testing.assert_identical(opened.compute(), cube)
    else:
        with pytest.raises(ValueError, match=r"chunks=.* must be \"auto\", an integer, or a dict"):
            po.open_cube(tmp_path / "cube.nc", chunks=chunks)


def test_chunks_that_are_none(folder: Path) -> None:
    with pytest.raises(ValueError, match="chunks='bad' must be \"auto\""):
        po.open_cube(folder / "one.nc", chunks="bad")


def test_a_pattern_is_not_about_a_store_of_another_name(tmp_path: Path) -> None:
    """A copy under another suffix is being replaced, next to the files that match."""
    part = tmp_path / "one.nc.copy.abc.part"
    (part / "one.nc.copy.old").mkdir(parents=True)
    with pytest.raises(FileNotFoundError, match=r"store matches '.*\*\.nc'$"):
        po.open_cube(tmp_path / "*.nc")
    CUBES["one.nc"].ordinal.to_netcdf(tmp_path / "one.nc")
    xr.testing.assert_identical(po.open_cube(tmp_path / "*.nc"), CUBES["one.nc"])


def test_a_pattern_names_the_first_file_that_was_never_whole(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.nc.abc.part").mkdir()
    with pytest.raises(FileNotFoundError, match=r"store matches .*a\.nc\.abc\.part.*delete it"):
        po.open_cube(tmp_path / "*.nc")


def moved_away(store: Path) -> None:
    """Leave a store as a writer does that was killed while it was replacing it."""
    part = store.with_name(f"{store.name}.abcdefgh.part")
    part.mkdir()
    store.rename(part / f"{store.name}.old")


def test_a_pattern_names_each_file_whose_old_one_is_left(tmp_path: Path) -> None:
    """One that does not match, and comes first, does not end the search."""
    for name in ("a.zarr.copy", "b.zarr", "c.zarr"):
        CUBES["one.nc"].ordinal.to_zarr(tmp_path / name)
    moved_away(tmp_path / "a.zarr.copy")
    moved_away(tmp_path / "b.zarr")
    with pytest.raises(FileNotFoundError, match=r"zarr store '.*b\.zarr', but a process"):
        po.open_cube(tmp_path / "*.zarr")


def test_a_pattern_leaves_out_what_is_being_written(tmp_path: Path) -> None:
    CUBES["one.nc"].ordinal.to_netcdf(tmp_path / "one.nc")
    (tmp_path / "two.nc.abcdefgh.part").mkdir()
    (tmp_path / "two.nc.abcdefgh.part" / "two.nc").write_text("half")
    opened = po.open_cube(f"{tmp_path}/**/*.nc")
    xr.testing.assert_identical(opened, CUBES["one.nc"])


def test_a_pattern_sees_a_store_that_returns_while_it_is_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.zarr", "b.zarr"):
        CUBES["one.nc"].ordinal.to_zarr(tmp_path / name)
    moved_away(tmp_path / "a.zarr")
    part = tmp_path / "a.zarr.abcdefgh.part"
    real = files.cube.leftover_hint

    def leftover_hint(path: Any) -> str:
        hint = real(path)
        if hint and str(path).endswith("a.zarr"):
            (part / "a.zarr.old").rename(tmp_path / "a.zarr")
        return hint

    monkeypatch.setattr(files.cube, "leftover_hint", leftover_hint)
    opened = po.open_cube(tmp_path / "*.zarr")
    xr.testing.assert_identical(opened, po.add(CUBES["one.nc"], CUBES["one.nc"]))


@pytest.mark.parametrize("pattern", ["*.zarr", "**/*.zarr"])
@pytest.mark.parametrize("when", ["leaves", "returns"])
def test_a_pattern_sees_a_store_that_is_replaced_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str, pattern: str
) -> None:
    """It is away when the files are listed, and its part is there before or after."""
    for name in ("a.zarr", "b.zarr"):
        CUBES["one.nc"].ordinal.to_zarr(tmp_path / name)
    part = tmp_path / "a.zarr.abcdefgh.part"
    if when == "returns":
        moved_away(tmp_path / "a.zarr")
    real, calls = files.cube.glob, []

    def glob(pattern: str, **options: Any) -> list[str]:
        calls.append(pattern)
        if when == "leaves" and len(calls) == 2:
            moved_away(tmp_path / "a.zarr")
        found: list[str] = real(pattern, **options)
        if when == "returns" and len(calls) == 2:
            (part / "a.zarr.old").rename(tmp_path / "a.zarr")
            part.rmdir()
        return found

    monkeypatch.setattr(files.cube, "glob", glob)
    if when == "leaves":
        with pytest.raises(FileNotFoundError, match=r"no file or zarr store '.*a\.zarr', but"):
            po.open_cube(tmp_path / pattern)
    else:
        opened = po.open_cube(tmp_path / pattern)
        xr.testing.assert_identical(opened, po.add(CUBES["one.nc"], CUBES["one.nc"]))
    assert len(calls) == 3
