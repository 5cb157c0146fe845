package kinds

import (
	"fmt"
	"strings"

	certificatesv1 "k8s.io/api/certificates/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func signingRequestRules(r *Rules) {
	r.Fields = signingRequestFields
	r.SpecFixed = true
	r.StatusResets = [][]any{{"status", "conditions"}}
	r.PrepareStatus = func(obj, old runtime.Object) {
		n, o := obj.(*certificatesv1.CertificateSigningRequest), old.(*certificatesv1.CertificateSigningRequest)
		keepDecision(n, o, certificatesv1.CertificateApproved)
		keepDecision(n, o, certificatesv1.CertificateDenied)
		DateConditions(n, o)
	}
}

// bundleRules are those of trust bundles, whose names begin with that of their signer.
func bundleRules(r *Rules) {
	r.Fields = bundleFields
	r.ValidName = func(string, bool) []string { return nil } // it depends on more than the name
	r.Validate = func(obj runtime.Object) field.ErrorList {
		bundle := obj.(*certificatesv1.ClusterTrustBundle)
		var errs field.ErrorList
		for _, text := range bundleName(bundle.Name, bundle.Spec.SignerName) {
			errs = append(errs, field.Invalid(field.NewPath("metadata", "name"), bundle.Name, text))
		}
		return errs
	}
}

// bundleName returns what is wrong with the name of a trust bundle.
func bundleName(name, signer string) []string {
	if signer == "" {
		if strings.Contains(name, ":") {
			return []string{`ClusterTrustBundle without signer name must not have ":" in its name`}
		}
		return validation.NameIsDNSSubdomain(name, false)
	}
	prefix := strings.ReplaceAll(signer, "/", ":") + ":"
	rest, ok := strings.CutPrefix(name, prefix)
	if !ok {
		return []string{fmt.Sprintf("ClusterTrustBundle for signerName %s must be named with prefix %s", signer, prefix)}
	}
	return validation.NameIsDNSSubdomain(rest, false)
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
