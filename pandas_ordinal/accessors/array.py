"""`.ordinal` on a DataArray: a cube of confusion matrices, or an array of true labels."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any, ClassVar, Literal, Unpack

import xarray as xr

from pandas_ordinal import files
from pandas_ordinal.accessors.base import Beside, Ordinal, matrices, orders, sized
from pandas_ordinal.accessors.plots import CubePlot
from pandas_ordinal.accessors.typing import KeysLike, OfArray
from pandas_ordinal.classes.bins import BinsLike
from pandas_ordinal.classes.gate import ClassesLike
from pandas_ordinal.cube.layout import normalized
from pandas_ordinal.dataarrays.query import label_arrays
from pandas_ordinal.dataarrays.scored import (
    is_cube,
    report_arrays,
    report_cube,
    score_arrays,
    score_cube,
    with_scale,
)
from pandas_ordinal.metrics.metric import Metric
from pandas_ordinal.query import Query, Sureness, SureOptions, if_given
from pandas_ordinal.reports.metrics import MetricsLike


class ArrayOrdinal(Ordinal, OfArray):
    """Ordinal evaluation of a cube of confusion matrices, or of an array of labels.

    Parameters
    ----------
    array : DataArray
        True labels, beside which all methods take predicted labels, scores or probabilities. Or a
        cube, which has the dimensions `true` and `pred`: it is counted, and needs none.

    Examples
    --------
    >>> import pandas as pd
    >>> import pandas_ordinal as po
    >>> df = pd.DataFrame({"fold": [1, 1, 2], "y": [0, 1, 2], "yhat": [0, 1, 1]})
    >>> df.ordinal.confusion("y", "yhat", by="fold").ordinal
    .ordinal of a cube of confusion matrices over fold: 2
    classes: 0 < 1 < 2
    call report, normalize, plot, to_netcdf, to_zarr, or one of ... metrics, as oci or mae
    """

    _returns = (
        "DataArray over the other dimensions",
        "DataArray over the other dimensions and the classes",
        "DataArray over the other dimensions and the classes",
    )
    _beside: ClassVar = {
        "pred": Beside(
            "xr.DataArray | None",
            """pred : DataArray, optional
    The predicted labels of an array of true labels. Dimensions beyond those of the true labels are
    kept; shared ones must have equal coordinates. A cube is counted: it takes `bins` and the
    options of the metric alone.""",
        ),
        "score": Beside(
            "xr.DataArray",
            """score : DataArray
    The scores, higher for higher classes. Dimensions beyond those of the true labels are kept.""",
        ),
        "proba": Beside(
            "xr.DataArray",
            """proba : DataArray
    The probabilities of the classes: one dimension has the classes as its coordinate, in any
    order. Other dimensions beyond those of the true labels are kept.""",
        ),
    }
    _examples: ClassVar = {
        "pred": """>>> import pandas_ordinal as po
>>> import xarray as xr
>>> true = xr.DataArray([0, 0, 1, 1, 2, 2], dims="case")
>>> pred = xr.DataArray([[0, 1, 1, 2, 2, 2], [0, 0, 1, 1, 1, 2]], dims=("model", "case"))
>>> {metric} = true.ordinal.{metric}(pred, {options})""",
        "score": """>>> import pandas_ordinal as po
>>> import xarray as xr
>>> true = xr.DataArray([0, 0, 1, 1, 2, 2], dims="case")
>>> score = xr.DataArray([[1, 2, 2, 3, 3, 4], [1, 3, 2, 1, 4, 4]], dims=("model", "case"))
>>> {metric} = true.ordinal.{metric}(score, {options})""",
        "proba": """>>> import pandas_ordinal as po
>>> import xarray as xr
>>> true = xr.DataArray([0, 1], dims="case")
>>> proba = xr.DataArray([[0.8, 0.2], [0.5, 0.5]], {{"class": [0, 1]}}, ("case", "class"))
>>> {metric} = true.ordinal.{metric}(proba, {options})""",
    }

    @property
    def _verbs(self) -> tuple[str, ...]:  # type: ignore[override]
        of_counts = ("report", "normalize", "plot", "to_netcdf", "to_zarr")
        return (
            of_counts if is_cube(self._array) else ("report", "confusion", "oci", "kappa", "vus")
        )

    def __init__(self, array: xr.DataArray) -> None:
        self._array = array

    def _told(self) -> list[str]:
        if is_cube(self._array):
            return matrices(self._array)
        told = f".ordinal of an array of labels over {sized(self._array.sizes)}"
        return [told, *orders([(self._array.name, self._array.dtype)])]

    def _hint(self, metric: Metric) -> str:
        if not is_cube(self._array):
            return ""
        return f"; {_of_labels(metric)}" if metric.of_rows else "; a cube takes options only"

    def _score(self, metric: Metric, options: dict[str, Any], query: Query) -> xr.DataArray:
        query = replace(query, true=self._array)
        if not is_cube(self._array):
            if not metric.of_rows:
                _refuse_no_pred(metric.name, query, "pred")
            return score_arrays(query, metric, options)
        if metric.of_rows:
            raise ValueError(_of_labels(metric))
        _refuse_labels(query)
        cube, scale = with_scale(self._array, query.bins)
        return score_cube(cube, scale, metric, options)

    def report(
        self,
        pred: xr.DataArray | None = None,
        *,
        metrics: MetricsLike | None = None,
        score: xr.DataArray | None = None,
        proba: xr.DataArray | None = None,
        dim: Hashable | list[Any] | None = None,
        by: KeysLike | None = None,
        sample_weight: xr.DataArray | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        **sure: Unpack[SureOptions],
    ) -> xr.Dataset:
        """Score by several metrics: n, the number of cases, then one variable per metric.

        An undefined metric is NaN, without a warning: the n beside it says why. A cube takes
        `metrics` and `bins` alone.

        Parameters
        ----------
        pred : DataArray, optional
            The predicted labels of an array of true labels. Not needed where only scores or
            probabilities are asked for.
        metrics : list, dict, or "all", optional
            A list of names, kernels, or partials of kernels; a dict from names of variables to
            these or to your own functions of counts ``(..., K, K)``; or "all": every metric that
            gives one number. Default: ten that do not repeat one another, with `vus` and `u_pairs`
            of scores, and `rps`, `log_loss` and `brier` of probabilities.
        score : DataArray, optional
            The scores, for the metrics of ranking.
        proba : DataArray, optional
            The probabilities of the classes, which are the coordinate of one of its dimensions.
        dim : name or list of names, optional
            The dimensions to count over. Default: all dimensions of the true labels.
        by : name, DataArray or list of these, optional
            Keys that say which cases belong together: coordinates, a component of one as xarray
            spells it, ``"time.season"``, or arrays of labels, over dimensions that are counted
            over. Each becomes a dimension of its name.
        sample_weight : DataArray, optional
            The weight of each case: finite and not negative. `n` counts cases.
        classes : sequence or "flags", optional
            The classes from lowest to highest. Integer labels are codes, positions in `classes`
            (-1 for missing), unless the classes are numbers themselves, or CF attributes say what
            the integers mean: these are matched by `flag_meanings`, and "flags" takes all in the
            order of `flag_values`. Default: every integer from the smallest to the largest label
            or flag, if there is no -1.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its place. Not needed where the classes are bins.
        dropna : bool, default False
            Leave out cases in which something asked for, or a key, is missing; they are an error
            otherwise.
        ignore : label or list of labels, optional
            Labels that mean nothing here, such as 255 or -1: cases whose true or predicted label
            is one of them are left out.
        **sure : SureOptions
            How sure the numbers are, as variables after each metric. ``ci=0.95``: an interval,
            ``<metric>_low`` and ``<metric>_high``. ``se=True``: the standard error,
            ``<metric>_se``. ``ranges={"name": (low, high)}``: the range of your own functions.
            ``cluster=``: labels that say which cases belong together, as those of a patient, as
            the name of a coordinate or a DataArray; a cube has none.
            ``stratify="true"``: cases were drawn by true class. ``method="bootstrap"``, with
            ``n_boot=2000``, ``seed=0`` and ``progress=False``: percentiles of tables drawn at
            random, and ``<metric>_n_valid``, the number of those with a value.

        Returns
        -------
        Dataset
            Variables over the dimensions that are left.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({"fold": [1, 1, 2], "y": [0, 1, 1], "yhat": [0, 1, 0]})
        >>> cube = po.ordinal(df).confusion("y", "yhat", by="fold")
        >>> po.ordinal(cube).report(metrics=["mae"]).mae.values.tolist()
        [0.0, 1.0]
        """
        asked = Sureness(**sure)
        query = Query(
            true=self._array, pred=if_given(pred), score=if_given(score), proba=if_given(proba),
            dim=dim, by=by, sample_weight=sample_weight, classes=classes, bins=bins, dropna=dropna,
            ignore=ignore,
        )  # fmt: skip
        if is_cube(self._array):
            _refuse_labels(query)
            return report_cube(self._array, bins, metrics, asked)
        _refuse_no_pred("report", query, "pred", "score", "proba")
        return report_arrays(query, metrics, asked)

    def normalize(self, over: Literal["true", "pred", "all"]) -> xr.DataArray:
        """Turn counts into shares.

        Parameters
        ----------
        over : {"true", "pred", "all"}
            What sums to one: each true class, each predicted class, or each matrix.

        Returns
        -------
        DataArray
            Shares; NaN where there is nothing to share out.

        Raises
        ------
        ValueError
            If `over` is something else, or a count is negative or not finite.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({"y": [0, 0, 2], "yhat": [0, 1, 2]})
        >>> po.ordinal(po.ordinal(df).confusion("y", "yhat")).normalize("true").values.tolist()
        [[0.5, 0.5, 0.0], [nan, nan, nan], [0.0, 0.0, 1.0]]
        """
        return normalized(self._array, over)

    def confusion(
        self,
        pred: xr.DataArray,
        dim: Hashable | list[Any] | None = None,
        by: KeysLike | None = None,
        sample_weight: xr.DataArray | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
    ) -> xr.DataArray:
        """Count labels by true and predicted class.

        Parameters
        ----------
        pred : DataArray
            The predicted labels. Its dimensions beyond those of the true labels are kept, as are
            the true labels' own beyond `dim`; shared ones must have equal coordinates.
        dim : name or list of names, optional
            The dimensions to count over. Default: all dimensions of the true labels.
        by : name, DataArray or list of these, optional
            Keys that say which cases belong together: coordinates, a component of one as xarray
            spells it, ``"time.season"``, or arrays of labels, over dimensions that are counted
            over. Each becomes a dimension of its name.
        sample_weight : DataArray, optional
            The weight of each case: finite and not negative. Booleans select cases. It may lack
            dimensions of the labels; those that only it has are kept.
        classes : sequence or "flags", optional
            The classes from lowest to highest. Integer labels are codes, positions in `classes`
            (-1 for missing), unless the classes are numbers themselves, or CF attributes say what
            the integers mean: these are matched by `flag_meanings`, and "flags" takes all in the
            order of `flag_values`. Default: every integer from the smallest to the largest label
            or flag, if there is no -1.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its place. Not needed where the classes are bins.
        dropna : bool, default False
            Leave out cases in which something asked for, or a key, is missing; they are an error
            otherwise.
        ignore : label or list of labels, optional
            Labels that mean nothing here, such as 255 or -1: cases whose true or predicted label
            is one of them are left out.

        Returns
        -------
        DataArray
            Dimensions ``(..., true, pred)``; int64, or float64 if weights are numbers.

        Examples
        --------
        >>> import xarray as xr
        >>> import pandas_ordinal as po
        >>> true = xr.DataArray([0, 1, 2], dims="sample")
        >>> pred = xr.DataArray([[0, 1, 2], [0, 0, 0]], dims=("model", "sample"))
        >>> cube = po.ordinal(true).confusion(pred, dim="sample", classes=["lo", "mid", "hi"])
        >>> po.ordinal(cube).mae().values.tolist()
        [0.0, 1.0]
        """
        query = Query(
            true=self._array, pred=pred, dim=dim, by=by, sample_weight=sample_weight,
            classes=classes, bins=bins, dropna=dropna, ignore=ignore,
        )  # fmt: skip
        return label_arrays(query).cube()

    @property
    def plot(self) -> CubePlot:
        """Pictures of a cube: call it for the confusion matrices, or one of its methods."""
        return CubePlot(self._array)

    def to_dataset(self) -> xr.Dataset:
        """Return a cube as a Dataset that netCDF and zarr can hold.

        `po.cube_from_dataset` makes it a cube again. Use both for stores and options that
        `to_netcdf` and `to_zarr` do not cover. Unlike `DataArray.to_dataset`, this keeps the
        classes.

        Returns
        -------
        Dataset
            Numbers as they are; times as numbers with units and a calendar; classes, text and
            intervals as codes, with their labels in an attribute. Classes also have
            ``flag_values`` and ``flag_meanings``, and intervals a variable ``<dim>_bnds`` with
            their edges. ``pandas_ordinal`` and ``pandas_ordinal_<dim>`` hold a checksum of all
            labels. A chunked cube stays chunked.

        Raises
        ------
        TypeError
            If the labels of a coordinate, or the values, cannot be held exactly.
        ValueError
            If a name or an attribute is one that the Dataset needs.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({"y": ["low", "high"], "yhat": ["low", "low"]})
        >>> cube = po.ordinal(df).confusion("y", "yhat", classes=["low", "high"])
        >>> dataset = po.ordinal(cube).to_dataset()
        >>> dataset["pred"].values
        array([0, 1], dtype=int32)
        >>> po.cube_from_dataset(dataset).identical(cube)
        True
        """
        return files.to_dataset(self._array)

    def to_netcdf(
        self,
        path: files.FilePath,
        *,
        engine: Literal["netcdf4", "h5netcdf"] | None = None,
        encoding: files.Encoding | None = None,
    ) -> None:
        """Save a cube as a netCDF 4 file, in place of one that is there; `po.open_cube` reads it.

        Parameters
        ----------
        path : str or path
            The file.
        engine : {"netcdf4", "h5netcdf"}, optional
            What writes it. Default: the first of these that is installed. On a full disk,
            h5netcdf ends the process.
        encoding : dict, optional
            How xarray lays out the values: ``zlib``, ``complevel``, ``shuffle``, ``chunksizes``,
            as in ``{"zlib": True, "complevel": 4}``.

        Raises
        ------
        TypeError, ValueError
            If the cube cannot be held exactly, or `encoding` has other options.
        FileNotFoundError
            If its folder is missing.

        Examples
        --------
        >>> import pandas as pd
        >>> from tempfile import TemporaryDirectory
        >>> import pandas_ordinal as po
        >>> cube = po.ordinal(pd.DataFrame({"y": [1, 2], "yhat": [2, 2]})).confusion("y", "yhat")
        >>> with TemporaryDirectory() as folder:
        ...     po.ordinal(cube).to_netcdf(f"{folder}/cube.nc")
        ...     po.open_cube(f"{folder}/cube.nc").identical(cube)
        True
        """
        files.to_netcdf(self._array, path, engine=engine, encoding=encoding)

    def to_zarr(
        self,
        store: Any,
        *,
        mode: Literal["w", "w-"] = "w-",
        zarr_format: Literal[2, 3] | None = None,
        encoding: files.Encoding | None = None,
    ) -> None:
        """Save a cube as a zarr store, a chunked one chunk by chunk; `po.open_cube` reads it.

        Parameters
        ----------
        store : str, path or zarr store
            The folder; one that is there is replaced once all is written. Another store is
            written to at once: not the one, then, that the cube is read from.
        mode : {"w-", "w"}, default "w-"
            Whether a store that is there is an error or replaced. Who reads a store while it is
            replaced may find none, or get chunks of both: write beside it, then point readers to
            the new one.
        zarr_format : {2, 3}, optional
            The format of the store. Default: that of the zarr library.
        encoding : dict, optional
            How xarray lays out the values: ``chunks``, ``shards`` and ``compressors``, as in
            ``{"chunks": (1, 5, 5)}``.

        Raises
        ------
        TypeError, ValueError
            If the cube cannot be held exactly, or `encoding` has other options.
        FileExistsError
            If a store is there and `mode` is "w-", or what is there is no store.
        FileNotFoundError
            If the folder that it goes into is missing.

        Examples
        --------
        >>> import pandas as pd
        >>> from tempfile import TemporaryDirectory
        >>> import pandas_ordinal as po
        >>> cube = po.ordinal(pd.DataFrame({"y": [1, 2], "yhat": [2, 2]})).confusion("y", "yhat")
        >>> with TemporaryDirectory() as folder:
        ...     po.ordinal(cube).to_zarr(f"{folder}/cube.zarr")
        ...     po.open_cube(f"{folder}/cube.zarr").identical(cube)
        True
        """
        files.to_zarr(self._array, store, mode=mode, zarr_format=zarr_format, encoding=encoding)


def _of_labels(metric: Metric) -> str:
    """Say what to call for a metric that a cube can never have."""
    return (
        f"{metric.name} needs {metric.needs}, and a cube holds counts: call it on the true "
        f"labels, true.ordinal.{metric.name}({metric.takes})"
    )


def _refuse_labels(query: Query) -> None:
    """Raise if a cube is asked about more than its counts."""
    given = [option for option in query.given if option not in ("true", "bins")]
    if given:
        raise TypeError(
            f"the array has the dimensions 'true' and 'pred': it is a cube of counts, and a cube "
            f"takes options only, not {given[0]}=. Sum it over a dimension with cube.sum(...); "
            "an array of labels that has such dimensions needs other names, as by .rename(...)"
        )


def _refuse_no_pred(name: str, query: Query, *options: str) -> None:
    """Raise if an array of labels is scored against nothing."""
    if not set(options) & set(query.given):
        raise ValueError(
            f"the array has the dimensions {query.true.dims}: a cube of counts has 'true' and "
            "'pred', as .ordinal.confusion(...) makes it; an array of true labels is scored "
            f"against predicted ones, true.ordinal.{name}(pred, dim=...)"
        )
