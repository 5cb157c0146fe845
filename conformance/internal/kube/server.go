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

// ErrStopped is returned by methods of a [Server] that cannot be called after Stop.
var ErrStopped = errors.New("the server is stopped")

// Options configure a server.
type Options struct {
	// Binaries are the result of [Build].
	Binaries Binaries
	// Flags of kube-apiserver follow its default flags: a flag with one value replaces the default,
	// a flag with several values adds to it.
	Flags []string
	// Log, if set, receives the output of kube-apiserver and etcd as it is written. Several
	// goroutines may write to it until Stop returns.
	Log io.Writer
}

// Server is a kube-apiserver with its own etcd. It is safe for concurrent use.
type Server struct {
	options     Options
	dir         string
	port        *port
	credentials credentials
	client      *http.Client // the admin's
	etcdClient  etcdClient

	mu        sync.Mutex // guards the fields below, and serializes starting and stopping programs
	etcd      *process   // nil if it failed to start
	apiServer *process   // nil if it failed to start or restart
	stopped   bool
}

// stopGrace is the time after which kube-apiserver is killed if it has not ended: usually it takes
// a second or two, but it was observed to hang.
const stopGrace = 30 * time.Second

// Start runs a server, and returns when it is ready: when /readyz succeeds, and the namespace
// "default" exists. It fails if ctx is done before that, or after two minutes; the error contains
// the last output of the failed program, and nothing is left behind. ctx has no effect later: the
// server runs until [Server.Stop], which the caller must call.
func Start(ctx context.Context, options Options) (*Server, error) {
	options.Flags = slices.Clone(options.Flags)
	s := &Server{options: options}
	if err := s.start(ctx); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// start implements Start, except that it leaves running programs behind if it fails.
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

// startEtcd leaves no running program behind if it fails.
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

// startAPIServer leaves no running program behind if it fails.
func (s *Server) startAPIServer(ctx context.Context) error {
	flags := apiServerFlags(s.dir, s.port.number, s.options.Flags)
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

// Config returns a config for the admin, who has all permissions as a member of system:masters. It
// stays valid across Restart. The caller owns the result.
func (s *Server) Config() *rest.Config { return s.config(s.credentials.adminToken) }

// ReaderConfig returns a config for the user "reader". It has no roles, so discovery is allowed, as
// for all users, and everything else is forbidden. The caller owns the result.
func (s *Server) ReaderConfig() *rest.Config { return s.config(s.credentials.readerToken) }

func (s *Server) config(token string) *rest.Config {
	return &rest.Config{
		Host:            s.url(),
		BearerToken:     token,
		TLSClientConfig: rest.TLSClientConfig{CAData: slices.Clone(s.credentials.authorities)},
	}
}

// Restart asks kube-apiserver to end, kills it after half a minute, and starts it again on the same
// port with the same etcd; the package documentation describes what clients notice. It returns when
// the server is ready again, with the same errors as [Start]. After an error the server does not
// serve, and Restart may be called again.
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

// Compact removes all history from etcd; the package documentation describes what notices that, and
// when.
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

// Stop ends the server and removes its data: since no data are needed, the programs are killed, and
// open connections break. It returns when nothing is left, also with an error: a program had ended
// by itself before, with the last part of its output. Further calls do nothing.
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
