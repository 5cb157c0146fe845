package kube

import (
	"context"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/peers"
)

// Shared returns the binaries that all tests share, building them if they are missing.
func Shared(ctx context.Context) (Binaries, error) {
	dir, err := peers.Work("bin")
	if err != nil {
		return Binaries{}, err
	}
	return Build(ctx, dir)
}

// StartShared starts a server from [Shared] binaries, with flags as in [Options].
func StartShared(ctx context.Context, flags ...string) (*Server, error) {
	built, err := Shared(ctx)
	if err != nil {
		return nil, err
	}
	return Start(ctx, Options{Binaries: built, Flags: flags})
}

// StartTest is [StartShared] for a server that is stopped when the test ends.
func StartTest(t testing.TB, flags ...string) *Server {
	t.Helper()
	s, err := StartShared(t.Context(), flags...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Errorf("stop: %v", err)
		}
	})
	return s
}
