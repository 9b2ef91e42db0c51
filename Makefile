# What can be done with this project. `make` alone lists it.
# Every path is relative: make cannot name a file whose folder has a space in it.

SHELL := /bin/sh
PYTHON := .venv/bin/python
READY := .venv/ready
export BINGO_REQUIRE_BROWSER := $(if $(filter true,$(CI)),1,$(BINGO_REQUIRE_BROWSER))
# The settings of a program that only reads the code.
NOWHERE := DATABASE_URL=postgresql:///none REDIS_URL=unix:///none SECRET_KEY=none
.DEFAULT_GOAL := help
CHECKS := check-format check-lint check-types check-imports check-migrations check-catalogues \
	check-templates check-security check-dependencies check-settings check-rules check-asvs
.PHONY: $(CHECKS) help run test test-all room check bench demo rules format pins sbom audit asvs clean setup browser

help: ## list what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 12

run: $(READY) ## run the hall at http://127.0.0.1:8000 (HALL=own, HALL=demonstration, PORT=…)
	@exec $(PYTHON) manage.py serve

demo: $(READY) ## play a whole evening by itself
	@exec $(PYTHON) manage.py demo

test: $(READY) browser ## run the tests, without the slow ones
	@$(PYTHON) -m pytest -q -n 2 -m "not slow" $(ARGS)

test-all: $(READY) browser ## run all the tests
	@$(PYTHON) -m pytest -q -n 2 $(ARGS)

room: $(READY) browser ## run the tests of one room (ROOM=custody, ROOM=record/acta)
	@$(PYTHON) -m pytest -q -n 2 -m "not slow" tests/$(ROOM) $(wildcard tests/rules/test_$(ROOM).py tests/e2e/test_$(ROOM).py) $(ARGS)

check: $(CHECKS) ## check all that needs no test: format, lint, types, imports …

check-format: $(READY)
	@echo format
	@$(PYTHON) -m ruff format --check --quiet --output-format concise .

check-lint: $(READY)
	@echo lint
	@$(PYTHON) -m ruff check --quiet --output-format concise .

check-types: $(READY)
	@echo types
	@$(NOWHERE) $(PYTHON) -m mypy --no-error-summary

check-imports: $(READY)
	@echo imports
	@$(PYTHON) .venv/bin/lint-imports --no-cache --no-logo

check-migrations: $(READY)
	@echo migrations
	@$(PYTHON) manage.py makemigrations --check --dry-run --verbosity 0

check-catalogues: $(READY)
	@echo catalogues
	@$(PYTHON) manage.py catalogues --check

check-templates: $(READY)
	@echo templates
	@$(PYTHON) -m djlint --quiet --lint templates
	@$(PYTHON) -m djlint --quiet --check templates >/dev/null || { echo "make format would change templates"; false; }

check-security: $(READY)
	@echo security
	@$(PYTHON) -m bandit --quiet --recursive --configfile pyproject.toml bingo halls draws

check-dependencies: $(READY)
	@echo dependencies
	@$(PYTHON) manage.py dependencies --check

check-settings: $(READY)
	@echo settings
	@$(PYTHON) manage.py check

check-rules: $(READY)
	@echo rules
	@$(PYTHON) manage.py rules --check

check-asvs: $(READY)
	@echo asvs
	@$(PYTHON) manage.py asvs --check

bench: $(READY) ## measure speed (ONLY=cards,sales for some)
	@$(PYTHON) -m tests.bench $(ONLY)

rules: $(READY) ## list each rule of law and the tests that prove it
	@$(PYTHON) manage.py rules

asvs: $(READY) ## list each requirement of OWASP ASVS and how it is met
	@$(PYTHON) manage.py asvs

format: $(READY) ## format code and templates
	@$(PYTHON) -m ruff check --fix-only --quiet .
	@$(PYTHON) -m ruff format --quiet .
	@$(PYTHON) -m djlint --quiet --reformat templates >/dev/null || true

pins: $(READY) ## renew the pinned versions from pyproject.toml (needs uv)
	uv pip compile -q --python-version 3.11 --no-header --no-annotate --generate-hashes pyproject.toml -o requirements.txt
	uv pip compile -q --python-version 3.11 --no-header --no-annotate --generate-hashes --extra dev pyproject.toml -c requirements.txt -o requirements-dev.txt
	uv pip compile -q --python-version 3.11 --no-header --no-annotate --generate-hashes --extra train pyproject.toml -c requirements.txt -o requirements-train.txt
	$(MAKE) sbom

sbom: $(READY) ## renew the list of all packages a hall runs on, sbom.cdx.json (CycloneDX)
	@sed -n 's/ *\\$$//; /==/p' requirements.txt | $(PYTHON) -W ignore -m cyclonedx_py requirements - \
		--pyproject pyproject.toml --output-reproducible --output-format JSON --output-file sbom.cdx.json

audit: $(READY) ## ask for known weaknesses of the pinned packages, and note the day (needs a network)
	@$(PYTHON) manage.py dependencies --audit

clean: ## remove what was made here, except data in var/
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

setup: $(READY) ## make .venv with the pinned packages

$(READY): requirements-dev.txt
	@.ci/setup

browser:
	@.ci/browser
