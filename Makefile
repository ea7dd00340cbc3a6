# Everything sets itself up: a virtual environment in .venv, made again when pyproject.toml changes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test check bench soak live clean

demo: $(READY)
	$(BIN)/scrubjay demo

test: $(READY)
	$(BIN)/python -m pytest -n auto

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy tests .ci

bench: $(READY)
	$(BIN)/python -m scrubjay.studio.bench

soak: $(READY)
	$(BIN)/python tests/soak_rules.py --count 5000

live: $(READY)
	@test -n "$(MODEL)" || { echo "usage: make live MODEL=openai:gpt-4o-mini"; exit 2; }
	SCRUBJAY_LIVE_MODEL="$(MODEL)" $(BIN)/python -m pytest -m live

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	touch $(READY)

clean:
	rm -rf $(VENV) build dist *.egg-info
