"""`.ordinal` on a Dataset: variables of true and predicted labels."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar, Unpack

import pandas as pd
import xarray as xr

from pandas_ordinal import dataarrays, files
from pandas_ordinal import ratings as of_raters
from pandas_ordinal.accessors.base import (
    MEMBERS,
    OF_MEMBERS,
    ExtraParameter,
    Ordinal,
    orders,
    sized,
)
from pandas_ordinal.accessors.typing import KeysLike, OfDataset
from pandas_ordinal.classes.bins import BinsLike
from pandas_ordinal.classes.gate import ClassesLike
from pandas_ordinal.counterparts import OF_DATASETS
from pandas_ordinal.cube.layout import keeps_attributes
from pandas_ordinal.errors import UnknownNameError, an, brief, did_you_mean, show
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
from pandas_ordinal.rows.compare import compare_sample

if TYPE_CHECKING:
    from pandas_ordinal.files.reading import FilePath

MODEL_DIM = "pandas_ordinal_model"


Clustered = TypeVar("Clustered", Agreement, Uncertainty)


class DatasetOrdinal(Ordinal, OfDataset):
    """Ordinal evaluation of the labels in a Dataset.

    Parameters
    ----------
    dataset : Dataset
        True and predicted labels as variables.
    """

    _returns = (
        "DataArray over the dimensions other than `dim`",
        "DataArray over the dimensions other than `dim`, and `class`",
        "DataArray over the dimensions other than `dim`, `true` and `pred`",
    )
    _tables = "Dataset over the dimensions other than `dim`, and `class`"
    _of_proba = OF_MEMBERS
    _extra: ClassVar = {
        **MEMBERS,
        "score": ExtraParameter(
            "Hashable",
            """score : name
    The variable that holds the scores, higher for higher classes.""",
        ),
        "proba": ExtraParameter(
            "Hashable",
            """proba : name
    The variable that holds the probabilities of the classes: one dimension has the classes as its
    coordinate, in any order.""",
        ),
        "cluster": ExtraParameter(
            "Hashable | xr.DataArray | None",
            """cluster : name or DataArray, optional
    The labels of clusters of cases, such as patients: a variable or an array. Default: cases are
    independent.""",
        ),
    }
    _examples: ClassVar = {
        "pred": """>>> import pandas_ordinal as po
>>> import xarray as xr
>>> ds = xr.Dataset({{"y": ("case", [0, 0, 1, 1, 2, 2]), "yhat": ("case", [0, 1, 1, 2, 2, 2])}})
>>> ds.ordinal.{metric}("y", "yhat", {options})""",
        "score": """>>> import pandas_ordinal as po
>>> import xarray as xr
>>> ds = xr.Dataset({{
...     "y": ("case", [0, 0, 1, 1, 2, 2]), "score": ("case", [1, 2, 2, 3, 3, 4])
... }})
>>> ds.ordinal.{metric}("y", "score", {options})""",
        "proba": """>>> import pandas_ordinal as po
>>> import xarray as xr
>>> ds = xr.Dataset({{
...     "y": ("case", [0, 1]), "p": (("case", "class"), [[0.8, 0.2], [0.5, 0.5]]), "class": [0, 1]
... }})
>>> ds.ordinal.{metric}("y", "p", {options})""",
    }

    _of_columns = OF_DATASETS

    _verbs = ("report", "compare", "confusion", "to_netcdf", "to_zarr")

    def __init__(self, dataset: xr.Dataset) -> None:
        self._dataset = dataset

    def _repr_lines(self) -> list[str]:
        arrays = {name: self._dataset[name] for name in self._dataset.variables}
        title = f".ordinal of a Dataset of {sized(self._dataset.sizes)}"
        dtypes = [
            (name, dataarrays.labels.classes_in(array) or array.dtype)
            for name, array in arrays.items()
        ]
        return [title, *orders(dtypes)]

    def _score(self, metric: Metric, options: dict[str, Any], query: Query) -> xr.DataArray:
        return dataarrays.scored.score_arrays(self._with_arrays(query), metric, options)

    def _table_by_class(self, table: TableByClass, query: Query) -> xr.Dataset:
        table = replace(table, uncertainty=self._with_cluster(table.uncertainty))
        found = dataarrays.by_class.table_of_arrays(
            self._with_arrays(query), table, [self._dataset]
        )
        return found.assign_attrs(self._dataset.attrs if keeps_attributes() else {})

    def _with_cluster(self, options: Clustered) -> Clustered:
        """Replace the name of the clusters by their variable."""
        if options.cluster is None:
            return options
        array = dataarrays.keys.array_among(options.cluster, [self._dataset], "cluster")
        return replace(options, cluster=array)

    def _with_arrays(self, query: Query) -> Query:
        """Replace the names of variables by the variables."""
        names = {"true": query.true, **query.scored}
        if query.sample_weight is not None:
            names["sample_weight"] = query.sample_weight
        arrays: dict[str, Any] = {
            option: self._variable(option, name) for option, name in names.items()
        }
        if query.by is not None:
            arrays["by"] = dataarrays.keys.keys_among(query.by, [self._dataset])
        return replace(query, **arrays)

    def _variable(self, option: str, name: Any) -> xr.DataArray:
        if isinstance(name, xr.DataArray):
            raise TypeError(
                f"{option}= takes the name of a variable, not a DataArray: add the array to the "
                f"Dataset with ds.assign({option}=...)"
            )
        if not isinstance(name, Hashable):
            raise TypeError(
                f"{option}= takes the name of one variable, not {an(type(name).__name__)}: join "
                f"several with ds.assign({option}=xr.decode_cf(ds[[...]]).to_dataarray('model')), "
                "which puts them along a dimension of their own; arrays are scored by true.ordinal"
            )
        names = list(self._dataset.variables)
        if name not in self._dataset.variables:
            hint = did_you_mean(name, names)
            raise UnknownNameError(
                f"the dataset has no variable {brief(name)}{hint}; it has {names}"
            )
        return self._dataset[name]

    def confusion(
        self,
        true: Hashable,
        pred: Hashable,
        *,
        dim: Hashable | list[Any] | None = None,
        by: KeysLike | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
    ) -> xr.DataArray:
        """Count labels by true and predicted class.

        Parameters
        ----------
        true : name
            The variable that holds the true labels.
        pred : name
            The variable that holds the predicted labels; dimensions that only it has are kept.
        dim : name or list of names, optional
            The dimensions to count over. Default: all dimensions of the true labels.
        by : name, DataArray, dict or list of these, optional
            Keys to group by: variables, a component of one in the notation of xarray, such as
            ``"time.season"``, arrays of labels, or a dict ``{name: grouper}`` of `xr.groupers`,
            along dimensions that are counted over. Each key becomes a dimension.
        sample_weight : name, optional
            The variable that holds the weight of each case: finite and not negative. Booleans
            select cases. Weights may lack dimensions of the labels; dimensions that only the
            weights have are kept.
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
        >>> import pandas_ordinal as po
        >>> import xarray as xr
        >>> ds = xr.Dataset({"y": ("case", [0, 0, 1, 2]), "yhat": ("case", [0, 1, 1, 1])})
        >>> ds.ordinal.confusion("y", "yhat").values
        array([[1, 1, 0],
               [0, 1, 0],
               [0, 1, 0]])
        """
        query = Query(
            true=true, pred=pred, dim=dim, by=by, sample_weight=sample_weight, classes=classes,
            bins=bins, dropna=dropna, ignore=ignore,
        )  # fmt: skip
        return dataarrays.query.array_query(self._with_arrays(query)).cube()

    def report(
        self,
        true: Hashable,
        pred: Hashable | None = None,
        *,
        metrics: MetricsLike | None = None,
        score: Hashable | None = None,
        proba: Hashable | None = None,
        dim: Hashable | list[Any] | None = None,
        by: KeysLike | None = None,
        sample_weight: Hashable | None = None,
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

        Parameters
        ----------
        true : name
            The variable that holds the true labels.
        pred : name, optional
            The variable that holds the predicted labels. Not needed for scores or probabilities
            alone.
        metrics : list, dict, or "all", optional
            A list of names, kernels, or partials of kernels; a dict from names of variables to
            these or to your own functions of counts ``(..., K, K)``; or "all", every metric that
            is one number. Default: ten metrics that do not duplicate one another; for scores also
            `vus` and `u_pairs`; for probabilities also `rps`, `log_loss` and `brier`.
        score : name, optional
            The variable that holds the scores, for the ranking metrics.
        proba : name, optional
            The variable that holds the probabilities of the classes. One dimension has the classes
            as its coordinate.
        dim : name or list of names, optional
            The dimensions to count over. Default: all dimensions of the true labels.
        by : name, DataArray, dict or list of these, optional
            Keys to group by: variables, a component of one in the notation of xarray, such as
            ``"time.season"``, arrays of labels, or a dict ``{name: grouper}`` of `xr.groupers`,
            along dimensions that are counted over. Each key becomes a dimension.
        sample_weight : name, optional
            The variable that holds the weight of each case: finite and not negative. `n` still
            counts cases. Booleans select cases; `n` counts only these. Dimensions that only the
            weights have are kept.
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
        >>> import pandas_ordinal as po
        >>> import xarray as xr
        >>> ds = xr.Dataset({"y": ("case", [0, 0, 1, 2]), "yhat": ("case", [0, 1, 1, 1])})
        >>> report = ds.ordinal.report("y", "yhat", metrics=["accuracy", "mae"])
        >>> {name: float(value) for name, value in report.items()}
        {'n': 4.0, 'accuracy': 0.5, 'mae': 0.5}
        """
        requested = self._with_cluster(Uncertainty(**uncertainty))
        query = Query(
            true=true, pred=if_given(pred), score=if_given(score), proba=if_given(proba), dim=dim,
            by=by, sample_weight=sample_weight, classes=classes, bins=bins, dropna=dropna,
            ignore=ignore, atol=atol, member_dim=member_dim, fair=fair,
        )  # fmt: skip
        report = dataarrays.scored.report_arrays(
            self._with_arrays(query), metrics, requested, [self._dataset]
        )
        kept = self._dataset.attrs if keeps_attributes() else {}
        return report.assign_attrs({**kept, **report.attrs})

    def compare(
        self,
        true: Hashable,
        pred: Hashable | list[Any] | None = None,
        *,
        model: Hashable | None = None,
        metrics: MetricsLike | None = None,
        score: Hashable | list[Any] | None = None,
        proba: Hashable | list[Any] | None = None,
        dim: Hashable | list[Any] | None = None,
        by: KeysLike | None = None,
        sample_weight: Hashable | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
        atol: float | None = None,
        **comparison: Unpack[ComparisonOptions],
    ) -> pd.DataFrame:
        """Compare models on the same cases, and test which differences are significant.

        Parameters
        ----------
        true : name
            The variable that holds the true labels.
        pred : list of names, or name, optional
            The variables that hold the predicted labels of the models; with `model`, the one
            variable of all models. Not needed for scores or probabilities alone.
        model : name, optional
            The dimension of the models in `pred`, `score` and `proba`.
        metrics : list, dict, or "all", optional
            A list of names, kernels, or partials of kernels; a dict from labels to these or to
            your own functions of counts ``(..., K, K)``; or "all". Default: those of `report`.
        score : list of names, or name, optional
            The variables that hold the scores of the models, in the order of `pred`; with `model`,
            the one variable of all models.
        proba : list of names, or name, optional
            The variables that hold the probabilities of the models, in the order of `pred`; with
            `model`, the one variable of all models.
        dim : name or list of names, optional
            The dimensions to count over. Default: all dimensions of the true labels.
        by : name, DataArray, dict or list of these, optional
            Keys to group by, as in `report`.
        sample_weight : name, optional
            The variable that holds the weight of each case, as in `report`.
        classes : sequence or "flags", optional
            The classes from lowest to highest, as in `report`.
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
        **comparison : ComparisonOptions
            How models are compared.

        Returns
        -------
        DataFrame
            A row per position along the remaining dimensions, key, metric and pair of models, with
            the columns that `FrameOrdinal.compare` describes.

        Examples
        --------
        >>> import pandas_ordinal as po
        >>> import xarray as xr
        >>> ds = xr.Dataset({
        ...     "y": ("case", [0, 0, 1, 1, 2, 2]), "a": ("case", [0, 0, 1, 1, 2, 1]),
        ...     "b": ("case", [0, 2, 1, 2, 2, 0]),
        ... })
        >>> comparison = ds.ordinal.compare("y", ["a", "b"], metrics=["mae"])
        >>> round(float(comparison["difference"].squeeze()), 3)
        -0.667
        """
        requested = Comparison(**comparison)
        options = {"pred": pred, "score": score, "proba": proba}
        names = {option: name for option, name in options.items() if name is not None}
        arrays: dict[str, Any]
        if model is None:
            arrays = self._along_models(names, ignore)
        else:
            arrays = {option: self._variable(option, name) for option, name in names.items()}
        if sample_weight is not None:
            arrays["sample_weight"] = self._variable("sample_weight", sample_weight)
        query = Query(
            true=self._variable("true", true), **arrays, dim=dim, classes=classes, bins=bins,
            by=None if by is None else dataarrays.keys.keys_among(by, [self._dataset]),
            dropna=dropna,
            ignore=ignore, atol=atol,
        )  # fmt: skip
        cluster = None
        if requested.cluster is not None:
            cluster = dataarrays.keys.array_among(requested.cluster, [self._dataset], "cluster")
        along = MODEL_DIM if model is None else model
        rows = dataarrays.sample.sample_of_arrays(
            dataarrays.query.array_query(query, holders=[self._dataset]), along, cluster
        )
        return compare_sample(rows, metrics, requested)

    def agreement(
        self,
        ratings: Hashable | list[Any],
        *,
        rater: Hashable | None = None,
        dim: Hashable | list[Any] | None = None,
        by: KeysLike | None = None,
        classes: ClassesLike | None = None,
        bins: BinsLike | None = None,
        ignore: Hashable | list[Any] | None = None,
        **agreement: Unpack[AgreementOptions],
    ) -> xr.Dataset:
        """Compute the agreement of two or more raters, whose ratings may have gaps.

        Parameters
        ----------
        ratings : list of names or name
            The variables of the raters; or the one variable that has a dimension of raters.
        rater : name, optional
            With one variable, the dimension of the raters.
        dim : name or list of names, optional
            The dimensions of the items. Default: all of them.
        by : name, DataArray, dict or list of these, optional
            Keys to group by: variables, arrays of labels, or a dict ``{name: grouper}`` of
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
        >>> ds = xr.Dataset({"r1": ("item", [0, 1, 2, 2]), "r2": ("item", [0, 1, 1, 2])})
        >>> float(po.ordinal(ds).agreement(["r1", "r2"], dim="item").conger_kappa)
        0.8
        """
        keys = None if by is None else dataarrays.keys.keys_among(by, [self._dataset])
        query = Query(dim=dim, by=keys, classes=classes, bins=bins, dropna=True, ignore=ignore)
        asked = self._with_cluster(Agreement(**agreement))
        several = ratings if isinstance(ratings, list) else None
        if (several is None) == (rater is None):
            raise ValueError(
                f"ratings={brief(ratings)} must be a list of variables, one a rater; or one "
                'variable, with the dimension of the raters, such as rater="rater"'
            )
        found: xr.Dataset
        if several is None:
            array = self._variable("ratings", ratings)
            found = of_raters.arrays.agreement_along(array, rater, query, asked)
            return found
        arrays = {str(name): self._variable("ratings", name) for name in several}
        if len(arrays) < len(several):
            raise ValueError(f"ratings={brief(several)} must name different variables")
        found = of_raters.arrays.agreement_of_variables(arrays, query, asked)
        return found

    def _along_models(self, names_of: Mapping[str, Any], ignore: Any) -> dict[str, xr.DataArray]:
        """Join the variables of several models along a new dimension."""
        joined: dict[str, xr.DataArray] = {}
        models: list[Any] = []
        for option, names in names_of.items():
            if not isinstance(names, list) or len(names) < 2:
                raise ValueError(
                    "compare needs two models or more: give a list of variables, or in model= the "
                    f"dimension of {brief(names)} that has the models"
                )
            if not all(map(pd.api.types.is_hashable, names)):
                raise TypeError(f"{option}={brief(names)} must be a list of names of variables")
            models = models or names
            if len(set(names)) < len(names):
                raise ValueError(f"{option}={brief(names)} must name different variables")
            if len(names) != len(models):
                raise ValueError(
                    f"{option}={brief(names)} must be a list with a variable for each of the "
                    f"{len(models)} models {show(models)}, in their order"
                )
            arrays = {str(name): self._variable(option, name).rename(option) for name in names}
            flags = None
            if option == "pred":
                arrays, flags = dataarrays.flags.described(arrays, ignore)
            else:
                arrays = {name: dataarrays.flags.decoded(one) for name, one in arrays.items()}
            joined[option] = xr.concat(
                list(arrays.values()), pd.Index(models, name=MODEL_DIM, tupleize_cols=False),
                coords="minimal", compat="override", join="exact", combine_attrs="drop",
            )  # fmt: skip
            if flags is not None:
                joined[option] = flags.on(joined[option])
        return joined

    def to_netcdf(
        self, path: FilePath, *, engine: Literal["netcdf4", "h5netcdf"] | None = None
    ) -> None:
        """Save a report as a netCDF 4 file, replacing an existing one.

        `po.open_report` reads it.

        Parameters
        ----------
        path : str or path
            The file.
        engine : {"netcdf4", "h5netcdf"}, optional
            What writes it. Default: the first of these that is installed.

        Raises
        ------
        TypeError, ValueError
            If labels or values cannot be held exactly, or no variable lies along all dimensions.
        FileNotFoundError
            If its folder is missing.

        Examples
        --------
        >>> import pandas as pd
        >>> from tempfile import TemporaryDirectory
        >>> import pandas_ordinal as po
        >>> cube = po.ordinal(pd.DataFrame({"y": [1, 2], "yhat": [2, 2]})).confusion("y", "yhat")
        >>> report = po.ordinal(cube).report()
        >>> with TemporaryDirectory() as folder:
        ...     po.ordinal(report).to_netcdf(f"{folder}/report.nc")
        ...     po.open_report(f"{folder}/report.nc").identical(report)
        True
        """
        files.cube.report_to_netcdf(self._dataset, path, engine=engine)

    def to_zarr(
        self,
        store: Any,
        *,
        mode: Literal["w", "w-"] = "w-",
        zarr_format: Literal[2, 3] | None = None,
    ) -> None:
        """Save a report as a zarr store; `po.open_report` reads it.

        Parameters
        ----------
        store : str, path or zarr store
            The folder; an existing one is replaced once everything is written.
        mode : {"w-", "w"}, default "w-"
            Whether an existing store raises an error ("w-") or is replaced ("w").
        zarr_format : {2, 3}, optional
            The format of the store. Default: that of the zarr library.

        Raises
        ------
        TypeError, ValueError
            If labels or values cannot be held exactly, or no variable lies along all dimensions.
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
        >>> report = po.ordinal(cube).report()
        >>> with TemporaryDirectory() as folder:
        ...     po.ordinal(report).to_zarr(f"{folder}/report.zarr")
        ...     po.open_report(f"{folder}/report.zarr").identical(report)
        True
        """
        files.cube.report_to_zarr(self._dataset, store, mode=mode, zarr_format=zarr_format)
