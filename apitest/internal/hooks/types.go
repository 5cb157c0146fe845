package hooks

import (
	"fmt"
	"regexp"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	apidiscovery "k8s.io/api/apidiscovery/v2"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/cel/openapi/resolver"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// TypeChecker finds expressions in conditions of webhooks and in policies that fail for every object, such as those
// that name a field which no object has. They are valid: API servers know the kinds of objects only when they evaluate
// an expression.
//
// What it finds in the validations of a ValidatingAdmissionPolicy is what kube-controller-manager writes to
// status.typeChecking. It is not safe for concurrent use.
type TypeChecker struct {
	checker validating.TypeChecker
}

// NewTypeChecker returns a TypeChecker for the kinds of groups. schemas returns the models of a version by name.
func NewTypeChecker(groups []apidiscovery.APIGroupDiscovery, schemas func(schema.GroupVersion) (map[string]*spec.Schema, error)) *TypeChecker {
	mapper := meta.NewDefaultRESTMapper(nil)
	for _, group := range groups {
		for _, version := range group.Versions {
			gv := schema.GroupVersion{Group: group.Name, Version: version.Version}
			for _, r := range version.Resources {
				if r.ResponseKind == nil {
					continue
				}
				plural, singular := gv.WithResource(r.Resource), gv.WithResource(r.SingularResource)
				mapper.AddSpecific(gv.WithKind(r.ResponseKind.Kind), plural, singular, meta.RESTScopeRoot)
			}
		}
	}
	return &TypeChecker{validating.TypeChecker{
		SchemaResolver: &models{schemas: schemas, known: map[schema.GroupVersion]map[string]*spec.Schema{}},
		RestMapper:     mapper,
	}}
}

// Warnings returns what kube-controller-manager writes to the status.typeChecking of a policy.
func (c *TypeChecker) Warnings(policy *admissionv1.ValidatingAdmissionPolicy) []admissionv1.ExpressionWarning {
	return c.checker.Check(policy)
}

// TypeError is an error that an expression has for objects of each kind that its message names.
type TypeError struct {
	Path    *field.Path
	Message string
}

// Check returns the type errors in a configuration of webhooks or a policy. Of a MutatingAdmissionPolicy, it does not
// check the mutations themselves. Kinds that rules name with wildcards, and unknown ones, are not checked.
func (c *TypeChecker) Check(configuration runtime.Object) []TypeError {
	spec := field.NewPath("spec")
	var errs []TypeError
	switch o := configuration.(type) {
	case *admissionv1.ValidatingAdmissionPolicy:
		t := c.typed(o)
		errs = t.checkCommon(spec)
		for i, v := range o.Spec.Validations {
			path := spec.Child("validations").Index(i)
			errs = append(errs, t.check(path.Child("expression"), v.Expression)...)
			errs = append(errs, t.check(path.Child("messageExpression"), v.MessageExpression)...)
		}
		for i, a := range o.Spec.AuditAnnotations {
			errs = append(errs, t.check(spec.Child("auditAnnotations").Index(i).Child("valueExpression"), a.ValueExpression)...)
		}
	case *admissionv1.MutatingAdmissionPolicy:
		p := &admissionv1.ValidatingAdmissionPolicy{}
		p.Spec.ParamKind, p.Spec.MatchConstraints = o.Spec.ParamKind, o.Spec.MatchConstraints
		p.Spec.MatchConditions, p.Spec.Variables = o.Spec.MatchConditions, o.Spec.Variables
		errs = c.typed(p).checkCommon(spec)
	case *admissionv1.MutatingWebhookConfiguration:
		errs = c.checkHooks(o.Webhooks)
	case *admissionv1.ValidatingWebhookConfiguration:
		errs = c.checkHooks(asMutating(o.Webhooks))
	}
	return errs
}

// checkHooks checks the conditions of webhooks, which are those of a policy with the same rules.
func (c *TypeChecker) checkHooks(hooks []admissionv1.MutatingWebhook) []TypeError {
	var errs []TypeError
	for i, w := range hooks {
		p := &admissionv1.ValidatingAdmissionPolicy{}
		p.Spec.MatchConditions, p.Spec.MatchConstraints = w.MatchConditions, &admissionv1.MatchResources{}
		for _, r := range w.Rules {
			rule := admissionv1.NamedRuleWithOperations{RuleWithOperations: r}
			p.Spec.MatchConstraints.ResourceRules = append(p.Spec.MatchConstraints.ResourceRules, rule)
		}
		errs = append(errs, c.typed(p).checkCommon(field.NewPath("webhooks").Index(i))...)
	}
	return errs
}

// typed is a policy whose kinds are known.
type typed struct {
	*TypeChecker
	policy *admissionv1.ValidatingAdmissionPolicy
	types  *validating.TypeCheckingContext
}

func (c *TypeChecker) typed(policy *admissionv1.ValidatingAdmissionPolicy) *typed {
	return &typed{c, policy, c.checker.CreateContext(policy)}
}

// checkCommon checks what all policies have; path is that of their fields.
func (t *typed) checkCommon(path *field.Path) []TypeError {
	var errs []TypeError
	for i, v := range t.policy.Spec.Variables {
		errs = append(errs, t.check(path.Child("variables").Index(i).Child("expression"), v.Expression)...)
	}
	for i, m := range t.policy.Spec.MatchConditions {
		errs = append(errs, t.check(path.Child("matchConditions").Index(i).Child("expression"), m.Expression)...)
	}
	return errs
}

// check checks an expression; "" is none.
func (t *typed) check(path *field.Path, expression string) []TypeError {
	if expression == "" {
		return nil
	}
	var kinds []string
	if k := t.policy.Spec.ParamKind; k != nil {
		kinds = append(kinds, regexp.QuoteMeta(k.Kind))
	}
	results := t.checker.CheckExpression(t.types, expression)
	for _, r := range results {
		kinds = append(kinds, regexp.QuoteMeta(r.GVK.Kind))
	}
	text := strings.TrimSpace(results.String())
	if text == "" {
		return nil
	}
	// Each type has a name of its own, made of its kind and the time.
	text = regexp.MustCompile(`\b(`+strings.Join(kinds, "|")+`)\d+\b`).ReplaceAllString(text, "$1")
	return []TypeError{{path, text}}
}

// models resolves the schemas of kinds.
type models struct {
	schemas func(schema.GroupVersion) (map[string]*spec.Schema, error)
	known   map[schema.GroupVersion]map[string]*spec.Schema
}

// ResolveSchema implements resolver.SchemaResolver.
func (m *models) ResolveSchema(gvk schema.GroupVersionKind) (*spec.Schema, error) {
	gv := gvk.GroupVersion()
	known, ok := m.known[gv]
	if !ok {
		var err error
		if known, err = m.schemas(gv); err != nil {
			return nil, err
		}
		m.known[gv] = known
	}
	for name, model := range known {
		var kinds []schema.GroupVersionKind
		if err := model.Extensions.GetObject("x-kubernetes-group-version-kind", &kinds); err != nil {
			return nil, fmt.Errorf("read the kinds of %s: %w", name, err)
		}
		if len(kinds) == 1 && kinds[0] == gvk {
			return resolver.PopulateRefs(func(ref string) (*spec.Schema, bool) {
				s, ok := known[strings.TrimPrefix(ref, "#/components/schemas/")]
				return s, ok
			}, name)
		}
	}
	return nil, resolver.ErrSchemaNotFound
}
