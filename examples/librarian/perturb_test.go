package librarian_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/apitest"
	"github.com/listwatch/listwatch/examples/librarian"
	"github.com/listwatch/listwatch/examples/librarian/generated/clientset/versioned"
	libraryv1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// writesOfAll is the number of writes to shelve three books: a place and a status for each.
const writesOfAll = 6

// TestPerturbed crashes the librarian after each of its writes, and starts the next one with an
// outdated view from before each of them, which every list and watch returns until the librarian
// has tried to act on it. No shelf ever has more books than places, and all books are finally
// shelved.
func TestPerturbed(t *testing.T) {
	for crash := 1; crash <= writesOfAll; crash++ {
		for before := range crash + 1 {
			name := fmt.Sprintf("crash after write %d, view from before write %d", crash, before)
			if before == 0 {
				name = fmt.Sprintf("crash after write %d", crash)
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				perturb(t, crash, before)
			})
		}
	}
}

// perturb crashes a librarian after a number of writes and starts another, with a view from
// before one of the first librarian's writes, or a current view if that is 0.
func perturb(t *testing.T, crash, before int) {
	server := apitest.Start(t, apitest.WithCRDs("crds"))
	client := versioned.NewForConfigOrDie(server.Config())
	create(t, client, shelf("high", 1), shelf("low", 2))
	create(t, client, book("emma"), book("ulysses"), book("walden"))
	begin, err := client.LibraryV1().Books("default").List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}

	first := &view{crashAfter: crash, released: make(chan struct{})}
	first.release()
	crashed, _ := start(t, server, first)
	<-crashed
	if len(first.writes) < crash {
		t.Fatalf("it ended after %d writes", len(first.writes))
	}

	second := &view{released: make(chan struct{})}
	if before == 0 {
		second.release()
	} else {
		second.at = first.writes[before-1] - 1
	}
	ended, stop := start(t, server, second)
	<-second.released
	for _, name := range []string{"emma", "ulysses", "walden"} {
		awaitShelf(t, client, name)
	}
	stop()
	<-ended
	checkHistory(t, client, begin.ResourceVersion)
}

// start runs a librarian with a view until it is stopped or crashes.
func start(t *testing.T, server *apitest.Server, v *view) (ended chan struct{}, stop func()) {
	t.Helper()
	config := server.Config()
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		v.next = next
		return v
	})
	client, err := versioned.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	l, err := librarian.New(client, slog.New(slog.NewTextHandler(t.Output(), nil)))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	v.crash = cancel
	ended = make(chan struct{})
	go func() {
		defer close(ended)
		_ = l.Run(ctx) // it is ended at any point
	}()
	return ended, cancel
}

// awaitShelf waits until a book is on any shelf.
func awaitShelf(t *testing.T, client versioned.Interface, name string) {
	t.Helper()
	books := client.LibraryV1().Books("default")
	changes, err := books.Watch(t.Context(), metav1.ListOptions{FieldSelector: "metadata.name=" + name})
	if err != nil {
		t.Fatal(err)
	}
	defer changes.Stop()
	for change := range changes.ResultChan() {
		if b, ok := change.Object.(*libraryv1.Book); ok && b.Status.Shelf != "" {
			return
		}
	}
	t.Fatalf("the watch has ended, and book %s is on no shelf", name)
}

// checkHistory checks that since a resource version, no shelf had more books than places.
func checkHistory(t *testing.T, client versioned.Interface, begin string) {
	t.Helper()
	books := client.LibraryV1().Books("default")
	end, err := books.Create(t.Context(), book("zadig"), metav1.CreateOptions{}) // the last event
	if err != nil {
		t.Fatal(err)
	}
	changes, err := books.Watch(t.Context(), metav1.ListOptions{ResourceVersion: begin})
	if err != nil {
		t.Fatal(err)
	}
	defer changes.Stop()
	on := map[string]string{}
	for change := range changes.ResultChan() {
		b, ok := change.Object.(*libraryv1.Book)
		if !ok || change.Type == watch.Bookmark {
			continue
		}
		on[b.Name] = b.Status.Shelf
		held := map[string]int{}
		for _, shelf := range on {
			held[shelf]++
		}
		if held["high"] > 1 || held["low"] > 2 {
			t.Errorf("at %s: %v", b.ResourceVersion, on)
		}
		if b.ResourceVersion == end.ResourceVersion {
			return
		}
	}
	t.Fatal("the watch has ended before the last event")
}

// view controls the requests of a librarian: until it is released, every list returns the past,
// and watches deliver nothing newer.
type view struct {
	next       http.RoundTripper
	at         uint64 // resource version of lists
	crashAfter int    // writes; 0 is never
	crash      func()

	once     sync.Once     // closes released
	released chan struct{} // closed when the view ends

	mu       sync.Mutex // guards the fields below
	writes   []uint64   // resource versions of those that succeeded
	attempts int
}

var errCrashed = errors.New("crashed")

// enough is the number of rejected writes after which the librarian has tried every book twice.
const enough = 6

func (v *view) release() { v.once.Do(func() { close(v.released) }) }

func (v *view) isReleased() bool {
	select {
	case <-v.released:
		return true
	default:
		return false
	}
}

func (v *view) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method != http.MethodGet {
		return v.write(r)
	}
	q := r.URL.Query()
	switch {
	case v.isReleased():
		return v.next.RoundTrip(r)
	case q.Get("sendInitialEvents") == "true": // its server does not support that
		return refuse(r), nil
	case q.Get("watch") != "":
		resp, err := v.next.RoundTrip(r)
		if err == nil {
			resp.Body = &held{resp.Body, v.released, r.Context()}
		}
		return resp, err
	case isList(r):
		r = r.Clone(r.Context())
		q.Set("resourceVersion", strconv.FormatUint(v.at, 10))
		q.Set("resourceVersionMatch", string(metav1.ResourceVersionMatchExact))
		r.URL.RawQuery = q.Encode()
	}
	return v.next.RoundTrip(r)
}

// isList reports whether a request lists or watches all books or shelves.
func isList(r *http.Request) bool {
	return bytes.HasSuffix([]byte(r.URL.Path), []byte("/books")) || bytes.HasSuffix([]byte(r.URL.Path), []byte("/shelves"))
}

// write sends a write, and crashes the librarian if it was the last one.
func (v *view) write(r *http.Request) (*http.Response, error) {
	resp, err := v.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if resp.StatusCode >= http.StatusMultipleChoices {
		if v.attempts++; v.attempts == enough {
			v.release()
		}
		return resp, nil
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	var written metav1.PartialObjectMetadata
	if err = json.Unmarshal(body, &written); err != nil {
		return nil, err
	}
	version, err := strconv.ParseUint(written.ResourceVersion, 10, 64)
	if err != nil {
		return nil, err
	}
	v.writes = append(v.writes, version)
	if len(v.writes) == v.crashAfter {
		v.crash() // the write is done, but the librarian does not learn of it
		return nil, errCrashed
	}
	v.release() // it waits for its own writes
	return resp, nil
}

// refuse is the response of a server without WatchList.
func refuse(r *http.Request) *http.Response {
	const body = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Invalid","code":422,"message":"sendInitialEvents is forbidden"}`
	return &http.Response{
		StatusCode: http.StatusUnprocessableEntity, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader([]byte(body))), Request: r,
	}
}

// held is a response body that blocks until it is released.
type held struct {
	io.ReadCloser
	released chan struct{}
	ctx      context.Context
}

func (h *held) Read(p []byte) (int, error) {
	select {
	case <-h.released:
	case <-h.ctx.Done():
		return 0, h.ctx.Err()
	}
	return h.ReadCloser.Read(p)
}
