package validation

import (
	"fmt"
	"regexp"
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

// maxManagerLength is that of the name of who manages a job instead of Kubernetes' controller (KEP-4368).
const maxManagerLength = 63

var batchChecks = map[string]check{
	"job-selector": of(jobSelector),
	"job-change":   jobChange,
	"pod-names":    of(podNames),
	"managed-by": of(func(by *string, at *field.Path) field.ErrorList {
		errs := utilvalidation.IsDomainPrefixedPath(at, *by)
		if len(*by) > maxManagerLength {
			errs = append(errs, field.TooLong(at, "", maxManagerLength))
		}
		return errs
	}),
	"job-generated": generatedSelector,
	"indexed":       of(indexed),
	"failures":      of(failures),
	"job-pods":      of(jobPods),
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
		var errs field.ErrorList
		if t.Spec.Selector != nil {
			errs = append(errs, field.Invalid(at.Child("spec", "selector"), t.Spec.Selector, "`selector` will be auto-generated"))
		}
		if t.Spec.ManualSelector != nil && *t.Spec.ManualSelector {
			errs = append(errs, field.NotSupported(at.Child("spec", "manualSelector"), true, []string{"nil", "false"}))
		}
		return errs
	}),
}

// generatedSelector checks that a new job selects its pods by labels that nobody else has, unless the user chose them.
func generatedSelector(p place) field.ErrorList {
	j := pointerTo[batchv1.Job](p.value)
	if manual := j.Spec.ManualSelector; p.old.IsValid() || j.Spec.Selector == nil || manual != nil && *manual {
		return nil
	}
	var errs field.ErrorList
	at := field.NewPath("spec", "template", "metadata", "labels")
	own := labels.Set{}
	for _, l := range []struct{ key, value string }{
		{"controller-uid", string(j.UID)}, {"job-name", j.Name},
		{batchv1.ControllerUidLabel, string(j.UID)}, {batchv1.JobNameLabel, j.Name},
	} {
		own[l.key] = l.value
		switch value, ok := j.Spec.Template.Labels[l.key]; {
		case !ok:
			errs = append(errs, field.Required(at.Key(l.key), "must be '"+l.value+"'"))
		case value != l.value:
			errs = append(errs, field.Invalid(at.Key(l.key), j.Spec.Template.Labels, "must be '"+l.value+"'"))
		}
	}
	if selector, err := metav1.LabelSelectorAsSelector(j.Spec.Selector); err == nil && !selector.Matches(own) {
		errs = append(errs, field.Invalid(field.NewPath("spec", "selector"), j.Spec.Selector, "`selector` not auto-generated"))
	}
	return errs
}

// jobSelector checks that a job selects its pods, and that these can have names.
func jobSelector(j *batchv1.Job, _ *field.Path) field.ErrorList {
	at := field.NewPath("spec")
	var errs field.ErrorList
	if s := j.Spec.Selector; s == nil {
		errs = append(errs, field.Required(at.Child("selector"), ""))
	} else {
		errs = append(errs, metavalidation.ValidateLabelSelector(s, metavalidation.LabelSelectorValidationOptions{}, at.Child("selector"))...)
	}
	selector, err := metav1.LabelSelectorAsSelector(j.Spec.Selector)
	if err == nil && !selector.Matches(labels.Set(j.Spec.Template.Labels)) {
		errs = append(errs, field.Invalid(at.Child("template", "metadata", "labels"), j.Spec.Template.Labels, "`selector` does not match template `labels`"))
	}
	return errs
}

// podNames checks that the pods of a job with indexes can have their names as hostnames.
func podNames(j *batchv1.Job, _ *field.Path) field.ErrorList {
	if !isIndexed(&j.Spec) || j.Spec.Completions == nil || *j.Spec.Completions <= 0 {
		return nil
	}
	last := fmt.Sprintf("%s-%d", j.Name, *j.Spec.Completions-1)
	if len(utilvalidation.IsDNS1123Label(last)) == 0 {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("metadata", "name"), j.Name, "will not able to create pod with invalid DNS label: "+last)}
}

func isIndexed(s *batchv1.JobSpec) bool {
	return s.CompletionMode != nil && *s.CompletionMode == batchv1.IndexedCompletion
}

// jobChange checks that a job does not change, except how many pods there are, and the template of one that is suspended.
func jobChange(p place) field.ErrorList {
	if !p.old.IsValid() {
		return nil
	}
	j, o := pointerTo[batchv1.Job](p.value), pointerTo[batchv1.Job](p.old)
	at, now, was := field.NewPath("spec"), &j.Spec, &o.Spec
	var errs field.ErrorList
	fixed := func(now, was any, name string) {
		if !equality.Semantic.DeepEqual(now, was) {
			errs = append(errs, field.Invalid(at.Child(name), internal{now}, validation.FieldImmutableErrorMsg))
		}
	}
	switch {
	case !isIndexed(now):
		fixed(now.Completions, was.Completions, "completions")
	case equality.Semantic.DeepEqual(now.Completions, was.Completions), now.Completions == nil:
	case now.Parallelism == nil || *now.Completions != *now.Parallelism:
		errs = append(errs, field.Invalid(at.Child("completions"), *now.Completions, "can only be modified in tandem with spec.parallelism"))
	}
	errs = append(errs, validation.ValidateImmutableField(now.Selector, was.Selector, at.Child("selector"))...)
	errs = append(errs, templateChange(&now.Template, &was.Template, o, at)...)
	errs = append(errs, validation.ValidateImmutableField(now.CompletionMode, was.CompletionMode, at.Child("completionMode"))...)
	fixed(now.PodFailurePolicy, was.PodFailurePolicy, "podFailurePolicy")
	errs = append(errs, validation.ValidateImmutableField(now.BackoffLimitPerIndex, was.BackoffLimitPerIndex, at.Child("backoffLimitPerIndex"))...)
	errs = append(errs, validation.ValidateImmutableField(now.ManagedBy, was.ManagedBy, at.Child("managedBy"))...)
	fixed(now.SuccessPolicy, was.SuccessPolicy, "successPolicy")
	return errs
}

// templateChange checks that the template of a job does not change. While the job is suspended and none of its pods
// runs, where its pods may be scheduled and their resources may change.
func templateChange(now, was *corev1.PodTemplateSpec, before *batchv1.Job, at *field.Path) field.ErrorList {
	expected := was.DeepCopy()
	suspended := before.Spec.Suspend != nil && *before.Spec.Suspend
	idle := suspended && before.Status.Active == 0 &&
		(before.Status.StartTime == nil || hasCondition(before, batchv1.JobSuspended, corev1.ConditionTrue))
	if idle {
		keepScheduling(&now.Spec, &expected.Spec)
		expected.Annotations, expected.Labels = now.Annotations, now.Labels
	}
	if !idle {
		if equality.Semantic.DeepEqual(now, expected) {
			return nil
		}
		return field.ErrorList{field.Invalid(at.Child("template"), internal{now}, validation.FieldImmutableErrorMsg)}
	}
	for _, list := range []struct{ now, was []corev1.Container }{
		{now.Spec.Containers, expected.Spec.Containers}, {now.Spec.InitContainers, expected.Spec.InitContainers},
	} {
		for i := range list.now {
			if len(list.now) == len(list.was) && list.now[i].Name == list.was[i].Name {
				list.was[i].Resources = list.now[i].Resources
			}
		}
	}
	if equality.Semantic.DeepEqual(now.Spec, expected.Spec) {
		return nil
	}
	return field.ErrorList{field.Invalid(at.Child("template.spec"), internal{now.Spec}, validation.FieldImmutableErrorMsg)}
}

// keepScheduling sets where the pods of a spec may be scheduled to what another has, except affinity to other pods.
func keepScheduling(now, s *corev1.PodSpec) {
	var nodes *corev1.NodeAffinity
	if now.Affinity != nil {
		nodes = now.Affinity.NodeAffinity
	}
	switch {
	case s.Affinity != nil:
		s.Affinity.NodeAffinity = nodes
		if now.Affinity == nil && equality.Semantic.DeepEqual(*s.Affinity, corev1.Affinity{}) {
			s.Affinity = nil
		}
	case now.Affinity != nil:
		s.Affinity = &corev1.Affinity{NodeAffinity: nodes}
	}
	s.NodeSelector, s.Tolerations, s.SchedulingGates = now.NodeSelector, now.Tolerations, now.SchedulingGates
}

// indexed checks what depends on the completion mode.
func indexed(s *batchv1.JobSpec, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	if s.MaxFailedIndexes != nil && s.BackoffLimitPerIndex == nil {
		errs = append(errs, field.Required(at.Child("backoffLimitPerIndex"), "when maxFailedIndexes is specified"))
	}
	if isIndexed(s) {
		if s.Completions == nil {
			errs = append(errs, field.Required(at.Child("completions"), "when completion mode is Indexed"))
		}
		if s.Parallelism != nil && *s.Parallelism > 100000 {
			errs = append(errs, field.Invalid(at.Child("parallelism"), *s.Parallelism, "must be less than or equal to 100000 when completion mode is Indexed"))
		}
		if s.Completions != nil && s.MaxFailedIndexes != nil && *s.MaxFailedIndexes > *s.Completions {
			errs = append(errs, field.Invalid(at.Child("maxFailedIndexes"), *s.MaxFailedIndexes, "must be less than or equal to completions"))
		}
		if s.MaxFailedIndexes != nil && *s.MaxFailedIndexes > 100000 {
			errs = append(errs, field.Invalid(at.Child("maxFailedIndexes"), *s.MaxFailedIndexes, "must be less than or equal to 100000"))
		}
		return append(errs, manyCompletions(s, at)...)
	}
	if s.CompletionMode != nil && *s.CompletionMode != batchv1.NonIndexedCompletion {
		return errs
	}
	const needed = "requires indexed completion mode"
	if s.BackoffLimitPerIndex != nil {
		errs = append(errs, field.Invalid(at.Child("backoffLimitPerIndex"), *s.BackoffLimitPerIndex, needed))
	}
	if s.MaxFailedIndexes != nil {
		errs = append(errs, field.Invalid(at.Child("maxFailedIndexes"), *s.MaxFailedIndexes, needed))
	}
	return errs
}

// manyCompletions checks what depends on a number of completions that is large.
func manyCompletions(s *batchv1.JobSpec, at *field.Path) field.ErrorList {
	if s.Completions == nil || *s.Completions <= 100000 || s.BackoffLimitPerIndex == nil {
		return nil
	}
	var errs field.ErrorList
	const text = "must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index"
	if s.MaxFailedIndexes == nil {
		errs = append(errs, field.Required(at.Child("maxFailedIndexes"), "must be specified when completions is above 100000"))
	}
	if s.Parallelism != nil && *s.Parallelism > 10000 {
		errs = append(errs, field.Invalid(at.Child("parallelism"), *s.Parallelism, text))
	}
	if s.MaxFailedIndexes != nil && *s.MaxFailedIndexes > 10000 {
		errs = append(errs, field.Invalid(at.Child("maxFailedIndexes"), *s.MaxFailedIndexes, text))
	}
	return errs
}

// jobPods checks how the containers of a job's pods restart.
func jobPods(s *batchv1.JobSpec, at *field.Path) field.ErrorList {
	at = at.Child("template", "spec", "restartPolicy")
	switch p := s.Template.Spec.RestartPolicy; {
	case p == corev1.RestartPolicyAlways, p == "":
		return field.ErrorList{field.Required(at, `valid values: "OnFailure", "Never"`)}
	case p != corev1.RestartPolicyOnFailure && p != corev1.RestartPolicyNever:
		return field.ErrorList{field.NotSupported(at, p, []corev1.RestartPolicy{corev1.RestartPolicyOnFailure, corev1.RestartPolicyNever})}
	case p != corev1.RestartPolicyNever && s.PodFailurePolicy != nil:
		return field.ErrorList{field.Invalid(at, p, `only "Never" is supported when podFailurePolicy is specified`)}
	}
	return nil
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
