package subresource

import (
	"context"
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/util/dryrun"
)

// Eviction deletes pods if their disruption budgets allow it.
type Eviction struct {
	Pods   *registry.Store
	Status *Part // of the pods
	// Budgets returns the disruption budgets, and their status, or nil if they are not served.
	Budgets func() (budgets *registry.Store, status rest.Updater, err error)
}

// New implements rest.Storage.
func (e *Eviction) New() runtime.Object { return &policyv1.Eviction{} }

// Destroy implements rest.Storage. The store is the resource's.
func (e *Eviction) Destroy() {}

// AcceptsGroupVersion implements rest.GroupVersionAcceptor.
func (e *Eviction) AcceptsGroupVersion(gv schema.GroupVersion) bool {
	return gv == policyv1.SchemeGroupVersion || gv == policyv1beta1.SchemeGroupVersion
}

// Create implements rest.NamedCreater.
func (e *Eviction) Create(ctx context.Context, name string, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	ev, ok := obj.(*policyv1.Eviction)
	if !ok {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("not a Eviction object: %T", obj))
	}
	if ev.Name != name {
		return nil, apierrors.NewBadRequest("name in URL does not match name in Eviction object")
	}
	deletion, err := deletionOf(ev, options)
	if err != nil {
		return nil, err
	}
	if validate != nil {
		if err := validate(ctx, ev.DeepCopy()); err != nil {
			return nil, err
		}
	}
	if err := e.evict(ctx, name, deletion); err != nil {
		return nil, err
	}
	return &metav1.Status{Status: metav1.StatusSuccess}, nil
}

// deletionOf returns the options of the deletion that an eviction asks for.
func deletionOf(ev *policyv1.Eviction, options *metav1.CreateOptions) (*metav1.DeleteOptions, error) {
	deletion := ev.DeleteOptions.DeepCopy()
	if deletion == nil {
		deletion = &metav1.DeleteOptions{}
	}
	if unsafe := deletion.IgnoreStoreReadErrorWithClusterBreakingPotential; unsafe != nil && *unsafe {
		at := field.NewPath("deleteOptions", "ignoreStoreReadErrorWithClusterBreakingPotential")
		return nil, apierrors.NewInvalid(schema.GroupKind{Group: policyv1.GroupName, Kind: "Eviction"}, ev.Name, field.ErrorList{
			field.Invalid(at, true, "can not be set for pod eviction, try after removing the option"),
		})
	}
	if len(deletion.DryRun) == 0 {
		deletion.DryRun = options.DryRun
	}
	return deletion, nil
}

// attempts is how often the eviction of a pod that disrupts nothing is tried while the pod changes.
const attempts = 20

// evict deletes a pod as its budget allows.
func (e *Eviction) evict(ctx context.Context, name string, deletion *metav1.DeleteOptions) error {
	versioned := deletion.Preconditions != nil && deletion.Preconditions.ResourceVersion != nil
	var conflict error
	for range attempts {
		obj, err := e.Pods.Get(ctx, name, &metav1.GetOptions{})
		if err != nil {
			return err
		}
		pod := obj.(*corev1.Pod)
		if !isIdle(pod) {
			return e.disrupt(ctx, pod, deletion, versioned)
		}
		once := deletion.DeepCopy()
		if pod.Status.Phase == corev1.PodPending && pod.DeletionTimestamp == nil && !versioned {
			expect(once, pod) // it may become ready
		}
		if conflict = e.remove(ctx, name, once); versioned || !apierrors.IsConflict(conflict) {
			return conflict
		}
	}
	return conflict
}

// isIdle reports whether a pod does nothing that its deletion could disrupt.
func isIdle(p *corev1.Pod) bool {
	return p.DeletionTimestamp != nil || p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed || p.Status.Phase == corev1.PodPending
}

// expect makes a deletion fail if the pod has changed.
func expect(deletion *metav1.DeleteOptions, p *corev1.Pod) {
	if deletion.Preconditions == nil {
		deletion.Preconditions = &metav1.Preconditions{}
	}
	deletion.Preconditions.ResourceVersion = &p.ResourceVersion
}

// remove deletes a pod, and records in it why.
func (e *Eviction) remove(ctx context.Context, name string, deletion *metav1.DeleteOptions) error {
	if !dryrun.IsDryRun(deletion.DryRun) {
		if err := e.mark(ctx, name, deletion); err != nil {
			return err
		}
	}
	_, _, err := e.Pods.Delete(ctx, name, rest.ValidateAllObjectFunc, deletion)
	return err
}

// mark records in a pod why it is deleted, and makes the deletion expect the pod's new version.
func (e *Eviction) mark(ctx context.Context, name string, deletion *metav1.DeleteOptions) error {
	info := rest.DefaultUpdatedObjectInfo(nil, func(_ context.Context, _, old runtime.Object) (runtime.Object, error) {
		p := old.(*corev1.Pod).DeepCopy()
		if c := deletion.Preconditions; c != nil && c.UID != nil && *c.UID != p.UID {
			return nil, apierrors.NewConflict(schema.GroupResource{Resource: "Pod"}, name, fmt.Errorf(
				"the UID in the precondition (%s) does not match the UID in record (%s). The object might have been deleted and then recreated", *c.UID, p.UID))
		}
		if c := deletion.Preconditions; c != nil && c.ResourceVersion != nil && *c.ResourceVersion != p.ResourceVersion {
			return nil, apierrors.NewConflict(schema.GroupResource{Resource: "Pod"}, name, fmt.Errorf(
				"the ResourceVersion in the precondition (%s) does not match the ResourceVersion in record (%s). The object might have been modified", *c.ResourceVersion, p.ResourceVersion))
		}
		setCondition(&p.Status, corev1.PodCondition{
			Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue,
			Reason: "EvictionByEvictionAPI", Message: "Eviction API: evicting",
		})
		return p, nil
	})
	obj, _, err := e.Status.Update(ctx, name, info, rest.ValidateAllObjectFunc, rest.ValidateAllObjectUpdateFunc, false, &metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	if c := deletion.Preconditions; c != nil && c.ResourceVersion != nil {
		c.ResourceVersion = &obj.(*corev1.Pod).ResourceVersion
	}
	return nil
}

// disrupt deletes a running pod. It takes one disruption from its budget, if it has one and is ready.
func (e *Eviction) disrupt(ctx context.Context, p *corev1.Pod, deletion *metav1.DeleteOptions, versioned bool) error {
	b, status, err := e.budget(ctx, p)
	switch {
	case err != nil:
		return err
	case b == nil:
	case isReady(p) || !sparesUnready(b):
		if err = take(ctx, status, b, p.Name, dryrun.IsDryRun(deletion.DryRun)); err != nil {
			return err
		}
	default:
		expect(deletion, p)
		if err = e.remove(ctx, p.Name, deletion); apierrors.IsConflict(err) && !versioned {
			return unprocessed(b)
		}
		return err
	}
	return e.remove(ctx, p.Name, deletion)
}

// budget returns the disruption budget of a pod, or nil, and the status of budgets.
func (e *Eviction) budget(ctx context.Context, p *corev1.Pod) (*policyv1.PodDisruptionBudget, rest.Updater, error) {
	budgets, status, err := e.Budgets()
	if err != nil || budgets == nil {
		return nil, nil, err
	}
	list, err := budgets.List(ctx, &internalversion.ListOptions{})
	if err != nil {
		return nil, nil, err
	}
	var matching []policyv1.PodDisruptionBudget
	for _, b := range list.(*policyv1.PodDisruptionBudgetList).Items {
		s, err := metav1.LabelSelectorAsSelector(b.Spec.Selector)
		if err == nil && b.Spec.Selector != nil && s.Matches(labels.Set(p.Labels)) {
			matching = append(matching, b)
		}
	}
	switch {
	case len(matching) == 0:
		return nil, nil, nil
	case len(matching) > 1:
		return nil, nil, &apierrors.StatusError{ErrStatus: metav1.Status{Status: metav1.StatusFailure, Code: 500,
			Message: "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."}}
	}
	return &matching[0], status, nil
}

func isReady(p *corev1.Pod) bool {
	return slices.ContainsFunc(p.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
}

// sparesUnready reports whether a budget does not count the deletion of a pod that is not ready (KEP-3017).
func sparesUnready(b *policyv1.PodDisruptionBudget) bool {
	if policy := b.Spec.UnhealthyPodEvictionPolicy; policy != nil && *policy == policyv1.AlwaysAllow {
		return true
	}
	return b.Status.CurrentHealthy >= b.Status.DesiredHealthy && b.Status.DesiredHealthy > 0
}

// take takes one disruption from a budget for a pod.
func take(ctx context.Context, status rest.Updater, b *policyv1.PodDisruptionBudget, pod string, dryRun bool) error {
	update := rest.DefaultUpdatedObjectInfo(nil, func(_ context.Context, _, old runtime.Object) (runtime.Object, error) {
		b = old.(*policyv1.PodDisruptionBudget).DeepCopy()
		if err := exhausted(b); err != nil {
			return nil, err
		}
		b.Status.DisruptionsAllowed--
		if b.Status.DisruptionsAllowed == 0 {
			meta.SetStatusCondition(&b.Status.Conditions, metav1.Condition{
				Type: policyv1.DisruptionAllowedCondition, Status: metav1.ConditionFalse,
				Reason: policyv1.InsufficientPodsReason, ObservedGeneration: b.Status.ObservedGeneration,
			})
		}
		if b.Status.DisruptedPods == nil {
			b.Status.DisruptedPods = map[string]metav1.Time{}
		}
		b.Status.DisruptedPods[pod] = metav1.Now()
		return b, nil
	})
	options := &metav1.UpdateOptions{}
	if dryRun {
		options.DryRun = []string{metav1.DryRunAll}
	}
	_, _, err := status.Update(ctx, b.Name, update, rest.ValidateAllObjectFunc, rest.ValidateAllObjectUpdateFunc, false, options)
	return err
}

// mostDisrupted is how many pods of a budget may be evicted that its controller has not seen go.
const mostDisrupted = 2000

// exhausted returns an error if a budget does not allow another disruption now.
func exhausted(b *policyv1.PodDisruptionBudget) error {
	s := &b.Status
	switch {
	case s.ObservedGeneration < b.Generation:
		return unprocessed(b)
	case s.DisruptionsAllowed < 0:
		return forbidden(b, "pdb disruptions allowed is negative", "pdb disruptions allowed is negative")
	case len(s.DisruptedPods) > mostDisrupted:
		return forbidden(b, "DisruptedPods map too big - too many evictions not confirmed by PDB controller",
			"too many pending evictions not confirmed by PDB controller")
	case s.DisruptionsAllowed > 0:
		return nil
	}
	reason, message := "", ""
	if c := meta.FindStatusCondition(s.Conditions, policyv1.DisruptionAllowedCondition); c != nil && c.Status == metav1.ConditionFalse {
		reason, message = c.Reason, c.Message
	}
	text := fmt.Sprintf("The disruption budget %s does not allow evicting pods currently", b.Name)
	switch {
	case message != "" && reason == policyv1.SyncFailedReason:
		text += " because it failed sync: " + message
	case s.CurrentHealthy <= s.DesiredHealthy:
		text = fmt.Sprintf("The disruption budget %s needs %d healthy pods and has %d currently", b.Name, s.DesiredHealthy, s.CurrentHealthy)
	case message != "":
		text += fmt.Sprintf(" (%s): %s", reason, message)
	}
	return tooManyDisruptions(0, text)
}

// unprocessed is the error while a budget's controller has not seen a change.
func unprocessed(b *policyv1.PodDisruptionBudget) error {
	return tooManyDisruptions(10, fmt.Sprintf("The disruption budget %s is still being processed by the server.", b.Name))
}

// forbidden is the error for a budget whose status is no basis for a disruption.
func forbidden(b *policyv1.PodDisruptionBudget, reason, cause string) error {
	err := apierrors.NewForbidden(schema.GroupResource{Group: policyv1.GroupName, Resource: "poddisruptionbudget"}, b.Name, errors.New(reason))
	err.ErrStatus.Details.Causes = append(err.ErrStatus.Details.Causes, metav1.StatusCause{
		Type: policyv1.DisruptionBudgetCause, Message: fmt.Sprintf("The disruption budget %s does not allow evicting pods currently: %s", b.Name, cause),
	})
	return err
}

// tooManyDisruptions is the error for an eviction that a budget does not allow.
func tooManyDisruptions(retryAfter int, message string) error {
	err := apierrors.NewTooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", retryAfter)
	err.ErrStatus.Details.Causes = append(err.ErrStatus.Details.Causes, metav1.StatusCause{
		Type: policyv1.DisruptionBudgetCause, Message: message,
	})
	return err
}
