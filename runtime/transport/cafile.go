package transport

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"os"
	"sync"
	"time"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/metrics"
)

// caFilePeriod is the interval at which a file of root certificates is reloaded while there are no errors.
const caFilePeriod = 5 * time.Minute

// caFile sends requests through a transport with the root certificates of a file, and through a new transport
// when the file has changed. Requests in progress on the old one continue.
type caFile struct {
	file string
	make func(*x509.CertPool) *http.Transport

	mu        sync.RWMutex // guards the fields below, and is held for writing while the file is read
	transport *http.Transport
	content   [sha256.Size]byte // that the roots of transport were made from
	checked   time.Time         // when the file was last read
}

var _ utilnet.RoundTripperWrapper = &caFile{}

// newCAFile returns a caFile that starts with roots, which were created from data.
func newCAFile(file string, data []byte, roots *x509.CertPool, newTransport func(*x509.CertPool) *http.Transport) *caFile {
	return &caFile{
		file:      file,
		make:      newTransport,
		transport: newTransport(roots),
		content:   digest(data),
		checked:   time.Now(),
	}
}

// RoundTrip sends req. If the server's certificate cannot be verified, nothing has been sent and the roots may
// be outdated: they are reloaded and req is sent again.
func (f *caFile) RoundTrip(req *http.Request) (*http.Response, error) {
	used := f.current(req.Context())
	resp, err := used.RoundTrip(req)
	var unverified *tls.CertificateVerificationError
	if !errors.As(err, &unverified) {
		return resp, err
	}
	transport := f.reload(req.Context(), func() bool { return f.transport == used })
	if transport == used {
		return resp, err
	}
	again := req
	if req.Body != nil && req.Body != http.NoBody {
		if req.GetBody == nil {
			return resp, err
		}
		body, bodyErr := req.GetBody()
		if bodyErr != nil {
			return resp, err
		}
		again = req.Clone(req.Context())
		again.Body = body
	}
	return transport.RoundTrip(again)
}

// WrappedRoundTripper returns the transport in use.
func (f *caFile) WrappedRoundTripper() http.RoundTripper {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.transport
}

// CloseIdleConnections closes the idle connections of the transport in use.
func (f *caFile) CloseIdleConnections() {
	f.mu.RLock()
	defer f.mu.RUnlock()
	f.transport.CloseIdleConnections()
}

// current returns the transport to use, after reloading the file if that is due.
func (f *caFile) current(ctx context.Context) *http.Transport {
	f.mu.RLock()
	transport, due := f.transport, f.due()
	f.mu.RUnlock()
	if !due {
		return transport
	}
	return f.reload(ctx, f.due)
}

// due reports whether the file must be reloaded. mu is held.
func (f *caFile) due() bool {
	return time.Since(f.checked) >= caFilePeriod
}

// reload reads the file if needed, called with mu held, still returns true, and returns the transport to use
// from now on.
func (f *caFile) reload(ctx context.Context, needed func() bool) *http.Transport {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !needed() {
		return f.transport
	}
	f.checked = time.Now()
	logger := klog.FromContext(ctx).WithValues("caFile", f.file)
	data, err := os.ReadFile(f.file)
	switch {
	case err != nil:
		logger.Error(err, "Failed to read root certificates, keeping the old ones")
		metrics.TransportCAReloads.Increment("failure", "read_error")
		return f.transport
	case len(data) == 0:
		logger.Info("File of root certificates is empty, keeping the old ones")
		metrics.TransportCAReloads.Increment("failure", "empty")
		return f.transport
	case digest(data) == f.content:
		metrics.TransportCAReloads.Increment("success", "unchanged")
		return f.transport
	}
	roots, err := rootCertPool(data)
	if err != nil {
		logger.Error(err, "Failed to parse root certificates, keeping the old ones")
		metrics.TransportCAReloads.Increment("failure", "ca_parse_error")
		return f.transport
	}
	old := f.transport
	f.transport, f.content = f.make(roots), digest(data)
	old.CloseIdleConnections()
	logger.V(4).Info("Root certificates have changed")
	metrics.TransportCAReloads.Increment("success", "updated")
	return f.transport
}
