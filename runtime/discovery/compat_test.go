package discovery_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/listwatch/listwatch/runtime/discovery"
	"github.com/listwatch/listwatch/runtime/internal/compattest"
	"github.com/listwatch/listwatch/runtime/rest"
)

func TestClientGoErrors(t *testing.T) {
	compattest.Run(t, testClientGoErrors)
}

// The server's errors are not wrapped.
func testClientGoErrors(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api" {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte("{"))
			return
		}
		w.WriteHeader(http.StatusNotFound)
	}))
	defer server.Close()
	client, err := discovery.NewDiscoveryClientForConfig(&rest.Config{Host: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.ServerResourcesForGroupVersion("none/v1")
	if _, ok := err.(*apierrors.StatusError); !ok { //nolint:errorlint // not wrapped
		t.Errorf("error %T %v, want a StatusError", err, err)
	}
	if _, err = client.ServerGroups(); err == nil || err.Error() != "unexpected end of JSON input" {
		t.Errorf("error %v", err)
	}
}
