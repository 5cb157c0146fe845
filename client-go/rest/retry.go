package rest

import (
	"context"
	"net/http"
	"time"
)

// RetryAfter describes the next attempt of a request.
type RetryAfter struct {
	// Wait is how long the server asked to wait.
	Wait time.Duration
	// Attempt is the number of the attempt that failed.
	Attempt int
	// Reason is why the request is sent again.
	Reason string
}

// WithRetry decides whether a request is sent again. Requests of this module have their own decision, and take none;
// the interface is for programs that declare one.
type WithRetry interface {
	// IsNextRetry reports whether to send a request again after a response or an error.
	IsNextRetry(ctx context.Context, restReq *Request, httpReq *http.Request, resp *http.Response, err error, f IsRetryableErrorFunc) bool
	// Before is called before each attempt. An error ends the request.
	Before(ctx context.Context, r *Request) error
	// After is called after each attempt.
	After(ctx context.Context, r *Request, resp *http.Response, err error)
	// WrapPreviousError adds the errors of earlier attempts to the last one.
	WrapPreviousError(finalErr error) (err error)
}
