"""Draw the picture of the README: two models' confusion matrices with their OCI paths."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import xarray as xr
from demo import PARTIES, read_predictions
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

import pandas_ordinal as po

PICTURE = Path(__file__).parents[1] / "docs" / "confusion.png"

MODELS = ["boosting", "rounded-regression"]


def draw(axes: Axes, counts: xr.DataArray, title: str) -> None:
    """Draw the share of each true class and mark the cells of the OCI path."""
    shares = po.ordinal(counts).normalize("true").values
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=0.8)
    for row, column in np.argwhere(po.ordinal(counts).oci_path().values):
        corner = (column - 0.46, row - 0.46)
        axes.add_patch(Rectangle(corner, 0.92, 0.92, fill=False, color="tab:orange", linewidth=3))
    for (row, column), n in np.ndenumerate(counts.values):
        color = "white" if shares[row, column] > 0.4 else "black"
        axes.text(column, row, str(n), ha="center", va="center", color=color)
    axes.set_title(title, fontsize=11)
    axes.set_xticks(range(len(PARTIES)), PARTIES, rotation=40, ha="right")
    axes.set_xlabel("predicted")


def main() -> None:
    """Write docs/confusion.png."""
    cube = po.ordinal(read_predictions()).confusion("y", "yhat", by="model")
    report = po.ordinal(cube).report(metrics=["accuracy", "amae", "oci", "stc"])
    figure, panels = plt.subplots(1, 2, figsize=(11, 5.4), sharey=True, layout="constrained")
    for axes, model in zip(panels, MODELS, strict=True):
        scores = report.sel(model=model).drop_vars(["n", "model"])
        line = "   ".join(f"{name} {value.item():.3f}" for name, value in scores.items())
        draw(axes, cube.sel(model=model), f"{model}\n{line}")
    panels[0].set_yticks(range(len(PARTIES)), PARTIES)
    panels[0].set_ylabel("true")
    figure.savefig(PICTURE, dpi=110)


if __name__ == "__main__":
    main()
