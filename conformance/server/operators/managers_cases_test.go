//go:build programs

package operators_test

// lws is what the names of the specs of lws begin with.
const lws = "LeaderWorkerSet controller leaderWorkerSet creating or updating [It] "

// atOnce is why two specs of lws fail on apitest, with each cache.
const atOnce = "the suite's: its controller has to read a pod between the two writes that delete it, which apitest does at once; with WithPace(time.Millisecond) both pass, as TestPace checks"

// katib is what is before the options of the managers of katib's suites that run.
const katib = " the Controller Reconcile function so it writes each request to a\n\t// channel when it is finished.\n\tmgr, err := manager.New(cfg, manager.Options{"

// noManager is the note of an operator whose suites have a client and no manager.
const noManager = "no manager: NewCache changes nothing, and NewClient makes its client"

// noDownload returns the command that makes the suite of a file use the programs that the environment names.
func noDownload(file string) string {
	return "sed -i 's/DownloadBinaryAssets: *true/DownloadBinaryAssets: false/' " + file
}

// managers are operators whose managers run with both caches, and with NewClient.
var managers = []operator{
	{
		path: "sigs.k8s.io/lws", version: "v0.8.0",
		packages: []string{"test/integration/controllers"},
		newCache: []edit{chosen("test/integration/controllers/suite_test.go", "ctrl.NewManager(cfg, ctrl.Options{")},
		failures: map[string]string{
			lws + "Pod restart will delete the pod group when restart policy is RecreateGroupOnPodRestart": atOnce,
			lws + "leader with RecreateGroupOnPodRestart only gets restarted once during rolling update":   atOnce,
		},
	},
	{
		path: "github.com/open-policy-agent/cert-controller", version: "v0.16.0",
		packages: []string{"pkg/rotator"},
		newCache: []edit{
			chosen("pkg/rotator/rotator_test.go", "opts := manager.Options{"),
			{"pkg/rotator/rotator.go", "c, err := cache.New(mgr", "c, err := choice.NewCache(mgr"},
		},
		failures: map[string]string{
			"TestReconcileWebhook/apiservice-rotator": "apitest's: it does not aggregate other API servers, so it has no APIService",
		},
	},
	{
		path: "github.com/ray-project/kuberay/ray-operator", version: "v1.5.0",
		packages: []string{"controllers/ray"},
		notes:    "kube-apiserver rejects the statuses of jobs that its failing specs write",
		newCache: []edit{chosen("controllers/ray/suite_test.go", "ctrl.NewManager(cfg, ctrl.Options{")},
	},
	{
		path: "go.universe.tf/metallb", version: "v0.15.2",
		packages: []string{"internal/k8s/controllers"},
		notes:    "kube-apiserver rejects the objects of its failing spec, for a maximum in the definition that does not fit the format",
		newCache: []edit{chosen("internal/k8s/controllers/reconciliation_test.go", "ctrl.NewManager(cfg, ctrl.Options{")},
	},
	{
		path: "github.com/open-policy-agent/gatekeeper/v3", version: "v3.23.1",
		packages: []string{"pkg/watch"},
		notes:    "the packages with controllers do not compile with Kubernetes v0.37, which has other interfaces of admission",
		newCache: []edit{chosen("pkg/watch/manager_integration_test.go", "manager.New(cfg, manager.Options{")},
	},
	{
		path: "sigs.k8s.io/gateway-api-inference-extension", version: "v1.5.0",
		packages: []string{"test/integration/epp"},
		newCache: []edit{
			chosen("test/integration/epp/k8s_datasource_integration_test.go", "ctrl.NewManager(cfg, ctrl.Options{"),
			{
				"pkg/epp/server/controller_manager.go", "opt := defaultManagerOptions(controllerCfg, gknn, metricsServerOptions)\n",
				"opt := defaultManagerOptions(controllerCfg, gknn, metricsServerOptions)\n\topt.NewCache, opt.NewClient = choice.NewCache, choice.NewClient\n",
			},
		},
	},
	{
		path: "github.com/kubeflow/trainer/v2", version: "v2.2.0",
		packages: []string{"test/integration/controller", "test/integration/webhooks"},
		notes:    "a webhook rejects a TrainJob if the cache does not show yet the TrainingRuntime that another client has just created",
		prepare: []string{
			// It refers to types that Kubernetes v0.37 does not have, and is not part of the program.
			"rm pkg/apis/trainer/v1alpha1/zz_generated.openapi.go",
			"mkdir -p manifests/external-crds/volcano",
			"cp -r $MODCACHE/sigs.k8s.io/jobset@v0.11.1/config/components/crd/bases manifests/external-crds/jobset-operator",
			"cp -r $MODCACHE/sigs.k8s.io/scheduler-plugins@v0.34.1-devel/manifests/coscheduling manifests/external-crds/scheduler-plugins",
			"cp $MODCACHE/sigs.k8s.io/lws@v0.8.0/test/integration/crd/volcano-podgroup.yaml manifests/external-crds/volcano/scheduling.volcano.sh_podgroups.yaml",
		},
		newCache: []edit{chosen("test/integration/framework/framework.go", "ctrl.NewManager(cfg, manager.Options{")},
	},
	{
		path: "sigs.k8s.io/kueue", version: "v0.17.0",
		packages: []string{"test/integration/singlecluster/controller/core"},
		args:     focused("admissioncheck_controller", "custom_labels", "localqueue_controller", "resourceflavor_controller"),
		prepare: []string{
			// The build writes it with kustomize.
			"cp -r config/components/crd/bases config/components/crd/_output",
			// As above: a file that does not compile with Kubernetes v0.37.
			"cp -r $MODCACHE/github.com/kubeflow/trainer/v2@v2.2.0 trainer",
			"chmod -R u+w trainer",
			"rm trainer/pkg/apis/trainer/v1alpha1/zz_generated.openapi.go",
			"go mod edit -replace=github.com/kubeflow/trainer/v2=./trainer",
		},
		newCache: []edit{chosen("test/integration/framework/framework.go", "mgrOptions := manager.Options{")},
	},
	{
		path: "github.com/k-orc/openstack-resource-controller/v2", version: "v2.6.0",
		packages: []string{"test/apivalidations"},
		notes:    "its failing specs expect other texts of errors; its controllers do not run",
		newCache: []edit{chosen("test/apivalidations/suite_test.go", "ctrl.NewManager(cfg, ctrl.Options{")},
	},
	{
		path: "sigs.k8s.io/cluster-api-operator", version: "v0.29.0",
		packages: []string{"internal/controller"},
		// The others download providers.
		args: []string{"-test.run=Cache|ApplyManifests|ProviderHash|Mapper|Finalizer|Preflight|Customize"},
		prepare: []string{
			// It would download this version of Go.
			"go mod edit -go=1.26.0",
			// The zip lacks definitions of cert-manager, which these suites do not use.
			"mkdir -p test/testdata",
		},
		newCache: []edit{chosen("internal/envtest/environment.go", "options := manager.Options{")},
	},
	{
		path: "github.com/kedacore/keda/v2", version: "v2.21.0",
		packages: []string{"apis/keda/v1alpha1"},
		newCache: []edit{chosen("apis/keda/v1alpha1/suite_test.go", "ctrl.NewManager(cfg, ctrl.Options{")},
	},
	{
		path: "github.com/kubeflow/katib", version: "v0.19.0",
		packages: []string{"pkg/controller.v1beta1/experiment", "pkg/controller.v1beta1/suggestion", "pkg/controller.v1beta1/trial"},
		newCache: []edit{
			chosen("pkg/controller.v1beta1/experiment/experiment_controller_test.go", "Controller. Wrap"+katib),
			chosen("pkg/controller.v1beta1/suggestion/suggestion_controller_test.go", "Controller.  Wrap"+katib),
			chosen("pkg/controller.v1beta1/trial/trial_controller_test.go", "Controller. Wrap"+katib),
		},
	},
	{
		path: "sigs.k8s.io/gateway-api", version: "v1.4.0",
		packages: []string{"pkg/test/cel"},
		prepare:  []string{noDownload("pkg/test/cel/main_test.go"), `sed -i 's/os.Getenv("KUBECONFIG")/""/' pkg/test/cel/main_test.go`},
		newCache: []edit{chosenClient("pkg/test/cel/main_test.go", "client.New(restConfig")},
		notes:    noManager,
	},
	{
		path: "sigs.k8s.io/network-policy-api", version: "v0.3.0",
		packages: []string{"pkg/crdtest"},
		prepare:  []string{noDownload("pkg/crdtest/main_test.go")},
		newCache: []edit{chosenClient("pkg/crdtest/main_test.go", "client.New(restConfig")},
		notes:    noManager,
	},
}
