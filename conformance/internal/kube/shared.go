package kube

import (
	"cmp"
	"context"
	"os"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/peers"
)

// Shared returns the binaries that all tests share, building them if they are missing, with the kube-apiserver in
// [APIServerVariable] if that is set.
func Shared(ctx context.Context) (Binaries, error) {
	dir, err := peers.Work("bin")
	if err != nil {
		return Binaries{}, err
	}
	built, err := Build(ctx, dir)
	built.APIServer = cmp.Or(os.Getenv(APIServerVariable), built.APIServer)
	return built, err
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
