// Package strategy determines what writes of a resource may change, as k8s.io/apiserver's stores ask for it: the rules
// that all kinds have, with those of the kind (package kinds).
//
// A [Strategy] is for a resource, and has parts for its subresources: each lets a write change only the part that the
// subresource stands for. They are immutable, and safe for concurrent use.
package strategy

import (
	"context"
	"reflect"

	"github.com/listwatch/listwatch/apitest/internal/builtin/catalog"
	"github.com/listwatch/listwatch/apitest/internal/builtin/kinds"
	checks "github.com/listwatch/listwatch/apitest/internal/validation"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage/names"
	"k8s.io/apiserver/pkg/warning"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// A Strategy determines what writes of a resource may change.
type Strategy struct {
	runtime.ObjectTyper
	names.NameGenerator
	def       *catalog.Definition
	rules     kinds.Rules
	hasStatus bool
	versions  []fieldpath.APIVersion // of the fields that are reset
}

// New returns the strategy of a resource whose stored objects have the type of example.
func New(scheme *runtime.Scheme, def *catalog.Definition, example runtime.Object) *Strategy {
	s := &Strategy{ObjectTyper: scheme, NameGenerator: names.SimpleNameGenerator, def: def, rules: kinds.OtherRules()}
	if def.Known {
		s.rules = kinds.RulesOf(def.GVR.GroupResource())
	}
	s.hasStatus = def.Has("status") && statusOf(example).IsValid()
	for _, gv := range scheme.PrioritizedVersionsForGroup(def.GVR.Group) {
		s.versions = append(s.versions, fieldpath.APIVersion(gv.String()))
	}
	return s
}

// Configure makes a store follow the strategy.
func (s *Strategy) Configure(store *registry.Store) {
	store.CreateStrategy, store.UpdateStrategy, store.DeleteStrategy, store.ResetFieldsStrategy = s, s, s, s
	store.TTLFunc = s.rules.TTL
	store.ReturnDeletedObject = s.rules.ReturnDeleted
	if s.rules.DeleteDuringUpdate != nil {
		store.ShouldDeleteDuringUpdate = s.rules.DeleteDuringUpdate
	}
}

// Part is the strategy for updates of a part of a resource.
type Part interface {
	rest.RESTUpdateStrategy
	rest.ResetFieldsStrategy
}

// Status returns the strategy for the status.
func (s *Strategy) Status() Part { return statusStrategy{s} }

// Approval returns the strategy for the approval of a signing request.
func (s *Strategy) Approval() Part { return approvalStrategy{s} }

// Finalize returns the strategy for the finalizers of a namespace.
func (s *Strategy) Finalize() Part { return finalizeStrategy{s} }

// statusOf returns an object's status, which is settable, or the zero value.
func statusOf(obj runtime.Object) reflect.Value {
	v := reflect.ValueOf(obj)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return reflect.Value{}
	}
	return v.Elem().FieldByName("Status")
}

// desired returns the fields of an object that are not metadata or status.
func desired(obj runtime.Object) []reflect.Value {
	v := reflect.ValueOf(obj).Elem()
	var out []reflect.Value
	for i := range v.NumField() {
		switch v.Type().Field(i).Name {
		case "TypeMeta", "ObjectMeta", "Status":
		default:
			out = append(out, v.Field(i))
		}
	}
	return out
}

// restore sets what is desired to what was.
func restore(obj, old runtime.Object) {
	was := desired(old)
	for i, v := range desired(obj) {
		v.Set(was[i])
	}
}

func sameDesired(a, b runtime.Object) bool {
	want := desired(b)
	for i, v := range desired(a) {
		if !equality.Semantic.DeepEqual(v.Interface(), want[i].Interface()) {
			return false
		}
	}
	return true
}

// NamespaceScoped implements rest.RESTCreateStrategy.
func (s *Strategy) NamespaceScoped() bool { return s.def.Namespaced() }

// AllowCreateOnUpdate implements rest.RESTUpdateStrategy.
func (s *Strategy) AllowCreateOnUpdate(context.Context) bool { return s.rules.CreateOnUpdate }

// AllowUnconditionalUpdate implements rest.RESTUpdateStrategy.
func (s *Strategy) AllowUnconditionalUpdate(context.Context) bool { return !s.rules.Conditional }

// PrepareForCreate implements rest.RESTCreateStrategy.
func (s *Strategy) PrepareForCreate(ctx context.Context, obj runtime.Object) {
	if s.hasStatus && !s.rules.KeepsStatus {
		statusOf(obj).SetZero()
	}
	if s.rules.Generation {
		if m, err := meta.Accessor(obj); err == nil {
			m.SetGeneration(1)
		}
	}
	kinds.DropDisabled(obj)
	if s.rules.PrepareCreate != nil {
		s.rules.PrepareCreate(obj)
	}
	if s.rules.Migrate != nil {
		for _, text := range s.rules.Migrate(obj) {
			warning.AddWarning(ctx, "", text)
		}
	}
}

// PrepareForUpdate implements rest.RESTUpdateStrategy.
func (s *Strategy) PrepareForUpdate(_ context.Context, obj, old runtime.Object) {
	if s.hasStatus {
		statusOf(obj).Set(statusOf(old))
	}
	if s.rules.SpecFixed {
		restore(obj, old)
	}
	kinds.DropDisabled(obj)
	if s.rules.PrepareUpdate != nil {
		s.rules.PrepareUpdate(obj, old)
	}
	if s.rules.Generation && s.changed(obj, old) {
		if m, err := meta.Accessor(obj); err == nil {
			m.SetGeneration(m.GetGeneration() + 1)
		}
	}
}

// changed reports whether the desired state of an object changes.
func (s *Strategy) changed(obj, old runtime.Object) bool {
	if s.rules.Changed != nil && s.rules.Changed(obj, old) {
		return true
	}
	return !sameDesired(obj, old)
}

// Validate implements rest.RESTCreateStrategy.
func (s *Strategy) Validate(ctx context.Context, obj runtime.Object) field.ErrorList {
	m, err := meta.Accessor(obj)
	if err != nil {
		return field.ErrorList{field.InternalError(field.NewPath("metadata"), err)}
	}
	errs := validation.ValidateObjectMetaAccessor(m, s.NamespaceScoped(), s.rules.ValidName, field.NewPath("metadata"))
	if s.rules.Validate != nil {
		errs = append(errs, s.rules.Validate(obj)...)
	}
	if s.rules.ValidateRequest != nil {
		errs = append(errs, s.rules.ValidateRequest(ctx, obj, nil)...)
	}
	if s.def.Known {
		errs = append(errs, s.finalizers(obj)...)
		errs = append(errs, checks.Create(obj)...)
	}
	return errs
}

// ValidateUpdate implements rest.RESTUpdateStrategy.
func (s *Strategy) ValidateUpdate(ctx context.Context, obj, old runtime.Object) field.ErrorList {
	var errs field.ErrorList
	if s.def.Known {
		errs = append(errs, s.finalizers(obj)...)
	}
	if s.rules.ValidateUpdate != nil && s.rules.ChangesFirst {
		errs = append(errs, s.rules.ValidateUpdate(obj, old)...)
	}
	if s.rules.Validate != nil {
		errs = append(errs, s.rules.Validate(obj)...)
	}
	if s.rules.ValidateRequest != nil {
		errs = append(errs, s.rules.ValidateRequest(ctx, obj, old)...)
	}
	if s.def.Known {
		errs = append(errs, checks.Update(obj, old)...)
	}
	if s.rules.ValidateUpdate != nil && !s.rules.ChangesFirst {
		errs = append(errs, s.rules.ValidateUpdate(obj, old)...)
	}
	return errs
}

// finalizers returns what is wrong with the finalizers of an object of Kubernetes' own kinds.
func (s *Strategy) finalizers(obj runtime.Object) field.ErrorList {
	m, err := meta.Accessor(obj)
	if err != nil || s.rules.AnyFinalizers {
		return nil
	}
	return checks.Finalizers(m.GetFinalizers())
}

// Canonicalize implements rest.RESTCreateStrategy.
func (s *Strategy) Canonicalize(obj runtime.Object) {
	if s.rules.Canonicalize != nil {
		s.rules.Canonicalize(obj)
	}
}

// CheckGracefulDelete implements rest.RESTGracefulDeleteStrategy.
func (s *Strategy) CheckGracefulDelete(_ context.Context, obj runtime.Object, options *metav1.DeleteOptions) bool {
	return s.rules.Grace != nil && s.rules.Grace(obj, options)
}

// DefaultGarbageCollectionPolicy implements rest.GarbageCollectionDeleteStrategy.
func (s *Strategy) DefaultGarbageCollectionPolicy(context.Context) rest.GarbageCollectionPolicy {
	return s.rules.Garbage
}

// GetResetFields implements rest.ResetFieldsStrategy.
func (s *Strategy) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	switch {
	case !s.hasStatus:
		return nil
	case s.rules.SpecFixed:
		return s.reset(fieldpath.MakePathOrDie("spec"), fieldpath.MakePathOrDie("status"))
	}
	return s.reset(fieldpath.MakePathOrDie("status"))
}

func (s *Strategy) reset(paths ...fieldpath.Path) map[fieldpath.APIVersion]*fieldpath.Set {
	out := map[fieldpath.APIVersion]*fieldpath.Set{}
	for _, v := range s.versions {
		out[v] = fieldpath.NewSet(paths...)
	}
	return out
}

// Attributes returns the labels and fields by which an object can be selected.
func (s *Strategy) Attributes(obj runtime.Object) (labels.Set, fields.Set, error) {
	m, err := meta.Accessor(obj)
	if err != nil {
		return nil, nil, err
	}
	set := fields.Set{"metadata.name": m.GetName()}
	if s.NamespaceScoped() {
		set["metadata.namespace"] = m.GetNamespace()
	}
	if s.rules.Fields != nil {
		s.rules.Fields(obj, set)
	}
	return m.GetLabels(), set, nil
}
