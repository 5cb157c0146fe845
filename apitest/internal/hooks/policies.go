package hooks

import (
	"context"
	"fmt"
	"sync"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
)

// Params reads the parameters of policies that are of one kind.
type Params interface {
	Namespaced() bool
	// Get and List are for one namespace, "" for objects without one. The results are not modified.
	Get(ctx context.Context, namespace, name string) (runtime.Object, error)
	List(ctx context.Context, namespace string, selector labels.Selector) ([]runtime.Object, error)
}

// policies evaluate ValidatingAdmissionPolicies. The real server's dispatcher determines which policies concern a
// request, and which parameters they have.
type policies struct {
	options    Options
	dispatcher func() generic.Dispatcher[validating.PolicyHook]
	compiler   func() *environment.EnvSet

	mu       sync.Mutex // guards the rest
	fresh    bool       // current has all policies and bindings
	current  []policy
	compiled map[types.UID]compiledPolicy
}

// policy is a policy with its bindings, except for what depends on other objects.
type policy struct {
	hook validating.PolicyHook
	kind schema.GroupVersionKind // of parameters, if there are some
}

type compiledPolicy struct {
	generation int64
	validator  validating.Validator
}

func newPolicies(options Options) *policies {
	p := &policies{options: options, compiled: map[types.UID]compiledPolicy{}}
	p.dispatcher = sync.OnceValue(func() generic.Dispatcher[validating.PolicyHook] {
		matcher := matching.NewMatcher(namespaceLister{source: &source{options: options}}, client{})
		return validating.NewDispatcher(options.Authorizer, generic.NewPolicyMatcher(matcher))
	})
	p.compiler = sync.OnceValue(func() *environment.EnvSet {
		return environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	})
	return p
}

// exempt are the resources that no policy concerns, so that a policy cannot prevent its own correction.
var exempt = map[string]bool{
	"validatingadmissionpolicies": true, "validatingadmissionpolicybindings": true,
	"mutatingadmissionpolicies": true, "mutatingadmissionpolicybindings": true,
}

// changed makes the next request read the policies again.
func (p *policies) changed() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fresh = false
}

// validate rejects requests that policies deny.
func (p *policies) validate(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	if gr := a.GetResource(); gr.Group == admissionv1.GroupName && exempt[gr.Resource] {
		return nil
	}
	list, err := p.list(ctx)
	if err != nil || len(list) == 0 {
		return err
	}
	hooks := make([]validating.PolicyHook, len(list))
	for i, policy := range list {
		hooks[i] = policy.hook
		if policy.kind.Empty() || policy.hook.ConfigurationError != nil {
			continue
		}
		params, err := p.options.Params(ctx, policy.kind)
		if err != nil {
			hooks[i].ConfigurationError = err
			continue
		}
		if params == nil {
			hooks[i].ConfigurationError = fmt.Errorf("failed to find resource referenced by paramKind: '%v'", policy.kind)
			continue
		}
		hooks[i].ParamScope = meta.RESTScopeRoot
		if params.Namespaced() {
			hooks[i].ParamScope = meta.RESTScopeNamespace
		}
		hooks[i].ParamInformer = paramInformer{ctx: ctx, params: params}
	}
	return p.dispatcher().Dispatch(ctx, a, o, hooks)
}

// list returns the policies that have bindings.
func (p *policies) list(ctx context.Context) ([]policy, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fresh {
		return p.current, nil
	}
	all, err := p.options.Policies(ctx)
	if err != nil {
		return nil, err
	}
	bindings, err := p.options.Bindings(ctx)
	if err != nil {
		return nil, err
	}
	bound := map[string][]*admissionv1.ValidatingAdmissionPolicyBinding{}
	for _, b := range bindings {
		bound[b.Spec.PolicyName] = append(bound[b.Spec.PolicyName], b)
	}
	compiled := map[types.UID]compiledPolicy{}
	p.current = nil
	for _, object := range all {
		if len(bound[object.Name]) == 0 {
			continue
		}
		c, ok := p.compiled[object.UID]
		if !ok || c.generation != object.Generation {
			c = compiledPolicy{object.Generation, compile(p.compiler(), object)}
		}
		compiled[object.UID] = c
		hook := policy{hook: validating.PolicyHook{Policy: object, Bindings: bound[object.Name], Evaluator: c.validator}}
		if kind := object.Spec.ParamKind; kind != nil {
			gv, err := schema.ParseGroupVersion(kind.APIVersion)
			if err != nil {
				hook.hook.ConfigurationError = fmt.Errorf("failed to parse paramKind APIVersion: %w", err)
			}
			hook.kind = gv.WithKind(kind.Kind)
		}
		p.current = append(p.current, hook)
	}
	p.compiled, p.fresh = compiled, true
	return p.current, nil
}

// compile compiles the expressions of a policy. Errors of expressions are its results.
func compile(env *environment.EnvSet, p *admissionv1.ValidatingAdmissionPolicy) validating.Validator {
	spec := &p.Spec
	compiler, err := cel.NewCompositedCompiler(env)
	if err != nil {
		return validating.NewValidator(nil, nil, nil, nil, spec.FailurePolicy, err)
	}
	names := cel.OptionalVariableDeclarations{HasParams: spec.ParamKind != nil, HasAuthorizer: true}
	variables := make([]cel.NamedExpressionAccessor, len(spec.Variables))
	for i, v := range spec.Variables {
		variables[i] = &validating.Variable{Name: v.Name, Expression: v.Expression}
	}
	compiler.CompileAndStoreVariables(variables, names, environment.StoredExpressions)
	conditions := func(list []cel.ExpressionAccessor, names cel.OptionalVariableDeclarations) cel.ConditionEvaluator {
		return compiler.CompileCondition(list, names, environment.StoredExpressions)
	}
	var matcher matchconditions.Matcher
	if len(spec.MatchConditions) > 0 {
		list := make([]cel.ExpressionAccessor, len(spec.MatchConditions))
		for i := range spec.MatchConditions {
			list[i] = (*matchconditions.MatchCondition)(&spec.MatchConditions[i])
		}
		matcher = matchconditions.NewMatcher(conditions(list, names), spec.FailurePolicy, "policy", "validate", p.Name)
	}
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

// paramInformer is an informer and a lister of the parameters that a request needs.
type paramInformer struct {
	ctx       context.Context //nolint:containedctx // listers take none
	params    Params
	namespace string
}

var (
	_ informers.GenericInformer    = paramInformer{}
	_ cache.GenericLister          = paramInformer{}
	_ cache.GenericNamespaceLister = paramInformer{}
)

func (p paramInformer) Informer() cache.SharedIndexInformer { return &listener{} }
func (p paramInformer) Lister() cache.GenericLister         { return p }

func (p paramInformer) ByNamespace(namespace string) cache.GenericNamespaceLister {
	p.namespace = namespace
	return p
}

func (p paramInformer) Get(name string) (runtime.Object, error) {
	return p.params.Get(p.ctx, p.namespace, name)
}

func (p paramInformer) List(selector labels.Selector) ([]runtime.Object, error) {
	return p.params.List(p.ctx, p.namespace, selector)
}
