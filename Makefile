# Two commands are enough: `make demo` and `make test`. Each makes its own virtual environment first.

PYTHON ?= python3
LAB := .venv/lab
DEV := .venv/dev

.PHONY: help demo test check lint bench format clean

help:
	@echo "make demo    draw the paper's main figure from few runs: progress, table, pictures and a page in demo/"
	@echo "make test    everything that must hold: layout, lint, types, layers, tests, the code in the docs"
	@echo "make check   the same"
	@echo "make lint    all of that but the tests"
	@echo "make bench   the benchmarks; results go to benchmarks/results"
	@echo "make format  let ruff rewrite the layout of the code"

$(LAB)/.ready: pyproject.toml
	$(PYTHON) -m venv $(LAB)
	$(LAB)/bin/python -m pip install --quiet --disable-pip-version-check -e '.[lab]'
	@touch $@

$(DEV)/.ready: pyproject.toml
	$(PYTHON) -m venv $(DEV)
	$(DEV)/bin/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

demo: $(LAB)/.ready
	$(LAB)/bin/quack figure main --runs 20 --out demo
	$(LAB)/bin/quack report demo/data --out demo/report.html --title "The paper's main figure, from 20 runs"

lint: $(DEV)/.ready
	$(DEV)/bin/ruff format --check .
	$(DEV)/bin/ruff check .
	$(DEV)/bin/mypy
	$(DEV)/bin/lint-imports

check: lint
	$(DEV)/bin/pytest -n auto

test: check

bench: $(DEV)/.ready
	$(DEV)/bin/python -m benchmarks

format: $(DEV)/.ready
	$(DEV)/bin/ruff format .
	$(DEV)/bin/ruff check --fix .

clean:
	rm -rf .venv demo dist build
