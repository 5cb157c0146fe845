package apitest

import (
	"context"
	"errors"

	"github.com/listwatch/listwatch/apitest/internal/control"
)

// Snapshot contains all objects of a server at one time. It is safe for concurrent use. The server keeps it until it
// stops.
type Snapshot struct {
	server *Server
	id     int
}

// Snapshot returns the current objects, of all resources, for [Server.Restore]. It waits for writes of CRDs in
// progress.
func (s *Server) Snapshot() *Snapshot {
	return &Snapshot{s, s.do(control.Take, control.Argument{}).ID}
}

// Restore makes the objects equal to those of a snapshot of this server, in one step: a request sees all of it or
// nothing. It can be called again with the same snapshot, so that each subtest of a test begins with the same objects:
//
//	initial := srv.Snapshot()
//	for _, c := range cases {
//		t.Run(c.name, func(t *testing.T) {
//			t.Cleanup(func() { _ = srv.Restore(initial) })
//			...
//		})
//	}
//
// For clients, Restore is a series of writes, as package embedded describes.
//
// It returns an error if the snapshot is of another server, and [ErrStopped] if the server was stopped.
func (s *Server) Restore(snapshot *Snapshot) error {
	switch {
	case snapshot == nil || snapshot.server == nil:
		return errors.New("restore: the snapshot is empty")
	case snapshot.server != s:
		return errors.New("restore: the snapshot is of another server")
	}
	_, err := s.call(context.Background(), control.Restore, control.Argument{ID: snapshot.id})
	return err
}
