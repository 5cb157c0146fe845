package fakes_test

import (
	"context"
	"encoding/json"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	appsv1ac "k8s.io/client-go/applyconfigurations/apps/v1"
	autoscalingv1ac "k8s.io/client-go/applyconfigurations/autoscaling/v1"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"

	ourautoscaling "github.com/listwatch/listwatch/kubernetes/applyconfigurations/autoscaling/v1"
	ourapps "github.com/listwatch/listwatch/kubernetes/typed/apps/v1"
	ourcore "github.com/listwatch/listwatch/kubernetes/typed/core/v1"
)

// The calls contain apply configurations of client-go. These clients of ours take them, so that one call
// fits both sides.

type ourPods struct{ ourcore.PodInterface }

func (c ourPods) Apply(ctx context.Context, pod *corev1ac.PodApplyConfiguration, opts metav1.ApplyOptions) (*corev1.Pod, error) {
	return converted(ctx, c.PodInterface.Apply, pod, opts)
}

func (c ourPods) ApplyStatus(ctx context.Context, pod *corev1ac.PodApplyConfiguration, opts metav1.ApplyOptions) (*corev1.Pod, error) {
	return converted(ctx, c.PodInterface.ApplyStatus, pod, opts)
}

type ourNodes struct{ ourcore.NodeInterface }

func (c ourNodes) Apply(ctx context.Context, node *corev1ac.NodeApplyConfiguration, opts metav1.ApplyOptions) (*corev1.Node, error) {
	return converted(ctx, c.NodeInterface.Apply, node, opts)
}

func (c ourNodes) ApplyStatus(ctx context.Context, node *corev1ac.NodeApplyConfiguration, opts metav1.ApplyOptions) (*corev1.Node, error) {
	return converted(ctx, c.NodeInterface.ApplyStatus, node, opts)
}

type ourDeployments struct{ ourapps.DeploymentInterface }

func (c ourDeployments) Apply(ctx context.Context, deployment *appsv1ac.DeploymentApplyConfiguration, opts metav1.ApplyOptions) (*appsv1.Deployment, error) {
	return converted(ctx, c.DeploymentInterface.Apply, deployment, opts)
}

func (c ourDeployments) ApplyStatus(ctx context.Context, deployment *appsv1ac.DeploymentApplyConfiguration, opts metav1.ApplyOptions) (*appsv1.Deployment, error) {
	return converted(ctx, c.DeploymentInterface.ApplyStatus, deployment, opts)
}

func (c ourDeployments) ApplyScale(ctx context.Context, name string, scale *autoscalingv1ac.ScaleApplyConfiguration, opts metav1.ApplyOptions) (*autoscalingv1.Scale, error) {
	apply := func(ctx context.Context, scale *ourautoscaling.ScaleApplyConfiguration, opts metav1.ApplyOptions) (*autoscalingv1.Scale, error) {
		return c.DeploymentInterface.ApplyScale(ctx, name, scale, opts)
	}
	return converted(ctx, apply, scale, opts)
}

// converted applies a configuration of client-go, by way of its JSON. Nil stays nil.
func converted[T, O, C any](ctx context.Context, apply func(context.Context, *O, metav1.ApplyOptions) (T, error), c *C, opts metav1.ApplyOptions) (T, error) {
	if c == nil {
		return apply(ctx, nil, opts)
	}
	var nothing T
	text, err := json.Marshal(c)
	if err != nil {
		return nothing, err
	}
	ours := new(O)
	if err := json.Unmarshal(text, ours); err != nil {
		return nothing, err
	}
	return apply(ctx, ours, opts)
}
