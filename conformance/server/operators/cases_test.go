//go:build programs

package operators_test

// operator is a module of the Go module proxy with suites that use envtest.
type operator struct {
	path, version string
	// packages are those of the suites, relative to the module.
	packages []string
	// args are arguments of the suites, which choose a part of them.
	args []string
	// prepare are commands that make the tests compile and find their files; the variable MODCACHE is Go's cache of
	// modules.
	prepare []string
	// atOnce is whether the servers are tested at the same time: the suites wait more than they work, and use no
	// fixed ports.
	atOnce bool
	// assetsOnly is whether the suites need a server that envtest starts: no existing one.
	assetsOnly bool
	// cached are packages with caches that compile with the controller-runtime of module controllerruntime; the
	// default are all.
	cached []string
	// newCache are the lines that make them use NewCache, besides an import; without any they are not run with it,
	// nor with controllerruntime/envtest.
	newCache []edit
	// failures are the reasons of failures, by the name of the spec or test.
	failures map[string]string
	// notes is a clause for docs/operators.md.
	notes string
}

// edit replaces a text, which is in the file exactly once.
type edit struct{ file, before, after string }

// option sets NewCache in the options of a manager that begin with a text.
func option(file, before string) edit {
	return edit{file, before, before + "\n\t\tNewCache: controllerruntime.NewCache,"}
}

// focused returns the arguments that run the specs of files, without their suffix.
func focused(files ...string) []string {
	var args []string
	for _, file := range files {
		args = append(args, "-ginkgo.focus-file=/"+file+"_test.go")
	}
	return args
}

var cases = []operator{
	{
		path: "sigs.k8s.io/jobset", version: "v0.8.2",
		packages: []string{"test/integration/controller"},
		// The others write statuses of jobs that a real server rejects: finished without conditions and times, or with
		// more pods ready than active.
		args: []string{"-ginkgo.focus=JobSet validation|successfully create jobs|created in suspended|suspend a running|service deleted|" +
			"generateName|keep jobs suspended|AnyOrder; resume|coordinator|managed"},
		newCache: []edit{option("test/integration/controller/suite_test.go", "ctrl.NewManager(cfg, ctrl.Options{")},
		notes:    "without the specs that write statuses of jobs that kube-apiserver rejects",
	},
	{
		path: "sigs.k8s.io/cluster-api", version: "v1.14.2",
		packages: []string{"core/reconcilers/machineset", "internal/util/ssa/test", "util/patch/test"},
		// The zip of a module lacks the modules in it.
		prepare:  []string{"go mod edit -dropreplace=sigs.k8s.io/cluster-api/api -require=sigs.k8s.io/cluster-api/api@v1.14.2"},
		newCache: []edit{option("internal/test/envtest/environment.go", "options := manager.Options{")},
	},
	{
		path: "github.com/kubernetes-sigs/kro", version: "v0.9.4",
		packages: []string{"test/integration/suites/core"},
		atOnce:   true,
		// A part: all take ten minutes on each server, of which they wait most.
		args:     focused("lifecycle", "nested", "readiness", "webhook_denial"),
		newCache: []edit{option("test/integration/environment/setup.go", "ctrl.NewManager(e.ClientSet.RESTConfig(), ctrl.Options{")},
	},
	{
		path: "sigs.k8s.io/karpenter", version: "v1.15.0",
		packages: []string{"pkg/apis/v1", "pkg/controllers/state"},
		// It would download this version of Go.
		prepare:  []string{"go mod edit -go=1.26.0"},
		cached:   []string{"pkg/controllers/nodeclaim/lifecycle"},
		newCache: []edit{{"pkg/test/environment.go", "cache.New(environment.Config", "controllerruntime.NewCache(environment.Config"}},
		notes:    "NewCache: in pkg/controllers/nodeclaim/lifecycle, whose client reads from a cache",
	},
	{
		path: "github.com/cert-manager/cert-manager", version: "v1.11.5",
		packages: []string{
			"test/integration/acme", "test/integration/certificaterequests", "test/integration/certificates", "test/integration/challenges",
			"test/integration/conversion", "test/integration/issuers", "test/integration/validation", "test/integration/webhook",
		},
		assetsOnly: true,
		// The build makes these of a chart.
		prepare: []string{
			"mkdir -p _bin/yaml/templated-crds",
			`for crd in deploy/crds/crd-*.yaml; do sed '/{{/d' $crd > _bin/yaml/templated-crds/$(basename $crd .yaml).templated.yaml; done`,
		},
		notes: "newer modules lack the suites; they make users of envtest's own servers",
	},
	{
		path: "github.com/kubeflow/trainer/v2", version: "v2.0.0",
		notes:    "does not compile with the controller-runtime of module controllerruntime, whose builder of webhooks has other parameters",
		packages: []string{"test/integration/controller", "test/integration/webhooks"},
		prepare: []string{
			"mkdir -p manifests/external-crds",
			"cp -r $MODCACHE/sigs.k8s.io/jobset@v0.8.2/config/components/crd/bases manifests/external-crds/jobset-operator",
			"cp -r $MODCACHE/sigs.k8s.io/scheduler-plugins@v0.30.6/manifests/coscheduling manifests/external-crds/scheduler-plugins",
		},
	},
}

// moved returns the packages that run with the controller-runtime of module controllerruntime.
func (o operator) moved() []string {
	if o.cached != nil {
		return o.cached
	}
	return o.packages
}
