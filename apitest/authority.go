package apitest

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// authority signs the certificates of this process: those of servers, users and webhooks. None of them outlives
// the process that trusts it, so all are valid for a year.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	pem         []byte // of the certificate
}

// newAuthority returns the authority of this process, which is created once.
var newAuthority = sync.OnceValues(makeAuthority)

func makeAuthority() (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make the key of an authority: %w", err)
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "apitest-ca"},
		NotBefore:             now.Add(-time.Hour),
		NotAfter:              now.AddDate(1, 0, 0),
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		BasicConstraintsValid: true,
		IsCA:                  true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("make the certificate of an authority: %w", err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("make the certificate of an authority: %w", err)
	}
	return &authority{certificate, key, encode("CERTIFICATE", der)}, nil
}

// sign returns a certificate and its key.
func (a *authority) sign(subject pkix.Name, usage x509.ExtKeyUsage, hosts ...string) (*Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make the key of a certificate: %w", err)
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return nil, fmt.Errorf("make the number of a certificate: %w", err)
	}
	template := &x509.Certificate{
		SerialNumber: serial,
		Subject:      subject,
		NotBefore:    a.certificate.NotBefore,
		NotAfter:     a.certificate.NotAfter,
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{usage},
	}
	for _, host := range hosts {
		if ip := net.ParseIP(host); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, host)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, key.Public(), a.key)
	if err != nil {
		return nil, fmt.Errorf("make a certificate: %w", err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("make the key of a certificate: %w", err)
	}
	return &Certificate{
		Cert: encode("CERTIFICATE", der),
		Key:  encode("PRIVATE KEY", encoded),
		CA:   bytes.Clone(a.pem),
	}, nil
}

func encode(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

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
	authority, err := newAuthority()
	if err != nil {
		return nil, err
	}
	hosts = append([]string{"localhost", "127.0.0.1", "::1"}, hosts...)
	return authority.sign(pkix.Name{CommonName: "apitest-webhook"}, x509.ExtKeyUsageServerAuth, hosts...)
}

// TLS returns c for a tls.Config.
func (c *Certificate) TLS() (tls.Certificate, error) { return tls.X509KeyPair(c.Cert, c.Key) }

// WriteFiles writes tls.crt, tls.key and ca.crt, the names in a Secret of type kubernetes.io/tls, to a directory,
// which must exist. The key is readable only for its owner.
func (c *Certificate) WriteFiles(dir string) error {
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "tls.crt"), c.Cert, 0o644),
		os.WriteFile(filepath.Join(dir, "tls.key"), c.Key, 0o600),
		os.WriteFile(filepath.Join(dir, "ca.crt"), c.CA, 0o644),
	)
}
