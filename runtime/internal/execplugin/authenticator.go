package execplugin

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/internal/connrotation"
	"github.com/listwatch/listwatch/runtime/internal/redirect"
	"github.com/listwatch/listwatch/runtime/internal/secret"
	"github.com/listwatch/listwatch/runtime/metrics"
	"github.com/listwatch/listwatch/runtime/transport"
)

// Authenticator gets credentials from a program and caches them until they expire or are rejected. It is safe
// for concurrent use.
type Authenticator struct {
	plugin *plugin
	conns  connrotation.Tracker

	// They are behind pointers that stay the same, so that transports can be shared.
	getCert *transport.GetCertHolder
	dial    *transport.DialHolder

	mu      sync.Mutex // guards current and running
	current *credentials
	running *run // nil: the program is not running
}

// run is a run of the program. Its fields are set before done is closed.
type run struct {
	done  chan struct{}
	creds *credentials
	err   error
}

func newAuthenticator(config *api.ExecConfig, cluster *Cluster) (*Authenticator, error) {
	p, err := newPlugin(config, cluster)
	if err != nil {
		return nil, err
	}
	a := &Authenticator{plugin: p}
	a.getCert = &transport.GetCertHolder{GetCert: a.cert}
	a.dial = &transport.DialHolder{
		Dial: a.conns.Dial((&net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}).DialContext),
	}
	return a, nil
}

// UpdateTransportConfig makes the transports of c use the credentials of a, unless c has its own: explicit
// credentials take precedence over the program's.
func (a *Authenticator) UpdateTransportConfig(c *transport.Config) error {
	if c.HasTokenAuth() || c.HasBasicAuth() || c.HasCertAuth() {
		return nil
	}
	if c.HasCertCallback() {
		return errors.New("can't add TLS certificate callback: transport.Config.TLS.GetCert already set")
	}
	c.Wrap(func(rt http.RoundTripper) http.RoundTripper {
		return &roundTripper{authenticator: a, next: rt}
	})
	c.TLS.GetCertHolder = a.getCert
	switch {
	case c.DialHolder == nil:
		c.DialHolder = a.dial
	case c.DialHolder.Dial == nil:
		return errors.New("invalid transport.Config.DialHolder: wrapped Dial function is nil")
	default:
		c.DialHolder = &transport.DialHolder{Dial: a.conns.Dial(c.DialHolder.Dial)}
	}
	return nil
}

// roundTripper adds the token to requests, except those that have an Authorization header or were redirected to
// another server.
type roundTripper struct {
	authenticator *Authenticator
	next          http.RoundTripper
}

var _ utilnet.RoundTripperWrapper = &roundTripper{}

func (rt *roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Header.Get("Authorization") != "" || redirect.Foreign(req) {
		return rt.next.RoundTrip(req)
	}
	ctx := req.Context()
	creds, err := rt.authenticator.credentials(ctx, nil)
	if err != nil {
		if req.Body != nil {
			_ = req.Body.Close()
		}
		return nil, fmt.Errorf("getting credentials: %w", err)
	}
	if !creds.token.IsZero() {
		req = utilnet.CloneRequest(req)
		req.Header.Set("Authorization", "Bearer "+creds.token.Reveal())
	}
	resp, err := rt.next.RoundTrip(req)
	if err == nil && resp.StatusCode == http.StatusUnauthorized {
		if _, refreshErr := rt.authenticator.credentials(ctx, creds); refreshErr != nil {
			klog.FromContext(ctx).Error(refreshErr, "Failed to refresh credentials")
		}
	}
	return resp, err
}

func (rt *roundTripper) WrappedRoundTripper() http.RoundTripper { return rt.next }

// cert returns the certificate for a connection, or nil.
func (a *Authenticator) cert() (*tls.Certificate, error) {
	creds, err := a.credentials(context.Background(), nil)
	if err != nil {
		return nil, err
	}
	return creds.cert.Reveal(), nil
}

// credentials returns the cached credentials if they are valid and not the rejected ones; otherwise it runs the
// program, or waits for the run in progress.
func (a *Authenticator) credentials(ctx context.Context, rejected *credentials) (*credentials, error) {
	a.mu.Lock()
	if c := a.current; c != nil && c != rejected && !c.expired(time.Now()) {
		a.mu.Unlock()
		return c, nil
	}
	r := a.running
	if r == nil {
		r = &run{done: make(chan struct{})}
		a.running = r
		go a.run(r)
	}
	a.mu.Unlock()
	select {
	case <-r.done:
		return r.creds, r.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// run runs the program. If it fails, the previous credentials stay in use until they expire: a 401 may have had
// another reason.
func (a *Authenticator) run(r *run) {
	defer close(r.done)
	r.creds, r.err = a.plugin.run()
	old := a.settle(r)
	if r.err != nil {
		return
	}
	if old != nil && !old.sameCertificate(r.creds) {
		if cert := old.cert.Reveal(); cert != nil && cert.Leaf != nil {
			metrics.ClientCertRotationAge.Observe(time.Since(cert.Leaf.NotBefore))
		}
		a.conns.CloseAll()
	}
	expiries.set(a, leafExpiry(r.creds.cert))
}

// settle caches the result of the program, and returns the previous one.
func (a *Authenticator) settle(r *run) *credentials {
	a.mu.Lock()
	defer a.mu.Unlock()
	old := a.current
	a.running = nil
	if r.err == nil {
		a.current = r.creds
	}
	return old
}

// leafExpiry returns when a certificate expires; zero if there is none.
func leafExpiry(cert secret.Value[*tls.Certificate]) time.Time {
	if c := cert.Reveal(); c != nil && c.Leaf != nil {
		return c.Leaf.NotAfter
	}
	return time.Time{}
}
