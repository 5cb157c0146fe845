package builtin

import (
	"context"

	certificatesv1 "k8s.io/api/certificates/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/authentication/user"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// approvalStrategy is the strategy for a signing request's approval: only its conditions change.
type approvalStrategy struct{ *strategy }

// PrepareForUpdate implements rest.RESTUpdateStrategy.
func (approvalStrategy) PrepareForUpdate(_ context.Context, obj, old runtime.Object) {
	n, o := obj.(*certificatesv1.CertificateSigningRequest), old.(*certificatesv1.CertificateSigningRequest)
	conditions := n.Status.Conditions
	n.Spec, n.Status = o.Spec, o.Status
	n.Status.Conditions = conditions
	dateConditions(n, o)
}

// dateConditions sets the missing times of conditions.
func dateConditions(n, o *certificatesv1.CertificateSigningRequest) {
	now := metav1.Now()
	for i := range n.Status.Conditions {
		c := &n.Status.Conditions[i]
		if c.LastUpdateTime.IsZero() {
			c.LastUpdateTime = now
		}
		if !c.LastTransitionTime.IsZero() {
			continue
		}
		c.LastTransitionTime = now
		for _, was := range o.Status.Conditions {
			if was.Type == c.Type && was.Status == c.Status && !was.LastTransitionTime.IsZero() {
				c.LastTransitionTime = was.LastTransitionTime
			}
		}
	}
}

func signingRequestRules(r *rules) {
	r.prepareStatus = func(obj, old runtime.Object) {
		dateConditions(obj.(*certificatesv1.CertificateSigningRequest), old.(*certificatesv1.CertificateSigningRequest))
	}
}

// signFor records the user that requests a certificate.
func signFor(r *certificatesv1.CertificateSigningRequest, u user.Info) {
	r.Spec.Username, r.Spec.UID, r.Spec.Groups, r.Spec.Extra = "", "", nil, nil
	if u == nil {
		return
	}
	r.Spec.Username, r.Spec.UID, r.Spec.Groups = u.GetName(), u.GetUID(), u.GetGroups()
	for key, values := range u.GetExtra() {
		if r.Spec.Extra == nil {
			r.Spec.Extra = map[string]certificatesv1.ExtraValue{}
		}
		r.Spec.Extra[key] = values
	}
}

// ValidateUpdate implements rest.RESTUpdateStrategy.
func (approvalStrategy) ValidateUpdate(context.Context, runtime.Object, runtime.Object) field.ErrorList {
	return nil
}

// GetResetFields implements rest.ResetFieldsStrategy.
func (s approvalStrategy) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return s.reset(fieldpath.MakePathOrDie("spec"), fieldpath.MakePathOrDie("status", "certificate"))
}
