package transport

import (
	"context"
	"net/http"
)

// WrapperFunc wraps a round tripper when a client's transport is created.
type WrapperFunc func(rt http.RoundTripper) http.RoundTripper

// Wrappers returns a function that applies fns in order, so that the last is the outermost. It skips nil
// functions; without any others it returns nil.
func Wrappers(fns ...WrapperFunc) WrapperFunc {
	if len(fns) == 0 {
		return nil
	}
	if len(fns) == 2 && fns[0] == nil {
		return fns[1]
	}
	return func(rt http.RoundTripper) http.RoundTripper {
		for _, fn := range fns {
			if fn != nil {
				rt = fn(rt)
			}
		}
		return rt
	}
}

// ContextCanceller returns a function that wraps a round tripper with one that sends no further requests after
// ctx is done: it returns err. Requests in progress continue.
func ContextCanceller(ctx context.Context, err error) WrapperFunc {
	return func(rt http.RoundTripper) http.RoundTripper {
		return roundTripperFunc(func(req *http.Request) (*http.Response, error) {
			if ctx.Err() != nil {
				closeBody(req)
				return nil, err
			}
			return rt.RoundTrip(req)
		})
	}
}

type roundTripperFunc func(*http.Request) (*http.Response, error)

func (f roundTripperFunc) RoundTrip(req *http.Request) (*http.Response, error) {
	return f(req)
}

// closeBody closes the body of req, as a round tripper must even if it does not send req.
func closeBody(req *http.Request) {
	if req.Body != nil {
		_ = req.Body.Close()
	}
}
