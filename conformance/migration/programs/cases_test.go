//go:build programs

package programs_test

// module is a module of the Go module proxy at a version.
type module struct {
	path, version string
}

// program is a module that uses client-go, and the changes that migrating it needs.
type program struct {
	name string
	module
	// with are libraries whose API has types of client-go. They are migrated with the program.
	with []module
	// edits are made after the migration.
	edits []edit
	// differs are the reasons of tests whose result is not client-go's, by "package test", with the
	// package relative to the module. A star as the test stands for all tests of the package.
	// One that differs only on a busy machine need not differ in every run.
	differs map[string]string
}

// edit replaces a text in a file of a program.
type edit struct {
	// module is the path of one of the program's libraries; empty for the program itself.
	module string
	// file is the path below the module's root.
	file string
	// imports is an import path that the edit adds to the file, or empty.
	imports string
	// before is in the file exactly once.
	before, after string
	// why is a clause for docs/programs.md.
	why string
}

var (
	csiLibUtils = module{path: "github.com/kubernetes-csi/csi-lib-utils", version: "v0.25.0"}
	provisioner = module{path: "sigs.k8s.io/sig-storage-lib-external-provisioner/v13", version: "v13.0.0"}
	helpers     = module{path: "k8s.io/component-helpers", version: "v0.37.2"}
	manager     = module{path: "k8s.io/controller-manager", version: "v0.37.2"}
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
	{name: "cloud-provider", module: module{path: "k8s.io/cloud-provider", version: "v0.37.2"}, with: []module{helpers, manager}},
	{name: "controller-manager", module: manager},
	{name: "pod-security-admission", module: module{path: "k8s.io/pod-security-admission", version: "v0.37.2"}},
	{name: "dynamic-resource-allocation", module: module{path: "k8s.io/dynamic-resource-allocation", version: "v0.37.2"}, with: []module{helpers}},
	{name: "sample-apiserver", module: module{path: "k8s.io/sample-apiserver", version: "v0.37.2"}},
}
