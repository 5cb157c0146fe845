package embedded

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/listwatch/listwatch/apitest"
	"github.com/listwatch/listwatch/apitest/internal/builtin"
	"github.com/listwatch/listwatch/apitest/internal/clock"
	"github.com/listwatch/listwatch/apitest/internal/custom"
	"github.com/listwatch/listwatch/apitest/internal/discovery"
	"github.com/listwatch/listwatch/apitest/internal/fault"
	"github.com/listwatch/listwatch/apitest/internal/openapi"
	"github.com/listwatch/listwatch/apitest/internal/store"
	"github.com/listwatch/listwatch/apitest/internal/token"
)

// ErrStopped is returned by methods that need a running server, after [Server.Stop].
var ErrStopped = apitest.ErrStopped

// Server is an API server on the loopback interface. It is safe for concurrent use.
type Server struct {
	clock       *clock.Clock
	users       *users
	backend     *store.Backend
	faults      *fault.Injector
	log         requestLog
	custom      *custom.Registry
	builtin     *builtin.Resources
	loopback    *loopback
	controllers *controllerRunner // nil without controllers
	handler     http.Handler

	certificate *certificate // nil means plain HTTP
	port        port
	address     string // host:port of port

	mu       sync.Mutex // guards the rest
	endpoint *endpoint
	stopped  bool
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

// New starts a server for a program. It returns when the server responds and serves everything in the options.
// The caller must call [Server.Stop]. Errors name the invalid option; errors.As finds API errors, such as that
// of an invalid definition.
func New(opts ...Option) (*Server, error) {
	o := newOptions(opts)
	if err := o.check(); err != nil {
		return nil, err
	}
	opened, err := newPort(o)
	if err != nil {
		return nil, err
	}
	s, err := build(o, opened)
	if err != nil {
		return nil, errors.Join(err, opened.close())
	}
	if err := s.fill(o); err != nil {
		s.closeResources()
		return nil, errors.Join(err, opened.close())
	}
	s.begin()
	return s, nil
}

// build creates the parts of a server, each from earlier ones.
func build(o *options, p port) (*Server, error) {
	s := &Server{clock: clock.New(), faults: fault.New(), port: p, address: p.address()}
	if o.start != nil {
		s.clock = clock.NewStill(*o.start)
	}
	var err error
	if s.certificate, err = o.certificate(); err != nil {
		return nil, err
	}
	certified, err := certificates(o.clientCA)
	if err != nil {
		return nil, err
	}
	o.store.Clock = s.clock
	s.backend = store.NewBackend(o.store)
	if len(o.controllers) > 0 {
		s.backend.KeepWritten()
	}
	issuer := token.NewIssuer(s.clock)
	s.builtin, err = builtin.New(builtin.Options{
		Backend:        s.backend,
		Scheme:         o.scheme,
		Resources:      o.resources,
		Authorizer:     o.authorizer,
		Token:          issuer.Issue,
		Address:        s.address,
		Params:         params,
		Webhooks:       o.webhookTransport,
		Types:          policyTypes,
		WithoutPlugins: o.withoutPlugins,
		WithPlugins:    o.withPlugins,
	})
	if err != nil {
		return nil, fmt.Errorf("serve the scheme: %w", err)
	}
	s.users = newUsers(s.clock, issuer, s.builtin.CheckToken)
	s.custom, err = custom.New(custom.Options{
		Backend:    s.backend,
		Authorizer: s.builtin.Permissions(),
		Admission:  s.builtin.Admission(),
		Delegate:   s.builtin,
	})
	if err != nil {
		s.builtin.Close()
		return nil, fmt.Errorf("serve definitions: %w", err)
	}
	if err = s.builtin.Prepare(context.Background()); err != nil {
		s.closeResources()
		return nil, fmt.Errorf("create the first objects: %w", err)
	}
	reviews := &reviews{s.users, s.builtin.Permissions()}
	discover := discovery.New(s.custom, s.builtin, reviews)
	s.loopback = newLoopback(s.custom, discover)
	resources := s.loopback.wrap(s.custom)
	if len(o.controllers) > 0 {
		if s.controllers, err = newControllerRunner(s.loopback, s.backend, s.certificate, o.controllers); err != nil {
			s.closeResources()
			return nil, fmt.Errorf("connect controllers: %w", err)
		}
		resources = s.controllers.wrap(resources)
	}
	defaultUser := anonymous
	if o.plainHTTP {
		defaultUser = admin
	}
	s.handler = newHandler(s.users.authenticator(certified, defaultUser), s.builtin.Permissions().Authorize, s.faults, &s.log, newPaths(paths{
		reviews:   reviews,
		resources: resources,
		discover:  discover,
		openapi:   &openapi.Handler{Groups: discover.Groups, Definitions: s.loopback.definitions},
		address:   s.address,
	}, s.builtin.NotFound))
	return s, nil
}

// fill applies the definitions and creates the objects in the options.
func (s *Server) fill(o *options) error {
	ctx := context.Background()
	crds, err := o.definitions()
	if err != nil {
		return err
	}
	manifests, err := o.readManifests()
	if err != nil {
		return err
	}
	crds = o.webhooks.convert(append(crds, manifests.definitions...))
	if err := s.Apply(ctx, crds...); err != nil {
		return fmt.Errorf("apply definitions: %w", err)
	}
	loader := &loader{
		loopback: s.loopback,
		scheme:   o.scheme,
		modify:   o.webhooks.modify,
	}
	for _, object := range o.objects {
		if err := loader.load(ctx, object); err != nil {
			return fmt.Errorf("WithObjects: %w", err)
		}
	}
	if err := manifests.create(ctx, loader); err != nil {
		return err
	}
	s.runControllers()
	return nil
}

// begin starts a life of the server. The lock is held, or no other goroutine has the server yet.
func (s *Server) begin() {
	s.endpoint = newEndpoint(s.faults.Listen(s.port.listen()), s.handler, s.certificate)
}

// Apply creates or updates CRDs. When it returns, they are established and their resources are served. It does
// not modify crds. It stops at the first CRD that is rejected, with an error in which errors.As finds the API
// error; earlier ones stay applied. It returns [ErrStopped] if the server was stopped.
func (s *Server) Apply(ctx context.Context, crds ...*apiextensions.CustomResourceDefinition) error {
	if slices.Contains(crds, nil) {
		return errors.New("a definition is nil")
	}
	s.mu.Lock()
	stopped := s.stopped
	s.mu.Unlock()
	if stopped {
		return ErrStopped
	}
	return s.custom.Apply(ctx, crds...)
}

// Restart simulates a kube-apiserver that is restarted on the same etcd. All connections and watches end, and
// the server responds again at the same address; clients that connect meanwhile wait. Objects, users, rules of
// [Faults] and continue tokens are kept. Watches from a resource version before the restart get 410 Gone,
// except those of events, which kube-apiserver reads from etcd. It returns [ErrStopped] if the server was
// stopped.
func (s *Server) Restart() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return ErrStopped
	}
	s.faults.Thaw()
	s.endpoint.close()
	s.backend.Restart()
	s.begin()
	return nil
}

// Stop closes the server and all its connections, and returns when no request is in progress. All objects are
// lost. Further calls do nothing.
func (s *Server) Stop() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return nil
	}
	s.stopped = true
	s.faults.Thaw()
	s.endpoint.close()
	s.closeResources()
	return s.port.close()
}

// closeResources ends what serves resources. No request is in progress.
func (s *Server) closeResources() {
	s.custom.Close()
	s.builtin.Close()
}
