package hooks_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/apitest/internal/hooks"
)

// valid returns a hook without faults.
func valid() admissionv1.MutatingWebhook {
	return admissionv1.MutatingWebhook{
		Name: "hook.example.com", ClientConfig: admissionv1.WebhookClientConfig{URL: new("https://example.com/hook")},
		Rules: []admissionv1.RuleWithOperations{{
			Operations: []admissionv1.OperationType{admissionv1.Create},
			Rule:       admissionv1.Rule{APIGroups: []string{"apps"}, APIVersions: []string{"v1"}, Resources: []string{"deployments"}},
		}},
		SideEffects: new(admissionv1.SideEffectClassNone), AdmissionReviewVersions: []string{"v1"},
	}
}

// TestValidate compares the faults of configurations. Each fault is its type and its field.
func TestValidate(t *testing.T) {
	type hook = admissionv1.MutatingWebhook
	rule := func(change func(*admissionv1.RuleWithOperations)) func(*hook) {
		return func(w *hook) { change(&w.Rules[0]) }
	}
	resources := func(names ...string) func(*hook) {
		return rule(func(r *admissionv1.RuleWithOperations) { r.Resources = names })
	}
	condition := func(name, expression string) func(*hook) {
		return func(w *hook) {
			w.MatchConditions = append(w.MatchConditions, admissionv1.MatchCondition{Name: name, Expression: expression})
		}
	}
	for _, c := range []struct {
		name   string
		change func(*hook)
		want   []string
	}{
		{"valid", func(*hook) {}, nil},
		{"service", func(w *hook) {
			w.ClientConfig = admissionv1.WebhookClientConfig{Service: &admissionv1.ServiceReference{Namespace: "n", Name: "s", Path: new("/hook")}}
		}, nil},
		{"all of everything", rule(func(r *admissionv1.RuleWithOperations) {
			r.Operations, r.APIGroups, r.APIVersions, r.Resources = []admissionv1.OperationType{"*"}, []string{"*"}, []string{"*"}, []string{"*/*"}
		}), nil},
		{"bounds of the timeout", func(w *hook) { w.TimeoutSeconds = new(int32(30)) }, nil},

		{"name of one label", func(w *hook) { w.Name = "hook" }, []string{"FieldValueInvalid name"}},
		{"no client", func(w *hook) { w.ClientConfig.URL = nil }, []string{"FieldValueRequired clientConfig"}},
		{"two clients", func(w *hook) { w.ClientConfig.Service = &admissionv1.ServiceReference{Namespace: "n", Name: "s"} }, []string{"FieldValueRequired clientConfig"}},
		{"no TLS", func(w *hook) { w.ClientConfig.URL = new("http://example.com") }, []string{"FieldValueInvalid clientConfig.url"}},
		{"service without a name", func(w *hook) {
			w.ClientConfig = admissionv1.WebhookClientConfig{Service: &admissionv1.ServiceReference{Namespace: "n"}}
		}, []string{"FieldValueRequired clientConfig.service.namespace"}},
		{"port", func(w *hook) {
			w.ClientConfig = admissionv1.WebhookClientConfig{Service: &admissionv1.ServiceReference{Namespace: "n", Name: "s", Port: new(int32(0))}}
		}, []string{"FieldValueInvalid clientConfig.service.port"}},
		{"failure policy", func(w *hook) { w.FailurePolicy = new(admissionv1.FailurePolicyType("Try")) }, []string{"FieldValueNotSupported failurePolicy"}},
		{"match policy", func(w *hook) { w.MatchPolicy = new(admissionv1.MatchPolicyType("Some")) }, []string{"FieldValueNotSupported matchPolicy"}},
		{"reinvocation policy", func(w *hook) { w.ReinvocationPolicy = new(admissionv1.ReinvocationPolicyType("Always")) }, []string{"FieldValueNotSupported reinvocationPolicy"}},
		{"no side effects", func(w *hook) { w.SideEffects = nil }, []string{"FieldValueRequired sideEffects"}},
		{"some side effects", func(w *hook) { w.SideEffects = new(admissionv1.SideEffectClassSome) }, []string{"FieldValueNotSupported sideEffects"}},
		{"timeout of nothing", func(w *hook) { w.TimeoutSeconds = new(int32(0)) }, []string{"FieldValueInvalid timeoutSeconds"}},
		{"long timeout", func(w *hook) { w.TimeoutSeconds = new(int32(31)) }, []string{"FieldValueInvalid timeoutSeconds"}},
		{"selectors", func(w *hook) {
			w.NamespaceSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"a b": "c"}}
			w.ObjectSelector = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "a", Operator: "In"}}}
		}, []string{"FieldValueInvalid namespaceSelector.matchLabels", "FieldValueRequired objectSelector.matchExpressions[0].values"}},
		{"no versions", func(w *hook) { w.AdmissionReviewVersions = nil }, []string{"FieldValueRequired admissionReviewVersions"}},
		{"unknown versions", func(w *hook) { w.AdmissionReviewVersions = []string{"v2", "v2", "V3"} }, []string{
			"FieldValueInvalid admissionReviewVersions[1]", "FieldValueInvalid admissionReviewVersions[2]", "FieldValueInvalid admissionReviewVersions",
		}},

		{"empty rule", rule(func(r *admissionv1.RuleWithOperations) { *r = admissionv1.RuleWithOperations{} }), []string{
			"FieldValueRequired rules[0].operations", "FieldValueRequired rules[0].apiGroups", "FieldValueRequired rules[0].apiVersions", "FieldValueRequired rules[0].resources",
		}},
		{"all and more", rule(func(r *admissionv1.RuleWithOperations) {
			r.Operations, r.APIGroups, r.APIVersions = []admissionv1.OperationType{"*", "CREATE"}, []string{"*", ""}, []string{"v1", "*"}
		}), []string{"FieldValueInvalid rules[0].operations", "FieldValueInvalid rules[0].apiGroups", "FieldValueInvalid rules[0].apiVersions"}},
		{"unknown operation", rule(func(r *admissionv1.RuleWithOperations) { r.Operations[0] = "PATCH" }), []string{"FieldValueNotSupported rules[0].operations[0]"}},
		{"empty version", rule(func(r *admissionv1.RuleWithOperations) { r.APIVersions[0] = "" }), []string{"FieldValueRequired rules[0].apiVersions[0]"}},
		{"scope", rule(func(r *admissionv1.RuleWithOperations) { r.Scope = new(admissionv1.ScopeType("Here")) }), []string{"FieldValueNotSupported rules[0].scope"}},
		{"resources", resources("pods", "pods/status", "*/scale"), nil},
		{"empty resource", resources(""), []string{"FieldValueRequired rules[0].resources[0]"}},
		{"all subresources, and one", resources("pods/*", "pods/status"), []string{"FieldValueInvalid rules[0].resources[1]"}},
		{"a subresource of all, and of one", resources("*/status", "pods/status"), []string{"FieldValueInvalid rules[0].resources[1]"}},
		{"one before all", resources("pods/status", "pods/*"), nil},
		{"all with subresources, and more", resources("*/*", "pods"), []string{"FieldValueInvalid rules[0].resources"}},
		{"all, and one", resources("*", "pods"), []string{"FieldValueInvalid rules[0].resources"}},
		{"one, and all", resources("pods", "*"), nil},
		{"all, and a subresource", resources("*", "pods/status"), nil},

		{"condition", condition("a", "request.operation == 'CREATE'"), nil},
		{"condition without a name", condition("", "true"), []string{"FieldValueRequired matchConditions[0].name"}},
		{"condition with a wrong name", condition("a b", "true"), []string{"FieldValueInvalid matchConditions[0].name"}},
		{"two conditions of one name", func(w *hook) { condition("a", "true")(w); condition("a", "false")(w) }, []string{"FieldValueDuplicate matchConditions[1].name"}},
		{"empty condition", condition("a", " "), []string{"FieldValueRequired matchConditions[0].expression"}},
		{"condition that is no bool", condition("a", "'x'"), []string{"FieldValueInvalid matchConditions[0].expression"}},
		{"condition that does not compile", condition("a", "nothing.here"), []string{"FieldValueInvalid matchConditions[0].expression"}},
		{"authorizer", condition("a", "authorizer.group('').resource('pods').check('get').allowed()"), nil},
		{"too many conditions", func(w *hook) {
			for i := range 65 {
				condition("a"+strings.Repeat("a", i%60)+string(rune('a'+i/60)), "true")(w)
			}
		}, []string{"FieldValueTooMany matchConditions"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := valid()
			c.change(&w)
			var got []string
			for _, err := range hooks.Validate(&admissionv1.MutatingWebhookConfiguration{Webhooks: []admissionv1.MutatingWebhook{w}}) {
				got = append(got, string(err.Type)+" "+strings.TrimPrefix(err.Field, "webhooks[0]."))
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestValidateValidating checks that the other kind of configurations has the same faults, except for reinvocation.
func TestValidateValidating(t *testing.T) {
	one := admissionv1.ValidatingWebhook{Name: "hook.example.com", ClientConfig: admissionv1.WebhookClientConfig{URL: new("https://example.com")}}
	errs := hooks.Validate(&admissionv1.ValidatingWebhookConfiguration{Webhooks: []admissionv1.ValidatingWebhook{one, one}})
	var got []string
	for _, err := range errs {
		got = append(got, string(err.Type)+" "+err.Field)
	}
	want := []string{
		"FieldValueRequired webhooks[0].sideEffects", "FieldValueRequired webhooks[0].admissionReviewVersions",
		"FieldValueRequired webhooks[1].sideEffects", "FieldValueRequired webhooks[1].admissionReviewVersions", "FieldValueDuplicate webhooks[1].name",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
