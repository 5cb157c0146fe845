package transport

import (
	"crypto/tls"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/listwatch/listwatch/runtime/internal/testcert"
)

func TestMain(m *testing.M) {
	countMetrics()
	goleak.VerifyTestMain(m)
}

// recorder responds to requests with a status and records them.
type recorder struct {
	status int
	seen   []*http.Request
}

func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	r.seen = append(r.seen, req)
	status := r.status
	if status == 0 {
		status = http.StatusOK
	}
	return &http.Response{StatusCode: status, Body: http.NoBody, Request: req}, nil
}

// last returns the header of the last request.
func (r *recorder) last() http.Header {
	return r.seen[len(r.seen)-1].Header
}

// send sends a request with header through rt.
func send(t *testing.T, rt http.RoundTripper, header http.Header) {
	t.Helper()
	req := httptest.NewRequest(http.MethodGet, "https://server/api", nil)
	for key, values := range header {
		req.Header[key] = values
	}
	before := req.Header.Clone()
	resp, err := rt.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	drain(resp)
	if diff := cmp.Diff(before, req.Header); diff != "" {
		t.Errorf("the caller's request has changed (-was +is):\n%s", diff)
	}
}

// get fetches url and returns the body.
func get(rt http.RoundTripper, url string) (string, error) {
	resp, err := (&http.Client{Transport: rt}).Get(url)
	if err != nil {
		return "", err
	}
	defer drain(resp)
	body, err := io.ReadAll(resp.Body)
	return string(body), err
}

func drain(resp *http.Response) {
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
}

// write writes data to a file, replacing an existing one atomically.
func write(t *testing.T, file string, data []byte) {
	t.Helper()
	if err := os.WriteFile(file+".new", data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		t.Fatal(err)
	}
}

// file returns the path of a new file with data.
func file(t *testing.T, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	write(t, path, data)
	return path
}

// serveTLS starts a server with HTTP/2 and the certificate that certificate returns. If clients is
// not nil, it requires client certificates of this CA. It responds with the request's body and the
// name in the client's certificate.
func serveTLS(t *testing.T, certificate func() tls.Certificate, clients *testcert.CA) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(w, r.Body)
		if len(r.TLS.PeerCertificates) > 0 {
			_, _ = io.WriteString(w, r.TLS.PeerCertificates[0].Subject.CommonName)
		}
	}))
	server.EnableHTTP2 = true
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // of handshakes that are expected to fail
	server.TLS = &tls.Config{
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			c := certificate()
			return &c, nil
		},
	}
	if clients != nil {
		server.TLS.ClientCAs = clients.Pool()
		server.TLS.ClientAuth = tls.RequireAndVerifyClientCert
	}
	server.StartTLS()
	// Otherwise the server would also present the certificate of httptest.
	server.TLS.Certificates = nil
	t.Cleanup(server.Close)
	return server
}

// collect collects garbage until done returns true, which it checks each time.
func collect(t *testing.T, done func() bool) {
	t.Helper()
	for range 1000 {
		runtime.GC()
		if done() {
			return
		}
		runtime.Gosched()
	}
	t.Fatal("an unreferenced object is retained")
}
