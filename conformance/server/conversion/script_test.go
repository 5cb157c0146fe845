package conversion_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/runtime/rest"
)

const definition = `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "gadgets.example.com"},
"spec": {"group": "example.com", "scope": "Namespaced", "names": {"plural": "gadgets", "singular": "gadget", "kind": "Gadget", "listKind": "GadgetList"},
"conversion": {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {"url": %q, "caBundle": %q}}},
"versions": [
 {"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "object", "properties": {"size": {"type": "integer"}, "note": {"type": "string"}}}}}}},
 {"name": "v2", "served": true, "storage": false, "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "object", "properties": {"sizes": {"type": "array", "items": {"type": "integer", "minimum": 0}}}}}}}}
]}}`

// gadgets are the collections of both versions.
const gadgets1, gadgets2 = "/apis/example.com/v1/namespaces/default/gadgets", "/apis/example.com/v2/namespaces/default/gadgets"

// script is what is done on each server; spoil makes the responses of the webhook to a request wrong. Objects whose
// conversion fails are new, since apitest converts a state of an object once.
var script = []struct {
	method, path, contentType, body string
	spoil                           func(*apiextensions.ConversionResponse)
}{
	{method: "POST", path: gadgets1, body: `{"apiVersion": "example.com/v1", "kind": "Gadget", "metadata": {"name": "one"}, "spec": {"size": 1}}`},
	{method: "POST", path: gadgets2, body: `{"apiVersion": "example.com/v2", "kind": "Gadget", "metadata": {"name": "two"}, "spec": {"sizes": [2]}}`},
	{method: "POST", path: gadgets2, body: `{"apiVersion": "example.com/v2", "kind": "Gadget", "metadata": {"name": "wrong"}, "spec": {"sizes": [-2]}}`},
	{method: "GET", path: gadgets1 + "/two"},
	{method: "GET", path: gadgets2 + "/one"},
	{method: "GET", path: gadgets1},
	{method: "GET", path: gadgets2},
	{method: "GET", path: gadgets2 + "?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=1"},
	{method: "PATCH", path: gadgets2 + "/one", contentType: "application/merge-patch+json", body: `{"spec": {"sizes": [5]}}`},
	{method: "PATCH", path: gadgets2 + "/three?fieldManager=me", contentType: "application/apply-patch+yaml", body: `{"apiVersion": "example.com/v2", "kind": "Gadget", "metadata": {"name": "three"}, "spec": {"sizes": [3]}}`},
	{method: "PATCH", path: gadgets1 + "/three?fieldManager=you", contentType: "application/apply-patch+yaml", body: `{"apiVersion": "example.com/v1", "kind": "Gadget", "metadata": {"name": "three"}, "spec": {"size": 4}}`},
	{method: "PUT", path: gadgets2 + "/two", body: `{"apiVersion": "example.com/v2", "kind": "Gadget", "metadata": {"name": "two"}, "spec": {"sizes": [7]}}`},
	{method: "POST", path: gadgets1, body: `{"apiVersion": "example.com/v1", "kind": "Gadget", "metadata": {"name": "bad1"}, "spec": {"size": 1}}`},
	{method: "GET", path: gadgets2 + "/bad1", spoil: func(r *apiextensions.ConversionResponse) { r.UID = "another" }},
	{method: "POST", path: gadgets1, body: `{"apiVersion": "example.com/v1", "kind": "Gadget", "metadata": {"name": "bad2"}, "spec": {"size": 1}}`},
	{method: "GET", path: gadgets2 + "/bad2", spoil: func(r *apiextensions.ConversionResponse) { r.ConvertedObjects = nil }},
	{method: "POST", path: gadgets1, body: `{"apiVersion": "example.com/v1", "kind": "Gadget", "metadata": {"name": "bad3"}, "spec": {"size": 1}}`},
	{method: "GET", path: gadgets2 + "/bad3", spoil: func(r *apiextensions.ConversionResponse) {
		r.Result = metav1.Status{Status: metav1.StatusFailure, Message: "too difficult"}
	}},
	{method: "POST", path: gadgets1, body: `{"apiVersion": "example.com/v1", "kind": "Gadget", "metadata": {"name": "bad4"}, "spec": {"size": 1}}`},
	{method: "GET", path: gadgets2 + "/bad4", spoil: change(func(o *unstructured.Unstructured) { o.SetName("three") })},
	{method: "POST", path: gadgets1, body: `{"apiVersion": "example.com/v1", "kind": "Gadget", "metadata": {"name": "bad5"}, "spec": {"size": 1}}`},
	{method: "GET", path: gadgets2 + "/bad5", spoil: change(func(o *unstructured.Unstructured) { o.SetAPIVersion("example.com/v1") })},
	{method: "POST", path: gadgets1, body: `{"apiVersion": "example.com/v1", "kind": "Gadget", "metadata": {"name": "bad6"}, "spec": {"size": 1}}`},
	{method: "GET", path: gadgets2 + "/bad6", spoil: change(func(o *unstructured.Unstructured) { o.SetKind("Widget") })},
	{method: "POST", path: gadgets1, body: `{"apiVersion": "example.com/v1", "kind": "Gadget", "metadata": {"name": "bad7"}, "spec": {"size": 1}}`},
	{method: "GET", path: gadgets2 + "/bad7", spoil: change(func(o *unstructured.Unstructured) { o.SetLabels(map[string]string{"a": "b"}) })},
	{method: "POST", path: gadgets1, body: `{"apiVersion": "example.com/v1", "kind": "Gadget", "metadata": {"name": "bad8"}, "spec": {"size": 1}}`},
	{method: "GET", path: gadgets2 + "/bad8", spoil: change(func(o *unstructured.Unstructured) { o.SetLabels(map[string]string{"a b": "b"}) })},
	{method: "POST", path: gadgets2, body: `{"apiVersion": "example.com/v2", "kind": "Gadget", "metadata": {"name": "four"}, "spec": {"sizes": [4]}}`, spoil: func(r *apiextensions.ConversionResponse) {
		r.Result = metav1.Status{Status: metav1.StatusFailure}
	}},
	{method: "GET", path: gadgets1 + "/two"},
	{method: "DELETE", path: gadgets2 + "/two"},
	{method: "DELETE", path: gadgets1 + "/two"},
	{method: "DELETE", path: gadgets1},
}

// change returns a function that changes the objects in a response.
func change(object func(*unstructured.Unstructured)) func(*apiextensions.ConversionResponse) {
	return func(r *apiextensions.ConversionResponse) {
		for _, converted := range r.ConvertedObjects {
			object(converted.Object.(*unstructured.Unstructured))
		}
	}
}

// run runs the script, and returns the answers.
func run(t *testing.T, config *rest.Config) string {
	t.Helper()
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	w := startWebhook(t)
	send := func(method, path, contentType, body string) (int, []byte) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, config.Host+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if contentType == "" {
			contentType = runtime.ContentTypeJSON
		}
		req.Header.Set("Content-Type", contentType)
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close() //nolint:errcheck // it was read
		answer, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, answer
	}
	crd := fmt.Sprintf(definition, w.url, base64.StdEncoding.EncodeToString(w.ca))
	if code, answer := send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "", crd); code != http.StatusCreated {
		t.Fatalf("define: %d %s", code, answer)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		one, _ := send("GET", gadgets1, "", "")
		two, _ := send("GET", gadgets2, "", "")
		if one == http.StatusOK && two == http.StatusOK {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the definition is not served after a minute")
		}
	}
	var out strings.Builder
	for _, s := range script {
		w.spoiled(s.spoil)
		code, answer := send(s.method, s.path, s.contentType, s.body)
		fmt.Fprintf(&out, "%s %s\n< %d\n", s.method, s.path, code)
		for line := range bytes.Lines(bytes.TrimSpace(answer)) {
			out.WriteString(normal(t, line, w.url))
		}
		out.WriteString("\n")
	}
	return out.String()
}

// normal returns an answer without what differs between runs.
func normal(t *testing.T, answer []byte, url string) string {
	t.Helper()
	var value any
	if err := json.Unmarshal(answer, &value); err != nil {
		t.Fatalf("%s: %v", answer, err)
	}
	forget(value)
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return variable.ReplaceAllString(strings.ReplaceAll(string(text), url, "https://webhook"), "<>") + "\n"
}

// variable is what differs in the texts of messages: UIDs and revisions.
var variable = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|revision=\d+`)

// forget removes versions, identifiers and times.
func forget(value any) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			forget(item)
		}
	case map[string]any:
		for _, name := range []string{"uid", "resourceVersion", "creationTimestamp", "time", "remainingItemCount"} {
			delete(v, name)
		}
		for _, field := range v {
			forget(field)
		}
	}
}

func TestApitest(t *testing.T) {
	want, err := os.ReadFile("testdata/answers.txt")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), run(t, embedded.Start(t).Config())); d != "" {
		t.Errorf("kube-apiserver answers otherwise:\n%s", d)
	}
}
