//go:build projects

package projects_test

// project is a module with API types.
type project struct {
	name, module, version string
	// refused is part of gen-all's error if it rejects the project, and why the reason in few words; otherwise both are empty.
	// instead is the flag that its messages suggest, with which the other parts are generated; if it is empty, nothing is.
	refused, why, instead string
	// own are the options of the project's own scripts, as far as they affect the output, and
	// patterns the packages that they name.
	own, patterns []string
	// unchecked is the reason why the output is not type-checked; if it is empty, it is.
	unchecked string
	// remains is why the project's own clients are not replaced as a whole; if it is empty, they are.
	remains string
	// upstream are the packages for which controller-gen's output is compared; there are none if the project is compared
	// elsewhere, or one of both refuses it. differs has the reasons why files differ, by their names.
	upstream []string
	differs  map[string]string
}

// unmarked is a reason why gen-all does not write what controller-gen writes.
const unmarked = "the kind has no marker that asks for a CRD"

// everything is all packages of a module.
var everything = []string{"./..."}

var projects = []project{
	{name: "aggregator", module: "k8s.io/kube-aggregator", version: "v0.37.2",
		own: []string{"--clientset-name=clientset", "--prefers-protobuf"}, patterns: []string{"./pkg/apis/..."}},
	// An internal version, and an example of a group that has no install package, and so no clients.
	{name: "apiextensions", module: "k8s.io/apiextensions-apiserver", version: "v0.37.2",
		own: []string{"--clientset-name=clientset"}, patterns: []string{"./pkg/apis/apiextensions/v1", "./pkg/apis/apiextensions/v1beta1"}},
	{name: "metrics", module: "k8s.io/metrics", version: "v0.37.2",
		own: []string{"--plural-exceptions=NodeMetrics:NodeMetrics,PodMetrics:PodMetrics"}, patterns: []string{"./pkg/apis/metrics/v1alpha1", "./pkg/apis/metrics/v1beta1"}},
	// Stray markers on a list type.
	{name: "sample-apiserver", module: "k8s.io/sample-apiserver", version: "v0.37.2", patterns: []string{"./pkg/apis/..."}},
	{name: "api", module: "k8s.io/api", version: "v0.37.2",
		own: []string{"--plural-exceptions=Endpoints:Endpoints", "--prefers-protobuf"}, patterns: []string{"./..."}},
	{name: "autoscaler", module: "k8s.io/autoscaler/vertical-pod-autoscaler", version: "v1.8.1", patterns: []string{"./pkg/apis/..."}},
	{name: "certmanager", module: "github.com/cert-manager/cert-manager", version: "v1.21.2", patterns: []string{"./pkg/apis/..."}},
	{name: "gatewayapi", module: "sigs.k8s.io/gateway-api", version: "v1.6.3", patterns: []string{"./apis/...", "./apisx/..."}},
	{name: "istio", module: "istio.io/client-go", version: "v1.31.1", patterns: []string{"./pkg/apis/..."}},
	{name: "prometheus", module: "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring", version: "v0.95.1", patterns: []string{"./..."}},
	{name: "snapshotter", module: "github.com/kubernetes-csi/external-snapshotter/client/v8", version: "v8.7.0",
		refused: "has the storage versions v1 and v1beta2; ", instead: "--skip=crd", why: "API servers refuse CRDs with two storage versions; the project corrects them by hand", own: []string{"--skip=crd"}, patterns: []string{"./apis/..."}},
	{name: "mcs", module: "sigs.k8s.io/mcs-api", version: "v0.5.2", patterns: []string{"./pkg/apis/..."}},
	{name: "networkpolicy", module: "sigs.k8s.io/network-policy-api", version: "v0.1.1", patterns: []string{"./apis/v1alpha1"}},
	// No func Resource, and an internal version without its install package, which has no clients.
	{name: "volcano", module: "volcano.sh/apis", version: "v1.8.0", own: []string{"--exclude=./pkg/apis/scheduling"}, patterns: []string{"./pkg/apis/..."}},
	{name: "jobset", module: "sigs.k8s.io/jobset", version: "v0.8.2", patterns: []string{"./api/..."}},
	{name: "scheduler-plugins", module: "sigs.k8s.io/scheduler-plugins", version: "v0.30.6", patterns: []string{"./apis/scheduling/v1alpha1"}},
	{name: "serving", module: "knative.dev/serving", version: "v0.51.0", unchecked: "its requirements are in no public proxy", patterns: []string{"./pkg/apis/..."}},
	{name: "networking", module: "knative.dev/networking", version: "v0.0.0-20251217020127-11890a5dabea", patterns: []string{"./pkg/apis/..."}},
	{name: "rollouts", module: "github.com/argoproj/argo-rollouts", version: "v1.10.0", patterns: []string{"./pkg/apis/..."}},
	{name: "keda", module: "github.com/kedacore/keda/v2", version: "v2.21.0", patterns: []string{"./apis/..."}},
	// A test of the project has types of a group with its own name.
	{name: "training", module: "github.com/kubeflow/training-operator", version: "v1.8.1",
		refused: "are both named KubeflowV1 in Go; ", instead: "--exclude=github.com/kubeflow/training-operator/test_job/apis/test_job/v1", why: "two packages of one group and version, one of them of a test, declare the same methods", patterns: []string{"./pkg/apis/..."}},
	{name: "trainer", module: "github.com/kubeflow/trainer/v2", version: "v2.0.0", patterns: []string{"./pkg/apis/trainer/v1alpha1"}},
	// A marker that a script uses.
	{name: "traefik", module: "github.com/traefik/traefik/v3", version: "v3.7.13", patterns: []string{"./pkg/provider/kubernetes/crd/..."}},
	// Kinds without list types.
	{name: "kyverno", module: "github.com/kyverno/kyverno", version: "v1.19.1",
		refused: "has no type ClusterResourceList, ", instead: "--exclude=github.com/kyverno/kyverno/cmd/cli/kubectl-kyverno/apis/v1alpha1", remains: "informers of types of another module stay, and do not compile", why: "kinds without list types do not compile", patterns: []string{"./api/..."}},
	{name: "velero", module: "github.com/vmware-tanzu/velero", version: "v1.18.3", patterns: []string{"./pkg/apis/..."}},
	// A package without kinds has markers that contradict each other.
	{name: "cilium", module: "github.com/cilium/cilium", version: "v1.20.2", patterns: []string{"./pkg/k8s/apis/..."}},
	{name: "contour", module: "github.com/projectcontour/contour", version: "v1.33.8", patterns: []string{"./apis/..."}},
	{name: "helm-controller", module: "github.com/k3s-io/helm-controller", version: "v0.17.9", patterns: []string{"./pkg/apis/..."}},
	// From here on, what gen-all writes beside the clients is compared with controller-gen's output too.
	{name: "openshift", module: "github.com/openshift/api", version: "v0.0.0-20251214014457-bfa868a22401", upstream: everything,
		refused: "has no storage version among v1, v1alpha1; ", instead: "--skip=crd", why: "API servers refuse CRDs of several versions without a storage version; its own program merges them"},
	{name: "cluster-api", module: "sigs.k8s.io/cluster-api", version: "v1.13.5", upstream: []string{"./api/..."},
		refused: "is already in version v1beta1 of group test.cluster.x-k8s.io", instead: "--exclude=./controllers/crdmigrator/test/...,./internal/topology/upgrade/test/...", why: "API servers refuse CRDs with a version twice: its tests declare kinds several times"},
	{name: "istio-api", module: "istio.io/api", version: "v1.31.1", refused: "has no ObjectMeta, so it is not an API object", why: "the marked types are messages, for a generator of its own; clients of them do not compile"},
	{name: "chaos-mesh", module: "github.com/chaos-mesh/chaos-mesh/api", version: "v0.0.0-20260906172039-d70b66ad97ac", upstream: everything},
	{name: "flagger", module: "github.com/fluxcd/flagger", version: "v1.36.1", upstream: []string{"./pkg/apis/flagger/..."}, unchecked: "a package imports an API that Kubernetes v0.37 lacks",
		refused: "because no marker requests it", instead: "--skip=deepcopy,crd", why: "deepcopy functions call some that no marker requests, which does not compile; an interface has no schema, which controller-gen refuses too"},
	{name: "hive", module: "github.com/openshift/hive/apis", version: "v0.0.0-20220128154613-1575b9557e00", upstream: everything,
		differs: map[string]string{"hive/v1/zz_generated.deepcopy.go": "controller-gen fails, and writes functions of an interface, which do not compile"}},
	{name: "cloud-on-k8s", module: "github.com/elastic/cloud-on-k8s/v3", version: "v3.5.0", upstream: everything},
	{name: "cluster-api-provider-gcp", module: "sigs.k8s.io/cluster-api-provider-gcp", version: "v1.13.1", upstream: everything},
	{name: "datadog-operator", module: "github.com/DataDog/datadog-operator/api", version: "v0.0.0-20260916183930-64a8c6efe989", upstream: everything},
	{name: "katib", module: "github.com/kubeflow/katib", version: "v0.19.0", upstream: []string{"./pkg/apis/..."},
		refused: "is neither required nor has a default, so API servers refuse the list", instead: "--skip=crd", why: "API servers refuse lists with optional keys; the project writes its CRDs by hand"},
	{name: "operator-framework", module: "github.com/operator-framework/api", version: "v0.9.1", upstream: []string{"./pkg/..."},
		refused: "json.RawMessage has no schema; ", instead: "--skip=crd", why: "json.RawMessage has no schema, which controller-gen refuses too"},
	{name: "gke-networking", module: "github.com/GoogleCloudPlatform/gke-networking-api", version: "v0.2.11", upstream: everything,
		refused: "are both named NetworkingV1 in Go; ", instead: "--exclude=./apis/fqdnnetworkpolicy/...,./apis/network/...,./apis/nodenetworkconfig/...,./apis/nodetopology/...,./apis/trafficselector/...", why: "six packages of one group, four of them of one version, declare the same methods of a clientset and of a factory"},
	{name: "constraints", module: "github.com/open-policy-agent/frameworks/constraint", version: "v0.0.0-20260616163050-e1eaa1bf6d62", upstream: []string{"./pkg/apis/..."},
		refused: "does not declare variable SchemeGroupVersion and function AddToScheme", instead: "--exclude=./pkg/apis/externaldata/unversioned,./pkg/core/templates", why: "clients of unversioned types, which no scheme has, do not compile"},
	{name: "dapr", module: "github.com/dapr/dapr", version: "v1.14.0", upstream: []string{"./pkg/apis/..."},
		refused: "are both named DaprV1alpha1 in Go; ", instead: "--exclude=./pkg/apis/configuration/v1alpha1,./pkg/apis/httpEndpoint/v1alpha1,./pkg/apis/resiliency/v1alpha1,./pkg/apis/subscriptions/...",
		remains: "informers of what is left out stay, and do not compile",
		why:     "five packages of one group and version declare the same methods of a clientset"},
	{name: "inference-extension", module: "sigs.k8s.io/gateway-api-inference-extension", version: "v1.5.0", upstream: everything},
	{name: "secrets-store", module: "sigs.k8s.io/secrets-store-csi-driver", version: "v1.5.5", upstream: []string{"./apis/..."}},
	{name: "spark-operator", module: "github.com/kubeflow/spark-operator/v2", version: "v2.5.0", upstream: everything,
		refused: "rule has neither groups nor urls, so API servers refuse it", instead: "--skip=rbac", why: "API servers refuse rules of roles without API groups, which groups= gives"},
	{name: "lws", module: "sigs.k8s.io/lws", version: "v0.8.0", upstream: everything},
	{name: "policy-controller", module: "github.com/sigstore/policy-controller", version: "v0.13.1", // controller-gen refuses its CRDs
		refused: "has no DeepCopyInto, and none is generated for it", instead: "--exclude=./pkg/apis/config", why: "deepcopy functions of a marked package call functions that do not exist, so they do not compile"},
	{name: "whereabouts", module: "github.com/k8snetworkplumbingwg/whereabouts", version: "v0.9.2", upstream: []string{"./pkg/api/..."}},
	{name: "argo-cd", module: "github.com/argoproj/argo-cd/v2", version: "v2.14.21", upstream: []string{"./pkg/apis/application/..."}},
	{name: "knative-operator", module: "knative.dev/operator", version: "v0.42.2", upstream: []string{"./pkg/apis/..."}, differs: map[string]string{
		"config/crd/bases/operator.knative.dev_knativeeventings.yaml": unmarked, "config/crd/bases/operator.knative.dev_knativeservings.yaml": unmarked,
		"pkg/apis/operator/base/zz_generated.deepcopy.go": "controller-gen writes functions of interfaces, which do not compile; the project uses deepcopy-gen"}},
	{name: "cluster-autoscaler", module: "k8s.io/autoscaler/cluster-autoscaler/apis", version: "v0.0.0-20240830133931-adfbe7e45277", upstream: everything},
	{name: "kro", module: "github.com/kubernetes-sigs/kro", version: "v0.9.4", upstream: everything},
	{name: "trust-manager", module: "github.com/cert-manager/trust-manager", version: "v0.25.0", upstream: everything},
	{name: "approver-policy", module: "github.com/cert-manager/approver-policy", version: "v0.28.0", upstream: everything},
	{name: "operatorpkg", module: "github.com/awslabs/operatorpkg", version: "v0.0.0-20260708223819-4da4c353c5fa",
		refused: "cannot be copied because it has no method DeepCopyClock() Clock", why: "deepcopy functions of a package marked +k8s:deepcopy-gen=package call methods that interfaces lack, so they do not compile"},
	{name: "gpu-operator", module: "github.com/NVIDIA/gpu-operator", version: "v0.0.0-20250917190837-d73a0086a6ba", upstream: everything},
	{name: "cluster-inventory", module: "sigs.k8s.io/cluster-inventory-api", version: "v0.0.0-20251028164203-2e3fabb46733", upstream: everything},
	{name: "iam-authenticator", module: "sigs.k8s.io/aws-iam-authenticator", version: "v0.6.13", upstream: []string{"./pkg/mapper/crd/apis/..."},
		differs: map[string]string{"config/crd/bases/iamauthenticator.k8s.aws_iamidentitymappings.yaml": unmarked}},
	{name: "application", module: "sigs.k8s.io/application", version: "v0.8.2", upstream: everything},
	{name: "mpi-operator", module: "github.com/kubeflow/mpi-operator", version: "v0.8.0", upstream: everything},
	{name: "kueue", module: "sigs.k8s.io/kueue", version: "v0.17.0", upstream: everything},
	{name: "kustomize-controller", module: "github.com/fluxcd/kustomize-controller/api", version: "v1.6.1", upstream: everything},
	{name: "notification-controller", module: "github.com/fluxcd/notification-controller/api", version: "v1.6.0", upstream: everything},
	{name: "image-automation-controller", module: "github.com/fluxcd/image-automation-controller/api", version: "v0.41.2", upstream: everything},
	{name: "image-reflector-controller", module: "github.com/fluxcd/image-reflector-controller/api", version: "v0.35.2", upstream: everything},
	{name: "flux-helm-controller", module: "github.com/fluxcd/helm-controller/api", version: "v1.3.0", upstream: everything},
	{name: "toolhive", module: "github.com/stacklok/toolhive", version: "v0.47.0", upstream: []string{"./cmd/thv-operator/...", "./pkg/..."}},
	{name: "kuberay", module: "github.com/ray-project/kuberay/ray-operator", version: "v1.5.0", upstream: everything,
		differs: map[string]string{"apis/ray/v1/zz_generated.deepcopy.go": "a map of pointers to metav1.Time is copied by the statements of deepcopy-gen"}},
	{name: "frr", module: "github.com/metallb/frr-k8s", version: "v0.0.21", upstream: everything},
	{name: "cluster-autoscaler-operator", module: "github.com/openshift/cluster-autoscaler-operator", version: "v0.0.1-0.20260608074635-5c8643284941", upstream: []string{"./pkg/apis/..."}},
}
