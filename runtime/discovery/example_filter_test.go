package discovery_test

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/discovery"
	"github.com/listwatch/listwatch/runtime/discovery/fake"
	"github.com/listwatch/listwatch/runtime/testing"
)

// FilteredBy selects resources, here those that informers can list and watch.
func ExampleFilteredBy() {
	client := &fake.FakeDiscovery{Fake: &testing.Fake{Resources: []*metav1.APIResourceList{{
		GroupVersion: "library.dev/v1",
		APIResources: []metav1.APIResource{
			{Name: "books", Kind: "Book", Verbs: metav1.Verbs{"create", "get", "list", "watch"}},
			{Name: "loans", Kind: "Loan", Verbs: metav1.Verbs{"create"}},
		},
	}}}}
	_, resources, err := client.ServerGroupsAndResources()
	if err != nil {
		fmt.Println(err) // some groups are not available: the others are in resources
	}
	for _, list := range discovery.FilteredBy(discovery.SupportsAllVerbs{Verbs: []string{"list", "watch"}}, resources) {
		for _, resource := range list.APIResources {
			fmt.Println(list.GroupVersion, resource.Name)
		}
	}
	// Output: library.dev/v1 books
}
