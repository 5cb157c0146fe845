// Package inprocess makes package apitest run its servers in the process of the test. It is imported for its effect:
//
//	import _ "github.com/listwatch/listwatch/apitest/inprocess"
//
// The servers are the same. The test links them, so that it takes longer to build, and needs no program: the race
// detector, coverage and the debugger see both sides.
package inprocess

import (
	"bytes"
	"io"
	"net/http"

	"github.com/listwatch/listwatch/apitest/internal/control"
	"github.com/listwatch/listwatch/apitest/internal/host"
)

func init() { control.InProcess = &transport{host.New()} }

// transport calls a handler.
type transport struct{ handler http.Handler }

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	defer req.Body.Close() //nolint:errcheck // it is in memory
	r := &response{header: http.Header{}, code: http.StatusOK}
	t.handler.ServeHTTP(r, req)
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	return &http.Response{
		Status: http.StatusText(r.code), StatusCode: r.code, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: r.header, Body: io.NopCloser(&r.body), ContentLength: int64(r.body.Len()), Request: req,
	}, nil
}

// response is the response of the handler.
type response struct {
	header http.Header
	code   int
	body   bytes.Buffer
}

func (r *response) Header() http.Header         { return r.header }
func (r *response) WriteHeader(code int)        { r.code = code }
func (r *response) Write(b []byte) (int, error) { return r.body.Write(b) }
