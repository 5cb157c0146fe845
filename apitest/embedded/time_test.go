package embedded_test

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/listwatch/listwatch/apitest/embedded"
)

func TestAdvance(t *testing.T) {
	start := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	srv := embedded.Start(t, embedded.WithTime(start))
	core := kubernetes.NewForConfigOrDie(srv.RESTConfig()).CoreV1()
	if _, err := core.ServiceAccounts("default").Create(t.Context(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "robot"}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	granted, err := core.ServiceAccounts("default").CreateToken(t.Context(), "robot", &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := granted.Status.ExpirationTimestamp; !got.Time.Equal(start.Add(time.Hour)) {
		t.Errorf("a token for an hour expires at %s, want an hour after the start of the clock at %s", got, start)
	}
	event := &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{Name: "one"},
		InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "one"},
	}
	if event, err = core.Events("default").Create(t.Context(), event, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if !event.CreationTimestamp.Time.Equal(start) {
		t.Errorf("an event was created at %s, want %s, by the server's clock", event.CreationTimestamp, start)
	}
	robot := rest.AnonymousClientConfig(srv.RESTConfig())
	robot.BearerToken = granted.Status.Token
	review := func() error {
		_, reviewErr := kubernetes.NewForConfigOrDie(robot).AuthenticationV1().SelfSubjectReviews().Create(t.Context(), &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
		return reviewErr
	}
	srv.Advance(time.Hour - time.Second)
	if err = review(); err != nil {
		t.Errorf("use a token a second before it expires: %v", err)
	}
	srv.Advance(2 * time.Second)
	if err = review(); !apierrors.IsUnauthorized(err) {
		t.Errorf("use a token that has expired: got error %v, want Unauthorized", err)
	}
	if _, err = core.Events("default").Get(t.Context(), "one", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("get an event after more than an hour: got error %v, want NotFound", err)
	}
	if got := srv.Now().Sub(start); got != time.Hour+time.Second {
		t.Errorf("the clock is %s after its start, want %s", got, time.Hour+time.Second)
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
	srv := embedded.Start(t)
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
	core := kubernetes.NewForConfigOrDie(embedded.Start(t).RESTConfig()).CoreV1()
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

// A token for the volume of a pod is accepted for a year, and its claims say when it should have been replaced; they
// also name the pod's node.
func TestTokenClaims(t *testing.T) {
	start := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}}
	pod := func(name, node string) *corev1.Pod {
		return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.PodSpec{
			ServiceAccountName: "robot", NodeName: node, Containers: []corev1.Container{{Name: "a", Image: "a"}},
		}}
	}
	srv := embedded.Start(t, embedded.WithTime(start), embedded.WithObjects(
		&corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "robot"}}, node, pod("one", "n"), pod("nowhere", ""), pod("lost", "gone")))
	core := kubernetes.NewForConfigOrDie(srv.RESTConfig()).CoreV1()
	for _, c := range []struct {
		name, kind, object string
		seconds            int64
		audience           string
		node               string // with its UID, if it has one
		warn               bool
	}{
		{"volume", "Pod", "one", 3607, "", "n with UID", true},
		{"an hour", "Pod", "one", 3600, "", "n with UID", false},
		{"another audience", "Pod", "one", 3607, "vault", "n with UID", false},
		{"not bound", "", "", 3607, "", "", false},
		{"not scheduled", "Pod", "nowhere", 3607, "", "", true},
		{"missing node", "Pod", "lost", 3607, "", "gone", true},
		{"node", "Node", "n", 3607, "", "n with UID", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			request := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: &c.seconds}}
			if c.audience != "" {
				request.Spec.Audiences = []string{c.audience}
			}
			if c.kind != "" {
				request.Spec.BoundObjectRef = &authenticationv1.BoundObjectReference{APIVersion: "v1", Kind: c.kind, Name: c.object}
			}
			granted, err := core.ServiceAccounts("default").CreateToken(t.Context(), "robot", request, metav1.CreateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			payload, err := base64.RawURLEncoding.DecodeString(strings.Split(granted.Status.Token, ".")[1])
			if err != nil {
				t.Fatal(err)
			}
			var claims struct {
				Exp        int64
				Kubernetes struct {
					Node      struct{ Name, UID string }
					WarnAfter int64
				} `json:"kubernetes.io"`
			}
			if err = json.Unmarshal(payload, &claims); err != nil {
				t.Fatal(err)
			}
			requested, expires, warn := start.Unix()+c.seconds, start.Unix()+c.seconds, int64(0)
			if c.warn {
				expires, warn = start.Unix()+365*24*3600, requested
			}
			if got := granted.Status.ExpirationTimestamp.Unix(); got != requested || claims.Exp != expires || claims.Kubernetes.WarnAfter != warn {
				t.Errorf("status %d, exp %d, warnafter %d", got, claims.Exp, claims.Kubernetes.WarnAfter)
			}
			got := claims.Kubernetes.Node.Name
			if claims.Kubernetes.Node.UID != "" {
				got += " with UID"
			}
			if got != c.node {
				t.Errorf("node %q, want %q", got, c.node)
			}
			if c.audience != "" {
				return
			}
			robot := rest.AnonymousClientConfig(srv.RESTConfig())
			robot.BearerToken = granted.Status.Token
			review, err := kubernetes.NewForConfigOrDie(robot).AuthenticationV1().SelfSubjectReviews().Create(t.Context(), &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			name, _, _ := strings.Cut(c.node, " ")
			if got := strings.Join(review.Status.UserInfo.Extra["authentication.kubernetes.io/node-name"], ","); got != name {
				t.Errorf("user's node %q, want %q", got, name)
			}
		})
	}
}
