package corpus

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	clientgo "k8s.io/client-go/rest"
)

// Step is what a user does with config maps.
type Step func(ctx context.Context, kube kubernetes.Interface) error

func steps(all ...Step) func(context.Context, *clientgo.Config) error {
	return func(ctx context.Context, config *clientgo.Config) error {
		kube, err := kubernetes.NewForConfig(config)
		for _, s := range all {
			if err == nil {
				err = s(ctx, kube)
			}
		}
		return err
	}
}

// ask creates a config map.
func ask(name string, change ...func(*corev1.ConfigMap)) Step {
	return func(ctx context.Context, kube kubernetes.Interface) error {
		cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"request": "yes"}}, Data: map[string]string{"size": "2"}}
		for _, c := range change {
			c(cm)
		}
		_, err := kube.CoreV1().ConfigMaps("default").Create(ctx, cm, metav1.CreateOptions{})
		return err
	}
}

func sized(n int) func(*corev1.ConfigMap) {
	return func(cm *corev1.ConfigMap) { cm.Data["size"] = fmt.Sprint(n) }
}

// modify changes the data of config map a.
func modify(key, value string) Step {
	return func(ctx context.Context, kube kubernetes.Interface) error {
		patch := fmt.Sprintf(`{"data":{%q:%q}}`, key, value)
		_, err := kube.CoreV1().ConfigMaps("default").Patch(ctx, "a", "application/merge-patch+json", []byte(patch), metav1.PatchOptions{})
		return err
	}
}

// withdraw deletes config map a.
func withdraw() Step {
	return func(ctx context.Context, kube kubernetes.Interface) error {
		return kube.CoreV1().ConfigMaps("default").Delete(ctx, "a", metav1.DeleteOptions{})
	}
}

// lose deletes a secret.
func lose(name string) Step {
	return func(ctx context.Context, kube kubernetes.Interface) error {
		return missing(kube.CoreV1().Secrets("default").Delete(ctx, name, metav1.DeleteOptions{}))
	}
}
