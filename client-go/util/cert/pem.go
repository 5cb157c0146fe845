// Package cert makes certificates and certificate signing requests, reads and writes them as PEM, and gets those of
// servers.
package cert

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Types of PEM blocks.
const (
	// CertificateBlockType is the type of a certificate.
	CertificateBlockType = "CERTIFICATE"
	// CertificateRequestBlockType is the type of a certificate signing request.
	CertificateRequestBlockType = "CERTIFICATE REQUEST"
)

// ParseCertsPEM returns the certificates in PEM blocks. Blocks of other types, or with headers, are skipped; a
// certificate that cannot be parsed, or none at all, is an error.
func ParseCertsPEM(pemCerts []byte) ([]*x509.Certificate, error) {
	var certs []*x509.Certificate
	for block, rest := pem.Decode(pemCerts); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != CertificateBlockType || len(block.Headers) != 0 {
			continue
		}
		parsed, err := x509.ParseCertificates(block.Bytes)
		if err != nil {
			return certs, err
		}
		certs = append(certs, parsed...)
	}
	if len(certs) == 0 {
		return certs, errors.New("data does not contain any valid RSA or ECDSA certificates")
	}
	return certs, nil
}

// EncodeCertificates returns certificates as PEM blocks.
func EncodeCertificates(certs ...*x509.Certificate) ([]byte, error) {
	var b bytes.Buffer
	for _, c := range certs {
		if err := pem.Encode(&b, &pem.Block{Type: CertificateBlockType, Bytes: c.Raw}); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// CertsFromFile is [ParseCertsPEM] of a file.
func CertsFromFile(file string) ([]*x509.Certificate, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	certs, err := ParseCertsPEM(data)
	if err != nil {
		return nil, fmt.Errorf("error reading %s: %w", file, err)
	}
	return certs, nil
}

// NewPool returns a pool with the certificates of a file, as [CertsFromFile] reads them.
func NewPool(filename string) (*x509.CertPool, error) {
	data, err := os.ReadFile(filename)
	if err != nil {
		return nil, err
	}
	pool, err := NewPoolFromBytes(data)
	if err != nil {
		return nil, fmt.Errorf("error creating pool from %s: %w", filename, err)
	}
	return pool, nil
}

// NewPoolFromBytes returns a pool with certificates in PEM blocks, as [ParseCertsPEM] reads them.
func NewPoolFromBytes(pemBlock []byte) (*x509.CertPool, error) {
	certs, err := ParseCertsPEM(pemBlock)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	for _, c := range certs {
		pool.AddCert(c)
	}
	return pool, nil
}

// CanReadCertAndKey reports whether both files can be read. If only one can, that is an error.
func CanReadCertAndKey(certPath, keyPath string) (bool, error) {
	hasCert, hasKey := canRead(certPath), canRead(keyPath)
	switch {
	case hasCert && !hasKey:
		return false, fmt.Errorf("error reading %s, certificate and key must be supplied as a pair", keyPath)
	case hasKey && !hasCert:
		return false, fmt.Errorf("error reading %s, certificate and key must be supplied as a pair", certPath)
	}
	return hasCert, nil
}

func canRead(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	_ = f.Close() // nothing was written
	return true
}

// WriteCert writes a certificate to a file of mode 0644, which is overwritten if it exists. Directories are created
// as needed, with mode 0755.
func WriteCert(certPath string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(certPath), 0o755); err != nil {
		return err
	}
	return os.WriteFile(certPath, data, 0o644)
}
