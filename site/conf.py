"""The site: the pages of docs/, and a page for each name of the library."""

import sys
from pathlib import Path

import dask.dataframe  # noqa: F401  # before the library, which else leaves Dask out

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent / "tests")]

import pandas_ordinal as po  # noqa: E402

project = "pandas_ordinal"
author = copyright = "The pandas_ordinal developers"
version = release = po.__version__
extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "numpydoc",
    "myst_nb",
    "sphinx_copybutton",
    "site_pages",
]
default_role = "py:obj"  # `vus` in a docstring is a link where there is one

autodoc_typehints = "none"
numpydoc_show_class_members = False
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3
nb_custom_formats = {".py": ["jupytext.reads", {"fmt": "py:percent"}]}  # the papers
exclude_patterns = ["api/papers/classifiers.py"]
nb_execution_mode = "force"  # a cache would show what the library did yesterday
nb_execution_raise_on_error = True
nb_output_stderr = "remove"  # bars of progress
nb_execution_timeout = 600  # for a cell, on a busy machine
copybutton_exclude = ".linenos, .gp, .go"

html_theme = "pydata_sphinx_theme"
html_title = project
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_search_scorer = str(HERE / "_static/scorer.js")
html_copy_source = html_show_sourcelink = False
html_sidebars = {"api/*/*": [], "start": [], "gallery": []}  # five times faster than with them
mathjax_path = "mathjax/tex-svg.js"  # MathJax 3.2.2 in one file, so that formulas need no net
html_theme_options = {
    "header_links_before_dropdown": 5,
    "navbar_end": ["theme-switcher"],
    "navigation_with_keys": False,
    "show_toc_level": 2,
}
