# `make run` and `make test` also install missing libraries.
SLUICE = .build/release/sluice
# On Linux, the Swift runtime is linked statically: programs need less CPU and run without a Swift installation. On
# macOS, the runtime is part of the system.
ifeq ($(shell uname -s),Linux)
RUNTIME = --static-swift-stdlib
endif
RELEASE = swift build -c release $(RUNTIME)

.PHONY: run test test-room test-browser api-list api-docs build set-up record-demo demo-regression
.PHONY: operating-characteristics benchmark benchmark-shapes picture dist packages test-dist format lint clean

run: build
	@$(SLUICE) recordings verify
	@$(SLUICE) run

# At most 16 tests run at the same time. Without a limit, Swift Testing starts all of them at once. On a small machine,
# each test then waits minutes for its turn in the middle of its work, time limits included.
test: set-up
	SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=16 swift test

# The tests of one room: Statistics, Support, Core, Gating, Reporting, Sluice, CLI or Testing.
test-room: set-up
	@if [ -z "$(ROOM)" ] || [ ! -d "Tests/Sluice$(ROOM)Tests" -a ! -d "Tests/$(ROOM)Tests" ]; then \
	  echo "name a room: make test-room ROOM=Statistics (or Support, Core, Gating, Reporting, Sluice, CLI, Testing)" >&2; \
	  exit 2; fi
	SLUICE_ROOM=$(ROOM) swift test

# Tests the HTML pages in a headless Chromium, which apt installs if it is missing: filters, keyboard, links, geometry,
# contrast, names for assistive technology, hostile texts.
test-browser: set-up
	@browser="$(BROWSER)"; [ -n "$$browser" ] || browser=$$(scripts/browser) || exit 1; \
	SLUICE_BROWSER="$$browser" swift test --filter '(Report|History|Comparison|Health)Page'

# Writes docs/api.txt, the list of public declarations that a test compares with the sources.
api-list: set-up
	SLUICE_UPDATE_API=1 swift test --filter PublicAPITests

# The API documentation of Sluice and SluiceTesting, built with the toolchain's DocC; fails on a warning.
api-docs: set-up
	@scripts/api-docs

build: set-up
	@$(RELEASE) --product sluice

set-up:
	@scripts/set-up

# Records the answers of the stand-in again: clarity, smart-reply-stream and the project of `sluice init`. All other
# answers are from a model.
record-demo: build
	@$(RELEASE) --product StandInModelServer
	@scripts/record-demo

# Runs the example of the README: a clarity prompt that no longer sends the conversation. The run must fail.
demo-regression: build
	@$(SLUICE) run clarity --prompt prompts/clarity/no-history.yaml; code=$$?; \
	if [ $$code -eq 1 ]; then echo "exit 1: the gates caught the dropped conversation"; \
	else echo "exit $$code, expected 1" >&2; exit 1; fi

# Measures how often the gates are right with and without a change, and writes the page. Exits with 1 if a limit is
# missed.
operating-characteristics:
	@$(RELEASE) --product OperatingCharacteristics
	@.build/release/OperatingCharacteristics > docs/operating-characteristics.md.new; code=$$?; \
	if [ -s docs/operating-characteristics.md.new ]; then \
	  mv docs/operating-characteristics.md.new docs/operating-characteristics.md; \
	else rm -f docs/operating-characteristics.md.new; fi; exit $$code

# Compares the time of `sluice run` on recorded answers with that of a script. TOOLS is the folder with the script and
# with the program that makes its data.
benchmark: build
	@$(RELEASE) --product RecordedAnswers
	@Benchmarks/recorded-answers.py $(TOOLS)

# Makes the same comparison on suites like ours, with a script that scores the same properties. Prints the table of
# Benchmarks/README.md.
benchmark-shapes: build
	@$(RELEASE) --product RecordedAnswers
	@Benchmarks/user-shapes.py $(TOOLS)

# Makes docs/example: the report of the README's example, with pictures of its first screen.
picture: build
	@scripts/picture

# Makes the program of a release for this Linux, as an archive in dist/. All libraries except the C library are linked
# statically.
dist:
	@scripts/dist

# Makes packages from the result of `make dist`: a wheel, npm packages, a Debian package and the files of a container
# image.
packages:
	@scripts/package

# Tests the results of `make dist` and `make packages`, each in a clean environment. Takes some minutes; needs root and
# mmdebstrap.
# With STRICT=1, a check that this machine cannot run is a failure.
test-dist:
	@scripts/check-network
	@scripts/check-packages $(if $(STRICT),--strict)
	@scripts/check-program $(if $(STRICT),--strict)

format:
	swift format --in-place --recursive --parallel Package.swift Benchmarks Sources Tests

lint:
	swift format lint --strict --recursive --parallel Package.swift Benchmarks Sources Tests

clean:
	rm -rf .build dist reports/latest reports/runs
