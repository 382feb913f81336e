# Each target creates and reuses its own environment; Python 3.11 or newer is all it needs.
PYTHON ?= python3
BIN = .venv/bin
SEED ?= 1
JUPYTER = JUPYTER_CONFIG_DIR=$(CURDIR)/.venv/jupyter
unexport PYTHONDONTWRITEBYTECODE  # tests that are compiled anew in each process take half a minute
fuzz: N ?= 10000
mutants: N ?= 300

.PHONY: demo intervals decisions large lab test slow cover coverage fuzz mutants lint bench bench-large cluster lowest dist papers picture screenshots docs clean

demo: .venv/core.done        ## five models on real data, by ten measures
	$(BIN)/python examples/demo.py

intervals: .venv/core.done   ## six models, bins of unequal width, the last one open
	$(BIN)/python examples/intervals.py

decisions: .venv/docs.done   ## what to predict from probabilities: five rules, 24 cases, two minutes
	$(BIN)/python examples/decisions.py

large: .venv/cluster.done    ## 20 M rows in Parquet files, on a cluster of two workers
	$(BIN)/python examples/large.py

lab: .venv/lab.done          ## the notebooks of the docs, in JupyterLab
	$(JUPYTER) $(BIN)/jupytext-config set-default-viewer
	$(JUPYTER) $(BIN)/jupyter lab --notebook-dir docs/notebooks

test: .venv/test.done        ## tests but the slow ones, docstrings, README and docs
	$(BIN)/python -m pytest -n auto -m "not slow" --hypothesis-profile=quick

slow: .venv/test.done        ## the tests that 'make test' leaves out: clusters, memory, coverage of intervals
	$(BIN)/python -m pytest -n auto -m slow

cover: .venv/test.done       ## all tests, the slow ones too, with the lines and branches that they reach
	$(BIN)/python -m pytest -n auto --cov=pandas_ordinal --cov-branch --cov-report=term:skip-covered

coverage: .venv/test.done    ## how often intervals hold the truth, minutes
	PYTHONPATH=tests $(BIN)/python tests/inference/coverage.py
	PYTHONPATH=tests $(BIN)/python tests/inference/coverage_of_rows.py
	PYTHONPATH=tests $(BIN)/python tests/inference/coverage_of_raters.py
	PYTHONPATH=tests $(BIN)/python tests/inference/coverage_of_sets.py
	PYTHONPATH=tests $(BIN)/python tests/inference/coverage_within.py
	PYTHONPATH=tests $(BIN)/python tests/inference/designs.py
	PYTHONPATH=tests $(BIN)/python tests/inference/rare.py
	PYTHONPATH=tests $(BIN)/python tests/inference/paired.py
	PYTHONPATH=tests $(BIN)/python tests/inference/equal_models.py
	PYTHONPATH=tests $(BIN)/python tests/inference/statements.py
	PYTHONPATH=tests $(BIN)/python tests/inference/planned.py
	PYTHONPATH=tests $(BIN)/python tests/inference/calibration_tests.py
	PYTHONPATH=tests $(BIN)/python tests/inference/coverage_of_parts.py

fuzz: .venv/test.done        ## N random cases against literal answers, five minutes for 10,000
	PYTHONPATH=tests $(BIN)/python -m fuzz --cases $(N) --seed $(SEED)

mutants: .venv/test.done     ## N mutants of all modules, half an hour; the shares that the tests notice
	PYTHONPATH=tests $(BIN)/python -m mutants --mutants $(N) --seed $(SEED)

lint: .venv/lint.done        ## style, format and both type checkers
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/pyright --pythonpath $(BIN)/python

bench: .venv-bench/done      ## ratios against floors and peers, into benchmarks/RESULTS.md
	.venv-bench/bin/python benchmarks/run.py

bench-large: .venv-bench/done  ## 100 M rows in Parquet files, by six engines, and curves, into the same
	.venv-bench/bin/python benchmarks/large_frames.py
	.venv-bench/bin/python benchmarks/large_curves.py

cluster: .venv-bench/done    ## a grid on two workers that could not hold it
	.venv-bench/bin/python benchmarks/cluster.py

lowest: .venv-lowest/done    ## tests but the slow ones, with all examples, on the lowest supported versions
	.venv-lowest/bin/python -m pytest -n auto -m "not slow" --hypothesis-profile=quick

dist: .venv-dist/done        ## wheel and sdist; the demo from the wheel, on each Python from 3.11 to 3.14
	rm -rf dist
	.venv-dist/bin/python -m build --quiet
	.venv-dist/bin/python -m twine check --strict dist/*
	.ci/wheel

papers: .venv/papers.done    ## four papers redone: printed values checked, others shown beside ours
	MPLBACKEND=agg $(BIN)/python -W error examples/papers/binotto_delgado.py
	MPLBACKEND=agg $(BIN)/python -W error examples/papers/cardoso_sousa.py
	MPLBACKEND=agg $(BIN)/python -W error examples/papers/gaudette_japkowicz.py
	MPLBACKEND=agg $(BIN)/python -W error examples/papers/waegeman.py

picture: .venv/docs.done     ## the pictures of README and docs
	$(BIN)/python examples/picture.py

screenshots: .venv/lab.done  ## the notebooks, run and checked in headless Chromium; their pictures in the docs
	$(BIN)/python examples/screenshots.py

docs: .venv/docs.done        ## the site, from docs/ and the docstrings, into site/_build
	$(BIN)/python -m sphinx -c site -W --keep-going -j auto -E -q docs site/_build

clean:                       ## remove the environments
	rm -rf .venv .venv-bench .venv-lowest .venv-dist dist

.venv/core.done: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

.venv/%.done: .venv/core.done
	$(BIN)/python -m pip install --quiet --editable ".[$*]"
	touch $@

.venv-bench/done: pyproject.toml benchmarks/requirements.txt
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install --quiet --requirement benchmarks/requirements.txt --editable .
	touch $@

.venv-dist/done:
	$(PYTHON) -m venv .venv-dist
	.venv-dist/bin/python -m pip install --quiet build twine
	touch $@

.venv-lowest/done: pyproject.toml tests/lowest.txt
	$(PYTHON) -m venv .venv-lowest
	.venv-lowest/bin/python -m pip install --quiet --constraint tests/lowest.txt --editable ".[test]"
	touch $@
