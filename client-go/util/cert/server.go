package cert

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/url"
)

// GetClientCANames returns the names of the authorities whose client certificates a server accepts, as DER. apiHost
// is "host:port". The server's own certificate is not verified.
func GetClientCANames(apiHost string) ([]string, error) {
	names := []string{}
	_, err := connect(apiHost, &tls.Config{
		InsecureSkipVerify: true, //nolint:gosec // nothing is sent
		GetClientCertificate: func(request *tls.CertificateRequestInfo) (*tls.Certificate, error) {
			names = names[:0]
			for _, ca := range request.AcceptableCAs {
				names = append(names, string(ca))
			}
			return &tls.Certificate{}, nil
		},
	})
	if err != nil {
		return nil, err
	}
	return names, nil
}

// GetClientCANamesForURL is [GetClientCANames] of the server in a URL.
func GetClientCANamesForURL(kubeConfigURL string) ([]string, error) {
	u, err := url.Parse(kubeConfigURL)
	if err != nil {
		return nil, err
	}
	return GetClientCANames(u.Host)
}

// GetServingCertificates returns the certificates that a server presents, parsed and each as PEM, without verifying
// them. apiHost is "host:port"; serverName, if set, is the name to ask for.
func GetServingCertificates(apiHost, serverName string) ([]*x509.Certificate, [][]byte, error) {
	state, err := connect(apiHost, &tls.Config{
		InsecureSkipVerify: true, //nolint:gosec // nothing is sent
		ServerName:         serverName,
	})
	if err != nil {
		return nil, nil, err
	}
	texts := [][]byte{}
	for _, c := range state.PeerCertificates {
		text, err := EncodeCertificates(c)
		if err != nil {
			return nil, nil, err
		}
		texts = append(texts, bytes.TrimSpace(text))
	}
	return state.PeerCertificates, texts, nil
}

// GetServingCertificatesForURL is [GetServingCertificates] of the server in a URL.
func GetServingCertificatesForURL(kubeConfigURL, serverName string) ([]*x509.Certificate, [][]byte, error) {
	u, err := url.Parse(kubeConfigURL)
	if err != nil {
		return nil, nil, err
	}
	return GetServingCertificates(u.Host, serverName)
}

// connect shakes hands with a server and closes the connection.
func connect(host string, config *tls.Config) (tls.ConnectionState, error) {
	conn, err := tls.Dial("tcp", host, config)
	if err != nil {
		return tls.ConnectionState{}, err
	}
	if err := conn.Close(); err != nil {
		return tls.ConnectionState{}, fmt.Errorf("failed to close connection: %w", err)
	}
	return conn.ConnectionState(), nil
}
