# What a newcomer and CI run. Only Go, make and git are needed: everything else is a
# Go module, pinned in a go.mod of the tree.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

FUZZTIME ?= 30s
PERTURB_TIME ?= 1m

.PHONY: help
help: ## list the targets
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  %-22s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: ## run a controller with generated clients (WAIT=1: keep it running)
	@./hack/demo $(if $(WAIT),--wait)

# Most packages are expected output, which is compiled and vetted, and has no tests.
TESTED = go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./...

# Modules of their own, which are linted as the root is. The target test has those of FIRST, test-more those of MORE, and
# conformance-peers has clientgo.
FIRST = apitest examples
MORE = metrics/prometheus generators/analyzer/golangci kubernetes client-go controllerruntime examples/kubebuilder streaming
NESTED = $(FIRST) $(MORE) clientgo

# What is built on is large: compiled with less garbage collection, it takes a sixth less CPU.
# The linters vet. For vetting, the go command reads each dependency once more.
TEST = GOGC=400 go test -vet=off

# Two lanes: while one links or waits, the other compiles.
.PHONY: test test-root test-modules test-more
test: ## run the tests of the generators, the runtime, the server for tests, and the examples
	@$(MAKE) --no-print-directory -j 2 test-root test-modules

# Only the root runs with the race detector here: for it, each of the 1,300 packages that
# apitest builds on would be compiled a second time. The target race has it for all modules.
# The commands' scripts, the expected output, the analyzer, which type-checks packages, and internal, which is for
# commands and tests, run without it: what is concurrent in the generators, their own tests run with it. The decoders
# take eight times as long with it, and have one test of what is concurrent; those of what they are
# made of run with it, which also checks their pointers.
PLAIN = listwatch/(cmd|generators/analyzer|golden|internal/[a-z]+|runtime/codec)$$

test-root:
	$(TEST) -race $$($(TESTED) | grep -v -E '$(PLAIN)')
	$(TEST) -race -run Concurrently ./runtime/codec
	$(TEST) $$($(TESTED) | grep -E '$(PLAIN)')

# The tests of servers of apitest run twice: in the program, and in the process of the tests.
test-modules:
	for module in $(FIRST); do (cd $$module && $(TEST) $$($(TESTED))); done
	cd apitest && $(TEST) -tags inprocess .

# clientgo is tested beside the peers, as both compile all of client-go. -count=1: golden/client-go reads cases and
# templates outside of its module, which the cache of results does not see.
test-more: ## run the tests of the other modules: clients of the built-in kinds, aliases, controller-runtime, streaming, metrics, linters
	for module in $(MORE); do (cd $$module && $(TEST) $$($(TESTED))); done
	cd golden/client-go && $(TEST) -count=1 .

# What the cases under testdata/apis, and the types of kubeconfig in the runtime, need beside what is written by hand. Our
# own tools generate it.
.PHONY: testdata
testdata: ## regenerate the generated code in the test cases
	find testdata/apis -name 'zz_generated.*.go' -delete
	go run ./cmd/gen-deepcopy ./testdata/apis/... ./runtime/clientcmd/api/... ./runtime/clientauthentication/...
	go run ./cmd/gen-register ./testdata/apis/...
	go run ./cmd/gen-applyconfiguration --output-dir=runtime/applyconfigurations k8s.io/apimachinery/pkg/apis/meta/v1

# The packages whose tests compare with files that they write with LISTWATCH_UPDATE=1.
GOLDENS = git grep -lE 'golden\.(File|Update)|goldentest\.Test' -- '*_test.go' ':!apitest' ':!bench' ':!conformance' ':!golden/client-go' | xargs -n 1 dirname | sort -u | sed 's|^|./|'

.PHONY: generate
generate: testdata ## regenerate all generated files: test cases and expected output
	LISTWATCH_UPDATE=1 $(TEST) $$($(GOLDENS))
	cd golden/client-go && LISTWATCH_UPDATE=1 $(TEST) .
	cd examples && go generate ./...
	cd kubernetes && go generate .
	cd client-go && go generate .
	cd conformance && LISTWATCH_UPDATE=1 $(TEST) -count=1 -run 'TestAliases' ./runtime/replace/aliases

.PHONY: checkgenerate
checkgenerate: generate ## regenerate, and fail if anything changes
	@if [ -n "$$(git status --porcelain)" ]; then git status --short; git diff; echo "run make generate and commit"; exit 1; fi

LINT = GOWORK=off go tool -modfile=$(CURDIR)/tools/lint/go.mod golangci-lint run --build-tags kube,trials,projects,programs

# A program whose requirements are a file beside it. The linters cannot be told of such a file.
CONTROLLER_TOOLS = conformance/internal/peers/testdata/controllertools

.PHONY: lint
lint: ## run the linters of .golangci.yml
	go vet -tags seeded ./runtime/cache
	cd kubernetes && go vet -tags seeded ./shards
	cd bench && go vet ./...
	cd bench/manager && go vet ./...
	cd bench/replaced && go vet ./... && go vet -modfile=replaced.mod ./...
	for module in . $(NESTED) conformance conformance/server/foreign conformance/server/perturb; do (cd $$module && $(LINT) ./...); done
	copy=$$(mktemp -d); trap "rm -r $$copy" EXIT; \
		cp $(CONTROLLER_TOOLS)/*.go $$copy; cp $(CONTROLLER_TOOLS).mod $$copy/go.mod; cp $(CONTROLLER_TOOLS).sum $$copy/go.sum; \
		cd $$copy && $(LINT) --config=$(CURDIR)/.golangci.yml ./...

.PHONY: fuzz
fuzz: ## run every fuzz target for FUZZTIME (30s)
	@for module in . apitest streaming; do for p in $$(cd $$module && $(TESTED)); do \
		for f in $$(cd $$module && go test -list '^Fuzz' $$p | grep ^Fuzz || true); do \
			echo "== $$p $$f"; (cd $$module && go test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) $$p); \
		done; \
	done; done

.PHONY: model
model: ## check informers and rings of replicas against their models for long, and the models against seeded bugs
	go test -race -run 'TestModel$$' -timeout 1h ./runtime/cache -model.ops=1000000
	go test -tags seeded -run TestSeeded -timeout 1h ./runtime/cache
	cd kubernetes && go test -run 'TestModel$$' -timeout 1h ./shards -model.seeds=10000
	cd kubernetes && go test -tags seeded -run TestSeeded -timeout 2h ./shards

.PHONY: soak
soak: ## run informers, and a manager's controllers, under load with faults of their server, at length
	cd conformance && go test -v -run TestOnTestServer -timeout 1h ./runtime/soak -soak.limit=1h -soak.objects=20000 -soak.events=1000000 -soak.writers=8 -soak.disturbed=40
	cd conformance && go test -v -tags kube -run TestOnKube -timeout 1h ./runtime/soak -soak.limit=1h -soak.objects=20000 -soak.events=200000 -soak.writers=8 -soak.disturbed=6
	cd conformance/server/foreign && go test -v -vet=off -tags kube -run TestSoakManager -timeout 1h . -soak.limit=1h -soak.objects=5000 -soak.events=100000 -soak.disturbed=10

.PHONY: load
load: ## measure and bound the memory of apitest with 100,000 objects, 10,000 watches and 50 slow readers (not in CI)
	cd apitest && go test -v -vet=off -count=1 -run 'TestLoad$$' -timeout 1h ./embedded -load.objects=100000 -load.watches=10000 -load.slow=50 -load.history=0

.PHONY: managers
managers: ## run suites of controller-runtime with controllerruntime.NewCache: all that create caches on apitest, those of cache, client and manager on the real API server; and 2,000 random scripts on both caches (not in CI)
	cd controllerruntime && go test -v -vet=off -count=1 -run 'TestScripts$$' -timeout 1h . -scripts=2000 -scripts.parallel=32
	cd conformance/server/foreign && go test -v -vet=off -tags kube -count=1 -run 'TestNewCache(OnKube)?$$' -timeout 1h . -newcache.all

.PHONY: election
election: ## disturb 200 leaders of elections between processes, on the real API server
	cd conformance && go test -v -tags kube -run TestOnKube -parallel 4 -timeout 1h ./runtime/election -rounds=200

.PHONY: shards
shards: ## disturb replicas that share objects in 200 rounds, four rings at a time, on the real API server, with and without the gate ShardedListAndWatch, and leaders of an election (not in CI: takes half an hour)
	cd conformance && go run ./internal/kube/build
	cd conformance && go test -v -vet=off -tags kube,programs -count=1 -run 'TestOnKube|TestReplaced' -parallel 4 -timeout 3h ./server/shards -worlds=4 -rounds=50 -objects=500

ROUNDS ?= 3

# The growths come last: their curves need fewer rounds than ratios do.
.PHONY: bench
bench: ## benchmark against code-generator and client-go, and write docs/benchmarks.md (ROUNDS=3)
	cd bench && go run ./generate -rounds $(ROUNDS) -write && go run ./wire -rounds $(ROUNDS) -write && go run ./cache -rounds $(ROUNDS) -write && go run ./memory -rounds 3 -write
	cd bench/manager && go run . -rounds 3 -write
	cd bench/replaced && go run . -rounds 3 -write
	cd bench && export GOTOOLCHAIN=$(NEWER_GO); go run ./wire -newer -rounds 3 -write && go run ./cache -newer -rounds 3 -write
	cd bench && go run ./cache -growth -rounds 3 -write && go run ./memory -growth -rounds 1 -write && go run ./generate -growth -rounds 3 -write
	cd bench && LISTWATCH_UPDATE=1 go test . -run "Readme|Memory"

# What is compared with the real API server, and what runs on apitest beside it; the other
# packages compare with code-generator and client-go.
SERVERS = ./internal/kube/... ./server/suite/... ./runtime/soak ./server/lifetime ./server/conversion ./server/pace ./server/programs ./server/shards ./runtime/untyped ./runtime/election ./generators/crds ./server/kubectl

# Tests of what runs on the real API server need it built: the tag kube brings it. -p 1: one
# server at a time.
KUBE = go list -tags kube -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' $(SERVERS)

.PHONY: conformance conformance-versions conformance-minor conformance-peers conformance-foreign conformance-kube
conformance: conformance-versions conformance-minor conformance-peers conformance-foreign conformance-kube ## compare with code-generator, client-go and the real API server

# The root works with the Kubernetes libraries of four minor versions. It requires the oldest, with the oldest Go that
# these can have: the generators run with it, and the runtime, whose other tests run with the newest ones. Between them
# are two whose API differs: FieldsV1 and ListOptions are new in v0.36, names of OpenAPI models in v0.35. Go 1.27's
# http.Response.Body.Close waits for a read in progress by a lock, which holds up the time of a testing/synctest bubble:
# so tests of HTTP that falls silent cannot run with it.
OLDEST_GO = go1.25.12
OLDEST_KUBERNETES = v0.34.13
NEWER_KUBERNETES = v0.35.10 v0.36.6
NEWEST_KUBERNETES = v0.37.2
NEWER_GO = go1.27.4
SILENT = /(cache|faults)$$

# The packages whose own code or tests depend on the Kubernetes libraries. With those of the versions between, all are
# compiled, and the packages are tested that decode, send, store or describe what differs there; versions-all tests all.
OF_KUBERNETES = $$($(TESTED) | grep /runtime/)
OF_DIFFERENCES = $$($(TESTED) | grep -E '/runtime/(apply|applyconfigurations|codec|dynamic|gentype|metadata|openapi|rest|sharing|testing|cache/internal/delta)(/|$$)')

# A go.mod with the libraries of a version.
bin/%.mod: go.mod go.sum
	mkdir -p bin
	cp go.mod $@; cp go.sum bin/$*.sum
	go get -modfile=$@ k8s.io/apimachinery@$*
	go mod tidy -modfile=$@

conformance-versions: $(NEWER_KUBERNETES:%=bin/%.mod) bin/$(NEWEST_KUBERNETES).mod
	GOTOOLCHAIN=$(OLDEST_GO) $(TEST) $(OF_KUBERNETES) ./generators/...
	for version in $(NEWER_KUBERNETES); do \
		GOGC=400 go build -modfile=bin/$$version.mod ./runtime/...; $(TEST) -modfile=bin/$$version.mod $(OF_DIFFERENCES); done
	GOTOOLCHAIN=$(NEWER_GO) $(TEST) -modfile=bin/$(NEWEST_KUBERNETES).mod $$($(TESTED) | grep /runtime/ | grep -v -E '$(SILENT)')
	$(TEST) -modfile=bin/$(NEWEST_KUBERNETES).mod ./generators/... $$($(TESTED) | grep -E '$(SILENT)')

conformance-minor:
	for version in $(OLDEST_KUBERNETES) $(NEWER_KUBERNETES); do \
		copy=$$(mktemp -d); GOGC=400 go run ./internal/minor/scratch $$version $$copy; rm -r $$copy; done

.PHONY: versions-all
versions-all: $(NEWER_KUBERNETES:%=bin/%.mod) bin/$(NEWEST_KUBERNETES).mod ## run the root's tests with the Kubernetes libraries of all supported minor versions, and those of kubernetes and client-go, generated for each (not in CI: compiles these modules three times)
	$(TEST) $$($(TESTED))
	for version in $(NEWER_KUBERNETES) $(NEWEST_KUBERNETES); do $(TEST) -modfile=bin/$$version.mod $$($(TESTED)); done
	for version in $(OLDEST_KUBERNETES) $(NEWER_KUBERNETES); do \
		copy=$$(mktemp -d); go run ./internal/minor/scratch $$version $$copy; \
		for module in kubernetes client-go; do (cd $$copy/$$module && go build ./... && $(TEST) $$($(TESTED))); done; \
		rm -r $$copy; done

# The decoders' pointers are also checked while they decode all kinds. Of the race detector, which does that too, nothing
# else matters there, and all of Kubernetes' types would be compiled a second time for it.
CHECKED = github.com/listwatch/listwatch/runtime/codec

# -count=1: the tests build what they test, which the cache of results does not see.
conformance-peers:
	cd conformance && $(TEST) -count=1 -timeout 30m $$($(TESTED) | grep -v -F -x -f <(go list $(SERVERS)))
	cd conformance && $(TEST) -gcflags='$(CHECKED)/...=-d=checkptr' -run 'Fuzz|Trials|Protobuf' ./runtime/decoding
	cd bench && $(TEST) ./...
	cd bench/manager && $(TEST) ./...
	cd bench/replaced && $(TEST) ./...
	cd clientgo && $(TEST) ./...

# -parallel 4: what others wrote waits more than it works.
conformance-foreign:
	cd conformance/server/foreign && $(TEST) -count=1 -timeout 30m -parallel 4 ./...

conformance-kube:
	cd conformance && GOGC=400 go run ./internal/kube/build
	cd conformance && $(TEST) -count=1 -tags kube -timeout 30m -p 1 $$($(KUBE))

# Its tests start apitest, of which 1,200 packages are compiled for this alone: as much as for all other tests of modules.
.PHONY: race-controllerruntime
race-controllerruntime: ## run the tests of controllerruntime with the race detector (in CI on a machine of its own)
	cd controllerruntime && $(TEST) -race ./...

.PHONY: race
race: ## run the tests of all modules with the race detector (not in CI: it compiles all of Kubernetes' server twice)
	for module in . $(NESTED) bench; do (cd $$module && go test -race $$($(TESTED))); done
	cd conformance && go run ./internal/kube/build
	cd conformance && go test -race -count=1 -tags kube -timeout 30m -p 1 $$($(KUBE))

.PHONY: perturb
perturb: ## disturb the corpus of apitest/perturb on three runtimes, controllers of Kubernetes, and operators, each for PERTURB_TIME (1m), and write docs/perturb.md (not in CI: takes half an hour, and clones repositories)
	./conformance/server/perturb/checkout
	cd conformance/server/perturb && LISTWATCH_UPDATE=1 GOGC=400 go test -vet=off -tags programs,operators -count=1 -v -timeout 5h . -programs.schedules=0 -programs.time=$(PERTURB_TIME)

.PHONY: dist
dist: ## build the program apitest of VERSION=v0.1.0 for five platforms in dist, with checksums (not in CI: compiles Kubernetes' server for each)
	./hack/dist "$(VERSION)"

.PHONY: release
release: ## prepare VERSION=v0.1.0: requirements, changelog, checks, a commit without replacements and its tags, those for older Kubernetes libraries, a commit that restores the replacements, and the programs in dist; pushes nothing
	MODULES="$(NESTED) golden/client-go bench conformance conformance/server/foreign conformance/server/perturb" ./hack/release "$(VERSION)" $(OLDEST_KUBERNETES) $(NEWER_KUBERNETES)

.PHONY: try-release
try-release: ## cut VERSION=v0.1.0 in a clone, and follow README and the guides with it and an empty module cache (not in CI: takes a quarter of an hour)
	./hack/try-release "$(VERSION)"

.PHONY: projects
projects: ## generate for real projects from the Go module proxy, write docs/projects.md, and replace controller-gen in some (not in CI: takes an hour and gigabytes)
	cd conformance && LISTWATCH_UPDATE=1 go test -tags projects -count=1 -v -timeout 3h ./generators/projects
	cd conformance && go test -tags projects -count=1 -v -timeout 2h ./generators/manifests

.PHONY: random
random: ## compare the generators with upstream's on 5,000 random API packages (not in CI: takes an hour)
	cd conformance && go test -count=1 -v -timeout 4h ./generators/random -examples=5000 -slow

.PHONY: random-writes
random-writes: ## compare 20,000 random writes of built-in kinds on kube-apiserver and apitest; SEED=2 makes others (not in CI: some differ in their texts)
	cd conformance && go run ./internal/kube/build
	cd conformance && GOGC=400 $(TEST) -count=1 -v -tags kube,trials -run TestServer -timeout 1h ./server/suite/random -random.trials=20000 -random.seed=$(or $(SEED),1)

.PHONY: unreached
unreached: ## print the errors of kube-apiserver's validation that no case causes, and so nothing compares (not in CI: builds kube-apiserver again)
	cd conformance && go run ./internal/kube/build
	cd conformance && GOGC=400 go run ./server/suite/unreached

.PHONY: crds
crds: ## compare CustomResourceDefinitions of real projects with controller-gen's, count their slow fields, and write docs/crds.md and the table of docs/decoding.md (not in CI: downloads them)
	cd conformance && LISTWATCH_UPDATE=1 go test -tags projects -count=1 -v -timeout 2h -run 'TestProjects|TestSlowFields' ./generators/crds
	cd conformance && LISTWATCH_UPDATE=1 go test -count=1 -run TestFastFields ./runtime/decoding

.PHONY: programs
programs: ## run the tests of real programs from the Go module proxy before and after migrating them (not in CI: downloads them)
	cd conformance && go test -tags programs -count=1 -v -timeout 3h ./runtime/migration/programs

.PHONY: operators
operators: ## run suites of operators on the real server, apitest, NewCache and NewClient, and write docs/operators.md (not in CI: downloads them)
	cd conformance && LISTWATCH_UPDATE=1 go test -tags programs -count=1 -v -timeout 4h -run 'TestOperators|TestManagers' ./server/operators

.PHONY: linking
linking: ## measure what a test with a server takes to build, to start and in memory, and write docs/linking.md (not in CI: builds with empty caches)
	cd conformance && LISTWATCH_UPDATE=1 $(TEST) -tags programs -count=1 -v -timeout 2h -run 'TestCosts|TestServers' ./size/linking

.PHONY: appliers
appliers: ## run helm, Flux's applier and Argo CD's engine on the real server and on apitest, and compare (not in CI: downloads and compiles them)
	cd conformance && GOGC=400 go run ./internal/kube/build
	cd conformance && $(TEST) -tags programs -count=1 -v -timeout 1h ./server/appliers

.PHONY: replace
replace: ## run the tests of real programs before and after the line in go.mod that replaces client-go, and write docs/replace.md (not in CI: downloads and compiles them)
	cd conformance && LISTWATCH_UPDATE=1 go test -tags programs -count=1 -v -timeout 24h -run TestPrograms ./runtime/replace

.PHONY: replace-cluster
replace-cluster: ## run kube-controller-manager and kube-scheduler, unchanged and with the line that replaces client-go, on the real API server with 20,000 pods, and write docs/replace.md (not in CI: compiles them twice)
	cd conformance && LISTWATCH_UPDATE=1 GOGC=400 go test -tags programs -count=1 -v -timeout 3h ./runtime/replace/cluster
