package restmapper_test

import (
	"fmt"
	"log"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/discovery/cached/memory"
	"github.com/listwatch/listwatch/runtime/discovery/fake"
	"github.com/listwatch/listwatch/runtime/restmapper"
	"github.com/listwatch/listwatch/runtime/testing"
)

// A mapper finds the resource of a kind, for example to send an object from a file with a dynamic client.
func ExampleNewDeferredDiscoveryRESTMapper() {
	server := &fake.FakeDiscovery{Fake: &testing.Fake{Resources: []*metav1.APIResourceList{{
		GroupVersion: "library.dev/v1",
		APIResources: []metav1.APIResource{{Name: "shelves", SingularName: "shelf", Kind: "Shelf", Namespaced: true}},
	}}}} // in a program, discovery.NewDiscoveryClientForConfig
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(server))

	mapping, err := mapper.RESTMapping(schema.GroupKind{Group: "library.dev", Kind: "Shelf"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(mapping.Resource, mapping.Scope.Name())
	kind, err := mapper.KindFor(schema.GroupVersionResource{Resource: "shelves"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(kind)
	// Output:
	// library.dev/v1, Resource=shelves namespace
	// library.dev/v1, Kind=Shelf
}

// Users of command-line tools write short names.
func ExampleNewShortcutExpander() {
	server := &fake.FakeDiscovery{Fake: &testing.Fake{Resources: []*metav1.APIResourceList{{
		GroupVersion: "library.dev/v1",
		APIResources: []metav1.APIResource{{Name: "books", SingularName: "book", Kind: "Book", ShortNames: []string{"bk"}}},
	}}}}
	client := memory.NewMemCacheClient(server)
	mapper := restmapper.NewShortcutExpander(restmapper.NewDeferredDiscoveryRESTMapper(client), client, func(warning string) {
		fmt.Println(warning)
	})

	resource, err := mapper.ResourceFor(schema.GroupVersionResource{Resource: "bk"})
	fmt.Println(resource, err)
	// Output: library.dev/v1, Resource=books <nil>
}

func ExampleNewDiscoveryCategoryExpander() {
	server := &fake.FakeDiscovery{Fake: &testing.Fake{Resources: []*metav1.APIResourceList{{
		GroupVersion: "library.dev/v1",
		APIResources: []metav1.APIResource{
			{Name: "books", Kind: "Book", Categories: []string{"all", "media"}},
			{Name: "films", Kind: "Film", Categories: []string{"media"}},
			{Name: "shelves", Kind: "Shelf", Categories: []string{"all"}},
		},
	}}}}
	expander := restmapper.NewDiscoveryCategoryExpander(server)
	resources, found := expander.Expand("media")
	fmt.Println(resources, found)
	// Output: [books.library.dev films.library.dev] true
}
