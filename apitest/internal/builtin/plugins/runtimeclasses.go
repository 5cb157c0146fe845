package plugins

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/listwatch/listwatch/apitest/internal/builtin/stores"
	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apiserver/pkg/admission"
)

// runtimeClasses gives pods what their runtime class demands.
func runtimeClasses(o Options) admission.Interface {
	return &rule{
		operations: onCreate,
		admit: func(ctx context.Context, a admission.Attributes) error {
			pod, ok := written[corev1.Pod](a)
			if !ok {
				return nil
			}
			class, err := runtimeClass(ctx, o.Reader, a, pod)
			if err != nil || class == nil {
				return err
			}
			if err = setOverhead(a, pod, class.Overhead); err != nil {
				return err
			}
			return setScheduling(a, pod, class.Scheduling)
		},
		validate: func(ctx context.Context, a admission.Attributes) error {
			pod, ok := written[corev1.Pod](a)
			if !ok {
				return nil
			}
			class, err := runtimeClass(ctx, o.Reader, a, pod)
			switch {
			case err != nil:
				return err
			case class != nil && class.Overhead != nil:
				return checkOverhead(a, pod, class.Overhead)
			case pod.Spec.Overhead != nil:
				return admission.NewForbidden(a, errors.New("pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead"))
			}
			return nil
		},
	}
}

// runtimeClass returns the class of a pod, or nil.
func runtimeClass(ctx context.Context, r stores.Reader, a admission.Attributes, pod *corev1.Pod) (*nodev1.RuntimeClass, error) {
	if pod.Spec.RuntimeClassName == nil {
		return nil, nil
	}
	name := *pod.Spec.RuntimeClassName
	object, err := r.Get(ctx, nodev1.SchemeGroupVersion.WithResource("runtimeclasses"), "", name)
	if apierrors.IsNotFound(err) {
		return nil, admission.NewForbidden(a, fmt.Errorf("pod rejected: RuntimeClass %q not found", name))
	}
	if err != nil {
		return nil, err
	}
	class, ok := object.(*nodev1.RuntimeClass)
	if !ok {
		return nil, apierrors.NewInternalError(fmt.Errorf("runtime class %s is a %T", name, object))
	}
	return class, nil
}

func setOverhead(a admission.Attributes, pod *corev1.Pod, overhead *nodev1.Overhead) error {
	if overhead == nil {
		return nil
	}
	if len(pod.Spec.Overhead) > 0 {
		if err := checkOverhead(a, pod, overhead); err != nil {
			return err
		}
	}
	pod.Spec.Overhead = overhead.PodFixed.DeepCopy()
	return nil
}

func checkOverhead(a admission.Attributes, pod *corev1.Pod, overhead *nodev1.Overhead) error {
	if equality.Semantic.DeepEqual(overhead.PodFixed, pod.Spec.Overhead) {
		return nil
	}
	return admission.NewForbidden(a, errors.New("pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"))
}

func setScheduling(a admission.Attributes, pod *corev1.Pod, s *nodev1.Scheduling) error {
	if s == nil {
		return nil
	}
	selector := maps.Clone(pod.Spec.NodeSelector)
	for key, value := range s.NodeSelector {
		if own, ok := selector[key]; ok && own != value {
			return admission.NewForbidden(a, fmt.Errorf("conflict: runtimeClass.scheduling.nodeSelector[%s] = %s; pod.spec.nodeSelector[%s] = %s", key, value, key, own))
		}
		if selector == nil {
			selector = map[string]string{}
		}
		selector[key] = value
	}
	pod.Spec.NodeSelector = selector
	pod.Spec.Tolerations = mergeTolerations(pod.Spec.Tolerations, s.Tolerations)
	return nil
}
