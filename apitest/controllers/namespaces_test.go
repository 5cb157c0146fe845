package controllers_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/apitest/controllers"
)

// TestNamespace deletes a namespace, in which an object has a finalizer.
func TestNamespace(t *testing.T) {
	core := start(t, controllers.Namespaces(), controllers.ServiceAccounts()).CoreV1()
	if _, err := core.Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "n"}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, object := range []*corev1.ConfigMap{
		{ObjectMeta: metav1.ObjectMeta{Name: "a"}},
		{ObjectMeta: metav1.ObjectMeta{Name: "b", Finalizers: []string{"example.com/keep"}}},
	} {
		if _, err := core.ConfigMaps("n").Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := core.Namespaces().Delete(t.Context(), "n", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := describe(t, core.ConfigMaps("n").List); len(got) != 1 || got[0] != "b" {
		t.Errorf("left are %q", got)
	}
	ns, err := core.Namespaces().Get(t.Context(), "n", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[corev1.NamespaceConditionType]string{
		corev1.NamespaceDeletionDiscoveryFailure: "All resources successfully discovered",
		corev1.NamespaceDeletionGVParsingFailure: "All legacy kube types successfully parsed",
		corev1.NamespaceDeletionContentFailure:   "All content successfully deleted, may be waiting on finalization",
		corev1.NamespaceContentRemaining:         "Some resources are remaining: configmaps. has 1 resource instances",
		corev1.NamespaceFinalizersRemaining:      "Some content in the namespace has finalizers remaining: example.com/keep in 1 resource instances",
	}
	for _, c := range ns.Status.Conditions {
		if c.Message != want[c.Type] {
			t.Errorf("condition %s is %q, want %q", c.Type, c.Message, want[c.Type])
		}
		delete(want, c.Type)
	}
	if len(want) > 0 {
		t.Errorf("conditions are missing: %v", want)
	}
	if _, err := core.ConfigMaps("n").Patch(t.Context(), "b", "application/merge-patch+json", []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := core.Namespaces().Get(t.Context(), "n", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("the empty namespace: %v", err)
	}
}

// TestAccounts checks what every namespace has.
func TestAccounts(t *testing.T) {
	core := start(t, controllers.ServiceAccounts()).CoreV1()
	for _, namespace := range []string{"default", "kube-system"} {
		if _, err := core.ServiceAccounts(namespace).Get(t.Context(), "default", metav1.GetOptions{}); err != nil {
			t.Error(err)
		}
	}
	if err := core.ConfigMaps("default").Delete(t.Context(), "kube-root-ca.crt", metav1.DeleteOptions{}); err != nil {
		t.Error(err)
	}
	found, err := core.ConfigMaps("default").Get(t.Context(), "kube-root-ca.crt", metav1.GetOptions{})
	if err != nil || found.Data["ca.crt"] == "" {
		t.Errorf("after it was deleted, the ConfigMap is %v, %v", found, err)
	}
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: "token", Annotations: map[string]string{corev1.ServiceAccountNameKey: "default"}},
		Type:       corev1.SecretTypeServiceAccountToken,
	}
	if _, err = core.Secrets("default").Create(t.Context(), secret, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if secret, err = core.Secrets("default").Get(t.Context(), "token", metav1.GetOptions{}); err != nil || len(secret.Data["token"]) == 0 || string(secret.Data["namespace"]) != "default" {
		t.Errorf("the secret of a token is %v, %v", secret, err)
	}
	if err := core.ServiceAccounts("default").Delete(t.Context(), "default", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := core.Secrets("default").Get(t.Context(), "token", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("the secret of a deleted account: %v", err)
	}
	if _, err := core.ServiceAccounts("default").Get(t.Context(), "default", metav1.GetOptions{}); err != nil {
		t.Errorf("the account after its deletion: %v", err)
	}
}
