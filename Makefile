# `make run` and `make test` do everything, set-up included.
SLUICE = .build/release/sluice

.PHONY: run test build set-up record-demo demo-regression format lint clean

run: build
	@$(SLUICE) run

test: set-up
	swift test

build: set-up
	@swift build -c release --product sluice

set-up:
	@scripts/set-up

# Makes the committed recordings anew: starts the stand-in on loopback and asks it everything.
record-demo: build
	@swift build -c release --product StandInModelServer
	@scripts/record-demo

# The story of the README: one instruction dropped from the clarity prompt. The run must fail.
demo-regression: build
	@$(SLUICE) run clarity --prompt prompts/clarity/without-conversation.yaml; code=$$?; \
	if [ $$code -eq 1 ]; then echo "exit 1: the gate caught the dropped instruction"; \
	else echo "exit $$code, expected 1" >&2; exit 1; fi

format:
	swift format --in-place --recursive --parallel Package.swift Sources Tests

lint:
	swift format lint --strict --recursive --parallel Package.swift Sources Tests

clean:
	rm -rf .build reports/latest reports/runs
