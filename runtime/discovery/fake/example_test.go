package fake_test

import (
	"fmt"
	"log"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/version"

	"github.com/listwatch/listwatch/runtime/discovery/fake"
	"github.com/listwatch/listwatch/runtime/testing"
)

// The fake returns what a test sets. That of a generated fake clientset is what its method Discovery returns.
func Example() {
	client := &fake.FakeDiscovery{
		Fake: &testing.Fake{Resources: []*metav1.APIResourceList{{
			GroupVersion: "library.dev/v1",
			APIResources: []metav1.APIResource{{Name: "books", Kind: "Book", Namespaced: true}},
		}}},
		FakedServerVersion: &version.Info{GitVersion: "v1.37.1"},
	}

	info, err := client.ServerVersion()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(info.GitVersion)
	list, err := client.ServerResourcesForGroupVersion("library.dev/v1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(list.APIResources[0].Name)
	// Output:
	// v1.37.1
	// books
}
