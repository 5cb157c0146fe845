package builtin

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
	def       *catalog.Definition
	rules     kinds.Rules
	hasStatus bool
	unchecked string                 // the warning about objects that are not validated; "" for none
	versions  []fieldpath.APIVersion // of the fields that are reset
}

func newStrategy(scheme *runtime.Scheme, def *catalog.Definition, example runtime.Object) *strategy {
	s := &strategy{ObjectTyper: scheme, NameGenerator: names.SimpleNameGenerator, def: def, rules: kinds.OtherRules()}
	if def.Known {
		s.rules = kinds.RulesOf(def.GVR.GroupResource())
	}
	s.hasStatus = def.Has("status") && statusOf(example).IsValid()
	s.unchecked = unchecked(def, &s.rules, example)
	for _, gv := range scheme.PrioritizedVersionsForGroup(def.GVR.Group) {
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
func (s *strategy) NamespaceScoped() bool { return s.def.Namespaced() }

// AllowCreateOnUpdate implements rest.RESTUpdateStrategy.
func (s *strategy) AllowCreateOnUpdate(context.Context) bool { return s.rules.CreateOnUpdate }

// AllowUnconditionalUpdate implements rest.RESTUpdateStrategy.
func (s *strategy) AllowUnconditionalUpdate(context.Context) bool { return !s.rules.Conditional }

// PrepareForCreate implements rest.RESTCreateStrategy.
func (s *strategy) PrepareForCreate(_ context.Context, obj runtime.Object) {
	if s.hasStatus && !s.rules.KeepsStatus {
		statusOf(obj).SetZero()
	}
	if s.rules.Generation {
		if m, err := meta.Accessor(obj); err == nil {
			m.SetGeneration(1)
		}
	}
	if s.rules.PrepareCreate != nil {
		s.rules.PrepareCreate(obj)
	}
}

// PrepareForUpdate implements rest.RESTUpdateStrategy.
func (s *strategy) PrepareForUpdate(_ context.Context, obj, old runtime.Object) {
	if s.hasStatus {
		statusOf(obj).Set(statusOf(old))
	}
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
func (s *strategy) changed(obj, old runtime.Object) bool {
	if s.rules.Changed != nil && s.rules.Changed(obj, old) {
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
	errs := validation.ValidateObjectMetaAccessor(m, s.NamespaceScoped(), s.rules.ValidName, field.NewPath("metadata"))
	if s.rules.Validate != nil {
		errs = append(errs, s.rules.Validate(obj)...)
	}
	if s.def.Known {
		errs = append(errs, checks.Finalizers(m.GetFinalizers())...)
		errs = append(errs, checks.Create(obj)...)
	}
	return errs
}

// ValidateUpdate implements rest.RESTUpdateStrategy.
func (s *strategy) ValidateUpdate(_ context.Context, obj, old runtime.Object) field.ErrorList {
	var errs field.ErrorList
	if s.rules.Validate != nil {
		errs = append(errs, s.rules.Validate(obj)...)
	}
	if s.def.Known {
		errs = append(errs, checks.Update(obj, old)...)
	}
	if s.rules.ValidateUpdate != nil {
		errs = append(errs, s.rules.ValidateUpdate(obj, old)...)
	}
	return errs
}

// Canonicalize implements rest.RESTCreateStrategy.
func (s *strategy) Canonicalize(obj runtime.Object) {
	if s.rules.Canonicalize != nil {
		s.rules.Canonicalize(obj)
	}
}

// CheckGracefulDelete implements rest.RESTGracefulDeleteStrategy.
func (s *strategy) CheckGracefulDelete(ctx context.Context, obj runtime.Object, options *metav1.DeleteOptions) bool {
	if s.rules.WarnDelete != nil {
		if text := s.rules.WarnDelete(options); text != "" {
			warning.AddWarning(ctx, "", text)
		}
	}
	return s.rules.Grace != nil && s.rules.Grace(obj, options)
}

// DefaultGarbageCollectionPolicy implements rest.GarbageCollectionDeleteStrategy.
func (s *strategy) DefaultGarbageCollectionPolicy(context.Context) rest.GarbageCollectionPolicy {
	return s.rules.Garbage
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
	if s.rules.Fields != nil {
		s.rules.Fields(obj, set)
	}
	return m.GetLabels(), set, nil
}
