package limits

import (
	corev1 "k8s.io/api/core/v1"
)

// Requests returns what a pod requests as a whole.
func Requests(pod *corev1.Pod) corev1.ResourceList {
	total := sum(pod, func(c *corev1.Container) corev1.ResourceList { return c.Resources.Requests })
	if pod.Spec.Resources != nil {
		override(total, pod.Spec.Resources.Requests)
	}
	return total
}

// Limits returns the limits of a pod as a whole.
func Limits(pod *corev1.Pod) corev1.ResourceList {
	total := sum(pod, func(c *corev1.Container) corev1.ResourceList { return c.Resources.Limits })
	if pod.Spec.Resources != nil {
		override(total, pod.Spec.Resources.Limits)
	}
	return total
}

// override replaces totals by what a pod sets itself.
func override(total, own corev1.ResourceList) {
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		if quantity, ok := own[name]; ok {
			total[name] = quantity
		}
	}
}

// sum adds up the containers of a pod, and its sidecars. At its start, an init container runs beside the sidecars
// before it; of these times and the other one, the greatest counts.
func sum(pod *corev1.Pod, of func(*corev1.Container) corev1.ResourceList) corev1.ResourceList {
	total, sidecars, start := corev1.ResourceList{}, corev1.ResourceList{}, corev1.ResourceList{}
	for i := range pod.Spec.Containers {
		add(total, of(&pod.Spec.Containers[i]))
	}
	for i := range pod.Spec.InitContainers {
		c := &pod.Spec.InitContainers[i]
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			add(total, of(c))
			add(sidecars, of(c))
			raise(start, sidecars)
			continue
		}
		then := sidecars.DeepCopy()
		add(then, of(c))
		raise(start, then)
	}
	raise(total, start)
	return total
}

func add(total, more corev1.ResourceList) {
	for name, quantity := range more {
		have := total[name].DeepCopy()
		have.Add(quantity)
		total[name] = have
	}
}

func raise(total, least corev1.ResourceList) {
	for name, quantity := range least {
		if have, ok := total[name]; !ok || have.Cmp(quantity) < 0 {
			total[name] = quantity.DeepCopy()
		}
	}
}
