package rest

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/listwatch/listwatch/runtime/internal/secret"
)

// Stream sends the request and returns the body of the response, which the caller must close. A response other
// than 2xx is an error, created from its Status or from the status code. The request is not retried when the
// connection is lost.
func (r *Request) Stream(ctx context.Context) (io.ReadCloser, error) {
	if r.err != nil {
		return nil, r.err
	}
	if err := r.throttle(ctx, ""); err != nil {
		return nil, err
	}
	s := newSender(r, neverRetry)
	last, err := s.send(ctx)
	if err != nil {
		return nil, err
	}
	if last.err != nil {
		return nil, last.err
	}
	if code := last.resp.StatusCode; code >= http.StatusOK && code < http.StatusMultipleChoices {
		handleWarnings(ctx, last.resp.Header, r.warningHandler)
		return last.resp.Body, nil
	}
	defer drain(last.resp)
	if err := r.result(ctx, last.resp).Error(); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("%d while accessing %s", last.resp.StatusCode, secret.URL(s.url))
}
