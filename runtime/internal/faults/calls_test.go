package faults_test

import (
	"context"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/golden/one-group/clientset/versioned"
	"github.com/listwatch/listwatch/runtime/gentype"
	libraryv1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// Correct responses. object, list and frames contain the same two books.
const (
	book1 = `{"apiVersion":"library.example.com/v1","kind":"Book","metadata":{"name":"moby","namespace":"lib","resourceVersion":"1"},` +
		`"spec":{"title":"Moby-Dick","pages":635},"status":{"shelf":"a","lent":false}}`
	book2 = `{"apiVersion":"library.example.com/v1","kind":"Book","metadata":{"name":"emma","namespace":"lib","resourceVersion":"2"},` +
		`"spec":{"title":"Emma","pages":474},"status":{"shelf":"b","lent":true}}`
	bookList = `{"apiVersion":"library.example.com/v1","kind":"BookList","metadata":{"resourceVersion":"7"},"items":[` +
		book1 + `,` + book2 + `]}`
	bookFrames = `{"type":"ADDED","object":` + book1 + "}\n" + `{"type":"MODIFIED","object":` + book2 + "}\n"
	success    = `{"apiVersion":"v1","kind":"Status","metadata":{},"status":"Success"}`
	groups     = `{"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"library.example.com","versions":[` +
		`{"groupVersion":"library.example.com/v1","version":"v1"}],"preferredVersion":{"groupVersion":"library.example.com/v1","version":"v1"}}]}`
	coreVersions = `{"kind":"APIVersions","apiVersion":"v1","versions":["v1"]}`
	version      = `{"major":"1","minor":"37","gitVersion":"v1.37.2"}`
)

// outcome is the result of a call.
type outcome struct {
	got      []string // names of the returned objects, in order
	complete bool     // the call reported that this is the complete list
	err      error
}

// call is a user's call of a clientset.
type call struct {
	name string
	good string // the correct response
	// told contains texts of which each error must contain one, so that a reader knows which
	// request failed.
	told []string
	do   func(context.Context, *versioned.Clientset) outcome
}

// one returns the outcome of a call that returns one object.
func one(book *libraryv1.Book, err error) outcome {
	if err != nil {
		return outcome{err: err}
	}
	return outcome{got: []string{book.Name}, complete: true}
}

func newBook() *libraryv1.Book {
	return &libraryv1.Book{ObjectMeta: metav1.ObjectMeta{Name: "moby", Namespace: "lib"}, Spec: libraryv1.BookSpec{Title: "Moby-Dick", Pages: 635}}
}

// calls are those of the table, in the order in which they are printed.
var calls = []call{
	{"get", book1, []string{"moby"}, func(ctx context.Context, c *versioned.Clientset) outcome {
		return one(c.LibraryV1().Books("lib").Get(ctx, "moby", metav1.GetOptions{}))
	}},
	{"create", book1, []string{"books"}, func(ctx context.Context, c *versioned.Clientset) outcome {
		return one(c.LibraryV1().Books("lib").Create(ctx, newBook(), metav1.CreateOptions{}))
	}},
	{"update", book1, []string{"moby"}, func(ctx context.Context, c *versioned.Clientset) outcome {
		return one(c.LibraryV1().Books("lib").Update(ctx, newBook(), metav1.UpdateOptions{}))
	}},
	{"delete", success, []string{"moby"}, func(ctx context.Context, c *versioned.Clientset) outcome {
		err := c.LibraryV1().Books("lib").Delete(ctx, "moby", metav1.DeleteOptions{})
		return outcome{err: err, complete: err == nil}
	}},
	{"list", bookList, []string{"books"}, func(ctx context.Context, c *versioned.Clientset) outcome {
		list, err := c.LibraryV1().Books("lib").List(ctx, metav1.ListOptions{})
		if err != nil {
			return outcome{err: err}
		}
		o := outcome{complete: true}
		for _, book := range list.Items {
			o.got = append(o.got, book.Name)
		}
		return o
	}},
	{"streamed list", bookList, []string{"books"}, func(ctx context.Context, c *versioned.Clientset) outcome {
		var o outcome
		_, o.err = c.LibraryV1().Books("lib").(gentype.ListStreamer).StreamList(ctx, metav1.ListOptions{}, func(obj runtime.Object) error {
			o.got = append(o.got, obj.(*libraryv1.Book).Name)
			return nil
		})
		o.complete = o.err == nil
		return o
	}},
	{"watch", bookFrames, []string{"books"}, func(ctx context.Context, c *versioned.Clientset) outcome {
		w, err := c.LibraryV1().Books("lib").Watch(ctx, metav1.ListOptions{ResourceVersion: "7"})
		if err != nil {
			return outcome{err: err}
		}
		defer w.Stop()
		return drainWatch(w)
	}},
	{"groups", groups, []string{"/api"}, func(ctx context.Context, c *versioned.Clientset) outcome {
		list, err := c.Discovery().ServerGroupsWithContext(ctx)
		if err != nil {
			return outcome{err: err}
		}
		o := outcome{complete: true}
		for _, group := range list.Groups {
			o.got = append(o.got, group.Name)
		}
		return o
	}},
	{"version", version, []string{"/version"}, func(ctx context.Context, c *versioned.Clientset) outcome {
		info, err := c.Discovery().ServerVersionWithContext(ctx)
		if err != nil {
			return outcome{err: err}
		}
		return outcome{got: []string{info.GitVersion}, complete: true}
	}},
}

// resourcesCall requests the resources of one group version.
func resourcesCall() call {
	return call{name: "resources", told: []string{"/apis"}, do: func(ctx context.Context, c *versioned.Clientset) outcome {
		_, err := c.Discovery().ServerResourcesForGroupVersionWithContext(ctx, "library.example.com/v1")
		return outcome{err: err}
	}}
}

// drainWatch reads a watch until it ends. An event of type ERROR is its error.
func drainWatch(w watch.Interface) outcome {
	var o outcome
	for event := range w.ResultChan() {
		switch object := event.Object.(type) {
		case *libraryv1.Book:
			o.got = append(o.got, fmt.Sprintf("%s %s", event.Type, object.Name))
		case *metav1.Status:
			o.err = apierrors.FromObject(object)
		default:
			o.got = append(o.got, fmt.Sprintf("%s %T", event.Type, object))
		}
	}
	return o
}

// goodFor returns the correct response to a request.
func goodFor(method, path string, isWatch bool) string {
	switch {
	case path == "/version":
		return version
	case path == "/api":
		return coreVersions
	case path == "/apis":
		return groups
	case isWatch:
		return bookFrames
	case method == "DELETE":
		return success
	case method == "GET" && strings.HasSuffix(path, "/books"):
		return bookList
	default:
		return book1
	}
}
