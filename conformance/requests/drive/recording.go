package drive

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/listwatch/listwatch/conformance/requests/transcript"
)

// recordingServer writes down what it is asked, and answers all with one reply.
type recordingServer struct {
	*httptest.Server

	mu       sync.Mutex
	requests []transcript.Request
	reply    reply
}

// reply is an HTTP response.
type reply struct {
	status int
	body   string
}

func newRecordingServer() *recordingServer {
	s := &recordingServer{}
	s.Server = httptest.NewServer(s)
	return s
}

// ServeHTTP implements [http.Handler].
func (s *recordingServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	seen := record(r)
	s.mu.Lock()
	s.requests = append(s.requests, seen)
	reply := s.reply
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(reply.status)
	io.WriteString(w, reply.body)
}

// expect sets the reply to come and forgets what was asked before.
func (s *recordingServer) expect(r reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests, s.reply = nil, r
}

// seen returns the requests since expect.
func (s *recordingServer) seen() []transcript.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

func record(r *http.Request) transcript.Request {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		body = []byte("unreadable: " + err.Error())
	}
	seen := transcript.Request{
		Method: r.Method,
		Path:   r.URL.EscapedPath(),
		Query:  r.URL.RawQuery,
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
