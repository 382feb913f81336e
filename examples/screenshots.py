"""Run the notebooks of the docs, check how they look in a browser, and take screenshots of them.

Each notebook in ``docs/notebooks`` is executed and opened in headless Chromium at a width of 1,280
pixels, and so is its page of the site, if ``make docs`` has built it. The script fails if a cell
fails, if a table breaks an interval into two lines, if an output of a notebook is cut off, or if
an object shows its raw repr. Run with ``make screenshots``.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
from html import unescape
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import jupytext
import nbclient
import nbconvert
from PIL import Image

DOCS = Path(__file__).parents[1] / "docs"
NOTEBOOKS = DOCS / "notebooks"
SITE = DOCS.parent / "site" / "_build" / "notebooks"
WIDTH = 1280
SHOWN = {  # pictures of the docs: a notebook, and the numbers of its first and last code cell
    "notebook-report": ("quickstart", 3, 3),
    "notebook-comparison": ("comparing-models", 2, 3),
    "notebook-bins": ("bins", 3, 4),
}
MEASURE = """
<style>main { padding-bottom: 0 !important } #measured { display: none }</style>
<script>
window.addEventListener("load", () => {
  const faults = [];
  const lines = (cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return new Set([...range.getClientRects()].map((box) => Math.round(box.bottom / 8))).size;
  };
  for (const cell of document.querySelectorAll(".jp-OutputArea td, .cell_output td")) {
    if (/\\[.*,.*\\]/.test(cell.textContent) && lines(cell) > 1)
      faults.push("an interval is broken: " + cell.textContent);
  }
  const outputs = ".jp-OutputArea-output, .cell_output > .output";
  for (const output of document.querySelectorAll(outputs)) {
    const scrolls = output.matches(".cell_output > .output");  // as all that is wide on the site
    if (output.scrollWidth > output.clientWidth + 1 && !scrolls)
      faults.push("an output is cut off: " + output.innerText.trim().slice(0, 60));
    if (/^\\s*<[\\w.]+[ >]/.test(output.textContent) && !output.querySelector("table, img, svg"))
      faults.push("a raw repr: " + output.innerText.trim().slice(0, 60));
  }
  const cells = [...document.querySelectorAll(".jp-CodeCell")].map((cell) => {
    const box = cell.getBoundingClientRect();
    return [box.top, box.bottom];
  });
  const found = { faults, cells, height: Math.ceil(document.body.scrollHeight) };
  const measured = document.createElement("pre");
  measured.id = "measured";
  measured.textContent = JSON.stringify(found);
  document.body.append(measured);
});
</script>
"""


def executed(path: Path) -> str:
    """Run a notebook, and return it as a page that needs no network."""
    notebook = jupytext.read(path)
    folder = {"metadata": {"path": str(path.parent)}}
    nbclient.NotebookClient(notebook, timeout=300, resources=folder).execute()
    exporter = nbconvert.HTMLExporter(mathjax_url="", require_js_url="", jquery_url="")
    page: str = exporter.from_notebook_node(notebook)[0]
    return page


def chromium(page: Path, *options: str, height: int = 1000) -> bytes:
    """Open a page in a browser of the system."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if not browser:
        raise SystemExit("screenshots need chromium or google-chrome")
    size = f"--window-size={WIDTH},{height}"
    headless = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    command = [browser, *headless, size, *options, page.as_uri()]
    return subprocess.run(command, check=True, capture_output=True, timeout=120).stdout


def measured(page: Path) -> dict[str, Any]:
    """Find what is wrong with the layout of a page, and where its code cells are."""
    marked = page.with_name(f"measured-{page.name}")  # beside it, where its styles are
    marked.write_text(page.read_text("utf-8").replace("</body>", MEASURE + "</body>"), "utf-8")
    try:
        dom = chromium(marked, "--virtual-time-budget=5000", "--dump-dom").decode()
    finally:
        marked.unlink()
    match = re.search(r'<pre id="measured"[^>]*>(.*?)</pre>', dom, re.DOTALL)
    if not match:
        raise SystemExit(f"{page.name} was not measured")
    found: dict[str, Any] = json.loads(unescape(match[1]))
    return found


def screenshot(page: Path, height: int) -> Image.Image:
    """Photograph the whole page."""
    picture = page.with_suffix(".png")
    chromium(page, f"--screenshot={picture}", height=height)
    return Image.open(BytesIO(picture.read_bytes()))


def faults_of(page: Path, found: dict[str, Any]) -> int:
    """Print what is wrong with the layout of a page."""
    print(f"{page.parent.name}/{page.name}: {', '.join(found['faults']) or 'no faults'}")
    return len(found["faults"])


def main() -> None:
    """Check each notebook, and write docs/notebook-*.png."""
    parser = argparse.ArgumentParser(description="Check how the notebooks look in a browser.")
    parser.add_argument("--output", type=Path, default=DOCS, help="the folder of the pictures")
    output = parser.parse_args().output
    n_faults = sum(faults_of(page, measured(page)) for page in sorted(SITE.glob("*.html")))
    with TemporaryDirectory() as folder:
        for path in sorted(NOTEBOOKS.glob("*.md")):
            page = Path(folder) / f"{path.stem}.html"
            page.write_text(executed(path), encoding="utf-8")
            found = measured(page)
            n_faults += faults_of(page, found)
            whole = screenshot(page, found["height"])
            for name, (notebook, first, last) in SHOWN.items():
                if notebook == path.stem:
                    top, bottom = found["cells"][first - 1][0], found["cells"][last - 1][1]
                    part = whole.crop((0, int(top), WIDTH, int(bottom) + 8))
                    part.quantize(64).save(output / f"{name}.png", optimize=True)
    sys.exit(n_faults > 0)


if __name__ == "__main__":
    main()
