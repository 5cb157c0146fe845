// Package fakes_test compares generated fake clientsets with docs/fakes.md.
package fakes_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	library "github.com/listwatch/listwatch/golden/one-group/clientset/versioned/fake"
	clientv1 "github.com/listwatch/listwatch/golden/one-group/clientset/versioned/typed/library/v1"
	fakes "github.com/listwatch/listwatch/runtime/testing"
	libraryv1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// comparison is a row of the table in docs/fakes.md: the results of the same calls on both fake
// clientsets. Both start with the books of seeds.
type comparison struct {
	row            string
	calls          func(context.Context, *library.Clientset, clientv1.BookInterface) (string, error)
	simple, server string
}

func seeds() []runtime.Object {
	return []runtime.Object{
		edition("a", func(b *libraryv1.Book) { b.ResourceVersion, b.UID, b.Labels = "7", "1", map[string]string{"k": "v"} }),
		edition("b"),
	}
}

func edition(name string, change ...func(*libraryv1.Book)) *libraryv1.Book {
	b := &libraryv1.Book{ObjectMeta: metav1.ObjectMeta{Namespace: "here", Name: name}, Spec: libraryv1.BookSpec{Title: "first"}}
	for _, change := range change {
		change(b)
	}
	return b
}

func second(b *libraryv1.Book) { b.Spec.Title, b.Status.Lent = "second", true }

var (
	dryRun      = []string{metav1.DryRunAll}
	applied     = []byte(`{"apiVersion":"library.example.com/v1","kind":"Book","spec":{"title":"third"}}`)
	comparisons = []comparison{
		{"versions of objects", func(ctx context.Context, _ *library.Clientset, books clientv1.BookInterface) (string, error) {
			given, err := books.Get(ctx, "a", metav1.GetOptions{})
			if err != nil {
				return "", err
			}
			changed, err := books.Update(ctx, edition("b", second), metav1.UpdateOptions{})
			return fmt.Sprintf("%q %q", given.ResourceVersion, changed.ResourceVersion), err
		}, `"7" ""`, `"2" "4"`},
		{"versions of lists", func(ctx context.Context, set *library.Clientset, books clientv1.BookInterface) (string, error) {
			if _, err := set.LibraryV1().Shelves("here").Create(ctx, &libraryv1.Shelf{}, metav1.CreateOptions{}); err != nil {
				return "", err
			}
			if err := books.Delete(ctx, "a", metav1.DeleteOptions{}); err != nil {
				return "", err
			}
			list, err := books.List(ctx, metav1.ListOptions{})
			return list.ResourceVersion, err
		}, "3", "5"},
		{"stale updates", func(ctx context.Context, _ *library.Clientset, books clientv1.BookInterface) (string, error) {
			book, err := books.Update(ctx, edition("b", second, func(b *libraryv1.Book) { b.ResourceVersion = "1" }), metav1.UpdateOptions{})
			return book.Spec.Title, err
		}, "second", "Conflict"},
		{"updates of another object of that name", func(ctx context.Context, _ *library.Clientset, books clientv1.BookInterface) (string, error) {
			book, err := books.Update(ctx, edition("a", second, func(b *libraryv1.Book) { b.UID = "2" }), metav1.UpdateOptions{})
			return string(book.UID), err
		}, "2", "Conflict"},
		{"updates without a UID", func(ctx context.Context, _ *library.Clientset, books clientv1.BookInterface) (string, error) {
			book, err := books.Update(ctx, edition("a", second), metav1.UpdateOptions{})
			return fmt.Sprintf("%q", book.UID), err
		}, `""`, `"1"`},
		{"`generateName`", func(ctx context.Context, _ *library.Clientset, books clientv1.BookInterface) (string, error) {
			book, err := books.Create(ctx, edition("", func(b *libraryv1.Book) { b.GenerateName = "c-" }), metav1.CreateOptions{})
			return fmt.Sprint(len(book.Name)), err
		}, "0", "7"},
		{"dry run", func(ctx context.Context, _ *library.Clientset, books clientv1.BookInterface) (string, error) {
			if _, err := books.Create(ctx, edition("c"), metav1.CreateOptions{DryRun: dryRun}); err != nil {
				return "", err
			}
			return listed(books.List(ctx, metav1.ListOptions{}))
		}, "a b c", "a b"},
		{"preconditions of deletions", func(ctx context.Context, _ *library.Clientset, books clientv1.BookInterface) (string, error) {
			return "deleted", books.Delete(ctx, "a", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: ptr.To(types.UID("2"))}})
		}, "deleted", "Conflict"},
		{"deletions of a collection", func(ctx context.Context, _ *library.Clientset, books clientv1.BookInterface) (string, error) {
			if err := books.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "k=v"}); err != nil {
				return "", err
			}
			return listed(books.List(ctx, metav1.ListOptions{}))
		}, "a b", "b"},
		{"field selectors of lists", func(ctx context.Context, _ *library.Clientset, books clientv1.BookInterface) (string, error) {
			return listed(books.List(ctx, metav1.ListOptions{FieldSelector: "metadata.name=b"}))
		}, "a b", "b"},
		{"field selectors on a missing field", func(ctx context.Context, _ *library.Clientset, books clientv1.BookInterface) (string, error) {
			return listed(books.List(ctx, metav1.ListOptions{FieldSelector: "spec.titel=b"}))
		}, "a b", "BadRequest"},
		{"selectors of watches", func(ctx context.Context, _ *library.Clientset, books clientv1.BookInterface) (string, error) {
			return watched(ctx, books, metav1.ListOptions{LabelSelector: "k=v"}, func() error {
				_, err := books.Update(ctx, edition("a"), metav1.UpdateOptions{})
				return err
			})
		}, "ADDED a, ADDED b, MODIFIED a", "ADDED a, DELETED a"},
		{"watches from a version", func(ctx context.Context, _ *library.Clientset, books clientv1.BookInterface) (string, error) {
			list, err := books.List(ctx, metav1.ListOptions{})
			if err != nil {
				return "", err
			}
			if err := books.Delete(ctx, "a", metav1.DeleteOptions{}); err != nil {
				return "", err
			}
			if _, err := books.Update(ctx, edition("b", second), metav1.UpdateOptions{}); err != nil {
				return "", err
			}
			return watched(ctx, books, metav1.ListOptions{ResourceVersion: list.ResourceVersion}, nil)
		}, "ADDED b", "DELETED a, MODIFIED b"},
		{"watches from an invalid version", func(ctx context.Context, _ *library.Clientset, books clientv1.BookInterface) (string, error) {
			return watched(ctx, books, metav1.ListOptions{ResourceVersion: "x"}, nil)
		}, "unhandled watch", "BadRequest"},
		{"initial events and bookmarks", func(ctx context.Context, _ *library.Clientset, books clientv1.BookInterface) (string, error) {
			return watched(ctx, books, metav1.ListOptions{SendInitialEvents: ptr.To(true), AllowWatchBookmarks: true}, nil)
		}, "ADDED a, ADDED b", "ADDED a, ADDED b, BOOKMARK "},
		{"writes to the status", func(ctx context.Context, _ *library.Clientset, books clientv1.BookInterface) (string, error) {
			book, err := books.UpdateStatus(ctx, edition("a", second), metav1.UpdateOptions{})
			return fmt.Sprint(book.Spec.Title, " ", book.Status.Lent), err
		}, "second true", "first true"},
		{"writes of another kind to a subresource", func(ctx context.Context, set *library.Clientset, books clientv1.BookInterface) (string, error) {
			other := &libraryv1.Shelf{ObjectMeta: metav1.ObjectMeta{Namespace: "here", Name: "a"}}
			action := fakes.NewUpdateSubresourceAction(schema.GroupVersionResource{Group: libraryv1.GroupName, Version: "v1", Resource: "books"}, "scale", "here", other)
			if _, err := set.Invokes(action, nil); err != nil {
				return "", err
			}
			stored, err := set.Tracker().Get(schema.GroupVersionResource{Group: libraryv1.GroupName, Version: "v1", Resource: "books"}, "here", "a")
			return fmt.Sprintf("%T", stored), err
		}, "*v1.Shelf", "*v1.Book"},
		{"patches of an unknown type", func(ctx context.Context, _ *library.Clientset, books clientv1.BookInterface) (string, error) {
			_, err := books.Patch(ctx, "a", "x", []byte("{}"), metav1.PatchOptions{})
			return "", err
		}, "PatchType x is not supported", "UnsupportedMediaType"},
		{"patches that do not fit the object", func(ctx context.Context, _ *library.Clientset, books clientv1.BookInterface) (string, error) {
			_, err := books.Patch(ctx, "a", types.JSONPatchType, []byte(`[{"op":"test","path":"/spec/title","value":"x"}]`), metav1.PatchOptions{})
			return "", err
		}, "testing value /spec/title failed: test failed", "Invalid"},
		{"apply to a missing object", func(ctx context.Context, _ *library.Clientset, books clientv1.BookInterface) (string, error) {
			book, err := books.Patch(ctx, "c", types.ApplyPatchType, applied, metav1.PatchOptions{FieldManager: "m"})
			return book.Spec.Title, err
		}, "NotFound", "third"},
		{"apply of fields that another manager owns", func(ctx context.Context, _ *library.Clientset, books clientv1.BookInterface) (string, error) {
			book, err := books.Patch(ctx, "a", types.ApplyPatchType, applied, metav1.PatchOptions{FieldManager: "m"})
			return fmt.Sprint(book.Spec.Title, " ", len(book.ManagedFields)), err
		}, "third 0", "Conflict"},
		{"apply without a field manager", func(ctx context.Context, _ *library.Clientset, books clientv1.BookInterface) (string, error) {
			book, err := books.Patch(ctx, "a", types.ApplyPatchType, applied, metav1.PatchOptions{Force: ptr.To(true)})
			return book.Spec.Title, err
		}, "third", "Invalid"},
		{"initial objects of a kind with an irregular plural", func(ctx context.Context, set *library.Clientset, _ clientv1.BookInterface) (string, error) {
			shelf := &libraryv1.Shelf{ObjectMeta: metav1.ObjectMeta{Namespace: "here", Name: "one"}}
			if err := set.Tracker().Add(shelf); err != nil {
				return "", err
			}
			found, err := set.LibraryV1().Shelves("here").Get(ctx, "one", metav1.GetOptions{})
			return found.Name, err
		}, "NotFound", "one"},
	}
)

// listed returns the names of books.
func listed(list *libraryv1.BookList, err error) (string, error) {
	var names []string
	for _, book := range list.Items {
		names = append(names, book.Name)
	}
	return strings.Join(names, " "), err
}

// watched returns the events of a watch before and after a call.
func watched(ctx context.Context, books clientv1.BookInterface, opts metav1.ListOptions, call func() error) (string, error) {
	watcher, err := books.Watch(ctx, opts)
	if err != nil {
		return "", err
	}
	if call != nil {
		err = call()
	}
	watcher.Stop()
	var events []string
	for event := range watcher.ResultChan() {
		events = append(events, fmt.Sprint(event.Type, " ", event.Object.(metav1.Object).GetName()))
	}
	return strings.Join(events, ", "), err
}

// outcome returns the results of calls, or why they fail: the reason of a server's error, or the
// first words of another.
func outcome(ctx context.Context, set *library.Clientset, c comparison) string {
	result, err := c.calls(ctx, set, set.LibraryV1().Books("here"))
	switch {
	case err == nil:
		return result
	case apierrors.ReasonForError(err) != metav1.StatusReasonUnknown:
		return string(apierrors.ReasonForError(err))
	}
	first, _, _ := strings.Cut(err.Error(), ": testing.")
	return first
}

// TestFakes compares each row of docs/fakes.md with both fake clientsets.
func TestFakes(t *testing.T) {
	for _, c := range comparisons {
		t.Run(c.row, func(t *testing.T) {
			if got := outcome(t.Context(), library.NewSimpleClientset(seeds()...), c); got != c.simple {
				t.Errorf("NewSimpleClientset: got %s, want %s", got, c.simple)
			}
			if got := outcome(t.Context(), library.NewClientset(seeds()...), c); got != c.server {
				t.Errorf("NewClientset: got %s, want %s", got, c.server)
			}
		})
	}
}

// TestRowsOfFakes checks that the table in docs/fakes.md has the tested rows.
func TestRowsOfFakes(t *testing.T) {
	text, err := os.ReadFile("../../docs/fakes.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows, tested []string
	for line := range strings.Lines(string(text)) {
		if cells := strings.Split(line, " | "); len(cells) == 3 {
			rows = append(rows, strings.TrimPrefix(cells[0], "| "))
		}
	}
	for _, c := range comparisons {
		tested = append(tested, c.row)
	}
	// The first line is the header.
	if diff := cmp.Diff(tested, slices.Delete(rows, 0, 1)); diff != "" {
		t.Errorf("(-tested +in the table)\n%s", diff)
	}
}
