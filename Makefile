# `make run` and `make test` do everything, set-up included.
SLUICE = .build/release/sluice
# On Linux the Swift runtime is linked in: less CPU, and programs that run where no Swift is. macOS has it in the system.
ifeq ($(shell uname -s),Linux)
RUNTIME = --static-swift-stdlib
endif
RELEASE = swift build -c release $(RUNTIME)

.PHONY: run test test-room test-browser build set-up record-demo demo-regression operating-characteristics benchmark benchmark-shapes picture dist packages test-dist format lint clean

run: build
	@$(SLUICE) recordings verify
	@$(SLUICE) run

test: set-up
	swift test

# The tests of one room: Statistics, Support, Core, Gating, Reporting, Sluice, CLI or Testing.
test-room: set-up
	@if [ -z "$(ROOM)" ] || [ ! -d "Tests/Sluice$(ROOM)Tests" -a ! -d "Tests/$(ROOM)Tests" ]; then \
	  echo "name a room: make test-room ROOM=Statistics (or Support, Core, Gating, Reporting, Sluice, CLI, Testing)" >&2; \
	  exit 2; fi
	SLUICE_ROOM=$(ROOM) swift test

# The HTML pages in a headless Chromium, which apt installs where it is missing: filters, keyboard, links, geometry,
# contrast, names for assistive technology, hostile texts.
test-browser: set-up
	@browser="$(BROWSER)"; [ -n "$$browser" ] || browser=$$(scripts/browser) || exit 1; \
	SLUICE_BROWSER="$$browser" swift test --filter '(Report|History|Comparison|Health)Page'

build: set-up
	@$(RELEASE) --product sluice

set-up:
	@scripts/set-up

# Records the stand-in anew: clarity, smart-reply-stream and the project of `sluice init`. A model gave all other answers.
record-demo: build
	@$(RELEASE) --product StandInModelServer
	@scripts/record-demo

# The story of the README: a clarity prompt that no longer sends the conversation. The run must fail.
demo-regression: build
	@$(SLUICE) run clarity --prompt prompts/clarity/no-history.yaml; code=$$?; \
	if [ $$code -eq 1 ]; then echo "exit 1: the gates caught the dropped conversation"; \
	else echo "exit $$code, expected 1" >&2; exit 1; fi

# What the gates do when something changed and when nothing did; exits 1 when a bar is missed.
operating-characteristics:
	@$(RELEASE) --product OperatingCharacteristics
	@.build/release/OperatingCharacteristics > docs/operating-characteristics.md.new; code=$$?; \
	if [ -s docs/operating-characteristics.md.new ]; then \
	  mv docs/operating-characteristics.md.new docs/operating-characteristics.md; \
	else rm -f docs/operating-characteristics.md.new; fi; exit $$code

# The time of `sluice run` on recorded answers beside that of a script; TOOLS is the folder of the script and of its data's maker.
benchmark: build
	@$(RELEASE) --product RecordedAnswers
	@Benchmarks/recorded-answers.py $(TOOLS)

# The same on the shapes that users have, beside a script that scores the same: the table of Benchmarks/README.md.
benchmark-shapes: build
	@$(RELEASE) --product RecordedAnswers
	@Benchmarks/user-shapes.py $(TOOLS)

# The report of the README's story in docs/example, with pictures of its first screen.
picture: build
	@scripts/picture

# The program of a release for this Linux, with every library but the C library linked in: an archive in dist/.
dist:
	@scripts/dist

# Packages of what `make dist` made: a wheel, npm packages, a Debian package and the files of a container image.
packages:
	@scripts/package

# Tests what `make dist` and `make packages` made, each in a clean place. Takes some minutes; as root, with mmdebstrap.
test-dist:
	@scripts/check-network
	@scripts/check-packages

format:
	swift format --in-place --recursive --parallel Package.swift Benchmarks Sources Tests

lint:
	swift format lint --strict --recursive --parallel Package.swift Benchmarks Sources Tests

clean:
	rm -rf .build dist reports/latest reports/runs
