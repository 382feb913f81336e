"""Draw the picture of the README: the confusion matrices of five models, with their OCI paths."""

from pathlib import Path

from demo import read_predictions

import pandas_ordinal as po

PICTURE = Path(__file__).parents[1] / "docs" / "confusion.png"


def main() -> None:
    """Write docs/confusion.png."""
    cube = po.ordinal(read_predictions()).confusion("y", "yhat", by="model")
    panels = po.ordinal(cube).plot(col="model", path=True)
    panels[0].figure.savefig(PICTURE, dpi=110)


if __name__ == "__main__":
    main()
