package embedded

import (
	"slices"
	"sync"

	"github.com/listwatch/listwatch/apitest"
)

// Requests, and what selects them, are those of package apitest.
type (
	// Request is a request that a client sent to the server; see [apitest.Request].
	Request = apitest.Request
	// RequestFilter selects requests; see [apitest.RequestFilter].
	RequestFilter = apitest.RequestFilter
	// Requests is part of a recording; see [apitest.Requests].
	Requests = apitest.Requests
)

// Modifying selects the requests that would modify objects; see [apitest.Modifying].
func Modifying(r Request) bool { return apitest.Modifying(r) }

// By selects the requests of some users; see [apitest.By].
func By(users ...string) RequestFilter { return apitest.By(users...) }

// Matching selects the requests that match one of the patterns of [apitest.Request.Matches].
func Matching(patterns ...string) RequestFilter { return apitest.Matching(patterns...) }

// Not selects the requests that a filter does not select.
func Not(filter RequestFilter) RequestFilter { return apitest.Not(filter) }

// maxRecorded is the number of requests that a recording keeps.
const maxRecorded = 10_000

// Recording is a log of the requests of clients. It is safe for concurrent use.
type Recording struct {
	log *requestLog

	mu       sync.Mutex // guards the rest
	requests []Request
	dropped  int
}

// Record starts to record the requests of clients: those that are answered from now on. A request is recorded before
// its client gets the response, a watch when it starts, also if it is rejected or a fault is injected. What the
// options of the server and its methods write is not recorded. A recording keeps the last 10,000 requests, without
// their bodies, which takes a few megabytes. Several recordings can be active.
//
//	log := srv.Record()
//	reconcile(t)
//	log.Requests(apitest.Modifying).Expect(t, "patch books/status default/emma")
//	log.Reset()
//	reconcile(t)
//	log.Requests(apitest.Modifying).Expect(t) // nothing
func (s *Server) Record() *Recording {
	r := &Recording{log: &s.log}
	s.log.add(r)
	return r
}

// Stop ends the recording, and keeps what it has. Further calls do nothing.
func (r *Recording) Stop() { r.log.remove(r) }

// Reset forgets the requests so far.
func (r *Recording) Reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests, r.dropped = nil, 0
}

// Dropped returns the number of requests that the recording has dropped since it was started or reset, because there
// were too many.
func (r *Recording) Dropped() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.dropped
}

// Requests returns the requests so far that all filters select, in the order of their responses.
func (r *Recording) Requests(filters ...RequestFilter) Requests {
	r.mu.Lock()
	defer r.mu.Unlock()
	var selected Requests
	for _, request := range r.requests {
		if !slices.ContainsFunc(filters, func(filter RequestFilter) bool { return !filter(request) }) {
			selected = append(selected, request)
		}
	}
	return selected
}

func (r *Recording) add(request Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.requests) == maxRecorded {
		// Half of them at a time, so that adding one is cheap.
		r.requests = append([]Request(nil), r.requests[maxRecorded/2:]...)
		r.dropped += maxRecorded / 2
	}
	r.requests = append(r.requests, request)
}
