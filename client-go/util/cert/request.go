package cert

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"net"
)

// MakeCSR returns a certificate signing request as PEM. privateKey is a crypto.Signer.
func MakeCSR(privateKey any, subject *pkix.Name, dnsSANs []string, ipSANs []net.IP) (csr []byte, err error) {
	return MakeCSRFromTemplate(privateKey, &x509.CertificateRequest{
		Subject:     *subject,
		DNSNames:    dnsSANs,
		IPAddresses: ipSANs,
	})
}

// MakeCSRFromTemplate returns a certificate signing request as PEM, from a template that is not modified. privateKey
// is a crypto.Signer.
func MakeCSRFromTemplate(privateKey any, template *x509.CertificateRequest) ([]byte, error) {
	t := *template
	t.SignatureAlgorithm = signatureAlgorithm(privateKey)
	der, err := x509.CreateCertificateRequest(rand.Reader, &t, privateKey)
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: CertificateRequestBlockType, Bytes: der}), nil
}

// signatureAlgorithm chooses the hash for an RSA key by its size. For other keys, package x509 chooses.
func signatureAlgorithm(privateKey any) x509.SignatureAlgorithm {
	key, ok := privateKey.(*rsa.PrivateKey)
	switch {
	case !ok:
		return x509.UnknownSignatureAlgorithm
	case key.N.BitLen() >= 4096:
		return x509.SHA512WithRSA
	case key.N.BitLen() >= 3072:
		return x509.SHA384WithRSA
	default:
		return x509.SHA256WithRSA
	}
}
