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

// CertCallbackRefreshDuration is how often the files of client certificates are read again
// while no connection is opened. It must be set before any transport is made.
var CertCallbackRefreshDuration = 5 * time.Minute

// certFilesPeriod is how often they are read at most.
const certFilesPeriod = time.Second

// certFiles is a client certificate that is read from files again and again. When it has
// changed, connections that it dialed before are closed.
type certFiles struct {
	certFile, keyFile string
	conns             connrotation.Tracker

	mu      sync.Mutex // guards the fields below, and is held while files are read
	cert    secret.Value[*tls.Certificate]
	content [sha256.Size]byte // of the files that cert was read from
	err     error             // why there is no cert, or not that of the files
	read    time.Time         // when the files were last read
}

func newCertFiles(certFile, keyFile string) *certFiles {
	f := &certFiles{certFile: certFile, keyFile: keyFile}
	f.refresh()
	return f
}

// certificate returns the last good certificate, in the handshake of a connection. Usually the
// files were read just now, when it was dialed.
func (f *certFiles) certificate(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
	if f.changed() {
		go f.conns.CloseAll() // not here: the handshake is of a connection that is closed, too
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.cert.IsZero() {
		return nil, f.err
	}
	return f.cert.Reveal(), nil
}

// dial returns a function that opens connections by dial. It closes those that were opened
// with another certificate before, not during, the handshake of a new one.
func (f *certFiles) dial(dial connrotation.DialFunc) connrotation.DialFunc {
	tracked := f.conns.Dial(dial)
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		f.refresh()
		return tracked(ctx, network, address)
	}
}

// refresh reads the files, unless they were read just now, and closes connections if there is
// another certificate.
func (f *certFiles) refresh() {
	if f.changed() {
		klog.Background().V(1).Info("Client certificate has changed, closing connections that were opened with the old one", "certFile", f.certFile)
		f.conns.CloseAll()
	}
}

// changed reads the files, unless they were read just now, and tells whether that made for
// another certificate in the place of one.
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
			klog.Background().Error(err, "Unable to reload the client certificate, going on with the old one", "certFile", f.certFile, "keyFile", f.keyFile)
		}
		return false
	}
	isFirst, isSame := f.cert.IsZero(), f.content == content
	f.cert, f.content = secret.Of(cert), content
	return !isFirst && !isSame
}

// watch refreshes each period until nobody refers to f any more. Connections do.
func (f *certFiles) watch(period time.Duration) {
	watched := weak.Make(f)
	time.AfterFunc(period, func() {
		f := watched.Value()
		if f == nil {
			metrics.TransportCertRotationGCCalls.Increment()
			return
		}
		f.refresh()
		f.watch(period)
	})
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
