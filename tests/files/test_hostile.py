"""Files that others have made or changed: what they point to, expand to, and add."""

from __future__ import annotations

import json
import os
import re
import shutil
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numcodecs
import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
import xarray as xr
import zarr

import pandas_ordinal as po
from pandas_ordinal import files
from pandas_ordinal.files import expansion, parquet_limits, seal

FRAME = pd.DataFrame({"g": ["a", "b"], "y": [1, 2], "yhat": [2, 3]})
CUBE: xr.DataArray = FRAME.ordinal.confusion("y", "yhat", by="g").assign_coords(
    weight=("g", [0.5, 1.5]), month=("g", pd.DatetimeIndex(["2020-01-01", None]))
)
N_BYTES = 18 * 8  # of the counts, in one chunk
SAVES: dict[str, Callable[[xr.DataArray, Path], None]] = {
    "netcdf4": lambda cube, path: cube.ordinal.to_netcdf(path, engine="netcdf4"),
    "h5netcdf": lambda cube, path: cube.ordinal.to_netcdf(path, engine="h5netcdf"),
    "zarr2": lambda cube, path: cube.ordinal.to_zarr(path, mode="w", zarr_format=2),
    "zarr3": lambda cube, path: cube.ordinal.to_zarr(path, mode="w", zarr_format=3),
}
KINDS = pytest.mark.parametrize("kind", SAVES)
NETCDF = pytest.mark.parametrize("kind", ["netcdf4", "h5netcdf"])
STORES = pytest.mark.parametrize("kind", ["zarr2", "zarr3"])
CHUNKS = pytest.mark.parametrize("chunks", [None, {}])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cube"


def refuses(path: Path, match: str, chunks: Any = None) -> None:
    with pytest.raises(OSError, match=match):
        po.open_cube(path, chunks=chunks)


def opens(path: Path, chunks: Any = None) -> None:
    with po.open_cube(path, chunks=chunks) as opened:
        xr.testing.assert_identical(opened.compute(), CUBE)


# what points to other files


def add_elsewhere(file: h5py.File, how: str, name: str, other: Path) -> None:
    """Add a variable along the groups whose values are in another file."""
    if how in ("external link", "soft link"):
        file[name] = (
            h5py.ExternalLink(str(other), "spied") if how[0] == "e" else h5py.SoftLink("/count")
        )
        return
    if how == "external storage":
        file.create_dataset(name, (2,), "i1", external=[(str(other), 0, 2)])
    else:
        layout = h5py.VirtualLayout((2,), "i1")
        layout[:] = h5py.VirtualSource(str(other), "spied", (2,))
        file.create_virtual_dataset(name, layout)
    file[name].dims[0].attach_scale(file["g"])


@NETCDF
@CHUNKS
@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize(
    "how", ["external storage", "virtual dataset", "external link", "soft link"]
)
def test_values_in_another_file(
    path: Path, kind: str, how: str, listed: bool, chunks: Any
) -> None:
    with h5py.File(path.with_name("other"), "w") as other:
        other["spied"] = np.array([83, 84], np.int8)
    SAVES[kind](CUBE, path)
    with h5py.File(path, "a") as file:
        name = "weight" if listed else "spied"
        if listed:
            del file["weight"]
        else:
            file.attrs["coordinates"] = "spied"
        add_elsewhere(file, how, name, path.with_name("other"))
    refuses(path, rf"{name}' in '.*cube' (is a link|has its values in another)", chunks)


@NETCDF
@CHUNKS
def test_a_coordinate_that_others_have_added_is_not_read(
    path: Path, kind: str, chunks: Any
) -> None:
    SAVES[kind](CUBE, path)
    with h5py.File(path, "a") as file:
        file["added"] = np.array([1, 2])
        file["added"].dims[0].attach_scale(file["g"])
        file.attrs["coordinates"] = "weight month added"
    opens(path, chunks)


@STORES
@CHUNKS
def test_an_array_that_others_have_added_is_not_read(path: Path, kind: str, chunks: Any) -> None:
    SAVES[kind](CUBE, path)
    group = zarr.open_group(path, mode="a")
    options = {"dimension_names": ["g"]} if kind == "zarr3" else {}
    added = group.create_array("added", shape=(2,), dtype="i8", **options)
    added.attrs["_ARRAY_DIMENSIONS"] = ["g"]
    group.attrs["coordinates"] = "weight month added"
    opens(path, chunks)


@STORES
@CHUNKS
@pytest.mark.parametrize("name", ["weight", "weight/{meta}", "weight/{chunk}", "{meta}", "added"])
def test_links_in_a_store(path: Path, kind: str, name: str, chunks: Any) -> None:
    """They may point to another store, a pipe or a device."""
    SAVES[kind](CUBE, path)
    SAVES[kind](CUBE, path.with_name("other"))
    meta = "zarr.json" if kind == "zarr3" else ".zattrs"
    entry = path / name.format(meta=meta, chunk="c/0" if kind == "zarr3" else "0")
    source = path.with_name("other") / entry.relative_to(path)
    if entry.is_dir():
        shutil.rmtree(entry)
    elif entry.exists():
        entry.unlink()
    else:
        source = path.with_name("other") / "weight"
    entry.symlink_to(source)
    copied = f"which no store has: cp -rL {re.escape(repr(str(path)))} to another place"
    refuses(path, f"is a link, a device, a pipe or a socket, {copied}", chunks)


@STORES
@pytest.mark.parametrize("name", ["{meta}", "weight/{meta}", "count/notes", "added"])
def test_pipes_in_a_store(path: Path, kind: str, name: str) -> None:
    SAVES[kind](CUBE, path)
    entry = path / name.format(meta="zarr.json" if kind == "zarr3" else ".zattrs")
    entry.unlink(missing_ok=True)
    os.mkfifo(entry)
    refuses(path, "is a link, a device, a pipe or a socket, which no store has")


@CHUNKS
def test_a_store_behind_a_link(path: Path, chunks: Any) -> None:
    SAVES["zarr3"](CUBE, path.with_name("other"))
    path.symlink_to("other")
    opens(path, chunks)


@pytest.mark.parametrize("linked", [True, False])
@pytest.mark.parametrize("read", [po.open_cube, po.open_report, po.read_parquet])
def test_a_pipe_is_not_opened(path: Path, read: Callable[[Path], Any], linked: bool) -> None:
    os.mkfifo(path)
    if linked:
        path.with_name("link").symlink_to("cube")
        path = path.with_name("link")
    with pytest.raises(OSError, match="cube' is a device, a pipe, a socket or a folder: give"):
        read(path)


# what ends the process in netCDF4


@NETCDF
@CHUNKS
def test_what_netcdf4_cannot_open(path: Path, kind: str, chunks: Any) -> None:
    SAVES[kind](CUBE, path)
    with h5py.File(path, "a") as file:
        file["half"] = np.array([1, 2], np.float16)
        file["loop"] = file["/"]
        inner = file.create_group("inner")
        inner["loop"] = inner
    opens(path, chunks)


@NETCDF
@pytest.mark.parametrize("dtype", ["f2", "S1000000", "c16", h5py.string_dtype()])
def test_dtypes_that_no_cube_has(path: Path, kind: str, dtype: Any) -> None:
    SAVES[kind](CUBE, path)
    with h5py.File(path, "a") as file:
        del file["weight"]
        file.create_dataset("weight", (2,), dtype)
    refuses(path, "'weight' in .* is .*, which no cube has|is not what")


@NETCDF
def test_a_file_of_which_only_the_end_is_left(path: Path, kind: str) -> None:
    SAVES[kind](CUBE, path)
    for lost in (0, 1):  # the digest follows
        path.write_bytes(path.read_bytes()[lost - 32 - len(files.netcdf.END) :])
        refuses(path, "some of its bits have flipped" if not lost else "not a netCDF 4 file")


# what expands


def replace_counts(path: Path, shape: tuple[int, ...] = (2, 3, 3), **options: Any) -> Any:
    """Replace the counts of a file, and return the new dataset."""
    file = h5py.File(path, "a")
    del file["count"]
    options = {"chunks": shape, "compression": "gzip", **options}
    return file.create_dataset("count", shape, "i8", **options)


@CHUNKS
def test_a_chunk_of_netcdf_with_too_many_bytes(path: Path, chunks: Any) -> None:
    SAVES["netcdf4"](CUBE, path)
    counts = replace_counts(path)
    counts.id.write_direct_chunk((0, 0, 0), zlib.compress(bytes(2**22)))
    counts.file.close()
    refuses(path, r"the chunk at \(0, 0, 0\) of 'count' .*needs? 144", chunks)


def test_a_chunk_of_netcdf_that_expands(path: Path) -> None:
    """Its bytes in the file are fewer than those of the cells."""
    SAVES["netcdf4"](CUBE, path)
    counts = replace_counts(path, (2**17,))
    bomb = zlib.compress(bytes(2**27))
    assert len(bomb) < 2**20
    counts.id.write_direct_chunk((0,), bomb)
    counts.file.close()
    refuses(path, r"has at least 1,048,58\d bytes, but its shape and dtype need 1,048,580")


@CHUNKS
def test_a_chunk_of_netcdf_that_is_much_larger_than_the_array(path: Path, chunks: Any) -> None:
    SAVES["netcdf4"](CUBE, path)
    replace_counts(path, maxshape=(None, 3, 3), chunks=(2**20, 3, 3)).file.close()
    refuses(path, "asks for chunks of 75,497,472 bytes, but needs no more than 144", chunks)


@pytest.mark.parametrize("number", [1, 4, 307, 32015])  # zlib twice, szip, bzip2, Zstandard
def test_filters_that_no_cube_has(path: Path, number: int) -> None:
    SAVES["netcdf4"](CUBE, path)
    file = h5py.File(path, "a")
    del file["count"]
    options = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    options.set_chunk((2, 3, 3))
    if number == 1:
        options.set_deflate(1)
        options.set_deflate(1)
    elif number == 4:
        options.set_szip(h5py.h5z.SZIP_NN_OPTION_MASK, 8)
    else:
        options.set_filter(number, h5py.h5z.FLAG_OPTIONAL, (1,))
    space = h5py.h5s.create_simple((2, 3, 3))
    h5py.h5d.create(file.id, b"count", h5py.h5t.NATIVE_INT64, space, options)
    file.close()
    refuses(path, rf"has the HDF5 filters \[{number}(, 1)?\], but cubes have 1 \(zlib\)")


def zeros_of_zstd(n_bytes: int, declared: bool = True) -> bytes:
    """Return zeros as one frame of Zstandard, in blocks of one repeated byte."""
    blocks = n_bytes >> 17
    header = b"\xc0\x58" + n_bytes.to_bytes(8, "little") if declared else b"\x00\x58"
    body = [struct.pack("<I", (n == blocks - 1) | 2 | 2**20)[:3] + b"\0" for n in range(blocks)]
    return b"\x28\xb5\x2f\xfd" + header + b"".join(body)


def test_zeros_of_zstd() -> None:
    assert numcodecs.Zstd().decode(zeros_of_zstd(2**18)) == bytes(2**18)
    for size in (100, 300, 2**18):  # whose sizes take up one, two and four bytes
        data = bytes(numcodecs.Zstd(checksum=True).encode(os.urandom(size)))
        expansion.refuse_expanding("", "zstd", data, size)
        with pytest.raises(OSError, match=f" has {size} bytes".replace("262144", "262,144")):
            expansion.refuse_expanding("", "zstd", data, size - 1)
    for other in (b"\x29" + data[1:], zeros_of_zstd(2**17, declared=False)):
        with pytest.raises(OSError, match="does not declare how large it is"):
            expansion.refuse_expanding("", "zstd", other, 2**20)


@pytest.mark.parametrize("dictionary", range(4))  # how long its number is: 0, 1, 2 or 4 bytes
@pytest.mark.parametrize(("width", "size"), [(0, 5), (1, 300), (2, 70_000), (3, 9)])
def test_frames_of_zstd(dictionary: int, width: int, size: int) -> None:
    """Two frames of several blocks, as RFC 8878 describes them."""
    one_segment = width == 0  # which has no window, and a size of one byte in place of none
    flags = width << 6 | one_segment << 5 | dictionary
    number = bytes((0, 1, 2, 4)[dictionary])
    declared = (size - 256 * (width == 1)).to_bytes((1, 2, 4, 8)[width], "little")
    blocks = [min(2**17, size) - 1, size - min(2**17, size), 1, 0]
    body = b""
    for position, n_bytes in enumerate(blocks):
        is_last = position == len(blocks) - 1
        body += (n_bytes << 3 | is_last).to_bytes(3, "little") + bytes(n_bytes)
    window = b"" if one_segment else b"\x58"
    one = b"\x28\xb5\x2f\xfd" + bytes([flags]) + window + number + declared + body
    assert dictionary or numcodecs.Zstd().decode(one) == bytes(size)
    expansion.refuse_expanding("", "zstd", one + one, 2 * size)
    with pytest.raises(OSError, match=f"has {2 * size:,} bytes"):
        expansion.refuse_expanding("", "zstd", one + one, 2 * size - 1)


def test_limits_of_chunks() -> None:
    """A chunk has a 64th and a kilobyte more than its array at most; SPARE may be unused."""
    assert expansion.chunk_bytes("it", (5, 4), (5, 4), 8) == 160
    at_most = 160 + 2**26
    assert expansion.chunk_bytes("it", (160,), (at_most,), 1) == at_most
    with pytest.raises(OSError, match="67,109,025 bytes, but needs no more than 160"):
        expansion.chunk_bytes("it", (160,), (at_most + 1,), 1)
    expansion.refuse_stored("it", 6400 + 100 + 1024, 6400)
    with pytest.raises(OSError, match="it has 7,525 bytes, but its shape and dtype need 6,400"):
        expansion.refuse_stored("it", 6400 + 100 + 1025, 6400)


def test_chunks_that_are_not_compressed_are_not_inflated(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    SAVES["netcdf4"](CUBE, path)
    monkeypatch.setattr(expansion, "SPARE", 0)
    opens(path)


@NETCDF
def test_chunks_that_expand_to_their_array(
    path: Path, kind: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    CUBE.ordinal.to_netcdf(path, engine=kind, encoding={"zlib": True})
    monkeypatch.setattr(expansion, "SPARE", 0)
    opens(path)


def lz4(n_bytes: int) -> bytes:
    return struct.pack("<I", n_bytes) + bytes(numcodecs.LZ4().encode(bytes(2**17)))[4:]


BOMBS: dict[str, tuple[Any, Any, bytes]] = {
    "zstd": (zarr.codecs.ZstdCodec(), numcodecs.Zstd(), zeros_of_zstd(2**24)),
    "frames": (zarr.codecs.ZstdCodec(), numcodecs.Zstd(), zeros_of_zstd(2**17) * 2),
    "undeclared": (zarr.codecs.ZstdCodec(), numcodecs.Zstd(), zeros_of_zstd(2**20, False)),
    "truncated": (zarr.codecs.ZstdCodec(), numcodecs.Zstd(), zeros_of_zstd(2**18)[:-4]),
    "blosc": (zarr.codecs.BloscCodec(), numcodecs.Blosc(), numcodecs.Blosc().encode(bytes(2**17))),
    "gzip": (zarr.codecs.GzipCodec(), numcodecs.GZip(), zlib.compress(bytes(2**19), wbits=31)),
    "zlib": (None, numcodecs.Zlib(), zlib.compress(bytes(2**19))),
    "lz4": (None, numcodecs.LZ4(), lz4(2**30)),
}


@STORES
@pytest.mark.parametrize("bomb", BOMBS)
def test_a_chunk_of_zarr_that_expands(
    path: Path, kind: str, bomb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    new, old, data = BOMBS[bomb]
    compressor = new if kind == "zarr3" else old
    if compressor is None:
        pytest.skip("zarr has it in format 2")
    SAVES[kind](CUBE, path)
    encoding = {"compressors": [compressor]}
    CUBE.ordinal.to_zarr(path, mode="w", zarr_format=int(kind[-1]), encoding=encoding)
    opens(path)
    monkeypatch.setattr(expansion, "SPARE", 0)
    (path / "count" / ("c/0/0/0" if kind == "zarr3" else "0.0.0")).write_bytes(data + b"1234")
    refuses(path, r"need 144|need 148|does not declare how large|is not a zarr store")


def test_many_members_of_gzip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expansion, "SPARE", 0)
    one = zlib.compress(bytes(100), wbits=31)
    expansion.refuse_expanding("it", "gzip", one, 100)
    with pytest.raises(OSError, match="it has at least 101 bytes, but its shape"):
        expansion.refuse_expanding("it", "gzip", one + one, 100)


@pytest.mark.parametrize("codec", ["zlib", "gzip"])
def test_bytes_that_cannot_expand_to_much_are_left_to_the_reader(codec: str) -> None:
    expansion.refuse_expanding("it", codec, b"these bytes are no stream", 100)
    with pytest.raises(zlib.error):
        expansion.refuse_expanding("it", codec, bytes(expansion.SPARE // 1000), 100)


def test_a_chunk_of_a_shard_that_expands(path: Path) -> None:
    encoding = {"chunks": (1, 3, 3), "shards": (2, 3, 3)}
    CUBE.ordinal.to_zarr(path, encoding=encoding)
    opens(path)
    shard = path / "count" / "c" / "0" / "0" / "0"
    whole = shard.read_bytes()
    bomb = zeros_of_zstd(2**24) + b"1234"
    index = struct.pack("<4Q", len(bomb), 0, 0, len(bomb))
    shard.write_bytes(bomb + index + b"1234")
    refuses(path, "has 16,777,216 bytes, but its shape and dtype need 76")
    empty = struct.pack("<4Q", *[2**64 - 1] * 4)
    shard.write_bytes(empty + struct.pack("<I", crc32c(empty)))
    refuses(path, "bits or chunks of it are lost")
    shard.write_bytes(whole[-20:])
    refuses(path, "has lost its index")


def crc32c(data: bytes) -> int:
    """The checksum of Castagnoli (RFC 3720), bit by bit."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def test_a_frame_that_ends_in_an_empty_block(path: Path) -> None:
    """Only the checksum after it, of four bytes, does not belong to the frame."""
    SAVES["zarr3"](CUBE, path)
    content = CUBE.values.astype("<i8").tobytes()
    header = b"\x28\xb5\x2f\xfd\x20" + bytes([len(content)])
    frame = header + (len(content) << 3).to_bytes(3, "little") + content + b"\x01\0\0"
    checksum = crc32c(frame).to_bytes(4, "little")
    (path / "count" / "c" / "0" / "0" / "0").write_bytes(frame + checksum)
    opens(path)


def test_lost_chunks_are_named_if_they_are_few(path: Path) -> None:
    CUBE.ordinal.to_zarr(path, encoding={"chunks": (1, 3, 3)})
    chunks = [path / "count" / "c" / group / "0" / "0" for group in "01"]
    chunks[1].unlink()
    refuses(path, r"the chunk c/1/0/0 of 'count' is lost")
    chunks[0].unlink()
    refuses(path, "chunks of 'count' are lost")


@STORES
@CHUNKS
def test_a_chunk_of_zarr_with_too_many_bytes(path: Path, kind: str, chunks: Any) -> None:
    SAVES[kind](CUBE, path)
    chunk = path / "count" / ("c/0/0/0" if kind == "zarr3" else "0.0.0")
    os.truncate(chunk, 2**30)  # which takes up no place on the disk
    refuses(path, "has 1,073,741,824 bytes, but its shape and dtype need 144$", chunks)


def test_a_shard_with_too_many_bytes(path: Path) -> None:
    """Each of its chunks may have 64 bytes more than its values: of the index, and of a codec."""
    CUBE.ordinal.to_zarr(path, encoding={"chunks": (1, 3, 3), "shards": (2, 3, 3)})
    os.truncate(path / "count" / "c" / "0" / "0" / "0", 2**20)
    refuses(path, "has 1,048,576 bytes, but its shape and dtype need 272$")


@STORES
@CHUNKS
def test_a_chunk_of_zarr_that_is_much_larger_than_the_array(
    path: Path, kind: str, chunks: Any
) -> None:
    SAVES[kind](CUBE, path)
    meta = path / "count" / ("zarr.json" if kind == "zarr3" else ".zarray")
    fields = json.loads(meta.read_text())
    if kind == "zarr3":
        fields["chunk_grid"]["configuration"]["chunk_shape"] = [2**20, 3, 3]
    else:
        fields["chunks"] = [2**20, 3, 3]
    meta.write_text(json.dumps(fields))
    refuses(path, "asks for chunks of 75,497,472 bytes, but needs no more than 144", chunks)


ZSTD = {"name": "zstd", "configuration": {"level": 0, "checksum": False}}
SHARD = {"chunk_shape": [1, 3, 3], "codecs": [{"name": "bytes"}], "index_codecs": []}
ENCODED_TWICE = r"is encoded by \[.*\]: cubes are compressed once"


@pytest.mark.parametrize(
    ("codecs", "message"),
    [
        ([{"name": "gzip", "configuration": {"level": 1}}] * 2, ENCODED_TWICE),
        (
            [{"name": "gzip", "configuration": {"level": 1}}, ZSTD, {"name": "crc32c"}],
            ENCODED_TWICE,
        ),
        ([{"name": "sharding_indexed", "configuration": SHARD}], "has shards of another kind"),
    ],
)
def test_codecs_in_another_order(path: Path, codecs: list[Any], message: str) -> None:
    SAVES["zarr3"](CUBE, path)
    fields = json.loads((path / "count" / "zarr.json").read_text())
    first = [] if "shards" in message else fields["codecs"][:1]
    fields["codecs"] = [*first, *codecs]
    (path / "count" / "zarr.json").write_text(json.dumps(fields))
    refuses(path, message)


@pytest.mark.filterwarnings("ignore:The codec `vlen-utf8` is currently not part")
def test_a_text_in_place_of_numbers(path: Path) -> None:
    SAVES["zarr3"](CUBE, path)
    fields = json.loads((path / "weight" / "zarr.json").read_text())
    fields |= {"data_type": "string", "fill_value": ""}
    fields["codecs"][0] = {"name": "vlen-utf8"}
    (path / "weight" / "zarr.json").write_text(json.dumps(fields))
    refuses(path, "the array 'weight' of .* is .*, which no cube has")


def test_a_parquet_file_of_many_rows(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    FRAME.ordinal.to_parquet(path)
    monkeypatch.setattr(parquet_limits, "LARGEST_CUBE", 7)  # two rows of 3 + 1 values
    message = "2 rows of 3 columns and the row labels are more than the 7 values that a file may"
    with pytest.raises(ValueError, match=f"{message} have: save it in parts"):
        FRAME.ordinal.to_parquet(path.with_name("new"))
    monkeypatch.setattr(pq, "read_table", None)
    with pytest.raises(OSError, match=rf"{message} have: if you trust '.*', read it with pd\."):
        po.read_parquet(path)
    assert os.listdir(path.parent) == ["cube"]
    monkeypatch.undo()
    monkeypatch.setattr(parquet_limits, "LARGEST_CUBE", 8)
    pd.testing.assert_frame_equal(po.read_parquet(path), FRAME)


def test_limits_of_cells_and_of_texts() -> None:
    largest = seal.LARGEST_CUBE
    assert 8 * largest == parquet_limits.LARGEST_TEXTS  # the bytes of so many numbers of 64 bits
    seal.refuse_huge("cube", {"count": (largest - 1, 1), "name": ()})
    with pytest.raises(OSError, match=f"asks for {largest + 1:,} cells in all variables together"):
        seal.refuse_huge("cube", {"count": (largest, 1), "name": ()})


def test_more_cells_than_fit_into_an_integer() -> None:
    """Their product is 0 in 64 bits."""
    with pytest.raises(OSError, match="asks for 18,446,744,073,709,551,616 cells in the variable"):
        seal.refuse_huge("cube", {"count": (2**32, 2**32)})


def test_consolidated_metadata_are_not_those_of_the_arrays(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another tool has written them, and has then changed an array."""
    SAVES["zarr2"](CUBE, path)
    zarr.consolidate_metadata(str(path))
    opens(path)
    meta = path / "weight" / ".zarray"
    meta.write_text(json.dumps(json.loads(meta.read_text()) | {"shape": [300]}))
    monkeypatch.setattr(seal, "LARGEST_CUBE", 200)
    refuses(path, "asks for 300 cells in the variable 'weight'")


# what other tools have changed


def changed(kind: str, path: Path, name: str, change: Callable[[Any], None]) -> None:
    """Change an array or its attributes in place."""
    if kind.startswith("zarr"):
        change(zarr.open_group(path, mode="r+")[name])
    else:
        with h5py.File(path, "r+") as file:
            change(file[name])


def add_one(array: Any) -> None:
    array[...] = array[...] + 1


@KINDS
@pytest.mark.parametrize("name", ["count", "g", "true", "weight", "month"])
def test_changed_values(path: Path, kind: str, name: str) -> None:
    SAVES[kind](CUBE, path)
    opens(path)
    changed(kind, path, name, add_one)
    refuses(path, "is not what pandas_ordinal saved: bits or chunks of it are lost")


@KINDS
@CHUNKS
@pytest.mark.parametrize("name", ["count", "g", "weight", "month"])
def test_a_fill_value_that_was_added_or_changed(
    path: Path, kind: str, name: str, chunks: Any
) -> None:
    """Other readers would mask the counts that have this value."""
    SAVES[kind](CUBE, path)

    def add_fill_value(array: Any) -> None:
        value = array.dtype.type(1)
        array.attrs["_FillValue"] = value.item() if kind == "zarr3" else value

    if kind == "zarr2":
        meta = path / name / ".zarray"
        meta.write_text(
            re.sub(r'"fill_value": \S+?(,?)\n', r'"fill_value": 1\1\n', meta.read_text())
        )
    else:
        changed(kind, path, name, add_fill_value)
    refuses(path, "is not what pandas_ordinal saved|is damaged", chunks)


@KINDS
def test_attributes_of_the_labels_that_were_changed(path: Path, kind: str) -> None:
    SAVES[kind](CUBE, path)
    changed(kind, path, "count", lambda array: array.attrs.update(scale_factor=2.0))
    refuses(path, "is not what pandas_ordinal saved")


@KINDS
@pytest.mark.parametrize("name", ["note", "pandas_ordinal_report"])
def test_attributes_of_a_report_that_were_changed(path: Path, kind: str, name: str) -> None:
    report = CUBE.ordinal.report(metrics=["mae", "oci"]).assign_attrs(note="first")
    if kind.startswith("zarr"):
        report.ordinal.to_zarr(path, zarr_format=int(kind[-1]))
    else:
        report.ordinal.to_netcdf(path, engine=kind)
    xr.testing.assert_identical(po.open_report(path), report)
    new = "second" if name == "note" else json.dumps([*report][::-1])
    if kind.startswith("zarr"):
        zarr.open_group(path, mode="r+").attrs[name] = new
    else:
        with h5py.File(path, "r+") as file:
            file.attrs[name] = new
    with pytest.raises(OSError, match="is not what pandas_ordinal saved"):
        po.open_report(path)


# a file that is replaced while it is opened


@pytest.mark.parametrize("damaged", [True, False])
def test_a_file_that_is_replaced_between_its_verification_and_its_opening(
    path: Path, monkeypatch: pytest.MonkeyPatch, damaged: bool
) -> None:
    """What is read is what was verified: the new file is verified in its turn."""
    SAVES["netcdf4"](CUBE, path)
    new = path.with_name("new")
    SAVES["netcdf4"](CUBE + 1, new)
    if damaged:
        content = bytearray(new.read_bytes())
        content[-1] ^= 1
        new.write_bytes(content)
    real = files.netcdf._opened

    def replaced(*args: Any) -> Any:
        if new.exists():
            os.replace(new, path)
        return real(*args)

    monkeypatch.setattr(files.netcdf, "_opened", replaced)
    if damaged:
        refuses(path, "some of its bits have flipped")
    else:
        xr.testing.assert_identical(po.open_cube(path), CUBE + 1)
