package embedded_test

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	admissionreview "k8s.io/api/admission/v1"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/runtime/rest"
)

// webhooks respond to each review with the function for its path, and record the requested paths.
type webhooks struct {
	*httptest.Server
	closed chan struct{} // receives a value for each connection that ends
	mu     sync.Mutex    // guards calls
	calls  []string
}

// judge decides about an object: whether to allow it, why not, a JSON patch to it, and a warning.
type judge func(object *corev1.ConfigMap) (allowed bool, message, patch, warning string)

func startWebhooks(t *testing.T, judges map[string]judge) *webhooks {
	w := &webhooks{closed: make(chan struct{}, 100)}
	w.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(rw http.ResponseWriter, req *http.Request) {
		w.mu.Lock()
		w.calls = append(w.calls, req.URL.Path)
		w.mu.Unlock()
		review := admissionreview.AdmissionReview{}
		object := &corev1.ConfigMap{}
		if err := json.NewDecoder(req.Body).Decode(&review); err != nil {
			http.Error(rw, err.Error(), http.StatusBadRequest)
			return
		}
		if err := json.Unmarshal(review.Request.Object.Raw, object); err != nil {
			http.Error(rw, err.Error(), http.StatusBadRequest)
			return
		}
		answer := &admissionreview.AdmissionResponse{UID: review.Request.UID, Result: &metav1.Status{}}
		var patch, warning string
		answer.Allowed, answer.Result.Message, patch, warning = judges[req.URL.Path](object)
		if patch != "" {
			answer.Patch, answer.PatchType = []byte(patch), new(admissionreview.PatchTypeJSONPatch)
		}
		if warning != "" {
			answer.Warnings = []string{warning}
		}
		review.Request, review.Response = nil, answer
		_ = json.NewEncoder(rw).Encode(review) // the server reports a missing response
	}))
	w.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateClosed {
			w.closed <- struct{}{}
		}
	}
	w.StartTLS()
	t.Cleanup(w.Close)
	return w
}

// called returns the paths requested since the last call.
func (w *webhooks) called() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := strings.Join(w.calls, " ")
	w.calls = nil
	return out
}

func (w *webhooks) client(path string) admissionv1.WebhookClientConfig {
	return admissionv1.WebhookClientConfig{
		URL:      new(w.URL + path),
		CABundle: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: w.Certificate().Raw}),
	}
}

// ruleFor returns a rule for creates and updates of a resource.
func ruleFor(group, resource string) []admissionv1.RuleWithOperations {
	return []admissionv1.RuleWithOperations{{
		Operations: []admissionv1.OperationType{admissionv1.Create, admissionv1.Update},
		Rule:       admissionv1.Rule{APIGroups: []string{group}, APIVersions: []string{"v1"}, Resources: []string{resource}},
	}}
}

func (w *webhooks) mutating(path, group, resource string) admissionv1.MutatingWebhook {
	return admissionv1.MutatingWebhook{
		Name: strings.Trim(path, "/") + ".example.com", ClientConfig: w.client(path), Rules: ruleFor(group, resource),
		SideEffects: new(admissionv1.SideEffectClassNone), AdmissionReviewVersions: []string{"v1"},
	}
}

func (w *webhooks) validating(path, group, resource string) admissionv1.ValidatingWebhook {
	return admissionv1.ValidatingWebhook{
		Name: strings.Trim(path, "/") + ".example.com", ClientConfig: w.client(path), Rules: ruleFor(group, resource),
		SideEffects: new(admissionv1.SideEffectClassNone), AdmissionReviewVersions: []string{"v1"},
	}
}

// paint sets the annotation color.
func paint(object *corev1.ConfigMap) (bool, string, string, string) {
	if object.Annotations != nil {
		return true, "", `[{"op": "add", "path": "/metadata/annotations/color", "value": "red"}]`, ""
	}
	return true, "", `[{"op": "add", "path": "/metadata/annotations", "value": {"color": "red"}}]`, ""
}

// frame sets the annotation frame, if there is none.
func frame(object *corev1.ConfigMap) (bool, string, string, string) {
	if object.Annotations["frame"] != "" {
		return true, "", "", ""
	}
	return true, "", `[{"op": "add", "path": "/metadata/annotations/frame", "value": "gold"}]`, ""
}

// hang allows only red objects.
func hang(object *corev1.ConfigMap) (bool, string, string, string) {
	if color := object.Annotations["color"]; color != "red" {
		return false, fmt.Sprintf("%s is %q, not red", object.Name, color), "", ""
	}
	return true, "", "", "mind the nail"
}

func TestWebhooks(t *testing.T) {
	hooks := startWebhooks(t, map[string]judge{"/a.paint": paint, "/b.frame": frame, "/hang": hang})
	srv := embedded.Start(t, embedded.WithCRDs(folder(t, map[string]string{"widgets.yaml": manifest("widgets", "Widget")})))
	ctx := t.Context()
	clients := kubernetes.NewForConfigOrDie(srv.RESTConfig())
	judged := clients.AdmissionregistrationV1().ValidatingWebhookConfigurations()
	changed := clients.AdmissionregistrationV1().MutatingWebhookConfigurations()

	create := func(name string) (*corev1.ConfigMap, error) {
		return clients.CoreV1().ConfigMaps("default").Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
	}
	if _, err := create("free"); err != nil || hooks.called() != "" {
		t.Fatalf("without webhooks: %v", err)
	}

	judging := &admissionv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "museum"},
		Webhooks:   []admissionv1.ValidatingWebhook{hooks.validating("/hang", "", "configmaps"), hooks.validating("/hang", "example.com", "widgets")},
	}
	judging.Webhooks[1].Name = "widgets.example.com"
	if _, err := judged.Create(ctx, judging, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	const refusal = `admission webhook "hang.example.com" denied the request: one is "", not red`
	if _, err := create("one"); err == nil || err.Error() != refusal {
		t.Errorf("with a webhook that judges: got %v, want %s", err, refusal)
	}
	expectCalls(t, hooks, "/hang")

	again := hooks.mutating("/a.paint", "", "configmaps")
	again.ReinvocationPolicy = new(admissionv1.IfNeededReinvocationPolicy)
	changing := &admissionv1.MutatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "studio"},
		Webhooks:   []admissionv1.MutatingWebhook{again, hooks.mutating("/b.frame", "", "configmaps"), hooks.mutating("/a.paint", "example.com", "widgets")},
	}
	changing.Webhooks[2].Name = "widgets.example.com"
	if _, err := changed.Create(ctx, changing, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	one, err := create("one")
	if err != nil || one.Annotations["color"] != "red" || one.Annotations["frame"] != "gold" {
		t.Errorf("with webhooks that change: got %v and %v", one, err)
	}
	expectCalls(t, hooks, "/a.paint /b.frame /a.paint /hang")

	t.Run("apply", func(t *testing.T) { testApplyThroughWebhooks(t, clients, hooks) })
	t.Run("custom resource", func(t *testing.T) { testCustomThroughWebhooks(t, srv.Config(), hooks) })

	if err = changed.Delete(ctx, "studio", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if err = judged.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
		t.Fatal(err)
	}
	two, err := create("two")
	if err != nil || len(two.Annotations) > 0 {
		t.Errorf("without webhooks again: got %v and %v", two, err)
	}
	expectCalls(t, hooks, "")
}

func expectCalls(t *testing.T, hooks *webhooks, want string) {
	t.Helper()
	if got := hooks.called(); got != want {
		t.Errorf("called: %q, want %q", got, want)
	}
}

// Fields that webhooks change do not belong to the applier.
func testApplyThroughWebhooks(t *testing.T, clients kubernetes.Interface, hooks *webhooks) {
	applied, err := clients.CoreV1().ConfigMaps("default").Patch(t.Context(), "applied", types.ApplyPatchType,
		[]byte(`{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "applied"}, "data": {"a": "b"}}`),
		metav1.PatchOptions{FieldManager: "painter"})
	if err != nil {
		t.Fatal(err)
	}
	expectCalls(t, hooks, "/a.paint /b.frame /a.paint /hang")
	if applied.Annotations["color"] != "red" || applied.Data["a"] != "b" {
		t.Errorf("the applied object is %v, want color red from the webhook and a=b from the request", applied)
	}
	for _, m := range applied.ManagedFields {
		if m.Operation == metav1.ManagedFieldsOperationApply && strings.Contains(m.FieldsV1.GetRawString(), "color") {
			t.Errorf("%s owns what a webhook set: %s", m.Manager, m.FieldsV1.GetRawString())
		}
	}
}

func testCustomThroughWebhooks(t *testing.T, config *rest.Config, hooks *webhooks) {
	recorder := &warnings{}
	config.WarningHandler = recorder
	body, err := client(t, config).Post().AbsPath("/apis/example.com/v1/namespaces/default/widgets").
		Body([]byte(`{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "one"}, "spec": {"size": 1}}`)).
		SetHeader("Content-Type", "application/json").Do(t.Context()).Raw()
	if err != nil || !strings.Contains(string(body), `"annotations":{"color":"red"}`) {
		t.Errorf("got %s and %v", body, err)
	}
	expectCalls(t, hooks, "/a.paint /hang")
	if got := strings.Join(*recorder, ", "); got != "mind the nail" {
		t.Errorf("warnings: %q", got)
	}
}

// warnings are the warnings that a client received.
type warnings []string

func (w *warnings) HandleWarningHeader(_ int, _, text string) { *w = append(*w, text) }

// A stopped server leaves no connection to webhooks, which continue to run.
func TestWebhooksOutliveServers(t *testing.T) {
	hooks := startWebhooks(t, map[string]judge{"/a.paint": paint})
	srv, err := embedded.New(embedded.WithObjects(
		&admissionv1.MutatingWebhookConfiguration{
			ObjectMeta: metav1.ObjectMeta{Name: "studio"},
			Webhooks:   []admissionv1.MutatingWebhook{hooks.mutating("/a.paint", "", "configmaps")},
		},
		&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "one", Namespace: "default"}},
	))
	if err != nil {
		t.Fatal(err)
	}
	one, err := kubernetes.NewForConfigOrDie(srv.RESTConfig()).CoreV1().ConfigMaps("default").Get(context.Background(), "one", metav1.GetOptions{})
	if err != nil || one.Annotations["color"] != "red" {
		t.Errorf("got %v and %v", one, err)
	}
	if err := srv.Stop(); err != nil {
		t.Error(err)
	}
	select {
	case <-hooks.closed:
	case <-time.After(time.Minute):
		t.Error("a connection to a webhook is still open")
	}
}
