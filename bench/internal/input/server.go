package input

import (
	"bytes"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"
)

// Server serves machines. The limit of a request sets the number of objects in a list, or of events
// in a watch, which then ends. The path of an object ends with its name.
type Server struct{ Bodies *Bodies }

// ServeHTTP implements [http.Handler].
func (s Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _, err := s.answer(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	// Errors of closed connections do not matter.
	_, _ = io.CopyBuffer(writer{w}, body, make([]byte, 64<<10))
}

// writer hides all methods except Write, so that a copy uses a buffer of its own size.
type writer struct{ io.Writer }

// RoundTrip implements [http.RoundTripper].
func (s Server) RoundTrip(r *http.Request) (*http.Response, error) {
	body, length, err := s.answer(r)
	if err != nil {
		return nil, err
	}
	return &http.Response{
		StatusCode: http.StatusOK, Status: "200 OK",
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        http.Header{"Content-Type": {"application/json"}},
		Body:          body,
		ContentLength: length,
		Request:       r,
	}, nil
}

// answer returns the body of a response, and its length or -1.
func (s Server) answer(r *http.Request) (io.ReadCloser, int64, error) {
	if number, err := strconv.Atoi(strings.TrimPrefix(path.Base(r.URL.Path), namePrefix)); err == nil {
		object := s.Bodies.Object(number)
		return io.NopCloser(bytes.NewReader(object)), int64(len(object)), nil
	}
	query := r.URL.Query()
	n, err := strconv.Atoi(query.Get("limit"))
	if err != nil {
		return nil, 0, err
	}
	if query.Get("watch") == "true" {
		return s.Bodies.Watch(n), -1, nil
	}
	return s.Bodies.List(n), -1, nil
}
