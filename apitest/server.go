package apitest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/listwatch/listwatch/apitest/internal/control"
)

// ErrStopped is returned by methods that need a running server, after [Server.Stop].
var ErrStopped = errors.New("server is stopped")

// Server is an API server on the loopback interface. It is safe for concurrent use.
//
// The methods without an error fail only if the program has ended. They return zero values then, and [Server.Stop]
// returns the error, so that a test with [Start] fails.
type Server struct {
	engine *engine
	id     int
	url    string
	ca     []byte // PEM; nil for plain HTTP

	life context.Context // ends with Stop
	end  context.CancelFunc
	stop func() error // is called once

	mu     sync.Mutex // guards failed
	failed error      // the first error that no method could return
}

// Start starts a server for a test, and stops it when the test and its subtests end. If the server cannot
// start, the test fails at once.
func Start(t testing.TB, opts ...Option) *Server {
	t.Helper()
	s, err := New(opts...)
	if err != nil {
		t.Fatalf("start an API server: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Errorf("stop the API server: %v", err)
		}
	})
	return s
}

// New starts a server for a program, such as a TestMain. It returns when the server responds and serves everything in
// the options. The caller must call [Server.Stop], but servers end with the process in any case. Errors name the
// invalid option; errors.As finds API errors, such as that of an invalid definition. If the program cannot be started,
// they contain what it has printed.
func New(opts ...Option) (*Server, error) {
	o := &options{}
	for _, opt := range opts {
		opt(o)
	}
	if err := errors.Join(o.errs...); err != nil {
		return nil, err
	}
	e, err := shared()
	if err != nil {
		return nil, err
	}
	return e.start(o)
}

// start starts a server.
func (e *engine) start(o *options) (*Server, error) {
	var started control.Started
	if err := e.post(context.Background(), "/servers", o.Options, &started); err != nil {
		return nil, err
	}
	s := &Server{engine: e, id: started.ID, url: started.URL, ca: started.CA}
	s.life, s.end = context.WithCancel(context.Background())
	s.stop = sync.OnceValue(func() error {
		s.end()
		_, err := s.call(context.Background(), control.Stop, control.Argument{})
		s.mu.Lock()
		defer s.mu.Unlock()
		return errors.Join(s.failed, err)
	})
	return s, nil
}

// Apply creates or updates CRDs. When it returns, they are established and their resources are served. It does
// not modify crds. It stops at the first CRD that is rejected, with an error in which errors.As finds the API
// error; earlier ones stay applied. It returns [ErrStopped] if the server was stopped.
func (s *Server) Apply(ctx context.Context, crds ...*apiextensions.CustomResourceDefinition) error {
	texts, err := encodeDefinitions(crds)
	if err != nil {
		return err
	}
	_, err = s.call(ctx, control.Apply, control.Argument{CRDs: texts})
	return err
}

// Restart simulates a kube-apiserver that is restarted on the same etcd. All connections and watches end, and
// the server responds again at the same address; clients that connect meanwhile wait. Objects, users, rules of
// [Faults] and continue tokens are kept. Watches from a resource version before the restart get 410 Gone,
// except those of events, which kube-apiserver reads from etcd. It returns [ErrStopped] if the server was
// stopped.
func (s *Server) Restart() error {
	_, err := s.call(context.Background(), control.Restart, control.Argument{})
	return err
}

// Stop closes the server and all its connections, and returns when no request is in progress. All objects are
// lost. Further calls return the same error. The program goes on, for other servers.
func (s *Server) Stop() error { return s.stop() }

// call calls a method of the server.
func (s *Server) call(ctx context.Context, method string, a control.Argument) (control.Result, error) {
	var result control.Result
	err := s.engine.post(ctx, fmt.Sprintf("/servers/%d/%s", s.id, method), a, &result)
	return result, err
}

// do calls a method whose caller gets no error.
func (s *Server) do(method string, a control.Argument) control.Result {
	result, err := s.call(context.Background(), method, a)
	s.note(err)
	return result
}

// await calls a method that may take until the server is stopped.
func (s *Server) await(method string, a control.Argument) {
	if _, err := s.call(s.life, method, a); s.life.Err() == nil {
		s.note(err)
	}
}

// note keeps an error for Stop.
func (s *Server) note(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed == nil && !errors.Is(err, ErrStopped) {
		s.failed = err
	}
}
