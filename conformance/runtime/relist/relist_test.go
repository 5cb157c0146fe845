package relist

import (
	"testing"
	"time"

	"go.uber.org/goleak"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/listwatch/listwatch/apitest/embedded"
	theirclients "github.com/listwatch/listwatch/golden/client-go/one-group/clientset/versioned"
	theirinformers "github.com/listwatch/listwatch/golden/client-go/one-group/informers/externalversions"
	"github.com/listwatch/listwatch/golden/one-group/clientset/versioned"
	"github.com/listwatch/listwatch/golden/one-group/informers/externalversions"
	"github.com/listwatch/listwatch/runtime/cache"
	libraryv1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// books returns a CRD of books, which are lent by default if lent is set.
func books(lent bool) *apiextensions.CustomResourceDefinition {
	status := apiextensions.JSONSchemaProps{Type: "object", Properties: map[string]apiextensions.JSONSchemaProps{"lent": {Type: "boolean"}}}
	if lent {
		status.Default = &apiextensions.JSON{Raw: []byte(`{"lent": true}`)}
	}
	schema := &apiextensions.JSONSchemaProps{Type: "object", Properties: map[string]apiextensions.JSONSchemaProps{
		"spec": {Type: "object", Properties: map[string]apiextensions.JSONSchemaProps{
			"title": {Type: "string"}, "pages": {Type: "integer", Format: "int32"},
		}},
		"status": status,
	}}
	return &apiextensions.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "books.library.example.com"},
		Spec: apiextensions.CustomResourceDefinitionSpec{
			Group: "library.example.com",
			Names: apiextensions.CustomResourceDefinitionNames{Plural: "books", Singular: "book", Kind: "Book", ListKind: "BookList"},
			Scope: apiextensions.NamespaceScoped,
			Versions: []apiextensions.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true,
				Schema:       &apiextensions.CustomResourceValidation{OpenAPIV3Schema: schema},
				Subresources: &apiextensions.CustomResourceSubresources{Status: &apiextensions.CustomResourceSubresourceStatus{}},
			}},
		},
	}
}

// TestNewDefault checks that after a relist, both informers have the objects with a default that
// their CRD got meanwhile.
func TestNewDefault(t *testing.T) {
	server := embedded.Start(t, embedded.WithCRDObjects(books(false)))
	client, err := versioned.NewForConfig(server.Config())
	if err != nil {
		t.Fatal(err)
	}
	kubeconfig, err := server.Kubeconfig()
	if err != nil {
		t.Fatal(err)
	}
	config, err := clientcmd.RESTConfigFromKubeConfig(kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	theirclient, err := theirclients.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	emma := &libraryv1.Book{ObjectMeta: metav1.ObjectMeta{Name: "emma"}, Spec: libraryv1.BookSpec{Title: "Emma"}}
	if _, err := client.LibraryV1().Books("default").Create(t.Context(), emma, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}

	ours, theirs := externalversions.NewSharedInformerFactory(client, 0), theirinformers.NewSharedInformerFactory(theirclient, 0)
	books1, books2 := ours.Library().V1().Books(), theirs.Library().V1().Books()
	informer := books1.Informer()
	told := make(chan [2]bool, 100)
	if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{UpdateFunc: func(before, after any) {
		told <- [2]bool{before.(*libraryv1.Book).Status.Lent, after.(*libraryv1.Book).Status.Lent}
	}}); err != nil {
		t.Fatal(err)
	}
	books2.Informer()
	stop := make(chan struct{})
	defer ours.Shutdown()
	defer theirs.Shutdown()
	defer close(stop)
	ours.Start(stop)
	theirs.Start(stop)
	ours.WaitForCacheSync(stop)
	theirs.WaitForCacheSync(stop)

	if err := server.Apply(t.Context(), books(true)); err != nil {
		t.Fatal(err)
	}
	if err := server.Restart(); err != nil { // earlier versions are expired
		t.Fatal(err)
	}

	list1 := func() ([]*libraryv1.Book, error) { return books1.Lister().List(labels.Everything()) }
	list2 := func() ([]*libraryv1.Book, error) { return books2.Lister().List(labels.Everything()) }
	await(t, "client-go's", list2)
	await(t, "our", list1)
	if got := <-told; got != [2]bool{false, true} {
		t.Errorf("the handler received it as lent: %v", got)
	}
	if err := cache.CheckDrift(t.Context(), informer); err != nil {
		t.Errorf("CheckDrift after the relist: %v", err)
	}
}

// await waits until the only book is lent.
func await(t *testing.T, whose string, list func() ([]*libraryv1.Book, error)) {
	t.Helper()
	for start := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		switch all, err := list(); {
		case err != nil || len(all) != 1:
			t.Fatalf("%s store has %d books (%v)", whose, len(all), err)
		case all[0].Status.Lent:
			return
		case time.Since(start) > 30*time.Second:
			t.Fatalf("%s store has the book without the new default", whose)
		}
	}
}
