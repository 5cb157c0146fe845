// Package controller stores pages in ConfigMaps.
package controller

import (
	"context"
	"fmt"
	"html"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	webv1 "github.com/listwatch/listwatch/examples/kubebuilder/api/v1"
)

// PageReconciler stores each page in a ConfigMap of the same name, which the page owns.
type PageReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// +kubebuilder:rbac:groups=web.example.com,resources=pages,verbs=get;list;watch
// +kubebuilder:rbac:groups=web.example.com,resources=pages/status,verbs=update
// +kubebuilder:rbac:groups="",resources=configmaps,verbs=get;list;watch;create;update

// Reconcile stores a page, and reports it in the status.
func (r *PageReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	page := &webv1.Page{}
	if err := r.Get(ctx, req.NamespacedName, page); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	stored := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: page.Namespace, Name: page.Name}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, stored, func() error {
		stored.Data = map[string]string{"index.html": render(page.Spec)}
		return controllerutil.SetControllerReference(page, stored, r.Scheme)
	})
	if err != nil {
		return ctrl.Result{}, fmt.Errorf("store page %s: %w", req, err)
	}
	status := webv1.PageStatus{ConfigMap: stored.Name, ObservedGeneration: page.Generation}
	if page.Status == status {
		return ctrl.Result{}, nil
	}
	page.Status = status
	return ctrl.Result{}, r.Status().Update(ctx, page)
}

func render(spec webv1.PageSpec) string {
	title, text := html.EscapeString(spec.Title), html.EscapeString(spec.Text)
	return fmt.Sprintf("<!doctype html><title>%s</title><h1>%s</h1><p>%s", title, title, text)
}

// SetupWithManager registers the controller.
func (r *PageReconciler) SetupWithManager(manager ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(manager).For(&webv1.Page{}).Owns(&corev1.ConfigMap{}).Complete(r)
}
