# Two commands matter: `make play` and `make test`. Each sets up all it needs in this folder.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: help play test install words web lint types rules record docs lock map format clean

help:  ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

play: install web  ## start Powderkeg and print the address (ARGS="--port 8001" for another)
	@$(BIN)/powderkeg serve $(ARGS)

test: install web lint types  ## everything that must hold: lint, types, tests
	@$(BIN)/python web/scripts/build.py check test
	@$(BIN)/python -m pytest tests/core -q --cov --cov-report=term:skip-covered --cov-fail-under=100
	@$(BIN)/python -m pytest tests/browser -q
	@POWDERKEG_FULL=1 $(BIN)/python -m pytest -q -n auto --dist=worksteal --ignore=tests/browser

install: $(READY) words  ## make .venv with the `powderkeg` command in it

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Powderkeg needs Python 3.11 or newer." if sys.version_info < (3, 11) else 0)'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	@touch $(READY)

words:  # catalogues are compiled when they changed
	@$(BIN)/python hatch_build.py

WEB_SOURCES := $(shell find web src/powderkeg/picture docs/rules src/powderkeg/locale src/powderkeg/games \
	\( -path web/node_modules -o -name __pycache__ \) -prune -o -type f ! -name '*.py' ! -name '*.mo' -print)

web: install src/powderkeg/web/index.html  ## build the browser client

src/powderkeg/web/index.html: $(WEB_SOURCES)
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

lock:  ## choose versions anew (needs uv)
	uv pip compile --universal --generate-hashes --python-version 3.11 --no-header --no-annotate $(EXTRAS) --group dev --upgrade pyproject.toml -o requirements.lock

# All but `cluster`: Ray is large, and only those who have a cluster need it.
EXTRAS := $(foreach extra,arena draw fast mcp rl server,--extra $(extra))

map:  ## make the two maps of Europe anew
	@$(BIN)/python -m tools.mapmaker

clean:  ## remove everything that make made
	rm -rf .venv .proof build dist site .mypy_cache .pytest_cache .ruff_cache .hypothesis
