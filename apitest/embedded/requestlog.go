package embedded

import (
	"context"
	"net/http"
	"path"
	"slices"
	"sync"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/endpoints/responsewriter"

	"github.com/listwatch/listwatch/apitest/internal/store"
)

// requestLog passes the requests of clients to recordings.
type requestLog struct {
	mu     sync.Mutex // serializes changes
	active atomic.Pointer[[]*Recording]
}

func (l *requestLog) add(r *Recording) {
	l.mu.Lock()
	defer l.mu.Unlock()
	next := append(slices.Clone(l.recordings()), r)
	l.active.Store(&next)
}

func (l *requestLog) remove(r *Recording) {
	l.mu.Lock()
	defer l.mu.Unlock()
	next := slices.DeleteFunc(slices.Clone(l.recordings()), func(other *Recording) bool { return other == r })
	l.active.Store(&next)
}

// recordings returns the active ones. They must not be modified.
func (l *requestLog) recordings() []*Recording {
	if active := l.active.Load(); active != nil {
		return *active
	}
	return nil
}

// wrap records requests before their clients get the responses.
func (l *requestLog) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if len(l.recordings()) == 0 {
			next.ServeHTTP(w, req)
			return
		}
		logged := &loggedRequest{ResponseWriter: w, log: l, request: describeRequest(req)}
		defer logged.finish(0) // if there is no response
		ctx := store.WithWrites(context.WithValue(req.Context(), loggedKey{}, logged), &logged.writes)
		next.ServeHTTP(responsewriter.WrapForHTTP1Or2(logged), req.WithContext(ctx))
	})
}

// withRequester notes the users of requests that are logged.
func withRequester(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if logged, ok := req.Context().Value(loggedKey{}).(*loggedRequest); ok {
			if who, ok := request.UserFrom(req.Context()); ok {
				logged.request.User = who.GetName()
			}
		}
		next.ServeHTTP(w, req)
	})
}

func describeRequest(req *http.Request) Request {
	r := Request{Path: req.URL.Path, UserAgent: req.UserAgent(), DryRun: req.URL.Query().Has("dryRun")}
	if info, ok := request.RequestInfoFrom(req.Context()); ok {
		r.Verb = info.Verb
		if info.IsResourceRequest {
			r.Group, r.Version, r.Resource, r.Subresource = info.APIGroup, info.APIVersion, info.Resource, info.Subresource
			r.Namespace, r.Name = info.Namespace, info.Name
		}
	}
	if r.Verb == "patch" {
		r.Patch = types.PatchType(req.Header.Get("Content-Type"))
	}
	return r
}

type loggedKey struct{}

// loggedRequest is a request in progress. One goroutine uses it at a time, as an http.ResponseWriter.
type loggedRequest struct {
	http.ResponseWriter
	log     *requestLog
	request Request
	writes  store.Writes
	done    bool
}

// Unwrap implements responsewriter.UserProvidedDecorator.
func (l *loggedRequest) Unwrap() http.ResponseWriter { return l.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (l *loggedRequest) WriteHeader(code int) {
	if code >= http.StatusOK {
		l.finish(code)
	}
	l.ResponseWriter.WriteHeader(code)
}

// Write implements http.ResponseWriter.
func (l *loggedRequest) Write(data []byte) (int, error) {
	l.finish(http.StatusOK)
	return l.ResponseWriter.Write(data)
}

// finish records the request with its response, unless it was already recorded.
func (l *loggedRequest) finish(code int) {
	if l.done {
		return
	}
	l.done = true
	l.request.Code = code
	var key string
	l.request.Writes, key = l.writes.First()
	if l.request.Verb == "create" && l.request.Name == "" && key != "" {
		l.request.Name = path.Base(key)
	}
	for _, r := range l.log.recordings() {
		r.add(l.request)
	}
}
