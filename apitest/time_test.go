package apitest_test

import (
	"testing"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/listwatch/listwatch/apitest"
)

func TestAdvance(t *testing.T) {
	start := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	srv := apitest.Start(t, apitest.WithTime(start))
	core := kubernetes.NewForConfigOrDie(srv.RESTConfig()).CoreV1()
	if _, err := core.ServiceAccounts("default").Create(t.Context(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "robot"}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	granted, err := core.ServiceAccounts("default").CreateToken(t.Context(), "robot", &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := granted.Status.ExpirationTimestamp; !got.Time.Equal(start.Add(time.Hour)) {
		t.Error(got)
	}
	event := &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{Name: "one"},
		InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "one"},
	}
	if event, err = core.Events("default").Create(t.Context(), event, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if !event.CreationTimestamp.Time.Equal(start) {
		t.Error(event.CreationTimestamp)
	}
	robot := rest.AnonymousClientConfig(srv.RESTConfig())
	robot.BearerToken = granted.Status.Token
	review := func() error {
		_, reviewErr := kubernetes.NewForConfigOrDie(robot).AuthenticationV1().SelfSubjectReviews().Create(t.Context(), &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
		return reviewErr
	}
	srv.Advance(time.Hour - time.Second)
	if err = review(); err != nil {
		t.Error(err)
	}
	srv.Advance(2 * time.Second)
	if err = review(); !apierrors.IsUnauthorized(err) {
		t.Error(err)
	}
	if _, err = core.Events("default").Get(t.Context(), "one", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Error(err)
	}
	if got := srv.Now().Sub(start); got != time.Hour+time.Second {
		t.Error(got)
	}
	if _, err = core.ConfigMaps("default").List(t.Context(), metav1.ListOptions{ResourceVersion: event.ResourceVersion, ResourceVersionMatch: metav1.ResourceVersionMatchExact}); err != nil {
		t.Error("a quiet table has a history:", err)
	}
	if _, err = core.Events("default").List(t.Context(), metav1.ListOptions{ResourceVersion: event.ResourceVersion, ResourceVersionMatch: metav1.ResourceVersionMatchExact}); err != nil {
		t.Error("the deletion is new:", err)
	}
	srv.Advance(6 * time.Minute)
	if _, err = core.Events("default").List(t.Context(), metav1.ListOptions{ResourceVersion: event.ResourceVersion, ResourceVersionMatch: metav1.ResourceVersionMatchExact}); !apierrors.IsResourceExpired(err) {
		t.Error("the history is kept:", err)
	}
}

// A pod that has a grace period is deleted as of the server's time.
func TestDeletionTime(t *testing.T) {
	srv := apitest.Start(t)
	srv.Advance(24 * time.Hour)
	core := kubernetes.NewForConfigOrDie(srv.RESTConfig()).CoreV1()
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "one", Finalizers: []string{"example.com/one"}}}
	if _, err := core.ConfigMaps("default").Create(t.Context(), cm, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := core.ConfigMaps("default").Delete(t.Context(), "one", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	cm, err := core.ConfigMaps("default").Get(t.Context(), "one", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []metav1.Time{cm.CreationTimestamp, *cm.DeletionTimestamp} {
		if ahead := time.Until(at.Time); ahead < 23*time.Hour {
			t.Error(ahead)
		}
	}
}

// A token that is bound to a pod is for the pod's account.
func TestTokenOfOtherAccount(t *testing.T) {
	core := kubernetes.NewForConfigOrDie(apitest.Start(t).RESTConfig()).CoreV1()
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "one"}, Spec: corev1.PodSpec{
		ServiceAccountName: "robot", Containers: []corev1.Container{{Name: "a", Image: "a"}},
	}}
	if _, err := core.Pods("default").Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	for name, allowed := range map[string]bool{"robot": true, "other": false} {
		account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: name}}
		if _, err := core.ServiceAccounts("default").Create(t.Context(), account, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		_, err := core.ServiceAccounts("default").CreateToken(t.Context(), name, &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{
			BoundObjectRef: &authenticationv1.BoundObjectReference{APIVersion: "v1", Kind: "Pod", Name: "one"},
		}}, metav1.CreateOptions{})
		if allowed != (err == nil) || err != nil && !apierrors.IsBadRequest(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
