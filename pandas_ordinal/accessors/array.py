"""`.ordinal` on a DataArray: a cube of confusion matrices, or an array of true labels."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import TYPE_CHECKING, Any, Literal

import pandas as pd
import xarray as xr

from pandas_ordinal import io
from pandas_ordinal.accessors.base import PARAMETERS, Ordinal, warn_undefined
from pandas_ordinal.accessors.chosen import MetricsLike, OfCases, Scorer, as_scorer, chosen
from pandas_ordinal.bins import BinsLike, with_bins
from pandas_ordinal.classes import ClassesLike
from pandas_ordinal.cube import CLASS_DIMS, checked, class_coords, counts
from pandas_ordinal.forecasts import score_labels
from pandas_ordinal.labels import count_labels
from pandas_ordinal.metrics.metric import Metric, Needs
from pandas_ordinal.plot import draw

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class ArrayOrdinal(Ordinal):
    """Ordinal evaluation of a cube of confusion matrices, or of an array of labels.

    Parameters
    ----------
    array : DataArray
        A cube, with the dimensions `true` and `pred`: all metrics, `report` and `normalize`. Or
        true labels: `confusion` counts them into a cube, and the metrics of scores and
        probabilities take these beside them.
    """

    _returns = (
        "DataArray over the other dimensions",
        "DataArray over the other dimensions and the classes",
        "DataArray over the other dimensions and the classes",
    )

    _parameters = PARAMETERS | {
        "score": """score : DataArray
    The scores, higher for higher classes. Dimensions beyond those of the true labels are kept.""",
        "proba": """proba : DataArray
    The probabilities of the classes: one dimension has the classes as its coordinate, in any
    order. Other dimensions beyond those of the true labels are kept.""",
        "other": """other : DataArray
    The other score.""",
        "sample_weight": """sample_weight : DataArray, optional
    The weight of each case: finite and not negative.""",
    }
    _hint = (
        "; a cube takes the options alone, labels are counted first: true.ordinal.confusion(pred);"
        " scores and probabilities go beside labels: true.ordinal.vus(score)"
    )

    def __init__(self, array: xr.DataArray) -> None:
        self._array = array

    def _score(
        self, metric: Metric, options: dict[str, Any], /, *, bins: BinsLike | None = None
    ) -> xr.DataArray:
        cube, classes, labels = self._cube(bins)
        scored = _apply(as_scorer(metric, options, classes, labels), cube, metric)
        if cube.chunks is None:
            _warn_undefined(metric, cube.sum(CLASS_DIMS), scored)
        return scored.rename(metric.name)

    def _score_ranking(
        self,
        metric: Metric,
        options: dict[str, Any],
        /,
        score: xr.DataArray,
        *,
        dim: Hashable | list[Any] | None = None,
        sample_weight: xr.DataArray | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
    ) -> xr.DataArray:
        inputs = {"score": score}
        if "other" in options:
            inputs["other"] = options.pop("other")
        return self._score_labels(metric, options, inputs, dim, sample_weight, classes, dropna)

    def _score_forecast(
        self,
        metric: Metric,
        options: dict[str, Any],
        /,
        proba: xr.DataArray,
        *,
        dim: Hashable | list[Any] | None = None,
        sample_weight: xr.DataArray | None = None,
        classes: ClassesLike | None = None,
        dropna: bool = False,
    ) -> xr.DataArray:
        inputs = {"proba": proba}
        return self._score_labels(metric, options, inputs, dim, sample_weight, classes, dropna)

    def _score_labels(
        self,
        metric: Metric,
        options: dict[str, Any],
        inputs: dict[str, xr.DataArray],
        dim: Hashable | list[Any] | None,
        sample_weight: xr.DataArray | None,
        classes: ClassesLike | None,
        dropna: bool,
    ) -> xr.DataArray:
        scored, n_cases = score_labels(
            metric, options, self._array, inputs, dim, sample_weight, classes, dropna
        )
        if scored.chunks is None:
            _warn_undefined(metric, n_cases, scored)
        return scored

    def report(
        self, *, metrics: MetricsLike | None = None, bins: BinsLike | None = None
    ) -> xr.Dataset:
        """Score by several metrics: n, the number of rows, then a variable a metric.

        An undefined metric is NaN, without a warning: the n beside it says why.

        Parameters
        ----------
        metrics : list of str, dict of str to callable, or "all", optional
            Names of metrics; or functions of counts ``(..., K, K)`` by the name that their
            variable gets; or all that give one number. Default: ten that do not repeat one
            another.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its place. Not needed where the classes are bins.

        Returns
        -------
        Dataset
            Variables over the other dimensions of the cube.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({"fold": [1, 1, 2], "y": [0, 1, 1], "yhat": [0, 1, 0]})
        >>> cube = po.ordinal(df).confusion("y", "yhat", by="fold")
        >>> po.ordinal(cube).report(metrics=["mae"]).mae.values.tolist()
        [0.0, 1.0]
        """
        return self._reported(metrics, bins, ())[0]

    def _reported(
        self, metrics: MetricsLike | None, bins: BinsLike | None, given: Collection[Needs]
    ) -> tuple[xr.Dataset, dict[str, Scorer | OfCases]]:
        """Report what counts tell, and return all that is wanted, in order."""
        cube, classes, labels = self._cube(bins)
        scorers = chosen(metrics, classes, labels, given)
        for name in (*cube.dims, *cube.coords):
            if name in ("n", *scorers):
                raise ValueError(
                    f"the report would have a variable {name!r} beside the coordinate {name!r} of "
                    f"the cube: rename one, as with cube.rename({{{name!r}: ...}})"
                )
        scored = {
            name: _apply(scorer, cube)
            for name, scorer in scorers.items()
            if not isinstance(scorer, OfCases)
        }
        return xr.Dataset({"n": cube.sum(CLASS_DIMS), **scored}), scorers

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
        dims = {"true": "pred", "pred": "true", "all": CLASS_DIMS}
        if not isinstance(over, str) or over not in dims:
            raise ValueError(f'normalize({over!r}): give "true", "pred" or "all"')
        cube = counts(checked(self._array)[0])
        total = cube.sum(dims[over])
        shares: xr.DataArray = cube / total.where(total > 0)
        return shares.rename("share")

    def confusion(
        self,
        pred: xr.DataArray,
        *,
        dim: Hashable | list[Any] | None = None,
        sample_weight: xr.DataArray | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
    ) -> xr.DataArray:
        """Count labels by true and predicted class.

        Parameters
        ----------
        pred : DataArray
            The predicted labels. Its dimensions beyond those of the true labels are kept, as are
            the true labels' own beyond `dim`; shared ones must have equal coordinates.
        dim : name or list of names, optional
            The dimensions to count over. Default: all dimensions of the true labels.
        sample_weight : DataArray, optional
            The weight of each case: finite and not negative.
        classes : sequence, optional
            The classes from lowest to highest. Integer labels are codes, positions in `classes`
            (-1 for missing), unless the classes are numbers themselves. Default: every integer
            from the smallest to the largest label, if there is no -1.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its place. Not needed where the classes are bins.
        dropna : bool, default False
            Leave out cases with a missing label; they are an error otherwise.

        Returns
        -------
        DataArray
            Dimensions ``(..., true, pred)``; int64, or float64 where cases are weighted.

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
        return count_labels(self._array, pred, dim, sample_weight, classes, bins, dropna)

    def plot(
        self, *, normalize: Literal["true", "pred", "all"] = "true", ax: Axes | None = None
    ) -> Axes:
        """Draw a confusion matrix: shares as colours, the counts beside them.

        Classes without rows are grey. Bins are labelled by their edges, open ones too.

        Parameters
        ----------
        normalize : {"true", "pred", "all"}, default "true"
            What the shares sum to one over, as in `normalize`.
        ax : matplotlib Axes, optional
            Where to draw. Default: a new figure.

        Returns
        -------
        matplotlib Axes
            The picture.

        Raises
        ------
        ValueError
            If the cube has more than one matrix.
        ImportError
            If matplotlib is missing.
        """
        return draw(self._array, self.normalize(normalize), normalize, ax)

    def encode(self) -> xr.Dataset:
        """Return a cube as a Dataset that netCDF and zarr can hold; `po.decode` reads it back.

        Its classes become codes, their labels and edges attributes and variables of the Dataset.

        Returns
        -------
        Dataset
            The cube. A chunked one stays so.

        Raises
        ------
        TypeError
            If the labels of a coordinate cannot be held exactly.
        """
        return io.encode(self._array)

    def to_netcdf(
        self, path: io.FilePath, *, engine: Literal["netcdf4", "h5netcdf"] | None = None
    ) -> None:
        """Save a cube as a netCDF 4 file, in place of one that is there; `po.open` reads it.

        Parameters
        ----------
        path : str or path
            The file.
        engine : {"netcdf4", "h5netcdf"}, optional
            What writes it. Default: the first of these that is installed.

        Raises
        ------
        TypeError, ValueError
            If the cube cannot be held exactly, as by `encode`.
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
        ...     po.open(f"{folder}/cube.nc").identical(cube)
        True
        """
        io.to_netcdf(self._array, path, engine=engine)

    def to_zarr(
        self,
        store: Any,
        *,
        mode: Literal["w", "w-"] = "w-",
        zarr_format: Literal[2, 3] | None = None,
    ) -> None:
        """Save a cube as a zarr store, a chunked one chunk by chunk; `po.open` reads it.

        Parameters
        ----------
        store : str, path or zarr store
            The folder; one that is there is replaced once all is written. Another store is
            written to at once: not the one, then, that the cube is read from.
        mode : {"w-", "w"}, default "w-"
            Whether a store that is there is an error or replaced.
        zarr_format : {2, 3}, optional
            The format of the store. Default: that of the zarr library.

        Raises
        ------
        TypeError, ValueError
            If the cube cannot be held exactly, as by `encode`.
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
        ...     po.open(f"{folder}/cube.zarr").identical(cube)
        True
        """
        io.to_zarr(self._array, store, mode=mode, zarr_format=zarr_format)

    def _cube(
        self, bins: BinsLike | None
    ) -> tuple[xr.DataArray, pd.CategoricalDtype, pd.CategoricalDtype]:
        """Return the cube, its classes with the edges that bins give, and without."""
        cube, labels = checked(self._array)
        if bins is None:
            return cube, labels, labels
        classes = with_bins(labels, bins)
        return cube.assign_coords(class_coords(classes)), classes, labels


def _apply(scorer: Scorer, cube: xr.DataArray, metric: Metric | None = None) -> xr.DataArray:
    """Apply a function of counts to a cube, chunk by chunk if it is chunked."""
    if cube.chunks is not None:
        cube = cube.chunk(dict.fromkeys(CLASS_DIMS, -1))
    scored: xr.DataArray = xr.apply_ufunc(
        scorer,
        cube,
        input_core_dims=[CLASS_DIMS],
        output_core_dims=[metric.output if metric else ()],
        dask="parallelized",
        output_dtypes=[metric.dtype if metric else float],
        keep_attrs=False,
    )
    return scored


def _warn_undefined(metric: Metric, n_rows: xr.DataArray, scored: xr.DataArray) -> None:
    """Warn of the groups in memory that hold rows and have no value."""
    undefined = scored.isnull().all(metric.output) & (n_rows > 0)
    if undefined.any():
        stacked = undefined.to_series() if undefined.ndim else pd.Series(dtype=bool)
        warn_undefined(metric.name, [repr(label) for label in stacked.index[stacked]])
