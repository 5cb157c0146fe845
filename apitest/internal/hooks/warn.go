package hooks

import (
	"fmt"
	"slices"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// unseen are the resources whose requests no webhook sees: nobody could be authenticated or authorized without it.
var unseen = []schema.GroupResource{
	{Group: "authentication.k8s.io", Resource: "selfsubjectreviews"},
	{Group: "authentication.k8s.io", Resource: "tokenreviews"},
	{Group: "authorization.k8s.io", Resource: "localsubjectaccessreviews"},
	{Group: "authorization.k8s.io", Resource: "selfsubjectaccessreviews"},
	{Group: "authorization.k8s.io", Resource: "selfsubjectrulesreviews"},
	{Group: "authorization.k8s.io", Resource: "subjectaccessreviews"},
}

// Warn returns warnings of a configuration's rules that name resources whose requests no webhook sees.
func Warn(configuration runtime.Object) []string {
	var list []admissionv1.MutatingWebhook
	switch c := configuration.(type) {
	case *admissionv1.MutatingWebhookConfiguration:
		list = c.Webhooks
	case *admissionv1.ValidatingWebhookConfiguration:
		list = asMutating(c.Webhooks)
	}
	var out []string
	for i, hook := range list {
		for j, rule := range hook.Rules {
			for _, name := range unseenBy(rule.APIGroups, rule.Resources) {
				out = append(out, fmt.Sprintf("%s: %s is excluded from admission webhooks; this rule will have no effect", field.NewPath("webhooks").Index(i).Child("rules").Index(j), name))
			}
		}
	}
	return out
}

// unseenBy returns the resources that a rule names, once each, and that it cannot concern.
func unseenBy(groups, resources []string) []schema.GroupResource {
	if slices.Contains(groups, "*") || slices.Contains(resources, "*") {
		return nil
	}
	var out []schema.GroupResource
	for _, group := range groups {
		for _, resource := range resources {
			name := schema.GroupResource{Group: group, Resource: resource}
			if slices.Contains(unseen, name) && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}
