# Two commands matter: `make play` and `make test`. Each sets up all it needs in this folder.
SHELL := bash
.SHELLFLAGS := -o pipefail -c
PYTHON ?= python3
BIN := .venv/bin
PLAYABLE := .venv/.playable
READY := .venv/.ready

.PHONY: help play quick test install words web lint types rules record docs lock map format clean

help:  ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

play: $(PLAYABLE) words client  ## start Powderkeg and open it in a browser (ARGS="--port 8001" for another port)
	@$(BIN)/powderkeg serve $(ARGS)

quick: install web lint types  ## the checks that take a minute: lint, types, fast tests
	@$(BIN)/python web/scripts/build.py test
	@$(BIN)/python -m pytest -q -n auto --dist=worksteal -m "not slow" --ignore=tests/browser

test: install web lint types  ## everything that must hold: lint, types, all tests
	@$(BIN)/python web/scripts/build.py check test
	@$(BIN)/python -m pytest tests/core -q --cov --cov-report=term:skip-covered --cov-fail-under=100
	@$(BIN)/python -m pytest tests/browser -q -n auto --dist=loadfile
	@POWDERKEG_FULL=1 $(BIN)/python -m pytest -q -n auto --dist=worksteal --ignore=tests/browser

install: $(READY) words  ## make .venv with the `powderkeg` command and all tools in it

# What playing needs: the server, the compiled bots, and what builds our own package.
$(PLAYABLE): requirements-play.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Powderkeg needs Python 3.11 or newer." if sys.version_info < (3, 11) else 0)'
	@echo "Installing the server (once, about a minute) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --progress-bar off --require-hashes -r requirements-play.lock | $(PROGRESS)
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	@touch $(PLAYABLE)

$(READY): $(PLAYABLE) requirements.lock
	@echo "Installing the tools for development (once, a few minutes) ..."
	@$(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	@touch $(READY)

# One line that changes: the package that pip is at.
PROGRESS := awk '/^Collecting/ { printf "\r  %-50.50s", $$2; fflush() } END { printf "\r%-52s\r", "" }'

words: $(PLAYABLE)  # catalogues are compiled when they changed
	@$(BIN)/python hatch_build.py

WEB_SOURCES := $(shell find web src/powderkeg/picture docs/rules src/powderkeg/locale src/powderkeg/games \
	\( -path web/node_modules -o -name __pycache__ \) -prune -o -type f ! -name '*.py' ! -name '*.mo' -print)

web: install client  ## build the browser client

client: $(PLAYABLE) src/powderkeg/web/index.html

src/powderkeg/web/index.html: $(WEB_SOURCES)
	@echo "Building the browser client ..."
	@$(BIN)/python web/scripts/build.py
	@touch $@

lint: install  ## ruff: style and formatting
	@$(BIN)/ruff check --quiet . && $(BIN)/ruff format --check --quiet .

types: install  ## mypy --strict
	@$(BIN)/mypy --no-error-summary

rules: install  ## prove the numbered rules and list what is missing
	@$(BIN)/python -m pytest -q -n auto -m rule --prove-rules
	@$(BIN)/powderkeg rules

record: install  ## write the recorded playthroughs anew (the diff is for review)
	@$(BIN)/python -m pytest -q -n auto -k "playthrough or transcript or recorded" --record

docs: install  ## build the documentation into site/
	@$(BIN)/mkdocs build --strict --quiet

format: install  ## put the code into shape
	@$(BIN)/ruff check --fix --quiet . ; $(BIN)/ruff format --quiet .

lock: install  ## choose versions of all dependencies again
	@$(COMPILE) --upgrade $(EXTRAS) --group dev --group build -o requirements.lock
	@$(COMPILE) --upgrade --extra server --extra fast --group build -c requirements.lock -o requirements-play.lock

COMPILE := $(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --no-header --no-annotate pyproject.toml
# All but `cluster`: Ray is large, and only those who have a cluster need it.
EXTRAS := $(foreach extra,arena client draw fast mcp rl server,--extra $(extra))

map:  ## make the two maps of Europe anew
	@$(BIN)/python -m tools.mapmaker

clean:  ## remove everything that make made
	rm -rf .venv .proof build dist site .mypy_cache .pytest_cache .ruff_cache .hypothesis
