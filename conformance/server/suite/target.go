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

// ServiceAccount is the admission plugin that cases can enable.
const ServiceAccount = "ServiceAccount"

// ErrUnsupported is returned by a target, wrapped with a reason, for requests that it does not
// support: the case does not apply to it.
var ErrUnsupported = errors.New("not supported")

// Target responds to requests. It is safe for concurrent use.
type Target interface {
	// Name is its name in reports and known differences: a word.
	Name() string
	// Do sends a request that is not a watch. An error means that there is no response: an error of
	// a server is a Response.
	Do(ctx context.Context, req Request) (Response, error)
	// Watch starts a watch. If it is rejected, there are no Events, and Response contains the
	// reason.
	Watch(ctx context.Context, req Request) (Response, Stream, error)
	// Compact makes the server discard history up to now, or returns ErrUnsupported.
	Compact(ctx context.Context) error
	// Restart restarts the server with its data, or returns ErrUnsupported.
	Restart(ctx context.Context) error
}

// Request is a request of a case, with all variables replaced. Targets must not modify it.
type Request struct {
	Method string
	Path   string // as in a URL: with escapes, if it has any
	Query  string // as in a URL
	Header http.Header
	// Body is the script's body as JSON, or unchanged if Raw. It is nil if there is none.
	Body []byte
	Raw  bool
	// User and Groups identify the user; "" is the admin, and Nobody a client without credentials.
	User   string
	Groups []string
}

// Nobody is the user without credentials.
const Nobody = "nobody"

// Response is a response of a target.
type Response struct {
	Status int
	Header http.Header
	// Body is JSON, unless Header contains another type. Protobuf is converted to JSON.
	Body []byte
}

// Stream contains the events of a watch.
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
