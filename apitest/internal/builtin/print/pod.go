package print

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
)

func podCells(p *corev1.Pod) []any {
	s := summarize(p)
	ip := p.Status.PodIP
	if len(p.Status.PodIPs) > 0 {
		ip = p.Status.PodIPs[0].IP
	}
	gates := none
	if n := len(p.Spec.ReadinessGates); n > 0 {
		ready := 0
		for _, gate := range p.Spec.ReadinessGates {
			if podHas(p, gate.ConditionType) {
				ready++
			}
		}
		gates = fmt.Sprintf("%d/%d", ready, n)
	}
	return []any{p.Name, fmt.Sprintf("%d/%d", s.ready, s.total), s.reason, s.restartText(), age(p),
		or(ip, none), or(p.Spec.NodeName, none), or(p.Status.NominatedNodeName, none), gates}
}

// podSummary is the state of a pod's containers.
type podSummary struct {
	ready, total int
	reason       string
	restarts     int32
	last         time.Time // of a restart
}

func (s *podSummary) restartText() string {
	if s.restarts != 0 && !s.last.IsZero() {
		return fmt.Sprintf("%d (%s ago)", s.restarts, since(s.last))
	}
	return fmt.Sprint(s.restarts)
}

func (s *podSummary) restarted(c corev1.ContainerStatus) {
	s.restarts += c.RestartCount
	if t := c.LastTerminationState.Terminated; t != nil && t.FinishedAt.After(s.last) {
		s.last = t.FinishedAt.Time
	}
}

// summarize describes a pod by the first init container that is not done, otherwise by its first container
// that does not run, otherwise by its phase.
func summarize(p *corev1.Pod) *podSummary {
	s := &podSummary{total: len(p.Spec.Containers), reason: or(p.Status.Reason, string(p.Status.Phase))}
	if slices.ContainsFunc(p.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodScheduled && c.Reason == corev1.PodReasonSchedulingGated
	}) {
		s.reason = corev1.PodReasonSchedulingGated
	}
	sidecars := map[string]bool{}
	for _, c := range p.Spec.InitContainers {
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			sidecars[c.Name] = true
			s.total++
		}
	}
	if !s.initContainers(p, sidecars) || podHas(p, corev1.PodInitialized) {
		s.containers(p, sidecars)
	}
	if p.DeletionTimestamp != nil {
		switch {
		case p.Status.Reason == "NodeLost":
			s.reason = "Unknown"
		case p.Status.Phase != corev1.PodFailed && p.Status.Phase != corev1.PodSucceeded:
			s.reason = "Terminating"
		}
	}
	return s
}

// initContainers reports whether the pod still initializes.
func (s *podSummary) initContainers(p *corev1.Pod, sidecars map[string]bool) bool {
	for i, c := range p.Status.InitContainerStatuses {
		s.restarted(c)
		started := sidecars[c.Name] && c.Started != nil && *c.Started
		if started && c.Ready {
			s.ready++
		}
		exited := c.State.Terminated
		switch {
		case exited != nil && exited.ExitCode == 0, started:
			continue
		case exited != nil:
			s.reason = "Init:" + exitReason(exited)
		case c.State.Waiting != nil && c.State.Waiting.Reason != "" && c.State.Waiting.Reason != "PodInitializing":
			s.reason = "Init:" + c.State.Waiting.Reason
		default:
			s.reason = fmt.Sprintf("Init:%d/%d", i, len(p.Spec.InitContainers))
		}
		return true
	}
	return false
}

func (s *podSummary) containers(p *corev1.Pod, sidecars map[string]bool) {
	s.restarts, s.last = 0, time.Time{}
	for _, c := range p.Status.InitContainerStatuses {
		if sidecars[c.Name] {
			s.restarted(c)
		}
	}
	running, failure := false, ""
	for _, c := range slices.Backward(p.Status.ContainerStatuses) {
		s.restarted(c)
		switch {
		case c.State.Waiting != nil && c.State.Waiting.Reason != "":
			s.reason = c.State.Waiting.Reason
		case c.State.Terminated != nil:
			s.reason = exitReason(c.State.Terminated)
			if c.State.Terminated.ExitCode != 0 {
				failure = s.reason
			}
		case c.Ready && c.State.Running != nil:
			running = true
			s.ready++
		}
	}
	if s.reason != "Completed" {
		return
	}
	switch {
	case running && podHas(p, corev1.PodReady):
		s.reason = "Running"
	case failure != "":
		s.reason = failure
	case running:
		s.reason = "NotReady"
	}
}

func exitReason(t *corev1.ContainerStateTerminated) string {
	switch {
	case t.Reason != "":
		return t.Reason
	case t.Signal != 0:
		return fmt.Sprintf("Signal:%d", t.Signal)
	}
	return fmt.Sprintf("ExitCode:%d", t.ExitCode)
}

func podHas(p *corev1.Pod, condition corev1.PodConditionType) bool {
	return slices.ContainsFunc(p.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == condition && c.Status == corev1.ConditionTrue
	})
}
