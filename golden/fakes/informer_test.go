package fakes_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	library "github.com/listwatch/listwatch/golden/one-group/clientset/versioned/fake"
	"github.com/listwatch/listwatch/golden/one-group/informers/externalversions"
	"github.com/listwatch/listwatch/runtime/cache"
	fakes "github.com/listwatch/listwatch/runtime/testing"
	libraryv1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// TestInformerOnMadeUpVersions checks that an informer on a fake clientset that stores objects as
// given delivers every change, with any versions that a test sets, or none, and that it lists once.
func TestInformerOnMadeUpVersions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		version := func(v string) func(*libraryv1.Book) {
			return func(b *libraryv1.Book) { b.ResourceVersion = v }
		}
		client := library.NewSimpleClientset(
			edition("equal", version("7")), edition("lower", version("900")), edition("none"), edition("words", version("x")))
		factory := externalversions.NewSharedInformerFactory(client, 0)
		informer := factory.Library().V1().Books().Informer()
		var got []string
		told := func(event string, obj any) {
			b := obj.(*libraryv1.Book)
			got = append(got, fmt.Sprintf("%s %s %q %s", event, b.Name, b.ResourceVersion, b.Spec.Title))
		}
		if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc:    func(obj any) { told("added", obj) },
			UpdateFunc: func(_, obj any) { told("updated", obj) },
			DeleteFunc: func(obj any) { told("deleted", obj) },
		}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer factory.Shutdown()
		defer cancel()
		factory.StartWithContext(ctx)
		synctest.Wait()
		slices.Sort(got)
		want := []string{`added equal "7" first`, `added lower "900" first`, `added none "" first`, `added words "x" first`}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got)\n%s", diff)
		}

		got = nil
		books := client.LibraryV1().Books("here")
		for _, b := range []*libraryv1.Book{
			edition("equal", second, version("7")), edition("lower", second, version("5")), edition("none", second), edition("words", second, version("y")),
		} {
			if _, err := books.Update(t.Context(), b, metav1.UpdateOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := books.Create(t.Context(), edition("new", version("1")), metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := books.Delete(t.Context(), "equal", metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		want = []string{
			`updated equal "7" second`, `updated lower "5" second`, `updated none "" second`, `updated words "y" second`,
			`added new "1" first`, `deleted equal "7" second`,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
		lists := slices.DeleteFunc(client.Actions(), func(a fakes.Action) bool { return a.GetVerb() != "list" })
		if len(lists) != 1 {
			t.Errorf("listed %d times, want 1", len(lists))
		}
	})
}
