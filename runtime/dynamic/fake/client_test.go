package fake_test

import (
	"errors"
	"slices"
	"strings"
	stdtesting "testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/dynamic/fake"
	"github.com/listwatch/listwatch/runtime/testing"
)

var (
	books = schema.GroupVersionResource{Group: "library.dev", Version: "v1", Resource: "books"}
	geese = schema.GroupVersionResource{Group: "farm.dev", Version: "v1", Resource: "geese"}
)

func object(apiVersion, kind, namespace, name string, labels map[string]any) *unstructured.Unstructured {
	metadata := map[string]any{"name": name}
	if namespace != "" {
		metadata["namespace"] = namespace
	}
	if labels != nil {
		metadata["labels"] = labels
	}
	return &unstructured.Unstructured{Object: map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": metadata}}
}

func book(name string) *unstructured.Unstructured {
	return object("library.dev/v1", "Book", "ns", name, map[string]any{"shelf": name})
}

func names(list *unstructured.UnstructuredList) (names []string) {
	for _, item := range list.Items {
		names = append(names, item.GetName())
	}
	return names
}

func TestVerbs(t *stdtesting.T) {
	client := fake.NewSimpleDynamicClient(runtime.NewScheme(), book("a"), book("b"))
	c := client.Resource(books).Namespace("ns")
	ctx := t.Context()

	if got, err := c.Get(ctx, "a", metav1.GetOptions{}); err != nil || got.GetName() != "a" || got.GetKind() != "Book" {
		t.Errorf("get: %v, %v", got, err)
	}
	if _, err := c.Create(ctx, book("a"), metav1.CreateOptions{}); !apierrors.IsAlreadyExists(err) {
		t.Errorf("create: %v", err)
	}
	if got, err := c.Create(ctx, book("c"), metav1.CreateOptions{}); err != nil || got.GetName() != "c" {
		t.Errorf("create: %v, %v", got, err)
	}
	changed := book("c")
	changed.SetAnnotations(map[string]string{"read": "yes"})
	if got, err := c.Update(ctx, changed, metav1.UpdateOptions{}); err != nil || got.GetAnnotations()["read"] != "yes" {
		t.Errorf("update: %v, %v", got, err)
	}
	if got, err := c.Patch(ctx, "c", types.MergePatchType, []byte(`{"spec":{"pages":3}}`), metav1.PatchOptions{}); err != nil || got.Object["spec"].(map[string]any)["pages"] != int64(3) {
		t.Errorf("patch: %v, %v", got, err)
	}
	if err := c.Delete(ctx, "b", metav1.DeleteOptions{}); err != nil {
		t.Errorf("delete: %v", err)
	}
	if _, err := c.Get(ctx, "b", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("get of a deleted object: %v", err)
	}
	list, err := client.Resource(books).List(ctx, metav1.ListOptions{})
	if err != nil || !slices.Equal(names(list), []string{"a", "c"}) || list.GetKind() != "BookList" {
		t.Errorf("list: %v, %v", list, err)
	}
	list, err = c.List(ctx, metav1.ListOptions{LabelSelector: "shelf=c"})
	if err != nil || !slices.Equal(names(list), []string{"c"}) {
		t.Errorf("list with a selector: %v, %v", list, err)
	}
	var verbs []string
	for _, action := range client.Actions() {
		verbs = append(verbs, action.GetVerb())
	}
	if want := []string{"get", "create", "create", "update", "patch", "delete", "get", "list", "list"}; !slices.Equal(verbs, want) {
		t.Errorf("actions %v, want %v", verbs, want)
	}
}

func TestWatch(t *stdtesting.T) {
	client := fake.NewSimpleDynamicClient(runtime.NewScheme(), book("a"))
	w, err := client.Resource(books).Watch(t.Context(), metav1.ListOptions{ResourceVersion: "2"})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	if _, err := client.Resource(books).Namespace("ns").Create(t.Context(), book("b"), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	event := <-w.ResultChan()
	if u, ok := event.Object.(*unstructured.Unstructured); event.Type != watch.Added || !ok || u.GetName() != "b" {
		t.Errorf("event %v", event)
	}
}

// TestReactors holds that what reactors return reaches the caller, typed or not.
func TestReactors(t *stdtesting.T) {
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	scheme.AddKnownTypeWithName(books.GroupVersion().WithKind("Book"), &metav1.PartialObjectMetadata{})
	client := fake.NewSimpleDynamicClientWithCustomListKinds(scheme, map[schema.GroupVersionResource]string{books: "BookList"})
	c := client.Resource(books)
	failure := errors.New("failure")
	answer := func(obj runtime.Object, err error) {
		client.PrependReactor("*", "*", func(testing.Action) (bool, runtime.Object, error) { return true, obj, err })
	}

	answer(&metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "typed"}}, nil)
	if got, err := c.Get(t.Context(), "a", metav1.GetOptions{}); err != nil || got.GetName() != "typed" || got.GetKind() != "Book" {
		t.Errorf("typed: %v, %v", got, err)
	}
	answer(nil, failure)
	if got, err := c.Get(t.Context(), "a", metav1.GetOptions{}); got != nil || !errors.Is(err, failure) {
		t.Errorf("error: %v, %v", got, err)
	}
	if got, err := c.List(t.Context(), metav1.ListOptions{}); got != nil || !errors.Is(err, failure) {
		t.Errorf("error of a list: %v, %v", got, err)
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

func TestListKinds(t *stdtesting.T) {
	scheme := runtime.NewScheme()
	client := fake.NewSimpleDynamicClientWithCustomListKinds(scheme, map[schema.GroupVersionResource]string{geese: "GooseList"})
	c := client.Resource(geese)
	if _, err := c.Create(t.Context(), object("farm.dev/v1", "Goose", "", "a", nil), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if list, err := c.List(t.Context(), metav1.ListOptions{}); err != nil || list.GetKind() != "GooseList" || len(list.Items) != 1 {
		t.Errorf("list %v, %v", list, err)
	}
	if !scheme.Recognizes(geese.GroupVersion().WithKind("GooseList")) {
		t.Error("the scheme lacks the list")
	}
	for name, f := range map[string]func(){
		"unknown": func() { _, _ = client.Resource(books).List(t.Context(), metav1.ListOptions{}) },
		"suffix": func() {
			fake.NewSimpleDynamicClientWithCustomListKinds(scheme, map[schema.GroupVersionResource]string{geese: "Geese"})
		},
		"no kind": func() { fake.NewSimpleDynamicClient(runtime.NewScheme(), &metav1.PartialObjectMetadata{}) },
	} {
		message := func() (message any) {
			defer func() { message = recover() }()
			f()
			return nil
		}()
		if message == nil {
			t.Errorf("%s: no panic", name)
		}
	}
}

// TestSubresources holds how subresources are recorded.
func TestSubresources(t *stdtesting.T) {
	client := fake.NewSimpleDynamicClient(runtime.NewScheme(), book("a"))
	c := client.Resource(books).Namespace("ns")
	ctx := t.Context()
	_, create := c.Create(ctx, book("a"), metav1.CreateOptions{}, "x", "y")
	_, update := c.Update(ctx, book("a"), metav1.UpdateOptions{}, "x", "y")
	_, status := c.UpdateStatus(ctx, book("a"), metav1.UpdateOptions{})
	_, get := c.Get(ctx, "a", metav1.GetOptions{}, "x", "y")
	_, patch := c.Patch(ctx, "a", types.MergePatchType, []byte(`{}`), metav1.PatchOptions{}, "x", "y")
	deletion := c.Delete(ctx, "a", metav1.DeleteOptions{}, "x", "y")
	collection := c.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{})
	if err := errors.Join(create, update, status, get, patch, deletion, collection); err != nil {
		t.Error(err)
	}
	var got []string
	for _, action := range client.Actions() {
		got = append(got, action.GetVerb()+" "+action.GetSubresource())
	}
	want := "create x/y, update x/y, update status, get x/y, patch x/y, delete x/y, delete-collection "
	if got := strings.Join(got, ", "); got != want {
		t.Errorf("actions %s, want %s", got, want)
	}
}
