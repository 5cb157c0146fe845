package main

import (
	"context"
	"fmt"
	"io"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/listwatch/listwatch/runtime/retry"
)

// deployment creates, changes, scales and deletes a deployment.
func deployment(ctx context.Context, config *rest.Config, out io.Writer) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	deployments := client.AppsV1().Deployments("tour")
	shop, err := deployments.Create(ctx, newDeployment("shop"), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "created", shop.Name, "in generation", shop.Generation)

	// An update is rejected if somebody else has written the object since it was read: read it again.
	err = retry.RetryOnConflict(retry.DefaultRetry, func() error {
		if shop, err = deployments.Get(ctx, "shop", metav1.GetOptions{}); err != nil {
			return err
		}
		shop.Spec.Template.Spec.Containers[0].Image = "nginx:1.29"
		shop, err = deployments.Update(ctx, shop, metav1.UpdateOptions{})
		return err
	})
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "changed the image to", shop.Spec.Template.Spec.Containers[0].Image)

	// The subresource scale is the same for all kinds with replicas, and can be permitted alone.
	scale, err := deployments.GetScale(ctx, "shop", metav1.GetOptions{})
	if err != nil {
		return err
	}
	scale.Spec.Replicas = 3
	if scale, err = deployments.UpdateScale(ctx, "shop", scale, metav1.UpdateOptions{}); err != nil {
		return err
	}
	fmt.Fprintln(out, "scaled to", scale.Spec.Replicas)
	return deployments.Delete(ctx, "shop", metav1.DeleteOptions{})
}

func newDeployment(name string) *appsv1.Deployment {
	labels := map[string]string{"app": name}
	container := corev1.Container{Name: "web", Image: "nginx:1.28"}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: appsv1.DeploymentSpec{
			Replicas: new(int32(1)),
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{container}},
			},
		},
	}
}
