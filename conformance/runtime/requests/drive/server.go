package drive

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/conformance/runtime/requests/transcript"
)

// Server serves lists and watches of collections, like an API server. All objects of a collection
// share one counter of resource versions.
type Server struct {
	*httptest.Server
	// streams reports whether WatchList is supported.
	streams bool

	mu          sync.Mutex
	collections map[string]*state
	requests    map[string][]transcript.Request
}

// state is one collection's content, with all its events. Invariant: events[i] created version i+1.
type state struct {
	Collection
	objects []metav1.Object
	events  []event
	// changed is closed at the next event.
	changed chan struct{}
}

type event struct {
	kind      watch.EventType
	namespace string
	object    json.RawMessage
}

// NewServer starts a server of empty collections.
func NewServer(streams bool, collections ...Collection) *Server {
	s := &Server{streams: streams, collections: map[string]*state{}, requests: map[string][]transcript.Request{}}
	for _, c := range collections {
		s.collections[c.Path] = &state{Collection: c, changed: make(chan struct{})}
	}
	s.Server = httptest.NewServer(s)
	return s
}

// Set adds an object to a collection, or replaces the one with its name.
func (s *Server) Set(c Collection, object metav1.Object) error {
	return s.change(c, object, watch.Modified)
}

// Remove deletes an object from a collection.
func (s *Server) Remove(c Collection, object metav1.Object) error {
	return s.change(c, object, watch.Deleted)
}

func (s *Server) change(c Collection, object metav1.Object, kind watch.EventType) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	held := s.collections[c.Path]
	object.SetResourceVersion(strconv.Itoa(len(held.events) + 1))
	at := slices.IndexFunc(held.objects, func(o metav1.Object) bool {
		return o.GetNamespace() == object.GetNamespace() && o.GetName() == object.GetName()
	})
	switch {
	case kind == watch.Deleted && at < 0:
		return fmt.Errorf("%s has no %s to delete", c.Path, object.GetName())
	case kind == watch.Deleted:
		held.objects = slices.Delete(held.objects, at, at+1)
	case at < 0:
		kind = watch.Added
		held.objects = append(held.objects, object)
	default:
		held.objects[at] = object
	}
	held.events = append(held.events, event{kind, object.GetNamespace(), json.RawMessage(text(object))})
	close(held.changed)
	held.changed = make(chan struct{})
	return nil
}

// Requests returns the requests for a collection, in order, without the timeout of watches, which
// is random.
func (s *Server) Requests(c Collection) []transcript.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests[c.Path])
}

// During calls do and returns the server's requests meanwhile, for its collections and for others.
func (s *Server) During(do func()) []transcript.Request {
	s.mu.Lock()
	clear(s.requests)
	s.mu.Unlock()
	do()
	s.mu.Lock()
	defer s.mu.Unlock()
	var seen []transcript.Request
	for _, path := range slices.Sorted(maps.Keys(s.requests)) {
		seen = append(seen, s.requests[path]...)
	}
	return seen
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, namespace := splitNamespace(r.URL.Path)
	query := r.URL.Query()
	seen := Record(r)
	seen.Query = withoutTimeout(query).Encode()

	s.mu.Lock()
	held := s.collections[path]
	s.requests[path] = append(s.requests[path], seen)
	s.mu.Unlock()

	w.Header().Set("Content-Type", "application/json")
	switch {
	case held == nil:
		refuseWith(w, http.StatusNotFound, metav1.StatusReasonNotFound)
	case query.Get("sendInitialEvents") == "true" && !s.streams:
		refuseWith(w, http.StatusUnprocessableEntity, metav1.StatusReasonInvalid)
	case query.Get("watch") == "true":
		s.watch(w, r, held, namespace)
	default:
		s.mu.Lock()
		body := held.list(namespace)
		s.mu.Unlock()
		_, _ = io.WriteString(w, body) // an error means that the client has disconnected
	}
}

func withoutTimeout(q url.Values) url.Values {
	for _, name := range []string{"timeout", "timeoutSeconds"} {
		if q.Has(name) {
			q.Set(name, "any")
		}
	}
	return q
}

func refuseWith(w http.ResponseWriter, code int, reason metav1.StatusReason) {
	w.WriteHeader(code)
	_, _ = io.WriteString(w, text(metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
		Status:   metav1.StatusFailure, Reason: reason, Code: int32(code),
	}))
}

// list returns the objects of a namespace, or of all.
func (held *state) list(namespace string) string {
	return text(map[string]any{
		"kind": held.Kind.Kind + "List", "apiVersion": held.Kind.GroupVersion().String(),
		"metadata": metav1.ListMeta{ResourceVersion: strconv.Itoa(len(held.events))},
		"items":    held.in(namespace),
	})
}

func (held *state) in(namespace string) []metav1.Object {
	objects := []metav1.Object{}
	for _, o := range held.objects {
		if namespace == metav1.NamespaceAll || namespace == o.GetNamespace() {
			objects = append(objects, o)
		}
	}
	return objects
}

// watch sends events until the client disconnects.
func (s *Server) watch(w http.ResponseWriter, r *http.Request, held *state, namespace string) {
	send := func(kind watch.EventType, object any) {
		_, _ = io.WriteString(w, text(map[string]any{"type": kind, "object": object})+"\n")
	}
	s.mu.Lock()
	sent := len(held.events)
	if r.URL.Query().Get("sendInitialEvents") == "true" {
		for _, o := range held.in(namespace) {
			send(watch.Added, o)
		}
		send(watch.Bookmark, held.bookmark())
	} else if version, err := strconv.Atoi(r.URL.Query().Get("resourceVersion")); err == nil {
		sent = version
	}
	s.mu.Unlock()

	for {
		s.mu.Lock()
		events, changed := held.events[sent:], held.changed
		s.mu.Unlock()
		for _, e := range events {
			if namespace == metav1.NamespaceAll || namespace == e.namespace {
				send(e.kind, e.object)
			}
		}
		sent += len(events)
		_ = http.NewResponseController(w).Flush()
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
	}
}

// bookmark marks the end of a watch's initial objects.
func (held *state) bookmark() any {
	return map[string]any{
		"kind": held.Kind.Kind, "apiVersion": held.Kind.GroupVersion().String(),
		"metadata": metav1.ObjectMeta{
			ResourceVersion: strconv.Itoa(len(held.events)),
			Annotations:     map[string]string{metav1.InitialEventsAnnotationKey: "true"},
		},
	}
}
