# What the cases under testdata/apis need beside the types that are written by
# hand: deepcopy functions, registration, and the apply configurations that one
# case's clientset takes. The tools and their versions are pinned in tools/go.mod.

TOOL := GOWORK=off go tool -modfile=tools/go.mod
# Packages of aliases have nothing of their own to copy.
APIS = $(shell go list ./testdata/apis/... | grep -v '/apis/alias.*/v1$$')
APPLY := golden/client-go/apply/applyconfiguration

.PHONY: testdata
testdata: ## regenerate the code that the test cases come with
	find testdata/apis -name 'zz_generated.*.go' -delete
	@$(TOOL) deepcopy-gen --output-file=zz_generated.deepcopy.go $(APIS)
	@$(TOOL) register-gen --output-file=zz_generated.register.go $(APIS)
	rm -rf $(APPLY)
	$(TOOL) applyconfiguration-gen --output-dir=$(APPLY) --output-pkg=github.com/listwatch/listwatch/$(APPLY) ./testdata/apis/apply/...
