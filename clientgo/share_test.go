package clientgo_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	theirrest "k8s.io/client-go/rest"

	"github.com/listwatch/listwatch/clientgo"
	"github.com/listwatch/listwatch/runtime/rest"
)

// A client of client-go's authenticates by the HTTP client that it shares with ours, even if
// its config has no credentials.
func TestShare(t *testing.T) {
	var authorization string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		authorization = r.Header.Get("Authorization")
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"kind":"Pod","apiVersion":"v1","metadata":{"name":"one"}}`))
	}))
	defer server.Close()
	theirs, client, err := clientgo.Share(&rest.Config{Host: server.URL, BearerToken: "token"})
	if err != nil {
		t.Fatal(err)
	}
	defer client.CloseIdleConnections()
	core, err := typedcorev1.NewForConfigAndClient(theirrest.AnonymousClientConfig(theirs), client)
	if err != nil {
		t.Fatal(err)
	}
	pod, err := core.Pods("a").Get(t.Context(), "one", metav1.GetOptions{})
	if err != nil || pod.Name != "one" || authorization != "Bearer token" {
		t.Errorf("got %v, %v, with authorization %q", pod, err, authorization)
	}
	if _, _, err := clientgo.Share(&rest.Config{Host: server.URL, Burst: 1, TLSClientConfig: rest.TLSClientConfig{CAFile: "missing"}}); err == nil {
		t.Error("a config whose files are missing is shared")
	}
}
