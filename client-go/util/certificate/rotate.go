package certificate

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/klog/v2"

	"k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/certificate/csr"
	"k8s.io/client-go/util/keyutil"
)

// requestTimeout is how long a request may take to be approved and signed.
const requestTimeout = 15 * time.Minute

// The smallest keys.
const (
	minRSABits   = 2048
	minECDSABits = 256
)

// attempt rotates the certificate once. Errors are handled here, so that there is a next attempt.
func (m *manager) attempt(ctx context.Context) (bool, error) {
	klog.FromContext(ctx).V(2).Info("Rotating certificates")
	if err := m.renew(ctx); err != nil {
		utilruntime.HandleErrorWithContext(ctx, err, "Unable to rotate the certificate")
		if m.failures != nil {
			m.failures.Inc()
		}
		return false, nil
	}
	return true, nil
}

// renew requests a certificate and makes it the current one.
func (m *manager) renew(ctx context.Context) error {
	template := m.getTemplate()
	if template == nil {
		return errors.New("unable to create a csr, no template available")
	}
	key, err := m.newKey()
	if err != nil {
		return err
	}
	keyPEM, err := keyutil.MarshalPrivateKeyToPEM(key)
	if err != nil {
		return fmt.Errorf("unable to marshal the new key to PEM: %w", err)
	}
	csrPEM, err := cert.MakeCSRFromTemplate(key, template)
	if err != nil {
		return fmt.Errorf("unable to create a csr from the private key: %w", err)
	}
	client, err := m.clientsetFn(m.Current())
	if err != nil {
		return fmt.Errorf("unable to load a client to request certificates: %w", err)
	}
	name, uid, err := csr.RequestCertificateWithContext(ctx, client, csrPEM, "", m.signerName, m.lifetime, m.getUsages(key), key)
	if err != nil {
		m.setHealthy(isHealthyError(err))
		return fmt.Errorf("failed to request a certificate: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	m.setRequested(template, cancel)
	certPEM, err := csr.WaitForCertificate(ctx, client, name, uid)
	if err != nil {
		return fmt.Errorf("certificate request was not signed: %w", err)
	}
	updated, err := m.certStore.Update(certPEM, keyPEM)
	if err != nil {
		return fmt.Errorf("unable to store the new cert/key pair: %w", err)
	}
	if old := m.replace(updated); old != nil && m.rotation != nil {
		m.rotation.Observe(time.Since(old.Leaf.NotBefore).Seconds())
	}
	return nil
}

// newKey makes a private key.
func (m *manager) newKey() (crypto.Signer, error) {
	key, err := m.generateKey()
	if err != nil {
		return nil, fmt.Errorf("unable to generate a new private key: %w", err)
	}
	if err := validate(key); err != nil {
		return nil, fmt.Errorf("the new key is insecure: %w", err)
	}
	return key, nil
}

// validate returns an error for a key that is too small.
func validate(key crypto.Signer) error {
	switch key := key.(type) {
	case *rsa.PrivateKey:
		if bits := key.N.BitLen(); bits < minRSABits {
			return fmt.Errorf("RSA key size %d bits is below the minimum of %d", bits, minRSABits)
		}
	case *ecdsa.PrivateKey:
		if curve := key.Params(); curve.BitSize < minECDSABits {
			return fmt.Errorf("ECDSA key curve %s (%d bits) is below the minimum of %d", curve.Name, curve.BitSize, minECDSABits)
		}
	}
	return nil
}

// isHealthyError reports whether an error is the response of a server that works. Proxies answer with errors too.
func isHealthyError(err error) bool {
	return apierrors.IsUnauthorized(err) ||
		!apierrors.IsUnexpectedServerError(err) && (apierrors.IsNotFound(err) || apierrors.IsForbidden(err))
}

func (m *manager) setHealthy(healthy bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.isHealthy = healthy
}

// setRequested notes that a template was requested; cancel ends the wait for it.
func (m *manager) setRequested(template *x509.CertificateRequest, cancel func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requested, m.cancelRequest = template, cancel
}

// replace sets the certificate, which a healthy server signed, and returns the one before.
func (m *manager) replace(updated *tls.Certificate) *tls.Certificate {
	m.mu.Lock()
	defer m.mu.Unlock()
	old := m.cert
	m.cert, m.isHealthy = updated, true
	return old
}

// satisfies reports whether a certificate has the names that a template asks for. It may have more, except that there
// is one common name. Nil is asked for by nothing, and has nothing.
func satisfies(logger klog.Logger, has *tls.Certificate, template *x509.CertificateRequest) bool {
	if has == nil || template == nil {
		return has != nil
	}
	if has.Leaf.Subject.CommonName != template.Subject.CommonName {
		logger.V(2).Info("Current certificate CN does not match requested CN",
			"currentName", has.Leaf.Subject.CommonName, "requestedName", template.Subject.CommonName)
		return false
	}
	for _, names := range []struct {
		kind        string
		has, wanted []string
	}{
		{"DNS names", has.Leaf.DNSNames, template.DNSNames},
		{"IP addresses", addresses(has.Leaf.IPAddresses), addresses(template.IPAddresses)},
		{"orgs", has.Leaf.Subject.Organization, template.Subject.Organization},
	} {
		if missing := sets.New(names.wanted...).Difference(sets.New(names.has...)); len(missing) > 0 {
			logger.V(2).Info("Current certificate is missing what is requested", "kind", names.kind, "missing", sets.List(missing))
			return false
		}
	}
	return true
}

func addresses(ips []net.IP) []string {
	var all []string
	for _, ip := range ips {
		all = append(all, ip.String())
	}
	return all
}
