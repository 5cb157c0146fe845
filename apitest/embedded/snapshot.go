package embedded

import (
	"context"
	"errors"
	"fmt"

	"github.com/listwatch/listwatch/apitest/internal/store"
)

// Snapshot contains all objects of a server at one time. It is safe for concurrent use, and shares memory with the
// server: it costs little until objects are changed.
type Snapshot struct{ content *store.Snapshot }

// Snapshot returns the current objects, of all resources, for [Server.Restore]. It takes microseconds, and the first time
// milliseconds, in which roles and other objects that every cluster has are created. It waits for writes of CRDs in
// progress.
func (s *Server) Snapshot() *Snapshot {
	// An error is of a resource that cannot be served, which each request for it says.
	_ = s.builtin.CreateOwn()
	var content *store.Snapshot
	s.custom.Exclusive(func() { content = s.backend.Snapshot() })
	return &Snapshot{content}
}

// Restore makes the objects equal to those of a snapshot of this server, in one step: a request sees all of it or
// nothing. It takes microseconds and a few more for each object that differs. It can be called again with the same
// snapshot, so that each subtest of a test begins with the same objects:
//
//	initial := srv.Snapshot()
//	for _, c := range cases {
//		t.Run(c.name, func(t *testing.T) {
//			t.Cleanup(func() { _ = srv.Restore(initial) })
//			...
//		})
//	}
//
// For clients, Restore is a series of writes. Objects that were created since are deleted without regard to their
// finalizers; those that were changed are changed back; those that were deleted are created with their former UID.
// Watches continue and get these events, so that informers stay correct, and resource versions go on increasing:
// objects that differ have new ones. Neither admission nor webhooks are called. CRDs, roles, webhooks and tokens of
// service accounts are active as the restored objects say. The server's clock, the faults and the log of requests
// are not restored; objects whose time is over expire again. Controllers of [WithControllers] are called with the
// changes.
//
// It returns an error if the snapshot is of another server, and [ErrStopped] if the server was stopped.
func (s *Server) Restore(snapshot *Snapshot) error {
	if snapshot == nil || snapshot.content == nil {
		return errors.New("restore: the snapshot is empty")
	}
	s.mu.Lock()
	stopped := s.stopped
	s.mu.Unlock()
	if stopped {
		return ErrStopped
	}
	err := s.custom.Restore(context.Background(), func() error {
		if !s.backend.Restore(snapshot.content) {
			return errors.New("the snapshot is of another server")
		}
		s.builtin.Restored()
		return nil
	})
	if err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	s.runControllers()
	return nil
}
