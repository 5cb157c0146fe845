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
		// Tests within client-go's packages use what they do not export; conformance/upstream runs those that can compile.
		Prepare: []string{`find . -name '*_test.go' | xargs grep -LE '^package [a-z0-9_]+_test$' | xargs rm`},
		Notes:   "tests outside of the packages that they test; conformance/upstream runs the others as far as they compile",
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
	library("apiextensions-apiserver"),
	library("apiserver"),
	{Name: "controller-runtime", Path: "sigs.k8s.io/controller-runtime", Version: "v0.25.2"},
	{Name: "metrics-server", Path: "sigs.k8s.io/metrics-server", Version: "v0.9.0"},
	{Name: "descheduler", Path: "sigs.k8s.io/descheduler", Version: "v0.36.0"},
	{Name: "helm", Path: "helm.sh/helm/v4", Version: "v4.3.1"},
	{Name: "coredns", Path: "github.com/coredns/coredns", Version: "v1.15.0", Packages: []string{"plugin/kubernetes/...", "plugin/k8s_external/..."}},
	{Name: "cert-manager", Path: "github.com/cert-manager/cert-manager", Version: "v1.21.2"},
	{Name: "cluster-api", Path: "sigs.k8s.io/cluster-api", Version: "v1.14.2", Packages: []string{"util/...", "controllers/..."}},
	{Name: "keda", Path: "github.com/kedacore/keda/v2", Version: "v2.21.0"},
	{Name: "velero", Path: "github.com/vmware-tanzu/velero", Version: "v1.18.3"},
	kubernetes("kubernetes: controllers", "pkg/controller/..."),
	kubernetes("kubernetes: scheduler", "pkg/scheduler/..."),
	kubernetes("kubernetes: proxy", "pkg/proxy/..."),
	kubernetes("kubernetes: plugins", "plugin/pkg/..."),
	kubernetes("kubernetes: kubelet", "pkg/kubelet/..."),
}
