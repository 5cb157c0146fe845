package embedded_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	admissionreview "k8s.io/api/admission/v1"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/client-go/kubernetes"

	"github.com/listwatch/listwatch/apitest/embedded"
)

// roundTripper is an http.RoundTripper.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// A transport gets each request for what its webhook is, and may respond to it.
func TestWebhookTransport(t *testing.T) {
	outside := startWebhooks(t, map[string]judge{"/outside": func(*corev1.ConfigMap) (bool, string, string, string) {
		return false, "outside says no", "", ""
	}})
	var asked []string
	transport := func(of embedded.Webhook, next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(req *http.Request) (*http.Response, error) {
			user, _ := request.UserFrom(req.Context())
			asked = append(asked, fmt.Sprintf("%s/%s mutates %t, %s in %s: %s for %s", of.Configuration, of.Name, of.Mutating, of.FailurePolicy, of.Timeout,
				strings.TrimPrefix(req.URL.Host+req.URL.Path, strings.TrimPrefix(outside.URL, "https://")), user.GetName()))
			if of.Service == nil {
				return next.RoundTrip(req)
			}
			review := admissionreview.AdmissionReview{}
			if err := json.NewDecoder(req.Body).Decode(&review); err != nil {
				return nil, err
			}
			review.Response = &admissionreview.AdmissionResponse{UID: review.Request.UID, Allowed: true}
			body, err := json.Marshal(review)
			return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(string(body)))}, err
		})
	}
	service := func(bundle string, path *string) admissionv1.WebhookClientConfig {
		return admissionv1.WebhookClientConfig{
			Service: &admissionv1.ServiceReference{Namespace: "default", Name: "hooks", Path: path}, CABundle: []byte(bundle),
		}
	}
	mutating := outside.mutating("/first", "", "configmaps")
	mutating.ClientConfig = service("\n", new("/first/")) // as kubebuilder's, which something is to fill in
	validating := outside.validating("/second", "", "configmaps")
	validating.ClientConfig, validating.FailurePolicy, validating.TimeoutSeconds = service("", nil), new(admissionv1.Ignore), new(int32(3))
	srv := embedded.Start(t, embedded.WithWebhookTransport(transport), embedded.WithObjects(
		&admissionv1.MutatingWebhookConfiguration{
			TypeMeta: metav1.TypeMeta{APIVersion: "admissionregistration.k8s.io/v1", Kind: "MutatingWebhookConfiguration"}, ObjectMeta: metav1.ObjectMeta{Name: "m"},
			Webhooks: []admissionv1.MutatingWebhook{mutating},
		},
		&admissionv1.ValidatingWebhookConfiguration{
			TypeMeta: metav1.TypeMeta{APIVersion: "admissionregistration.k8s.io/v1", Kind: "ValidatingWebhookConfiguration"}, ObjectMeta: metav1.ObjectMeta{Name: "v"},
			Webhooks: []admissionv1.ValidatingWebhook{validating},
		}))
	clients := kubernetes.NewForConfigOrDie(srv.RESTConfigFor("eve", "system:masters"))
	create := func(name string) error {
		_, err := clients.CoreV1().ConfigMaps("default").Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
		return err
	}
	if err := create("a"); err != nil {
		t.Error(err)
	}
	configurations := clients.AdmissionregistrationV1().ValidatingWebhookConfigurations()
	v, err := configurations.Get(t.Context(), "v", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if path := v.Webhooks[0].ClientConfig.Service.Path; path != nil {
		t.Errorf("the stored path is %q", *path)
	}
	v.Webhooks[0].ClientConfig = outside.client("/outside")
	if _, err := configurations.Update(t.Context(), v, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := create("b"); err == nil || !strings.Contains(err.Error(), "outside says no") {
		t.Errorf("got error %v, want that of the webhook outside", err)
	}
	want := []string{
		"m/first.example.com mutates true, Fail in 10s: hooks.default.svc:443/first for eve",
		"v/second.example.com mutates false, Ignore in 3s: hooks.default.svc:443 for eve",
		"m/first.example.com mutates true, Fail in 10s: hooks.default.svc:443/first for eve",
		"v/second.example.com mutates false, Ignore in 3s: /outside for eve",
	}
	if got := strings.Join(asked, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("got requests\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

// In a bubble, a webhook that does not respond takes virtual time only, and the failure policy says what follows.
func TestWebhookTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lost := func(embedded.Webhook, http.RoundTripper) http.RoundTripper {
			return roundTripper(func(req *http.Request) (*http.Response, error) {
				<-req.Context().Done()
				return nil, req.Context().Err()
			})
		}
		none, ignore := admissionv1.SideEffectClassNone, admissionv1.Ignore
		srv := embedded.Start(t, embedded.WithoutNetwork(), embedded.WithWebhookTransport(lost), embedded.WithObjects(&admissionv1.ValidatingWebhookConfiguration{
			TypeMeta: metav1.TypeMeta{APIVersion: "admissionregistration.k8s.io/v1", Kind: "ValidatingWebhookConfiguration"}, ObjectMeta: metav1.ObjectMeta{Name: "v"},
			Webhooks: []admissionv1.ValidatingWebhook{{
				Name: "lost.example.com", Rules: ruleFor("", "configmaps"), SideEffects: &none, FailurePolicy: &ignore, AdmissionReviewVersions: []string{"v1"},
				ClientConfig: admissionv1.WebhookClientConfig{Service: &admissionv1.ServiceReference{Namespace: "default", Name: "hooks"}},
			}},
		}))
		begin := time.Now()
		_, err := kubernetes.NewForConfigOrDie(srv.RESTConfig()).CoreV1().ConfigMaps("default").Create(t.Context(),
			&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a"}}, metav1.CreateOptions{})
		if took := time.Since(begin); err != nil || took != 10*time.Second {
			t.Errorf("error %v after %s", err, took)
		}
	})
}
