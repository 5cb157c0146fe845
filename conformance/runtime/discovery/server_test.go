package discovery_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
)

const (
	legacyJSON     = "application/json"
	aggregatedJSON = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
)

// answer is a server's response at a path. If it has an aggregated form, clients that accept that
// get it.
type answer struct {
	code             int // 200 if not set
	contentType      string
	body, aggregated string
	cut              int  // how many bytes of the body are missing
	unannounced      bool // the header does not say how long the body is
}

// server is a RoundTripper that responds at the paths of the map and records requests.
type server struct {
	answers map[string]answer

	mu       sync.Mutex // guards requests
	requests []string
}

// RoundTrip implements http.RoundTripper.
func (s *server) RoundTrip(req *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if req.Body != nil {
		_ = req.Body.Close()
	}
	s.requests = append(s.requests, req.Method+" "+req.URL.String()+
		"\n\tAccept: "+req.Header.Get("Accept")+"\n\tUser-Agent: "+req.UserAgent())
	a, ok := s.answers[req.URL.Path]
	if !ok {
		a = failure(http.StatusNotFound, "NotFound")
	}
	if a.code == 0 {
		a.code = http.StatusOK
	}
	if a.contentType == "" {
		a.contentType = legacyJSON
	}
	if a.aggregated != "" && strings.Contains(req.Header.Get("Accept"), aggregatedJSON) {
		a.contentType, a.body = aggregatedJSON, a.aggregated
	}
	var body io.Reader = strings.NewReader(a.body)
	length := int64(len(a.body))
	if a.cut > 0 {
		body = io.MultiReader(strings.NewReader(a.body[:max(0, len(a.body)-a.cut)]), broken{})
	}
	if a.unannounced {
		length = -1
	}
	return &http.Response{
		StatusCode:    a.code,
		Status:        http.StatusText(a.code),
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        http.Header{"Content-Type": {a.contentType}},
		Body:          io.NopCloser(body),
		ContentLength: length,
		Request:       req,
	}, nil
}

// broken is a connection that has broken off.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// seen returns all requests since the last call, sorted, because some are concurrent.
func (s *server) seen() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := s.requests
	s.requests = nil
	slices.Sort(seen)
	return seen
}

func failure(code int, reason string) answer {
	return answer{code: code, body: fmt.Sprintf(
		`{"kind":"Status","apiVersion":"v1","status":"Failure","message":"no","reason":%q,"code":%d}`, reason, code)}
}
