# make run: start the referee (without a token: the local table on 127.0.0.1)
# make test: what to run before each commit; make prove: the long tests that CI runs besides
# make lint, bench, dev: style and types, measurements, the environment alone
# make docs: the manual, into build/manual; make texts: every text that people read, by feature, with its place
# make pictures, gallery: the pictures of README.md and the manual; build/gallery.html with every kind of message
# make trust: four times all seeds, what tries the tests themselves, a campaign, secrets, 500 kills, load (some hours)
# make fuzz: a million inputs of every kind (some 40 minutes); tests/trust has the other long programs
# Another Python: make run PYTHON=python3.12
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BIOME := tests/e2e/node/node_modules/.bin/biome

# pytest keeps what it made of a test file, and the programs that it starts keep what they compiled.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test prove lint docs texts bench pictures gallery fuzz dev clean trust

define venv
@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed, as in: make PYTHON=python3.11")'
@echo "Fetching what is needed into $(VENV), once."
@$(PYTHON) -m venv $(VENV)
endef

$(VENV)/.run: requirements.txt
	$(venv)
	@$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/.dev: requirements.txt requirements-dev.txt
	$(venv)
	@$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@ $(VENV)/.run

run: $(VENV)/.run
	@$(BIN)/python -m bot

dev: $(VENV)/.dev

# More processes than cores: many tests wait for a browser, a timer or a second program.
test: $(VENV)/.dev
	$(BIN)/python -m pytest --workers 4 -rs -m "not prove" $(ARGS)

prove: $(VENV)/.dev
	$(BIN)/python -m pytest --workers 6 -rs --durations=20 --durations-min=10 -m prove $(ARGS)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy bot cogs rules data tests
	@if [ -e $(BIOME) ]; then \
	    $(BIOME) lint --error-on-warnings --config-path=tests/e2e/node/lint.jsonc bot/local/page bot/features/help/check-dice.html tests/e2e/node/bot.cjs; \
	else echo "lint: the page's JavaScript is left out; 'npm install' in tests/e2e/node brings what reads it"; fi
	$(BIN)/python -m tests.audit

# Pages lie where they lie in the clone, and the files that they lead to come along.
docs: $(VENV)/.dev
	rm -rf build/manual-pages && mkdir -p build/manual-pages
	git ls-files -z -- docs '*.md' '*.py' '*.toml' '*.html' LICENSE | xargs -0 cp --parents -t build/manual-pages
	$(BIN)/mkdocs build --strict
	! grep -rnE '<(script|link|img)[^>]* (src|href)="?(https?:)?//' build/manual --include='*.html'

texts: $(VENV)/.dev
	@$(BIN)/python -m tests.texts $(ARGS)

bench: $(VENV)/.dev
	$(BIN)/python -m tests.bench $(PARTS)

pictures: $(VENV)/.dev
	$(BIN)/python -m tests.e2e.page.rounds

gallery: $(VENV)/.dev
	$(BIN)/python -m tests.gallery

fuzz: $(VENV)/.dev
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-fuzz.txt
	$(BIN)/python -m tests.trust.fuzz $(ARGS)

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis

trust: $(VENV)/.dev
	TIMES_AS_MANY_SEEDS=4 $(BIN)/python -m pytest --workers 4
	$(BIN)/python -m tests.reminders.campaign --days 9 --channels 30
	$(BIN)/python -m tests.trust.canary
	$(BIN)/python -m tests.trust.twins
	$(BIN)/python -m tests.trust.undo
	$(BIN)/python -m tests.trust.fairness
	$(BIN)/python -m tests.trust.faults
	$(BIN)/python -m tests.trust.crashes --kills 500
	$(BIN)/python -m tests.trust.load
	$(BIN)/python -m tests.trust.load --limits
	$(BIN)/python -m tests.trust.takeover --kills 10 --tables 4
	$(BIN)/python -m tests.trust.kits 1000 valid
	$(BIN)/python -m tests.trust.kits 10000
