package oidc

import (
	"net/http"

	utilnet "k8s.io/apimachinery/pkg/util/net"

	"github.com/listwatch/listwatch/runtime/internal/redirect"
)

// roundTripper adds the ID token to requests, except those that have an Authorization header or were redirected to
// another server.
type roundTripper struct {
	provider *provider
	next     http.RoundTripper
}

var _ utilnet.RoundTripperWrapper = &roundTripper{}

func (rt *roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Header.Get("Authorization") != "" || redirect.Foreign(req) {
		return rt.next.RoundTrip(req)
	}
	token, err := rt.provider.idToken(req.Context())
	if err != nil {
		if req.Body != nil {
			_ = req.Body.Close()
		}
		return nil, err
	}
	req = utilnet.CloneRequest(req)
	req.Header.Set("Authorization", "Bearer "+token.Reveal())
	return rt.next.RoundTrip(req)
}

func (rt *roundTripper) WrappedRoundTripper() http.RoundTripper { return rt.next }
