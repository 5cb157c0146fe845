package transport

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"time"

	"github.com/listwatch/listwatch/runtime/internal/pemfile"
)

// TLSConfigFor returns the TLS settings of config, or nil if it has none.
func TLSConfigFor(config *Config) (*tls.Config, error) {
	tlsConfig, _, err := tlsConfigFor(config)
	return tlsConfig, err
}

// tlsConfigFor returns the TLS settings of config, and the files of the client's certificate if it comes from
// files.
func tlsConfigFor(config *Config) (*tls.Config, *certFiles, error) {
	c := &config.TLS
	if !config.HasCA() && !config.HasCertAuth() && !config.HasCertCallback() &&
		!c.Insecure && c.ServerName == "" && len(c.NextProtos) == 0 {
		return nil, nil, nil
	}
	if config.HasCA() && c.Insecure {
		return nil, nil, errors.New("specifying a root certificates file with the insecure flag is not allowed")
	}
	if err := loadTLSFiles(c); err != nil {
		return nil, nil, err
	}
	tlsConfig := &tls.Config{
		MinVersion:         tls.VersionTLS12,
		InsecureSkipVerify: c.Insecure,
		ServerName:         c.ServerName,
		NextProtos:         append([]string(nil), c.NextProtos...),
	}
	if config.HasCA() {
		roots, err := rootCertPool(c.CAData)
		if err != nil {
			return nil, nil, fmt.Errorf("unable to load root certificates: %w", err)
		}
		tlsConfig.RootCAs = roots
	}
	files, err := setClientCertificate(tlsConfig, config)
	return tlsConfig, files, err
}

// setClientCertificate sets the source of the client's certificate: data takes precedence over files, files
// over a function.
func setClientCertificate(tlsConfig *tls.Config, config *Config) (*certFiles, error) {
	switch c := config.TLS; {
	case config.HasCertAuth() && c.ReloadTLSFiles:
		files := newCertFiles(c.CertFile, c.KeyFile)
		tlsConfig.GetClientCertificate = files.certificate
		return files, nil
	case config.HasCertAuth():
		cert, err := tls.X509KeyPair(c.CertData, c.KeyData)
		if err != nil {
			return nil, err
		}
		tlsConfig.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			return &cert, nil
		}
	case config.HasCertCallback():
		get := c.GetCertHolder.GetCert
		tlsConfig.GetClientCertificate = func(info *tls.CertificateRequestInfo) (*tls.Certificate, error) {
			cert, err := during(info, get)
			if cert == nil && err == nil {
				cert = &tls.Certificate{} // crypto/tls requires an empty one for none
			}
			return cert, err
		}
	}
	return nil, nil
}

// handshakeTimeout is how long a handshake may take, as in net/http's default transport.
const handshakeTimeout = 10 * time.Second

// during calls get, which may wait for a program or a user, and gives up when the handshake does: when its context
// ends, or after handshakeTimeout, of which net/http does not tell it.
func during(info *tls.CertificateRequestInfo, get func() (*tls.Certificate, error)) (*tls.Certificate, error) {
	ctx := context.Background()
	if info != nil && info.Context() != nil {
		ctx = info.Context()
	}
	ctx, cancel := context.WithTimeout(ctx, handshakeTimeout)
	defer cancel()
	type result struct {
		cert *tls.Certificate
		err  error
	}
	got := make(chan result, 1)
	go func() {
		cert, err := get()
		got <- result{cert, err}
	}()
	select {
	case r := <-got:
		return r.cert, r.err
	case <-ctx.Done():
		return nil, fmt.Errorf("waiting for the client's certificate: %w", context.Cause(ctx))
	}
}

// loadTLSFiles sets the data of c from its files if the data is empty, and the Reload fields if there are only
// files.
func loadTLSFiles(c *TLSConfig) error {
	if c.CAFile != "" && len(c.CAData) == 0 {
		c.ReloadCAFiles = true
	}
	if c.CertFile != "" && len(c.CertData) == 0 && c.KeyFile != "" && len(c.KeyData) == 0 {
		c.ReloadTLSFiles = true
	}
	return pemfile.Load(
		pemfile.Source{Data: &c.CAData, File: c.CAFile},
		pemfile.Source{Data: &c.CertData, File: c.CertFile},
		pemfile.Source{Data: &c.KeyData, File: c.KeyFile},
	)
}

// rootCertPool returns the certificates in data, which is PEM. If data is empty it returns an empty pool, which
// trusts nobody: an accidentally empty file must not make a client trust the system's roots.
func rootCertPool(data []byte) (*x509.CertPool, error) {
	pool := x509.NewCertPool()
	if len(data) > 0 && !pool.AppendCertsFromPEM(data) {
		return nil, noCertificate(data)
	}
	return pool, nil
}

// noCertificate returns the reason why data contains no certificate.
func noCertificate(data []byte) error {
	block, rest := pem.Decode(data)
	if block == nil {
		return errors.New("unable to parse bytes as PEM block")
	}
	for ; block != nil; block, rest = pem.Decode(rest) {
		if block.Type != "CERTIFICATE" || len(block.Headers) > 0 {
			continue
		}
		if _, err := x509.ParseCertificate(block.Bytes); err != nil {
			return fmt.Errorf("failed to parse certificate: %w", err)
		}
	}
	return errors.New("no valid certificate authority data seen")
}
