package strategy

import (
	"context"

	"github.com/listwatch/listwatch/apitest/internal/builtin/kinds"
	checks "github.com/listwatch/listwatch/apitest/internal/validation"
	certificatesv1 "k8s.io/api/certificates/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// approvalStrategy is the strategy for a signing request's approval: only its conditions change.
type approvalStrategy struct{ *Strategy }

// PrepareForUpdate implements rest.RESTUpdateStrategy.
func (approvalStrategy) PrepareForUpdate(_ context.Context, obj, old runtime.Object) {
	n, o := obj.(*certificatesv1.CertificateSigningRequest), old.(*certificatesv1.CertificateSigningRequest)
	conditions := n.Status.Conditions
	n.Spec, n.Status = o.Spec, o.Status
	n.Status.Conditions = conditions
	kinds.DateConditions(n, o)
}

// ValidateUpdate implements rest.RESTUpdateStrategy.
func (s approvalStrategy) ValidateUpdate(_ context.Context, obj, old runtime.Object) field.ErrorList {
	return append(s.finalizers(obj), checks.UpdateStatus(obj, old, "approval")...)
}

// WarningsOnUpdate implements rest.RESTUpdateStrategy.
func (approvalStrategy) WarningsOnUpdate(context.Context, runtime.Object, runtime.Object) []string {
	return nil
}

// GetResetFields implements rest.ResetFieldsStrategy.
func (s approvalStrategy) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return s.reset(fieldpath.MakePathOrDie("spec"), fieldpath.MakePathOrDie("status", "certificate"))
}
