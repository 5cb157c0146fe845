//go:build operators

package perturb_test

import (
	"context"
	"os/exec"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime"
	kubescheme "k8s.io/client-go/kubernetes/scheme"
	clientgo "k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/listwatch/listwatch/apitest/controllers"
	"github.com/listwatch/listwatch/apitest/embedded"
)

// Operators survive disturbances, except for what is known of them.
func TestOperators(t *testing.T) { report.Operators = disturb(t, operators) }

// managing starts a manager with the controllers of an operator, as its command does.
func managing(setup func(ctx context.Context, mgr ctrl.Manager) error, types ...func(*runtime.Scheme) error) start {
	return func(ctx context.Context, user *clientgo.Config) error {
		scheme := runtime.NewScheme()
		for _, add := range append(types, kubescheme.AddToScheme) {
			if err := add(scheme); err != nil {
				return err
			}
		}
		again := true // the controllers of another process have the same names
		mgr, err := manager.New(user, manager.Options{
			Scheme: scheme, Logger: logr.Discard(), Metrics: metricsserver.Options{BindAddress: "0"},
			Controller: config.Controller{SkipNameValidation: &again},
		})
		if err != nil {
			return err
		}
		if err := setup(ctx, mgr); err != nil {
			return err
		}
		return mgr.Start(ctx)
	}
}

// workloads are stand-ins for what runs workloads. Pods become ready, and do not end.
func workloads() []embedded.Controller {
	return []embedded.Controller{
		controllers.Deployments(), controllers.ReplicaSets(), controllers.StatefulSets(), controllers.Scheduler(), controllers.Kubelet(nil),
	}
}

// batch are the same for jobs, whose pods succeed.
func batch() []embedded.Controller {
	return []embedded.Controller{controllers.Jobs(), controllers.Scheduler(), controllers.Kubelet(finish)}
}

// module returns the directory of a module in Go's cache.
func module(path string) string {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", path).Output()
	if err != nil {
		return "directory of module " + path // which is reported as missing
	}
	return strings.TrimSpace(string(out))
}
