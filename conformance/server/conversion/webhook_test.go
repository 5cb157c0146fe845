package conversion_test

import (
	"crypto/tls"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/apitest/embedded"
)

// webhook converts gadgets: v1 has a size, v2 a list of sizes.
type webhook struct {
	url string
	ca  []byte

	mu    sync.Mutex // guards the rest
	spoil func(*apiextensions.ConversionResponse)
}

func startWebhook(t *testing.T) *webhook {
	t.Helper()
	certificate, err := embedded.NewCertificate()
	if err != nil {
		t.Fatal(err)
	}
	pair, err := tls.X509KeyPair(certificate.Cert, certificate.Key)
	if err != nil {
		t.Fatal(err)
	}
	w := &webhook{ca: certificate.CA}
	server := httptest.NewUnstartedServer(w)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	server.StartTLS()
	t.Cleanup(server.Close)
	w.url = server.URL
	return w
}

// spoiled makes responses wrong until the next call; nil makes them right.
func (w *webhook) spoiled(spoil func(*apiextensions.ConversionResponse)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.spoil = spoil
}

func (w *webhook) ServeHTTP(out http.ResponseWriter, req *http.Request) {
	review := apiextensions.ConversionReview{}
	if err := json.NewDecoder(req.Body).Decode(&review); err != nil || review.Request == nil {
		http.Error(out, "not a review", http.StatusBadRequest)
		return
	}
	response := &apiextensions.ConversionResponse{UID: review.Request.UID, Result: metav1.Status{Status: metav1.StatusSuccess}}
	for _, raw := range review.Request.Objects {
		object := &unstructured.Unstructured{}
		if err := json.Unmarshal(raw.Raw, &object.Object); err != nil {
			response.Result = metav1.Status{Status: metav1.StatusFailure, Message: err.Error()}
			break
		}
		convert(object, review.Request.DesiredAPIVersion)
		response.ConvertedObjects = append(response.ConvertedObjects, runtime.RawExtension{Object: object})
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.spoil != nil {
		w.spoil(response)
	}
	review.Request, review.Response = nil, response
	out.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(out).Encode(review) // the server sees it
}

// convert converts a gadget.
func convert(object *unstructured.Unstructured, version string) {
	spec, _, _ := unstructured.NestedMap(object.Object, "spec")
	if object.GetAPIVersion() == version || spec == nil {
		object.SetAPIVersion(version)
		return
	}
	if size, ok := spec["size"]; ok {
		object.Object["spec"] = map[string]any{"sizes": []any{size}}
	}
	if sizes, ok := spec["sizes"].([]any); ok && len(sizes) > 0 {
		object.Object["spec"] = map[string]any{"size": sizes[0]}
	}
	object.SetAPIVersion(version)
}
