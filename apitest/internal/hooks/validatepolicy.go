package hooks

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/validate/content"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/cel/environment"

	checks "github.com/listwatch/listwatch/apitest/internal/validation"
)

const (
	// maxNotes is the maximum number of audit annotations of a policy, and maxNote that of bytes in their expressions.
	maxNotes = 20
	maxNote  = 5 << 10
)

// expressions are the expressions of a policy. Each sees the variables of the policy that were compiled before it.
type expressions struct {
	compiler  cel.Compiler            // composite, if there is one
	composite *cel.CompositedCompiler // stores variables
	names     cel.OptionalVariableDeclarations
	kind      *admissionv1.ParamKind
}

// newExpressions returns what compiles the expressions of a policy with parameters of a kind, if any. The word variables
// is unknown in those of a policy that composes nothing.
func newExpressions(kind *admissionv1.ParamKind, composes bool) (e *expressions, err error) {
	e = &expressions{compiler: compiler(), names: cel.OptionalVariableDeclarations{HasParams: kind != nil, HasAuthorizer: true}, kind: kind}
	if composes {
		e.composite, err = cel.NewCompositedCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
		e.compiler = e.composite
	}
	return e, err
}

func validatePolicy(p *admissionv1.ValidatingAdmissionPolicy) field.ErrorList {
	path, spec := field.NewPath("spec"), &p.Spec
	e, err := newExpressions(spec.ParamKind, len(spec.Variables) > 0)
	if err != nil {
		return field.ErrorList{field.InternalError(path, err)}
	}
	errs := e.validateCommon(path, spec.FailurePolicy, spec.MatchConstraints, nil, spec.MatchConditions, spec.Variables)
	if len(spec.Validations) == 0 && len(spec.AuditAnnotations) == 0 {
		for _, name := range []string{"validations", "auditAnnotations"} {
			errs = append(errs, field.Required(path.Child(name), "validations or auditAnnotations must contain at least one item"))
		}
		return errs
	}
	for i := range spec.Validations {
		errs = append(errs, e.validateRule(&spec.Validations[i], path.Child("validations").Index(i))...)
	}
	notes := path.Child("auditAnnotations")
	if len(spec.AuditAnnotations) > maxNotes {
		errs = append(errs, field.Invalid(notes, checks.Internal(spec.AuditAnnotations), fmt.Sprintf("must not have more than %d auditAnnotations", maxNotes)))
	}
	keys := map[string]bool{}
	for i, a := range spec.AuditAnnotations {
		errs = append(errs, e.validateNote(p.Name, a, notes.Index(i))...)
		if keys[a.Key] {
			errs = append(errs, field.Duplicate(notes.Index(i).Child("key"), a.Key))
		}
		keys[a.Key] = true
	}
	return errs
}

// validateMutatingPolicy checks the desired state of a MutatingAdmissionPolicy.
func validateMutatingPolicy(spec *admissionv1.MutatingAdmissionPolicySpec) field.ErrorList {
	path := field.NewPath("spec")
	e, err := newExpressions(spec.ParamKind, true)
	if err != nil {
		return field.ErrorList{field.InternalError(path, err)}
	}
	mutable := mutableOperations(spec.MatchConstraints, path.Child("matchConstraints"))
	errs := e.validateCommon(path, spec.FailurePolicy, spec.MatchConstraints, mutable, spec.MatchConditions, spec.Variables)
	if len(spec.Mutations) == 0 {
		errs = append(errs, field.Required(path.Child("mutations"), "mutations must contain at least one item"))
	}
	for i := range spec.Mutations {
		errs = append(errs, e.validateMutation(&spec.Mutations[i], path.Child("mutations").Index(i))...)
	}
	if spec.ReinvocationPolicy == "" {
		return append(errs, field.Required(path.Child("reinvocationPolicy"), ""))
	}
	return append(errs, oneOf(path.Child("reinvocationPolicy"), &spec.ReinvocationPolicy, admissionv1.IfNeededReinvocationPolicy, admissionv1.NeverReinvocationPolicy)...)
}

// validateCommon checks what both kinds of policies have, in the order of the API server. mutable are the errors
// about operations that match.
func (e *expressions) validateCommon(path *field.Path, failure *admissionv1.FailurePolicyType, match *admissionv1.MatchResources, mutable field.ErrorList,
	conditions []admissionv1.MatchCondition, variables []admissionv1.Variable,
) field.ErrorList {
	errs := oneOf(path.Child("failurePolicy"), failure, admissionv1.Fail, admissionv1.Ignore)
	errs = append(errs, validateParamKind(e.kind, path.Child("paramKind"))...)
	constraints := path.Child("matchConstraints")
	if match == nil {
		errs = append(errs, field.Required(constraints, ""))
	} else {
		errs = append(errs, validateMatch(match, constraints)...)
		if len(match.ResourceRules) == 0 {
			errs = append(errs, field.Required(constraints.Child("resourceRules"), ""))
		}
		errs = append(errs, mutable...)
	}
	errs = append(errs, validateConditions(conditions, e.kind != nil, path.Child("matchConditions"))...)
	for i, v := range variables {
		errs = append(errs, e.validateVariable(v, path.Child("variables").Index(i))...)
	}
	return errs
}

func validateParamKind(k *admissionv1.ParamKind, path *field.Path) field.ErrorList {
	if k == nil {
		return nil
	}
	var errs field.ErrorList
	at := path.Child("apiVersion")
	gv, err := schema.ParseGroupVersion(k.APIVersion)
	invalid := func(value string, msgs []string) {
		if len(msgs) > 0 {
			errs = append(errs, field.Invalid(at, value, strings.Join(msgs, ",")))
		}
	}
	switch {
	case k.APIVersion == "":
		errs = append(errs, field.Required(at, ""))
	case err != nil:
		errs = append(errs, field.Invalid(at, k.APIVersion, err.Error()))
	default:
		if gv.Group != "" {
			invalid(gv.Group, validation.IsDNS1123Subdomain(gv.Group))
		}
		if gv.Version == "" {
			invalid(k.APIVersion, []string{"version must be specified"})
		} else {
			invalid(gv.Version, validation.IsDNS1035Label(gv.Version))
		}
	}
	if k.Kind == "" {
		return append(errs, field.Required(path.Child("kind"), ""))
	}
	if msgs := validation.IsDNS1035Label(strings.ToLower(k.Kind)); len(msgs) > 0 {
		errs = append(errs, field.Invalid(path.Child("kind"), k.Kind, "may have mixed case, but should otherwise match: "+strings.Join(msgs, ",")))
	}
	return errs
}

// validateBinding checks the name of parameters, and which requests a binding concerns.
func validateBinding(params *admissionv1.ParamRef, match *admissionv1.MatchResources) field.ErrorList {
	path := field.NewPath("spec")
	var errs field.ErrorList
	if params != nil {
		for _, msg := range content.IsPathSegmentName(params.Name) {
			errs = append(errs, field.Invalid(path.Child("paramRef", "name"), params.Name, msg))
		}
	}
	return append(errs, validateMatch(match, path.Child("matchResources"))...)
}

// validateMatch checks which requests a policy or a binding concerns.
func validateMatch(m *admissionv1.MatchResources, path *field.Path) field.ErrorList {
	if m == nil {
		return nil
	}
	errs := oneOf(path.Child("matchPolicy"), m.MatchPolicy, admissionv1.Equivalent, admissionv1.Exact)
	var options metavalidation.LabelSelectorValidationOptions
	errs = append(errs, metavalidation.ValidateLabelSelector(m.NamespaceSelector, options, path.Child("namespaceSelector"))...)
	errs = append(errs, metavalidation.ValidateLabelSelector(m.ObjectSelector, options, path.Child("objectSelector"))...)
	for i := range m.ResourceRules {
		errs = append(errs, validateNamedRule(&m.ResourceRules[i], path.Child("resourceRules").Index(i))...)
	}
	for i := range m.ExcludeResourceRules {
		errs = append(errs, validateNamedRule(&m.ExcludeResourceRules[i], path.Child("excludeResourceRules").Index(i))...)
	}
	return errs
}

func validateNamedRule(r *admissionv1.NamedRuleWithOperations, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, name := range r.ResourceNames {
		at := path.Child("resourceNames").Index(i)
		for _, msg := range content.IsPathSegmentName(name) {
			errs = append(errs, field.Invalid(at, name, msg))
		}
		if slices.Contains(r.ResourceNames[:i], name) {
			errs = append(errs, field.Duplicate(at, name))
		}
	}
	return append(errs, validateRule(&r.RuleWithOperations, path)...)
}

// mutableOperations checks that no policy would change what is deleted.
func mutableOperations(m *admissionv1.MatchResources, path *field.Path) field.ErrorList {
	if m == nil {
		return nil
	}
	var errs field.ErrorList
	for _, r := range m.ResourceRules {
		for i := range r.Operations {
			errs = append(errs, oneOf(path.Child("resourceRules", "operations"), &r.Operations[i],
				admissionv1.OperationAll, admissionv1.Connect, admissionv1.Create, admissionv1.Update)...)
		}
	}
	return errs
}

var (
	identifier = regexp.MustCompile(`^[_a-zA-Z][_a-zA-Z0-9]*$`)
	reserved   = strings.Fields("true false null in as break const continue else for function if import let loop package namespace return var void while")
)

func (e *expressions) validateVariable(v admissionv1.Variable, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	switch {
	case strings.TrimSpace(v.Name) == "":
		errs = append(errs, field.Required(path.Child("name"), "name is not specified"))
	case !identifier.MatchString(v.Name) || slices.Contains(reserved, v.Name):
		errs = append(errs, field.Invalid(path.Child("name"), v.Name, "must be a valid CEL identifier"))
	}
	if strings.TrimSpace(v.Expression) == "" {
		return append(errs, field.Required(path.Child("expression"), "expression is not specified"))
	}
	variable := &validating.Variable{Name: v.Name, Expression: v.Expression}
	result := e.composite.CompileAndStoreVariable(variable, e.names, environment.NewExpressions)
	return append(errs, asFieldError(result, v.Expression, path.Child("expression"))...)
}

func (e *expressions) validateRule(v *admissionv1.Validation, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if strings.TrimSpace(v.Expression) == "" {
		errs = append(errs, field.Required(path.Child("expression"), "expression is not specified"))
	} else {
		errs = append(errs, compileError(e.compiler, &validating.ValidationCondition{Expression: v.Expression}, e.names, path.Child("expression"))...)
	}
	at := path.Child("messageExpression")
	switch {
	case v.MessageExpression == "":
	case strings.TrimSpace(v.MessageExpression) == "":
		errs = append(errs, field.Invalid(at, v.MessageExpression, "must be non-empty if specified"))
	default:
		names := cel.OptionalVariableDeclarations{HasParams: e.names.HasParams}
		errs = append(errs, compileError(e.compiler, &validating.MessageExpressionCondition{MessageExpression: v.MessageExpression}, names, at)...)
	}
	switch message := strings.TrimSpace(v.Message); {
	case v.Message != "" && message == "":
		errs = append(errs, field.Invalid(path.Child("message"), v.Message, "must be non-empty if specified"))
	case strings.ContainsAny(message, "\n\r"):
		errs = append(errs, field.Invalid(path.Child("message"), v.Message, "must not contain line breaks"))
	}
	return append(errs, oneOf(path.Child("reason"), v.Reason, metav1.StatusReasonForbidden, metav1.StatusReasonInvalid, metav1.StatusReasonRequestEntityTooLarge)...)
}

// validateNote checks an audit annotation of a policy.
func (e *expressions) validateNote(policy string, a admissionv1.AuditAnnotation, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if policy == "" {
		errs = append(errs, field.Invalid(path.Child("key"), a.Key, "requires metadata.name be non-empty"))
	} else {
		errs = append(errs, validateQualified(policy+"/"+a.Key, path.Child("key"))...)
	}
	at, expression := path.Child("valueExpression"), strings.TrimSpace(a.ValueExpression)
	switch {
	case expression == "":
		return append(errs, field.Required(at, "valueExpression is not specified"))
	case len(expression) > maxNote:
		return append(errs, field.Required(at, fmt.Sprintf("must not exceed %d bytes in length", maxNote)))
	}
	condition := &validating.AuditAnnotationCondition{ValueExpression: expression}
	result := e.compiler.CompileCELExpression(condition, e.names, environment.NewExpressions)
	return append(errs, asFieldError(result, a.ValueExpression, at)...)
}

func (e *expressions) validateMutation(m *admissionv1.Mutation, path *field.Path) field.ErrorList {
	json, apply := path.Child("jsonPatch"), path.Child("applyConfiguration")
	var errs field.ErrorList
	switch m.PatchType {
	case "":
		errs = append(errs, field.Required(path.Child("patchType"), ""))
	case admissionv1.PatchTypeJSONPatch:
		if m.JSONPatch == nil {
			errs = append(errs, field.Required(json, "must be specified when patchType is JSONPatch"))
		} else {
			errs = append(errs, e.validatePatch(&patch.JSONPatchCondition{Expression: strings.TrimSpace(m.JSONPatch.Expression)}, json.Child("expression"))...)
		}
		if m.ApplyConfiguration != nil {
			errs = append(errs, field.Invalid(apply, "{applyConfiguration}", "must not be specified when patchType is JSONPatch"))
		}
	case admissionv1.PatchTypeApplyConfiguration:
		if m.ApplyConfiguration == nil {
			errs = append(errs, field.Required(apply, "must be specified when patchType is ApplyConfiguration"))
		} else {
			errs = append(errs, e.validatePatch(&patch.ApplyConfigurationCondition{Expression: strings.TrimSpace(m.ApplyConfiguration.Expression)}, apply.Child("expression"))...)
		}
		if m.JSONPatch != nil {
			errs = append(errs, field.Invalid(json, "{jsonPatch}", "must not be specified when patchType is ApplyConfiguration"))
		}
	default:
		errs = append(errs, field.NotSupported(path.Child("patchType"), m.PatchType, []admissionv1.PatchType{admissionv1.PatchTypeApplyConfiguration, admissionv1.PatchTypeJSONPatch}))
	}
	return errs
}

func (e *expressions) validatePatch(expression cel.ExpressionAccessor, path *field.Path) field.ErrorList {
	if expression.GetExpression() == "" {
		return field.ErrorList{field.Required(path, "")}
	}
	names := e.names
	names.HasPatchTypes = true
	return compileError(e.compiler, expression, names, path)
}
