package builtin

import (
	"context"
	"reflect"

	checks "github.com/listwatch/listwatch/apitest/internal/validation"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage/names"
	"k8s.io/apiserver/pkg/warning"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// A strategy determines what writes of a resource may change. It combines the generic rules with
// those of the kind.
type strategy struct {
	runtime.ObjectTyper
	names.NameGenerator
	def       *definition
	rules     rules
	hasStatus bool
	unchecked string                 // the warning about objects that are not validated; "" for none
	versions  []fieldpath.APIVersion // of the fields that are reset
}

func newStrategy(scheme *runtime.Scheme, def *definition, example runtime.Object) *strategy {
	s := &strategy{ObjectTyper: scheme, NameGenerator: names.SimpleNameGenerator, def: def, rules: rulesOf(def)}
	s.hasStatus = def.has("status") && statusOf(example).IsValid()
	s.unchecked = unchecked(def, &s.rules, example)
	for _, gv := range scheme.PrioritizedVersionsForGroup(def.gvr.Group) {
		s.versions = append(s.versions, fieldpath.APIVersion(gv.String()))
	}
	return s
}

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
func (s *strategy) NamespaceScoped() bool { return s.def.namespaced() }

// AllowCreateOnUpdate implements rest.RESTUpdateStrategy.
func (s *strategy) AllowCreateOnUpdate(context.Context) bool { return s.rules.createOnUpdate }

// AllowUnconditionalUpdate implements rest.RESTUpdateStrategy.
func (s *strategy) AllowUnconditionalUpdate(context.Context) bool { return !s.rules.conditional }

// PrepareForCreate implements rest.RESTCreateStrategy.
func (s *strategy) PrepareForCreate(_ context.Context, obj runtime.Object) {
	if s.hasStatus && !s.rules.keepsStatus {
		statusOf(obj).SetZero()
	}
	if s.rules.generation {
		if m, err := meta.Accessor(obj); err == nil {
			m.SetGeneration(1)
		}
	}
	if s.rules.prepareCreate != nil {
		s.rules.prepareCreate(obj)
	}
}

// PrepareForUpdate implements rest.RESTUpdateStrategy.
func (s *strategy) PrepareForUpdate(_ context.Context, obj, old runtime.Object) {
	if s.hasStatus {
		statusOf(obj).Set(statusOf(old))
	}
	if s.rules.prepareUpdate != nil {
		s.rules.prepareUpdate(obj, old)
	}
	if s.rules.generation && s.changed(obj, old) {
		if m, err := meta.Accessor(obj); err == nil {
			m.SetGeneration(m.GetGeneration() + 1)
		}
	}
}

// changed reports whether the desired state of an object changes.
func (s *strategy) changed(obj, old runtime.Object) bool {
	if s.rules.changed != nil && s.rules.changed(obj, old) {
		return true
	}
	return !sameDesired(obj, old)
}

// Validate implements rest.RESTCreateStrategy.
func (s *strategy) Validate(_ context.Context, obj runtime.Object) field.ErrorList {
	m, err := meta.Accessor(obj)
	if err != nil {
		return field.ErrorList{field.InternalError(field.NewPath("metadata"), err)}
	}
	errs := validation.ValidateObjectMetaAccessor(m, s.NamespaceScoped(), s.rules.validName, field.NewPath("metadata"))
	if s.rules.validate != nil {
		errs = append(errs, s.rules.validate(obj)...)
	}
	if s.def.known {
		errs = append(errs, checks.Finalizers(m.GetFinalizers())...)
		errs = append(errs, checks.Create(obj)...)
	}
	return errs
}

// ValidateUpdate implements rest.RESTUpdateStrategy.
func (s *strategy) ValidateUpdate(_ context.Context, obj, old runtime.Object) field.ErrorList {
	var errs field.ErrorList
	if s.rules.validate != nil {
		errs = append(errs, s.rules.validate(obj)...)
	}
	if s.def.known {
		errs = append(errs, checks.Update(obj, old)...)
	}
	if s.rules.validateUpdate != nil {
		errs = append(errs, s.rules.validateUpdate(obj, old)...)
	}
	return errs
}

// Canonicalize implements rest.RESTCreateStrategy.
func (s *strategy) Canonicalize(obj runtime.Object) {
	if s.rules.canonicalize != nil {
		s.rules.canonicalize(obj)
	}
}

// CheckGracefulDelete implements rest.RESTGracefulDeleteStrategy.
func (s *strategy) CheckGracefulDelete(ctx context.Context, obj runtime.Object, options *metav1.DeleteOptions) bool {
	if s.rules.warnDelete != nil {
		if text := s.rules.warnDelete(options); text != "" {
			warning.AddWarning(ctx, "", text)
		}
	}
	return s.rules.grace != nil && s.rules.grace(obj, options)
}

// DefaultGarbageCollectionPolicy implements rest.GarbageCollectionDeleteStrategy.
func (s *strategy) DefaultGarbageCollectionPolicy(context.Context) rest.GarbageCollectionPolicy {
	return s.rules.garbage
}

// GetResetFields implements rest.ResetFieldsStrategy.
func (s *strategy) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	if !s.hasStatus {
		return nil
	}
	return s.reset(fieldpath.MakePathOrDie("status"))
}

func (s *strategy) reset(paths ...fieldpath.Path) map[fieldpath.APIVersion]*fieldpath.Set {
	out := map[fieldpath.APIVersion]*fieldpath.Set{}
	for _, v := range s.versions {
		out[v] = fieldpath.NewSet(paths...)
	}
	return out
}

// attributes returns the attributes by which an object can be selected.
func (s *strategy) attributes(obj runtime.Object) (labels.Set, fields.Set, error) {
	m, err := meta.Accessor(obj)
	if err != nil {
		return nil, nil, err
	}
	set := fields.Set{"metadata.name": m.GetName()}
	if s.NamespaceScoped() {
		set["metadata.namespace"] = m.GetNamespace()
	}
	if s.rules.fields != nil {
		s.rules.fields(obj, set)
	}
	return m.GetLabels(), set, nil
}
