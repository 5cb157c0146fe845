package validation

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/labels"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var batchChecks = map[string]check{
	"job-selector": of(jobSelector),
	"job-change":   changed(jobChange),
	"managed-by": of(func(by *string, at *field.Path) field.ErrorList {
		return utilvalidation.IsDomainPrefixedPath(at, *by)
	}),
	"indexed":  of(indexed),
	"failures": of(failures),
	"failure-rule": of(func(r *batchv1.PodFailurePolicyRule, at *field.Path) field.ErrorList {
		switch codes, conditions := r.OnExitCodes != nil, len(r.OnPodConditions) > 0; {
		case codes && conditions:
			return field.ErrorList{field.Invalid(at, field.OmitValueType{}, "specifying both OnExitCodes and OnPodConditions is not supported")}
		case !codes && !conditions:
			return field.ErrorList{field.Invalid(at, field.OmitValueType{}, "specifying one of OnExitCodes and OnPodConditions is required")}
		}
		return nil
	}),
	"exit-codes": of(exitCodes),
	"job-pods": of(func(t *corev1.PodTemplateSpec, at *field.Path) field.ErrorList {
		if t.Spec.RestartPolicy == corev1.RestartPolicyAlways {
			return field.ErrorList{field.Required(at.Child("spec", "restartPolicy"), `valid values: "OnFailure", "Never"`)}
		}
		return nil
	}),
	"cron-name": of(func(c *batchv1.CronJob, _ *field.Path) field.ErrorList {
		if len(c.Name) > 52 { // the names of its jobs have 11 characters more
			return field.ErrorList{field.Invalid(field.NewPath("metadata", "name"), c.Name, "must be no more than 52 characters")}
		}
		return nil
	}),
	"schedule": of(func(schedule *string, at *field.Path) field.ErrorList {
		var errs field.ErrorList
		if *schedule == "" {
			return nil // a row reports it
		}
		if err := parseSchedule(*schedule); err != nil {
			errs = append(errs, field.Invalid(at, *schedule, err.Error()))
		}
		if strings.Contains(*schedule, "TZ") {
			errs = append(errs, field.Invalid(at, *schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"))
		}
		return errs
	}),
	"time-zone": of(timeZone),
	"cron-job": of(func(t *batchv1.JobTemplateSpec, at *field.Path) field.ErrorList {
		if t.Spec.ManualSelector == nil || !*t.Spec.ManualSelector {
			return nil
		}
		return field.ErrorList{field.NotSupported(at.Child("spec", "manualSelector"), true, []string{"nil", "false"})}
	}),
}

// jobSelector checks that a job selects its pods, by labels that nobody else has unless the user chose them.
func jobSelector(j *batchv1.Job, _ *field.Path) field.ErrorList {
	at := field.NewPath("spec")
	s := j.Spec.Selector
	var errs field.ErrorList
	selector := labels.Nothing()
	if s == nil {
		errs = append(errs, field.Required(at.Child("selector"), ""))
	} else {
		errs = append(errs, metavalidation.ValidateLabelSelector(s, metavalidation.LabelSelectorValidationOptions{}, at.Child("selector"))...)
		if parsed, err := metav1.LabelSelectorAsSelector(s); err == nil {
			selector = parsed
		}
	}
	if manual := j.Spec.ManualSelector; s != nil && (manual == nil || !*manual) {
		own := &metav1.LabelSelector{MatchLabels: map[string]string{batchv1.ControllerUidLabel: string(j.UID)}}
		if !equality.Semantic.DeepEqual(s, own) {
			errs = append(errs, field.Invalid(at.Child("selector"), s, "`selector` not auto-generated"))
		}
	}
	if !selector.Matches(labels.Set(j.Spec.Template.Labels)) {
		errs = append(errs, field.Invalid(at.Child("template", "metadata", "labels"), j.Spec.Template.Labels, "`selector` does not match template `labels`"))
	}
	return errs
}

func jobChange(now, was *batchv1.JobSpec, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	fixed := func(now, was any, name string) {
		if !equality.Semantic.DeepEqual(now, was) {
			errs = append(errs, field.Invalid(at.Child(name), internal{now}, validation.FieldImmutableErrorMsg))
		}
	}
	indexed := now.CompletionMode != nil && *now.CompletionMode == batchv1.IndexedCompletion
	elastic := indexed && now.Completions != nil && was.Completions != nil
	if !elastic {
		errs = append(errs, validation.ValidateImmutableField(now.Completions, was.Completions, at.Child("completions"))...)
	} else if *now.Completions != *was.Completions && (now.Parallelism == nil || *now.Completions != *now.Parallelism) {
		errs = append(errs, field.Invalid(at.Child("completions"), *now.Completions, "can only be modified in tandem with spec.parallelism"))
	}
	errs = append(errs, validation.ValidateImmutableField(now.Selector, was.Selector, at.Child("selector"))...)
	if was.Suspend == nil || !*was.Suspend {
		fixed(now.Template, was.Template, "template")
	}
	errs = append(errs, validation.ValidateImmutableField(now.CompletionMode, was.CompletionMode, at.Child("completionMode"))...)
	fixed(now.PodFailurePolicy, was.PodFailurePolicy, "podFailurePolicy")
	errs = append(errs, validation.ValidateImmutableField(now.BackoffLimitPerIndex, was.BackoffLimitPerIndex, at.Child("backoffLimitPerIndex"))...)
	errs = append(errs, validation.ValidateImmutableField(now.ManagedBy, was.ManagedBy, at.Child("managedBy"))...)
	fixed(now.SuccessPolicy, was.SuccessPolicy, "successPolicy")
	return errs
}

// indexed checks what depends on the completion mode.
func indexed(s *batchv1.JobSpec, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	if s.MaxFailedIndexes != nil && s.BackoffLimitPerIndex == nil {
		errs = append(errs, field.Required(at.Child("backoffLimitPerIndex"), "when maxFailedIndexes is specified"))
	}
	if s.CompletionMode != nil && *s.CompletionMode == batchv1.IndexedCompletion {
		if s.Completions == nil {
			errs = append(errs, field.Required(at.Child("completions"), "when completion mode is Indexed"))
		}
		if s.Parallelism != nil && *s.Parallelism > 100000 {
			errs = append(errs, field.Invalid(at.Child("parallelism"), *s.Parallelism, "must be less than or equal to 100000 when completion mode is Indexed"))
		}
		if s.Completions != nil && s.MaxFailedIndexes != nil && *s.MaxFailedIndexes > *s.Completions {
			errs = append(errs, field.Invalid(at.Child("maxFailedIndexes"), *s.MaxFailedIndexes, "must be less than or equal to completions"))
		}
		return errs
	}
	const needed = "requires indexed completion mode"
	if s.BackoffLimitPerIndex != nil {
		errs = append(errs, field.Invalid(at.Child("backoffLimitPerIndex"), *s.BackoffLimitPerIndex, needed))
	}
	if s.MaxFailedIndexes != nil {
		errs = append(errs, field.Invalid(at.Child("maxFailedIndexes"), *s.MaxFailedIndexes, needed))
	}
	if s.SuccessPolicy != nil {
		errs = append(errs, field.Invalid(at.Child("successPolicy"), internal{*s.SuccessPolicy}, needed))
	}
	return errs
}

// failures checks what the policy for failures requires of the job.
func failures(s *batchv1.JobSpec, at *field.Path) field.ErrorList {
	if s.PodFailurePolicy == nil {
		return nil
	}
	var errs field.ErrorList
	rules := at.Child("podFailurePolicy", "rules")
	for i, r := range s.PodFailurePolicy.Rules {
		if r.Action == batchv1.PodFailurePolicyActionFailIndex && s.BackoffLimitPerIndex == nil {
			errs = append(errs, field.Invalid(rules.Index(i).Child("action"), r.Action, "requires the backoffLimitPerIndex to be set"))
		}
		if r.OnExitCodes == nil || r.OnExitCodes.ContainerName == nil {
			continue
		}
		name := *r.OnExitCodes.ContainerName
		if !slices.ContainsFunc(slices.Concat(s.Template.Spec.Containers, s.Template.Spec.InitContainers), func(c corev1.Container) bool { return c.Name == name }) {
			errs = append(errs, field.Invalid(rules.Index(i).Child("onExitCodes", "containerName"), name,
				"must be one of the container or initContainer names in the pod template"))
		}
	}
	if p := s.Template.Spec.RestartPolicy; p == corev1.RestartPolicyOnFailure {
		errs = append(errs, field.Invalid(at.Child("template", "spec", "restartPolicy"), p, `only "Never" is supported when podFailurePolicy is specified`))
	}
	return errs
}

func exitCodes(r *batchv1.PodFailurePolicyOnExitCodesRequirement, at *field.Path) field.ErrorList {
	at = at.Child("values")
	var errs field.ErrorList
	switch n := len(r.Values); {
	case n == 0:
		errs = append(errs, field.Invalid(at, r.Values, "at least one value is required"))
	case n > 255:
		errs = append(errs, field.TooMany(at, n, 255))
	}
	for i, code := range r.Values {
		switch {
		case code == 0 && r.Operator == batchv1.PodFailurePolicyOnExitCodesOpIn:
			errs = append(errs, field.Invalid(at.Index(i), code, "must not be 0 for the In operator"))
		case slices.Contains(r.Values[:i], code):
			errs = append(errs, field.Duplicate(at.Index(i), code))
		}
	}
	if !slices.IsSorted(r.Values) {
		errs = append(errs, field.Invalid(at, r.Values, "must be ordered"))
	}
	return errs
}

var zonePart = regexp.MustCompile(`^[A-Za-z\.\-_0-9+]{1,14}$`)

func timeZone(zone *string, at *field.Path) field.ErrorList {
	if *zone == "" {
		return field.ErrorList{field.Invalid(at, *zone, "timeZone must be nil or non-empty string")}
	}
	for part := range strings.SplitSeq(*zone, "/") {
		if part == "." || part == ".." || strings.HasPrefix(part, "-") || !zonePart.MatchString(part) {
			return field.ErrorList{field.Invalid(at, *zone, fmt.Sprintf("unknown time zone %s", *zone))}
		}
	}
	var errs field.ErrorList
	if strings.EqualFold(*zone, "Local") {
		errs = append(errs, field.Invalid(at, *zone, "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones"))
	}
	if _, err := time.LoadLocation(*zone); err != nil {
		errs = append(errs, field.Invalid(at, *zone, err.Error()))
	}
	return errs
}
