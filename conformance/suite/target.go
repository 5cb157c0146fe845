package suite

import (
	"context"
	"errors"
	"net/http"
)

// Names of targets.
const (
	Real    = "server" // the real kube-apiserver
	Apitest = "apitest"
)

// ErrUnsupported is what a target answers, wrapped with a reason, to what it has no means
// for: the case does not apply to it.
var ErrUnsupported = errors.New("not supported")

// Target answers requests. It is safe for concurrent use.
type Target interface {
	// Name is what reports and known differences call it: a word.
	Name() string
	// Do answers a request that is not a watch. An error means that there is no answer:
	// what a server refuses is a Response.
	Do(ctx context.Context, req Request) (Response, error)
	// Watch starts a watch. If it is refused, there are no Events, and Response says why.
	Watch(ctx context.Context, req Request) (Response, Stream, error)
	// Compact makes the server forget history up to now; ErrUnsupported if it cannot.
	Compact(ctx context.Context) error
	// Restart stops the server and starts it again with its data; ErrUnsupported if it cannot.
	Restart(ctx context.Context) error
}

// Request is a request of a case, all variables replaced. Targets must not change it.
type Request struct {
	Method string
	Path   string // as in a URL: with escapes, if it has any
	Query  string // as in a URL
	Header http.Header
	// Body is what the script has, as JSON, or as it stands if Raw. It is nil if there is none.
	Body []byte
	Raw  bool
	// User is who asks, in which groups; "" is the admin, and Nobody a client without
	// credentials.
	User   string
	Groups []string
}

// Nobody is the user who has no credentials.
const Nobody = "nobody"

// Response is an answer.
type Response struct {
	Status int
	Header http.Header
	// Body is JSON, unless Header says that it is something else. What came in protobuf is
	// here as JSON.
	Body []byte
}

// Stream is the events of a watch.
type Stream interface {
	// Next waits for the next event. After the last one it returns io.EOF.
	Next(ctx context.Context) (Event, error)
	// Stop ends the watch. It may be called at any time and more than once.
	Stop()
}

// Event is an event of a watch.
type Event struct {
	Type   string
	Object []byte // JSON
}
