package validation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var jobStatusChecks = map[string]check{
	"uncounted": of(uncounted),
	"job-state": changed(jobState),
	"job-past":  changed(jobPast),
}

// uncounted checks that each pod is listed once.
func uncounted(pods *batchv1.UncountedTerminatedPods, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	seen := map[types.UID]bool{}
	add := func(name string, uids []types.UID) {
		for i, uid := range uids {
			switch {
			case uid == "":
				errs = append(errs, field.Invalid(at.Child(name).Index(i), uid, "must not be empty"))
			case seen[uid]:
				errs = append(errs, field.Duplicate(at.Child(name).Index(i), uid))
			}
			seen[uid] = true
		}
	}
	add("succeeded", pods.Succeeded)
	add("failed", pods.Failed)
	return errs
}

// A jobView is a job with the conditions that the rules for its status concern.
type jobView struct {
	*batchv1.Job
	complete, failed, target, met bool
}

func viewOf(j *batchv1.Job) jobView {
	is := func(t batchv1.JobConditionType) bool { return hasCondition(j, t, corev1.ConditionTrue) }
	return jobView{j, is(batchv1.JobComplete), is(batchv1.JobFailed), is(batchv1.JobFailureTarget), is(batchv1.JobSuccessCriteriaMet)}
}

func (j jobView) finished() bool { return j.complete || j.failed }

func (j jobView) indexed() bool {
	return j.Spec.CompletionMode != nil && *j.Spec.CompletionMode == batchv1.IndexedCompletion
}

func hasCondition(j *batchv1.Job, t batchv1.JobConditionType, status corev1.ConditionStatus) bool {
	return slices.ContainsFunc(j.Status.Conditions, func(c batchv1.JobCondition) bool { return c.Type == t && c.Status == status })
}

func differ(now, was any) bool { return !equality.Semantic.DeepEqual(now, was) }

// jobState checks that the parts of a job's status fit together. Most rules apply only if one of these parts changes,
// since a change of the spec may have violated them.
func jobState(now, was *batchv1.Job, _ *field.Path) field.ErrorList {
	at := field.NewPath("status")
	var errs field.ErrorList
	report := func(when bool, err func() *field.Error) {
		if when {
			errs = append(errs, err())
		}
	}
	conditions := func(when bool, text string) {
		report(when, func() *field.Error { return field.Invalid(at.Child("conditions"), field.OmitValueType{}, text) })
	}
	wrong := func(when bool, name string, value any, text string) {
		report(when, func() *field.Error { return field.Invalid(at.Child(name), value, text) })
	}
	missing := func(when bool, name, text string) {
		report(when, func() *field.Error { return field.Required(at.Child(name), text) })
	}

	n, o := viewOf(now), viewOf(was)
	s, before := &now.Status, &was.Status
	completes, fails, finishes := n.complete != o.complete, n.failed != o.failed, n.finished() != o.finished()
	started, ended := differ(s.StartTime, before.StartTime), differ(s.CompletionTime, before.CompletionTime)
	done, broken := s.CompletedIndexes != before.CompletedIndexes, differ(s.FailedIndexes, before.FailedIndexes)
	active := s.Active != before.Active
	suspendedEmpty := now.Spec.Suspend != nil && *now.Spec.Suspend && now.Spec.Completions != nil && *now.Spec.Completions == 0

	conditions((completes || fails) && n.complete && n.failed, "cannot set Complete=True and Failed=true conditions")
	conditions((completes || n.target != o.target) && n.complete && n.target, "cannot set Complete=True and FailureTarget=true conditions")
	wrong((completes || ended) && s.CompletionTime != nil && !n.complete, "completionTime", s.CompletionTime,
		"cannot set completionTime when there is no Complete=True condition")
	missing((completes || ended) && s.CompletionTime == nil && n.complete, "completionTime", "completionTime is required for Complete jobs")
	wrong((started || ended) && s.StartTime != nil && s.CompletionTime != nil && s.CompletionTime.Before(s.StartTime), "completionTime", s.CompletionTime,
		"must be equal to or after `startTime`")
	conditions((fails || broken) && n.failed && !n.target, "cannot set Failed=True condition without the FailureTarget=true condition")
	conditions((completes || n.met != o.met) && n.complete && !n.met, "cannot set Complete=True condition without the SuccessCriteriaMet=true condition")
	wrong((finishes || active) && s.Active > 0 && n.finished(), "active", s.Active, "active>0 is invalid for finished job")
	missing((finishes || started) && !suspendedEmpty && s.StartTime == nil && n.finished(), "startTime", "startTime is required for finished job")
	wrong((finishes || differ(s.UncountedTerminatedPods, before.UncountedTerminatedPods)) && n.finished() && pending(s.UncountedTerminatedPods) > 0,
		"uncountedTerminatedPods", internal{s.UncountedTerminatedPods}, "must be empty for finished job")
	errs = append(errs, indexes(n, at, done, broken)...)
	wrong((finishes || differ(s.Terminating, before.Terminating)) && s.Terminating != nil && *s.Terminating > 0 && n.finished(), "terminating", s.Terminating,
		"terminating>0 is invalid for finished job")
	wrong((active || differ(s.Ready, before.Ready)) && s.Ready != nil && *s.Ready > s.Active, "ready", s.Ready, "cannot set more ready pods than active")
	conditions(n.met && n.failed, "cannot set SuccessCriteriaMet=True and Failed=true conditions")
	conditions(n.met && n.target, "cannot set SuccessCriteriaMet=True and FailureTarget=true conditions")
	conditions(now.Spec.SuccessPolicy != nil && !n.met && n.complete, "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True")
	return errs
}

// pending returns how many pods are not counted yet.
func pending(pods *batchv1.UncountedTerminatedPods) int {
	if pods == nil {
		return 0
	}
	return len(pods.Succeeded) + len(pods.Failed)
}

// jobPast checks that a job's status does not take back what has happened.
func jobPast(now, was *batchv1.Job, _ *field.Path) field.ErrorList {
	at := field.NewPath("status")
	n, o := viewOf(now), viewOf(was)
	s, before := &now.Status, &was.Status
	var errs field.ErrorList
	conditions := func(when bool, text string) {
		if when {
			errs = append(errs, field.Invalid(at.Child("conditions"), field.OmitValueType{}, text))
		}
	}
	conditions(o.failed && !n.failed, "cannot disable the terminal Failed=True condition")
	conditions(o.complete && !n.complete, "cannot disable the terminal Complete=True condition")
	conditions(o.target && !n.target, "cannot disable the terminal FailureTarget=True condition")
	if s.Failed < before.Failed {
		errs = append(errs, field.Invalid(at.Child("failed"), s.Failed, "cannot decrease the failed counter"))
	}
	elastic := n.indexed() && !differ(now.Spec.Completions, now.Spec.Parallelism)
	if s.Succeeded < before.Succeeded && !elastic {
		errs = append(errs, field.Invalid(at.Child("succeeded"), s.Succeeded, "cannot decrease the succeeded counter"))
	}
	if s.CompletionTime != nil && before.CompletionTime != nil && differ(s.CompletionTime, before.CompletionTime) {
		errs = append(errs, field.Invalid(at.Child("completionTime"), s.CompletionTime, validation.FieldImmutableErrorMsg))
	}
	resumes := hasCondition(was, batchv1.JobSuspended, corev1.ConditionTrue) && hasCondition(now, batchv1.JobSuspended, corev1.ConditionFalse)
	suspended := now.Spec.Suspend != nil && *now.Spec.Suspend
	if before.StartTime != nil && differ(s.StartTime, before.StartTime) && !suspended && !resumes {
		errs = append(errs, field.Invalid(at.Child("startTime"), s.StartTime, "field is immutable for unsuspended job once set"))
	}
	conditions(o.met && !n.met, "cannot disable the SuccessCriteriaMet=True condition")
	conditions(o.complete && !o.met && n.met, "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions")
	return errs
}

// indexes checks the completed and failed indexes of a job, those that change.
func indexes(j jobView, at *field.Path, done, broken bool) field.ErrorList {
	s := &j.Status
	var errs field.ErrorList
	parsed := func(name, list string, value any) {
		if _, err := parseIndexes(list, *j.Spec.Completions); err != nil {
			errs = append(errs, field.Invalid(at.Child(name), value, fmt.Sprintf("error parsing %s: %s", name, err)))
		}
	}
	if done && j.Spec.Completions != nil {
		parsed("completedIndexes", s.CompletedIndexes, s.CompletedIndexes)
	}
	if broken && j.Spec.Completions != nil && j.Spec.BackoffLimitPerIndex != nil && s.FailedIndexes != nil {
		parsed("failedIndexes", *s.FailedIndexes, s.FailedIndexes)
	}
	if done && s.CompletedIndexes != "" && !j.indexed() {
		errs = append(errs, field.Invalid(at.Child("completedIndexes"), s.CompletedIndexes, "cannot set non-empty completedIndexes when non-indexed completion mode"))
	}
	if s.FailedIndexes == nil {
		return errs
	}
	if broken && j.Spec.BackoffLimitPerIndex == nil {
		errs = append(errs, field.Invalid(at.Child("failedIndexes"), *s.FailedIndexes, "cannot set non-null failedIndexes when backoffLimitPerIndex is null"))
	}
	if (done || broken) && j.Spec.Completions != nil {
		if index, ok := overlap(s.CompletedIndexes, *s.FailedIndexes, *j.Spec.Completions); ok {
			errs = append(errs, field.Invalid(at.Child("failedIndexes"), *s.FailedIndexes, fmt.Sprintf("failedIndexes and completedIndexes overlap at index: %d", index)))
		}
	}
	return errs
}

// An interval of indexes contains both ends.
type interval struct{ first, last int32 }

// parseIndexes reads intervals such as "0,2-4", in increasing order and below the number of completions.
func parseIndexes(list string, completions int32) ([]interval, error) {
	var out []interval
	if list == "" {
		return nil, nil
	}
	for text := range strings.SplitSeq(list, ",") {
		in, err := parseInterval(text, completions)
		if err != nil {
			return nil, err
		}
		if n := len(out); n > 0 && out[n-1].last >= in.first {
			return nil, unordered(out[n-1].last, in.first)
		}
		out = append(out, in)
	}
	return out, nil
}

func parseInterval(text string, completions int32) (interval, error) {
	ends := strings.Split(text, "-")
	if len(ends) > 2 {
		return interval{}, fmt.Errorf("the fragment %q violates the requirement that an index interval can have at most two parts separated by '-'", text)
	}
	var numbers []int32
	for _, end := range ends {
		n, err := strconv.Atoi(end)
		if err != nil {
			return interval{}, fmt.Errorf("cannot convert string to integer for index: %q", end)
		}
		if n >= int(completions) {
			return interval{}, fmt.Errorf("too large index: %q", end)
		}
		numbers = append(numbers, int32(n)) //nolint:gosec // below completions, and not negative: "-" separates
	}
	if len(numbers) == 1 {
		return interval{numbers[0], numbers[0]}, nil
	}
	if numbers[0] >= numbers[1] {
		return interval{}, unordered(numbers[0], numbers[1])
	}
	return interval{numbers[0], numbers[1]}, nil
}

func unordered(previous, current int32) error {
	return fmt.Errorf("non-increasing order, previous: %d, current: %d", previous, current)
}

// overlap returns the first index that two lists share. Intervals that are not valid are ignored.
func overlap(a, b string, completions int32) (int32, bool) {
	var as, bs []interval
	for _, list := range []struct {
		text string
		to   *[]interval
	}{{a, &as}, {b, &bs}} {
		for text := range strings.SplitSeq(list.text, ",") {
			if in, err := parseInterval(text, completions); err == nil {
				*list.to = append(*list.to, in)
			}
		}
	}
	for _, x := range as {
		for _, y := range bs {
			if x.first <= y.last && y.first <= x.last {
				return max(x.first, y.first), true
			}
		}
	}
	return 0, false
}
