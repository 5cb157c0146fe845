package controller

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/apitest/perturb"
	"github.com/listwatch/listwatch/controllerruntime"

	webv1 "github.com/listwatch/listwatch/examples/kubebuilder/api/v1"
)

// TestPerturbed lets the manager crash after each of its writes, read old states and miss changes.
func TestPerturbed(t *testing.T) {
	known := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{scheme.AddToScheme, webv1.AddToScheme} {
		if err := add(known); err != nil {
			t.Fatal(err)
		}
	}
	perturb.Run(t, perturb.Controller{
		Server: []embedded.Option{embedded.WithCRDs(filepath.Join("..", "..", "config", "crd", "bases"))},
		StartClientGo: func(ctx context.Context, user *rest.Config) error {
			again := true // the name of the controller is unique in the process
			manager, err := ctrl.NewManager(user, ctrl.Options{
				Scheme: known, Metrics: metricsserver.Options{BindAddress: "0"}, Logger: logr.Discard(),
				NewCache: controllerruntime.NewCache, Controller: config.Controller{SkipNameValidation: &again},
			})
			if err != nil {
				return err
			}
			pages := &PageReconciler{Client: manager.GetClient(), Scheme: known}
			if err := pages.SetupWithManager(manager); err != nil {
				return err
			}
			return manager.Start(ctx)
		},
		UsersClientGo: func(ctx context.Context, config *rest.Config) error {
			users, err := client.New(config, client.Options{Scheme: known})
			if err != nil {
				return err
			}
			page := &webv1.Page{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "hello"}, Spec: webv1.PageSpec{Title: "Hello"}}
			stored := &corev1.ConfigMap{ObjectMeta: page.ObjectMeta}
			for _, step := range []func() error{
				func() error { return users.Create(ctx, page.DeepCopy()) },
				func() error {
					return users.Patch(ctx, page.DeepCopy(), client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"title":"Bye"}}`)))
				},
				func() error { return users.Delete(ctx, stored) },
				func() error { return users.Delete(ctx, page) },
			} {
				if err := step(); err != nil {
					return err
				}
			}
			return nil
		},
		Budget: 2500 * time.Millisecond,
	})
}
