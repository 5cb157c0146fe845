package controllers_test

import (
	"context"
	"fmt"
	"log"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/listwatch/listwatch/apitest/controllers"
	"github.com/listwatch/listwatch/apitest/embedded"
)

// A Deployment has its pods as soon as it is created, so that a test need not wait.
func Example() {
	srv, err := embedded.New(embedded.WithControllers(controllers.All()...))
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Stop() //nolint:errcheck // the example is over

	kubeconfig, err := srv.Kubeconfig()
	if err != nil {
		log.Fatal(err)
	}
	config, err := clientcmd.RESTConfigFromKubeConfig(kubeconfig)
	if err != nil {
		log.Fatal(err)
	}
	clientset := kubernetes.NewForConfigOrDie(config)

	ctx := context.Background()
	replicas, labels := int32(2), map[string]string{"app": "web"}
	_, err = clientset.AppsV1().Deployments("default").Create(ctx, &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "nginx"}}},
			},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		log.Fatal(err)
	}
	pods, err := clientset.CoreV1().Pods("default").List(ctx, metav1.ListOptions{LabelSelector: "app=web"})
	if err != nil {
		log.Fatal(err)
	}
	for _, pod := range pods.Items {
		fmt.Println(pod.Spec.NodeName, pod.Status.Phase)
	}
	// Output:
	// apitest Running
	// apitest Running
}
