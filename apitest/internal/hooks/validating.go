package hooks

import (
	"context"
	"sync"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/cel/environment"
)

// validatingPolicies evaluate ValidatingAdmissionPolicies.
type validatingPolicies = policies[*admissionv1.ValidatingAdmissionPolicy, *admissionv1.ValidatingAdmissionPolicyBinding, validating.Validator]

func newValidatingPolicies(options Options) *validatingPolicies {
	dispatcher := sync.OnceValue(func() generic.Dispatcher[validating.PolicyHook] {
		return validating.NewDispatcher(options.Authorizer, generic.NewPolicyMatcher(newMatcher(options)))
	})
	return &validatingPolicies{
		params: options.Params,
		policyKind: policyKind[*admissionv1.ValidatingAdmissionPolicy, *admissionv1.ValidatingAdmissionPolicyBinding, validating.Validator]{
			policies:   options.ValidatingPolicies,
			bindings:   options.ValidatingBindings,
			policyOf:   func(b *admissionv1.ValidatingAdmissionPolicyBinding) string { return b.Spec.PolicyName },
			paramsOf:   func(p *admissionv1.ValidatingAdmissionPolicy) *admissionv1.ParamKind { return p.Spec.ParamKind },
			compile:    compileValidating,
			dispatcher: func(context.Context) generic.Dispatcher[validating.PolicyHook] { return dispatcher() },
		},
	}
}

// newMatcher returns what determines which requests a policy concerns.
func newMatcher(options Options) *matching.Matcher {
	return matching.NewMatcher(namespaceLister{source: &source{hooks: &Hooks{options: options}}}, client{})
}

func compileValidating(p *admissionv1.ValidatingAdmissionPolicy) validating.Validator {
	spec := &p.Spec
	compiler, err := cel.NewCompositedCompiler(environments())
	if err != nil {
		return validating.NewValidator(nil, nil, nil, nil, spec.FailurePolicy, err)
	}
	names := cel.OptionalVariableDeclarations{HasParams: spec.ParamKind != nil, HasAuthorizer: true}
	compileVariables(compiler, spec.Variables, names)
	conditions := func(list []cel.ExpressionAccessor, names cel.OptionalVariableDeclarations) cel.ConditionEvaluator {
		return compiler.CompileCondition(list, names, environment.StoredExpressions)
	}
	matcher := compileMatcher(compiler, p.Name, spec.MatchConditions, spec.FailurePolicy, names)
	rules := make([]cel.ExpressionAccessor, len(spec.Validations))
	messages := make([]cel.ExpressionAccessor, len(spec.Validations))
	for i, v := range spec.Validations {
		rules[i] = &validating.ValidationCondition{Expression: v.Expression, Message: v.Message, Reason: v.Reason}
		if v.MessageExpression != "" {
			messages[i] = &validating.MessageExpressionCondition{MessageExpression: v.MessageExpression}
		}
	}
	notes := make([]cel.ExpressionAccessor, len(spec.AuditAnnotations))
	for i, a := range spec.AuditAnnotations {
		notes[i] = &validating.AuditAnnotationCondition{Key: a.Key, ValueExpression: a.ValueExpression}
	}
	return validating.NewValidator(conditions(rules, names), matcher, conditions(notes, names),
		conditions(messages, cel.OptionalVariableDeclarations{HasParams: names.HasParams}), spec.FailurePolicy, nil)
}
