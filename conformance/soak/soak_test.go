package soak_test

import (
	"context"
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/listwatch/listwatch/apitest"
	"github.com/listwatch/listwatch/conformance/soak"
	"github.com/listwatch/listwatch/runtime/rest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// crds is the folder of the definitions of what is written.
const crds = "../../examples/librarian/crds"

var (
	objects   = flag.Int("soak.objects", 500, "objects before the informers begin")
	events    = flag.Int("soak.events", 8_000, "changes to make")
	writers   = flag.Int("soak.writers", 4, "writers at once")
	disturbed = flag.Int("soak.disturbed", 8, "times that the server is disturbed")
	limit     = flag.Duration("soak.limit", 5*time.Minute, "when to give up")
)

func run(t *testing.T, server soak.Server) {
	ctx, cancel := context.WithTimeout(t.Context(), *limit)
	defer cancel()
	report, err := soak.Run(ctx, server, soak.Load{Objects: *objects, Events: *events, Writers: *writers, Disturbed: *disturbed})
	if report != nil {
		t.Log(report)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestOnTestServer(t *testing.T) {
	server := apitest.Start(t, apitest.WithCRDs(crds))
	run(t, &testServer{Server: server})
}

// testServer disturbs a server in memory.
type testServer struct {
	*apitest.Server
	times int
}

func (s *testServer) Config() *rest.Config { return s.Server.Config() }

func (s *testServer) Disturb(context.Context) (string, error) {
	s.times++
	switch s.times % 4 {
	case 1:
		s.Faults().DropWatches()
		return "watches dropped", nil
	case 2:
		s.Faults().CutConnections()
		return "connections cut", nil
	case 3:
		s.Faults().ExpireHistory()
		s.Faults().DropWatches()
		return "history expired", nil
	default:
		s.Faults().ExpireHistory()
		if err := s.Restart(); err != nil {
			return "", fmt.Errorf("restart: %w", err)
		}
		return "restarted without history", nil
	}
}
