package custom

import (
	"fmt"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/api/equality"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/sets"
)

// taken are the names used by the CRDs of a group.
type taken struct {
	resources sets.Set[string] // plural, singular and short names
	kinds     sets.Set[string] // of objects and of lists
}

func (r *Registry) taken(group string) taken {
	t := taken{resources: sets.New[string](), kinds: sets.New[string]()}
	for _, definition := range r.known {
		if definition.object.Spec.Group != group {
			continue
		}
		names := definition.object.Status.AcceptedNames
		t.resources.Insert(names.Plural, names.Singular).Insert(names.ShortNames...)
		t.kinds.Insert(names.Kind, names.ListKind)
	}
	return t
}

// acceptNames accepts those of the requested names of a CRD that no other CRD has, and reports
// whether these are all. It returns nil if nothing changes.
func acceptNames(object *apiextensions.CustomResourceDefinition, taken taken) change {
	wanted, held := object.Spec.Names, object.Status.AcceptedNames
	if equality.Semantic.DeepEqual(wanted, held) {
		return nil
	}
	names := held
	names.Categories = wanted.Categories
	condition := apiextensions.CustomResourceDefinitionCondition{
		Type:    apiextensions.NamesAccepted,
		Status:  apiextensions.ConditionTrue,
		Reason:  "NoConflicts",
		Message: "no conflicts found",
	}
	refuse := func(reason string, err error) {
		condition.Status = apiextensions.ConditionFalse
		condition.Reason = reason
		condition.Message = err.Error()
	}
	claim := func(name *string, wanted string, taken sets.Set[string], reason string) {
		if err := claimable(wanted, *name, taken); err != nil {
			refuse(reason, err)
			return
		}
		*name = wanted
	}
	claim(&names.Plural, wanted.Plural, taken.resources, "PluralConflict")
	claim(&names.Singular, wanted.Singular, taken.resources, "SingularConflict")
	if err := shortNamesClaimable(wanted.ShortNames, held.ShortNames, taken.resources); err != nil {
		refuse("ShortNamesConflict", err)
	} else {
		names.ShortNames = wanted.ShortNames
	}
	claim(&names.Kind, wanted.Kind, taken.kinds, "KindConflict")
	claim(&names.ListKind, wanted.ListKind, taken.kinds, "ListKindConflict")

	if equality.Semantic.DeepEqual(names, held) && setCondition(object, condition) == nil {
		return nil
	}
	return func(object *apiextensions.CustomResourceDefinition) {
		object.Status.AcceptedNames = names
		apiextensions.SetCRDCondition(object, condition)
		apiextensions.SetCRDCondition(object, established(object, condition.Status))
	}
}

// established returns the condition Established that follows the check of names.
func established(object *apiextensions.CustomResourceDefinition, accepted apiextensions.ConditionStatus) apiextensions.CustomResourceDefinitionCondition {
	old := apiextensions.FindCRDCondition(object, apiextensions.Established)
	switch {
	case old != nil && (old.Status == apiextensions.ConditionTrue || accepted != apiextensions.ConditionTrue):
		return *old
	case accepted == apiextensions.ConditionTrue:
		return apiextensions.CustomResourceDefinitionCondition{
			Type:    apiextensions.Established,
			Status:  apiextensions.ConditionFalse,
			Reason:  "Installing",
			Message: "the initial names have been accepted",
		}
	default:
		return apiextensions.CustomResourceDefinitionCondition{
			Type:    apiextensions.Established,
			Status:  apiextensions.ConditionFalse,
			Reason:  "NotAccepted",
			Message: "not all names are accepted",
		}
	}
}

func claimable(wanted, held string, taken sets.Set[string]) error {
	if wanted != held && taken.Has(wanted) {
		return fmt.Errorf("%q is already in use", wanted)
	}
	return nil
}

func shortNamesClaimable(wanted, held []string, taken sets.Set[string]) error {
	var errs []error
	for _, name := range wanted {
		if slices.Contains(held, name) {
			continue
		}
		if err := claimable(name, "", taken); err != nil {
			errs = append(errs, err)
		}
	}
	return utilerrors.NewAggregate(errs)
}
