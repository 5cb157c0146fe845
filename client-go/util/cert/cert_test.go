package cert_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/util/cert"
)

var ecKey = sync.OnceValue(func() *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	return key
})

// newCA returns a certificate of an authority.
func newCA(tb testing.TB, name string) *x509.Certificate {
	tb.Helper()
	ca, err := cert.NewSelfSignedCACert(cert.Config{CommonName: name, Organization: []string{"o"}}, ecKey())
	if err != nil {
		tb.Fatal(err)
	}
	return ca
}

// pems are PEM blocks by what they contain.
func pems(tb testing.TB) map[string]string {
	tb.Helper()
	text := func(b *pem.Block) string { return string(pem.EncodeToMemory(b)) }
	a, b := newCA(tb, "a").Raw, newCA(tb, "b").Raw
	return map[string]string{
		"a":       text(&pem.Block{Type: "CERTIFICATE", Bytes: a}),
		"b":       text(&pem.Block{Type: "CERTIFICATE", Bytes: b}),
		"headers": text(&pem.Block{Type: "CERTIFICATE", Bytes: a, Headers: map[string]string{"Proc-Type": "x"}}),
		"trusted": text(&pem.Block{Type: "TRUSTED CERTIFICATE", Bytes: a}),
		"broken":  text(&pem.Block{Type: "CERTIFICATE", Bytes: []byte("no certificate")}),
		"text":    "no PEM\n",
	}
}

func TestParseCertsPEM(t *testing.T) {
	all := pems(t)
	for _, tt := range []struct {
		name   string
		blocks []string
		want   string // names, "" for an error
	}{
		{"one", []string{"a"}, "a"},
		{"several", []string{"b", "a"}, "b a"},
		{"among others", []string{"text", "headers", "trusted", "a", "text"}, "a"},
		{"broken", []string{"a", "broken"}, ""},
		{"only others", []string{"headers", "trusted"}, ""},
		{"nothing", nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var data string
			for _, name := range tt.blocks {
				data += all[name]
			}
			certs, err := cert.ParseCertsPEM([]byte(data))
			var names []string
			for _, c := range certs {
				names = append(names, c.Subject.CommonName)
			}
			if (err != nil) != (tt.want == "") || err == nil && strings.Join(names, " ") != tt.want {
				t.Errorf("parsed %v, %v", names, err)
			}
			if _, poolErr := cert.NewPoolFromBytes([]byte(data)); (poolErr != nil) != (err != nil) {
				t.Errorf("pool: %v", poolErr)
			}
		})
	}
}

// What is parsed can be written and parsed again.
func FuzzParseCertsPEM(f *testing.F) {
	for _, text := range pems(f) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		certs, err := cert.ParseCertsPEM(data)
		if err != nil {
			return
		}
		text, err := cert.EncodeCertificates(certs...)
		if err != nil {
			t.Fatal(err)
		}
		again, err := cert.ParseCertsPEM(text)
		if err != nil || !slices.EqualFunc(certs, again, (*x509.Certificate).Equal) {
			t.Errorf("%d certificates, then %d: %v", len(certs), len(again), err)
		}
	})
}

func TestFiles(t *testing.T) {
	all, dir := pems(t), t.TempDir()
	path, invalid, missing := filepath.Join(dir, "new", "a.crt"), filepath.Join(dir, "invalid"), filepath.Join(dir, "missing")
	if err := cert.WriteCert(path, []byte(all["a"])); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("the file is %v, %v", info, err)
	}
	if err := os.WriteFile(invalid, []byte(all["text"]), 0o600); err != nil {
		t.Fatal(err)
	}
	certs, err := cert.CertsFromFile(path)
	if err != nil || len(certs) != 1 {
		t.Fatalf("%v, %v", certs, err)
	}
	pool, err := cert.NewPool(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := certs[0].Verify(x509.VerifyOptions{Roots: pool}); err != nil {
		t.Error(err)
	}
	for _, path := range []string{invalid, missing} {
		if _, err := cert.CertsFromFile(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("certificates: %v", err)
		}
		if _, err := cert.NewPool(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("pool: %v", err)
		}
	}
	for _, tt := range []struct {
		name      string
		cert, key string
		want      bool
		err       string
	}{
		{"both", path, invalid, true, ""},
		{"neither", missing, missing, false, ""},
		{"only the certificate", path, missing, false, missing},
		{"only the key", missing, path, false, missing},
	} {
		got, err := cert.CanReadCertAndKey(tt.cert, tt.key)
		if got != tt.want || (err != nil) != (tt.err != "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s: %t, %v", tt.name, got, err)
		}
	}
}

func TestNewSelfSignedCACert(t *testing.T) {
	start := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	ca, err := cert.NewSelfSignedCACert(cert.Config{CommonName: "ca", Organization: []string{"o"}, NotBefore: start}, ecKey())
	if err != nil {
		t.Fatal(err)
	}
	if !ca.IsCA || ca.Subject.CommonName != "ca" || ca.Subject.Organization[0] != "o" || !slices.Equal(ca.DNSNames, []string{"ca"}) {
		t.Errorf("the certificate is for %v", ca.Subject)
	}
	if !ca.NotBefore.Equal(start) || ca.KeyUsage&x509.KeyUsageCertSign == 0 || ca.SerialNumber.Sign() <= 0 {
		t.Errorf("from %v, usage %b, number %v", ca.NotBefore, ca.KeyUsage, ca.SerialNumber)
	}
	if err := ca.CheckSignatureFrom(ca); err != nil {
		t.Error(err)
	}
}

func TestGenerateSelfSignedCertKey(t *testing.T) {
	for _, tt := range []struct {
		name    string
		options cert.SelfSignedCertKeyOptions
		valid   []string
		invalid string
		age     time.Duration
	}{
		{
			"name",
			cert.SelfSignedCertKeyOptions{Host: "a.test", AlternateIPs: []net.IP{{127, 0, 0, 1}}, AlternateDNS: []string{"b.test"}},
			[]string{"a.test", "b.test", "127.0.0.1"},
			"c.test", 365 * 24 * time.Hour,
		},
		{"address", cert.SelfSignedCertKeyOptions{Host: "10.0.0.1", MaxAge: 5 * time.Hour}, []string{"10.0.0.1"}, "10.0.0.2", 5 * time.Hour},
	} {
		t.Run(tt.name, func(t *testing.T) {
			certPEM, keyPEM, err := cert.GenerateSelfSignedCertKeyWithOptions(tt.options)
			if err != nil {
				t.Fatal(err)
			}
			if _, err = tls.X509KeyPair(certPEM, keyPEM); err != nil {
				t.Error(err)
			}
			certs, err := cert.ParseCertsPEM(certPEM)
			if err != nil || len(certs) != 2 {
				t.Fatalf("%d certificates, %v", len(certs), err)
			}
			pool := x509.NewCertPool()
			pool.AddCert(certs[1])
			for _, host := range tt.valid {
				if _, err := certs[0].Verify(x509.VerifyOptions{Roots: pool, DNSName: host}); err != nil {
					t.Error(err)
				}
			}
			if err := certs[0].VerifyHostname(tt.invalid); err == nil {
				t.Errorf("valid for %s", tt.invalid)
			}
			if age := certs[0].NotAfter.Sub(certs[0].NotBefore); age != tt.age {
				t.Errorf("valid for %v", age)
			}
		})
	}
}

func TestFixtures(t *testing.T) {
	dir := t.TempDir()
	generate := func() ([]byte, []byte, error) {
		return cert.GenerateSelfSignedCertKeyWithFixtures("a.test", []net.IP{{127, 0, 0, 1}, {127, 0, 0, 2}}, []string{"b", "c"}, dir)
	}
	certPEM, keyPEM, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	again, keyAgain, err := generate()
	if err != nil || !slices.Equal(certPEM, again) || !slices.Equal(keyPEM, keyAgain) {
		t.Errorf("not the fixtures: %v", err)
	}
	key := filepath.Join(dir, "a.test_127.0.0.1-127.0.0.2_b-c.key")
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	if _, _, err := generate(); err == nil || !strings.Contains(err.Error(), key) {
		t.Errorf("error without the key is %v", err)
	}
}

func TestMakeCSR(t *testing.T) {
	newRSA := func(bits int) *rsa.PrivateKey {
		key, err := rsa.GenerateKey(rand.Reader, bits)
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	for _, tt := range []struct {
		name string
		key  any
		want x509.SignatureAlgorithm // 0 for an error
	}{
		{"RSA of 2048 bits", newRSA(2048), x509.SHA256WithRSA},
		{"RSA of 3072 bits", newRSA(3072), x509.SHA384WithRSA},
		{"ECDSA", ecKey(), x509.ECDSAWithSHA256},
		{"not a key", "key", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text, err := cert.MakeCSR(tt.key, &pkix.Name{CommonName: "n"}, []string{"a.test"}, []net.IP{{10, 0, 0, 1}})
			if tt.want == 0 {
				if err == nil {
					t.Error("signed")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			block, _ := pem.Decode(text)
			csr, err := x509.ParseCertificateRequest(block.Bytes)
			if err != nil || csr.CheckSignature() != nil {
				t.Fatal(err, csr.CheckSignature())
			}
			if block.Type != cert.CertificateRequestBlockType || csr.SignatureAlgorithm != tt.want || csr.Subject.CommonName != "n" ||
				!slices.Equal(csr.DNSNames, []string{"a.test"}) || len(csr.IPAddresses) != 1 {
				t.Errorf("a %s by %v for %v", block.Type, csr.SignatureAlgorithm, csr.Subject)
			}
		})
	}
	template := &x509.CertificateRequest{SignatureAlgorithm: x509.SHA512WithRSA}
	if _, err := cert.MakeCSRFromTemplate(ecKey(), template); err != nil || template.SignatureAlgorithm != x509.SHA512WithRSA {
		t.Errorf("the template is %+v, %v", template, err)
	}
}

func TestServer(t *testing.T) {
	ca := newCA(t, "clients")
	pool := x509.NewCertPool()
	pool.AddCert(ca)
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.TLS = &tls.Config{ClientAuth: tls.RequestClientCert, ClientCAs: pool}
	server.StartTLS()
	defer server.Close()
	names, err := cert.GetClientCANamesForURL(server.URL)
	if err != nil || len(names) != 1 || names[0] != string(ca.RawSubject) {
		t.Errorf("client CAs %q, %v", names, err)
	}
	certs, texts, err := cert.GetServingCertificatesForURL(server.URL, "")
	if err != nil || len(certs) != 1 || len(texts) != 1 || !certs[0].Equal(server.Certificate()) {
		t.Fatalf("%d certificates, %v", len(certs), err)
	}
	if parsed, err := cert.ParseCertsPEM(texts[0]); err != nil || !parsed[0].Equal(certs[0]) || strings.HasSuffix(string(texts[0]), "\n") {
		t.Errorf("text %q, %v", texts[0], err)
	}
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	for _, url := range []string{plain.URL, "://"} {
		if _, err := cert.GetClientCANamesForURL(url); err == nil {
			t.Errorf("%s: client CAs of a server without TLS", url)
		}
		if _, _, err := cert.GetServingCertificatesForURL(url, ""); err == nil {
			t.Errorf("%s: certificates of a server without TLS", url)
		}
	}
}
