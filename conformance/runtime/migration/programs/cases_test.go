//go:build programs

package programs_test

// module is a module of the Go module proxy at a version.
type module struct {
	path, version string
}

// program is a module that uses client-go. Its libraries have no types of client-go in their API, except for those that are migrated
// with it: what would be left to migrate otherwise is little, and such programs have the line in go.mod.
type program struct {
	name string
	module
	// with are libraries whose API has types of client-go. They are migrated with the program.
	with []module
	// differs are the reasons of tests whose result is not client-go's, by "package test", with the
	// package relative to the module. A star as the test stands for all tests of the package.
	// One that differs only on a busy machine need not differ in every run.
	differs map[string]string
}

var (
	csiLibUtils = module{path: "github.com/kubernetes-csi/csi-lib-utils", version: "v0.25.0"}
	provisioner = module{path: "sigs.k8s.io/sig-storage-lib-external-provisioner/v13", version: "v13.0.0"}
	helpers     = module{path: "k8s.io/component-helpers", version: "v0.37.2"}
)

var programs = []program{
	{name: "sample-controller", module: module{path: "k8s.io/sample-controller", version: "v0.37.0"}},
	{name: "csi-lib-utils", module: csiLibUtils},
	{name: "external-attacher", module: module{path: "github.com/kubernetes-csi/external-attacher/v4", version: "v4.13.0"}, with: []module{csiLibUtils}},
	{name: "external-resizer", module: module{path: "github.com/kubernetes-csi/external-resizer/v2", version: "v2.3.0"}, with: []module{csiLibUtils}},
	{
		name: "sig-storage-lib-external-provisioner", module: provisioner,
		differs: map[string]string{
			"controller *": "the leader of the test has a renew deadline of 100 ms, which counts from the last renewal instead of the next attempt: " +
				"on a busy machine the program loses its lease and exits, which ends the other tests",
		},
	},
	{name: "component-helpers", module: helpers},
	{name: "endpointslice", module: module{path: "k8s.io/endpointslice", version: "v0.37.2"}, with: []module{helpers}},
	{name: "controller-manager", module: module{path: "k8s.io/controller-manager", version: "v0.37.2"}},
	{name: "pod-security-admission", module: module{path: "k8s.io/pod-security-admission", version: "v0.37.2"}},
	{name: "dynamic-resource-allocation", module: module{path: "k8s.io/dynamic-resource-allocation", version: "v0.37.2"}, with: []module{helpers}},
}
