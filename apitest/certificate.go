package apitest

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"os"
	"path/filepath"

	"github.com/listwatch/listwatch/apitest/internal/authority"
	"github.com/listwatch/listwatch/apitest/internal/control"
)

// Certificate is a certificate with its key, and the authority that signed it. All are PEM, and belong to the
// caller of the function that returned them.
type Certificate struct {
	Cert []byte
	Key  []byte
	CA   []byte
}

// NewCertificate returns a certificate for serving webhooks under test at hosts, which are names and IP
// addresses; localhost and the loopback addresses are added. It is valid for a year. [WithWebhooks] takes its
// CA. The authority is this process's, which also signs the certificates of servers.
func NewCertificate(hosts ...string) (*Certificate, error) {
	a, err := authority.New()
	if err != nil {
		return nil, err
	}
	hosts = append([]string{"localhost", "127.0.0.1", "::1"}, hosts...)
	signed, err := a.Sign(pkix.Name{CommonName: "apitest-webhook"}, x509.ExtKeyUsageServerAuth, hosts...)
	return (*Certificate)(signed), err
}

// TLS returns c for a tls.Config.
func (c *Certificate) TLS() (tls.Certificate, error) { return tls.X509KeyPair(c.Cert, c.Key) }

// encodePair returns a certificate with its key, without an authority.
func encodePair(pair tls.Certificate) (control.Certificate, error) {
	key, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		return control.Certificate{}, err
	}
	c := control.Certificate{Key: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})}
	for _, der := range pair.Certificate {
		c.Cert = append(c.Cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})...)
	}
	return c, nil
}

// WriteFiles writes tls.crt, tls.key and ca.crt, the names in a Secret of type kubernetes.io/tls, to a directory,
// which must exist. The key is readable only for its owner.
func (c *Certificate) WriteFiles(dir string) error {
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "tls.crt"), c.Cert, 0o644),
		os.WriteFile(filepath.Join(dir, "tls.key"), c.Key, 0o600),
		os.WriteFile(filepath.Join(dir, "ca.crt"), c.CA, 0o644),
	)
}
