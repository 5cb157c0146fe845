// Package host makes API servers and calls their methods, as the requests of package control ask for.
package host

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/apitest/internal/control"
)

// Host is a handler of the requests of package control. It is safe for concurrent use.
type Host struct {
	mux *http.ServeMux

	mu      sync.Mutex // guards the rest
	last    int        // ID
	servers map[int]*server
}

// New returns a host without servers.
func New() *Host {
	h := &Host{mux: http.NewServeMux(), servers: map[int]*server{}}
	h.mux.HandleFunc("POST /servers", h.start)
	h.mux.HandleFunc("POST /servers/{id}/{method}", h.call)
	return h
}

// ServeHTTP implements http.Handler.
func (h *Host) ServeHTTP(w http.ResponseWriter, req *http.Request) { h.mux.ServeHTTP(w, req) }

// start makes a server.
func (h *Host) start(w http.ResponseWriter, req *http.Request) {
	var o control.Options
	if err := json.NewDecoder(req.Body).Decode(&o); err != nil {
		fail(w, http.StatusBadRequest, err)
		return
	}
	options, err := convert(o)
	if err != nil {
		fail(w, http.StatusBadRequest, err)
		return
	}
	started, err := embedded.New(options...)
	if err != nil {
		fail(w, http.StatusUnprocessableEntity, err)
		return
	}
	h.mu.Lock()
	h.last++
	id := h.last
	h.servers[id] = newServer(started)
	h.mu.Unlock()
	respond(w, control.Started{ID: id, URL: started.URL(), CA: started.Config().CAData})
}

// call calls a method.
func (h *Host) call(w http.ResponseWriter, req *http.Request) {
	id, err := strconv.Atoi(req.PathValue("id"))
	if err != nil {
		fail(w, http.StatusNotFound, err)
		return
	}
	var argument control.Argument
	if err = json.NewDecoder(req.Body).Decode(&argument); err != nil {
		fail(w, http.StatusBadRequest, err)
		return
	}
	name := req.PathValue("method")
	h.mu.Lock()
	s, ok := h.servers[id]
	if name == control.Stop {
		delete(h.servers, id)
	}
	h.mu.Unlock()
	if !ok {
		fail(w, http.StatusGone, embedded.ErrStopped)
		return
	}
	method, ok := methods[name]
	if !ok {
		fail(w, http.StatusNotFound, errors.New("unknown method "+name))
		return
	}
	result, err := method(req.Context(), s, argument)
	if err != nil {
		fail(w, http.StatusUnprocessableEntity, err)
		return
	}
	respond(w, result)
}

func respond(w http.ResponseWriter, document any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(document) // the test may have ended
}

func fail(w http.ResponseWriter, code int, err error) {
	failure := control.Failure{Message: err.Error(), Stopped: errors.Is(err, embedded.ErrStopped)}
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		s := status.Status()
		failure.Status = &s
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(failure) // the test may have ended
}
