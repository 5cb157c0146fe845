# What a newcomer and CI run. Only Go, make and git are needed: everything else is a
# Go module, pinned in a go.mod of the tree.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

FUZZTIME ?= 30s

.PHONY: help
help: ## list the targets
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: ## generate clients, and show a controller at work with them (WAIT=1: and stay)
	@./hack/demo $(if $(WAIT),--wait)

# Most packages are expected output, which is compiled and vetted, and has no tests.
TESTED = go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./...

.PHONY: test
test: ## run the tests, and compile the expected output in both flavours
	go build ./... && go vet ./... && go vet -tags seeded ./runtime/cache && go test -race $$($(TESTED))
	go vet $$(cd testdata/apis && go list ./...)
	cd golden/client-go && go build ./... && go vet ./...
	cd metrics/prometheus && go vet ./... && go test -race ./...
	cd bench && go vet ./... && go test $$($(TESTED))
	cd conformance && go vet ./suite/... && go test -race ./suite/...

.PHONY: generate
generate: testdata ## regenerate all that is generated: test cases and expected output
	go test $$($(TESTED)) -update

.PHONY: checkgenerate
checkgenerate: generate ## regenerate, and fail if that changes anything
	@if [ -n "$$(git status --porcelain)" ]; then git status --short; git diff; echo "run make generate and commit"; exit 1; fi

.PHONY: lint
lint: ## run the linters of .golangci.yml
	GOWORK=off go tool -modfile=tools/lint/go.mod golangci-lint run ./...
	cd metrics/prometheus && GOWORK=off go tool -modfile=../../tools/lint/go.mod golangci-lint run ./...

.PHONY: fuzz
fuzz: ## run every fuzz target for FUZZTIME (30s)
	@for p in $$($(TESTED)); do \
		for f in $$(go test -list '^Fuzz' $$p | grep ^Fuzz || true); do \
			echo "== $$p $$f"; go test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) $$p; \
		done; \
	done

.PHONY: model
model: ## hold informers to their model for a million operations, and the model to seeded bugs
	go test -race -run 'TestModel$$' -timeout 1h ./runtime/cache -model.ops=1000000
	go test -tags seeded -run TestSeeded -timeout 1h ./runtime/cache

.PHONY: bench
bench: ## measure beside code-generator and client-go, and write docs/benchmarks.md
	cd bench && go run ./generate -write && go run ./wire -write && go run ./cache -write

# -count=1: the tests build what they test, which the cache of results does not see.
# With GOEXPERIMENT=jsonv2, go-json-experiment/json is the standard library's, of another
# age: what is decoded must be the same.
.PHONY: conformance
conformance: ## compare with code-generator, client-go and the real API server
	GOEXPERIMENT=jsonv2 go test ./runtime/codec ./runtime/watch
	cd conformance && go vet ./... && go test -count=1 -timeout 30m $$($(TESTED))
	cd conformance && go run ./internal/kube/build
	cd conformance && go vet -tags kube ./internal/kube/... && go test -race -count=1 -tags kube ./internal/kube/...
	cd conformance && go vet -tags kube ./suite && go test -race -count=1 -tags kube -run TestServer ./suite

include tools/generate.mk
