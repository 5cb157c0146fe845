package execplugin

import (
	"bytes"
	"crypto/tls"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/json"

	"github.com/listwatch/listwatch/runtime/internal/secret"
)

const (
	kind    = "ExecCredential"
	v1      = "client.authentication.k8s.io/v1"
	v1beta1 = "client.authentication.k8s.io/v1beta1"
)

// Cluster is the description of the server for a program.
type Cluster struct {
	Server                   string         `json:"server"`
	TLSServerName            string         `json:"tls-server-name,omitempty"`
	InsecureSkipTLSVerify    bool           `json:"insecure-skip-tls-verify,omitempty"`
	CertificateAuthorityData []byte         `json:"certificate-authority-data,omitempty"`
	ProxyURL                 string         `json:"proxy-url,omitempty"`
	DisableCompression       bool           `json:"disable-compression,omitempty"`
	Config                   runtime.Object `json:"config"`
}

// request is the ExecCredential that a program receives. The order of the fields is client-go's.
type request struct {
	Kind       string      `json:"kind"`
	APIVersion string      `json:"apiVersion"`
	Spec       requestSpec `json:"spec"`
}

type requestSpec struct {
	Cluster     *Cluster `json:"cluster,omitempty"`
	Interactive bool     `json:"interactive"`
}

// encodeRequest returns the ExecCredential for a program.
func encodeRequest(version string, cluster *Cluster, interactive bool) (string, error) {
	data, err := stdjson.Marshal(request{Kind: kind, APIVersion: version, Spec: requestSpec{Cluster: cluster, Interactive: interactive}})
	if err != nil {
		return "", errors.New("encoding the cluster's configuration failed")
	}
	return string(data) + "\n", nil
}

// answer is the ExecCredential that a program prints. Its texts are secret and stay in this file.
type answer struct {
	Kind       string `json:"kind"`
	APIVersion string `json:"apiVersion"`
	Status     *struct {
		ExpirationTimestamp   *string `json:"expirationTimestamp"`
		Token                 string  `json:"token"`
		ClientCertificateData string  `json:"clientCertificateData"`
		ClientKeyData         string  `json:"clientKeyData"`
	} `json:"status"`
}

// credentials are the result of a program.
type credentials struct {
	token   secret.String
	cert    secret.Value[*tls.Certificate] // zero: none
	expires time.Time                      // zero: never
}

func (c *credentials) expired(now time.Time) bool {
	return !c.expires.IsZero() && now.After(c.expires)
}

// sameCertificate reports whether c and other have the same certificate and key, or none.
func (c *credentials) sameCertificate(other *credentials) bool {
	a, b := c.cert.Reveal(), other.cert.Reveal()
	if a == nil || b == nil {
		return a == b
	}
	if len(a.Certificate) != len(b.Certificate) {
		return false
	}
	for i := range a.Certificate {
		if !bytes.Equal(a.Certificate[i], b.Certificate[i]) {
			return false
		}
	}
	return true
}

// decodeAnswer decodes the output of a program, which must be of the requested version. Errors do not quote the
// output.
func decodeAnswer(data []byte, version string) (*credentials, error) {
	var a answer
	if err := json.UnmarshalCaseSensitivePreserveInts(data, &a); err != nil {
		return nil, errors.New("decoding stdout: output is not the JSON of an ExecCredential")
	}
	switch {
	case a.Kind != kind:
		return nil, fmt.Errorf("decoding stdout: kind is not %s", kind)
	case a.APIVersion == otherVersion(version):
		return nil, fmt.Errorf("exec plugin is configured to use API version %s, plugin returned version %s", version, a.APIVersion)
	case a.APIVersion != version:
		return nil, fmt.Errorf("exec plugin is configured to use API version %s, plugin returned another version", version)
	case a.Status == nil:
		return nil, errors.New("exec plugin didn't return a status field")
	case a.Status.Token == "" && a.Status.ClientCertificateData == "" && a.Status.ClientKeyData == "":
		return nil, errors.New("exec plugin didn't return a token or cert/key pair")
	case (a.Status.ClientCertificateData == "") != (a.Status.ClientKeyData == ""):
		return nil, errors.New("exec plugin returned only certificate or key, not both")
	}
	c := &credentials{token: secret.New(a.Status.Token)}
	if t := a.Status.ExpirationTimestamp; t != nil {
		expires, err := time.Parse(time.RFC3339, *t)
		if err != nil {
			return nil, errors.New("decoding stdout: the expiration timestamp is not in RFC 3339")
		}
		c.expires = expires
	}
	if a.Status.ClientKeyData != "" {
		cert, err := tls.X509KeyPair([]byte(a.Status.ClientCertificateData), []byte(a.Status.ClientKeyData))
		if err != nil {
			return nil, errors.New("failed parsing client key/certificate")
		}
		c.cert = secret.Of(&cert)
	}
	return c, nil
}

func otherVersion(version string) string {
	if version == v1 {
		return v1beta1
	}
	return v1
}
