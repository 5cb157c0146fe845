package main

import "path"

// input is the input of the generators in one benchmark, with their options.
type input struct {
	// name is its name in the table.
	name string
	// module is the directory in testdata with the files of the module in which the generators run.
	module string
	// output is the import path of the output.
	output string
	// clientset is the name of the clientset's package.
	clientset string
	// base and versions are the API packages: base/group/version.
	base     string
	versions []string
	// contenders generate from the input.
	contenders []contender
	// patterns select the API packages of an input whose contenders write into them, below its module's
	// directory. Such a module is copied first.
	patterns string
	// from is the directory of the module, if it is not in testdata, and proxy its path and version, if it is downloaded.
	from, proxy string
	// roots are the packages that controller-gen and gen-all read in a module that is downloaded.
	roots []string
	// client and informer are additional flags of one tool, all of every tool.
	client, informer, all []string
}

// packages are the import paths of the API packages.
func (in input) packages() []string {
	paths := make([]string, len(in.versions))
	for i, v := range in.versions {
		paths[i] = path.Join(in.base, v)
	}
	return paths
}

// inputs are the benchmarks. The first is the input of k8s.io/client-go.
var inputs = []input{
	{
		name:       "all of k8s.io/api",
		module:     "kubernetes",
		output:     "k8s.io/client-go",
		clientset:  "kubernetes",
		base:       "k8s.io/api",
		versions:   kubernetesVersions,
		contenders: clients,
		client:     []string{"--apply-configuration-package=k8s.io/client-go/applyconfigurations", "--prefers-protobuf"},
		informer:   []string{"--single-directory"},
		all:        []string{"--plural-exceptions=Endpoints:Endpoints"},
	},
	{
		name:       "one CRD group",
		module:     "crd",
		output:     "example.com/crd/generated",
		clientset:  "versioned",
		base:       "example.com/crd",
		versions:   []string{"widgets/v1alpha1"},
		contenders: clients,
	},
	{
		name:       "a CRD project",
		module:     "project",
		output:     "example.com/project/pkg/generated",
		clientset:  "versioned",
		base:       "example.com/project/apis",
		versions:   []string{"widgets/v1alpha1"},
		contenders: everything,
		patterns:   "apis/...",
		client:     []string{"--apply-configuration-package=example.com/project/pkg/generated/applyconfiguration"},
	},
}

// kubernetesVersions are the group versions of client-go's clientset.
var kubernetesVersions = []string{
	"admissionregistration/v1", "admissionregistration/v1alpha1", "admissionregistration/v1beta1",
	"apiserverinternal/v1alpha1",
	"apps/v1", "apps/v1beta1", "apps/v1beta2",
	"authentication/v1", "authentication/v1alpha1", "authentication/v1beta1",
	"authorization/v1", "authorization/v1beta1",
	"autoscaling/v1", "autoscaling/v2",
	"batch/v1", "batch/v1beta1",
	"certificates/v1", "certificates/v1alpha1", "certificates/v1beta1",
	"coordination/v1", "coordination/v1alpha2", "coordination/v1beta1",
	"core/v1",
	"discovery/v1", "discovery/v1beta1",
	"events/v1", "events/v1beta1",
	"extensions/v1beta1",
	"flowcontrol/v1", "flowcontrol/v1beta1", "flowcontrol/v1beta2", "flowcontrol/v1beta3",
	"lifecycle/v1alpha1",
	"networking/v1", "networking/v1beta1",
	"node/v1", "node/v1alpha1", "node/v1beta1",
	"policy/v1", "policy/v1beta1",
	"rbac/v1", "rbac/v1alpha1", "rbac/v1beta1",
	"resource/v1", "resource/v1alpha3", "resource/v1beta1", "resource/v1beta2",
	"scheduling/v1", "scheduling/v1alpha3", "scheduling/v1beta1",
	"storage/v1", "storage/v1alpha1", "storage/v1beta1",
	"storagemigration/v1", "storagemigration/v1beta1",
}
