package kube

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	utilnet "k8s.io/apimachinery/pkg/util/net"

	"github.com/listwatch/listwatch/runtime/rest"
)

// ErrStopped is what the methods of a [Server] return that cannot be called after its
// Stop.
var ErrStopped = errors.New("the server is stopped")

// Options say how a server is started.
type Options struct {
	// Binaries are what [Build] returned.
	Binaries Binaries
	// Flags of kube-apiserver come after its others: where a flag takes one value it
	// replaces that, and where it takes several it adds to them.
	Flags []string
	// Log, where it is set, takes what kube-apiserver and etcd print, as they print it.
	// It may be written to by several goroutines until Stop returns.
	Log io.Writer
}

// Server is a kube-apiserver over an etcd of its own. Its methods may be called by
// several goroutines.
type Server struct {
	options     Options
	dir         string
	port        *port
	credentials credentials
	client      *http.Client // the admin's
	etcdClient  etcdClient

	mu        sync.Mutex // guards the fields below, and lets one method at a time start and stop programs
	etcd      *process   // nil where it failed to start
	apiServer *process   // nil where it failed to start, at first or again
	stopped   bool
}

// stopGrace is how long kube-apiserver may take to end, when it is restarted, before it is
// killed: mostly it takes a second or two, but it has been seen to hang.
const stopGrace = 30 * time.Second

// Start runs a server, and returns when it is ready: when /readyz says so, and the
// namespace "default" is there. It fails when ctx is done before, or after two minutes;
// the error holds the end of what the program printed that failed, and nothing is left.
// Later ctx means nothing: the server runs until [Server.Stop], which the caller owes it.
func Start(ctx context.Context, options Options) (*Server, error) {
	options.Flags = slices.Clone(options.Flags)
	s := &Server{options: options}
	if err := s.start(ctx); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// start does what Start says, but for taking away what there is when it fails.
func (s *Server) start(ctx context.Context) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir, err = os.MkdirTemp("", "kube-"); err != nil {
		return err
	}
	if s.port, err = holdPort(); err != nil {
		return err
	}
	if s.credentials, err = newCredentials(s.dir); err != nil {
		return err
	}
	if s.client, err = rest.HTTPClientFor(s.Config()); err != nil {
		return err
	}
	if err = s.startEtcd(ctx); err != nil {
		return err
	}
	return s.startAPIServer(ctx)
}

// startEtcd leaves none running where it fails.
func (s *Server) startEtcd(ctx context.Context) error {
	p, err := startProcess(s.options.Log, "etcd", s.options.Binaries.Etcd, etcdFlags(s.dir)...)
	if err != nil {
		return err
	}
	s.etcdClient = newEtcdClient(s.dir)
	if err = await(ctx, s.etcdClient.healthy, p); err != nil {
		p.kill()
		return err
	}
	s.etcd = p
	return nil
}

// startAPIServer leaves none running where it fails.
func (s *Server) startAPIServer(ctx context.Context) error {
	flags := append(apiServerFlags(s.dir, s.port.number), s.options.Flags...)
	p, err := startProcess(s.options.Log, "kube-apiserver", s.options.Binaries.APIServer, flags...)
	if err != nil {
		return err
	}
	if err = await(ctx, apiServerReady(s.client, s.url()), s.etcd, p); err != nil {
		p.kill()
		return err
	}
	s.apiServer = p
	return nil
}

func (s *Server) url() string { return fmt.Sprintf("https://127.0.0.1:%d", s.port.number) }

// Config returns how the admin reaches the server, who may do everything, as a member
// of system:masters. It holds across Restart. The caller owns what is returned.
func (s *Server) Config() *rest.Config { return s.config(s.credentials.adminToken) }

// ReaderConfig returns how the user "reader" reaches the server. No role is bound to
// it, so that it may discover what there is, as all users may, and is forbidden the
// rest. The caller owns what is returned.
func (s *Server) ReaderConfig() *rest.Config { return s.config(s.credentials.readerToken) }

func (s *Server) config(token string) *rest.Config {
	return &rest.Config{
		Host:            s.url(),
		BearerToken:     token,
		TLSClientConfig: rest.TLSClientConfig{CAData: slices.Clone(s.credentials.authorities)},
	}
}

// Restart asks kube-apiserver to end, kills it where that takes more than half a minute,
// and starts it again on the same port, over the same etcd: see the package's
// documentation for what clients notice. It returns when the server is ready again, with
// errors as those of [Start]. After one the server does not serve, and Restart may be
// called again.
func (s *Server) Restart(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return fmt.Errorf("restart: %w", ErrStopped)
	}
	if p := s.apiServer; p != nil {
		s.apiServer = nil
		if err := p.stop(stopGrace); err != nil {
			return fmt.Errorf("restart: %w", err)
		}
	}
	if err := s.startAPIServer(ctx); err != nil {
		return fmt.Errorf("restart: %w", err)
	}
	return nil
}

// Compact removes all history from etcd: see the package's documentation for what
// notices it when.
func (s *Server) Compact(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return fmt.Errorf("compact: %w", ErrStopped)
	}
	if err := s.etcdClient.compact(ctx); err != nil {
		return fmt.Errorf("compact: %w", err)
	}
	return nil
}

// Stop ends the server at once and removes its data: as nothing is to be kept, nothing is
// asked to end in good order, and open connections break. It returns when nothing is left,
// also where it returns an error: a program that ended by itself before, and the end of
// what it printed. Calls after the first do nothing.
func (s *Server) Stop() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return nil
	}
	s.stopped = true
	var err error
	for _, p := range []*process{s.apiServer, s.etcd} {
		if p != nil {
			err = errors.Join(err, p.alive())
			p.kill()
		}
	}
	if s.client != nil {
		utilnet.CloseIdleConnectionsFor(s.client.Transport)
	}
	if s.port != nil {
		err = errors.Join(err, s.port.release())
	}
	return errors.Join(err, os.RemoveAll(s.dir))
}
