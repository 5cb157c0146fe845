package memory_test

import (
	"fmt"
	"log"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/discovery/cached/memory"
	"github.com/listwatch/listwatch/runtime/discovery/fake"
	"github.com/listwatch/listwatch/runtime/testing"
)

// The cache requests everything once, and again after Invalidate.
func Example() {
	server := &fake.FakeDiscovery{Fake: &testing.Fake{Resources: []*metav1.APIResourceList{{
		GroupVersion: "library.dev/v1",
		APIResources: []metav1.APIResource{{Name: "books", Kind: "Book"}},
	}}}}
	client := memory.NewMemCacheClient(server) // in a program, of discovery.NewDiscoveryClientForConfig

	for _, invalidate := range []bool{false, false, true} {
		if invalidate {
			client.Invalidate()
		}
		server.ClearActions()
		list, err := client.ServerResourcesForGroupVersion("library.dev/v1")
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s, requested: %t\n", list.APIResources[0].Name, len(server.Actions()) > 0)
	}
	// Output:
	// books, requested: true
	// books, requested: false
	// books, requested: true
}
