package discovery_test

import (
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/discovery"
	"github.com/listwatch/listwatch/runtime/rest"
)

// A program that can use an optional resource asks the server whether it has it.
func ExampleIsResourceEnabled() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"kind": "APIResourceList", "groupVersion": "library.dev/v1", "resources": [
			{"name": "books", "kind": "Book", "namespaced": true, "verbs": ["get", "list"]}]}`)
	}))
	defer server.Close()

	client, err := discovery.NewDiscoveryClientForConfig(&rest.Config{Host: server.URL})
	if err != nil {
		log.Fatal(err)
	}
	for _, resource := range []string{"books", "films"} {
		enabled, err := discovery.IsResourceEnabled(client, schema.GroupVersionResource{Group: "library.dev", Version: "v1", Resource: resource})
		fmt.Println(resource, enabled, err)
	}
	// Output:
	// books true <nil>
	// films false <nil>
}

func ExampleDiscoveryClient_ServerVersion() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Println(r.Method, r.URL.Path)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"major": "1", "minor": "37", "gitVersion": "v1.37.1"}`)
	}))
	defer server.Close()

	client, err := discovery.NewDiscoveryClientForConfig(&rest.Config{Host: server.URL})
	if err != nil {
		log.Fatal(err)
	}
	version, err := client.ServerVersion()
	fmt.Println(version, err)
	// Output:
	// GET /version
	// v1.37.1 <nil>
}
