# Two commands matter: `make play` and `make test`. Each sets up all it needs in this folder.
SHELL := bash
.SHELLFLAGS := -o pipefail -c
PYTHON ?= python3
BIN := .venv/bin
PLAYABLE := .venv/.playable
READY := .venv/.ready
# Hundreds of processes import the same modules: compiled once, even where the environment says not to.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help play quick test test-quick test-client check-client test-core test-api test-boards test-treaties test-browser test-rest install words web lint types rules record release docs bench ladder fast lock map format clean

help:  ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

play: $(PLAYABLE) words client  ## start Powderkeg and open it in a browser (ARGS="--port 8001" for another port)
	@$(BIN)/powderkeg serve $(ARGS)

# Each check runs on one core, so they run side by side; each shows its output when it is done.
TOGETHER := +@$(MAKE) --no-print-directory $(if $(filter output-sync,$(.FEATURES)),--output-sync=target) -j

# What takes seconds only to collect, and what compiles a kernel first.
DEAR := tests/browser tests/server/http/test_openapi.py docs/guides/research.md docs/tour.md
without = $(foreach path,$(1),--ignore=$(path))

quick: install web  ## the checks that take a minute: lint, types, fast tests
	$(TOGETHER)3 lint types test-client test-quick

# Slow tests wait for servers, pages and disks now and then, so there is one more of them than cores.
CORES = import os; print(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count())
EACH = $$($(BIN)/python -c '$(CORES)')
MORE = -n $$(( $(EACH) + 1 )) --dist=loadscope
# One file needs this plugin, which takes half a second in every process.
LIGHT := -p no:schemathesis

test-quick: web
	@$(BIN)/python -m pytest -q $(LIGHT) -n $(EACH) --dist=worksteal -m "not slow" $(call without,$(DEAR) $(COMPILED))

# The tests of the compiled boards come first, each kernel in one process: they compile what other
# tests only load.
test: install web  ## everything that must hold: lint, types, all tests
	$(TOGETHER)2 test-boards test-treaties types check-client test-core test-api lint
	@$(MAKE) --no-print-directory test-browser
	@$(MAKE) --no-print-directory test-rest

test-client: web
	@$(BIN)/python web/scripts/build.py test

check-client: web
	@$(BIN)/python web/scripts/build.py check test

test-core: install
	@$(BIN)/python -m pytest tests/core -q $(LIGHT) --cov --cov-report=term:skip-covered --cov-fail-under=100

# Its tests share one name, so they cannot be spread.
API := tests/server/http/test_openapi.py

test-api: install
	@$(BIN)/python -m pytest $(API) -q

BOARDS := tests/games/diplomacy/fast tests/games/risk_europe/fast tests/bots/risk_europe/test_lines.py tests/rl/test_orders.py tests/rl/test_words_vector.py
TREATIES := tests/games/versailles/fast tests/rl/test_treaty_vector.py tests/bots/versailles/test_lines.py
COMPILED := $(BOARDS) $(TREATIES)

test-boards: install
	@$(BIN)/python -m pytest $(BOARDS) -q $(LIGHT)

test-treaties: install
	@$(BIN)/python -m pytest $(TREATIES) -q $(LIGHT)

# Tests that fail while others use the machine run once more, alone. A fault fails again; both
# runs are printed. These are not all tests, so they cannot prove all rules.
define ALONE
|| { [ $$? -eq 1 ] && echo "Again, alone:" && POWDERKEG_FULL= $(BIN)/python -m pytest -q -n 0 --last-failed --last-failed-no-failures=none $(1); }
endef

test-browser: web
	@$(BIN)/python -m pytest tests/browser -q $(LIGHT) $(MORE) $(call ALONE,tests/browser)

REST := $(LIGHT) $(call without,tests/browser tests/core $(API) $(COMPILED))
test-rest: export POWDERKEG_FULL := 1
test-rest: web
	@$(BIN)/python -m pytest -q $(MORE) $(REST) $(call ALONE,$(REST))

install: $(READY) words  ## make .venv with the `powderkeg` command and all tools in it

# What playing needs: the server, the compiled bots, and what builds our own package.
# A lock file names every package, so pip must not look for more: `--no-deps`. Without it, a newer
# release of a package that is asked for with an extra stops the installation.
$(PLAYABLE): requirements-play.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Powderkeg needs Python 3.11 or newer." if sys.version_info < (3, 11) else 0)'
	@echo "Installing the server (once, about a minute) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --progress-bar off --no-deps --require-hashes -r requirements-play.lock | $(PROGRESS)
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	@touch $(PLAYABLE)

$(READY): $(PLAYABLE) requirements.lock
	@echo "Installing the tools for development (once, a few minutes) ..."
	@$(BIN)/python -m pip install --quiet --no-deps --require-hashes -r requirements.lock
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

record: install  ## write the recorded playthroughs again (the diff is for review)
	@$(BIN)/python -m pytest -q -n auto -k "playthrough or transcript or recorded" --record

# RELEASE=PYTHON: the interpreter of an installed older release, which the levels play against as well
OLDER = $(if $(RELEASE),--release $(RELEASE))

release: web  ## build and check the packages of a release in dist/ (URL=https://... where the source is)
	@$(BIN)/python bench/versailles_balance.py --check docs
	@folder=$$(mktemp -d) && for game in diplomacy versailles risk_europe; do \
		$(BIN)/python bench/ladder.py $$game $$folder/$$game --check $(OLDER) || exit 1; done
	@$(BIN)/python -m tools.release --url "$(URL)"

ladder: install  ## play every level against the one below and the references, and write their pages (hours; it can be stopped and continued)
	@for game in diplomacy versailles risk_europe; do \
		$(BIN)/python bench/ladder.py $$game .cache/ladder/$$game all --report --jobs 2 $(OLDER) || exit 1; done

bench: install web  ## measure everything beside other engines and write docs/reference/speed.md (ARGS="--short" takes minutes)
	@$(BIN)/powderkeg bench --cache .cache/peers --write docs $(ARGS)

fast: install  ## compile the rules that run most often (a C compiler, some minutes); ARGS="--remove" undoes it
	@$(BIN)/python -m tools.compile_rules $(ARGS)

docs: install  ## build the documentation into site/
	@$(BIN)/zensical build --strict

format: install  ## put the code into shape
	@$(BIN)/ruff check --fix --quiet . ; $(BIN)/ruff format --quiet .

lock: install  ## choose versions of all dependencies again
	@$(COMPILE) --upgrade $(EXTRAS) --group dev --group build -o requirements.lock
	@$(COMPILE) --upgrade --extra server --extra fast --group build -c requirements.lock -o requirements-play.lock

COMPILE := $(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --no-header --no-annotate pyproject.toml
# All but `cluster`: Ray is large, and only those who have a cluster need it.
EXTRAS := $(foreach extra,arena client draw fast mcp rl server,--extra $(extra))

map:  ## make the two maps of Europe again
	@$(BIN)/python -m tools.mapmaker

clean:  ## remove everything that make made
	find src -name '*.so' -delete && rm -f src/powderkeg/compiled.json
	rm -rf .venv .proof build dist site .cache .mypy_cache .pytest_cache .ruff_cache .hypothesis
