// Package operator is a small operator of controller-runtime's: a manager with one controller.
package operator

import (
	"context"
	"errors"
	"net/http"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	v1 "github.com/listwatch/listwatch/bench/apis/fleet/v1"
)

// Run runs the operator until the context is done. Its controller reads each machine that changed from the cache, one
// at a time, and passes it to reconciled. It returns the manager at once, which is running.
func Run(ctx context.Context, config *rest.Config, reconciled func(metav1.Object)) (manager.Manager, <-chan error, error) {
	scheme := runtime.NewScheme()
	if err := v1.AddToScheme(scheme); err != nil {
		return nil, nil, err
	}
	m, err := manager.New(config, manager.Options{
		Scheme: scheme,
		MapperProvider: func(*rest.Config, *http.Client) (meta.RESTMapper, error) {
			mapper := meta.NewDefaultRESTMapper(nil)
			mapper.Add(v1.SchemeGroupVersion.WithKind("Machine"), meta.RESTScopeNamespace)
			return mapper, nil
		},
		Metrics: server.Options{BindAddress: "0"},
	})
	if err != nil {
		return nil, nil, err
	}
	err = builder.ControllerManagedBy(m).For(&v1.Machine{}).WithOptions(controller.Options{SkipNameValidation: new(true)}).Complete(reconcile.Func(func(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
		machine := &v1.Machine{}
		if err := m.GetClient().Get(ctx, request.NamespacedName, machine); err != nil {
			return reconcile.Result{}, client.IgnoreNotFound(err)
		}
		reconciled(machine)
		return reconcile.Result{}, nil
	}))
	if err != nil {
		return nil, nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- errors.Join(m.Start(ctx), errors.New("the manager has ended")) }()
	return m, ended, nil
}
