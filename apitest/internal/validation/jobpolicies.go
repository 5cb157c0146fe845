package validation

import (
	"fmt"
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var (
	failureActions = []batchv1.PodFailurePolicyAction{
		batchv1.PodFailurePolicyActionCount, batchv1.PodFailurePolicyActionFailIndex,
		batchv1.PodFailurePolicyActionFailJob, batchv1.PodFailurePolicyActionIgnore,
	}
	exitOperators     = []batchv1.PodFailurePolicyOnExitCodesOperator{batchv1.PodFailurePolicyOnExitCodesOpIn, batchv1.PodFailurePolicyOnExitCodesOpNotIn}
	conditionStatuses = []corev1.ConditionStatus{corev1.ConditionFalse, corev1.ConditionTrue, corev1.ConditionUnknown}
)

// choice checks that a value is among those that are supported; an empty one is missing.
func choice[T ~string](value T, supported []T, at *field.Path) field.ErrorList {
	switch {
	case value == "":
		return field.ErrorList{field.Required(at, fmt.Sprintf("valid values: %q", supported))}
	case !slices.Contains(supported, value):
		return field.ErrorList{field.NotSupported(at, value, supported)}
	}
	return nil
}

// failures checks the policies for failures, and for pods that replace others.
func failures(s *batchv1.JobSpec, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	replacements := []batchv1.PodReplacementPolicy{batchv1.Failed, batchv1.TerminatingOrFailed}
	if s.PodFailurePolicy != nil {
		replacements = replacements[:1]
		rules := at.Child("podFailurePolicy", "rules")
		if n := len(s.PodFailurePolicy.Rules); n > 20 {
			errs = append(errs, field.TooMany(rules, n, 20))
		}
		names := sets.New[string]()
		for _, c := range slices.Concat(s.Template.Spec.Containers, s.Template.Spec.InitContainers) {
			names.Insert(c.Name)
		}
		for i := range s.PodFailurePolicy.Rules {
			errs = append(errs, failureRule(&s.PodFailurePolicy.Rules[i], s.BackoffLimitPerIndex != nil, names, rules.Index(i))...)
		}
	}
	return append(errs, successes(s, at, replacements)...)
}

// failureRule checks a rule of a job whose containers have names, and which may have a limit per index.
func failureRule(r *batchv1.PodFailurePolicyRule, limited bool, names sets.Set[string], at *field.Path) field.ErrorList {
	errs := choice(r.Action, failureActions, at.Child("action"))
	if r.Action == batchv1.PodFailurePolicyActionFailIndex && !limited {
		errs = append(errs, field.Invalid(at.Child("action"), r.Action, "requires the backoffLimitPerIndex to be set"))
	}
	if r.OnExitCodes != nil {
		errs = append(errs, exitCodes(r.OnExitCodes, names, at.Child("onExitCodes"))...)
	}
	conditions := at.Child("onPodConditions")
	if n := len(r.OnPodConditions); n > 20 {
		errs = append(errs, field.TooMany(conditions, n, 20))
	}
	for i, c := range r.OnPodConditions {
		errs = append(errs, invalid(conditions.Index(i).Child("type"), string(c.Type), utilvalidation.IsQualifiedName(string(c.Type)))...)
		errs = append(errs, choice(c.Status, conditionStatuses, conditions.Index(i).Child("status"))...)
	}
	switch codes, conditions := r.OnExitCodes != nil, len(r.OnPodConditions) > 0; {
	case codes && conditions:
		errs = append(errs, field.Invalid(at, field.OmitValueType{}, "specifying both OnExitCodes and OnPodConditions is not supported"))
	case !codes && !conditions:
		errs = append(errs, field.Invalid(at, field.OmitValueType{}, "specifying one of OnExitCodes and OnPodConditions is required"))
	}
	return errs
}

func exitCodes(r *batchv1.PodFailurePolicyOnExitCodesRequirement, names sets.Set[string], at *field.Path) field.ErrorList {
	errs := choice(r.Operator, exitOperators, at.Child("operator"))
	if name := r.ContainerName; name != nil && !names.Has(*name) {
		errs = append(errs, field.Invalid(at.Child("containerName"), *name, "must be one of the container or initContainer names in the pod template"))
	}
	at = at.Child("values")
	switch n := len(r.Values); {
	case n == 0:
		errs = append(errs, field.Invalid(at, r.Values, "at least one value is required"))
	case n > 255:
		errs = append(errs, field.TooMany(at, n, 255))
	}
	for i, code := range r.Values {
		if code == 0 && r.Operator == batchv1.PodFailurePolicyOnExitCodesOpIn {
			errs = append(errs, field.Invalid(at.Index(i), code, "must not be 0 for the In operator"))
		}
		if slices.Contains(r.Values[:i], code) {
			errs = append(errs, field.Duplicate(at.Index(i), code))
		}
	}
	if !slices.IsSorted(r.Values) {
		errs = append(errs, field.Invalid(at, r.Values, "must be ordered"))
	}
	return errs
}

// successes checks the policy for success, and then that for pods that replace others.
func successes(s *batchv1.JobSpec, at *field.Path, replacements []batchv1.PodReplacementPolicy) field.ErrorList {
	var errs field.ErrorList
	policy := at.Child("successPolicy")
	switch {
	case s.SuccessPolicy == nil:
	case !isIndexed(s):
		errs = append(errs, field.Invalid(policy, internal{*s.SuccessPolicy}, "requires indexed completion mode"))
	default:
		rules := policy.Child("rules")
		switch n := len(s.SuccessPolicy.Rules); {
		case n == 0:
			errs = append(errs, field.Required(rules, "at least one rules must be specified when the successPolicy is specified"))
		case n > 20:
			errs = append(errs, field.TooMany(rules, n, 20))
		}
		for i := range s.SuccessPolicy.Rules {
			errs = append(errs, successRule(&s.SuccessPolicy.Rules[i], s.Completions, rules.Index(i))...)
		}
	}
	if p := s.PodReplacementPolicy; p != nil && !slices.Contains(replacements, *p) {
		errs = append(errs, field.NotSupported(at.Child("podReplacementPolicy"), *p, replacements))
	}
	return errs
}

// successRule checks a rule of a job with a number of completions.
func successRule(r *batchv1.SuccessPolicyRule, completions *int32, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	if r.SucceededCount == nil && r.SucceededIndexes == nil {
		errs = append(errs, field.Required(at, "at least one of succeededCount or succeededIndexes must be specified"))
	}
	if completions == nil {
		return errs // which is an error of its own
	}
	var total int32
	if list := r.SucceededIndexes; list != nil {
		indexes := at.Child("succeededIndexes")
		if len(*list) > 64*1024 {
			errs = append(errs, field.TooLong(indexes, "", 64*1024))
		}
		intervals, err := parseIndexes(*list, *completions)
		if err != nil {
			errs = append(errs, field.Invalid(indexes, *list, "error parsing succeededIndexes: "+err.Error()))
		}
		for _, in := range intervals {
			total += in.last - in.first + 1
		}
	}
	n := r.SucceededCount
	if n == nil {
		return errs
	}
	at = at.Child("succeededCount")
	if *n < 0 {
		errs = append(errs, field.Invalid(at, int64(*n), "must be greater than or equal to 0"))
	}
	if *n > *completions {
		errs = append(errs, field.Invalid(at, *n, fmt.Sprintf("must be less than or equal to %d (the number of specified completions)", *completions)))
	}
	if r.SucceededIndexes != nil && *n > total {
		errs = append(errs, field.Invalid(at, *n, fmt.Sprintf("must be less than or equal to %d (the number of indexes in the specified succeededIndexes field)", total)))
	}
	return errs
}
