// Package apitest runs a Kubernetes API server inside a test or a program.
package apitest

import (
	"testing"

	"github.com/listwatch/listwatch/runtime/rest"
)

// Server is an API server on the loopback interface. It is safe for concurrent use.
type Server struct{}

// Option changes how a server is started.
type Option func(*options)

type options struct{}

// Start starts a server that stops with the test.
func Start(t testing.TB, opts ...Option) *Server { return nil }

// New starts a server for a program, which has to stop it.
func New(opts ...Option) (*Server, error) { return nil, nil }

// Config returns how clients reach the server, with all rights. The caller may change it.
func (s *Server) Config() *rest.Config { return nil }

// Stop ends the server and all its connections.
func (s *Server) Stop() error { return nil }
