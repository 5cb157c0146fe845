package hooks

import (
	"context"
	"fmt"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/cel/environment"
)

// mutatingPolicies evaluate MutatingAdmissionPolicies.
type mutatingPolicies = policies[*admissionv1.MutatingAdmissionPolicy, *admissionv1.MutatingAdmissionPolicyBinding, mutating.PolicyEvaluator]

func newMutatingPolicies(options Options) *mutatingPolicies {
	return &mutatingPolicies{
		params: options.Params,
		policyKind: policyKind[*admissionv1.MutatingAdmissionPolicy, *admissionv1.MutatingAdmissionPolicyBinding, mutating.PolicyEvaluator]{
			policies: options.MutatingPolicies,
			bindings: options.MutatingBindings,
			policyOf: func(b *admissionv1.MutatingAdmissionPolicyBinding) string { return b.Spec.PolicyName },
			paramsOf: func(p *admissionv1.MutatingAdmissionPolicy) *admissionv1.ParamKind { return p.Spec.ParamKind },
			compile:  compileMutating,
			dispatcher: func(ctx context.Context) generic.Dispatcher[mutating.PolicyHook] {
				return mutating.NewDispatcher(options.Authorizer, newMatcher(options), mergeTypes{ctx, options.Types})
			},
		},
	}
}

// mergeTypes are the types by which policies merge objects.
type mergeTypes struct {
	ctx   context.Context //nolint:containedctx // of the request; the interface takes none
	types func(context.Context, schema.GroupVersionKind) managedfields.TypeConverter
}

var _ patch.TypeConverterManager = mergeTypes{}

// GetTypeConverter implements patch.TypeConverterManager.
func (t mergeTypes) GetTypeConverter(kind schema.GroupVersionKind) managedfields.TypeConverter {
	return t.types(t.ctx, kind)
}

// Run implements patch.TypeConverterManager. Nothing needs to be refreshed.
func (mergeTypes) Run(context.Context) {}

func compileMutating(p *admissionv1.MutatingAdmissionPolicy) mutating.PolicyEvaluator {
	spec := &p.Spec
	compiler, err := cel.NewCompositedCompiler(environments())
	if err != nil {
		return mutating.PolicyEvaluator{Error: fmt.Errorf("failed to initialize CEL compiler: %w", err)}
	}
	names := cel.OptionalVariableDeclarations{HasParams: spec.ParamKind != nil, HasAuthorizer: true}
	compileVariables(compiler, spec.Variables, names)
	out := mutating.PolicyEvaluator{
		CompositedCompiler: compiler,
		Matcher:            compileMatcher(compiler, p.Name, spec.MatchConditions, spec.FailurePolicy, names),
	}
	names.HasPatchTypes = true
	for _, m := range spec.Mutations {
		switch {
		case m.PatchType == admissionv1.PatchTypeJSONPatch && m.JSONPatch != nil:
			expression := &patch.JSONPatchCondition{Expression: m.JSONPatch.Expression}
			out.Mutators = append(out.Mutators, patch.NewJSONPatcher(compiler.CompileMutatingEvaluator(expression, names, environment.StoredExpressions)))
		case m.PatchType == admissionv1.PatchTypeApplyConfiguration && m.ApplyConfiguration != nil:
			expression := &patch.ApplyConfigurationCondition{Expression: m.ApplyConfiguration.Expression}
			out.Mutators = append(out.Mutators, patch.NewApplyConfigurationPatcher(compiler.CompileMutatingEvaluator(expression, names, environment.StoredExpressions)))
		}
	}
	return out
}

// compileVariables compiles the variables of a policy, for its other expressions.
func compileVariables(compiler *cel.CompositedCompiler, list []admissionv1.Variable, names cel.OptionalVariableDeclarations) {
	variables := make([]cel.NamedExpressionAccessor, len(list))
	for i, v := range list {
		variables[i] = &validating.Variable{Name: v.Name, Expression: v.Expression}
	}
	compiler.CompileAndStoreVariables(variables, names, environment.StoredExpressions)
}

// compileMatcher compiles the conditions under which a policy concerns a request; nil is always.
func compileMatcher(compiler *cel.CompositedCompiler, name string, conditions []admissionv1.MatchCondition, failure *admissionv1.FailurePolicyType, names cel.OptionalVariableDeclarations) matchconditions.Matcher {
	if len(conditions) == 0 {
		return nil
	}
	list := make([]cel.ExpressionAccessor, len(conditions))
	for i := range conditions {
		list[i] = (*matchconditions.MatchCondition)(&conditions[i])
	}
	return matchconditions.NewMatcher(compiler.CompileCondition(list, names, environment.StoredExpressions), failure, "policy", "validate", name)
}
