package transport

import (
	"crypto/tls"
	"net/http"
	"net/http/httptrace"
	"sync"
	"time"

	"k8s.io/klog/v2"
)

// timing measures the phases of a request.
type timing struct {
	mu sync.Mutex // guards the fields below: dials run concurrently with the request

	reused                                          bool
	dnsStart, dialStart, tlsStart, connStart, wrote time.Time
	dns, dial, tls, conn, server                    time.Duration
}

// withTiming returns req with a trace and the timing that the trace fills. DNS lookups and dials are logged to
// logger.
func withTiming(req *http.Request, logger klog.Logger) (*http.Request, *timing) {
	t := &timing{}
	locked := func(f func()) {
		t.mu.Lock()
		defer t.mu.Unlock()
		f()
	}
	var host string // guarded by t.mu
	trace := &httptrace.ClientTrace{
		DNSStart: func(info httptrace.DNSStartInfo) {
			locked(func() { t.dnsStart, host = time.Now(), info.Host })
		},
		DNSDone: func(info httptrace.DNSDoneInfo) {
			locked(func() {
				t.dns = time.Since(t.dnsStart)
				logger.Info("HTTP Trace: DNS Lookup resolved", "host", host, "address", info.Addrs)
			})
		},
		ConnectStart: func(string, string) {
			locked(func() { t.dialStart = time.Now() })
		},
		ConnectDone: func(network, address string, err error) {
			locked(func() { t.dial = time.Since(t.dialStart) })
			if err != nil {
				logger.Info("HTTP Trace: Dial failed", "network", network, "address", address, "err", err)
			} else {
				logger.Info("HTTP Trace: Dial succeed", "network", network, "address", address)
			}
		},
		TLSHandshakeStart: func() {
			locked(func() { t.tlsStart = time.Now() })
		},
		TLSHandshakeDone: func(tls.ConnectionState, error) {
			locked(func() { t.tls = time.Since(t.tlsStart) })
		},
		GetConn: func(string) {
			locked(func() { t.connStart = time.Now() })
		},
		GotConn: func(info httptrace.GotConnInfo) {
			locked(func() { t.conn, t.reused = time.Since(t.connStart), info.Reused })
		},
		WroteRequest: func(httptrace.WroteRequestInfo) {
			locked(func() { t.wrote = time.Now() })
		},
		GotFirstResponseByte: func() {
			locked(func() {
				if !t.wrote.IsZero() { // otherwise the server responded before it had the whole request
					t.server = time.Since(t.wrote)
				}
			})
		},
	}
	return req.WithContext(httptrace.WithClientTrace(req.Context(), trace)), t
}

// keysAndValues returns the measured times for a logger.
func (t *timing) keysAndValues() []any {
	t.mu.Lock()
	defer t.mu.Unlock()
	var kvs []any
	if t.reused {
		kvs = append(kvs, "getConnectionMilliseconds", t.conn.Milliseconds())
	} else {
		kvs = append(kvs,
			"dnsLookupMilliseconds", t.dns.Milliseconds(),
			"dialMilliseconds", t.dial.Milliseconds(),
			"tlsHandshakeMilliseconds", t.tls.Milliseconds(),
		)
	}
	if t.server != 0 {
		kvs = append(kvs, "serverProcessingMilliseconds", t.server.Milliseconds())
	}
	return kvs
}
