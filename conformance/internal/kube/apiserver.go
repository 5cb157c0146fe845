package kube

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"

	"k8s.io/client-go/util/cert"
)

const (
	adminName  = "admin"
	readerName = "reader"
)

// credentials authenticate the server and its clients to each other.
type credentials struct {
	// authorities are the certificates, in PEM, that clients trust.
	authorities []byte
	// adminToken and readerToken are the users' bearer tokens.
	adminToken, readerToken string
}

// newCredentials creates credentials, and writes the files that kube-apiserver reads to dir.
func newCredentials(dir string) (credentials, error) {
	certificates, key, err := cert.GenerateSelfSignedCertKey("localhost", []net.IP{net.IPv4(127, 0, 0, 1)}, nil)
	if err != nil {
		return credentials{}, fmt.Errorf("make a certificate: %w", err)
	}
	c := credentials{authorities: certificates, adminToken: rand.Text(), readerToken: rand.Text()}
	tokens := fmt.Sprintf("%s,%s,%[2]s,system:masters\n%s,%s,%[4]s\n", c.adminToken, adminName, c.readerToken, readerName)
	return c, errors.Join(
		os.WriteFile(certFile(dir), certificates, 0o600),
		os.WriteFile(keyFile(dir), key, 0o600),
		os.WriteFile(tokenFile(dir), []byte(tokens), 0o600),
	)
}

func certFile(dir string) string  { return filepath.Join(dir, "apiserver.crt") }
func keyFile(dir string) string   { return filepath.Join(dir, "apiserver.key") }
func tokenFile(dir string) string { return filepath.Join(dir, "tokens.csv") }

// apiServerFlags returns the flags of a kube-apiserver on the port, with its files and etcd's
// socket in dir, and others, which may enable a plugin that is disabled otherwise.
func apiServerFlags(dir string, port int, others []string) []string {
	flags := []string{
		"--etcd-servers=unix://" + etcdSocket(dir),
		"--bind-address=127.0.0.1", "--advertise-address=127.0.0.1",
		fmt.Sprintf("--secure-port=%d", port), "--permit-port-sharing",
		// The server's address must not be published.
		"--endpoint-reconciler-type=none",
		"--service-cluster-ip-range=10.0.0.0/24",

		"--cert-dir=" + dir,
		"--tls-cert-file=" + certFile(dir), "--tls-private-key-file=" + keyFile(dir),
		// Tokens of service accounts are signed with the same key.
		"--service-account-issuer=https://kubernetes.default.svc.cluster.local",
		"--service-account-key-file=" + keyFile(dir), "--service-account-signing-key-file=" + keyFile(dir),
		"--token-auth-file=" + tokenFile(dir), "--authorization-mode=RBAC",
		// Without it, an open watch delays the server's shutdown by a minute.
		"--shutdown-watch-termination-grace-period=5s",
	}
	if !slices.Contains(others, "--enable-admission-plugins=ServiceAccount") {
		// No controller creates the service accounts that pods would need.
		flags = append(flags, "--disable-admission-plugins=ServiceAccount")
	}
	return append(flags, others...)
}

// apiServerReady returns a probe for a kube-apiserver that serves at url and has the initial
// objects of every cluster.
func apiServerReady(client *http.Client, url string) func(context.Context) error {
	return func(ctx context.Context) error {
		for _, path := range []string{"/readyz", "/api/v1/namespaces/default"} {
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+path, nil)
			if err != nil {
				return err
			}
			if err = expectOK(client, req); err != nil {
				return err
			}
		}
		return nil
	}
}
