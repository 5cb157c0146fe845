package embedded

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync"

	"k8s.io/apiserver/pkg/endpoints/request"

	"github.com/listwatch/listwatch/apitest/internal/store"
)

// Controller does work that a controller of a cluster does in the background: it makes other writes follow from
// writes. Package controllers contains those that Kubernetes' own resemble. A test can have its own.
type Controller interface {
	// Reconcile is called with the objects that were written since its last call, and once with all objects in
	// the options, before the server responds. Its own writes lead to another call. It must compare the present
	// state with the desired one, as controllers do: an object may have been written again meanwhile. If it
	// returns an error, it is called with the same changes once more, after the others; the second error is
	// logged. It is not called by two goroutines at once.
	Reconcile(ctx context.Context, cluster *Cluster, changes []Change) error
}

// WithControllers runs controllers synchronously: the response to a write is sent when all that follows from the
// write has been done, including by other controllers and by the same one. So a test need not wait. By default, no
// controllers run.
//
// Writes wait for each other while controllers work. A webhook that is called for a write of a controller must
// therefore not wait for a write of its own.
func WithControllers(controllers ...Controller) Option {
	return func(o *options) { o.controllers = append(o.controllers, controllers...) }
}

// maxRounds bounds the rounds of controllers for a write, in case that two undo each other's work.
const maxRounds = 1000

// controllerRunner runs the controllers after writes.
type controllerRunner struct {
	backend     *store.Backend
	cluster     *Cluster
	controllers []Controller

	mu sync.Mutex // held while the controllers work
}

func newControllerRunner(l *loopback, backend *store.Backend, cert *certificate, controllers []Controller) (*controllerRunner, error) {
	var ca []byte
	if cert != nil {
		ca = cert.ca
	}
	cluster, err := newCluster(l, backend, ca)
	if err != nil {
		return nil, err
	}
	return &controllerRunner{backend: backend, cluster: cluster, controllers: controllers}, nil
}

// run runs the controllers until nothing changes.
func (r *controllerRunner) run(ctx context.Context) {
	r.mu.Lock()
	defer r.mu.Unlock()
	failed := make([][]Change, len(r.controllers)) // what to repeat, by controller
	for range maxRounds {
		changes := r.cluster.changes(r.backend.TakeWritten())
		work := len(changes) > 0
		for i, c := range r.controllers {
			again := failed[i]
			failed[i] = nil
			if len(again)+len(changes) == 0 {
				continue
			}
			work = true
			if err := c.Reconcile(ctx, r.cluster, append(again, changes...)); err == nil {
				continue
			} else if len(again) > 0 {
				slog.ErrorContext(ctx, "controller of the API server for tests fails", "controller", fmt.Sprintf("%T", c), "error", err)
				continue
			}
			failed[i] = changes
		}
		if !work {
			return
		}
	}
	slog.ErrorContext(ctx, "controllers of the API server for tests do not end", "rounds", maxRounds)
}

// runControllers runs the controllers, if there are any.
func (s *Server) runControllers() {
	if s.controllers != nil {
		s.controllers.run(context.Background())
	}
}

// wrap makes the responses to writes wait for the controllers.
func (r *controllerRunner) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		info, ok := request.RequestInfoFrom(req.Context())
		if !ok || !info.IsResourceRequest || req.Method == http.MethodGet || req.Method == http.MethodHead {
			next.ServeHTTP(w, req)
			return
		}
		held := &heldResponse{header: w.Header(), code: http.StatusOK}
		next.ServeHTTP(held, req)
		r.run(store.WithWrites(context.WithoutCancel(req.Context()), nil)) // these are not the request's
		w.WriteHeader(held.code)
		_, _ = w.Write(held.body.Bytes())
	})
}

// heldResponse is a response that is sent later.
type heldResponse struct {
	header http.Header // of the response to send
	code   int
	body   bytes.Buffer
}

func (h *heldResponse) Header() http.Header         { return h.header }
func (h *heldResponse) WriteHeader(code int)        { h.code = code }
func (h *heldResponse) Write(b []byte) (int, error) { return h.body.Write(b) }
