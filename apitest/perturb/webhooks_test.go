package perturb_test

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	admissionreview "k8s.io/api/admission/v1"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	clientgo "k8s.io/client-go/rest"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/apitest/perturb"
)

// painter is a webhook that sets an annotation, and counts what it is asked.
type painter struct {
	asked atomic.Int64
	takes time.Duration
}

func (p *painter) ServeHTTP(rw http.ResponseWriter, req *http.Request) {
	p.asked.Add(1)
	time.Sleep(p.takes)
	review := admissionreview.AdmissionReview{}
	_ = json.NewDecoder(req.Body).Decode(&review)
	kind := admissionreview.PatchTypeJSONPatch
	response := &admissionreview.AdmissionResponse{
		UID: review.Request.UID, Allowed: true, PatchType: &kind, Patch: []byte(`[{"op":"add","path":"/metadata/annotations","value":{"color":"red"}}]`),
	}
	for _, group := range review.Request.UserInfo.Groups {
		if group != "system:masters" && group != "system:authenticated" {
			response.Allowed = false
		}
	}
	review.Request, review.Response = nil, response
	rw.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(rw).Encode(review)
}

// painted registers a webhook for what is created of a resource.
func painted(resource string, client admissionv1.WebhookClientConfig, policy admissionv1.FailurePolicyType) embedded.Option {
	none := admissionv1.SideEffectClassNone
	return embedded.WithObjects(&admissionv1.MutatingWebhookConfiguration{
		TypeMeta: metav1.TypeMeta{APIVersion: "admissionregistration.k8s.io/v1", Kind: "MutatingWebhookConfiguration"}, ObjectMeta: metav1.ObjectMeta{Name: "painter"},
		Webhooks: []admissionv1.MutatingWebhook{{
			Name: "paint.example.com", ClientConfig: client, SideEffects: &none, AdmissionReviewVersions: []string{"v1"}, FailurePolicy: &policy,
			NamespaceSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"kubernetes.io/metadata.name": "default"}},
			Rules: []admissionv1.RuleWithOperations{{
				Operations: []admissionv1.OperationType{admissionv1.Create},
				Rule:       admissionv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{resource}},
			}},
		}},
	})
}

var ofProgram = admissionv1.WebhookClientConfig{Service: &admissionv1.ServiceReference{Namespace: "default", Name: "painter"}}

// colors records which colors the objects of a resource had.
type colors struct {
	mu   sync.Mutex // guards seen
	seen map[string]bool
}

func (c *colors) of(resource string) perturb.Invariant {
	c.seen = map[string]bool{}
	return perturb.Invariant{Name: "colors are recorded", Holds: func(s perturb.State) error {
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, object := range s.Objects(resource) {
			if object.GetNamespace() == "default" && object.GetName() != "kube-root-ca.crt" {
				c.seen[object.GetAnnotations()["color"]] = true
			}
		}
		return nil
	}}
}

// creator is a program that tries to create a config map until it exists, and serves a webhook meanwhile.
func creator(webhook http.Handler) func(ctx context.Context, config *clientgo.Config) error {
	return func(ctx context.Context, config *clientgo.Config) error {
		served := make(chan error, 1)
		go func() { served <- perturb.Serve(ctx, webhook) }()
		kube := kubernetes.NewForConfigOrDie(config)
		for ctx.Err() == nil {
			cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a"}}
			if _, err := kube.CoreV1().ConfigMaps("default").Create(ctx, cm, metav1.CreateOptions{}); err == nil || apierrors.IsAlreadyExists(err) {
				break
			}
			time.Sleep(time.Second)
		}
		return <-served
	}
}

// A response that is lost lets the write fail, or pass without the webhook, as the failure policy says.
func TestSilence(t *testing.T) {
	for _, test := range []struct {
		policy admissionv1.FailurePolicyType
		asked  int64 // in three undisturbed runs at least, and in the disturbed one
		plain  bool
	}{{admissionv1.Fail, 4, false}, {admissionv1.Ignore, 3, true}} {
		t.Run(string(test.policy), func(t *testing.T) {
			webhook, seen := &painter{}, &colors{}
			perturb.Replay(t, perturb.Controller{
				Server: []embedded.Option{painted("configmaps", ofProgram, test.policy)}, StartClientGo: creator(webhook), Always: []perturb.Invariant{seen.of("configmaps")},
			}, "lose webhook paint.example.com at program create configmaps default/a")
			if n := webhook.asked.Load(); n != test.asked || !seen.seen["red"] || seen.seen[""] != test.plain {
				t.Errorf("asked %d times, want %d; colors %v", n, test.asked, seen.seen)
			}
		})
	}
}

// A webhook with an URL is outside of the run.
func TestWebhookOutside(t *testing.T) {
	webhook, seen := &painter{}, &colors{}
	server := httptest.NewTLSServer(webhook)
	defer server.Close()
	url := server.URL + "/paint"
	outside := admissionv1.WebhookClientConfig{URL: &url, CABundle: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})}
	r, err := perturb.Search(t, perturb.Controller{
		Server: []embedded.Option{painted("configmaps", outside, admissionv1.Fail)}, StartClientGo: creator(nil), Always: []perturb.Invariant{seen.of("configmaps")},
	}, perturb.Limits{Single: true})
	if err != nil || len(r.Findings) > 0 || seen.seen[""] || !seen.seen["red"] {
		t.Errorf("got %+v, error %v, colors %v", r, err, seen.seen)
	}
}

// follower is a stand-in that creates a secret for each config map.
type follower struct{}

func (follower) Reconcile(ctx context.Context, cluster *embedded.Cluster, changes []embedded.Change) error {
	for _, change := range changes {
		if change.Resource.Resource != "configmaps" || change.Object.Namespace != "default" || change.Object.Name != "a" {
			continue
		}
		secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "of-a"}}
		if _, err := cluster.Clients.CoreV1().Secrets("default").Create(ctx, secret, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	return nil
}

// A webhook also reviews what a stand-in writes, and that takes virtual time only. Its configuration is left as it is.
func TestWebhookOfStandIn(t *testing.T) {
	webhook, seen := &painter{takes: 9 * time.Second}, &colors{}
	_, err := perturb.Search(t, perturb.Controller{
		Server:      []embedded.Option{painted("secrets", ofProgram, admissionv1.Fail)},
		Controllers: func() []embedded.Controller { return []embedded.Controller{follower{}} },
		StartClientGo: func(ctx context.Context, config *clientgo.Config) error {
			secrets := kubernetes.NewForConfigOrDie(config).CoreV1().Secrets("default")
			if _, err := secrets.List(ctx, metav1.ListOptions{}); err != nil {
				return err
			}
			painter, err := kubernetes.NewForConfigOrDie(config).AdmissionregistrationV1().MutatingWebhookConfigurations().Get(ctx, "painter", metav1.GetOptions{})
			if err != nil {
				return err
			}
			if service := painter.Webhooks[0].ClientConfig.Service; service == nil || service.Name != "painter" {
				t.Errorf("the webhook is at %+v", painter.Webhooks[0].ClientConfig)
			}
			return creator(webhook)(ctx, config)
		},
		Always: []perturb.Invariant{seen.of("secrets")},
	}, perturb.Limits{Schedules: 1})
	if err != nil || seen.seen[""] || !seen.seen["red"] {
		t.Errorf("error %v, colors %v", err, seen.seen)
	}
}

// Webhooks are served with the context of Start only.
func TestServeElsewhere(t *testing.T) {
	if err := perturb.Serve(t.Context(), &painter{}); err == nil {
		t.Error("no error")
	}
}
