package untyped_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// tape is a transport that records exchanges, and plays the responses back after rewind.
type tape struct {
	next http.RoundTripper

	mu        sync.Mutex // guards the fields below, and the bodies of exchanges
	exchanges []*exchange
	playing   bool
	requests  []string // of the side that is running
}

// exchange is a recorded response.
type exchange struct {
	status int
	header http.Header
	body   bytes.Buffer // as far as it was read
}

// RoundTrip implements http.RoundTripper.
func (t *tape) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
		_ = r.Body.Close() // nothing is written to it
		r = r.Clone(r.Context())
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	t.mu.Lock()
	number := len(t.requests)
	t.requests = append(t.requests, fmt.Sprintf("%s %s\nAccept: %s\nContent-Type: %s\n%s",
		r.Method, r.URL.RequestURI(), r.Header.Get("Accept"), r.Header.Get("Content-Type"), strings.TrimSpace(string(body))))
	playing := t.playing
	t.mu.Unlock()
	if playing {
		return t.play(r, number)
	}
	resp, err := t.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	e := &exchange{status: resp.StatusCode, header: resp.Header}
	t.exchanges = append(t.exchanges, e)
	resp.Body = &recorded{ReadCloser: resp.Body, tape: t, exchange: e}
	return resp, nil
}

// play returns the recorded response to the request of that number.
func (t *tape) play(r *http.Request, number int) (*http.Response, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if number >= len(t.exchanges) {
		return nil, fmt.Errorf("there was no request %d", number)
	}
	e := t.exchanges[number]
	return &http.Response{
		StatusCode: e.status, Status: http.StatusText(e.status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: e.header, ContentLength: -1, Request: r,
		Body: io.NopCloser(bytes.NewReader(e.body.Bytes())),
	}, nil
}

// rewind ends recording, and returns the requests so far.
func (t *tape) rewind() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	requests := t.requests
	t.playing, t.requests = true, nil
	return requests
}

// recorded is a body that is recorded while it is read.
type recorded struct {
	io.ReadCloser
	tape     *tape
	exchange *exchange
}

func (r *recorded) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	r.tape.mu.Lock()
	defer r.tape.mu.Unlock()
	r.exchange.body.Write(p[:n])
	return n, err
}
