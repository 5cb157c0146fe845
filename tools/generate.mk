# What the cases under testdata/apis, and the types of kubeconfig in the runtime, need
# beside what is written by hand: deepcopy functions, registration, and the apply configurations of
# metadata. Our own tools generate it.

META_APPLY := runtime/applyconfigurations

.PHONY: testdata
testdata: ## regenerate the generated code in the test cases
	find testdata/apis -name 'zz_generated.*.go' -delete
	go run ./cmd/gen-deepcopy ./testdata/apis/... ./runtime/clientcmd/api/... ./runtime/clientauthentication/...
	go run ./cmd/gen-register ./testdata/apis/...
	go run ./cmd/gen-applyconfiguration --output-dir=$(META_APPLY) k8s.io/apimachinery/pkg/apis/meta/v1
