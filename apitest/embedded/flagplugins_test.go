package embedded_test

import (
	"testing"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/listwatch/listwatch/apitest/embedded"
)

// TestFlagPlugins creates objects that admission plugins change or reject.
func TestFlagPlugins(t *testing.T) {
	for name, c := range map[string]struct {
		args    []string
		enabled bool
	}{
		"by default": {nil, true},
		"enabled":    {[]string{"--enable-admission-plugins=LimitRanger,ResourceQuota", "--disable-admission-plugins=ServiceAccount"}, true},
		"disabled": {[]string{
			"--disable-admission-plugins=NamespaceLifecycle,LimitRanger,TaintNodesByCondition,Priority",
			"--disable-admission-plugins", "DefaultTolerationSeconds,StorageObjectInUseProtection,ResourceQuota,ValidatingAdmissionWebhook",
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			opts, ignored, err := embedded.FlagOptions(append(c.args, "--secure-port=0"))
			if err != nil || len(ignored) > 0 {
				t.Fatal(err, ignored)
			}
			clients := kubernetes.NewForConfigOrDie(embedded.Start(t, opts...).RESTConfig())
			ctx, core := t.Context(), clients.CoreV1()
			_, err = core.LimitRanges("default").Create(ctx, &corev1.LimitRange{
				ObjectMeta: metav1.ObjectMeta{Name: "memory"},
				Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{
					Type: corev1.LimitTypeContainer, Default: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("1Gi")},
				}}},
			}, metav1.CreateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			pod, err := core.Pods("default").Create(ctx, &corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{Name: "web"},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web"}}},
			}, metav1.CreateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			node, err := core.Nodes().Create(ctx, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "one"}}, metav1.CreateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			claim, err := core.PersistentVolumeClaims("default").Create(ctx, &corev1.PersistentVolumeClaim{
				ObjectMeta: metav1.ObjectMeta{Name: "data"},
				Spec: corev1.PersistentVolumeClaimSpec{
					AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
					Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}},
				},
			}, metav1.CreateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			_, missing := core.ConfigMaps("nowhere").Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a"}}, metav1.CreateOptions{})
			quota := &corev1.ResourceQuota{
				ObjectMeta: metav1.ObjectMeta{Name: "none"},
				Spec:       corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{corev1.ResourceConfigMaps: resource.MustParse("0")}},
			}
			quota, err = core.ResourceQuotas("default").Create(ctx, quota, metav1.CreateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			quota.Status = corev1.ResourceQuotaStatus{Hard: quota.Spec.Hard, Used: quota.Spec.Hard}
			if _, err = core.ResourceQuotas("default").UpdateStatus(ctx, quota, metav1.UpdateOptions{}); err != nil {
				t.Fatal(err)
			}
			rules := []admissionv1.RuleWithOperations{{
				Operations: []admissionv1.OperationType{admissionv1.Create},
				Rule:       admissionv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"services"}},
			}}
			none, url := admissionv1.SideEffectClassNone, "https://127.0.0.1:1/"
			_, err = clients.AdmissionregistrationV1().ValidatingWebhookConfigurations().Create(ctx, &admissionv1.ValidatingWebhookConfiguration{
				ObjectMeta: metav1.ObjectMeta{Name: "nobody"},
				Webhooks: []admissionv1.ValidatingWebhook{{
					Name: "nobody.example.com", Rules: rules, SideEffects: &none, AdmissionReviewVersions: []string{"v1"},
					ClientConfig: admissionv1.WebhookClientConfig{URL: &url},
				}},
			}, metav1.CreateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			_, unreachable := core.Services("default").Create(ctx, &corev1.Service{
				ObjectMeta: metav1.ObjectMeta{Name: "web"},
				Spec:       corev1.ServiceSpec{Ports: []corev1.ServicePort{{Port: 80}}},
			}, metav1.CreateOptions{})
			_, exceeded := core.ConfigMaps("default").Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a"}}, metav1.CreateOptions{})
			for plugin, effect := range map[string]bool{
				"LimitRanger":                  len(pod.Spec.Containers[0].Resources.Limits) > 0,
				"Priority":                     pod.Spec.Priority != nil,
				"DefaultTolerationSeconds":     len(pod.Spec.Tolerations) > 0,
				"TaintNodesByCondition":        len(node.Spec.Taints) > 0,
				"StorageObjectInUseProtection": len(claim.Finalizers) > 0,
				"NamespaceLifecycle":           missing != nil,
				"ResourceQuota":                exceeded != nil,
				"ValidatingAdmissionWebhook":   unreachable != nil,
			} {
				if effect != c.enabled {
					t.Errorf("effect of %s: got %t, want %t", plugin, effect, c.enabled)
				}
			}
		})
	}
}
