// Package kubeconfigtest reads the cases of runtime/clientcmd/testdata/cases, for the tests of the loader and for
// those that compare it with client-go's.
//
// A case is an archive of files, which are written to a directory that becomes the working directory. $DIR in
// them is this directory; $CAPEM, $CERTPEM and $KEYPEM are a root certificate, a client certificate and its key, and
// $CA64, $CERT64 and $KEY64 the same in base64. The secret in all of them is Secret.
//
// Before the files are lines with options:
//
//	explicit         the explicit path
//	kubeconfig       the files in the environment variable KUBECONFIG
//	flags            flags for overrides
//	default-server   ConfigOverrides.ClusterDefaults.Server
//	legacy-defaults  true: the loading rules and overrides have the deprecated defaults of the package
//	keep-paths       true: the loading rules do not resolve paths
//	pod              true: the environment is that of a pod; see TestPod of conformance/runtime/kubeconfig
//	modify           a modification of the files: a command and its arguments
//	differs          aspects in which the two libraries differ, a colon, and the reason
package kubeconfigtest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"
)

// Secret is part of every credential in the cases.
const Secret = "s3cr3t"

// Case is a case.
type Case struct {
	Name    string
	Options map[string]string
	Files   []txtar.File
}

// Read returns the cases in a directory.
func Read(t testing.TB, dir string) []Case {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []Case
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c := Case{Name: strings.TrimSuffix(filepath.Base(path), ".txtar"), Options: map[string]string{}, Files: archive.Files}
		for _, line := range strings.Split(strings.TrimSpace(string(archive.Comment)), "\n") {
			key, value, ok := strings.Cut(line, ":")
			switch {
			case line == "" || strings.HasPrefix(line, "#"):
			case !ok:
				t.Fatalf("%s: not an option: %s", path, line)
			default:
				c.Options[key] = strings.TrimSpace(value)
			}
		}
		cases = append(cases, c)
	}
	return cases
}

// Enter writes the files of c to an empty directory, makes it the working directory, and sets the environment.
func (c Case) Enter(t testing.TB, dir string) {
	t.Helper()
	for _, file := range c.Files {
		path := filepath.Join(dir, filepath.FromSlash(file.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(Expand(string(file.Data), dir)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	host := ""
	if c.Options["pod"] != "" {
		host = "10.0.0.1"
	}
	t.Setenv("KUBERNETES_SERVICE_HOST", host)
	t.Setenv("KUBERNETES_SERVICE_PORT", "443")
	for _, variable := range []string{"KUBERNETES_MASTER", "POD_NAMESPACE", "HTTP_PROXY", "HTTPS_PROXY"} {
		t.Setenv(variable, "")
	}
	t.Setenv("KUBECONFIG", strings.ReplaceAll(c.Options["kubeconfig"], " ", string(filepath.ListSeparator)))
}

// Flags returns the flags of c.
func (c Case) Flags() []string { return strings.Fields(c.Options["flags"]) }

// Expand replaces $DIR and the certificates in text.
func Expand(text, dir string) string {
	pairs := []string{"$DIR", dir}
	for name, data := range certificates() {
		pairs = append(pairs, "$"+name+"PEM", string(data), "$"+name+"64", base64.StdEncoding.EncodeToString(data))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// certificates are a root, a client certificate, and its key, the same ones in all cases.
var certificates = sync.OnceValue(func() map[string][]byte {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, IsCA: true, BasicConstraintsValid: true}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		panic(err)
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		panic(err)
	}
	certPEM := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert})
	return map[string][]byte{
		"CA": certPEM, "CERT": certPEM, "KEY": pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}),
	}
})
