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

// Half of the time between the moment when the kubelet writes a new token (80% of ten
// minutes) and the one when the old token expires, so that files are read often enough; less
// the leeway for what takes time in between.
const (
	tokenFilePeriod = time.Minute
	tokenFileLeeway = 10 * time.Second
)

// ResettableTokenSource is a source that can be told that its token was rejected.
type ResettableTokenSource interface {
	oauth2.TokenSource
	// ResetTokenOlderThan makes the source forget a token that it got before t.
	ResetTokenOlderThan(t time.Time)
}

// TokenSourceWrapTransport returns a function that wraps with a round tripper which adds
// tokens of ts to requests that have no Authorization header and have not been led to
// another server by a redirect.
func TokenSourceWrapTransport(ts oauth2.TokenSource) func(http.RoundTripper) http.RoundTripper {
	return func(rt http.RoundTripper) http.RoundTripper {
		return &tokenSourceTransport{source: ts, next: rt}
	}
}

// ResettableTokenSourceWrapTransport is TokenSourceWrapTransport, but ts is reset after an
// answer of 401.
func ResettableTokenSourceWrapTransport(ts ResettableTokenSource) func(http.RoundTripper) http.RoundTripper {
	return func(rt http.RoundTripper) http.RoundTripper {
		return &tokenSourceTransport{source: ts, reset: ts.ResetTokenOlderThan, next: rt}
	}
}

// tokenSourceTransport adds tokens of a source.
type tokenSourceTransport struct {
	source oauth2.TokenSource
	reset  func(time.Time) // nil where the source cannot be reset
	next   http.RoundTripper
}

var _ utilnet.RoundTripperWrapper = &tokenSourceTransport{}

func (t *tokenSourceTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Header.Get(authorization) != "" || redirect.Foreign(req) {
		return t.next.RoundTrip(req)
	}
	// Before the token is taken: one that another request gets meanwhile is not reset.
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

// NewCachedFileTokenSource returns a source that reads a token from a file, and reads it
// again each minute. While that fails, the token stays what it was.
func NewCachedFileTokenSource(path string) ResettableTokenSource {
	return &cachedTokenSource{base: fileTokenSource{path: path}, leeway: tokenFileLeeway}
}

// NewCachedTokenSource returns a source that asks ts when it has no token or the one that it
// has is expired. While that fails, the token stays what it was.
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

// cachedTokenSource keeps a token until leeway before its expiry.
type cachedTokenSource struct {
	base   oauth2.TokenSource
	leeway time.Duration

	mu    sync.RWMutex // guards token and got, and is held for writing while base is asked
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
		klog.Background().Error(loggable(err), "Unable to get a new token, going on with the old one")
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

// loggable returns err, but for the body of a token server's answer, which oauth2 puts into
// its error, and which may have anything in it.
func loggable(err error) error {
	var retrieve *oauth2.RetrieveError
	if errors.As(err, &retrieve) && retrieve.Response != nil {
		return fmt.Errorf("the token server answered %s", retrieve.Response.Status)
	}
	return err
}
