package builtin

import (
	"context"
	"fmt"
	"slices"

	"github.com/listwatch/listwatch/apitest/internal/builtin/roles"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/generic/registry"
)

var coreServices = corev1.SchemeGroupVersion.WithResource("services")

// CreateOwn creates the objects that every cluster has and that would be created at the first request for their resource.
// After the first time, it does nothing.
func (r *Resources) CreateOwn() error {
	for _, gvr := range slices.Concat(roles.Resources, []schema.GroupVersionResource{coreServices, priorityClasses, priorityLevels, flowSchemas}) {
		if _, err := r.find(gvr); err != nil {
			return fmt.Errorf("create the first objects of %s: %w", gvr.GroupResource(), err)
		}
	}
	return nil
}

// createOwn creates an object that every cluster has, unless it exists.
func createOwn(store *registry.Store, obj runtime.Object) error {
	ctx := request.WithNamespace(context.Background(), "")
	if _, err := store.Create(ctx, obj, nil, &metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("create an object of every cluster in %s: %w", store.DefaultQualifiedResource, err)
	}
	return nil
}
