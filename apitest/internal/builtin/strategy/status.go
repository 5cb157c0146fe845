package strategy

import (
	"context"

	"github.com/listwatch/listwatch/apitest/internal/builtin/kinds"
	checks "github.com/listwatch/listwatch/apitest/internal/validation"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// statusStrategy is the strategy for a resource's status: only the status changes, and the metadata
// as far as the kind's rules allow.
type statusStrategy struct{ *Strategy }

// PrepareForUpdate implements rest.RESTUpdateStrategy.
func (s statusStrategy) PrepareForUpdate(_ context.Context, obj, old runtime.Object) {
	restore(obj, old)
	n, err := meta.Accessor(obj)
	if err != nil {
		return
	}
	o, err := meta.Accessor(old)
	if err != nil {
		return
	}
	kinds.DropDisabled(obj)
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
	return append(s.finalizers(obj), checks.UpdateStatus(obj, old, "status")...)
}

// WarningsOnUpdate implements rest.RESTUpdateStrategy.
func (s statusStrategy) WarningsOnUpdate(_ context.Context, obj, _ runtime.Object) []string {
	if s.rules.WarnStatus == nil {
		return nil
	}
	return s.rules.WarnStatus(obj)
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
