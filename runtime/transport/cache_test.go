package transport

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	utilnet "k8s.io/apimachinery/pkg/util/net"

	"github.com/listwatch/listwatch/runtime/internal/testcert"
)

// transportOf returns the transport at the bottom of rt.
func transportOf(t *testing.T, rt http.RoundTripper) *http.Transport {
	t.Helper()
	for {
		switch next := rt.(type) {
		case *http.Transport:
			return next
		case utilnet.RoundTripperWrapper:
			rt = next.WrappedRoundTripper()
		default:
			t.Fatalf("a %T wraps nothing", rt)
		}
	}
}

func TestSharing(t *testing.T) {
	ca, other := testcert.New(t), testcert.New(t)
	cert, key := ca.Issue(t, "client")
	caPath, certPath, keyPath := file(t, ca.PEM), file(t, cert), file(t, key)
	dial := &DialHolder{Dial: (&net.Dialer{}).DialContext}
	getCert := &GetCertHolder{GetCert: func() (*tls.Certificate, error) { return nil, nil }}

	// The configs of a group share a transport, which differs from the other groups'.
	for name, group := range map[string][]Config{
		"default": {{}, {BearerToken: "a"}, {UserAgent: "b"}},
		"insecure": {
			{TLS: TLSConfig{Insecure: true}},
			{TLS: TLSConfig{Insecure: true}, BearerToken: "a"},
		},
		"insecure, not compressed": {{TLS: TLSConfig{Insecure: true}, DisableCompression: true}},
		"not compressed":           {{DisableCompression: true}, {DisableCompression: true}},
		"server name":              {{TLS: TLSConfig{ServerName: "a"}}, {TLS: TLSConfig{ServerName: "a"}}},
		"other server name":        {{TLS: TLSConfig{ServerName: "b"}}},
		"protocols":                {{TLS: TLSConfig{NextProtos: []string{"h2", "http/1.1"}}}},
		"other protocols":          {{TLS: TLSConfig{NextProtos: []string{"http/1.1"}}}},
		"CA data": {
			{TLS: TLSConfig{CAData: ca.PEM}},
			{TLS: TLSConfig{CAData: append([]byte(nil), ca.PEM...)}},
		},
		"other CA data": {{TLS: TLSConfig{CAData: other.PEM}}},
		"CA file":       {{TLS: TLSConfig{CAFile: caPath}}, {TLS: TLSConfig{CAFile: caPath}}},
		"other CA file": {{TLS: TLSConfig{CAFile: file(t, ca.PEM)}}},
		"certificate": {
			{TLS: TLSConfig{CAData: ca.PEM, CertData: cert, KeyData: key}},
			{TLS: TLSConfig{CAData: ca.PEM, CertFile: certPath, KeyData: key}},
		},
		"certificate files": {
			{TLS: TLSConfig{CAData: ca.PEM, CertFile: certPath, KeyFile: keyPath}},
			{TLS: TLSConfig{CAData: ca.PEM, CertFile: certPath, KeyFile: keyPath}},
		},
		"certificate function": {
			{TLS: TLSConfig{CAData: ca.PEM, GetCertHolder: getCert}},
			{TLS: TLSConfig{CAData: ca.PEM, GetCertHolder: getCert}},
		},
		"dial":       {{DialHolder: dial}, {DialHolder: dial}},
		"other dial": {{DialHolder: &DialHolder{Dial: dial.Dial}}},
	} {
		t.Run(name, func(t *testing.T) {
			var first http.RoundTripper
			for i, config := range group {
				rt, err := New(&config)
				if err != nil {
					t.Fatal(err)
				}
				transport := transportOf(t, rt)
				if i == 0 {
					first = transport
				}
				if transport != first {
					t.Errorf("config %d does not share with the first", i)
				}
				if name == "default" != (transport == http.DefaultTransport) {
					t.Errorf("config %d: the default transport is used when it should not, or the other way round", i)
				}
				if owner, ok := owners[transport]; ok && owner != name {
					t.Errorf("shares with %s", owner)
				}
				owners[transport] = name
			}
		})
	}
}

var owners = map[*http.Transport]string{} // of TestSharing; also keeps its transports alive

func TestProxiesAreNotShared(t *testing.T) {
	config := Config{Proxy: func(*http.Request) (*url.URL, error) { return nil, nil }}
	a, err := New(&config)
	if err != nil {
		t.Fatal(err)
	}
	b, err := New(&config)
	if err != nil {
		t.Fatal(err)
	}
	if transportOf(t, a) == transportOf(t, b) {
		t.Error("two transports with a proxy function are one")
	}
}

// TestRelease checks that nothing is left of clients that are no longer referenced: no entry, no
// transport, no connection.
func TestRelease(t *testing.T) {
	ca := testcert.New(t)
	cert, key := ca.Issue(t, "client")
	pair := ca.Server(t)
	server := serveTLS(t, func() tls.Certificate { return pair }, ca)
	files := TLSConfig{CAFile: file(t, ca.PEM), CertFile: file(t, cert), KeyFile: file(t, key)}
	for name, config := range map[string]Config{
		"data":             {TLS: TLSConfig{CAData: ca.PEM, CertData: cert, KeyData: key}},
		"files":            {TLS: files},
		"files, HTTP/1":    {TLS: TLSConfig{CAFile: files.CAFile, CertFile: files.CertFile, KeyFile: files.KeyFile, NextProtos: []string{"http/1.1"}}},
		"with a proxy":     {TLS: files, Proxy: func(*http.Request) (*url.URL, error) { return nil, nil }},
		"with a dial func": {TLS: files, DialHolder: &DialHolder{Dial: (&net.Dialer{}).DialContext}},
	} {
		t.Run(name, func(t *testing.T) {
			open := make(chan struct{}, 100)
			config.Wrap(func(rt http.RoundTripper) http.RoundTripper {
				for next, ok := rt.(utilnet.RoundTripperWrapper); ok; next, ok = rt.(utilnet.RoundTripperWrapper) {
					rt = next.WrappedRoundTripper()
				}
				transport := rt.(*http.Transport)
				dial := transport.DialContext
				transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
					conn, err := dial(ctx, network, address)
					open <- struct{}{}
					return &closeSignal{Conn: conn, closed: open}, err
				}
				return rt
			})
			var entry weak.Pointer[sharedTransport]
			func() {
				inner, err := shared.get(&config)
				if err != nil {
					t.Fatal(err)
				}
				entry = weak.Make(inner.(*sharedTransport))
				config.WrapTransport(inner)
				if body, err := get(inner, server.URL); err != nil || body != "client" {
					t.Fatalf("got %q, %v", body, err)
				}
				runtime.KeepAlive(inner)
			}()
			if len(open) != 1 {
				t.Fatalf("%d connections are open", len(open))
			}
			collect(t, func() bool {
				shared.mu.Lock()
				defer shared.mu.Unlock()
				for _, listed := range shared.transports {
					if listed == entry {
						return false
					}
				}
				return entry.Value() == nil && len(open) == 0
			})
		})
	}
}

// closeSignal receives from a channel when it is closed.
type closeSignal struct {
	net.Conn
	closed <-chan struct{}
	once   sync.Once
}

func (c *closeSignal) Close() error {
	c.once.Do(func() { <-c.closed })
	return c.Conn.Close()
}

func TestRemoveLeavesSuccessor(t *testing.T) {
	c := &cache{transports: map[cacheKey]weak.Pointer[sharedTransport]{}}
	old, current := &sharedTransport{}, &sharedTransport{}
	key := cacheKey{serverName: "a"}
	c.transports[key] = weak.Make(current)
	c.remove(key, weak.Make(old))
	if len(c.transports) != 1 {
		t.Error("the end of an old transport removed its successor")
	}
	c.remove(key, weak.Make(current))
	if len(c.transports) != 0 {
		t.Error("the end of a transport did not remove it")
	}
}

func TestNewRefuses(t *testing.T) {
	ca := testcert.New(t)
	cert, key := ca.Issue(t, "client")
	_, otherKey := ca.Issue(t, "other")
	for name, test := range map[string]struct {
		config Config
		want   string
	}{
		"transport and CA":          {Config{Transport: &recorder{}, TLS: TLSConfig{CAData: ca.PEM}}, "custom transport"},
		"transport and insecure":    {Config{Transport: &recorder{}, TLS: TLSConfig{Insecure: true}}, "custom transport"},
		"transport and certificate": {Config{Transport: &recorder{}, TLS: TLSConfig{CertData: cert, KeyData: key}}, "custom transport"},
		"CA and insecure":           {Config{TLS: TLSConfig{CAData: ca.PEM, Insecure: true}}, "insecure"},
		"no dial function":          {Config{DialHolder: &DialHolder{}}, "has no "},
		"no certificate function":   {Config{TLS: TLSConfig{GetCertHolder: &GetCertHolder{}}}, "has no "},
		"CA is not PEM":             {Config{TLS: TLSConfig{CAData: []byte("s3cret")}}, "PEM"},
		"CA is a key":               {Config{TLS: TLSConfig{CAData: key}}, "no valid certificate authority"},
		"CA is broken":              {Config{TLS: TLSConfig{CAData: []byte("-----BEGIN CERTIFICATE-----\nczNjcmV0\n-----END CERTIFICATE-----\n")}}, "parse certificate"},
		"CA file is missing":        {Config{TLS: TLSConfig{CAFile: "/nowhere/ca"}}, "/nowhere/ca"},
		"key of another":            {Config{TLS: TLSConfig{CertData: cert, KeyData: otherKey}}, "does not match"},
		"key is missing":            {Config{TLS: TLSConfig{CertData: cert, KeyFile: "/nowhere/key"}}, "/nowhere/key"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := New(&test.config)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got %v, want an error with %q", err, test.want)
			}
			if strings.Contains(err.Error(), "s3cret") {
				t.Errorf("%v quotes its input", err)
			}
		})
	}
}

func TestCustomTransport(t *testing.T) {
	next := &recorder{}
	rt, err := New(&Config{Transport: next, BearerToken: "tok"})
	if err != nil {
		t.Fatal(err)
	}
	send(t, rt, nil)
	if got := next.last().Get("Authorization"); got != "Bearer tok" {
		t.Errorf("sent %q", got)
	}
}

func TestTLSConfigFor(t *testing.T) {
	if c, err := TLSConfigFor(&Config{BearerToken: "a"}); c != nil || err != nil {
		t.Errorf("no TLS settings, but got %v, %v", c, err)
	}
	ca := testcert.New(t)
	c, err := TLSConfigFor(&Config{TLS: TLSConfig{CAData: ca.PEM, ServerName: "name", NextProtos: []string{"h2"}}})
	if err != nil {
		t.Fatal(err)
	}
	if c.MinVersion != tls.VersionTLS12 || c.ServerName != "name" || len(c.NextProtos) != 1 || !c.RootCAs.Equal(ca.Pool()) || c.InsecureSkipVerify {
		t.Errorf("got %+v", c)
	}
	c, err = TLSConfigFor(&Config{TLS: TLSConfig{CAFile: file(t, nil)}})
	if err != nil {
		t.Fatal(err)
	}
	if !c.RootCAs.Equal(x509.NewCertPool()) {
		t.Error("an empty file of root certificates must mean that nothing is trusted")
	}
}

func TestCertificateFunction(t *testing.T) {
	ca := testcert.New(t)
	pair := ca.Server(t)
	server := serveTLS(t, func() tls.Certificate { return pair }, ca)
	certPEM, keyPEM := ca.Issue(t, "from a function")
	cert, err := tls.X509KeyPair(certPEM, keyPEM)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		cert *tls.Certificate
		err  error
		want string
	}{
		"certificate": {cert: &cert, want: "from a function"},
		"none":        {},
		"error":       {err: errors.New("down")},
	} {
		t.Run(name, func(t *testing.T) {
			rt, err := New(&Config{TLS: TLSConfig{CAData: ca.PEM, GetCertHolder: &GetCertHolder{
				GetCert: func() (*tls.Certificate, error) { return test.cert, test.err },
			}}})
			if err != nil {
				t.Fatal(err)
			}
			body, err := get(rt, server.URL)
			if body != test.want || (err == nil) != (test.want != "") || test.err != nil && !errors.Is(err, test.err) {
				t.Errorf("got %q, %v", body, err)
			}
			utilnet.CloseIdleConnectionsFor(rt)
		})
	}
}

// TestCertificateFunctionHangs checks that a handshake does not wait longer than its context lasts, and without one not
// for ever.
func TestCertificateFunctionHangs(t *testing.T) {
	for name, timeout := range map[string]time.Duration{"context": time.Second, "limit": time.Hour} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				end := make(chan struct{})
				defer close(end)
				config, err := TLSConfigFor(&Config{TLS: TLSConfig{GetCertHolder: &GetCertHolder{GetCert: func() (*tls.Certificate, error) {
					<-end
					return nil, nil
				}}}})
				if err != nil {
					t.Fatal(err)
				}
				client, server := net.Pipe()
				defer func() { _ = server.Close() }()
				serving := tls.Server(server, &tls.Config{Certificates: []tls.Certificate{testcert.New(t).Server(t)}, ClientAuth: tls.RequestClientCert})
				go func() { _ = serving.Handshake() }() // it fails
				config.InsecureSkipVerify = true
				ctx, cancel := context.WithTimeout(t.Context(), timeout)
				defer cancel()
				start := time.Now()
				err = tls.Client(client, config).HandshakeContext(ctx)
				_ = client.Close()
				if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || took != min(timeout, 10*time.Second) {
					t.Errorf("got %v after %v", err, took)
				}
			})
		})
	}
}

func TestWrappers(t *testing.T) {
	if Wrappers() != nil || Wrappers(nil, nil) != nil {
		t.Error("wrapping with nothing is a function")
	}
	agent := func(name string) WrapperFunc {
		return func(rt http.RoundTripper) http.RoundTripper { return NewUserAgentRoundTripper(name, rt) }
	}
	next := &recorder{}
	config := &Config{}
	config.Wrap(agent("inner"))
	config.Wrap(nil)
	config.Wrap(agent("outer"))
	send(t, config.WrapTransport(next), nil)
	if got := next.last().Get("User-Agent"); got != "outer" {
		t.Errorf("the first to see a request is %q", got)
	}
}

func TestContextCanceller(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stopped := errors.New("stopped")
	next := &recorder{}
	rt := ContextCanceller(ctx, stopped)(next)
	send(t, rt, nil)
	cancel()
	if _, err := get(rt, "https://server"); !errors.Is(err, stopped) || len(next.seen) != 1 {
		t.Errorf("got %v after %d requests", err, len(next.seen))
	}
}
