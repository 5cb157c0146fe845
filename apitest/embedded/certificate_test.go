package embedded_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/runtime/rest"
)

// selfSigned returns a certificate of a user that is its own authority, and its key.
func selfSigned(t *testing.T, name string) (certificate, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name, Organization: []string{"system:masters"}},
		NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		KeyUsage:    x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: encoded})
}

func TestClientCertificates(t *testing.T) {
	trusted, trustedKey := selfSigned(t, "jo")
	foreign, foreignKey := selfSigned(t, "liar")
	srv := embedded.Start(t, embedded.WithClientCA(trusted))
	certified := func(certificate, key []byte) *rest.Config {
		config := rest.AnonymousClientConfig(srv.Config())
		config.CertData, config.KeyData = certificate, key
		return config
	}
	of := func(name string, groups ...string) *rest.Config {
		signed, err := srv.Certificate(name, groups...)
		if err != nil {
			t.Fatal(err)
		}
		return certified(signed.Cert, signed.Key)
	}
	serving, err := embedded.NewCertificate()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		config *rest.Config
		want   int
		body   string
	}{
		{"admin", of("jane", "system:masters"), 200, ""},
		{"stranger", of("jane"), 403, `User \"jane\" cannot list`},
		{"of another authority", certified(trusted, trustedKey), 200, ""},
		{"of an unknown authority", certified(foreign, foreignKey), 401, "Unauthorized"},
		{"for serving", certified(serving.Cert, serving.Key), 401, "Unauthorized"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, body := get(t, c.config, "/api/v1/nodes")
			if code != c.want || !strings.Contains(body, c.body) {
				t.Errorf("GET /api/v1/nodes: got %d %s, want %d with %s", code, body, c.want, c.body)
			}
		})
	}
	if code, body := get(t, of("jane"), "/apis"); code != 200 {
		t.Errorf("certificates do not authenticate: %d %s", code, body)
	}
}

func TestServingCertificate(t *testing.T) {
	certificate, err := embedded.NewCertificate("books.example.com")
	if err != nil {
		t.Fatal(err)
	}
	pair, err := certificate.TLS()
	if err != nil {
		t.Fatal(err)
	}
	srv := embedded.Start(t, embedded.WithAddress("localhost:0"), embedded.WithServingCertificate(pair, certificate.CA))
	config := srv.Config()
	config.ServerName = "books.example.com"
	if code, body := get(t, config, "/readyz"); code != http.StatusOK {
		t.Errorf("GET /readyz, with the name in the certificate: %d %s, want 200", code, body)
	}

	dir := t.TempDir()
	if err = certificate.WriteFiles(dir); err != nil {
		t.Fatal(err)
	}
	if _, err = tls.LoadX509KeyPair(filepath.Join(dir, "tls.crt"), filepath.Join(dir, "tls.key")); err != nil {
		t.Error(err)
	}
	if ca, err := os.ReadFile(filepath.Join(dir, "ca.crt")); err != nil || string(ca) != string(certificate.CA) {
		t.Errorf("ca.crt contains %s (error %v), want the authority of the certificate", ca, err)
	}
}

func TestInvalidCertificates(t *testing.T) {
	for name, c := range map[string]struct {
		want string
		opts []embedded.Option
	}{
		"authority": {"WithClientCA: not a certificate in PEM", []embedded.Option{embedded.WithClientCA([]byte("x"))}},
		"plain":     {"WithPlainHTTP: certificates need TLS", []embedded.Option{embedded.WithClientCA([]byte("x")), embedded.WithPlainHTTP()}},
		"address":   {"missing port", []embedded.Option{embedded.WithAddress("localhost")}},
	} {
		t.Run(name, func(t *testing.T) {
			srv, err := embedded.New(c.opts...)
			if err == nil {
				_ = srv.Stop()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("start a server with the options: got error %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestConfigsOfClientGo(t *testing.T) {
	srv := embedded.Start(t)
	clients := kubernetes.NewForConfigOrDie(srv.RESTConfig())
	if _, err := clients.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{}); err != nil {
		t.Error(err)
	}
	clients = kubernetes.NewForConfigOrDie(srv.RESTConfigFor("jane"))
	_, err := clients.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
	if err == nil || !strings.Contains(err.Error(), `User "jane" cannot list`) {
		t.Errorf("jane lists nodes: %v", err)
	}

	kubeconfig, err := srv.KubeconfigFor("jane", "readers")
	if err != nil {
		t.Fatal(err)
	}
	config, err := clientcmd.RESTConfigFromKubeConfig(kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	if want := srv.RESTConfigFor("jane", "readers"); config.BearerToken != want.BearerToken || config.Host != want.Host {
		t.Errorf("the kubeconfig of a user has token %q for %s, want %q for %s", config.BearerToken, config.Host, want.BearerToken, want.Host)
	}
}
