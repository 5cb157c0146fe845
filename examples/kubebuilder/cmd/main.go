// Main runs the controller of pages.
package main

import (
	"flag"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/listwatch/listwatch/controllerruntime"

	webv1 "github.com/listwatch/listwatch/examples/kubebuilder/api/v1"
	"github.com/listwatch/listwatch/examples/kubebuilder/internal/controller"
)

func main() {
	metrics := flag.String("metrics-bind-address", "0", "address of the metrics; 0 serves none")
	probes := flag.String("health-probe-bind-address", ":8081", "address of the health probes")
	elect := flag.Bool("leader-elect", false, "whether only one of several instances works at a time")
	flag.Parse()
	ctrl.SetLogger(zap.New())
	if err := run(*metrics, *probes, *elect); err != nil {
		ctrl.Log.Error(err, "Failed to run the manager")
		os.Exit(1)
	}
}

func run(metrics, probes string, elect bool) error {
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return err
	}
	if err := webv1.AddToScheme(scheme); err != nil {
		return err
	}
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                 scheme,
		Metrics:                metricsserver.Options{BindAddress: metrics},
		HealthProbeBindAddress: probes,
		LeaderElection:         elect,
		LeaderElectionID:       "pages.web.example.com",
		NewCache:               controllerruntime.NewCache,
	})
	if err != nil {
		return err
	}
	pages := &controller.PageReconciler{Client: manager.GetClient(), Scheme: manager.GetScheme()}
	if err := pages.SetupWithManager(manager); err != nil {
		return err
	}
	if err := manager.AddHealthzCheck("healthz", healthz.Ping); err != nil {
		return err
	}
	return manager.Start(ctrl.SetupSignalHandler())
}
