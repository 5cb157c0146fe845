package hooks

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
)

// Params reads the parameters of policies that are of one kind.
type Params interface {
	Resource() string // its name
	Namespaced() bool
	// Get and List are for one namespace, "" for objects without one. The results are not modified.
	Get(ctx context.Context, namespace, name string) (runtime.Object, error)
	List(ctx context.Context, namespace string, selector labels.Selector) ([]runtime.Object, error)
}

// policyKind is a kind of policies: P with bindings B, and evaluators E.
type policyKind[P, B runtime.Object, E generic.Evaluator] struct {
	policies   func(context.Context) ([]P, error)
	bindings   func(context.Context) ([]B, error)
	policyOf   func(B) string // name of a binding's policy
	paramsOf   func(P) *admissionv1.ParamKind
	compile    func(P) E // errors of expressions are its result
	dispatcher func(context.Context) generic.Dispatcher[generic.PolicyHook[P, B, E]]
}

// policies evaluate the policies of a kind. The real server's dispatcher determines which policies concern a request,
// and which parameters they have.
type policies[P, B runtime.Object, E generic.Evaluator] struct {
	policyKind[P, B, E]
	params func(context.Context, schema.GroupVersionKind) (Params, error)

	used atomic.Bool // whether there ever was a policy

	mu       sync.Mutex // guards the rest
	fresh    bool       // current has all policies and bindings
	current  []policy[P, B, E]
	compiled map[types.UID]compiledPolicy[E]
}

// policy is a policy with its bindings, except for what depends on other objects.
type policy[P, B runtime.Object, E generic.Evaluator] struct {
	hook generic.PolicyHook[P, B, E]
	kind schema.GroupVersionKind // of parameters, if there are some
}

type compiledPolicy[E any] struct {
	generation int64
	evaluator  E
}

// environments has what the expressions of policies may use.
var environments = sync.OnceValue(func() *environment.EnvSet {
	return environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
})

// exempt are the resources that no policy concerns, so that a policy cannot prevent its own correction.
var exempt = map[string]bool{
	"validatingadmissionpolicies": true, "validatingadmissionpolicybindings": true,
	"mutatingadmissionpolicies": true, "mutatingadmissionpolicybindings": true,
}

// changed makes the next request read the policies again.
func (p *policies[P, B, E]) changed() {
	p.reload()
	p.used.Store(true)
}

// reload makes the next request read the policies again, if there ever was one.
func (p *policies[P, B, E]) reload() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fresh = false
}

// dispatch evaluates the policies that concern a request.
func (p *policies[P, B, E]) dispatch(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	if gr := a.GetResource(); !p.used.Load() || gr.Group == admissionv1.GroupName && exempt[gr.Resource] {
		return nil
	}
	list, err := p.list(ctx)
	if err != nil || len(list) == 0 {
		return err
	}
	hooks := make([]generic.PolicyHook[P, B, E], len(list))
	for i, policy := range list {
		hooks[i] = policy.hook
		if policy.kind.Empty() || policy.hook.ConfigurationError != nil {
			continue
		}
		params, err := p.params(ctx, policy.kind)
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
	return p.dispatcher(ctx).Dispatch(ctx, a, o, hooks)
}

// list returns the policies that have bindings.
func (p *policies[P, B, E]) list(ctx context.Context) ([]policy[P, B, E], error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fresh {
		return p.current, nil
	}
	all, err := p.policies(ctx)
	if err != nil {
		return nil, err
	}
	bindings, err := p.bindings(ctx)
	if err != nil {
		return nil, err
	}
	bound := map[string][]B{}
	for _, b := range bindings {
		bound[p.policyOf(b)] = append(bound[p.policyOf(b)], b)
	}
	compiled := map[types.UID]compiledPolicy[E]{}
	p.current = nil
	for _, object := range all {
		m, ok := any(object).(metav1.Object)
		if !ok || len(bound[m.GetName()]) == 0 {
			continue
		}
		c, ok := p.compiled[m.GetUID()]
		if !ok || c.generation != m.GetGeneration() {
			c = compiledPolicy[E]{m.GetGeneration(), p.compile(object)}
		}
		compiled[m.GetUID()] = c
		hook := policy[P, B, E]{hook: generic.PolicyHook[P, B, E]{Policy: object, Bindings: bound[m.GetName()], Evaluator: c.evaluator}}
		if kind := p.paramsOf(object); kind != nil {
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
