package cert

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	netutils "k8s.io/utils/net"

	"k8s.io/client-go/util/keyutil"
)

const (
	year = 365 * 24 * time.Hour
	// fixtureAge is the time for which certificates in a directory of fixtures are valid.
	fixtureAge = 100 * year
	// skew is how long before its creation a certificate is valid, for servers whose clock is late.
	skew = time.Hour
)

// Config describes a certificate.
type Config struct {
	CommonName   string
	Organization []string
	AltNames     AltNames
	Usages       []x509.ExtKeyUsage
	// NotBefore is the first moment at which the certificate is valid; the zero value is now.
	NotBefore time.Time
}

// AltNames are the DNS names and addresses that a certificate is for.
type AltNames struct {
	DNSNames []string
	IPs      []net.IP
}

// NewSelfSignedCACert returns a certificate of an authority with a key. It is valid for ten years. Of cfg, it uses the
// names and NotBefore.
func NewSelfSignedCACert(cfg Config, key crypto.Signer) (*x509.Certificate, error) {
	now := time.Now()
	template := &x509.Certificate{
		Subject:   pkix.Name{CommonName: cfg.CommonName, Organization: cfg.Organization},
		NotBefore: now.UTC(),
		NotAfter:  now.Add(10 * year).UTC(),
	}
	if !cfg.NotBefore.IsZero() {
		template.NotBefore = cfg.NotBefore.UTC()
	}
	if cfg.CommonName != "" {
		template.DNSNames = []string{cfg.CommonName}
	}
	return authority(template, key)
}

// authority signs a certificate of an authority with its own key.
func authority(template *x509.Certificate, key crypto.Signer) (*x509.Certificate, error) {
	template.KeyUsage = x509.KeyUsageKeyEncipherment | x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign
	template.IsCA = true
	return sign(template, template, key.Public(), key)
}

// sign gives a certificate a serial number and signs it with the key of another.
func sign(template, parent *x509.Certificate, public crypto.PublicKey, key crypto.Signer) (*x509.Certificate, error) {
	// A serial number is positive.
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<63-2))
	if err != nil {
		return nil, err
	}
	template.SerialNumber = serial.Add(serial, big.NewInt(1))
	template.BasicConstraintsValid = true
	der, err := x509.CreateCertificate(rand.Reader, template, parent, public, key)
	if err != nil {
		return nil, err
	}
	return x509.ParseCertificate(der)
}

// SelfSignedCertKeyOptions describe what [GenerateSelfSignedCertKeyWithOptions] generates.
type SelfSignedCertKeyOptions struct {
	// Host is the DNS name or address of the server. It is required.
	Host string
	// AlternateIPs are further addresses of the server.
	AlternateIPs []net.IP
	// AlternateDNS are further names of the server.
	AlternateDNS []string

	// MaxAge is how long the certificate is valid; 0 is a year. With a FixtureDirectory it is a hundred years,
	// whatever MaxAge is.
	MaxAge time.Duration

	// FixtureDirectory, if set, is where tests keep certificates, so that they need not be generated each time: in
	// files <host>_<ip>-<ip>_<alternateDNS>-<alternateDNS>.crt and .key, which are written if they do not exist.
	FixtureDirectory string
}

// GenerateSelfSignedCertKey returns a certificate, followed by that of its authority, and its key, for a server with a
// DNS name or address, and further ones.
func GenerateSelfSignedCertKey(host string, alternateIPs []net.IP, alternateDNS []string) ([]byte, []byte, error) {
	return GenerateSelfSignedCertKeyWithFixtures(host, alternateIPs, alternateDNS, "")
}

// GenerateSelfSignedCertKeyWithFixtures is [GenerateSelfSignedCertKey] with a directory of fixtures; see
// [SelfSignedCertKeyOptions].
func GenerateSelfSignedCertKeyWithFixtures(host string, alternateIPs []net.IP, alternateDNS []string, fixtureDirectory string) ([]byte, []byte, error) {
	return GenerateSelfSignedCertKeyWithOptions(SelfSignedCertKeyOptions{
		Host:             host,
		AlternateIPs:     alternateIPs,
		AlternateDNS:     alternateDNS,
		FixtureDirectory: fixtureDirectory,
	})
}

// GenerateSelfSignedCertKeyWithOptions returns a certificate, followed by that of its authority, and its key, as PEM.
func GenerateSelfSignedCertKeyWithOptions(opts SelfSignedCertKeyOptions) ([]byte, []byte, error) {
	if opts.FixtureDirectory == "" {
		return generate(opts)
	}
	opts.MaxAge = fixtureAge
	files := opts.fixtures()
	if certPEM, err := os.ReadFile(files.cert); err == nil {
		keyPEM, err := os.ReadFile(files.key)
		if err != nil {
			return nil, nil, fmt.Errorf("cert %s can be read, but key %s cannot: %w", files.cert, files.key, err)
		}
		return certPEM, keyPEM, nil
	}
	certPEM, keyPEM, err := generate(opts)
	if err != nil {
		return nil, nil, err
	}
	return certPEM, keyPEM, files.write(certPEM, keyPEM)
}

// generate generates what options describe.
func generate(opts SelfSignedCertKeyOptions) (certPEM, keyPEM []byte, err error) {
	if opts.MaxAge == 0 {
		opts.MaxAge = year
	}
	now := time.Now()
	notBefore := now.Add(-skew)
	notAfter := notBefore.Add(opts.MaxAge)

	caKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, nil, err
	}
	ca, err := authority(&x509.Certificate{
		Subject:   pkix.Name{CommonName: fmt.Sprintf("%s-ca@%d", opts.Host, now.Unix())},
		NotBefore: notBefore,
		NotAfter:  notAfter,
	}, caKey)
	if err != nil {
		return nil, nil, err
	}
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, nil, err
	}
	template := &x509.Certificate{
		Subject:     pkix.Name{CommonName: fmt.Sprintf("%s@%d", opts.Host, now.Unix())},
		NotBefore:   notBefore,
		NotAfter:    notAfter,
		KeyUsage:    x509.KeyUsageKeyEncipherment | x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	if ip := netutils.ParseIPSloppy(opts.Host); ip != nil {
		template.IPAddresses = append(template.IPAddresses, ip)
	} else {
		template.DNSNames = append(template.DNSNames, opts.Host)
	}
	template.IPAddresses = append(template.IPAddresses, opts.AlternateIPs...)
	template.DNSNames = append(template.DNSNames, opts.AlternateDNS...)
	cert, err := sign(template, ca, key.Public(), caKey)
	if err != nil {
		return nil, nil, err
	}
	if certPEM, err = EncodeCertificates(cert, ca); err != nil {
		return nil, nil, err
	}
	return certPEM, pem.EncodeToMemory(&pem.Block{Type: keyutil.RSAPrivateKeyBlockType, Bytes: x509.MarshalPKCS1PrivateKey(key)}), nil
}

// fixtureFiles are the files of a certificate in a directory of fixtures.
type fixtureFiles struct{ cert, key string }

func (o SelfSignedCertKeyOptions) fixtures() fixtureFiles {
	var ips []string
	for _, ip := range o.AlternateIPs {
		ips = append(ips, ip.String())
	}
	base := filepath.Join(o.FixtureDirectory, strings.Join([]string{o.Host, strings.Join(ips, "-"), strings.Join(o.AlternateDNS, "-")}, "_"))
	return fixtureFiles{base + ".crt", base + ".key"}
}

func (f fixtureFiles) write(certPEM, keyPEM []byte) error {
	if err := os.WriteFile(f.cert, certPEM, 0o644); err != nil {
		return fmt.Errorf("failed to write cert fixture to %s: %w", f.cert, err)
	}
	if err := os.WriteFile(f.key, keyPEM, 0o600); err != nil {
		return fmt.Errorf("failed to write key fixture to %s: %w", f.key, err)
	}
	return nil
}
