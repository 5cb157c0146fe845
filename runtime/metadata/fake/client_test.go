package fake_test

import (
	"errors"
	"slices"
	"strings"
	stdtesting "testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/metadata/fake"
	"github.com/listwatch/listwatch/runtime/testing"
)

var books = schema.GroupVersionResource{Group: "library.dev", Version: "v1", Resource: "books"}

func book(name string) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{
		TypeMeta:   metav1.TypeMeta{APIVersion: "library.dev/v1", Kind: "Book"},
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, Labels: map[string]string{"shelf": name}},
	}
}

func newClient(t *stdtesting.T, objects ...runtime.Object) *fake.FakeMetadataClient {
	t.Helper()
	scheme := fake.NewTestScheme()
	if err := metav1.AddMetaToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	return fake.NewSimpleMetadataClient(scheme, objects...)
}

func TestVerbs(t *stdtesting.T) {
	client := newClient(t, book("a"), book("b"))
	c := client.Resource(books).Namespace("ns").(fake.MetadataClient)
	ctx := t.Context()
	if got, err := c.Get(ctx, "a", metav1.GetOptions{}); err != nil || got.Name != "a" || got.Kind != "Book" {
		t.Errorf("get: %v, %v", got, err)
	}
	if got, err := c.CreateFake(book("c"), metav1.CreateOptions{}); err != nil || got.Name != "c" {
		t.Errorf("create: %v, %v", got, err)
	}
	changed := book("c")
	changed.Annotations = map[string]string{"read": "yes"}
	if got, err := c.UpdateFake(changed, metav1.UpdateOptions{}); err != nil || got.Annotations["read"] != "yes" {
		t.Errorf("update: %v, %v", got, err)
	}
	if got, err := c.Patch(ctx, "c", types.MergePatchType, []byte(`{"metadata":{"labels":{"new":"1"}}}`), metav1.PatchOptions{}); err != nil || got.Labels["new"] != "1" {
		t.Errorf("patch: %v, %v", got, err)
	}
	if err := c.Delete(ctx, "b", metav1.DeleteOptions{}); err != nil {
		t.Errorf("delete: %v", err)
	}
	if _, err := c.Get(ctx, "b", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("get of a deleted object: %v", err)
	}
	list, err := client.Resource(books).List(ctx, metav1.ListOptions{})
	if err != nil || len(list.Items) != 2 {
		t.Errorf("list: %v, %v", list, err)
	}
	list, err = c.List(ctx, metav1.ListOptions{LabelSelector: "shelf=c"})
	if err != nil || len(list.Items) != 1 || list.Items[0].Name != "c" {
		t.Errorf("list with a selector: %v, %v", list, err)
	}
}

func TestWatch(t *stdtesting.T) {
	client := newClient(t)
	c := client.Resource(books).Namespace("ns").(fake.MetadataClient)
	w, err := c.Watch(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	if _, err := c.CreateFake(book("b"), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	event := <-w.ResultChan()
	if partial, ok := event.Object.(*metav1.PartialObjectMetadata); event.Type != watch.Added || !ok || partial.Name != "b" {
		t.Errorf("event %v", event)
	}
}

func TestReactors(t *stdtesting.T) {
	client := newClient(t)
	c := client.Resource(books)
	failure := errors.New("failure")
	answer := func(obj runtime.Object, err error) {
		client.PrependReactor("*", "*", func(testing.Action) (bool, runtime.Object, error) { return true, obj, err })
	}
	answer(nil, failure)
	if got, err := c.Get(t.Context(), "a", metav1.GetOptions{}); got != nil || !errors.Is(err, failure) {
		t.Errorf("error: %v, %v", got, err)
	}
	if got, err := c.List(t.Context(), metav1.ListOptions{}); got != nil || !errors.Is(err, failure) {
		t.Errorf("error of a list: %v, %v", got, err)
	}
	answer(&metav1.PartialObjectMetadataList{}, nil)
	if got, err := c.Get(t.Context(), "a", metav1.GetOptions{}); got != nil || err == nil {
		t.Errorf("another type: %v, %v", got, err)
	}
	if got, err := c.List(t.Context(), metav1.ListOptions{}); got != nil || err == nil {
		t.Errorf("another type of list: %v, %v", got, err)
	}
	answer(&metav1.List{Items: []runtime.RawExtension{{}}}, nil)
	if got, err := c.List(t.Context(), metav1.ListOptions{}); got != nil || err == nil {
		t.Errorf("another type of item: %v, %v", got, err)
	}
	answer(nil, nil)
	if got, err := c.Get(t.Context(), "a", metav1.GetOptions{}); got != nil || err != nil {
		t.Errorf("nothing: %v, %v", got, err)
	}
	client.ReactionChain = nil
	if got, err := c.Get(t.Context(), "a", metav1.GetOptions{}); got != nil || err == nil {
		t.Errorf("no reactor: %v, %v", got, err)
	}
}

// TestActions holds how calls are recorded.
func TestActions(t *stdtesting.T) {
	client := newClient(t, book("a"))
	c := client.Resource(books).Namespace("ns").(interface {
		fake.MetadataClient
		UpdateStatus(*metav1.PartialObjectMetadata, metav1.UpdateOptions) (*metav1.PartialObjectMetadata, error)
	})
	ctx := t.Context()
	_, create := c.CreateFake(book("a"), metav1.CreateOptions{}, "x", "y")
	_, update := c.UpdateFake(book("a"), metav1.UpdateOptions{}, "x", "y")
	_, status := c.UpdateStatus(book("a"), metav1.UpdateOptions{})
	_, get := c.Get(ctx, "a", metav1.GetOptions{}, "x", "y")
	_, patch := c.Patch(ctx, "a", types.MergePatchType, []byte(`{}`), metav1.PatchOptions{}, "x", "y")
	deletion := c.Delete(ctx, "a", metav1.DeleteOptions{}, "x", "y")
	collection := c.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{})
	if err := errors.Join(create, update, status, get, patch, deletion, collection); err != nil {
		t.Error(err)
	}
	var got []string
	for _, action := range client.Actions() {
		got = append(got, strings.TrimSpace(action.GetVerb()+" "+action.GetSubresource()))
	}
	want := []string{"create x/y", "update x/y", "update status", "get x/y", "patch x/y", "delete x/y", "delete-collection"}
	if !slices.Equal(got, want) {
		t.Errorf("actions %v, want %v", got, want)
	}
	if !client.IsWatchListSemanticsUnSupported() || client.Tracker() == nil {
		t.Error("the client claims WatchList, or has no tracker")
	}
}

func TestInvalidObject(t *stdtesting.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	fake.NewSimpleMetadataClient(fake.NewTestScheme(), book("a"))
}
