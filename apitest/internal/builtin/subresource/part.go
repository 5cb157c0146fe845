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

// part is what can be read and updated of an object through a subresource, but neither created nor deleted.
type part struct{ store *registry.Store }

// newPart returns a part of the objects in a store. Updates use a strategy.
func newPart(store *registry.Store, s rest.RESTUpdateStrategy) *part {
	c := *store
	c.UpdateStrategy = s
	c.BeginUpdate = nil // concerns only fields that parts do not change
	return &part{&c}
}

// New implements rest.Storage.
func (p *part) New() runtime.Object { return p.store.New() }

// Destroy implements rest.Storage. The store is the resource's.
func (p *part) Destroy() {}

// Get implements rest.Getter.
func (p *part) Get(ctx context.Context, name string, options *metav1.GetOptions) (runtime.Object, error) {
	return p.store.Get(ctx, name, options)
}

// Update implements rest.Updater.
func (p *part) Update(ctx context.Context, name string, info rest.UpdatedObjectInfo, create rest.ValidateObjectFunc,
	update rest.ValidateObjectUpdateFunc, _ bool, options *metav1.UpdateOptions) (runtime.Object, bool, error) {
	return p.store.Update(ctx, name, info, create, update, false, options)
}

// ConvertToTable implements rest.TableConvertor.
func (p *part) ConvertToTable(ctx context.Context, obj, options runtime.Object) (*metav1.Table, error) {
	return p.store.ConvertToTable(ctx, obj, options)
}

// A Part of a resource has fields that nobody manages through its subresource, since it does not change them.
type Part struct {
	*part
	strategy strategy.Part
}

// NewPart returns a part of the objects in a store. Updates use a strategy.
func NewPart(store *registry.Store, s strategy.Part) *Part { return &Part{newPart(store, s), s} }

// GetResetFields implements rest.ResetFieldsStrategy.
func (p *Part) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return p.strategy.GetResetFields()
}

// NewPodPart returns a part of the specs of the pods in a store. After an update, the user manages all fields of the
// request, even those that the part does not change, as on a kube-apiserver.
func NewPodPart(store *registry.Store, s strategy.PodPart) rest.Storage { return newPart(store, s) }
