package controllers

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/apitest/embedded"
)

// namespacesOf returns the namespaces in which objects of some resources changed, nil means all resources, in order.
func namespacesOf(changes []embedded.Change, resources []string) []string {
	found := map[string]bool{}
	for _, change := range changes {
		if resources == nil || slices.Contains(resources, change.Resource.Resource) {
			found[change.Object.Namespace] = true
		}
	}
	delete(found, "")
	return slices.Sorted(maps.Keys(found))
}

// Scheduler assigns pods to nodes: to the first by name that is schedulable, has the labels of the pod's node
// selector, and has no taint that the pod does not tolerate. It knows no resources and no affinity.
func Scheduler() embedded.Controller { return &scheduler{} }

type scheduler struct{}

// Reconcile implements embedded.Controller.
func (*scheduler) Reconcile(ctx context.Context, cluster *embedded.Cluster, changes []embedded.Change) error {
	if !slices.ContainsFunc(changes, func(c embedded.Change) bool { return isCore(c, "pods") || isCore(c, "nodes") }) {
		return nil
	}
	core := cluster.Clients.CoreV1()
	pods, err := core.Pods("").List(ctx, metav1.ListOptions{FieldSelector: "spec.nodeName="})
	if err != nil || len(pods.Items) == 0 {
		return err
	}
	nodes, err := core.Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	var errs []error
	for i := range pods.Items {
		if pod := &pods.Items[i]; pod.DeletionTimestamp == nil && len(pod.Spec.SchedulingGates) == 0 {
			errs = append(errs, assign(ctx, cluster, pod, nodes.Items))
		}
	}
	return errors.Join(errs...)
}

// assign assigns a pod to one of the nodes.
func assign(ctx context.Context, cluster *embedded.Cluster, pod *corev1.Pod, nodes []corev1.Node) error {
	pods := cluster.Clients.CoreV1().Pods(pod.Namespace)
	for i := range nodes {
		if !fits(pod, &nodes[i]) {
			continue
		}
		return ignore(pods.Bind(ctx, &corev1.Binding{
			ObjectMeta: metav1.ObjectMeta{Name: pod.Name, Namespace: pod.Namespace, UID: pod.UID},
			Target:     corev1.ObjectReference{Kind: "Node", Name: nodes[i].Name},
		}, metav1.CreateOptions{}))
	}
	if !setCondition(&pod.Status, corev1.PodCondition{
		Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable,
		Message: fmt.Sprintf("0/%d nodes are available", len(nodes)),
	}) {
		return nil
	}
	_, err := pods.UpdateStatus(ctx, pod, metav1.UpdateOptions{})
	return ignore(err)
}

// fits reports whether a pod can run on a node.
func fits(pod *corev1.Pod, node *corev1.Node) bool {
	if node.Spec.Unschedulable || !labels.SelectorFromSet(pod.Spec.NodeSelector).Matches(labels.Set(node.Labels)) {
		return false
	}
	for _, taint := range node.Spec.Taints {
		tolerated := slices.ContainsFunc(pod.Spec.Tolerations, func(t corev1.Toleration) bool {
			return (t.Key == "" || t.Key == taint.Key) && (t.Effect == "" || t.Effect == taint.Effect) &&
				(t.Operator == corev1.TolerationOpExists || t.Value == taint.Value)
		})
		if taint.Effect != corev1.TaintEffectPreferNoSchedule && !tolerated {
			return false
		}
	}
	return true
}

// setCondition sets a condition of a pod, and reports whether it changed.
func setCondition(status *corev1.PodStatus, c corev1.PodCondition) bool {
	i := slices.IndexFunc(status.Conditions, func(old corev1.PodCondition) bool { return old.Type == c.Type })
	if i < 0 {
		c.LastTransitionTime = metav1.Now()
		status.Conditions = append(status.Conditions, c)
		return true
	}
	old := &status.Conditions[i]
	if old.Status == c.Status && old.Reason == c.Reason && old.Message == c.Message {
		return false
	}
	c.LastTransitionTime = old.LastTransitionTime
	if old.Status != c.Status {
		c.LastTransitionTime = metav1.Now()
	}
	*old = c
	return true
}

// Fate is what becomes of a pod on its node.
type Fate int

// The fates of pods.
const (
	Run      Fate = iota // it runs, and its containers are ready
	NotReady             // it runs, and its containers are not ready
	Succeed              // its containers end with exit code 0
	Fail                 // its containers end with exit code 1
)

// NodeName is the node that [Kubelet] registers.
const NodeName = "apitest"

// Kubelet registers the node [NodeName], and gives pods on all nodes the status that fate returns for them. It is
// asked again at every write of a pod; a pod that succeeded or failed stays so. If fate is nil, pods that are always
// restarted run, and others succeed. Pods being deleted are removed at once, whatever their grace period.
func Kubelet(fate func(pod *corev1.Pod) Fate) embedded.Controller {
	if fate == nil {
		fate = func(pod *corev1.Pod) Fate {
			if pod.Spec.RestartPolicy == corev1.RestartPolicyAlways {
				return Run
			}
			return Succeed
		}
	}
	return &kubelet{fate: fate}
}

type kubelet struct {
	fate       func(*corev1.Pod) Fate
	registered bool // only Reconcile uses it
}

// Reconcile implements embedded.Controller.
func (k *kubelet) Reconcile(ctx context.Context, cluster *embedded.Cluster, changes []embedded.Change) error {
	if !k.registered {
		if err := register(ctx, cluster); err != nil {
			return err
		}
		k.registered = true
	}
	var errs []error
	for _, namespace := range namespacesOf(changes, []string{"pods"}) {
		pods, err := cluster.Clients.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for i := range pods.Items {
			if pod := &pods.Items[i]; pod.Spec.NodeName != "" {
				errs = append(errs, k.run(ctx, cluster, pod))
			}
		}
	}
	return errors.Join(errs...)
}

// register creates the node.
func register(ctx context.Context, cluster *embedded.Cluster) error {
	nodes := cluster.Clients.CoreV1().Nodes()
	node, err := nodes.Create(ctx, &corev1.Node{ObjectMeta: metav1.ObjectMeta{
		Name: NodeName, Labels: map[string]string{corev1.LabelHostname: NodeName, corev1.LabelOSStable: "linux"},
	}}, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	if err != nil {
		return err
	}
	node.Spec.Taints = nil
	if node, err = nodes.Update(ctx, node, metav1.UpdateOptions{}); err != nil {
		return err
	}
	now := metav1.Now()
	node.Status.Conditions = []corev1.NodeCondition{{
		Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "KubeletReady", LastHeartbeatTime: now, LastTransitionTime: now,
	}}
	_, err = nodes.UpdateStatus(ctx, node, metav1.UpdateOptions{})
	return err
}

// run sets the status of a pod, or removes it.
func (k *kubelet) run(ctx context.Context, cluster *embedded.Cluster, pod *corev1.Pod) error {
	pods := cluster.Clients.CoreV1().Pods(pod.Namespace)
	if pod.DeletionTimestamp != nil {
		if pod.DeletionGracePeriodSeconds != nil && *pod.DeletionGracePeriodSeconds == 0 {
			return nil // its finalizers are left
		}
		return ignore(pods.Delete(ctx, pod.Name, metav1.DeleteOptions{
			GracePeriodSeconds: new(int64(0)), Preconditions: &metav1.Preconditions{UID: &pod.UID},
		}))
	}
	if ended(pod) {
		return nil
	}
	before := pod.Status.DeepCopy()
	k.advance(pod, k.fate(pod))
	if equality.Semantic.DeepEqual(before, &pod.Status) {
		return nil
	}
	_, err := pods.UpdateStatus(ctx, pod, metav1.UpdateOptions{})
	return ignore(err)
}

// advance sets the status that belongs to a fate.
func (k *kubelet) advance(pod *corev1.Pod, fate Fate) {
	s := &pod.Status
	if s.StartTime == nil {
		s.StartTime = new(metav1.Now())
		s.HostIP, s.PodIP = "127.0.0.1", "127.0.0.1"
		s.HostIPs, s.PodIPs = []corev1.HostIP{{IP: s.HostIP}}, []corev1.PodIP{{IP: s.PodIP}}
	}
	reason := ""
	switch fate {
	case Run:
		s.Phase = corev1.PodRunning
	case NotReady:
		s.Phase, reason = corev1.PodRunning, "ContainersNotReady"
	case Succeed:
		s.Phase, reason = corev1.PodSucceeded, "PodCompleted"
	case Fail:
		s.Phase, reason = corev1.PodFailed, "PodFailed"
	}
	ready := corev1.ConditionFalse
	if fate == Run {
		ready = corev1.ConditionTrue
	}
	setCondition(s, corev1.PodCondition{Type: corev1.PodInitialized, Status: corev1.ConditionTrue})
	setCondition(s, corev1.PodCondition{Type: corev1.ContainersReady, Status: ready, Reason: reason})
	setCondition(s, corev1.PodCondition{Type: corev1.PodReady, Status: ready, Reason: reason})
	s.ContainerStatuses = statuses(pod.Spec.Containers, s.ContainerStatuses, fate)
	started := Succeed // init containers are through
	s.InitContainerStatuses = statuses(pod.Spec.InitContainers, s.InitContainerStatuses, started)
}

// statuses returns the statuses of containers.
func statuses(containers []corev1.Container, old []corev1.ContainerStatus, fate Fate) []corev1.ContainerStatus {
	var out []corev1.ContainerStatus
	for i, c := range containers {
		started := metav1.Now()
		if i < len(old) && old[i].State.Running != nil {
			started = old[i].State.Running.StartedAt
		}
		s := corev1.ContainerStatus{Name: c.Name, Image: c.Image, ImageID: c.Image, Ready: fate == Run, Started: new(fate == Run || fate == NotReady)}
		if fate == Run || fate == NotReady {
			s.State.Running = &corev1.ContainerStateRunning{StartedAt: started}
			out = append(out, s)
			continue
		}
		end := &corev1.ContainerStateTerminated{Reason: "Completed", StartedAt: started, FinishedAt: metav1.Now()}
		if fate == Fail {
			end.ExitCode, end.Reason = 1, "Error"
		}
		if i < len(old) && old[i].State.Terminated != nil {
			end = old[i].State.Terminated
		}
		s.State.Terminated = end
		out = append(out, s)
	}
	return out
}

// ended reports whether a pod succeeded or failed.
func ended(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

// isReady reports whether a pod is ready.
func isReady(pod *corev1.Pod) bool {
	return slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
}

// controls reports whether the object with a UID is the controller of another.
func controls(uid types.UID, object metav1.Object) bool {
	owner := metav1.GetControllerOf(object)
	return owner != nil && owner.UID == uid
}

// podsOf returns the pods that an object controls.
func podsOf(ctx context.Context, cluster *embedded.Cluster, owner metav1.Object) ([]*corev1.Pod, error) {
	list, err := cluster.Clients.CoreV1().Pods(owner.GetNamespace()).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	var out []*corev1.Pod
	for i := range list.Items {
		if controls(owner.GetUID(), &list.Items[i]) {
			out = append(out, &list.Items[i])
		}
	}
	return out, nil
}

// newPod returns a pod from a template.
func newPod(template *corev1.PodTemplateSpec, owner *metav1.OwnerReference) *corev1.Pod {
	template = template.DeepCopy()
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			GenerateName: owner.Name + "-", Labels: template.Labels, Annotations: template.Annotations, Finalizers: template.Finalizers,
			OwnerReferences: []metav1.OwnerReference{*owner},
		},
		Spec: template.Spec,
	}
}
