package plugins

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/apitest/internal/builtin/stores"
	"github.com/listwatch/listwatch/apitest/internal/limits"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/component-helpers/nodedeclaredfeatures"
)

var nodes = corev1.SchemeGroupVersion.WithResource("nodes")

// node returns a node, which is shared.
func node(ctx context.Context, r stores.Reader, name string) (*corev1.Node, error) {
	object, err := r.Get(ctx, nodes, "", name)
	if err != nil {
		return nil, err
	}
	found, ok := object.(*corev1.Node)
	if !ok {
		return nil, apierrors.NewInternalError(fmt.Errorf("node %s is a %T", name, object))
	}
	return found, nil
}

// taintNodes taints new nodes, so that they get no pods before they are ready.
func taintNodes(Options) admission.Interface {
	return &rule{operations: onCreate, admit: func(_ context.Context, a admission.Attributes) error {
		taint := corev1.Taint{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoSchedule}
		n, ok := written[corev1.Node](a)
		if ok && !slices.ContainsFunc(n.Spec.Taints, func(t corev1.Taint) bool { return t.MatchTaint(&taint) }) {
			n.Spec.Taints = append(n.Spec.Taints, taint)
		}
		return nil
	}}
}

// topologyLabels copies the zone and region of nodes to bindings, from which pods get them, and to pods that are
// created on a node.
func topologyLabels(o Options) admission.Interface {
	return &rule{operations: onCreate, admit: func(ctx context.Context, a admission.Attributes) error {
		if a.GetResource().GroupResource() != corev1.Resource("pods") {
			return nil
		}
		if pod, ok := written[corev1.Pod](a); ok {
			return copyTopology(ctx, o.Reader, pod, pod.Spec.NodeName)
		}
		if binding, ok := part[corev1.Binding](a, "binding"); ok && binding.Target.Kind == "Node" {
			return copyTopology(ctx, o.Reader, binding, binding.Target.Name)
		}
		return nil
	}}
}

// copyTopology copies the zone and region of a node. A node that does not exist has none.
func copyTopology(ctx context.Context, r stores.Reader, object metav1.Object, name string) error {
	if name == "" {
		return nil
	}
	n, err := node(ctx, r, name)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	labels := maps.Clone(object.GetLabels())
	for _, key := range []string{corev1.LabelTopologyZone, corev1.LabelTopologyRegion} {
		value, ok := n.Labels[key]
		if !ok {
			continue
		}
		if labels == nil {
			labels = map[string]string{}
		}
		labels[key] = value
	}
	object.SetLabels(labels)
	return nil
}

// changedOnNode returns a pod that is on a node, and the pod before, if a request changes its spec.
func changedOnNode(a admission.Attributes, subresources ...string) (pod, was *corev1.Pod, ok bool) {
	for _, sub := range subresources {
		if pod, ok = part[corev1.Pod](a, sub); !ok || pod.Spec.NodeName == "" {
			continue
		}
		was, ok = before[corev1.Pod](a)
		return pod, was, ok && was.Generation != pod.Generation
	}
	return nil, nil, false
}

// nodeOf returns the node of a pod. Without it, the request is rejected.
func nodeOf(ctx context.Context, r stores.Reader, a admission.Attributes, pod *corev1.Pod) (*corev1.Node, error) {
	n, err := node(ctx, r, pod.Spec.NodeName)
	switch {
	case apierrors.IsNotFound(err):
		return nil, admission.NewForbidden(a, fmt.Errorf("node %q not found", pod.Spec.NodeName))
	case err != nil:
		return nil, admission.NewForbidden(a, fmt.Errorf("failed to get node %q: %w", pod.Spec.NodeName, err))
	}
	return n, nil
}

// release is the release whose features pods may need.
var release = version.MajorMinor(1, 37)

// declaredFeatures rejects updates of pods that need a feature which their node does not declare.
func declaredFeatures(o Options) admission.Interface {
	framework := nodedeclaredfeatures.DefaultFramework
	return &rule{operations: onUpdate, validate: func(ctx context.Context, a admission.Attributes) error {
		pod, was, ok := changedOnNode(a, "", "resize")
		if !ok {
			return nil
		}
		needed, err := framework.InferForPodUpdate(
			&nodedeclaredfeatures.PodInfo{Spec: &was.Spec, Status: &was.Status},
			&nodedeclaredfeatures.PodInfo{Spec: &pod.Spec, Status: &pod.Status}, release)
		if err != nil {
			return admission.NewForbidden(a, fmt.Errorf("failed to infer pod capability requirements: %w", err))
		}
		if needed.IsEmpty() {
			return nil
		}
		n, err := nodeOf(ctx, o.Reader, a, pod)
		if err != nil {
			return err
		}
		match, err := framework.MatchNode(needed, n)
		switch {
		case err != nil:
			return admission.NewForbidden(a, fmt.Errorf("failed to match pod requirements against node %q: %w", n.Name, err))
		case !match.IsMatch:
			return admission.NewForbidden(a, fmt.Errorf("pod update requires features %s which are not available on node %q", strings.Join(match.UnsatisfiedRequirements, ", "), n.Name))
		}
		return nil
	}}
}

// resizePods rejects resizes of pods whose node cannot provide what they request.
func resizePods(o Options) admission.Interface {
	return &rule{operations: onUpdate, validate: func(ctx context.Context, a admission.Attributes) error {
		pod, _, ok := changedOnNode(a, "resize")
		if !ok {
			return nil
		}
		n, err := nodeOf(ctx, o.Reader, a, pod)
		if err != nil {
			return err
		}
		if system, ok := n.Labels[corev1.LabelOSStable]; ok && system != string(corev1.Linux) {
			return resizeError(a, "UnsupportedPlatform", fmt.Errorf("pod resize is only supported on linux nodes, node %q is %q", n.Name, system))
		}
		requested := limits.Requests(pod)
		allocatable := n.Status.Allocatable
		var lacking []string
		if cpu := requested.Cpu(); cpu.Cmp(*allocatable.Cpu()) > 0 {
			lacking = append(lacking, fmt.Sprintf("cpu, requested: %d, allocatable: %d", cpu.MilliValue(), allocatable.Cpu().MilliValue()))
		}
		if memory := requested.Memory(); memory.Cmp(*allocatable.Memory()) > 0 {
			lacking = append(lacking, fmt.Sprintf("memory, requested: %d, allocatable: %d", memory.Value(), allocatable.Memory().Value()))
		}
		if len(lacking) == 0 {
			return nil
		}
		return resizeError(a, "NodeCapacity", errors.New("node didn't have enough allocatable resources: "+strings.Join(lacking, "; ")))
	}}
}

// resizeError returns the rejection of a resize, with its cause.
func resizeError(a admission.Attributes, cause metav1.CauseType, reason error) error {
	err := admission.NewForbidden(a, reason)
	if status := (*apierrors.StatusError)(nil); errors.As(err, &status) {
		status.ErrStatus.Details.Causes = append(status.ErrStatus.Details.Causes, metav1.StatusCause{Type: cause})
	}
	return err
}
