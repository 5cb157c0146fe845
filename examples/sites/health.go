package sites

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/listwatch/listwatch/kubernetes/leaderelection"
	"github.com/listwatch/listwatch/kubernetes/shards"
)

// gate is closed until it is opened.
type gate struct{ opened atomic.Bool }

func (g *gate) open() { g.opened.Store(true) }

// healthServer serves the endpoints of a replica.
type healthServer struct {
	server *http.Server
	ended  chan struct{} // closed when the server has stopped
}

// serve serves /healthz, which fails if the replica should be killed: it has lost its lease and works on. /readyz
// succeeds when the caches are filled, also in a replica that does not lead: a rolling update waits for that. /debug/ring
// shows whose the sites are, if replicas share them.
func serve(o Options, watchdog *leaderelection.HealthzAdaptor, ring *shards.Ring, synced *gate) healthServer {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, r *http.Request) {
		if err := watchdog.Check(r); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if !synced.opened.Load() {
			http.Error(w, "the caches are not filled yet", http.StatusServiceUnavailable)
		}
	})
	if o.Metrics != nil {
		mux.Handle("GET /metrics", o.Metrics)
	}
	if ring != nil {
		mux.Handle("GET /debug/ring", ring)
	}
	s := healthServer{&http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}, make(chan struct{})}
	go func() {
		defer close(s.ended)
		err := s.server.Serve(o.Listener)
		if !errors.Is(err, http.ErrServerClosed) {
			o.Log.Error("No health endpoints, the kubelet will restart this replica", "error", err)
		}
	}()
	return s
}

// stop completes requests in progress, for a second at most.
func (s healthServer) stop() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if s.server.Shutdown(ctx) != nil {
		_ = s.server.Close()
	}
	<-s.ended
}
