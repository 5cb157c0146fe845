package hooks

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
)

// Validate checks a configuration, policy or binding to which defaults were applied. Of bindings, it checks the names
// and what they match.
func Validate(configuration runtime.Object) field.ErrorList {
	var name string
	var errs field.ErrorList
	switch c := configuration.(type) {
	case *admissionv1.MutatingWebhookConfiguration:
		name, errs = c.Name, validateHooks(c.Webhooks)
	case *admissionv1.ValidatingWebhookConfiguration:
		name, errs = c.Name, validateHooks(asMutating(c.Webhooks))
	case *admissionv1.ValidatingAdmissionPolicy:
		name, errs = c.Name, validatePolicy(c)
	case *admissionv1.MutatingAdmissionPolicy:
		name, errs = c.Name, validateMutatingPolicy(&c.Spec)
	case *admissionv1.ValidatingAdmissionPolicyBinding:
		name, errs = c.Name, validateBinding(c.Spec.ParamRef, c.Spec.MatchResources)
	case *admissionv1.MutatingAdmissionPolicyBinding:
		name, errs = c.Name, validateBinding(c.Spec.ParamRef, c.Spec.MatchResources)
		errs = append(errs, mutableOperations(c.Spec.MatchResources, field.NewPath("spec", "matchResources"))...)
	}
	if strings.HasSuffix(name, reservedSuffix) {
		errs = append(errs, field.Invalid(field.NewPath("metadata", "name"), name, fmt.Sprintf(
			"names ending with %q are reserved for static manifest-based configurations and cannot be managed via the API", reservedSuffix)))
	}
	return errs
}

// reservedSuffix ends the names of configurations that API servers read from files.
const reservedSuffix = ".static.k8s.io"

// asMutating returns hooks as the kind of hooks that has all fields.
func asMutating(hooks []admissionv1.ValidatingWebhook) []admissionv1.MutatingWebhook {
	out := make([]admissionv1.MutatingWebhook, len(hooks))
	for i, w := range hooks {
		out[i] = admissionv1.MutatingWebhook{
			Name: w.Name, ClientConfig: w.ClientConfig, Rules: w.Rules,
			FailurePolicy: w.FailurePolicy, MatchPolicy: w.MatchPolicy,
			NamespaceSelector: w.NamespaceSelector, ObjectSelector: w.ObjectSelector,
			SideEffects: w.SideEffects, TimeoutSeconds: w.TimeoutSeconds,
			AdmissionReviewVersions: w.AdmissionReviewVersions, MatchConditions: w.MatchConditions,
		}
	}
	return out
}

func validateHooks(hooks []admissionv1.MutatingWebhook) field.ErrorList {
	names := map[string]bool{}
	var errs field.ErrorList
	for i := range hooks {
		path := field.NewPath("webhooks").Index(i)
		errs = append(errs, validateHook(&hooks[i], path)...)
		errs = append(errs, validateVersions(hooks[i].AdmissionReviewVersions, path.Child("admissionReviewVersions"))...)
		if names[hooks[i].Name] {
			errs = append(errs, field.Duplicate(path.Child("name"), hooks[i].Name))
		}
		names[hooks[i].Name] = true
	}
	return errs
}

// maxTimeout is the maximum timeout of a hook, in seconds.
const maxTimeout = 30

func validateHook(w *admissionv1.MutatingWebhook, path *field.Path) field.ErrorList {
	errs := validation.IsFullyQualifiedName(path.Child("name"), w.Name)
	for i := range w.Rules {
		errs = append(errs, validateRule(&w.Rules[i], path.Child("rules").Index(i))...)
	}
	errs = append(errs, oneOf(path.Child("failurePolicy"), w.FailurePolicy, admissionv1.Fail, admissionv1.Ignore)...)
	errs = append(errs, oneOf(path.Child("matchPolicy"), w.MatchPolicy, admissionv1.Equivalent, admissionv1.Exact)...)
	if w.SideEffects == nil {
		errs = append(errs, field.Required(path.Child("sideEffects"), "must specify one of None, NoneOnDryRun"))
	}
	errs = append(errs, oneOf(path.Child("sideEffects"), w.SideEffects, admissionv1.SideEffectClassNone, admissionv1.SideEffectClassNoneOnDryRun)...)
	if t := w.TimeoutSeconds; t != nil && (*t < 1 || *t > maxTimeout) {
		errs = append(errs, field.Invalid(path.Child("timeoutSeconds"), *t, fmt.Sprintf("the timeout value must be between 1 and %d seconds", maxTimeout)))
	}
	var selectors metavalidation.LabelSelectorValidationOptions
	errs = append(errs, metavalidation.ValidateLabelSelector(w.NamespaceSelector, selectors, path.Child("namespaceSelector"))...)
	errs = append(errs, metavalidation.ValidateLabelSelector(w.ObjectSelector, selectors, path.Child("objectSelector"))...)
	errs = append(errs, oneOf(path.Child("reinvocationPolicy"), w.ReinvocationPolicy, admissionv1.IfNeededReinvocationPolicy, admissionv1.NeverReinvocationPolicy)...)
	errs = append(errs, validateClient(&w.ClientConfig, path.Child("clientConfig"))...)
	return append(errs, validateConditions(w.MatchConditions, false, path.Child("matchConditions"))...)
}

// oneOf checks an optional value.
func oneOf[T ~string](path *field.Path, value *T, valid ...T) field.ErrorList {
	if value == nil || slices.Contains(valid, *value) {
		return nil
	}
	return field.ErrorList{field.NotSupported(path, *value, valid)}
}

func validateClient(c *admissionv1.WebhookClientConfig, path *field.Path) field.ErrorList {
	switch {
	case (c.URL == nil) == (c.Service == nil):
		return field.ErrorList{field.Required(path, "exactly one of url or service is required")}
	case c.URL != nil:
		return webhookutil.ValidateWebhookURL(path.Child("url"), *c.URL, true)
	}
	s := c.Service
	port := int32(443)
	if s.Port != nil {
		port = *s.Port
	}
	return webhookutil.ValidateWebhookService(path.Child("service"), s.Name, s.Namespace, s.Path, port) // swapped, as in the real server
}

func validateVersions(versions []string, path *field.Path) field.ErrorList {
	if len(versions) == 0 {
		return field.ErrorList{field.Required(path, "must specify one of v1, v1beta1")}
	}
	var errs field.ErrorList
	for i, version := range versions {
		if slices.Contains(versions[:i], version) {
			errs = append(errs, field.Invalid(path.Index(i), version, "duplicate version"))
			continue
		}
		for _, msg := range validation.IsDNS1035Label(version) {
			errs = append(errs, field.Invalid(path.Index(i), version, msg))
		}
	}
	if !slices.Contains(versions, "v1") && !slices.Contains(versions, "v1beta1") {
		errs = append(errs, field.Invalid(path, versions, "must include at least one of v1, v1beta1"))
	}
	return errs
}

var operations = []admissionv1.OperationType{
	admissionv1.OperationAll, admissionv1.Connect, admissionv1.Create, admissionv1.Delete, admissionv1.Update,
}

func validateRule(r *admissionv1.RuleWithOperations, path *field.Path) field.ErrorList {
	errs := allOrSome(path.Child("operations"), r.Operations, "operations")
	for i := range r.Operations {
		errs = append(errs, oneOf(path.Child("operations").Index(i), &r.Operations[i], operations...)...)
	}
	errs = append(errs, allOrSome(path.Child("apiGroups"), r.APIGroups, "API groups")...)
	errs = append(errs, allOrSome(path.Child("apiVersions"), r.APIVersions, "API versions")...)
	for i, version := range r.APIVersions {
		if version == "" {
			errs = append(errs, field.Required(path.Child("apiVersions").Index(i), ""))
		}
	}
	errs = append(errs, validateResources(r.Resources, path.Child("resources"))...)
	return append(errs, oneOf(path.Child("scope"), r.Scope, admissionv1.AllScopes, admissionv1.ClusterScope, admissionv1.NamespacedScope)...)
}

// allOrSome checks that there are values, and that the value that means all is the only one.
func allOrSome[T ~string](path *field.Path, values []T, what string) field.ErrorList {
	switch {
	case len(values) == 0:
		return field.ErrorList{field.Required(path, "")}
	case len(values) > 1 && slices.Contains(values, "*"):
		return field.ErrorList{field.Invalid(path, values, "if '*' is present, must not specify other "+what)}
	}
	return nil
}

// validateResources checks resources and subresources, each of which may be all.
func validateResources(resources []string, path *field.Path) field.ErrorList {
	if len(resources) == 0 {
		return field.ErrorList{field.Required(path, "")}
	}
	var errs field.ErrorList
	plain := false
	for i, name := range resources {
		resource, sub, ok := strings.Cut(name, "/")
		switch {
		case name == "":
			errs = append(errs, field.Required(path.Index(i), ""))
			continue
		case !ok:
			plain = name != "*" // of the last, as in the API server
			continue
		}
		for _, all := range []string{resource + "/*", "*/" + sub} {
			if slices.Contains(resources[:i], all) {
				errs = append(errs, field.Invalid(path.Index(i), name, fmt.Sprintf("if '%s' is present, must not specify %s", all, name)))
			}
		}
	}
	if len(resources) > 1 && slices.Contains(resources, "*/*") {
		errs = append(errs, field.Invalid(path, resources, "if '*/*' is present, must not specify other resources"))
	}
	if plain && slices.Contains(resources, "*") {
		errs = append(errs, field.Invalid(path, resources, "if '*' is present, must not specify other resources without subresources"))
	}
	return errs
}

// maxConditions is the maximum number of conditions of a hook.
const maxConditions = 64

var compiler = sync.OnceValue(func() cel.Compiler {
	return cel.NewCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
})

// validateConditions checks the conditions under which a hook or a policy concerns a request.
func validateConditions(conditions []admissionv1.MatchCondition, hasParams bool, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if n := len(conditions); n > maxConditions {
		errs = append(errs, field.TooMany(path, n, maxConditions))
	}
	names := map[string]bool{}
	for i, c := range conditions {
		at := path.Index(i)
		if c.Expression = strings.TrimSpace(c.Expression); c.Expression == "" {
			errs = append(errs, field.Required(at.Child("expression"), ""))
		} else {
			condition := matchconditions.MatchCondition(c)
			errs = append(errs, compileError(compiler(), &condition, cel.OptionalVariableDeclarations{HasParams: hasParams, HasAuthorizer: true}, at.Child("expression"))...)
		}
		switch {
		case c.Name == "":
			errs = append(errs, field.Required(at.Child("name"), ""))
			continue
		case names[c.Name]:
			errs = append(errs, field.Duplicate(at.Child("name"), c.Name))
		}
		names[c.Name] = true
		errs = append(errs, validateQualified(c.Name, at.Child("name"))...)
	}
	return errs
}

func validateQualified(name string, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, msg := range validation.IsQualifiedName(name) {
		errs = append(errs, field.Invalid(path, name, msg))
	}
	return errs
}

// compileError compiles an expression.
func compileError(c cel.Compiler, expression cel.ExpressionAccessor, names cel.OptionalVariableDeclarations, path *field.Path) field.ErrorList {
	return asFieldError(c.CompileCELExpression(expression, names, environment.NewExpressions), expression.GetExpression(), path)
}

// asFieldError returns the error of an expression, if it has one, as that of a field.
func asFieldError(result cel.CompilationResult, expression string, path *field.Path) field.ErrorList {
	switch err := result.Error; {
	case err == nil:
		return nil
	case err.Type == apiservercel.ErrorTypeInvalid:
		return field.ErrorList{field.Invalid(path, expression, err.Detail)}
	default:
		return field.ErrorList{field.InternalError(path, err)}
	}
}
