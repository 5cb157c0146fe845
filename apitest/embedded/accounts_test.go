package embedded_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/listwatch/listwatch/apitest/controllers"
	"github.com/listwatch/listwatch/apitest/embedded"
)

// TestServiceAccountPlugin creates pods on a server that gives them service accounts.
func TestServiceAccountPlugin(t *testing.T) {
	opts, ignored, err := embedded.FlagOptions([]string{"--secure-port=0", "--enable-admission-plugins=ServiceAccount"})
	if err != nil || len(ignored) > 0 {
		t.Fatal(err, ignored)
	}
	opts = append(opts, embedded.WithControllers(controllers.ServiceAccounts()))
	core := kubernetes.NewForConfigOrDie(embedded.Start(t, opts...).RESTConfig()).CoreV1()
	create := func(name string, modify func(*corev1.Pod)) (*corev1.Pod, error) {
		pod := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec: corev1.PodSpec{
				InitContainers: []corev1.Container{{Name: "first", Image: "app"}},
				Containers:     []corev1.Container{{Name: "main", Image: "app"}},
			},
		}
		modify(pod)
		return core.Pods("default").Create(t.Context(), pod, metav1.CreateOptions{})
	}
	account := &corev1.ServiceAccount{
		ObjectMeta:       metav1.ObjectMeta{Name: "limited", Annotations: map[string]string{"kubernetes.io/enforce-mountable-secrets": "true"}},
		Secrets:          []corev1.ObjectReference{{Name: "mine"}},
		ImagePullSecrets: []corev1.LocalObjectReference{{Name: "registry"}},
	}
	if _, err = core.ServiceAccounts("default").Create(t.Context(), account, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}

	pod, err := create("plain", func(*corev1.Pod) {})
	if err != nil {
		t.Fatal(err)
	}
	volume := pod.Spec.Volumes[0]
	if pod.Spec.ServiceAccountName != "default" || !strings.HasPrefix(volume.Name, "kube-api-access-") || volume.Projected == nil {
		t.Errorf("got account %q and volume %v", pod.Spec.ServiceAccountName, volume)
	}
	for _, c := range []corev1.Container{pod.Spec.InitContainers[0], pod.Spec.Containers[0]} {
		if len(c.VolumeMounts) != 1 || c.VolumeMounts[0].Name != volume.Name || !c.VolumeMounts[0].ReadOnly {
			t.Errorf("container %s mounts %v, want %s", c.Name, c.VolumeMounts, volume.Name)
		}
	}
	pod, err = create("without", func(p *corev1.Pod) {
		p.Spec.ServiceAccountName, p.Spec.AutomountServiceAccountToken = "limited", new(bool)
	})
	if err != nil || len(pod.Spec.Volumes) != 0 || len(pod.Spec.ImagePullSecrets) != 1 || pod.Spec.ImagePullSecrets[0].Name != "registry" {
		t.Errorf("got volumes %v, secrets %v and error %v, want the secrets of the account", pod.Spec.Volumes, pod.Spec.ImagePullSecrets, err)
	}

	for _, c := range []struct {
		name, want string
		modify     func(*corev1.Pod)
	}{
		{"missing account", `error looking up service account default/none: serviceaccount "none" not found`,
			func(p *corev1.Pod) { p.Spec.ServiceAccountName = "none" }},
		{"secret in a volume", `volume with secret.secretName="other" is not allowed because service account limited does not reference that secret`,
			func(p *corev1.Pod) {
				p.Spec.Volumes = []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "other"}}}}
			}},
		{"secret in the environment", `container main with envFrom referencing secret.secretName="other" is not allowed`,
			func(p *corev1.Pod) {
				p.Spec.Containers[0].EnvFrom = []corev1.EnvFromSource{{SecretRef: &corev1.SecretEnvSource{LocalObjectReference: corev1.LocalObjectReference{Name: "other"}}}}
			}},
		{"secret for images", `imagePullSecrets[0].name="other" is not allowed because service account limited does not reference that imagePullSecret`,
			func(p *corev1.Pod) { p.Spec.ImagePullSecrets = []corev1.LocalObjectReference{{Name: "other"}} }},
		{"mirror pod", "a mirror pod may not reference service accounts",
			func(p *corev1.Pod) {
				p.Annotations = map[string]string{corev1.MirrorPodAnnotationKey: "x"}
				p.Spec.NodeName = "node"
			}},
		{"mirror pod with a secret", "a mirror pod may not reference secrets",
			func(p *corev1.Pod) {
				p.Annotations = map[string]string{corev1.MirrorPodAnnotationKey: "x"}
				p.Spec.ServiceAccountName, p.Spec.NodeName = "", "node"
				p.Spec.Volumes = []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "other"}}}}
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := create("refused", func(p *corev1.Pod) {
				p.Spec.ServiceAccountName = "limited"
				c.modify(p)
			})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got error %v, want %q", err, c.want)
			}
		})
	}
}
