"""`.ordinal` on a DataArray: a cube of confusion matrices, or an array of true labels."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Unpack

import pandas as pd
import xarray as xr

from pandas_ordinal import dataarrays, files, metrics
from pandas_ordinal import ratings as of_raters
from pandas_ordinal.accessors.base import (
    MEMBERS,
    OF_MEMBERS,
    ExtraParameter,
    Ordinal,
    matrices,
    orders,
    sized,
)
from pandas_ordinal.accessors.plots import CubePlot
from pandas_ordinal.accessors.typing import KeysLike, OfArray
from pandas_ordinal.classes.bins import BinsLike
from pandas_ordinal.classes.gate import ClassesLike
from pandas_ordinal.cube.layout import normalized
from pandas_ordinal.errors import ClassOrderError
from pandas_ordinal.metrics.metric import Metric
from pandas_ordinal.query import (
    Agreement,
    AgreementOptions,
    Comparison,
    ComparisonOptions,
    Query,
    Uncertainty,
    UncertaintyOptions,
    if_given,
)
from pandas_ordinal.reports.by_class import TableByClass
from pandas_ordinal.reports.metrics import MetricsLike
from pandas_ordinal.rows.summaries import ThresholdsLike

if TYPE_CHECKING:
    from pandas_ordinal.files.cube import Encoding
    from pandas_ordinal.files.reading import FilePath


class ArrayOrdinal(Ordinal, OfArray):
    """Ordinal evaluation of a cube of confusion matrices, or of an array of labels.

    Parameters
    ----------
    array : DataArray
        True labels: methods also take predicted labels, scores or probabilities. Or a cube, which
        has the dimensions `true` and `pred`: it holds counts, and methods need nothing else.

    Examples
    --------
    >>> import pandas as pd
    >>> import pandas_ordinal as po
    >>> df = pd.DataFrame({"fold": [1, 1, 2], "y": [0, 1, 2], "yhat": [0, 1, 1]})
    >>> df.ordinal.confusion("y", "yhat", by="fold").ordinal
    .ordinal of a cube of confusion matrices over fold: 2
    classes: 0 < 1 < 2
    call report, normalize, plot, to_netcdf, to_zarr, or one of ... metrics, such as oci or mae
    """

    _returns = (
        "DataArray over the other dimensions",
        "DataArray over the other dimensions and `class`",
        "DataArray over the other dimensions, `true` and `pred`",
    )
    _tables = "Dataset over the other dimensions and `class`"
    _of_proba = OF_MEMBERS
    _extra: ClassVar = {
        **MEMBERS,
        "pred": ExtraParameter(
            "xr.DataArray | None",
            """pred : DataArray, optional
    The predicted labels of an array of true labels. Dimensions beyond those of the true labels are
    kept; shared ones must have equal coordinates. A cube takes only `bins` and the options of the
    metric.""",
        ),
        "score": ExtraParameter(
            "xr.DataArray",
            """score : DataArray
    The scores, higher for higher classes. Dimensions beyond those of the true labels are kept.""",
        ),
        "proba": ExtraParameter(
            "xr.DataArray",
            """proba : DataArray
    The probabilities of the classes: one dimension has the classes as its coordinate, in any
    order. Other dimensions beyond those of the true labels are kept.""",
        ),
        "cluster": ExtraParameter(
            "Hashable | list[Any] | xr.DataArray | None",
            """cluster : name, list of names or DataArray, optional
    The labels of clusters of cases, such as patients: a coordinate or an array. Of a cube, the
    dimensions of the clusters, over which it is summed. Default: cases are independent.""",
        ),
    }
    _examples: ClassVar = {
        "pred": """>>> import pandas_ordinal as po
>>> import xarray as xr
>>> true = xr.DataArray([0, 0, 1, 1, 2, 2], dims="case")
>>> pred = xr.DataArray([[0, 1, 1, 2, 2, 2], [0, 0, 1, 1, 1, 2]], dims=("model", "case"))
>>> true.ordinal.{metric}(pred, {options})""",
        "score": """>>> import pandas_ordinal as po
>>> import xarray as xr
>>> true = xr.DataArray([0, 0, 1, 1, 2, 2], dims="case")
>>> score = xr.DataArray([[1, 2, 2, 3, 3, 4], [1, 3, 2, 1, 4, 4]], dims=("model", "case"))
>>> true.ordinal.{metric}(score, {options})""",
        "proba": """>>> import pandas_ordinal as po
>>> import xarray as xr
>>> true = xr.DataArray([0, 1], dims="case")
>>> proba = xr.DataArray([[0.8, 0.2], [0.5, 0.5]], {{"class": [0, 1]}}, ("case", "class"))
>>> true.ordinal.{metric}(proba, {options})""",
    }

    @property
    def _verbs(self) -> tuple[str, ...]:  # type: ignore[override]
        if dataarrays.scored.is_cube(self._array):
            return "report", "normalize", "plot", "to_netcdf", "to_zarr"
        return "report", "confusion", "oci", "kappa", "vus"

    def __init__(self, array: xr.DataArray) -> None:
        self._array = array

    def _repr_lines(self) -> list[str]:
        if dataarrays.scored.is_cube(self._array):
            return matrices(self._array)
        title = f".ordinal of an array of labels over {sized(self._array.sizes)}"
        dtype = dataarrays.labels.classes_in(self._array) or self._array.dtype
        return [title, *orders([(self._array.name, dtype)])]

    def _hint(self, metric: Metric) -> str:
        if not dataarrays.scored.is_cube(self._array):
            return ""
        return f"; {_of_labels(metric)}" if metric.of_rows else "; a cube takes options only"

    def _score(self, metric: Metric, options: dict[str, Any], query: Query) -> xr.DataArray:
        query = replace(query, true=self._array)
        if not dataarrays.scored.is_cube(self._array):
            if not metric.of_rows:
                _refuse_no_pred(metric.name, query, "pred")
            return dataarrays.scored.score_arrays(query, metric, options)
        if metric.of_rows:
            raise ValueError(_of_labels(metric))
        _refuse_labels(query)
        cube, classes = dataarrays.scored.with_classes(self._array, query.bins)
        return dataarrays.scored.score_cube(cube, classes, metric, options)

    def _table_by_class(self, table: TableByClass, query: Query) -> xr.Dataset:
        query = replace(query, true=self._array)
        if dataarrays.scored.is_cube(self._array):
            _refuse_labels(query)
            return dataarrays.by_class.table_of_cube(self._array, query.bins, table)
        _refuse_no_pred(table.name, query, "pred")
        return dataarrays.by_class.table_of_arrays(query, table)

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
        atol: float | None = None,
        member_dim: Hashable | None = None,
        fair: bool = False,
        **uncertainty: Unpack[UncertaintyOptions],
    ) -> xr.Dataset:
        """Compute several metrics: n, the number of cases, then one variable per metric.

        An undefined metric is NaN, without a warning; its docstring says when. A cube
        takes only `metrics`, `bins` and the options of intervals.

        Parameters
        ----------
        pred : DataArray, optional
            The predicted labels of an array of true labels. Not needed for scores or probabilities
            alone.
        metrics : list, dict, or "all", optional
            A list of names, kernels, or partials of kernels; a dict from names of variables to
            these or to your own functions of counts ``(..., K, K)``; or "all", every metric that
            is one number. Default: ten metrics that do not duplicate one another; for scores also
            `vus` and `u_pairs`; for probabilities also `rps`, `log_loss` and `brier`.
        score : DataArray, optional
            The scores, for the ranking metrics.
        proba : DataArray, optional
            The probabilities of the classes. One dimension has the classes as its coordinate.
        dim : name or list of names, optional
            The dimensions to count over. Default: all dimensions of the true labels.
        by : name, DataArray, dict or list of these, optional
            Keys to group by: coordinates, a component of one in the notation of xarray, such as
            ``"time.season"``, arrays of labels, or a dict ``{name: grouper}`` of `xr.groupers`,
            along dimensions that are counted over. Each key becomes a dimension.
        sample_weight : DataArray, optional
            The weight of each case: finite and not negative. `n` still counts cases.
        classes : sequence or "flags", optional
            The classes from lowest to highest. Integer labels are codes: positions in `classes`,
            with -1 for missing. They are not codes if the classes are numbers, or if the array has
            CF flags: `classes` then lists their `flag_meanings`, and "flags" stands for all of
            these in the order of `flag_values`. Default: the classes that the attributes of codes
            made by `cut` or `as_ordered` have; else every integer from the smallest to the largest
            label or flag, unless there is a -1.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its position. Not needed if the classes are bins.
        dropna : bool, default False
            Drop cases with a missing value or key. By default, they raise an error.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1. Cases with one of them as true or predicted label
            are dropped.
        atol : float, optional
            By how much the probabilities of a row may differ from a sum of 1, such as 0.002 for
            three decimals. They are not rescaled. Default: 1e-6.
        member_dim : name, optional
            The dimension of the members of an ensemble, if `proba` has their labels instead: the
            share of members in a class is its probability. A missing member is left out; a case
            without members is missing.
        fair : bool, default False
            Subtract what the limited number of members adds to `rps` and `rps_skill`, the only
            metrics of probabilities that can be requested with it.
        **uncertainty : UncertaintyOptions
            Uncertainty of each metric, as extra variables after it.

        Returns
        -------
        Dataset
            Variables over the remaining dimensions.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> df = pd.DataFrame({"fold": [1, 1, 2], "y": [0, 1, 1], "yhat": [0, 1, 0]})
        >>> cube = po.ordinal(df).confusion("y", "yhat", by="fold")
        >>> po.ordinal(cube).report(metrics=["mae"]).mae.values.tolist()
        [0.0, 1.0]
        """
        requested = Uncertainty(**uncertainty)
        query = Query(
            true=self._array, pred=if_given(pred), score=if_given(score), proba=if_given(proba),
            dim=dim, by=by, sample_weight=sample_weight, classes=classes, bins=bins, dropna=dropna,
            ignore=ignore, atol=atol, member_dim=member_dim, fair=fair,
        )  # fmt: skip
        if dataarrays.scored.is_cube(self._array):
            _refuse_labels(query)
            return dataarrays.scored.report_cube(self._array, bins, metrics, requested)
        _refuse_no_pred("report", query, "pred", "score", "proba")
        return dataarrays.scored.report_arrays(query, metrics, requested)

    def compare(
        self,
        model: Hashable,
        *,
        metrics: MetricsLike | None = None,
        bins: BinsLike | None = None,
        **comparison: Unpack[ComparisonOptions],
    ) -> pd.DataFrame:
        """Compare the models of a cube, and test which differences are significant.

        A cube does not show which rows two models get wrong together. Its clusters, such as folds
        or days, take the place of rows: they are left out of both models one by one.

        Parameters
        ----------
        model : name
            The dimension of the models. All of them must predict the same rows.
        metrics : list, dict, or "all", optional
            A list of names, kernels, or partials of kernels; a dict from labels to these or to
            your own functions of counts ``(..., K, K)``; or "all". Default: those of `report`.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its position. Not needed if the classes are bins.
        **comparison : ComparisonOptions
            How models are compared. A cube needs `cluster`, the dimension of the clusters.

        Returns
        -------
        DataFrame
            A row per position along the other dimensions, metric and pair of models, with the
            columns that `FrameOrdinal.compare` describes. For a cube of weights, ``n`` is their
            sum.

        Raises
        ------
        ValueError
            If there are no clusters, or models have other numbers of rows in one of them.

        Examples
        --------
        >>> import numpy as np
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> rng = np.random.default_rng(0)
        >>> df = pd.DataFrame({"fold": np.arange(200) % 10, "y": rng.integers(0, 3, 200)})
        >>> df["a"] = np.where(rng.random(200) < 0.8, df["y"], 1)
        >>> df["b"] = np.where(rng.random(200) < 0.5, df["y"], 1)
        >>> cube = po.ordinal(df).confusion("y", ["a", "b"], by="fold")
        >>> comparison = po.ordinal(cube).compare("model", cluster="fold", metrics=["mae"])
        >>> comparison[["value_a", "value_b", "difference", "better"]].round(3)
                    value_a  value_b  difference better
        metric a b
        mae    a b     0.17    0.385      -0.215      a
        """
        requested = Comparison(**comparison)
        if not dataarrays.scored.is_cube(self._array):
            raise ValueError(
                f"the array has the dimensions {self._array.dims}: compare is for cubes, which "
                "have 'true' and 'pred'; models whose labels are variables of a Dataset are "
                "compared by ds.ordinal.compare('y', ['a', 'b'])"
            )
        return dataarrays.cube_comparison.compare_cube(
            self._array, bins, model, metrics, requested
        )

    def agreement(
        self,
        rater: Hashable,
        *,
        dim: Hashable | list[Any] | None = None,
        by: KeysLike | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        ignore: Hashable | list[Any] | None = None,
        **agreement: Unpack[AgreementOptions],
    ) -> xr.Dataset:
        """Compute the agreement of the raters along a dimension; ratings may have gaps.

        Parameters
        ----------
        rater : name
            The dimension of the raters.
        dim : name or list of names, optional
            The dimensions of the items. Default: all others.
        by : name, DataArray, dict or list of these, optional
            Keys to group by: coordinates, arrays of labels, or a dict ``{name: grouper}`` of
            `xr.groupers`, along dimensions of the items. Each key becomes a dimension.
        classes : sequence or "flags", optional
            The classes from lowest to highest, as in `report`.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its position. Not needed if the classes are bins.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1: such a rating is not there.
        **agreement : AgreementOptions
            The coefficients, and their uncertainty as extra columns.

        Returns
        -------
        Dataset
            Over the remaining dimensions: ``n_items``, the number of items with a rating; with
            clusters ``n_clusters``; ``n_paired``, the items with two ratings or more;
            ``n_raters``, the raters with a rating; ``n_ratings``; then the coefficients.

        Raises
        ------
        ClassOrderError
            If the labels declare no order of the classes, or contradicting ones.
        UnknownClassError
            If a label is not a class.
        ValueError
            If there is one rater only, or an option has an unknown value.

        See Also
        --------
        pandas_ordinal.metrics.fleiss_kappa : the formulas, as functions of plain arrays.

        Examples
        --------
        >>> import pandas_ordinal as po
        >>> import xarray as xr
        >>> ratings = xr.DataArray([[0, 1, 2, 2], [0, 1, 1, 2]], dims=("rater", "item"))
        >>> float(po.ordinal(ratings).agreement("rater").conger_kappa)
        0.8
        """
        if dataarrays.scored.is_cube(self._array):
            raise ValueError(
                "a cube of confusion matrices compares two columns, such as with "
                "cube.ordinal.krippendorff_alpha(): agreement of more raters needs their ratings"
            )
        query = Query(dim=dim, by=by, classes=classes, bins=bins, dropna=True, ignore=ignore)
        asked = Agreement(**agreement)
        found: xr.Dataset = of_raters.arrays.agreement_along(self._array, rater, query, asked)
        return found

    @property
    def classes(self) -> pd.Index[Any]:
        """The classes of a cube, or those that labels declare, from lowest to highest.

        Examples
        --------
        >>> import pandas_ordinal as po
        >>> import xarray as xr
        >>> xr.DataArray([2, 0, 1], dims="case").ordinal.classes.tolist()
        [0, 1, 2]
        """
        try:
            if dataarrays.scored.is_cube(self._array):
                return dataarrays.scored.with_classes(self._array, None)[1].dtype.categories
            arrays, flags = dataarrays.flags.described({"true": self._array}, None)
            reader = dataarrays.labels.label_reader(arrays, flags, Query(), None)
        except ClassOrderError as error:
            raise AttributeError from error  # explained by `_hint_at`
        return reader.classes.categories

    def _hint_at(self, name: str) -> str:
        if name == "classes":
            return "; the labels declare no order of classes: give classes=[...], lowest first"
        return super()._hint_at(name)

    def _refuse_cube(self, name: str) -> None:
        """Raise if a method of values or labels is called on a cube of counts."""
        if dataarrays.scored.is_cube(self._array):
            raise ValueError(
                f"a cube of confusion matrices holds counts: {name} is for the arrays that were "
                "counted; for shares of the counts, call cube.ordinal.normalize('true')"
            )

    def cut(
        self,
        edges: BinsLike | xr.DataArray,
        *,
        edge_dim: Hashable = "edge",
        by: KeysLike | None = None,
        right: bool = True,
        errors: Literal["raise", "coerce"] = "raise",
        classes: ClassesLike | None = None,
    ) -> xr.DataArray:
        """Sort the values into bins, whose edges may differ by cell, month or other keys.

        Values and edges are compared at the lower of their precisions, so that the same decimals
        are in the same bin in float32 as in float64. An infinite value is in the open bin even if
        that side of the bin is not closed. A chunked array stays lazy: values in none of the bins
        raise an error when the result is computed.

        Parameters
        ----------
        edges : sequence or DataArray
            The edges, one more than there are bins, lowest first: numbers (the first may be -inf,
            the last inf), datetimes or timedeltas. Or an IntervalIndex. A DataArray has numbers
            along `edge_dim`. Its other dimensions are dimensions of the values, with the same
            coordinates, or keys of `by`. Two of its edges may be equal: no value is in the bin
            between them.
        edge_dim : name, default "edge"
            The dimension of a DataArray that has the edges.
        by : name, DataArray or list of these, optional
            The keys that a DataArray of edges has as dimensions: coordinates, a component of one
            in the notation of xarray, such as ``"time.month"``, or arrays of labels.
        right : bool, default True
            Whether bins are closed on the right; otherwise, on the left.
        errors : {"raise", "coerce"}, default "raise"
            Whether a value in none of the bins, or without edges, raises an error or becomes
            missing.
        classes : sequence, optional
            The names of the bins, lowest first. Default: the bins themselves, or 0 to K - 1 if
            the edges are a DataArray.

        Returns
        -------
        DataArray
            Codes from 0, of the smallest type of integers; -1 where a value is missing. The
            attributes ``flag_values``, ``flag_meanings`` and ``class_order`` name the classes in
            order, so that no method needs `classes`; ``bin_edges`` and ``bin_closed`` describe
            the bins. Files keep all of them.

        Raises
        ------
        ValueError
            If the edges do not increase, leave gaps or overlap, have other coordinates, or the
            values cannot be sorted into bins.
        UnknownClassError
            If a value is in none of the bins, or has no edges.
        UnknownNameError
            If a label of a key has no edges.

        See Also
        --------
        pandas_ordinal.climatology_edges : edges at quantiles by cell, month and year.

        Examples
        --------
        >>> import numpy as np
        >>> import pandas_ordinal as po
        >>> import xarray as xr
        >>> rain = xr.DataArray([0.0, 3.0, np.nan, 12.0], dims="day", name="rain")
        >>> graded = po.ordinal(rain).cut([-np.inf, 0.1, 10, np.inf])
        >>> graded.values
        array([ 0,  1, -1,  2], dtype=int8)
        >>> po.ordinal(graded).classes
        IntervalIndex([(-inf, 0.1], (0.1, 10.0], (10.0, inf]], dtype='interval[float64, right]')
        """
        self._refuse_cube("cut")
        asked = dataarrays.cut.Cutting(edges, edge_dim, by, right, errors, classes)
        codes: xr.DataArray = dataarrays.cut.cut_array(self._array, asked)
        return codes

    def as_ordered(self, classes: ClassesLike) -> xr.DataArray:
        """Return the labels as codes of classes, with the classes in their attributes.

        Missing labels stay missing. A label that is not a class raises an error, of a chunked
        array when the result is computed.

        Parameters
        ----------
        classes : sequence
            The classes from lowest to highest. Integers are codes, unless the classes are numbers.

        Returns
        -------
        DataArray
            Codes from 0, -1 where a label is missing, with the attributes that `cut` describes.

        Raises
        ------
        UnknownClassError
            If a label is not a class.
        ClassOrderError
            If the labels declare another order.

        Examples
        --------
        >>> import pandas_ordinal as po
        >>> import xarray as xr
        >>> labels = xr.DataArray(["low", "high"], dims="case")
        >>> po.ordinal(labels).as_ordered(["low", "medium", "high"]).values
        array([0, 2], dtype=int8)
        """
        self._refuse_cube("as_ordered")
        codes: xr.DataArray = dataarrays.decided.ordered(self._array, classes)
        return codes

    def classify(
        self, thresholds: ThresholdsLike, *, classes: ClassesLike | None = None
    ) -> xr.DataArray:
        """Turn scores into classes by thresholds.

        Parameters
        ----------
        thresholds : Series or sequence
            Where each class but the last ends, lowest first; a score equal to a threshold is in
            the class below it. The result of `frame.ordinal.best_thresholds` has its classes.
        classes : sequence, optional
            The classes from lowest to highest, one more than there are thresholds. Not needed if
            the thresholds have their classes.

        Returns
        -------
        DataArray
            Codes from 0, -1 where a score is missing, with the attributes that `cut` describes.

        Raises
        ------
        ClassOrderError
            If the classes are not known, or the values are not scores.
        ValueError
            If the thresholds decrease, or are not one fewer than the classes.

        Examples
        --------
        >>> import pandas_ordinal as po
        >>> import xarray as xr
        >>> scores = xr.DataArray([0.1, 0.5, 0.7, 2.0], dims="case")
        >>> po.ordinal(scores).classify([0.5, 1.0], classes=["low", "mid", "high"]).values
        array([0, 0, 1, 2], dtype=int8)
        """
        self._refuse_cube("classify")
        codes: xr.DataArray = dataarrays.decided.classify_scores(self._array, thresholds, classes)
        return codes

    def expected_class(
        self, dim: Hashable | None = None, *, atol: float | None = None
    ) -> xr.DataArray:
        """Compute the mean class position from class probabilities: a score that ranks cases.

        Parameters
        ----------
        dim : name, optional
            The dimension of the classes: they are its coordinate, lowest first, or as an ordered
            Categorical in any order. Default: the only dimension that is called "class", or has
            an ordered Categorical as its coordinate.
        atol : float, optional
            By how much the probabilities of a case may differ from a sum of 1, such as 0.002 for
            three decimals. They are not rescaled. Default: 1e-6.

        Returns
        -------
        DataArray
            0 to K - 1, rounded to 12 significant digits so that equal sums tie. Missing where a
            probability is missing.

        Raises
        ------
        ValueError
            If the dimension of the classes is not known, or probabilities are negative or do not
            sum to 1 within 1e-6, or `atol`.

        Examples
        --------
        >>> import pandas_ordinal as po
        >>> import xarray as xr
        >>> coords = {"class": ["low", "high"]}
        >>> proba = xr.DataArray([[0.5, 0.5], [0.25, 0.75]], coords, ("case", "class"))
        >>> po.ordinal(proba).expected_class().values
        array([0.5 , 0.75])
        """
        self._refuse_cube("expected_class")
        expected: xr.DataArray = dataarrays.decided.expect(self._array, dim, atol)
        return expected

    def most_likely(
        self, dim: Hashable | None = None, *, atol: float | None = None
    ) -> xr.DataArray:
        """Return the class with the highest probability: the prediction with the best accuracy.

        Parameters
        ----------
        dim : name, optional
            The dimension of the classes, as in `expected_class`.
        atol : float, optional
            By how much the probabilities of a case may differ from a sum of 1, such as 0.002 for
            three decimals. They are not rescaled. Default: 1e-6.

        Returns
        -------
        DataArray
            Codes from 0, with the attributes that `cut` describes; of equally likely classes, the
            lowest. -1 where a probability is missing.

        Raises
        ------
        ValueError
            If the dimension of the classes is not known, or probabilities are negative or do not
            sum to 1 within 1e-6, or `atol`.

        Examples
        --------
        >>> import pandas_ordinal as po
        >>> import xarray as xr
        >>> proba = xr.DataArray(
        ...     [[0.4, 0.25, 0.35], [0.1, 0.2, 0.7]], {"class": [0, 1, 2]}, ("case", "class")
        ... )
        >>> proba.ordinal.most_likely("class").values
        array([0, 2], dtype=int8)
        """
        self._refuse_cube("most_likely")
        codes: xr.DataArray = dataarrays.decided.decide(
            self._array, metrics.most_likely, dim, atol=atol
        )
        return codes

    def median_class(
        self, dim: Hashable | None = None, *, atol: float | None = None
    ) -> xr.DataArray:
        """Return the median class by class probabilities: the prediction with the best MAE.

        Parameters
        ----------
        dim : name, optional
            The dimension of the classes, as in `expected_class`.
        atol : float, optional
            By how much the probabilities of a case may differ from a sum of 1, such as 0.002 for
            three decimals. They are not rescaled. Default: 1e-6.

        Returns
        -------
        DataArray
            Codes from 0, with the attributes that `cut` describes: the lowest class with a
            cumulative probability of at least one half. -1 where a probability is missing.

        Raises
        ------
        ValueError
            If the dimension of the classes is not known, or probabilities are negative or do not
            sum to 1 within 1e-6, or `atol`.

        Examples
        --------
        >>> import pandas_ordinal as po
        >>> import xarray as xr
        >>> proba = xr.DataArray(
        ...     [[0.4, 0.25, 0.35], [0.1, 0.2, 0.7]], {"class": [0, 1, 2]}, ("case", "class")
        ... )
        >>> proba.ordinal.median_class("class").values
        array([1, 2], dtype=int8)
        """
        self._refuse_cube("median_class")
        codes: xr.DataArray = dataarrays.decided.decide(
            self._array, metrics.median_class, dim, atol=atol
        )
        return codes

    def prediction_sets(
        self, limits: Any, dim: Hashable | None = None, *, atol: float | None = None
    ) -> xr.Dataset:
        """Return the set of neighbouring classes of each case, by the limits of `set_limits`.

        Parameters
        ----------
        limits : Series or array_like, shape (K,)
            The limit of each class: the result of `frame.ordinal.set_limits`, or of
            `po.metrics.set_limits`, on cases whose true class is known. Labels are matched to the
            classes.
        dim : name, optional
            The dimension of the classes, as in `expected_class`.
        atol : float, optional
            By how much the probabilities of a case may differ from a sum of 1, such as 0.002 for
            three decimals. They are not rescaled. Default: 1e-6.

        Returns
        -------
        Dataset
            ``low`` and ``high``, the lowest and the highest class of the set: codes from 0, with
            the attributes that `cut` describes. -1 where a probability is missing.

        Raises
        ------
        ClassOrderError
            If the limits are those of other classes.
        ValueError
            If the dimension of the classes is not known, or probabilities are negative or do not
            sum to 1 within 1e-6, or `atol`.

        See Also
        --------
        pandas_ordinal.metrics.prediction_sets : the formula.

        Examples
        --------
        >>> import pandas_ordinal as po
        >>> import xarray as xr
        >>> proba = xr.DataArray(
        ...     [[0.9, 0.1, 0.0], [0.2, 0.4, 0.4]],
        ...     {"class": ["low", "mid", "high"]}, dims=("case", "class"),
        ... )
        >>> sets = po.ordinal(proba).prediction_sets([0.5, 0.5, 0.5])
        >>> sets["low"].values.tolist(), sets["high"].values.tolist()
        ([0, 1], [0, 2])
        """
        self._refuse_cube("prediction_sets")
        sets: xr.Dataset = dataarrays.decided.sets_of_cases(self._array, limits, dim, atol)
        return sets

    def least_costly(
        self, costs: Any, dim: Hashable | None = None, *, atol: float | None = None
    ) -> xr.DataArray:
        """Return the class of least expected cost: the prediction with the best expected cost.

        Parameters
        ----------
        costs : array_like, DataFrame, DataArray or dict, shape (K, K)
            The cost of each predicted class (columns) for each true class (rows); negative costs
            are gains. Labels are matched to the classes, as in `expected_cost`.
        dim : name, optional
            The dimension of the classes, as in `expected_class`.
        atol : float, optional
            By how much the probabilities of a case may differ from a sum of 1, such as 0.002 for
            three decimals. They are not rescaled. Default: 1e-6.

        Returns
        -------
        DataArray
            Codes from 0, with the attributes that `cut` describes; of classes that cost the same,
            the lowest. -1 where a probability is missing.

        Raises
        ------
        ValueError
            If the dimension of the classes is not known, probabilities are negative or do not sum
            to 1 within 1e-6, or `atol`, or costs are not K x K finite numbers.

        See Also
        --------
        pandas_ordinal.metrics.least_costly : the formula, and when costs tie.

        Examples
        --------
        >>> import pandas_ordinal as po
        >>> import xarray as xr
        >>> coords = {"class": ["well", "ill"]}
        >>> proba = xr.DataArray([[0.7, 0.3], [0.9, 0.1]], coords, ("case", "class"))
        >>> po.ordinal(proba).least_costly([[0, 1], [5, 0]]).values
        array([1, 0], dtype=int8)
        """
        self._refuse_cube("least_costly")
        codes: xr.DataArray = dataarrays.decided.decide(
            self._array, metrics.least_costly, dim, atol=atol, costs=costs
        )
        return codes

    def normalize(self, over: Literal["true", "pred", "all"]) -> xr.DataArray:
        """Turn counts into shares.

        Parameters
        ----------
        over : {"true", "pred", "all"}
            What sums to one: each true class, each predicted class, or each matrix.

        Returns
        -------
        DataArray
            Shares; NaN where the counts sum to zero. Metrics reject them by their name, "share".

        Raises
        ------
        ValueError
            If `over` has another value, a count is negative or not finite, or the array holds
            shares already.

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
        *,
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
            The predicted labels. Dimensions that only they have are kept, as are those of the true
            labels that are not in `dim`; shared ones must have equal coordinates.
        dim : name or list of names, optional
            The dimensions to count over. Default: all dimensions of the true labels.
        by : name, DataArray, dict or list of these, optional
            Keys to group by: coordinates, a component of one in the notation of xarray, such as
            ``"time.season"``, arrays of labels, or a dict ``{name: grouper}`` of `xr.groupers`,
            along dimensions that are counted over. Each key becomes a dimension.
        sample_weight : DataArray, optional
            The weight of each case: finite and not negative. Booleans select cases. Weights may
            lack dimensions of the labels; dimensions that only the weights have are kept.
        classes : sequence or "flags", optional
            The classes from lowest to highest. Integer labels are codes: positions in `classes`,
            with -1 for missing. They are not codes if the classes are numbers, or if the array has
            CF flags: `classes` then lists their `flag_meanings`, and "flags" stands for all of
            these in the order of `flag_values`. Default: the classes that the attributes of codes
            made by `cut` or `as_ordered` have; else every integer from the smallest to the largest
            label or flag, unless there is a -1.
        bins : sequence, optional
            The edges of the classes, one more than there are classes, or an IntervalIndex: each
            class becomes the bin at its position. Not needed if the classes are bins.
        dropna : bool, default False
            Drop cases with a missing value or key. By default, they raise an error.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1. Cases with one of them as true or predicted label
            are dropped.

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
        return dataarrays.query.array_query(query).cube()

    def probabilities(
        self,
        dim: Hashable,
        *,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        ignore: Hashable | list[Any] | None = None,
    ) -> xr.DataArray:
        """Return the share of members in each class: the forecast of an ensemble.

        Parameters
        ----------
        dim : name
            The dimension of the members.
        classes : sequence or "flags", optional
            The classes from lowest to highest, as in `report`.
        bins : sequence, optional
            The edges of bins, into which `cut` sorts the members first: these are numbers then,
            and not labels.
        ignore : label or list of labels, optional
            Labels to exclude, such as 255 or -1: such a member is not there.

        Returns
        -------
        DataArray
            Over the other dimensions and `class`, whose coordinate has the classes. Shares of the
            members that are present; NaN where there is none. Chunked members give chunked shares.

        Raises
        ------
        ClassOrderError
            If the labels declare no order of the classes, or contradicting ones.
        UnknownClassError
            If a label is not a class, or a number is in no bin.
        ValueError
            If the members have no such dimension, or `bins` is given for labels of classes.

        Examples
        --------
        >>> import numpy as np
        >>> import pandas_ordinal as po
        >>> import xarray as xr
        >>> members = xr.DataArray([[0, 0, 1, 2], [2, np.nan, 2, 1]], dims=("case", "member"))
        >>> po.ordinal(members).probabilities("member").values.round(3).tolist()
        [[0.5, 0.25, 0.25], [0.0, 0.333, 0.667]]
        """
        self._refuse_cube("probabilities")
        query = Query(classes=classes, bins=bins, ignore=ignore)
        return dataarrays.members.probabilities_along(self._array, dim, query)

    @property
    def plot(self) -> CubePlot:
        """Pictures of a cube: call it to draw the confusion matrices, or call its methods.

        Examples
        --------
        >>> import pandas_ordinal as po
        >>> cube = po.from_counts([[8, 2, 0], [1, 7, 2], [0, 3, 7]], classes=[0, 1, 2])
        >>> axes = cube.ordinal.plot()
        >>> axes.get_ylabel()
        'true class'
        """
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
        return files.dataset.to_dataset(self._array)

    def to_netcdf(
        self,
        path: FilePath,
        *,
        engine: Literal["netcdf4", "h5netcdf"] | None = None,
        encoding: Encoding | None = None,
    ) -> None:
        """Save a cube as a netCDF 4 file, replacing an existing one; `po.open_cube` reads it.

        Parameters
        ----------
        path : str or path
            The file.
        engine : {"netcdf4", "h5netcdf"}, optional
            What writes it. Default: the first of these that is installed. On a full disk,
            h5netcdf ends the process.
        encoding : dict, optional
            How xarray lays out the values: ``zlib``, ``complevel``, ``shuffle``, ``chunksizes``,
            such as ``{"zlib": True, "complevel": 4}``.

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
        files.cube.to_netcdf(self._array, path, engine=engine, encoding=encoding)

    def to_zarr(
        self,
        store: Any,
        *,
        mode: Literal["w", "w-"] = "w-",
        zarr_format: Literal[2, 3] | None = None,
        encoding: Encoding | None = None,
    ) -> None:
        """Save a cube as a zarr store, a chunked one chunk by chunk; `po.open_cube` reads it.

        Parameters
        ----------
        store : str, path or zarr store
            The folder; an existing one is replaced once everything is written. Stores of other
            kinds are written to at once, so the cube must not be read from them.
        mode : {"w-", "w"}, default "w-"
            Whether an existing store raises an error ("w-") or is replaced ("w"). While a store is
            replaced, readers may find none, or chunks of both: write to a new store instead, then
            point readers to it.
        zarr_format : {2, 3}, optional
            The format of the store. Default: that of the zarr library.
        encoding : dict, optional
            How xarray lays out the values: ``chunks``, ``shards`` and ``compressors``, such
            as ``{"chunks": (1, 5, 5)}``.

        Raises
        ------
        TypeError, ValueError
            If the cube cannot be held exactly, or `encoding` has other options.
        FileExistsError
            If the store exists and `mode` is "w-", or if what exists is not a store of cubes or
            reports, holds other files, or is the current folder, a home folder or a mount point.
        FileNotFoundError
            If the parent folder is missing.

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
        files.cube.to_zarr(
            self._array, store, mode=mode, zarr_format=zarr_format, encoding=encoding
        )


def _of_labels(metric: Metric) -> str:
    """Explain what to call for a metric that a cube cannot have."""
    return (
        f"{metric.name} needs {metric.needs}, and a cube holds counts: call it on the true "
        f"labels, true.ordinal.{metric.name}({metric.takes})"
    )


def _refuse_labels(query: Query) -> None:
    """Raise if a cube is given more than options of metrics."""
    refused = [option for option in query.given if option not in ("true", "bins")]
    if refused:
        raise TypeError(
            f"the array has the dimensions 'true' and 'pred': it is a cube of counts, and a cube "
            f"takes options only, not {refused[0]}=. Sum it over a dimension with cube.sum(...); "
            "rename the dimensions of an array of labels with .rename(...)"
        )


def _refuse_no_pred(name: str, query: Query, *options: str) -> None:
    """Raise if an array of labels is given no prediction."""
    if not set(options) & set(query.given):
        raise ValueError(
            f"the array has the dimensions {query.true.dims}: a cube of counts has 'true' and "
            "'pred', and comes from .ordinal.confusion(...); an array of true labels is scored "
            f"against predicted ones, true.ordinal.{name}(pred, dim=...)"
        )
