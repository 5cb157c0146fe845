package builtin

import (
	"context"

	checks "github.com/listwatch/listwatch/apitest/internal/validation"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// statusStrategy is the strategy for a resource's status: only the status changes, and the metadata
// as far as the kind's rules allow.
type statusStrategy struct{ *strategy }

// PrepareForUpdate implements rest.RESTUpdateStrategy.
func (s statusStrategy) PrepareForUpdate(_ context.Context, obj, old runtime.Object) {
	was := desired(old)
	for i, v := range desired(obj) {
		v.Set(was[i])
	}
	n, err := meta.Accessor(obj)
	if err != nil {
		return
	}
	o, err := meta.Accessor(old)
	if err != nil {
		return
	}
	if s.rules.MetadataFixed {
		metav1.ResetObjectMetaForStatus(n, o)
	}
	if s.rules.LabelsFixed {
		n.SetLabels(o.GetLabels())
	}
	if s.rules.PrepareStatus != nil {
		s.rules.PrepareStatus(obj, old)
	}
}

// ValidateUpdate implements rest.RESTUpdateStrategy.
func (s statusStrategy) ValidateUpdate(_ context.Context, obj, old runtime.Object) field.ErrorList {
	if !s.def.Known {
		return nil
	}
	return checks.UpdateStatus(obj, old, "status")
}

// WarningsOnUpdate implements rest.RESTUpdateStrategy.
func (statusStrategy) WarningsOnUpdate(context.Context, runtime.Object, runtime.Object) []string {
	return nil
}

// GetResetFields implements rest.ResetFieldsStrategy.
func (s statusStrategy) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	if s.rules.MetadataFixed {
		return s.reset(fieldpath.MakePathOrDie("spec"), fieldpath.MakePathOrDie("metadata"))
	}
	paths := []fieldpath.Path{fieldpath.MakePathOrDie("spec")}
	for _, path := range s.rules.StatusResets {
		paths = append(paths, fieldpath.MakePathOrDie(path...))
	}
	return s.reset(paths...)
}

// A part of a resource can be read and updated through a subresource, but neither created nor
// deleted.
type part struct{ store *registry.Store }

// partOf returns a part of a store whose updates use a strategy.
func partOf(store *registry.Store, s interface {
	rest.RESTUpdateStrategy
	rest.ResetFieldsStrategy
}) *part {
	c := *store
	c.UpdateStrategy = s
	c.ResetFieldsStrategy = s
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

// GetResetFields implements rest.ResetFieldsStrategy.
func (p *part) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return p.store.GetResetFields()
}

// ConvertToTable implements rest.TableConvertor.
func (p *part) ConvertToTable(ctx context.Context, obj, options runtime.Object) (*metav1.Table, error) {
	return p.store.ConvertToTable(ctx, obj, options)
}
