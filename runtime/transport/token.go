package transport

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/internal/redirect"
	"github.com/listwatch/listwatch/runtime/internal/secret"
)

// Half of the time between the kubelet's write of a new token (80% of ten minutes) and the expiry of the old
// one, so that files are read often enough; minus the leeway for delays.
const (
	tokenFilePeriod = time.Minute
	tokenFileLeeway = 10 * time.Second
)

// ResettableTokenSource is a token source whose token can be rejected.
type ResettableTokenSource interface {
	oauth2.TokenSource
	// ResetTokenOlderThan discards the token if it was obtained before t.
	ResetTokenOlderThan(t time.Time)
}

// TokenSourceWrapTransport returns a function that wraps a round tripper with one that adds tokens of ts. It
// skips requests that have an Authorization header or were redirected to another server.
func TokenSourceWrapTransport(ts oauth2.TokenSource) func(http.RoundTripper) http.RoundTripper {
	return func(rt http.RoundTripper) http.RoundTripper {
		return &tokenSourceTransport{source: ts, next: rt}
	}
}

// ResettableTokenSourceWrapTransport is TokenSourceWrapTransport, except that ts is reset after a response with
// status 401.
func ResettableTokenSourceWrapTransport(ts ResettableTokenSource) func(http.RoundTripper) http.RoundTripper {
	return func(rt http.RoundTripper) http.RoundTripper {
		return &tokenSourceTransport{source: ts, reset: ts.ResetTokenOlderThan, next: rt}
	}
}

// tokenSourceTransport adds tokens of a source.
type tokenSourceTransport struct {
	source oauth2.TokenSource
	reset  func(time.Time) // nil if the source cannot be reset
	next   http.RoundTripper
}

var _ utilnet.RoundTripperWrapper = &tokenSourceTransport{}

func (t *tokenSourceTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Header.Get(authorization) != "" || redirect.Foreign(req) {
		return t.next.RoundTrip(req)
	}
	// Before the token is used: a token that another request gets meanwhile is not reset.
	start := time.Now()
	token, err := t.source.Token()
	if err != nil {
		closeBody(req)
		return nil, err
	}
	req = utilnet.CloneRequest(req)
	token.SetAuthHeader(req)
	resp, err := t.next.RoundTrip(req)
	if err == nil && resp.StatusCode == http.StatusUnauthorized && t.reset != nil {
		t.reset(start)
	}
	return resp, err
}

func (t *tokenSourceTransport) WrappedRoundTripper() http.RoundTripper { return t.next }

// NewCachedFileTokenSource returns a source that reads a token from a file, and reloads it every minute. While
// that fails, the last token stays in use.
func NewCachedFileTokenSource(path string) ResettableTokenSource {
	return &cachedTokenSource{base: fileTokenSource{path: path}, leeway: tokenFileLeeway}
}

// NewCachedTokenSource returns a source that calls ts if it has no token or its token has expired. While that
// fails, the last token stays in use.
func NewCachedTokenSource(ts oauth2.TokenSource) ResettableTokenSource {
	return &cachedTokenSource{base: ts}
}

// fileTokenSource reads a token from a file.
type fileTokenSource struct {
	path string
}

func (s fileTokenSource) Token() (*oauth2.Token, error) {
	data, err := os.ReadFile(s.path)
	if err != nil {
		return nil, fmt.Errorf("failed to read token file %q: %w", s.path, err)
	}
	token := strings.TrimSpace(string(data))
	if token == "" {
		return nil, fmt.Errorf("read empty token from file %q", s.path)
	}
	return &oauth2.Token{AccessToken: token, Expiry: time.Now().Add(tokenFilePeriod)}, nil
}

// cachedTokenSource caches a token until leeway before its expiry.
type cachedTokenSource struct {
	base   oauth2.TokenSource
	leeway time.Duration

	mu    sync.RWMutex // guards token and got, and is held for writing while base is called
	token secret.Value[*oauth2.Token]
	got   time.Time
}

func (s *cachedTokenSource) Token() (*oauth2.Token, error) {
	s.mu.RLock()
	token := s.token.Reveal()
	s.mu.RUnlock()
	if s.fresh(token) {
		return token, nil
	}

	s.mu.Lock()
	defer s.mu.Unlock()
	token = s.token.Reveal()
	if s.fresh(token) {
		return token, nil
	}
	got, err := s.base.Token()
	switch {
	case err == nil:
		s.token, s.got = secret.Of(got), time.Now()
		return got, nil
	case token != nil:
		klog.Background().Error(loggable(err), "Failed to refresh token, keeping the old one")
		return token, nil
	default:
		return nil, err
	}
}

func (s *cachedTokenSource) fresh(token *oauth2.Token) bool {
	return token != nil && token.Expiry.Add(-s.leeway).After(time.Now())
}

func (s *cachedTokenSource) ResetTokenOlderThan(t time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.got.Before(t) {
		s.token, s.got = secret.Value[*oauth2.Token]{}, time.Time{}
	}
}

// loggable returns err without the body of a token server's response, which oauth2 includes in its error and
// which may contain secrets.
func loggable(err error) error {
	var retrieve *oauth2.RetrieveError
	if errors.As(err, &retrieve) && retrieve.Response != nil {
		return fmt.Errorf("token server returned %s", retrieve.Response.Status)
	}
	return err
}
