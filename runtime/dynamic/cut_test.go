package dynamic_test

import (
	"errors"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/dynamic"
	"github.com/listwatch/listwatch/runtime/dynamic/fake"
)

// TestCutObjects holds that an object that was cut is not sent, neither by the fake.
func TestCutObjects(t *testing.T) {
	f, err := codec.ParseFields("spec.pages")
	if err != nil {
		t.Fatal(err)
	}
	cut := &unstructured.Unstructured{}
	if err := cut.UnmarshalJSON([]byte(bookJSON)); err != nil {
		t.Fatal(err)
	}
	if err := f.Prune(cut); err != nil {
		t.Fatal(err)
	}
	server, ctx := serve(t, 200, bookJSON), t.Context()
	simple := fake.NewSimpleDynamicClient(runtime.NewScheme())
	for name, client := range map[string]dynamic.Interface{"client": server.client(t), "fake": simple} {
		books := client.Resource(books)
		_, create := books.Create(ctx, cut, metav1.CreateOptions{})
		_, update := books.Update(ctx, cut, metav1.UpdateOptions{})
		_, status := books.UpdateStatus(ctx, cut, metav1.UpdateOptions{})
		_, apply := books.Apply(ctx, "go", cut, metav1.ApplyOptions{FieldManager: "m"})
		_, applyStatus := books.ApplyStatus(ctx, "go", cut, metav1.ApplyOptions{FieldManager: "m"})
		for what, err := range map[string]error{"create": create, "update": update, "status": status, "apply": apply, "apply of the status": applyStatus} {
			if !errors.Is(err, codec.ErrCut) {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
	}
	if len(server.requests) > 0 || len(simple.Actions()) > 0 {
		t.Errorf("requests %v, actions %v", server.requests, simple.Actions())
	}
}
