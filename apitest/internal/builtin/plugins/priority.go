package plugins

import (
	"context"
	"fmt"

	"github.com/listwatch/listwatch/apitest/internal/builtin/stores"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apiserver/pkg/admission"
)

var priorityClasses = schedulingv1.SchemeGroupVersion.WithResource("priorityclasses")

// priorities sets the priority of pods, and checks that one class is the default.
func priorities(o Options) admission.Interface {
	p := &priority{o.Reader}
	return &rule{operations: onWrite, admit: p.admit, validate: p.validate}
}

type priority struct{ reader stores.Reader }

func (p *priority) admit(ctx context.Context, a admission.Attributes) error {
	pod, ok := written[corev1.Pod](a)
	if !ok {
		return nil
	}
	if was, ok := before[corev1.Pod](a); ok && a.GetOperation() == admission.Update {
		keepPriority(pod, was)
		return nil
	}
	return p.prioritize(ctx, a, pod)
}

// keepPriority preserves a pod's priority in updates by clients that do not know it.
func keepPriority(pod, was *corev1.Pod) {
	if pod.Spec.Priority == nil {
		pod.Spec.Priority = was.Spec.Priority
	}
	if pod.Spec.PreemptionPolicy == nil {
		pod.Spec.PreemptionPolicy = was.Spec.PreemptionPolicy
	}
}

// prioritize sets a pod's priority to its class's.
func (p *priority) prioritize(ctx context.Context, a admission.Attributes, pod *corev1.Pod) error {
	class, err := p.class(ctx, a, pod.Spec.PriorityClassName)
	if err != nil {
		return err
	}
	pod.Spec.PriorityClassName = class.Name
	if given := pod.Spec.Priority; given != nil && *given != class.Value {
		return admission.NewForbidden(a, fmt.Errorf("the integer value of priority (%d) must not be provided in pod spec; priority admission controller computed %d from the given PriorityClass name", *given, class.Value))
	}
	value := class.Value
	pod.Spec.Priority = &value
	if class.PreemptionPolicy == nil {
		return nil
	}
	preempt := *class.PreemptionPolicy
	if given := pod.Spec.PreemptionPolicy; given != nil && *given != preempt {
		return admission.NewForbidden(a, fmt.Errorf("the string value of PreemptionPolicy (%s) must not be provided in pod spec; priority admission controller computed %s from the given PriorityClass name", *given, preempt))
	}
	pod.Spec.PreemptionPolicy = &preempt
	return nil
}

// class returns the class of a name, or for "" the global default.
func (p *priority) class(ctx context.Context, a admission.Attributes, name string) (*schedulingv1.PriorityClass, error) {
	if name == "" {
		found, err := p.globalDefault(ctx)
		if err != nil || found != nil {
			return found, err
		}
		return &schedulingv1.PriorityClass{PreemptionPolicy: new(corev1.PreemptLowerPriority)}, nil
	}
	object, err := p.reader.Get(ctx, priorityClasses, "", name)
	if apierrors.IsNotFound(err) {
		return nil, admission.NewForbidden(a, fmt.Errorf("no PriorityClass with name %v was found", name))
	}
	if err != nil {
		return nil, fmt.Errorf("failed to resolve PriorityClass with name %s: %w", name, err)
	}
	class, ok := object.(*schedulingv1.PriorityClass)
	if !ok {
		return nil, apierrors.NewInternalError(fmt.Errorf("priority class %s is a %T", name, object))
	}
	return class, nil
}

// globalDefault returns the class of pods without one, or nil. Of several, it is the one with the lowest value.
func (p *priority) globalDefault(ctx context.Context) (*schedulingv1.PriorityClass, error) {
	list, err := stores.ListWritten[schedulingv1.PriorityClassList](ctx, p.reader, priorityClasses, "")
	if err != nil {
		return nil, err
	}
	var found *schedulingv1.PriorityClass
	for i := range list.Items {
		if c := &list.Items[i]; c.GlobalDefault && (found == nil || c.Value < found.Value) {
			found = c
		}
	}
	return found, nil
}

// validate rejects a second global default.
func (p *priority) validate(ctx context.Context, a admission.Attributes) error {
	class, ok := written[schedulingv1.PriorityClass](a)
	if !ok || !class.GlobalDefault {
		return nil
	}
	found, err := p.globalDefault(ctx)
	if err != nil {
		return fmt.Errorf("failed to get default priority class: %w", err)
	}
	if found == nil || a.GetOperation() == admission.Update && found.Name == class.Name {
		return nil
	}
	return admission.NewForbidden(a, fmt.Errorf("PriorityClass %v is already marked as default. Only one default can exist", found.Name))
}
