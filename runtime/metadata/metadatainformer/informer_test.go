package metadatainformer_test

import (
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"go.uber.org/goleak"

	"github.com/listwatch/listwatch/runtime/metadata/fake"
	"github.com/listwatch/listwatch/runtime/metadata/metadatainformer"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var books = schema.GroupVersionResource{Group: "library.dev", Version: "v1", Resource: "books"}

func book(namespace, name string) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{
		TypeMeta:   metav1.TypeMeta{APIVersion: "library.dev/v1", Kind: "Book"},
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: map[string]string{"a": "b"}},
	}
}

func newClient(t *testing.T) *fake.FakeMetadataClient {
	t.Helper()
	scheme := fake.NewTestScheme()
	if err := metav1.AddMetaToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	return fake.NewSimpleMetadataClient(scheme, book("a", "x"), book("b", "y"))
}

func withoutLabels(obj any) (any, error) {
	obj.(*metav1.PartialObjectMetadata).Labels = nil
	return obj, nil
}

func TestFactory(t *testing.T) {
	for _, test := range []struct {
		name    string
		factory func(t *testing.T) metadatainformer.SharedInformerFactory
		want    []string // keys
		labels  bool
	}{
		{"all namespaces", func(t *testing.T) metadatainformer.SharedInformerFactory {
			return metadatainformer.NewSharedInformerFactory(newClient(t), 0)
		}, []string{"a/x", "b/y"}, true},
		{"one namespace", func(t *testing.T) metadatainformer.SharedInformerFactory {
			return metadatainformer.NewFilteredSharedInformerFactory(newClient(t), 0, "b", nil)
		}, []string{"b/y"}, true},
		{"with a transform", func(t *testing.T) metadatainformer.SharedInformerFactory {
			return metadatainformer.NewSharedInformerFactoryWithOptions(newClient(t), 0, metadatainformer.WithTransform(withoutLabels))
		}, []string{"a/x", "b/y"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			factory := test.factory(t)
			stop := make(chan struct{})
			defer factory.Shutdown()
			defer close(stop)
			informer := factory.ForResource(books)
			if factory.ForResource(books).Informer() != informer.Informer() {
				t.Error("the informer is not shared")
			}
			factory.Start(stop)
			if synced := factory.WaitForCacheSync(stop); len(synced) != 1 || !synced[books] {
				t.Fatalf("synced %v", synced)
			}
			if got := slices.Sorted(slices.Values(informer.Informer().GetStore().ListKeys())); !slices.Equal(got, test.want) {
				t.Errorf("keys %v, want %v", got, test.want)
			}
			objects, err := informer.Lister().ByNamespace("b").List(labels.Everything())
			if err != nil || len(objects) != 1 {
				t.Fatalf("lister: %v, %v", objects, err)
			}
			if partial := objects[0].(*metav1.PartialObjectMetadata); (len(partial.Labels) > 0) != test.labels {
				t.Errorf("labels %v", partial.Labels)
			}
		})
	}
}
