package transport

import (
	"context"
	"net/http"
)

// WrapperFunc wraps a round tripper when a transport is made for a client.
type WrapperFunc func(rt http.RoundTripper) http.RoundTripper

// Wrappers returns a function that wraps with each of fns in order, so that the last is
// the outermost. Those that are nil are passed over; of none at all it returns nil.
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

// ContextCanceller returns a function that wraps with a round tripper which sends nothing
// more once ctx is done: it returns err. Requests under way go on.
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

// closeBody does what a round tripper must when it does not send req.
func closeBody(req *http.Request) {
	if req.Body != nil {
		_ = req.Body.Close()
	}
}
