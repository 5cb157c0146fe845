package transport

import (
	"net/http"
	"sync/atomic"
	"time"

	utilnet "k8s.io/apimachinery/pkg/util/net"

	"github.com/listwatch/listwatch/runtime/internal/redirect"
	"github.com/listwatch/listwatch/runtime/internal/secret"
)

const authorization = "Authorization"

// NewBasicAuthRoundTripper returns a round tripper that authenticates with name and password. It skips requests
// that have an Authorization header or were redirected to another server.
func NewBasicAuthRoundTripper(username, password string, rt http.RoundTripper) http.RoundTripper {
	hidden := secret.New(password)
	return &headerRoundTripper{
		next:  rt,
		wants: lacks(authorization),
		add:   func(req *http.Request) { req.SetBasicAuth(username, hidden.Reveal()) },
	}
}

// NewBearerAuthRoundTripper returns a round tripper that authenticates with a token. It skips requests that
// have an Authorization header or were redirected to another server.
func NewBearerAuthRoundTripper(bearer string, rt http.RoundTripper) http.RoundTripper {
	return newBearerAuth(bearer, nil, rt)
}

// NewBearerAuthWithRefreshRoundTripper is NewBearerAuthRoundTripper with a token that is read from tokenFile:
// immediately if bearer is empty, which may fail; then every minute, and after a response with status 401.
// While the file cannot be read, the last token stays in use. Without tokenFile, bearer is used permanently.
func NewBearerAuthWithRefreshRoundTripper(bearer string, tokenFile string, rt http.RoundTripper) (http.RoundTripper, error) {
	if tokenFile == "" {
		return newBearerAuth(bearer, nil, rt), nil
	}
	source := NewCachedFileTokenSource(tokenFile)
	if bearer == "" {
		token, err := source.Token()
		if err != nil {
			return nil, err
		}
		bearer = token.AccessToken
	}
	return newBearerAuth(bearer, source, rt), nil
}

func newBearerAuth(bearer string, source ResettableTokenSource, rt http.RoundTripper) *bearerAuth {
	b := &bearerAuth{source: source, next: rt}
	last := secret.New(bearer)
	b.last.Store(&last)
	return b
}

// bearerAuth adds a token.
type bearerAuth struct {
	source ResettableTokenSource         // nil if last is the only token
	last   atomic.Pointer[secret.String] // the last good token
	next   http.RoundTripper
}

var _ utilnet.RoundTripperWrapper = &bearerAuth{}

func (rt *bearerAuth) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Header.Get(authorization) != "" || redirect.Foreign(req) {
		return rt.next.RoundTrip(req)
	}
	start := time.Now()
	req = utilnet.CloneRequest(req)
	req.Header.Set(authorization, "Bearer "+rt.token().Reveal())
	resp, err := rt.next.RoundTrip(req)
	if rt.source != nil && resp != nil && resp.StatusCode == http.StatusUnauthorized {
		rt.source.ResetTokenOlderThan(start)
	}
	return resp, err
}

func (rt *bearerAuth) token() secret.String {
	last := *rt.last.Load()
	if rt.source == nil {
		return last
	}
	token, err := rt.source.Token()
	if err != nil || token.AccessToken == last.Reveal() {
		return last
	}
	last = secret.New(token.AccessToken)
	rt.last.Store(&last)
	return last
}

func (rt *bearerAuth) WrappedRoundTripper() http.RoundTripper { return rt.next }
