package embedded

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"sync"

	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/group"
	requestx509 "k8s.io/apiserver/pkg/authentication/request/x509"

	"github.com/listwatch/listwatch/apitest"
	"github.com/listwatch/listwatch/apitest/internal/authority"
)

// certificate is a server's certificate, and the authority that signed it.
type certificate struct {
	ca   []byte // PEM
	pair tls.Certificate
}

// newCertificate returns the certificate of this process's servers, which is created once.
var newCertificate = sync.OnceValues(func() (*certificate, error) {
	a, err := authority.New()
	if err != nil {
		return nil, err
	}
	signed, err := a.Sign(pkix.Name{CommonName: "apitest"}, x509.ExtKeyUsageServerAuth,
		"localhost", "kubernetes.default.svc", "127.0.0.1", "::1")
	if err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(signed.Cert, signed.Key)
	if err != nil {
		return nil, fmt.Errorf("make the certificate of the server: %w", err)
	}
	return &certificate{ca: signed.CA, pair: pair}, nil
})

// config returns the server's TLS configuration, which the caller owns. Authentication verifies the certificates
// of clients.
func (c *certificate) config() *tls.Config {
	return &tls.Config{
		Certificates: []tls.Certificate{c.pair},
		ClientAuth:   tls.RequestClientCert,
		MinVersion:   tls.VersionTLS12,
	}
}

// Certificate is [apitest.Certificate].
type Certificate = apitest.Certificate

// NewCertificate returns a certificate for serving webhooks under test; see [apitest.NewCertificate].
func NewCertificate(hosts ...string) (*Certificate, error) { return apitest.NewCertificate(hosts...) }

// Certificate returns a client certificate of a user in some groups: rest.Config has fields CertData and KeyData
// for it, which replace the token. The user need not exist. All servers of the process accept it. Other than the
// users of [Server.ConfigFor], a service account gets no groups except those given and system:authenticated.
func (s *Server) Certificate(name string, groups ...string) (*Certificate, error) {
	a, err := authority.New()
	if err != nil {
		return nil, err
	}
	signed, err := a.Sign(pkix.Name{CommonName: name, Organization: groups}, x509.ExtKeyUsageClientAuth)
	return (*Certificate)(signed), err
}

// certificates returns the authenticator of client certificates: those of this process, and those that the
// authorities in more, which is PEM, have signed.
func certificates(more []byte) (authenticator.Request, error) {
	a, err := authority.New()
	if err != nil {
		return nil, err
	}
	verify := requestx509.DefaultVerifyOptions()
	verify.Roots = x509.NewCertPool()
	verify.Roots.AddCert(a.Certificate)
	if len(more) > 0 && !verify.Roots.AppendCertsFromPEM(more) {
		return nil, errors.New("WithClientCA: not a certificate in PEM")
	}
	return group.NewAuthenticatedGroupAdder(requestx509.New(verify, requestx509.CommonNameUserConversion)), nil
}
