// Package stores reads stored objects, for what a request needs besides its own object: the namespace, its limits and
// quotas, webhook configurations, or the pod of a token.
package stores

import (
	"context"
	"fmt"

	"github.com/listwatch/listwatch/apitest/internal/store"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/generic/registry"
)

// Reader reads objects without authorization or admission. It is safe for concurrent use.
type Reader struct {
	Backend *store.Backend
	// Open returns the store of a resource, or nil if the resource is not served.
	Open func(schema.GroupVersionResource) (*registry.Store, error)
}

// Get returns an object, which is shared. The namespace of a resource without namespaces is ignored. An object of a
// resource that is not served is not found. Errors are about the object, whatever the context's request is about.
func (r Reader) Get(ctx context.Context, gvr schema.GroupVersionResource, namespace, name string) (runtime.Object, error) {
	st, err := r.Open(gvr)
	if err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	if st == nil {
		return nil, apierrors.NewNotFound(gvr.GroupResource(), name)
	}
	if !st.NamespaceScoped() {
		namespace = ""
	}
	ctx = request.WithRequestInfo(request.WithNamespace(ctx, namespace), &request.RequestInfo{
		APIGroup: gvr.Group, APIVersion: gvr.Version, Resource: gvr.Resource,
	})
	return st.Get(ctx, name, &metav1.GetOptions{})
}

// List returns the objects of a resource in a namespace, or with metav1.NamespaceAll all of them, as an L, which is the
// type of their list. The objects are shared. The list of a resource that is not served is empty.
func List[L any](ctx context.Context, r Reader, gvr schema.GroupVersionResource, namespace string) (*L, error) {
	st, err := r.Open(gvr)
	if err != nil {
		return nil, err
	}
	if st == nil {
		return new(L), nil
	}
	got, err := st.List(request.WithNamespace(ctx, namespace), &internalversion.ListOptions{})
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", gvr.Resource, err)
	}
	list, ok := any(got).(*L)
	if !ok {
		return nil, fmt.Errorf("list %s: got a %T", gvr.Resource, got)
	}
	return list, nil
}

// ListWritten is List for resources without objects from the start: it does not open the store before the first write.
func ListWritten[L any](ctx context.Context, r Reader, gvr schema.GroupVersionResource, namespace string) (*L, error) {
	if r.Backend.Changed(gvr.GroupResource()) == 0 {
		return new(L), nil
	}
	return List[L](ctx, r, gvr, namespace)
}
