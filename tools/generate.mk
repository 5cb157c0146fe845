# What the cases under testdata/apis, and the types of kubeconfig in the runtime, need
# beside what is written by hand: deepcopy functions, registration, and the apply
# configurations that one case's clientset takes. The tools and their versions are pinned
# in tools/go.mod.

TOOL := GOWORK=off go tool -modfile=tools/go.mod
# Packages of aliases have nothing of their own to copy.
APIS = $(shell go list ./testdata/apis/... | grep -v '/apis/alias.*/v1$$')
APPLY := golden/client-go/apply/applyconfiguration
# The flavour of our own runtime takes the same apply configurations, but for where
# those of metadata come from: applyconfiguration-gen knows no other place for them
# than client-go, so that the paths are changed after it.
OWN_APPLY := golden/apply/applyconfiguration
META_APPLY := runtime/applyconfigurations

.PHONY: testdata
testdata: ## regenerate the generated code in the test cases
	find testdata/apis -name 'zz_generated.*.go' -delete
	@$(TOOL) deepcopy-gen --output-file=zz_generated.deepcopy.go $(APIS)
	@$(TOOL) deepcopy-gen --output-file=zz_generated.deepcopy.go ./runtime/clientcmd/api
	@$(TOOL) register-gen --output-file=zz_generated.register.go $(APIS)
	@deepcopy=$$($(TOOL) -n deepcopy-gen) register=$$($(TOOL) -n register-gen) && cd examples && \
		$$deepcopy --output-file=zz_generated.deepcopy.go ./shop/apis/... && \
		$$register --output-file=zz_generated.register.go ./shop/apis/...
	rm -rf $(APPLY)
	$(TOOL) applyconfiguration-gen --output-dir=$(APPLY) --output-pkg=github.com/listwatch/listwatch/$(APPLY) ./testdata/apis/apply/...
	rm -rf $(OWN_APPLY)
	find $(META_APPLY) -name '*.go' ! -name doc.go -delete
	$(TOOL) applyconfiguration-gen --output-dir=$(META_APPLY) --output-pkg=k8s.io/client-go/applyconfigurations k8s.io/apimachinery/pkg/apis/meta/v1
	rm -r $(META_APPLY)/internal $(META_APPLY)/utils.go
	mkdir -p golden/apply && cp -r $(APPLY) $(OWN_APPLY)
	find $(OWN_APPLY) -name '*.go' | xargs sed -i.orig \
		-e 's#"k8s.io/client-go/applyconfigurations/#"github.com/listwatch/listwatch/$(META_APPLY)/#' \
		-e 's#listwatch/golden/client-go/#listwatch/golden/#'
	find $(OWN_APPLY) -name '*.orig' -delete
	go fmt ./$(OWN_APPLY)/... >/dev/null
