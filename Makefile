# What can be done with this project. `make` alone lists it.
# Every path is relative: make cannot name a file whose folder has a space in it.

SHELL := /bin/sh
PYTHON := .venv/bin/python
READY := .venv/ready
export BINGO_REQUIRE_BROWSER := $(if $(filter true,$(CI)),1,$(BINGO_REQUIRE_BROWSER))
# The settings of a program that only reads the code.
NOWHERE := DATABASE_URL=postgresql:///none REDIS_URL=unix:///none SECRET_KEY=none
.DEFAULT_GOAL := help
.PHONY: help run test test-all check bench demo rules format pins clean setup browser

help: ## list what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 12

run: $(READY) ## run the hall at http://127.0.0.1:8000 (PORT=… for another)
	@exec $(PYTHON) manage.py serve

demo: $(READY) ## play a whole evening by itself
	@exec $(PYTHON) manage.py demo

test: $(READY) browser ## run the tests, without the slow ones
	@$(PYTHON) -m pytest -q -m "not slow" $(ARGS)

test-all: $(READY) browser ## run all the tests
	@$(PYTHON) -m pytest -q $(ARGS)

check: $(READY) ## check format, lint, types, imports, migrations, catalogues, templates
	@echo format && $(PYTHON) -m ruff format --check --quiet .
	@echo lint && $(PYTHON) -m ruff check --quiet .
	@echo types && $(NOWHERE) $(PYTHON) -m mypy
	@echo imports && $(PYTHON) .venv/bin/lint-imports --no-cache
	@echo migrations && $(PYTHON) manage.py makemigrations --check --dry-run
	@echo catalogues && $(PYTHON) manage.py catalogues --check
	@echo templates && $(PYTHON) -m djlint --quiet --check --lint templates
	@echo security && $(PYTHON) -m bandit --quiet --recursive bingo halls draws -c pyproject.toml
	@echo settings && $(PYTHON) manage.py check

bench: $(READY) ## measure speed (ONLY=cards,sales for some)
	@$(PYTHON) -m tests.bench $(ONLY)

rules: $(READY) ## list each rule of law and the tests that prove it
	@$(PYTHON) manage.py rules

format: $(READY) ## format code and templates
	@$(PYTHON) -m ruff format .
	@$(PYTHON) -m ruff check --fix-only --quiet .

pins: $(READY) ## renew the pinned versions from pyproject.toml (needs uv)
	uv pip compile -q --python-version 3.11 --no-header --no-annotate pyproject.toml -o requirements.txt
	uv pip compile -q --python-version 3.11 --no-header --no-annotate --extra dev pyproject.toml -o requirements-dev.txt

clean: ## remove what was made here, except data in var/
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

setup: $(READY)

$(READY): requirements-dev.txt
	@.ci/setup

browser:
	@.ci/browser
