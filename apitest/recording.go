package apitest

import (
	"encoding/json"
	"slices"

	"github.com/listwatch/listwatch/apitest/internal/control"
)

// Recording is a log of the requests of clients. It is safe for concurrent use.
type Recording struct {
	server *Server
	id     int
}

// Record starts to record the requests of clients: those that are answered from now on. A request is recorded before
// its client gets the response, a watch when it starts, also if it is rejected or a fault is injected. What the
// options of the server and its methods write is not recorded. A recording keeps the last 10,000 requests, without
// their bodies. Several recordings can be active.
//
//	log := srv.Record()
//	reconcile(t)
//	log.Requests(apitest.Modifying).Expect(t, "patch books/status default/emma")
//	log.Reset()
//	reconcile(t)
//	log.Requests(apitest.Modifying).Expect(t) // nothing
func (s *Server) Record() *Recording {
	return &Recording{s, s.do(control.Record, control.Argument{}).ID}
}

// Stop ends the recording, and keeps what it has. Further calls do nothing.
func (r *Recording) Stop() { r.server.do(control.StopRecording, control.Argument{ID: r.id}) }

// Reset forgets the requests so far.
func (r *Recording) Reset() { r.server.do(control.ResetRecording, control.Argument{ID: r.id}) }

// Dropped returns the number of requests that the recording has dropped since it was started or reset, because there
// were too many.
func (r *Recording) Dropped() int { return r.fetch().Count }

func (r *Recording) fetch() control.Result {
	return r.server.do(control.Recorded, control.Argument{ID: r.id})
}

// Requests returns the requests so far that all filters select, in the order of their responses. After
// [Server.Stop], there are none.
func (r *Recording) Requests(filters ...RequestFilter) Requests {
	var all Requests
	if text := r.fetch().Requests; text != nil {
		if err := json.Unmarshal(text, &all); err != nil {
			r.server.note(err)
		}
	}
	return slices.DeleteFunc(all, func(request Request) bool {
		return slices.ContainsFunc(filters, func(filter RequestFilter) bool { return !filter(request) })
	})
}
