package apitest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/listwatch/listwatch/apitest/internal/builtin"
	"github.com/listwatch/listwatch/apitest/internal/clock"
	"github.com/listwatch/listwatch/apitest/internal/custom"
	"github.com/listwatch/listwatch/apitest/internal/discovery"
	"github.com/listwatch/listwatch/apitest/internal/fault"
	"github.com/listwatch/listwatch/apitest/internal/openapi"
	"github.com/listwatch/listwatch/apitest/internal/store"
)

// ErrStopped is returned by methods that need a running server, after [Server.Stop].
var ErrStopped = errors.New("server is stopped")

// Server is an API server on the loopback interface. It is safe for concurrent use.
type Server struct {
	clock   *clock.Clock
	users   *users
	backend *store.Backend
	faults  *fault.Injector
	log     requestLog
	custom  *custom.Registry
	builtin *builtin.Resources
	sources []discovery.Source
	inside  *inside
	settler *settler // nil without controllers
	handler http.Handler

	certificate *certificate // nil means plain HTTP
	port        *port
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
	s := &Server{clock: clock.New(), faults: fault.New()}
	if o.start != nil {
		s.clock = clock.NewStill(*o.start)
	}
	s.users = newUsers(s.clock)
	var err error
	if s.port, err = newPort(o.address); err != nil {
		return nil, err
	}
	s.address = s.port.address()
	if err := s.prepare(o); err != nil {
		return nil, errors.Join(err, s.port.close())
	}
	s.begin()
	return s, nil
}

// prepare creates everything that clients may request.
func (s *Server) prepare(o *options) (err error) {
	switch {
	case o.serving != nil:
		s.certificate = o.serving
	case !o.plainHTTP:
		if s.certificate, err = newCertificate(); err != nil {
			return err
		}
	}
	if err := s.build(o); err != nil {
		return err
	}
	if err := s.fill(o); err != nil {
		s.custom.Close()
		s.builtin.Close()
		return err
	}
	return nil
}

// build connects the parts.
func (s *Server) build(o *options) error {
	certified, err := certificates(o.clientCA)
	if err != nil {
		return err
	}
	o.store.Clock = s.clock
	s.backend = store.NewBackend(o.store)
	if len(o.controllers) > 0 {
		s.backend.KeepWritten()
	}
	rights := &rights{rules: o.authorizer}
	may := authorizer.AuthorizerFunc(rights.authorize)
	var nowhere http.Handler
	resources, err := builtin.New(builtin.Options{
		Backend:    s.backend,
		Scheme:     o.scheme,
		Resources:  o.resources,
		Authorizer: may,
		Delegate:   http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { nowhere.ServeHTTP(w, req) }),
		Token:      s.users.issue,
		Address:    s.address,
		Params:     s.paramsOf,

		WithoutPlugins: o.withoutPlugins,
	})
	if err != nil {
		return fmt.Errorf("serve the scheme: %w", err)
	}
	s.builtin = resources
	s.users.check = resources.CheckToken
	nowhere = notFound(resources)
	var discover *discovery.Handler
	s.custom, err = custom.New(custom.Options{
		Backend:    s.backend,
		Authorizer: may,
		Admission:  resources.Admission(),
		Delegate:   resources,
		Changed:    func() { discover.Changed() },
	})
	if err != nil {
		return fmt.Errorf("serve definitions: %w", err)
	}
	reviews := &reviews{s.users, may, rights}
	s.sources = []discovery.Source{s.custom, resources, reviews}
	discover = discovery.New(s.sources...)
	if err := resources.Prepare(context.Background()); err != nil {
		s.custom.Close()
		return fmt.Errorf("create the first objects: %w", err)
	}
	s.inside = newInside(s.custom)
	var served http.Handler = s.custom
	if len(o.controllers) > 0 {
		cluster, err := newCluster(s)
		if err != nil {
			return fmt.Errorf("connect controllers: %w", err)
		}
		s.settler = &settler{backend: s.backend, cluster: cluster, controllers: o.controllers}
		served = s.settler.wrap(s.custom)
	}
	if rights.rules == nil {
		rights.rules = s.rules(o.scheme)
	}
	stranger := anonymous
	if o.plainHTTP {
		stranger = admin
	}
	s.handler = newHandler(s.users.authenticator(certified, stranger), may, s.faults, &s.log, newPaths(paths{
		reviews:   reviews,
		resources: served,
		discover:  discover,
		openapi:   &openapi.Handler{Groups: s.groups, Definitions: s.inside.definitions},
	}, s.groups, nowhere))
	return nil
}

// groups describes what is served.
func (s *Server) groups() []apidiscovery.APIGroupDiscovery {
	var groups []apidiscovery.APIGroupDiscovery
	for _, source := range s.sources {
		groups = append(groups, source.Groups()...)
	}
	return groups
}

// rules returns the default authorizer: roles, if they are served.
func (s *Server) rules(scheme *runtime.Scheme) authorizer.UnconditionalAuthorizer {
	if scheme.Recognizes(rbacv1.SchemeGroupVersion.WithKind("ClusterRole")) {
		return &roles{s.builtin}
	}
	return authorizer.AuthorizerFunc(anybody)
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
		inside: s.inside,
		scheme: o.scheme,
		groups: s.groups,
		modify: o.webhooks.modify,
	}
	for _, object := range o.objects {
		if err := loader.load(ctx, object); err != nil {
			return fmt.Errorf("WithObjects: %w", err)
		}
	}
	if err := manifests.create(ctx, loader); err != nil {
		return err
	}
	s.settle()
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
	s.custom.Close()
	s.builtin.Close()
	return s.port.close()
}
