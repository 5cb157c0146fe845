package subresource

import (
	"maps"
	"slices"

	"github.com/listwatch/listwatch/apitest/internal/validation"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// reviewGroups is the attestation of tokens for webhooks: the API groups of the reviews that they are sent.
const reviewGroups = "admissionReviewAPIGroups"

// invalidToken returns what is wrong with a request for a token, whose defaults are set.
func invalidToken(s *authenticationv1.TokenRequestSpec) field.ErrorList {
	at := field.NewPath("spec")
	errs := validation.TokenLifetime(*s.ExpirationSeconds, at.Child("expirationSeconds"))
	attestations := at.Child("attestations")
	if !forWebhook(s.BoundObjectRef) {
		if len(s.Attestations) > 0 {
			return field.ErrorList{field.Invalid(attestations, s.Attestations, "attestations may only be specified with a webhook bound object reference")}
		}
		return errs
	}
	if len(s.Audiences) != 1 {
		errs = append(errs, field.Invalid(at.Child("audiences"), s.Audiences, "must be length 1 when bound to a webhook config"))
	}
	if len(s.Attestations) != 1 {
		return append(errs, field.Invalid(attestations, s.Attestations, "webhook bound requests require exactly one admissionReviewAPIGroups attestation"))
	}
	for _, key := range slices.Sorted(maps.Keys(s.Attestations)) {
		errs = append(errs, invalidAttestation(key, s.Attestations[key], attestations.Key(key))...)
	}
	return errs
}

func forWebhook(ref *authenticationv1.BoundObjectReference) bool {
	return ref != nil && ref.APIVersion == admissionv1.SchemeGroupVersion.String() &&
		(ref.Kind == "ValidatingWebhookConfiguration" || ref.Kind == "MutatingWebhookConfiguration")
}

func invalidAttestation(key string, values []string, at *field.Path) field.ErrorList {
	switch {
	case key != reviewGroups:
		return field.ErrorList{field.NotSupported(at, key, []string{reviewGroups})}
	case len(values) != 1:
		return field.ErrorList{field.Invalid(at, values, "must specify a single value")}
	case values[0] == "":
		return field.ErrorList{field.Invalid(at.Index(0), "", "may not be an empty string")}
	case values[0] == "*":
		return nil
	}
	var errs field.ErrorList
	for _, text := range utilvalidation.IsDNS1123Subdomain(values[0]) {
		errs = append(errs, field.Invalid(at.Index(0), values[0], "must specify a valid API Group: "+text))
	}
	return errs
}
