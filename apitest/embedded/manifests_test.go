package embedded_test

import (
	"crypto/tls"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/listwatch/listwatch/apitest/embedded"
)

const kustomized = `
apiVersion: v1
kind: ServiceAccount
metadata: {name: controller, namespace: books-system}
---
# a comment alone
---
apiVersion: example.com/v1
kind: A
metadata: {name: one, namespace: books-system}
spec: {size: 1}
---
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Namespace, metadata: {name: books-system}}
- {apiVersion: v1, kind: Namespace, metadata: {name: default}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleList
items:
- metadata: {name: reader, namespace: books-system}
---
` // the CRD follows

func TestWithManifests(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "crd", "as.yaml"), manifest("as", "A"))
	write(t, filepath.Join(dir, "b.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n")
	write(t, filepath.Join(dir, "notes.txt"), "not a manifest")
	for name, opts := range map[string][]embedded.Option{
		"text":           {embedded.WithManifestText(kustomized+manifest("as", "A"), `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"b"}}`)},
		"text and files": {embedded.WithManifestText(kustomized), embedded.WithManifests(dir)},
	} {
		t.Run(name, func(t *testing.T) {
			srv := embedded.Start(t, opts...)
			for _, path := range []string{
				"/api/v1/namespaces/books-system/serviceaccounts/controller",
				"/apis/example.com/v1/namespaces/books-system/as/one",
				"/api/v1/namespaces/default/configmaps/b",
				"/apis/rbac.authorization.k8s.io/v1/namespaces/books-system/roles/reader",
			} {
				if code, body := get(t, srv.Config(), path); code != http.StatusOK {
					t.Errorf("%s: %d %s", path, code, body)
				}
			}
		})
	}
}

func TestWithInvalidManifests(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "kustomization.yaml"), "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n")
	twice := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n"
	for name, c := range map[string]struct {
		option embedded.Option
		want   string
	}{
		"missing":   {embedded.WithManifests("nowhere"), "no such file, directory or match"},
		"empty":     {embedded.WithManifests(""), "a path is empty"},
		"kustomize": {embedded.WithManifests(dir), "kustomization.yaml: document 1: Kustomization of kustomize: pass the output of kustomize build to WithManifestText"},
		"no kind":   {embedded.WithManifestText("---\na: b"), "text 1: document 1: not an object of Kubernetes: it has no kind"},
		"no YAML":   {embedded.WithManifestText("a: b: c"), "text 1: document 1: "},
		"unserved":  {embedded.WithManifestText("{apiVersion: x.io/v1, kind: X, metadata: {name: x}}"), "neither a CustomResourceDefinition nor the scheme has x.io/v1, Kind=X"},
		"twice":     {embedded.WithManifestText(twice, twice), `create ConfigMap "b": configmaps "b" already exists`},
		"invalid":   {embedded.WithManifestText("{apiVersion: v1, kind: ConfigMap, metadata: {name: B}}"), `create ConfigMap "B": ConfigMap "B" is invalid`},
	} {
		t.Run(name, func(t *testing.T) {
			srv, err := embedded.New(c.option)
			if err == nil {
				_ = srv.Stop()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("start a server with the manifests: got error %v, want one with %q", err, c.want)
			}
		})
	}
}

// hooked are a webhook for each of admission and conversion, at services, and an object that the first rejects.
const hooked = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: books}
webhooks:
- name: books.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {service: {name: books, namespace: system, path: /validate}}
  rules:
  - {apiGroups: [""], apiVersions: [v1], resources: [configmaps], operations: [CREATE]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: first}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: bs.example.com}
spec:
  group: example.com
  names: {plural: bs, kind: B}
  scope: Namespaced
  conversion:
    strategy: Webhook
    webhook:
      conversionReviewVersions: [v1]
      clientConfig: {service: {name: books, namespace: system}}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
---
apiVersion: example.com/v1
kind: B
metadata: {name: one}
`

// serveHooks rejects all objects, and converts objects by changing their version.
func serveHooks(w http.ResponseWriter, req *http.Request) {
	var review map[string]any
	if err := json.NewDecoder(req.Body).Decode(&review); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	request := review["request"].(map[string]any)
	response := map[string]any{"uid": request["uid"]}
	switch req.URL.Path {
	case "/validate":
		response["allowed"] = false
	case "/convert":
		objects := request["objects"].([]any)
		for _, object := range objects {
			object.(map[string]any)["apiVersion"] = request["desiredAPIVersion"]
		}
		response["convertedObjects"], response["result"] = objects, map[string]any{"status": "Success"}
	default:
		http.NotFound(w, req)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"apiVersion": review["apiVersion"], "kind": review["kind"], "response": response})
}

func TestWebhookServer(t *testing.T) {
	certificate, err := embedded.NewCertificate()
	if err != nil {
		t.Fatal(err)
	}
	pair, err := certificate.TLS()
	if err != nil {
		t.Fatal(err)
	}
	hooks := httptest.NewUnstartedServer(http.HandlerFunc(serveHooks))
	hooks.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
	hooks.StartTLS()
	t.Cleanup(hooks.Close)
	srv := embedded.Start(t, embedded.WithManifestText(hooked), embedded.WithWebhooks(hooks.URL, certificate.CA))

	code, body := get(t, srv.Config(), "/apis/example.com/v2/namespaces/default/bs/one")
	if code != http.StatusOK || !strings.Contains(body, `"apiVersion":"example.com/v2"`) {
		t.Errorf("conversion: %d %s", code, body)
	}
	clients := kubernetes.NewForConfigOrDie(srv.RESTConfig())
	second := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "second"}}
	_, err = clients.CoreV1().ConfigMaps("default").Create(t.Context(), second, metav1.CreateOptions{})
	if err == nil || !strings.Contains(err.Error(), `"books.example.com" denied the request`) {
		t.Errorf("admission: %v", err)
	}
}
