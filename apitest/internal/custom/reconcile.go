package custom

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/util/webhook"
)

// change is a step's change of a CRD.
type change func(*apiextensions.CustomResourceDefinition)

// reconcile takes steps until none is left.
func (r *Registry) reconcile(ctx context.Context) error {
	var errs []error
	for len(r.waiting) > 0 {
		name := r.waiting[0]
		r.waiting = r.waiting[1:]
		if err := r.step(ctx, name); err != nil {
			errs = append(errs, fmt.Errorf("reconcile definition %q: %w", name, err))
		}
	}
	return errors.Join(errs...)
}

// step makes at most one change to a CRD. A change causes another step.
func (r *Registry) step(ctx context.Context, name string) error {
	definition, ok := r.known[name]
	if !ok {
		// Other CRDs may take its former names.
		_, group, _ := strings.Cut(name, ".")
		r.enqueueOthers(name, group)
		return nil
	}
	object := definition.object
	if names := acceptNames(object, r.taken(object.Spec.Group)); names != nil {
		if err := r.definitions.change(ctx, name, names); err != nil {
			return err
		}
		r.enqueueOthers(name, object.Spec.Group)
		return nil
	}
	for _, rule := range []func(*apiextensions.CustomResourceDefinition) change{approve, establish} {
		if next := rule(object); next != nil {
			return r.definitions.change(ctx, name, next)
		}
	}
	return r.finalize(ctx, definition)
}

// enqueueOthers adds the other CRDs of a group to those to reconcile.
func (r *Registry) enqueueOthers(name, group string) {
	for other, definition := range r.known {
		if other != name && definition.object.Spec.Group == group {
			r.enqueue(other)
		}
	}
}

// approve checks whether a CRD of a group that belongs to Kubernetes was approved.
func approve(object *apiextensions.CustomResourceDefinition) change {
	if !apihelpers.IsProtectedCommunityGroup(object.Spec.Group) {
		return nil
	}
	condition := apiextensions.CustomResourceDefinitionCondition{
		Type:   apiextensions.KubernetesAPIApprovalPolicyConformant,
		Status: apiextensions.ConditionFalse,
	}
	state, message := apihelpers.GetAPIApprovalState(object.Annotations)
	condition.Message = message
	switch state {
	case apihelpers.APIApproved:
		condition.Status, condition.Reason = apiextensions.ConditionTrue, "ApprovedAnnotation"
	case apihelpers.APIApprovalBypassed:
		condition.Reason = "UnapprovedAnnotation"
	case apihelpers.APIApprovalMissing:
		condition.Reason = "MissingAnnotation"
	default:
		condition.Reason = "InvalidAnnotation"
	}
	return setCondition(object, condition)
}

// establish makes a CRD with accepted names be served.
func establish(object *apiextensions.CustomResourceDefinition) change {
	if !apiextensions.IsCRDConditionTrue(object, apiextensions.NamesAccepted) ||
		apiextensions.IsCRDConditionTrue(object, apiextensions.Established) {
		return nil
	}
	condition := apiextensions.CustomResourceDefinitionCondition{
		Type:    apiextensions.Established,
		Status:  apiextensions.ConditionTrue,
		Reason:  "InitialNamesAccepted",
		Message: "the initial names have been accepted",
	}
	if conversion := object.Spec.Conversion; conversion != nil && conversion.WebhookClientConfig != nil &&
		len(webhook.ValidateCABundle(field.NewPath(""), conversion.WebhookClientConfig.CABundle)) > 0 {
		condition.Status = apiextensions.ConditionFalse
		condition.Reason = "InvalidCABundle"
		condition.Message = "The conversion webhook CABundle is invalid"
	}
	return setCondition(object, condition)
}

// setCondition returns the change that sets a condition, or nil if it is already set.
func setCondition(object *apiextensions.CustomResourceDefinition, condition apiextensions.CustomResourceDefinitionCondition) change {
	if apiextensions.IsCRDConditionEquivalent(&condition, apiextensions.FindCRDCondition(object, condition.Type)) {
		return nil
	}
	return func(object *apiextensions.CustomResourceDefinition) {
		apiextensions.SetCRDCondition(object, condition)
	}
}
