package main

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/listwatch/listwatch/bench/internal/input"
)

// serve returns a server of machines. The prefix of a path selects its content: below /sync/N/
// there are N objects without changes, below /small/N/ small ones, of which no number is prepared, below /events/N/ there are no objects and each watch
// delivers N events.
func serve(objects int) (http.Handler, error) {
	bodies, err := input.NewBodies(min(objects, many))
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		words := strings.SplitN(r.URL.Path, "/", 4)
		n, err := strconv.Atoi(words[2])
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		there, changes := n, 0
		if words[1] == "events" {
			there, changes = 0, n
		}
		answer := answer{w: w, bodies: bodies, small: words[1] == "small", rv: input.ResourceVersion(there)}
		w.Header().Set("Content-Type", "application/json")
		query := r.URL.Query()
		if query.Get("watch") != "true" {
			answer.list(there)
			return
		}
		if query.Get("sendInitialEvents") == "true" {
			answer.events("ADDED", there)
			answer.initialEventsEnd()
		}
		answer.events("MODIFIED", changes)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}), nil
}

// answer writes a response. It ignores errors of closed connections.
type answer struct {
	w      http.ResponseWriter
	bodies *input.Bodies
	small  bool // objects
	rv     string
}

func (a answer) list(n int) {
	if n == 0 {
		fmt.Fprintf(a.w, `{"apiVersion":"fleet.example.com/v1","kind":"MachineList","metadata":{"resourceVersion":%q},"items":[]}`, a.rv)
		return
	}
	if a.small {
		_ = input.WriteSmallList(a.w, n)
		return
	}
	a.copy(a.bodies.List(n))
}

func (a answer) events(kind string, n int) {
	switch {
	case n > 0 && a.small:
		_ = input.WriteSmallEvents(a.w, kind, n)
	case n > 0:
		a.copy(a.bodies.Events(kind, n))
	}
}

func (a answer) initialEventsEnd() {
	fmt.Fprintf(a.w, `{"type":"BOOKMARK","object":{"apiVersion":"fleet.example.com/v1","kind":"Machine","metadata":{"resourceVersion":%q,"annotations":{"k8s.io/initial-events-end":"true"}}}}`+"\n", a.rv)
	a.w.(http.Flusher).Flush()
}

func (a answer) copy(r io.Reader) {
	_, _ = io.CopyBuffer(struct{ io.Writer }{a.w}, r, make([]byte, 64<<10))
}
