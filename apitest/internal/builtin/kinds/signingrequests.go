package kinds

import (
	certificatesv1 "k8s.io/api/certificates/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

func signingRequestRules(r *Rules) {
	r.Fields = signingRequestFields
	r.PrepareUpdate = func(obj, old runtime.Object) {
		obj.(*certificatesv1.CertificateSigningRequest).Spec = old.(*certificatesv1.CertificateSigningRequest).Spec
	}
	r.PrepareStatus = func(obj, old runtime.Object) {
		n, o := obj.(*certificatesv1.CertificateSigningRequest), old.(*certificatesv1.CertificateSigningRequest)
		keepDecision(n, o, certificatesv1.CertificateApproved)
		keepDecision(n, o, certificatesv1.CertificateDenied)
		DateConditions(n, o)
	}
}

// keepDecision restores the conditions of a type, unless their number changes, which is an error.
func keepDecision(n, o *certificatesv1.CertificateSigningRequest, t certificatesv1.RequestConditionType) {
	var now, was []*certificatesv1.CertificateSigningRequestCondition
	for i := range n.Status.Conditions {
		if c := &n.Status.Conditions[i]; c.Type == t {
			now = append(now, c)
		}
	}
	for i := range o.Status.Conditions {
		if c := &o.Status.Conditions[i]; c.Type == t {
			was = append(was, c)
		}
	}
	if len(now) != len(was) {
		return
	}
	for i := range now {
		*now[i] = *was[i]
	}
}

// DateConditions sets the missing times of conditions.
func DateConditions(n, o *certificatesv1.CertificateSigningRequest) {
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
