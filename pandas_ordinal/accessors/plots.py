"""`cube.ordinal.plot`: pictures of a cube of confusion matrices."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal import dataarrays, inference, plot
from pandas_ordinal.classes.bins import BinsLike
from pandas_ordinal.counting.arrays import Floats
from pandas_ordinal.cube.layout import (
    CLASS_DIMS,
    LARGEST_COUNT,
    as_integers,
    checked_counts,
    checked_cube,
    normalized,
)
from pandas_ordinal.errors import brief, did_you_mean, show
from pandas_ordinal.hints import explains_arguments
from pandas_ordinal.metrics.metric import registry
from pandas_ordinal.query import Uncertainty

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes

Over: TypeAlias = Literal["true", "pred", "all"]
Panels: TypeAlias = "npt.NDArray[np.object_]"


class CubePlot:
    """Pictures of a cube: calling it draws the confusion matrices; its methods draw the others.

    Parameters
    ----------
    cube : DataArray
        The cube.
    """

    def __init__(self, cube: xr.DataArray) -> None:
        self._cube = cube

    def __repr__(self) -> str:
        """Name the methods to call."""
        return (
            'pictures of a cube of confusion matrices: call plot(), or plot(col="model") for each '
            "model,\nplot.intervals(), plot.difference(a, b), plot.accuracy_within() or "
            "plot.class_mae()"
        )

    if not TYPE_CHECKING:  # the checkers know all names, and complain of others

        def __getattr__(self, name: str) -> Any:
            """Raise for an unknown name, with a hint at the right one."""
            hint = ""
            if not name.startswith("_"):
                names = [known for known in dir(self) if not known.startswith("_")]
                hint = did_you_mean(name, names) or f"; the pictures are {', '.join(names)}"
            message = f"{type(self).__name__!r} object has no attribute {name!r}{hint}"
            raise AttributeError(message, name=name, obj=None)  # or Python suggests a name again

    @overload
    def __call__(
        self,
        *,
        row: None = None,
        col: None = None,
        normalize: Over | None = "true",
        path: bool = False,
        ax: Axes | None = None,
    ) -> Axes: ...
    @overload
    def __call__(
        self,
        *,
        row: str,
        col: str | None = None,
        normalize: Over | None = "true",
        path: bool = False,
    ) -> Panels: ...
    @overload
    def __call__(
        self,
        *,
        row: None = None,
        col: str,
        normalize: Over | None = "true",
        path: bool = False,
    ) -> Panels: ...
    @explains_arguments
    def __call__(
        self,
        *,
        row: str | None = None,
        col: str | None = None,
        normalize: Over | None = "true",
        path: bool = False,
        ax: Axes | None = None,
    ) -> Axes | Panels:
        """Draw confusion matrices: shares as colours, shares and counts as text.

        All panels have all classes in their order, the same limits, and one colour bar. Classes
        without rows are hatched in grey. Bins are labelled by their edges. With more than 20
        classes, only some are labelled; with more than 15, cells have no text. Texts are fitted
        into their cells whenever the figure is drawn or saved; cells that are too small show none.

        Parameters
        ----------
        row, col : str, optional
            The dimensions along which panels are laid out in rows and columns. Columns alone are
            wrapped, at most four per row.
        normalize : {"true", "pred", "all"} or None, default "true"
            What the shares sum to one over, as in `normalize`. None shows counts.
        path : bool, default False
            Outline the cells on the path of the ordinal classification index, `oci_path`.
        ax : matplotlib Axes, optional
            Where to draw a single matrix, without a colour bar. Default: a new figure.

        Returns
        -------
        matplotlib Axes, or ndarray of these
            The picture; with `row` or `col`, an array of panels with their lengths.

        Raises
        ------
        ValueError
            If the cube has dimensions other than its classes, `row` and `col`.
        ImportError
            If matplotlib is missing.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({"y": [0, 1, 2, 2], "a": [0, 1, 2, 1], "b": [0, 1, 1, 0]})
        >>> cube = po.ordinal(df).confusion("y", ["a", "b"])
        >>> panels = po.ordinal(cube).plot(col="model", path=True)
        >>> [axes.get_title() for axes in panels]
        ['model = a', 'model = b']
        """
        drawn: Axes | Panels = plot.facets.draw(
            _matrices(self._cube, normalize, path), row, col, ax
        )
        return drawn

    @overload
    def intervals(
        self,
        *,
        row: None = None,
        col: None = None,
        normalize: Over | None = "true",
        path: bool = False,
        bins: BinsLike | None = None,
        ax: Axes | None = None,
    ) -> Axes: ...
    @overload
    def intervals(
        self,
        *,
        row: str,
        col: str | None = None,
        normalize: Over | None = "true",
        path: bool = False,
        bins: BinsLike | None = None,
    ) -> Panels: ...
    @overload
    def intervals(
        self,
        *,
        row: None = None,
        col: str,
        normalize: Over | None = "true",
        path: bool = False,
        bins: BinsLike | None = None,
    ) -> Panels: ...
    @explains_arguments
    def intervals(
        self,
        *,
        row: str | None = None,
        col: str | None = None,
        normalize: Over | None = "true",
        path: bool = False,
        bins: BinsLike | None = None,
        ax: Axes | None = None,
    ) -> Axes | Panels:
        """Draw confusion matrices of bins, with cells as wide as their bins.

        An open bin is drawn as wide as its neighbour, with a broken border and the edge ∞. Edges
        that are too close share a label.

        Parameters
        ----------
        row, col : str, optional
            The dimensions along which panels are laid out in rows and columns. Columns alone are
            wrapped, at most four per row.
        normalize : {"true", "pred", "all"} or None, default "true"
            What the shares sum to one over, as in `normalize`. None shows counts.
        path : bool, default False
            Outline the cells on the path of the ordinal classification index, `oci_path`.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex. Not
            needed if the classes are bins.
        ax : matplotlib Axes, optional
            Where to draw a single matrix, without a colour bar. Default: a new figure.

        Returns
        -------
        matplotlib Axes, or ndarray of these
            The picture; with `row` or `col`, an array of panels with their lengths.

        Raises
        ------
        ClassOrderError
            If the classes are not bins.
        ValueError
            If the cube has dimensions other than its classes, `row` and `col`.
        ImportError
            If matplotlib is missing.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({"y": [0, 1, 2, 2], "yhat": [0, 1, 2, 1]})
        >>> cube = po.ordinal(df).confusion("y", "yhat")
        >>> axes = po.ordinal(cube).plot.intervals(bins=[0, 1, 5, float("inf")])
        >>> [label.get_text() for label in axes.get_xticklabels()]
        ['0', '1', '5', '∞']
        """
        cube, classes = dataarrays.scored.with_classes(self._cube, bins)
        matrices = plot.matrix.to_scale(_matrices(cube, normalize, path))
        drawn: Axes | Panels = plot.facets.draw(
            matrices, row, col, ax, label=plot.matrix.label_edges
        )
        for axes in np.ravel(np.array(drawn, object)):
            plot.matrix.open_ends(axes, classes.dtype.categories)
        return drawn

    @explains_arguments
    def difference(
        self,
        a: Hashable,
        b: Hashable,
        *,
        normalize: Over | None = "true",
        ax: Axes | None = None,
    ) -> Axes:
        """Draw by how much the shares of one model exceed those of another.

        Colours diverge from zero, with the same limit on both sides. In print without colours, the
        signs in the cells distinguish more from less. Classes without rows in one of the two are
        hatched in grey.

        Parameters
        ----------
        a, b : label
            Two labels along the dimension of the cube that is not a class: two models or folds.
        normalize : {"true", "pred", "all"} or None, default "true"
            What the shares of each sum to one over. None subtracts counts.
        ax : matplotlib Axes, optional
            Where to draw, without a colour bar. Default: a new figure.

        Returns
        -------
        matplotlib Axes
            The picture, with the title "a − b".

        Raises
        ------
        ValueError
            If the cube has no such labels, or has not exactly one dimension besides its classes.
        ImportError
            If matplotlib is missing.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({"y": [0, 1, 2, 2], "svm": [0, 1, 2, 1], "logit": [0, 1, 1, 0]})
        >>> cube = po.ordinal(df).confusion("y", ["svm", "logit"])
        >>> po.ordinal(cube).plot.difference("svm", "logit").get_title()
        'svm − logit'
        """
        cube, classes = _counts(self._cube, LARGEST_COUNT)
        dim = _only_dim(cube)
        if dim is None:
            raise ValueError(
                "the cube has one matrix, and a difference needs two: count several models with "
                "df.ordinal.confusion(..., by='model')"
            )
        minuend, subtrahend = (_selected(cube, dim, label, normalize) for label in (a, b))
        shown = plot.matrix.difference_matrices(minuend - subtrahend, (a, b), normalize, classes)
        drawn: Axes = plot.facets.draw(shown, ax=ax)
        return drawn

    @explains_arguments
    def accuracy_within(self, *, ci: float | None = 0.95, ax: Axes | None = None) -> Axes:
        """Draw the share of rows at most k classes off, over k: a curve per model, with a band.

        Bands of more than three models would cover one another; their intervals are bars next to
        the points. The last point is always 1, and has no interval.

        A model is indisputably better than another if its curve is nowhere below: see `dominance`.
        If curves cross, the ranking of the models depends on the measure.

        Parameters
        ----------
        ci : float or None, default 0.95
            The level of the intervals, for independent rows; None for no intervals.
        ax : matplotlib Axes, optional
            Where to draw. Default: a new figure.

        Returns
        -------
        matplotlib Axes
            The picture.

        Raises
        ------
        ValueError
            If the cube has more than one dimension besides its classes, or an empty one, or if
            rows are weighted and `ci` is given.
        TypeError
            If `ax` is not an Axes.
        ImportError
            If matplotlib is missing.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({"y": [0, 1, 2, 2], "a": [0, 1, 2, 1], "b": [0, 1, 1, 0]})
        >>> cube = po.ordinal(df).confusion("y", ["a", "b"])
        >>> axes = po.ordinal(cube).plot.accuracy_within()
        >>> [line.get_ydata().tolist() for line in axes.lines]
        [[0.75, 1.0, 1.0], [0.5, 0.75, 1.0]]
        """
        cube, classes = _counts(self._cube)
        measures = plot.models.accuracies_within(len(classes))
        return plot.models.draw_accuracy_within(_curves(cube, measures, Uncertainty(ci=ci)), ax)

    @explains_arguments
    def class_mae(self, *, ci: float | None = 0.95, ax: Axes | None = None) -> Axes:
        """Draw the mean absolute error of each true class, with an interval, for each model.

        Parameters
        ----------
        ci : float or None, default 0.95
            The level of the intervals, for independent rows; None for no intervals.
        ax : matplotlib Axes, optional
            Where to draw. Default: a new figure.

        Returns
        -------
        matplotlib Axes
            The picture. Classes without rows are hatched in grey.

        Raises
        ------
        ValueError
            If the cube has more than one dimension besides its classes, or an empty one, or if
            rows are weighted and `ci` is given.
        TypeError
            If `ax` is not an Axes.
        ImportError
            If matplotlib is missing.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({"y": [0, 1, 2, 2], "a": [0, 1, 2, 1], "b": [0, 1, 1, 0]})
        >>> cube = po.ordinal(df).confusion("y", ["a", "b"])
        >>> axes = po.ordinal(cube).plot.class_mae()
        >>> [line.get_ydata().tolist() for line in axes.lines[:2]]
        [[0.0, 0.0, 0.5], [0.0, 0.0, 1.5]]
        """
        cube, classes = _counts(self._cube)
        return plot.models.draw_class_mae(
            _errors_of_classes(cube, Uncertainty(ci=ci)), classes, ax
        )


def _counts(cube: xr.DataArray, limit: int | None = None) -> tuple[xr.DataArray, pd.Index[Any]]:
    """Return a cube of counts in memory, and its classes."""
    cube, classes = checked_cube(cube)
    return checked_counts(cube.compute(), limit), classes.categories


def _matrices(cube: xr.DataArray, normalize: Over | None, path: bool) -> plot.matrix.Matrices:
    counts, classes = _counts(cube)
    shown = counts if normalize is None else normalized(counts, normalize)
    along = None
    if path:
        along = dataarrays.scored.score_cube(
            *dataarrays.scored.with_classes(counts, None), registry["oci_path"], {}
        )
    return plot.matrix.share_matrices(counts, shown, normalize, classes, along)


def _only_dim(cube: xr.DataArray) -> Hashable | None:
    """Return the dimension of the models; None for one matrix."""
    leading = [dim for dim in cube.dims if dim not in CLASS_DIMS]
    if len(leading) > 1:
        rest = [str(dim) for dim in leading[1:]]
        raise ValueError(plot.facets.no_place_for(rest, f"beside {leading[0]!r} "))
    return leading[0] if leading else None


def _selected(
    cube: xr.DataArray, dim: Hashable, label: Hashable, normalize: Over | None
) -> xr.DataArray:
    """Return the shares, or the counts, of the matrix with a label, ready to be subtracted."""
    labels = list(cube.get_index(dim))
    positions = [
        position
        for position, candidate in enumerate(labels)
        if pd.api.types.is_hashable(label)
        and (_is_missing(label) == _is_missing(candidate))
        and (_is_missing(label) or candidate == label)
    ]
    if len(positions) != 1:
        number = "more than one" if positions else "no"
        raise ValueError(
            f"the dimension {dim!r} has {number} {brief(label)} among {show(labels)}"
            f"{'' if positions else did_you_mean(label, labels)}"
        )
    matrix = cube.isel({dim: positions[0]}, drop=True)
    if normalize is None:
        return matrix if matrix.dtype.kind == "f" else matrix.astype(np.int64)
    return normalized(matrix, normalize)


def _is_missing(label: Any) -> bool:
    return pd.api.types.is_scalar(label) and bool(pd.isna(label))


def _curves(
    cube: xr.DataArray, measures: Mapping[str, Callable[..., Any]], uncertainty: Uncertainty
) -> plot.models.Curves:
    """Compute measures of each model, with their intervals."""
    models = _models(cube, uncertainty)
    report = dataarrays.scored.report_cube(cube, None, measures, uncertainty)

    def values(part: str) -> Floats:
        columns = [np.atleast_1d(report[f"{name}{part}"].to_numpy()) for name in measures]
        return np.stack(columns, axis=1)

    curves = plot.models.Curves(models, values(""))
    if uncertainty.is_requested:
        return replace(curves, low=values("_low"), high=values("_high"))
    return curves


def _errors_of_classes(cube: xr.DataArray, uncertainty: Uncertainty) -> plot.models.Curves:
    """Compute the mean absolute error of each class for each model, with its interval."""
    class_mae = registry["class_mae"].kernel
    models = _models(cube, uncertainty)
    counts = cube.to_numpy().astype(float).reshape(-1, *cube.shape[-2:])
    curves = plot.models.Curves(models, np.asarray(class_mae(counts)))
    if uncertainty.ci is None:
        return curves
    low, high = inference.class_bounds.intervals_of_classes(class_mae, counts, uncertainty.ci)
    low, high = np.fmin(low, curves.values), np.fmax(high, curves.values)
    return replace(curves, low=low, high=high)


def _models(cube: xr.DataArray, uncertainty: Uncertainty) -> pd.Index[Any]:
    """Return the names of the models of a cube, or raise if it cannot have intervals."""
    dim = _only_dim(cube)
    if uncertainty.is_requested and cube.dtype.kind == "f":
        raise ValueError(
            "intervals need the number of rows, which a cube of floats does not have: draw no "
            f"intervals with ci=None{as_integers(cube)}"
        )
    if dim is None:
        return pd.Index([""])
    if not cube.sizes[dim]:
        raise ValueError(f"the dimension {dim!r} of the cube is empty: there is nothing to draw")
    names = [plot.canvas.text_of(label) for label in cube.get_index(dim)]
    return pd.Index(names, name=str(dim))
