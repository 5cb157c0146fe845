package keyutil_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/keyutil"
)

// keys are generated once.
var keys = sync.OnceValue(func() (k struct {
	rsa     *rsa.PrivateKey
	ec      *ecdsa.PrivateKey
	ed25519 ed25519.PrivateKey
}) {
	k.rsa, _ = rsa.GenerateKey(rand.Reader, 2048)
	k.ec, _ = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	_, k.ed25519, _ = ed25519.GenerateKey(rand.Reader)
	return k
})

func block(kind string, der []byte, err error) string {
	if err != nil {
		panic(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

// pems are PEM blocks of all kinds, by what they contain.
func pems() map[string]string {
	k := keys()
	ecDER, ecErr := x509.MarshalECPrivateKey(k.ec)
	pkcs8, pkcs8Err := x509.MarshalPKCS8PrivateKey(k.rsa)
	edDER, edErr := x509.MarshalPKCS8PrivateKey(k.ed25519)
	rsaPublic, rsaErr := x509.MarshalPKIXPublicKey(&k.rsa.PublicKey)
	ecPublic, ecPublicErr := x509.MarshalPKIXPublicKey(&k.ec.PublicKey)
	edPublic, edPublicErr := x509.MarshalPKIXPublicKey(k.ed25519.Public())
	ca, caErr := cert.NewSelfSignedCACert(cert.Config{CommonName: "ca"}, k.rsa)
	if caErr != nil {
		panic(caErr)
	}
	return map[string]string{
		"rsa":            block("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(k.rsa), nil),
		"ec":             block("EC PRIVATE KEY", ecDER, ecErr),
		"pkcs8":          block("PRIVATE KEY", pkcs8, pkcs8Err),
		"ed25519":        block("PRIVATE KEY", edDER, edErr),
		"rsa public":     block("PUBLIC KEY", rsaPublic, rsaErr),
		"ec public":      block("PUBLIC KEY", ecPublic, ecPublicErr),
		"ed25519 public": block("PUBLIC KEY", edPublic, edPublicErr),
		"certificate":    block("CERTIFICATE", ca.Raw, nil),
		"params":         block("EC PARAMETERS", []byte{6, 8, 42, 134, 72, 206, 61, 3, 1, 7}, nil),
		"broken":         block("EC PRIVATE KEY", []byte("no key"), nil),
		"text":           "no PEM\n",
	}
}

func TestParsePrivateKeyPEM(t *testing.T) {
	k, all := keys(), pems()
	for _, tt := range []struct {
		name   string
		blocks []string
		want   interface{ Equal(crypto.PrivateKey) bool } // nil for an error
	}{
		{"RSA", []string{"rsa"}, k.rsa},
		{"ECDSA", []string{"ec"}, k.ec},
		{"PKCS 8", []string{"pkcs8"}, k.rsa},
		{"Ed25519", []string{"ed25519"}, k.ed25519},
		{"parameters first", []string{"params", "ec"}, k.ec},
		{"the first of two", []string{"ec", "rsa"}, k.ec},
		{"after what cannot be parsed", []string{"text", "broken", "rsa public", "rsa"}, k.rsa},
		{"public key", []string{"rsa public"}, nil},
		{"broken", []string{"broken"}, nil},
		{"nothing", nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := keyutil.ParsePrivateKeyPEM(join(all, tt.blocks))
			switch {
			case tt.want == nil && err == nil:
				t.Errorf("parsed a %T", got)
			case tt.want != nil && (err != nil || !tt.want.Equal(got)):
				t.Errorf("parsed a %T, %v", got, err)
			}
		})
	}
}

func join(all map[string]string, names []string) []byte {
	var b strings.Builder
	for _, name := range names {
		b.WriteString(all[name])
	}
	return []byte(b.String())
}

func TestParsePublicKeysPEM(t *testing.T) {
	k, all := keys(), pems()
	type public interface{ Equal(crypto.PublicKey) bool }
	for _, tt := range []struct {
		name   string
		blocks []string
		want   []public // empty for an error
	}{
		{"public keys", []string{"rsa public", "ec public"}, []public{&k.rsa.PublicKey, &k.ec.PublicKey}},
		{"of private keys", []string{"ec", "rsa"}, []public{&k.ec.PublicKey, &k.rsa.PublicKey}},
		{"of a certificate", []string{"certificate"}, []public{&k.rsa.PublicKey}},
		{"among others", []string{"broken", "text", "params", "ed25519 public", "ec public"}, []public{&k.ec.PublicKey}},
		{"only of another kind", []string{"ed25519 public"}, nil},
		{"nothing", nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := keyutil.ParsePublicKeysPEM(join(all, tt.blocks))
			if (err != nil) != (len(tt.want) == 0) || len(got) != len(tt.want) {
				t.Fatalf("parsed %v, %v", got, err)
			}
			for i, want := range tt.want {
				if !want.Equal(got[i]) {
					t.Errorf("key %d is %v", i, got[i])
				}
			}
		})
	}
}

func TestMarshalPrivateKeyToPEM(t *testing.T) {
	k, all := keys(), pems()
	for name, key := range map[string]crypto.PrivateKey{"rsa": k.rsa, "ec": k.ec} {
		if got, err := keyutil.MarshalPrivateKeyToPEM(key); err != nil || string(got) != all[name] {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
	if got, err := keyutil.MarshalPrivateKeyToPEM(k.ed25519); err == nil {
		t.Errorf("Ed25519: %s", got)
	}
}

func TestFiles(t *testing.T) {
	all, dir := pems(), t.TempDir()
	path := filepath.Join(dir, "new", "key.pem")
	if err := keyutil.WriteKey(path, []byte(all["ec"])); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info, err)
	}
	if key, err := keyutil.PrivateKeyFromFile(path); err != nil || !keys().ec.Equal(key) {
		t.Errorf("private key %v, %v", key, err)
	}
	if public, err := keyutil.PublicKeysFromFile(path); err != nil || len(public) != 1 {
		t.Errorf("public keys %v, %v", public, err)
	}
	missing, invalid := filepath.Join(dir, "missing"), filepath.Join(dir, "invalid")
	if err := os.WriteFile(invalid, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{missing, invalid} {
		if _, err := keyutil.PrivateKeyFromFile(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("private key: %v", err)
		}
		if _, err := keyutil.PublicKeysFromFile(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("public keys: %v", err)
		}
	}
}

func TestLoadOrGenerateKeyFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "key")
	first, generated, err := keyutil.LoadOrGenerateKeyFile(path)
	if err != nil || !generated {
		t.Fatalf("missing file: %t, %v", generated, err)
	}
	again, generated, err := keyutil.LoadOrGenerateKeyFile(path)
	if err != nil || generated || !slices.Equal(first, again) {
		t.Errorf("existing file: %t, %v", generated, err)
	}
	if err = os.WriteFile(path, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	data, generated, err := keyutil.LoadOrGenerateKeyFile(path)
	if err != nil || !generated {
		t.Errorf("invalid file: %t, %v", generated, err)
	}
	if _, err := keyutil.ParsePrivateKeyPEM(data); err != nil {
		t.Error(err)
	}
	if _, _, err := keyutil.LoadOrGenerateKeyFile(dir); err == nil {
		t.Error("a directory is no error")
	}
}

// What is parsed can be written and parsed again.
func FuzzParsePrivateKeyPEM(f *testing.F) {
	for _, text := range pems() {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _ = keyutil.ParsePublicKeysPEM(data)
		key, err := keyutil.ParsePrivateKeyPEM(data)
		if err != nil {
			return
		}
		text, err := keyutil.MarshalPrivateKeyToPEM(key)
		if err != nil {
			return // of a kind that cannot be written
		}
		again, err := keyutil.ParsePrivateKeyPEM(text)
		if err != nil || !key.(interface{ Equal(crypto.PrivateKey) bool }).Equal(again) {
			t.Errorf("%v", err)
		}
	})
}
