// Package subresource contains the storages of subresources: parts of objects, scales, bindings, evictions and tokens.
//
// They read and write through the store of the resource, which remains its owner: destroying a subresource does
// nothing. Other resources are passed as functions. All storages are safe for concurrent use.
package subresource

import (
	"context"

	"github.com/listwatch/listwatch/apitest/internal/builtin/strategy"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// A Part of a resource can be read and updated through a subresource, but neither created nor deleted.
type Part struct{ store *registry.Store }

// NewPart returns a part of the objects in a store. Updates use a strategy.
func NewPart(store *registry.Store, s strategy.Part) *Part {
	c := *store
	c.UpdateStrategy = s
	c.ResetFieldsStrategy = s
	c.BeginUpdate = nil // concerns only fields that parts do not change
	return &Part{&c}
}

// New implements rest.Storage.
func (p *Part) New() runtime.Object { return p.store.New() }

// Destroy implements rest.Storage. The store is the resource's.
func (p *Part) Destroy() {}

// Get implements rest.Getter.
func (p *Part) Get(ctx context.Context, name string, options *metav1.GetOptions) (runtime.Object, error) {
	return p.store.Get(ctx, name, options)
}

// Update implements rest.Updater.
func (p *Part) Update(ctx context.Context, name string, info rest.UpdatedObjectInfo, create rest.ValidateObjectFunc,
	update rest.ValidateObjectUpdateFunc, _ bool, options *metav1.UpdateOptions) (runtime.Object, bool, error) {
	return p.store.Update(ctx, name, info, create, update, false, options)
}

// GetResetFields implements rest.ResetFieldsStrategy.
func (p *Part) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return p.store.GetResetFields()
}

// ConvertToTable implements rest.TableConvertor.
func (p *Part) ConvertToTable(ctx context.Context, obj, options runtime.Object) (*metav1.Table, error) {
	return p.store.ConvertToTable(ctx, obj, options)
}

// podPart is a part of a pod's spec.
type podPart struct {
	*Part
	only []*fieldpath.SetMatcher
}

// NewPodPart returns a part of the specs of the pods in a store.
func NewPodPart(store *registry.Store, s strategy.PodPart) rest.Storage {
	return &podPart{NewPart(store, s), s.Only}
}

// GetResetFieldsFilter implements rest.ResetFieldsFilterStrategy.
func (p *podPart) GetResetFieldsFilter() map[fieldpath.APIVersion]fieldpath.Filter {
	return map[fieldpath.APIVersion]fieldpath.Filter{"v1": fieldpath.NewIncludeMatcherFilter(p.only...)}
}
