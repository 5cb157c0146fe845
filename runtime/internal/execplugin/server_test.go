package execplugin

import (
	"crypto/tls"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/listwatch/listwatch/runtime/internal/testcert"
)

// tlsServer responds with the name in the client's certificate, or with 401 if it is rejected.
type tlsServer struct {
	*httptest.Server
	mu       sync.Mutex // guards rejected
	rejected string
}

func startTLSServer(t *testing.T, ca *testcert.CA) *tlsServer {
	t.Helper()
	s := &tlsServer{}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		name := r.TLS.PeerCertificates[0].Subject.CommonName
		if name == s.rejected {
			w.WriteHeader(http.StatusUnauthorized)
		}
		_, _ = io.WriteString(w, name)
	}))
	s.EnableHTTP2 = true
	s.TLS = &tls.Config{
		Certificates: []tls.Certificate{ca.Server(t)},
		ClientCAs:    ca.Pool(),
		ClientAuth:   tls.RequireAndVerifyClientCert,
	}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

func (s *tlsServer) reject(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rejected = name
}
