package builtin

import (
	"context"

	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/warning"
)

var jobs = batchv1.SchemeGroupVersion.WithResource("jobs")

// jobStore warns that pods are retained when jobs are deleted, unless the request says what happens to them.
type jobStore struct{ *registry.Store }

// Delete implements rest.GracefulDeleter.
func (s jobStore) Delete(ctx context.Context, name string, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions) (runtime.Object, bool, error) {
	warnPodsRetained(ctx, options)
	return s.Store.Delete(ctx, name, validate, options)
}

// DeleteCollection implements rest.CollectionDeleter.
func (s jobStore) DeleteCollection(ctx context.Context, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions, list *internalversion.ListOptions) (runtime.Object, error) {
	warnPodsRetained(ctx, options)
	return s.Store.DeleteCollection(ctx, validate, options, list)
}

func warnPodsRetained(ctx context.Context, options *metav1.DeleteOptions) {
	if options == nil || options.PropagationPolicy != nil || options.OrphanDependents != nil { //nolint:staticcheck // old clients send it
		return
	}
	warning.AddWarning(ctx, "", "child pods are preserved by default when jobs are deleted; "+
		"set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning")
}
