package embedded_test

import (
	"strings"
	"testing"

	"github.com/listwatch/listwatch/apitest/embedded"
)

// policy returns a ValidatingAdmissionPolicy about gadgets, or other resources as API group/version/resource, whose
// fields after the constraints are from line 12 on.
func policy(resource, fields string) string {
	parts := strings.Split(resource, "/")
	return `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: p
spec:
  matchConstraints:
    resourceRules:
    - apiGroups: ["` + parts[0] + `"]
      apiVersions: ["` + parts[1] + `"]
      resources: ["` + parts[2] + `"]
      operations: [CREATE]
` + fields
}

func TestCheckPolicies(t *testing.T) {
	const (
		ours        = "example.com/v1/gadgets"
		deployments = "apps/v1/deployments"
	)
	for name, c := range map[string]struct {
		text              string
		refused, warnings []string
	}{
		"valid": {text: policy(ours, "  validations:\n  - expression: object.spec.size > 1\n    messageExpression: \"'size ' + string(object.spec.size)\"\n")},
		"refused": {
			text:    policy(ours, "  validations:\n  - expression: objekt.spec.size > 1\n  failurePolicy: Sometimes\n"),
			refused: []string{"a.yaml:13: spec.validations[0].expression: Invalid value: \"objekt.spec.size > 1\": compilation failed: ", "a.yaml:14: spec.failurePolicy: Unsupported value: \"Sometimes\""},
		},
		"line of a block": {
			text:    policy(ours, "  validations:\n  - expression: |\n      true &&\n\n      objekt.spec == null\n"),
			refused: []string{"a.yaml:16: spec.validations[0].expression: "},
		},
		"unknown field of a custom resource": {
			text:     policy(ours, "  validations:\n  - expression: |-\n      object.spec.size > 1 &&\n      object.spec.sizes > 1\n"),
			warnings: []string{"a.yaml:15: spec.validations[0].expression: example.com/v1, Kind=Gadget: ERROR: <input>:2:12: undefined field 'sizes'"},
		},
		"unknown field of a kind of Kubernetes": {
			text:     policy(deployments, "  validations:\n  - {expression: object.spec.replica > 1}\n"),
			warnings: []string{"a.yaml:13: spec.validations[0].expression: apps/v1, Kind=Deployment: ERROR: <input>:1:12: undefined field 'replica'"},
		},
		"type": {
			text:     policy(deployments, "  validations:\n  - expression: object.metadata == 'a'\n"),
			warnings: []string{"a.yaml:13: ", "found no matching overload for '_==_' applied to '(Deployment.metadata, string)'"},
		},
		"message": {
			text:     policy(ours, "  validations:\n  - expression: 'true'\n    messageExpression: string(object.kinds)\n"),
			warnings: []string{"a.yaml:14: spec.validations[0].messageExpression: ", "undefined field 'kinds'"},
		},
		"variable": {
			text:     policy(ours, "  variables:\n  - name: size\n    expression: object.size\n  validations:\n  - expression: variables.size > 1\n"),
			warnings: []string{"a.yaml:14: spec.variables[0].expression: ", "undefined field 'size'"},
		},
		"condition and annotation": {
			text:     policy(ours, "  matchConditions:\n  - {name: a, expression: object.a == 1}\n  auditAnnotations:\n  - {key: b, valueExpression: string(object.b)}\n"),
			warnings: []string{"a.yaml:13: spec.matchConditions[0].expression: ", "a.yaml:15: spec.auditAnnotations[0].valueExpression: "},
		},
		"parameters": {
			text:     policy(ours, "  paramKind: {apiVersion: v1, kind: ConfigMap}\n  validations:\n  - expression: params.data.x == object.spec.sizes\n  - expression: params.date.x == 'a'\n"),
			warnings: []string{"a.yaml:14: ", "a.yaml:15: spec.validations[1].expression: example.com/v1, Kind=Gadget: ERROR: <input>:1:7: undefined field 'date'"},
		},
		"kind that is nowhere": {text: policy("example.org/v1/widgets", "  validations:\n  - expression: object.anything == 1\n")},
		"any kind":             {text: policy("*/*/*", "  validations:\n  - expression: object.anything == 1\n")},
		"binding": {
			text:    "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: {name: b}\nspec:\n  policyName: p\n  validationActions: [Deny, Warn]\n",
			refused: []string{"a.yaml:6: spec.validationActions: "},
		},
		"mutations": {
			text: strings.Replace(policy(ours, "  reinvocationPolicy: Never\n  matchConditions:\n  - {name: a, expression: object.a == 1}\n  mutations:\n  - patchType: JSONPatch\n    jsonPatch: {expression: '[JSONPatch{}]'}\n"),
				"Validating", "Mutating", 1),
			warnings: []string{"a.yaml:14: spec.matchConditions[0].expression: ", "undefined field 'a'"},
		},
		"invalid mutation": {
			text:    strings.Replace(policy(ours, "  reinvocationPolicy: Never\n  mutations:\n  - patchType: JSONPatch\n    jsonPatch: {expression: '[]'}\n"), "Validating", "Mutating", 1),
			refused: []string{"a.yaml:15: spec.mutations[0].jsonPatch.expression: Invalid value: \"[]\": must evaluate to list(JSONPatch)"},
		},
		"webhooks": {
			text: `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: a}
webhooks:
- name: a.example.com
  sideEffects: None
  admissionReviewVersions: [v1]
  clientConfig: {url: "https://example.com"}
  rules:
  - {apiGroups: [example.com], apiVersions: [v1], operations: [CREATE], resources: [gadgets, gadgets/status]}
  matchConditions:
  - name: a
    expression: object.spec.colour == 'red'
`,
			warnings: []string{"a.yaml:13: webhooks[0].matchConditions[0].expression: example.com/v1, Kind=Gadget: ERROR: <input>:1:12: undefined field 'colour'"},
		},
		"invalid webhooks": {
			text:    "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingWebhookConfiguration\nmetadata: {name: a}\nwebhooks:\n- name: a\n  matchConditions:\n  - {name: a, expression: params.a}\n",
			refused: []string{"a.yaml:5: webhooks[0].name: ", "a.yaml:7: webhooks[0].matchConditions[0].expression: ", "a.yaml:5: webhooks[0].sideEffects: "},
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, map[string]string{"crd.yaml": gadgets, "a.yaml": c.text})
			checked, err := embedded.Check(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			contain(t, checked.Refused, c.refused)
			contain(t, checked.Warnings, c.warnings)
		})
	}
}

// FuzzCheckExpression checks that no expression of a policy makes Check fail, and that a valid one keeps its line.
func FuzzCheckExpression(f *testing.F) {
	for _, expression := range []string{"object.spec.size > 1", "object.spec.names.exists(n, n == 'a')", "variables.a", "a.", "object.metadata == 'a'", "'\\x00'", "true &&\n\nobject.a", "[1, 2].map(x, x > 1)"} {
		f.Add(expression)
	}
	f.Fuzz(func(t *testing.T, expression string) {
		if strings.ContainsAny(expression, "\r\u0085\u2028\u2029\ufeff") || strings.ToValidUTF8(expression, "") != expression {
			return // other line breaks of YAML
		}
		lines := strings.Split(strings.Trim(expression, "\n"), "\n")
		text := policy("example.com/v1/gadgets", "  variables:\n  - {name: a, expression: object.spec.size}\n  validations:\n  - expression: |2-\n      "+strings.Join(lines, "\n      ")+"\n")
		dir := folder(t, map[string]string{"crd.yaml": gadgets, "a.yaml": text})
		checked, err := embedded.Check(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, finding := range append(checked.Refused, checked.Warnings...) {
			if last := strings.Count(text, "\n"); finding.Line < 1 || finding.Line > last {
				t.Errorf("%s: line %d of %d", finding, finding.Line, last)
			}
		}
	})
}
