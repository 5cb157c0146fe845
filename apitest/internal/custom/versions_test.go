package custom_test

import (
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

const tides = "/apis/example.com/v1/tides"

func TestVersionsOfADefinition(t *testing.T) {
	s := newServer(t)
	s.apply(twoVersions)
	old := strings.Replace(tides, "v1", "v1beta1", 1)
	made := s.must(http.StatusCreated, http.MethodPost, old,
		`{apiVersion: example.com/v1beta1, kind: Tide, metadata: {name: ebb}, spec: {phase: low, height: 3, extra: 1}}`)
	want := []string{
		`299 - "example.com/v1beta1 Tide is deprecated; use example.com/v1 Tide"`,
		`299 - "unknown field \"spec.extra\""`,
	}
	if diff := cmp.Diff(want, made.warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	got := s.must(http.StatusOK, http.MethodGet, tides+"/ebb", "")
	if diff := cmp.Diff(map[string]any{"phase": "low"}, pruneHeight(t, got)); diff != "" {
		t.Errorf("spec (-want +got):\n%s", diff)
	}
	if got := got.path("apiVersion"); got != "example.com/v1" {
		t.Errorf("apiVersion %v", got)
	}
	selected := s.must(http.StatusOK, http.MethodGet, old+"?fieldSelector=spec.phase%3Dhigh", "")
	if items := selected.path("items").([]any); len(items) != 0 {
		t.Errorf("selected %v", items)
	}
	s.must(http.StatusBadRequest, http.MethodGet, tides+"?fieldSelector=spec.phase%3Dhigh", "")

	s.apply(strings.NewReplacer("storage: true", "storage: false", "storage: false", "storage: true").Replace(twoVersions))
	stored := s.must(http.StatusOK, http.MethodGet, crdPath+"/tides.example.com", "")
	if diff := cmp.Diff([]any{"v1beta1", "v1"}, stored.path("status", "storedVersions")); diff != "" {
		t.Errorf("storedVersions (-want +got):\n%s", diff)
	}
	s.must(http.StatusOK, http.MethodGet, old+"/ebb", "")
}

// pruneHeight returns the spec without the field whose type differs between the versions.
func pruneHeight(t *testing.T, r response) map[string]any {
	t.Helper()
	spec, ok := r.path("spec").(map[string]any)
	if !ok {
		t.Fatalf("no spec in %v", r.body)
	}
	delete(spec, "height")
	return spec
}

// newWebhook serves conversions, in which spec.phase is called spec.state in v1.
func newWebhook(t *testing.T) (url, bundle string) {
	handler := func(w http.ResponseWriter, req *http.Request) {
		review := &v1.ConversionReview{}
		if err := json.NewDecoder(req.Body).Decode(review); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		answer := &v1.ConversionResponse{UID: review.Request.UID}
		answer.Result.Status = "Success"
		for _, raw := range review.Request.Objects {
			object := &unstructured.Unstructured{}
			if err := object.UnmarshalJSON(raw.Raw); err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			from, to := "phase", "state"
			if review.Request.DesiredAPIVersion == "example.com/v1beta1" {
				from, to = to, from
			}
			value, _, _ := unstructured.NestedString(object.Object, "spec", from)
			object.Object["spec"] = map[string]any{to: value}
			object.SetAPIVersion(review.Request.DesiredAPIVersion)
			answer.ConvertedObjects = append(answer.ConvertedObjects, runtime.RawExtension{Object: object})
		}
		review.Request, review.Response = nil, answer
		if err := json.NewEncoder(w).Encode(review); err != nil {
			t.Error(err)
		}
	}
	hook := httptest.NewTLSServer(http.HandlerFunc(handler))
	t.Cleanup(hook.Close)
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: hook.Certificate().Raw})
	return hook.URL, base64.StdEncoding.EncodeToString(certificate)
}

func TestConversionByAWebhook(t *testing.T) {
	url, bundle := newWebhook(t)
	s := newServer(t)
	s.apply(strings.NewReplacer(
		"  scope: Cluster\n", `  scope: Cluster
  conversion:
    strategy: Webhook
    webhook:
      conversionReviewVersions: [v1]
      clientConfig: {url: "`+url+`", caBundle: `+bundle+`}
`,
		"properties: {phase: {type: string}, height: {type: string}}", "properties: {state: {type: string}}",
	).Replace(twoVersions))
	s.must(http.StatusCreated, http.MethodPost, tides,
		`{apiVersion: example.com/v1, kind: Tide, metadata: {name: ebb}, spec: {state: low}}`)
	old := s.must(http.StatusOK, http.MethodGet, strings.Replace(tides, "v1", "v1beta1", 1)+"/ebb", "")
	if diff := cmp.Diff(map[string]any{"phase": "low"}, old.path("spec")); diff != "" {
		t.Errorf("spec in v1beta1 (-want +got):\n%s", diff)
	}
	list := s.must(http.StatusOK, http.MethodGet, tides, "").path("items").([]any)
	if !slices.ContainsFunc(list, func(item any) bool {
		state, _, _ := unstructured.NestedString(item.(map[string]any), "spec", "state")
		return state == "low"
	}) {
		t.Errorf("list in v1: %v", list)
	}
	// The watch of one version receives what is written in the other.
	w := s.watch(tides + "?watch=true")
	e, ok := w.next()
	if state, _, _ := unstructured.NestedString(e.Object.Object, "spec", "state"); !ok || state != "low" {
		t.Errorf("event %v, %v", e, ok)
	}
}
