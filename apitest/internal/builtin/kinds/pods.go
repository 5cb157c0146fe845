package kinds

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/apitest/internal/validation"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/diff"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func podRules(r *Rules) {
	r.Fields = podFields
	r.StatusResets = [][]any{{"metadata", "deletionTimestamp"}, {"metadata", "ownerReferences"}}
	r.PrepareCreate = func(obj runtime.Object) {
		p := obj.(*corev1.Pod)
		p.Status.Phase = corev1.PodPending
		if len(p.Spec.SchedulingGates) > 0 {
			p.Status.Conditions = []corev1.PodCondition{{
				Type: corev1.PodScheduled, Status: corev1.ConditionFalse, LastTransitionTime: metav1.Now(),
				Reason: corev1.PodReasonSchedulingGated, Message: "Scheduling is blocked due to non-empty scheduling gates",
			}}
		}
		matchLabelKeys(p)
		defaultResources(&p.Spec)
		p.Status.QOSClass = qualityOf(p)
	}
	r.Migrate = migrateAppArmor
	r.PrepareUpdate = func(obj, old runtime.Object) {
		p, o := obj.(*corev1.Pod), old.(*corev1.Pod)
		if p.Spec.Resources == nil && o.Spec.Resources != nil {
			p.Spec.Resources = o.Spec.Resources.DeepCopy() // an old client does not know them
		}
	}
	r.PrepareStatus = func(obj, old runtime.Object) {
		p, o := obj.(*corev1.Pod), old.(*corev1.Pod)
		p.DeletionTimestamp = nil
		p.OwnerReferences = o.OwnerReferences
		keepStatus(&p.Status, &o.Status)
	}
	r.Grace = podGrace
	r.Warn, r.WarnStatus = warnPod, warnPodStatus
	r.ValidateUpdate = validatePodUpdate
}

// keepStatus keeps what clients that do not know it leave out of a status. An empty list clears one.
func keepStatus(s, old *corev1.PodStatus) {
	s.QOSClass = cmp.Or(s.QOSClass, old.QOSClass)
	if s.ResourceClaimStatuses == nil {
		s.ResourceClaimStatuses = old.ResourceClaimStatuses
	}
	s.ExtendedResourceClaimStatus = cmp.Or(s.ExtendedResourceClaimStatus, old.ExtendedResourceClaimStatus)
	s.ObservedGeneration = cmp.Or(s.ObservedGeneration, old.ObservedGeneration)
	had := map[corev1.PodConditionType][]int64{} // a type may occur more than once
	for _, c := range old.Conditions {
		had[c.Type] = append(had[c.Type], c.ObservedGeneration)
	}
	for i := range s.Conditions {
		c := &s.Conditions[i]
		if list := had[c.Type]; len(list) > 0 {
			c.ObservedGeneration, had[c.Type] = cmp.Or(c.ObservedGeneration, list[0]), list[1:]
		}
	}
}

// podGrace sets the grace period of a pod's deletion: zero if no node runs it.
func podGrace(obj runtime.Object, options *metav1.DeleteOptions) bool {
	if options == nil {
		return false
	}
	p := obj.(*corev1.Pod)
	var seconds int64
	switch {
	case p.Spec.NodeName == "", p.Status.Phase == corev1.PodFailed, p.Status.Phase == corev1.PodSucceeded:
	case options.GracePeriodSeconds != nil:
		seconds = *options.GracePeriodSeconds
	case p.Spec.TerminationGracePeriodSeconds != nil:
		seconds = *p.Spec.TerminationGracePeriodSeconds
	}
	if seconds < 0 {
		seconds = 1
	}
	options.GracePeriodSeconds = &seconds
	return true
}

// updatable are the fields of a pod's spec that an update may change.
var updatable = []string{
	"`spec.containers[*].image`", "`spec.initContainers[*].image`", "`spec.activeDeadlineSeconds`",
	"`spec.tolerations` (only additions to existing tolerations)",
	"`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
}

func validatePodUpdate(obj, old runtime.Object) field.ErrorList {
	p, o := obj.(*corev1.Pod), old.(*corev1.Pod)
	path := field.NewPath("spec")
	if equality.Semantic.DeepEqual(p.Spec, o.Spec) {
		return nil
	}
	for _, c := range []struct {
		name     string
		now, was []corev1.Container
	}{{"containers", p.Spec.Containers, o.Spec.Containers}, {"initContainers", p.Spec.InitContainers, o.Spec.InitContainers}} {
		if len(c.now) != len(c.was) {
			return field.ErrorList{field.Forbidden(path.Child(c.name), "pod updates may not add or remove containers")}
		}
	}
	was := *o.Spec.DeepCopy()
	for i := range was.Containers {
		was.Containers[i].Image = p.Spec.Containers[i].Image
	}
	for i := range was.InitContainers {
		was.InitContainers[i].Image = p.Spec.InitContainers[i].Image
	}
	var errs field.ErrorList
	deadline := path.Child("activeDeadlineSeconds")
	switch now, before := p.Spec.ActiveDeadlineSeconds, o.Spec.ActiveDeadlineSeconds; {
	case now == nil && before != nil:
		errs = append(errs, field.Invalid(deadline, now, "must not update from a positive integer to nil value"))
	case now != nil && *now < 0:
		return append(errs, field.Invalid(deadline, *now, utilvalidation.InclusiveRangeError(0, math.MaxInt32)))
	case now != nil && before != nil && *now > *before:
		return append(errs, field.Invalid(deadline, *now, "must be less than or equal to previous value"))
	}
	was.ActiveDeadlineSeconds = p.Spec.ActiveDeadlineSeconds
	if !startsWith(p.Spec.Tolerations, o.Spec.Tolerations) {
		errs = append(errs, field.Forbidden(path.Child("tolerations"), "existing toleration can not be modified except its tolerationSeconds"))
	}
	was.Tolerations = p.Spec.Tolerations
	errs = append(errs, gatesRemoved(&p.Spec, &o.Spec, path)...)
	was.SchedulingGates = p.Spec.SchedulingGates
	if len(o.Spec.SchedulingGates) > 0 {
		errs = append(errs, narrowed(&p.Spec, &was, path)...)
	}
	if g := o.Spec.TerminationGracePeriodSeconds; g != nil && *g < 0 {
		was.TerminationGracePeriodSeconds = p.Spec.TerminationGracePeriodSeconds
	}
	if !equality.Semantic.DeepEqual(p.Spec, was) {
		errs = append(errs, field.Forbidden(path, fmt.Sprintf("pod updates may not change fields other than %s\n%v",
			strings.Join(updatable, ","), diff.Diff(validation.Internal(was), validation.Internal(p.Spec)))))
	}
	return errs
}

// startsWith reports whether all previous tolerations are still present.
func startsWith(now, was []corev1.Toleration) bool {
	for _, t := range was {
		if !slices.ContainsFunc(now, func(n corev1.Toleration) bool {
			n.TolerationSeconds = t.TolerationSeconds
			return equality.Semantic.DeepEqual(n, t)
		}) {
			return false
		}
	}
	return true
}
