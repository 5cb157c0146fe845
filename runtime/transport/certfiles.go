package transport

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"net"
	"os"
	"sync"
	"time"
	"weak"

	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/internal/connrotation"
	"github.com/listwatch/listwatch/runtime/internal/secret"
	"github.com/listwatch/listwatch/runtime/metrics"
)

// CertCallbackRefreshDuration is the interval at which the files of client certificates are reloaded while no
// connection is opened; after a failure, after ten seconds. It must be set before any transport is created.
var CertCallbackRefreshDuration = 5 * time.Minute

const (
	// certFilesPeriod is the minimum interval between two reads.
	certFilesPeriod = time.Second
	// certFilesRetry is the interval after a read that failed: the files are perhaps being written.
	certFilesRetry = 10 * time.Second
)

// certFiles is a client certificate that is reloaded from files. When it has changed, earlier connections are
// closed.
type certFiles struct {
	certFile, keyFile string
	conns             connrotation.Tracker

	mu      sync.Mutex // guards the fields below, and is held while files are read
	cert    secret.Value[*tls.Certificate]
	content [sha256.Size]byte // of the files from which cert was read
	err     error             // why there is no certificate, or not the files' one
	read    time.Time         // when the files were last read
}

func newCertFiles(certFile, keyFile string) *certFiles {
	f := &certFiles{certFile: certFile, keyFile: keyFile}
	f.refresh()
	return f
}

// certificate returns the last valid certificate during the handshake of a connection. The files were usually
// read just before, when it was dialed.
func (f *certFiles) certificate(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
	if f.changed() {
		go f.conns.CloseAll() // asynchronously: the connection of this handshake is closed too
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.cert.IsZero() {
		return nil, f.err
	}
	return f.cert.Reveal(), nil
}

// dial returns a function that opens connections with dial. It closes connections opened with another
// certificate before, not during, the handshake of a new one.
func (f *certFiles) dial(dial connrotation.DialFunc) connrotation.DialFunc {
	tracked := f.conns.Dial(dial)
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		f.refresh()
		return tracked(ctx, network, address)
	}
}

// refresh reads the files, unless they were read just now, and closes connections if the certificate has
// changed.
func (f *certFiles) refresh() {
	if f.changed() {
		klog.Background().V(1).Info("Client certificate has changed, closing connections that were opened with the old one", "certFile", f.certFile)
		f.conns.CloseAll()
	}
}

// changed reads the files, unless they were read just now, and reports whether another certificate replaced the
// previous one.
func (f *certFiles) changed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	if !f.read.IsZero() && now.Sub(f.read) < certFilesPeriod {
		return false
	}
	f.read = now
	cert, content, err := readCertificate(f.certFile, f.keyFile)
	f.err = err
	if err != nil {
		if !f.cert.IsZero() {
			klog.Background().Error(err, "Failed to reload the client certificate, keeping the old one", "certFile", f.certFile, "keyFile", f.keyFile)
		}
		return false
	}
	isFirst, isSame := f.cert.IsZero(), f.content == content
	f.cert, f.content = secret.Of(cert), content
	return !isFirst && !isSame
}

// watch refreshes periodically, and sooner while reading fails, until f is no longer referenced. Connections reference
// it.
func (f *certFiles) watch(period time.Duration) {
	watched := weak.Make(f)
	delay := period
	if f.failed() {
		delay = min(period, certFilesRetry)
	}
	time.AfterFunc(delay, func() {
		f := watched.Value()
		if f == nil {
			metrics.TransportCertRotationGCCalls.Increment()
			return
		}
		f.refresh()
		f.watch(period)
	})
}

// failed reports whether the last read failed.
func (f *certFiles) failed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err != nil
}

func readCertificate(certFile, keyFile string) (*tls.Certificate, [sha256.Size]byte, error) {
	cert, err := os.ReadFile(certFile)
	if err != nil {
		return nil, [sha256.Size]byte{}, err
	}
	key, err := os.ReadFile(keyFile)
	if err != nil {
		return nil, [sha256.Size]byte{}, err
	}
	pair, err := tls.X509KeyPair(cert, key)
	return &pair, digest(cert, key), err
}
