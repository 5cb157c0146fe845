package subresource

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
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
	if validate != nil {
		if err := validate(ctx, ev.DeepCopy()); err != nil {
			return nil, err
		}
	}
	pod, err := e.Pods.Get(ctx, name, &metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	deletion := ev.DeleteOptions.DeepCopy()
	if deletion == nil {
		deletion = &metav1.DeleteOptions{}
	}
	if len(deletion.DryRun) == 0 {
		deletion.DryRun = options.DryRun
	}
	if err := e.disrupt(ctx, pod.(*corev1.Pod), dryrun.IsDryRun(deletion.DryRun)); err != nil {
		return nil, err
	}
	if !dryrun.IsDryRun(deletion.DryRun) {
		if err := e.mark(ctx, name, deletion); err != nil {
			return nil, err
		}
	}
	if _, _, err := e.Pods.Delete(ctx, name, rest.ValidateAllObjectFunc, deletion); err != nil {
		return nil, err
	}
	return &metav1.Status{Status: metav1.StatusSuccess}, nil
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

// disrupt takes one disruption from the budget of a pod, if it has one.
func (e *Eviction) disrupt(ctx context.Context, p *corev1.Pod, dryRun bool) error {
	if p.DeletionTimestamp != nil || p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed || p.Status.Phase == corev1.PodPending {
		return nil
	}
	budgets, status, err := e.Budgets()
	if err != nil || budgets == nil {
		return err
	}
	list, err := budgets.List(ctx, &internalversion.ListOptions{})
	if err != nil {
		return err
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
		return nil
	case len(matching) > 1:
		return &apierrors.StatusError{ErrStatus: metav1.Status{Status: metav1.StatusFailure, Code: 500,
			Message: "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."}}
	}
	return take(ctx, status, &matching[0], p.Name, dryRun)
}

// take takes one disruption from a budget for a pod.
func take(ctx context.Context, status rest.Updater, b *policyv1.PodDisruptionBudget, pod string, dryRun bool) error {
	update := rest.DefaultUpdatedObjectInfo(nil, func(_ context.Context, _, old runtime.Object) (runtime.Object, error) {
		b = old.(*policyv1.PodDisruptionBudget).DeepCopy()
		if b.Status.ObservedGeneration < b.Generation {
			return nil, tooManyDisruptions(10, fmt.Sprintf("The disruption budget %s is still being processed by the server.", b.Name))
		}
		if b.Status.DisruptionsAllowed <= 0 {
			return nil, tooManyDisruptions(0, fmt.Sprintf("The disruption budget %s needs %d healthy pods and has %d currently",
				b.Name, b.Status.DesiredHealthy, b.Status.CurrentHealthy))
		}
		b.Status.DisruptionsAllowed--
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

// tooManyDisruptions is the error for an eviction that a budget does not allow.
func tooManyDisruptions(retryAfter int, message string) error {
	err := apierrors.NewTooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", retryAfter)
	err.ErrStatus.Details.Causes = append(err.ErrStatus.Details.Causes, metav1.StatusCause{
		Type: policyv1.DisruptionBudgetCause, Message: message,
	})
	return err
}
