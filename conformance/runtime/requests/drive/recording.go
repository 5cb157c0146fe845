package drive

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/listwatch/listwatch/conformance/runtime/requests/transcript"
)

// recordingServer records requests, and responds with given replies.
type recordingServer struct {
	*httptest.Server

	mu       sync.Mutex
	requests []transcript.Request
	replies  []reply
}

// reply is an HTTP response.
type reply struct {
	status int
	// header contains names and values in turn; without a Content-Type, it is JSON.
	header []string
	body   string
}

// write sends the reply.
func (r reply) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	for header := range slices.Chunk(r.header, 2) {
		switch name, value := header[0], header[1]; {
		case name == "Content-Type" && value == "":
			// A nil value keeps the server from guessing.
			w.Header()[name] = nil
		case name == "Content-Type":
			w.Header().Set(name, value)
		default:
			w.Header().Add(name, value)
		}
	}
	w.WriteHeader(r.status)
	_, _ = io.WriteString(w, r.body) // an error means that the client has disconnected
}

func newRecordingServer() *recordingServer {
	s := &recordingServer{}
	s.Server = httptest.NewServer(s)
	return s
}

// ServeHTTP implements [http.Handler].
func (s *recordingServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	seen := Record(r)
	s.mu.Lock()
	s.requests = append(s.requests, seen)
	next := s.replies[min(len(s.requests), len(s.replies))-1]
	s.mu.Unlock()
	next.write(w)
}

// expect sets the next replies, of which the last is repeated for all further requests, and forgets
// earlier requests.
func (s *recordingServer) expect(replies ...reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests, s.replies = nil, replies
}

// seen returns the requests since expect.
func (s *recordingServer) seen() []transcript.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

// Record returns a request that a server received.
func Record(r *http.Request) transcript.Request {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		body = []byte("unreadable: " + err.Error())
	}
	seen := transcript.Request{
		Method: r.Method,
		Path:   r.URL.EscapedPath(),
		Query:  settled(r.URL.RawQuery),
		Header: map[string]string{},
		Body:   string(body),
	}
	if !utf8.Valid(body) {
		seen.Body = strconv.Quote(string(body))
	}
	for name, values := range r.Header {
		seen.Header[name] = strings.Join(values, ", ")
	}
	return seen
}

// settled returns a query with the terms of its field selector sorted: selectors of several terms come
// from maps, in both libraries, and have no order.
func settled(query string) string {
	parts := strings.Split(query, "&")
	for i, part := range parts {
		value, ok := strings.CutPrefix(part, "fieldSelector=")
		if !ok {
			continue
		}
		if text, err := url.QueryUnescape(value); err == nil {
			terms := strings.Split(text, ",")
			slices.Sort(terms)
			parts[i] = "fieldSelector=" + url.QueryEscape(strings.Join(terms, ","))
		}
	}
	return strings.Join(parts, "&")
}
