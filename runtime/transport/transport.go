package transport

import (
	"errors"
	"net/http"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/internal/redirect"
	"github.com/listwatch/listwatch/runtime/metrics"
)

// New returns a round tripper with the settings of config. If config has none, it is http.DefaultTransport.
func New(config *Config) (http.RoundTripper, error) {
	metrics.EnsureRegistered()
	if config.Transport != nil && (config.HasCA() || config.HasCertAuth() || config.HasCertCallback() || config.TLS.Insecure) {
		return nil, errors.New("using a custom transport with TLS certificate options or the insecure flag is not allowed")
	}
	if h := config.DialHolder; h != nil && h.Dial == nil {
		return nil, errors.New("DialHolder has no Dial function")
	}
	if h := config.TLS.GetCertHolder; h != nil && h.GetCert == nil {
		return nil, errors.New("GetCertHolder has no GetCert function")
	}
	rt := config.Transport
	if rt == nil {
		var err error
		if rt, err = shared.get(config); err != nil {
			return nil, err
		}
	}
	return HTTPWrappersForConfig(config, rt)
}

// HTTPWrappersForConfig wraps rt with the round trippers that add to requests: WrapTransport, logging,
// authentication, the user agent, impersonation. It is for callers with their own connections; others use New.
func HTTPWrappersForConfig(config *Config, rt http.RoundTripper) (http.RoundTripper, error) {
	if config.WrapTransport != nil {
		rt = config.WrapTransport(rt)
	}
	rt = DebugWrappers(rt)
	switch {
	case config.HasBasicAuth() && config.HasTokenAuth():
		return nil, errors.New("username/password or bearer token may be set, but not both")
	case config.HasTokenAuth():
		var err error
		rt, err = NewBearerAuthWithRefreshRoundTripper(config.BearerToken, config.BearerTokenFile, rt)
		if err != nil {
			return nil, err
		}
	case config.HasBasicAuth():
		rt = NewBasicAuthRoundTripper(config.Username, config.Password, rt)
	}
	if config.UserAgent != "" {
		rt = NewUserAgentRoundTripper(config.UserAgent, rt)
	}
	if i := config.Impersonate; i.UserName != "" || i.UID != "" || len(i.Groups) > 0 || len(i.Extra) > 0 {
		rt = NewImpersonatingRoundTripper(i, rt)
	}
	return rt, nil
}

// DebugWrappers wraps rt with logging if klog's verbosity is currently 6 or more, otherwise it returns rt.
func DebugWrappers(rt http.RoundTripper) http.RoundTripper {
	if klog.V(6).Enabled() {
		return NewDebuggingRoundTripper(rt, DebugByContext)
	}
	return rt
}

// headerRoundTripper adds headers to requests that need them, unless they were redirected to another server.
type headerRoundTripper struct {
	next  http.RoundTripper
	wants func(http.Header) bool
	add   func(*http.Request)
}

var _ utilnet.RoundTripperWrapper = &headerRoundTripper{}

func (rt *headerRoundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	if rt.wants(req.Header) && !redirect.Foreign(req) {
		req = utilnet.CloneRequest(req)
		rt.add(req)
	}
	return rt.next.RoundTrip(req)
}

func (rt *headerRoundTripper) WrappedRoundTripper() http.RoundTripper { return rt.next }

// lacks returns a function that reports whether a header is not set.
func lacks(header string) func(http.Header) bool {
	return func(h http.Header) bool { return h.Get(header) == "" }
}
