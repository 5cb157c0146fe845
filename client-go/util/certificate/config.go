package certificate

import (
	"context"
	"crypto"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"slices"
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"

	"k8s.io/client-go/kubernetes"
)

// Config configures a [Manager].
type Config struct {
	// ClientsetFn returns the client for requests. It is not called concurrently; current is nil without a valid
	// certificate. Without it, nothing is rotated.
	ClientsetFn ClientsetFunc
	// Template is what is requested, as [x509.CreateCertificateRequest] takes it.
	Template *x509.CertificateRequest
	// GetTemplate, if set, returns what is requested, instead of Template. It is called each second: if the names that
	// it asks for are not those of the certificate, a new one is requested. While it returns nil, none is.
	GetTemplate func() *x509.CertificateRequest
	// SignerName is the signer of the certificates.
	SignerName string
	// RequestedCertificateLifetime is how long certificates should be valid; nil leaves it to the signer, who may choose
	// another time anyway.
	RequestedCertificateLifetime *time.Duration
	// Usages are the usages of the certificates. Either these or GetUsages must be set.
	Usages []certificatesv1.KeyUsage
	// GetUsages returns the usages for a private key. It is also called with nil.
	GetUsages func(privateKey any) []certificatesv1.KeyUsage
	// CertificateStore keeps the certificate.
	CertificateStore Store
	// BootstrapCertificatePEM and BootstrapKeyPEM are used while the store has no valid certificate, and rotated at
	// once.
	BootstrapCertificatePEM []byte
	BootstrapKeyPEM         []byte `datapolicy:"security-key"`
	// CertificateRotation, if set, observes how many seconds each certificate was used.
	CertificateRotation Histogram
	// CertificateRenewFailure, if set, counts failed rotations.
	CertificateRenewFailure Counter
	// GenerateKey makes the private keys: of RSA with at least 2048 bits, or of ECDSA with at least 256. Nil makes
	// ECDSA keys on the curve P-256.
	GenerateKey func() (crypto.Signer, error)
	// Name is the logger's. The default is SignerName, and without it "client auth" or "certificate", by Usages.
	Name string
	// Ctx, if set, stops the manager when it ends, and has its logger.
	Ctx *context.Context
}

// ClientsetFunc returns a client, for requests with the current certificate.
type ClientsetFunc func(current *tls.Certificate) (kubernetes.Interface, error)

// Gauge is a metric that is set.
type Gauge interface {
	Set(float64)
}

// Histogram is a metric that counts values.
type Histogram interface {
	Observe(float64)
}

// Counter is a metric that grows.
type Counter interface {
	Inc()
}

// DefaultKubeletServingGetUsages returns the usages of a kubelet's serving certificate.
var DefaultKubeletServingGetUsages = func(privateKey any) []certificatesv1.KeyUsage {
	return usagesOf(privateKey, certificatesv1.UsageServerAuth)
}

// DefaultKubeletClientGetUsages returns the usages of a kubelet's client certificate.
var DefaultKubeletClientGetUsages = func(privateKey any) []certificatesv1.KeyUsage {
	return usagesOf(privateKey, certificatesv1.UsageClientAuth)
}

// usagesOf returns the usages of a certificate for TLS. Keys of RSA also encrypt.
func usagesOf(privateKey any, auth certificatesv1.KeyUsage) []certificatesv1.KeyUsage {
	if _, ok := privateKey.(*rsa.PrivateKey); ok {
		return []certificatesv1.KeyUsage{certificatesv1.UsageDigitalSignature, certificatesv1.UsageKeyEncipherment, auth}
	}
	return []certificatesv1.KeyUsage{certificatesv1.UsageDigitalSignature, auth}
}

// template returns the function that returns what is requested.
func (c *Config) template() func() *x509.CertificateRequest {
	if c.GetTemplate != nil {
		return c.GetTemplate
	}
	return func() *x509.CertificateRequest { return c.Template }
}

// usages returns the function that returns the usages for a key.
func (c *Config) usages() (func(privateKey any) []certificatesv1.KeyUsage, error) {
	switch {
	case c.GetUsages != nil && c.Usages != nil:
		return nil, errors.New("cannot specify both GetUsages and Usages")
	case c.GetUsages == nil && c.Usages == nil:
		return nil, errors.New("either GetUsages or Usages should be specified")
	case c.GetUsages != nil:
		return c.GetUsages, nil
	default:
		return func(any) []certificatesv1.KeyUsage { return c.Usages }, nil
	}
}

// name returns the name of the logger.
func (c *Config) name(usages []certificatesv1.KeyUsage) string {
	switch {
	case c.Name != "":
		return c.Name
	case c.SignerName != "":
		return c.SignerName
	case slices.Contains(usages, certificatesv1.UsageClientAuth):
		return string(certificatesv1.UsageClientAuth)
	default:
		return "certificate"
	}
}
