//go:build kube

package soak_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/kube"
)

func TestOnKube(t *testing.T) {
	server := kube.StartTest(t)
	if err := server.Define(t.Context(), crds+"/library.yaml"); err != nil {
		t.Fatal(err)
	}
	run(t, &kubeServer{Server: server}, 2)
}

// kubeServer disturbs the real server.
type kubeServer struct {
	*kube.Server
	times int
}

func (s *kubeServer) Disturb(ctx context.Context) (string, error) {
	s.times++
	what := "restarted"
	if s.times%2 == 1 {
		what = "restarted without history"
		if err := s.Compact(ctx); err != nil {
			return "", fmt.Errorf("compact: %w", err)
		}
	}
	return what, s.Restart(ctx)
}
