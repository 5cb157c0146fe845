// Package fault makes a server misbehave on demand.
//
// # Terms
//
// A [Rule] selects requests to delay or reject. An [Injection] is an active rule. A frozen server neither reads
// nor writes: to clients it looks like a process that was stopped by a signal, with open connections, no
// responses, and nothing lost.
//
// # Operations
//
// An [Injector] works at two positions in a server. [Injector.Listen] places it between the network and the
// server: there it cuts connections, freezes and thaws. [Injector.Wrap] places it before the server's handlers,
// after those that parse and authenticate requests: there rules act and watches are dropped.
//
// # Limits
//
// Rules do not see requests that are rejected earlier, such as those without a valid token. Handlers that run
// when a server freezes continue; only their responses are held back.
package fault

import (
	"net/http"
	"sync"
	"sync/atomic"

	"k8s.io/apiserver/pkg/endpoints/request"
)

// Injector is placed before a server's handlers. It is safe for concurrent use.
type Injector struct {
	frozen atomic.Pointer[chan struct{}] // closed at the thaw; nil if not frozen

	mu         sync.Mutex // guards the fields below
	injections []*Injection
	watches    map[*watch]struct{}
	conns      map[*conn]struct{}
}

// New returns an injector that lets everything pass.
func New() *Injector {
	return &Injector{watches: map[*watch]struct{}{}, conns: map[*conn]struct{}{}}
}

// Wrap places the injector before next. Requests must carry a RequestInfo and a user.
func (i *Injector) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		asked := askedBy(req)
		if rule, ok := i.hit(asked); ok && rule.answer(w, req) {
			return
		}
		if asked.info.Verb == "watch" {
			ctx, done := i.watch(req.Context(), asked)
			defer done()
			req = req.WithContext(ctx)
		}
		next.ServeHTTP(w, req)
	})
}

// asked describes what a request asks for, and its user.
type asked struct {
	info *request.RequestInfo // not nil
	user string
}

func askedBy(req *http.Request) asked {
	info, ok := request.RequestInfoFrom(req.Context())
	if !ok {
		info = &request.RequestInfo{Path: req.URL.Path}
	}
	a := asked{info: info}
	if user, ok := request.UserFrom(req.Context()); ok {
		a.user = user.GetName()
	}
	return a
}
