package replace_test

// kubernetes returns packages of Kubernetes itself.
func kubernetes(name string, packages ...string) program {
	return program{Name: name, Path: "k8s.io/kubernetes", Version: "v1.37.1", Packages: packages}
}

// library returns a library that is released with client-go.
func library(name string) program {
	return program{Name: name, Path: "k8s.io/" + name, Version: clientGoVersion}
}

var programs = []program{
	{Name: "sealed-secrets", Path: "github.com/bitnami-labs/sealed-secrets", Version: "v0.40.0"},
	{Name: "external-snapshotter", Path: "github.com/kubernetes-csi/external-snapshotter/v8", Version: "v8.7.0"},
	{Name: "csi-lib-utils", Path: "github.com/kubernetes-csi/csi-lib-utils", Version: "v0.25.0"},
	{Name: "external-attacher", Path: "github.com/kubernetes-csi/external-attacher/v4", Version: "v4.13.0"},
	{Name: "external-resizer", Path: "github.com/kubernetes-csi/external-resizer/v2", Version: "v2.3.0"},
	{Name: "external-provisioner", Path: "github.com/kubernetes-csi/external-provisioner/v6", Version: "v6.4.0"},
	{Name: "sig-storage-lib-external-provisioner", Path: "sigs.k8s.io/sig-storage-lib-external-provisioner/v13", Version: "v13.0.0"},
	{Name: "sample-controller", Path: "k8s.io/sample-controller", Version: "v0.37.0"},
	{
		Name: "client-go", Path: clientGo, Version: clientGoVersion,
		// Tests within client-go's packages use what they do not export; conformance/runtime/upstream runs those that can compile.
		Prepare: []string{`find . -name '*_test.go' | xargs grep -LE '^package [a-z0-9_]+_test$' | xargs rm`},
		Notes:   "tests outside of the packages that they test; conformance/runtime/upstream runs the others as far as they compile",
		Packages: []string{
			"discovery", "discovery/fake", "dynamic", "dynamic/dynamicinformer", "dynamic/dynamiclister", "kubernetes_test",
			"openapi/openapitest", "plugin/pkg/client/auth/exec", "tools/auth", "tools/cache/synctrack", "util/cert",
			"util/csaupgrade", "util/workqueue",
		},
	},
	library("component-helpers"),
	library("controller-manager"),
	library("endpointslice"),
	library("dynamic-resource-allocation"),
	library("pod-security-admission"),
	library("cloud-provider"),
	library("cli-runtime"),
	library("kubectl"),
	library("sample-apiserver"),
	library("kube-aggregator"),
	{
		Name: "apiextensions-apiserver", Path: "k8s.io/apiextensions-apiserver", Version: clientGoVersion,
		Packages: []string{"-test/integration/..."}, Notes: "the packages left out need etcd",
	},
	library("apiserver"),
	{
		Name: "controller-runtime", Path: "sigs.k8s.io/controller-runtime", Version: "v0.25.2",
		Notes: "the tests that fail execute files, whose modes the module's archive lacks, or want a server without aggregated discovery",
	},
	{Name: "metrics-server", Path: "sigs.k8s.io/metrics-server", Version: "v0.9.0", Packages: []string{"pkg/..."}},
	{Name: "descheduler", Path: "sigs.k8s.io/descheduler", Version: "v0.36.0", Packages: []string{"pkg/descheduler/node", "pkg/descheduler/pod", "pkg/descheduler/client", "pkg/framework/plugins/nodeutilization"}},
	{Name: "helm", Path: "helm.sh/helm/v4", Version: "v4.3.1", Packages: []string{"pkg/kube", "pkg/storage/...", "internal/statusreaders"}},
	{Name: "coredns", Path: "github.com/coredns/coredns", Version: "v1.15.0", Packages: []string{"plugin/kubernetes/..."}},
	{Name: "cert-manager", Path: "github.com/cert-manager/cert-manager", Version: "v1.21.2", Packages: []string{"pkg/controller/acmeorders/...", "pkg/controller/certificates/issuing/...", "pkg/controller/certificates/trigger/...", "pkg/controller/certificates/requestmanager"}},
	{Name: "keda", Path: "github.com/kedacore/keda/v2", Version: "v2.21.0", Packages: []string{"pkg/util/...", "pkg/eventemitter/...", "pkg/scaling/resolver"}},
	{Name: "velero", Path: "github.com/vmware-tanzu/velero", Version: "v1.18.3", Packages: []string{"pkg/util/kube", "pkg/client", "pkg/discovery", "pkg/podexec", "internal/hook"}},
	{Name: "lasso", Path: "github.com/rancher/lasso", Version: "v0.2.10", Packages: []string{"pkg/..."}},
	{Name: "wrangler", Path: "github.com/rancher/wrangler/v3", Version: "v3.8.0", Packages: []string{"pkg/..."}},
	{Name: "cli-utils", Path: "sigs.k8s.io/cli-utils", Version: "v0.37.2", Packages: []string{"pkg/apply/...", "pkg/inventory", "pkg/kstatus/..."}},
	{Name: "vertical-pod-autoscaler", Path: "k8s.io/autoscaler/vertical-pod-autoscaler", Version: "v1.8.1", Packages: []string{"pkg/target/...", "pkg/updater/...", "pkg/utils/status", "pkg/utils/limitrange"}},
	{Name: "prometheus", Path: "github.com/prometheus/prometheus", Version: "v0.316.0", Packages: []string{"discovery/kubernetes"}},
	{Name: "prometheus-operator", Path: "github.com/prometheus-operator/prometheus-operator", Version: "v0.85.0", Packages: []string{"pkg/k8sutil", "pkg/informers", "pkg/assets", "pkg/kubelet", "pkg/webconfig"}},
	{Name: "flux source-controller", Path: "github.com/fluxcd/source-controller", Version: "v1.9.6", Packages: []string{"internal/reconcile/...", "internal/predicates", "internal/util"}},
	{Name: "argo-rollouts", Path: "github.com/argoproj/argo-rollouts", Version: "v1.10.1", Packages: []string{"analysis", "experiments", "ingress", "rollout", "utils/tolerantinformer", "utils/ingress", "utils/controller"}},
	{Name: "kro", Path: "github.com/kubernetes-sigs/kro", Version: "v0.9.4", Packages: []string{"pkg/controller/instance", "pkg/dynamiccontroller", "pkg/graph", "pkg/metadata", "pkg/watch"}},
	{Name: "kwok", Path: "sigs.k8s.io/kwok", Version: "v0.8.0", Packages: []string{"pkg/kwok/controllers", "pkg/utils/informer", "pkg/utils/kubeconfig"}},
	{Name: "traefik", Path: "github.com/traefik/traefik/v3", Version: "v3.7.13", Packages: []string{"pkg/provider/kubernetes/crd", "pkg/provider/kubernetes/ingress", "pkg/provider/kubernetes/gateway"}},
	{Name: "karpenter", Path: "sigs.k8s.io/karpenter", Version: "v1.14.1", Packages: []string{"pkg/controllers/nodeclaim/lifecycle", "pkg/utils/node", "pkg/utils/nodeclaim", "pkg/utils/pdb"}},
	{Name: "external-secrets", Path: "github.com/external-secrets/external-secrets", Version: "v1.3.2", Packages: []string{"pkg/controllers/..."}},
	{Name: "istio", Path: "istio.io/istio", Version: "v0.0.0-20260827124520-eed52ebb66ad", Packages: []string{"pkg/kube/kclient", "pkg/kube/krt", "pkg/kube/controllers"}},
	kubernetes("kubernetes: controllers of workloads", "pkg/controller/deployment", "pkg/controller/replicaset", "pkg/controller/statefulset", "pkg/controller/daemon", "pkg/controller/job", "pkg/controller/cronjob"),
	kubernetes("kubernetes: controllers of objects", "pkg/controller/garbagecollector", "pkg/controller/namespace/deletion", "pkg/controller/serviceaccount", "pkg/controller/endpointslice", "pkg/controller/resourcequota", "pkg/controller/disruption", "pkg/controller/ttlafterfinished"),
	kubernetes("kubernetes: controllers of nodes, scales and volumes", "pkg/controller/nodelifecycle", "pkg/controller/tainteviction", "pkg/controller/podgc", "pkg/controller/podautoscaler", "pkg/controller/volume/persistentvolume", "pkg/controller/volume/attachdetach", "pkg/controller/volume/ephemeral", "pkg/controller/replication"),
	kubernetes("kubernetes: other controllers", "pkg/controller/...", "-pkg/controller/nodelifecycle", "-pkg/controller/tainteviction", "-pkg/controller/podgc", "-pkg/controller/podautoscaler", "-pkg/controller/volume/persistentvolume", "-pkg/controller/volume/attachdetach", "-pkg/controller/volume/ephemeral", "-pkg/controller/replication", "-pkg/controller/deployment", "-pkg/controller/replicaset", "-pkg/controller/statefulset", "-pkg/controller/daemon", "-pkg/controller/job", "-pkg/controller/cronjob", "-pkg/controller/garbagecollector", "-pkg/controller/namespace/deletion", "-pkg/controller/serviceaccount", "-pkg/controller/endpointslice", "-pkg/controller/resourcequota", "-pkg/controller/disruption", "-pkg/controller/ttlafterfinished"),
	kubernetes("kubernetes: scheduler", "pkg/scheduler/..."),
	kubernetes("kubernetes: proxy", "pkg/proxy/..."),
	kubernetes("kubernetes: plugins", "plugin/pkg/..."),
	kubernetes("kubernetes: kubelet", "pkg/kubelet/..."),
}
