package transport

import (
	"net/http"

	utilnet "k8s.io/apimachinery/pkg/util/net"
)

// NewUserAgentRoundTripper returns a round tripper that sets the user agent of requests without one.
func NewUserAgentRoundTripper(agent string, rt http.RoundTripper) http.RoundTripper {
	return &userAgentRoundTripper{agent: agent, next: rt}
}

type userAgentRoundTripper struct {
	agent string
	next  http.RoundTripper
}

var _ utilnet.RoundTripperWrapper = &userAgentRoundTripper{}

func (rt *userAgentRoundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Header.Get("User-Agent") == "" {
		req = utilnet.CloneRequest(req)
		req.Header.Set("User-Agent", rt.agent)
	}
	return rt.next.RoundTrip(req)
}

func (rt *userAgentRoundTripper) WrappedRoundTripper() http.RoundTripper { return rt.next }
