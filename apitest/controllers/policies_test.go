package controllers_test

import (
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/apitest/controllers"
)

// TestPolicyTypes changes a policy, whose status follows.
func TestPolicyTypes(t *testing.T) {
	policies := start(t, controllers.PolicyTypes()).AdmissionregistrationV1().ValidatingAdmissionPolicies()
	policy := &admissionv1.ValidatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: "replicas"}}
	policy.Spec.MatchConstraints = &admissionv1.MatchResources{ResourceRules: []admissionv1.NamedRuleWithOperations{{
		RuleWithOperations: admissionv1.RuleWithOperations{
			Operations: []admissionv1.OperationType{admissionv1.Create},
			Rule:       admissionv1.Rule{APIGroups: []string{"apps"}, APIVersions: []string{"v1"}, Resources: []string{"deployments"}},
		},
	}}}
	policy.Spec.Validations = []admissionv1.Validation{{Expression: "object.spec.replica < 5"}}
	if _, err := policies.Create(t.Context(), policy, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	policy, err := policies.Get(t.Context(), policy.Name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	types := policy.Status.TypeChecking
	if policy.Status.ObservedGeneration != 1 || types == nil || len(types.ExpressionWarnings) != 1 ||
		types.ExpressionWarnings[0].FieldRef != "spec.validations[0].expression" ||
		!strings.Contains(types.ExpressionWarnings[0].Warning, "undefined field 'replica'") {
		t.Errorf("the status is %+v", policy.Status)
	}
	policy.Spec.Validations[0].Expression = "object.spec.replicas < 5"
	if _, err = policies.Update(t.Context(), policy, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	policy, err = policies.Get(t.Context(), policy.Name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if types := policy.Status.TypeChecking; policy.Status.ObservedGeneration != 2 || types != nil && len(types.ExpressionWarnings) > 0 {
		t.Errorf("the status is %+v", policy.Status)
	}
}
