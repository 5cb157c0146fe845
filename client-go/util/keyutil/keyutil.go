// Package keyutil reads and writes private and public keys of RSA and ECDSA as PEM.
package keyutil

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Types of PEM blocks.
const (
	// ECPrivateKeyBlockType is the type of an ECDSA key in the form of SEC 1.
	ECPrivateKeyBlockType = "EC PRIVATE KEY"
	// RSAPrivateKeyBlockType is the type of an RSA key in the form of PKCS #1.
	RSAPrivateKeyBlockType = "RSA PRIVATE KEY"
	// PrivateKeyBlockType is the type of a private key in the form of PKCS #8.
	PrivateKeyBlockType = "PRIVATE KEY"
	// PublicKeyBlockType is the type of a public key in the form of PKIX.
	PublicKeyBlockType = "PUBLIC KEY"
)

// MakeEllipticPrivateKeyPEM returns a new ECDSA key on the curve P-256.
func MakeEllipticPrivateKeyPEM() ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	return MarshalPrivateKeyToPEM(key)
}

// WriteKey writes a key to a file of mode 0600, which is overwritten if it exists. Directories are created as
// needed, with mode 0755.
func WriteKey(keyPath string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(keyPath), 0o755); err != nil {
		return err
	}
	return os.WriteFile(keyPath, data, 0o600)
}

// LoadOrGenerateKeyFile returns the content of a file with a private key. If the file does not exist, or contains no
// key, a new one is written to it.
func LoadOrGenerateKeyFile(keyPath string) (data []byte, wasGenerated bool, err error) {
	data, err = os.ReadFile(keyPath)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, false, fmt.Errorf("error loading key from %s: %w", keyPath, err)
	}
	if _, invalid := ParsePrivateKeyPEM(data); err == nil && invalid == nil {
		return data, false, nil
	}
	if data, err = MakeEllipticPrivateKeyPEM(); err != nil {
		return nil, false, fmt.Errorf("error generating key: %w", err)
	}
	if err := WriteKey(keyPath, data); err != nil {
		return nil, false, fmt.Errorf("error writing key to %s: %w", keyPath, err)
	}
	return data, true, nil
}

// MarshalPrivateKeyToPEM returns a key of type *[rsa.PrivateKey] or *[ecdsa.PrivateKey] as a PEM block.
func MarshalPrivateKeyToPEM(privateKey crypto.PrivateKey) ([]byte, error) {
	switch key := privateKey.(type) {
	case *ecdsa.PrivateKey:
		der, err := x509.MarshalECPrivateKey(key)
		if err != nil {
			return nil, err
		}
		return pem.EncodeToMemory(&pem.Block{Type: ECPrivateKeyBlockType, Bytes: der}), nil
	case *rsa.PrivateKey:
		return pem.EncodeToMemory(&pem.Block{Type: RSAPrivateKeyBlockType, Bytes: x509.MarshalPKCS1PrivateKey(key)}), nil
	default:
		return nil, fmt.Errorf("private key is not a recognized type: %T", privateKey)
	}
}

// PrivateKeyFromFile is [ParsePrivateKeyPEM] of a file.
func PrivateKeyFromFile(file string) (any, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	key, err := ParsePrivateKeyPEM(data)
	if err != nil {
		return nil, fmt.Errorf("error reading private key file %s: %w", file, err)
	}
	return key, nil
}

// PublicKeysFromFile is [ParsePublicKeysPEM] of a file.
func PublicKeysFromFile(file string) ([]any, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	keys, err := ParsePublicKeysPEM(data)
	if err != nil {
		return nil, fmt.Errorf("error reading public key file %s: %w", file, err)
	}
	return keys, nil
}

// ParsePrivateKeyPEM returns the first private key in PEM blocks, of type *[rsa.PrivateKey], *[ecdsa.PrivateKey], or
// another that PKCS #8 allows. Blocks of other types, and those that cannot be parsed, are skipped.
func ParsePrivateKeyPEM(keyData []byte) (any, error) {
	for block, rest := pem.Decode(keyData); block != nil; block, rest = pem.Decode(rest) {
		var key any
		var err error
		switch block.Type {
		case ECPrivateKeyBlockType:
			key, err = x509.ParseECPrivateKey(block.Bytes)
		case RSAPrivateKeyBlockType:
			key, err = x509.ParsePKCS1PrivateKey(block.Bytes)
		case PrivateKeyBlockType:
			key, err = x509.ParsePKCS8PrivateKey(block.Bytes)
		default:
			continue
		}
		if err == nil {
			return key, nil
		}
	}
	return nil, errors.New("data does not contain a valid RSA or ECDSA private key")
}

// ParsePublicKeysPEM returns the public keys in PEM blocks, of type *[rsa.PublicKey] or *[ecdsa.PublicKey]: public
// keys, and those of private keys and certificates. Blocks that contain neither are skipped.
func ParsePublicKeysPEM(keyData []byte) ([]any, error) {
	var keys []any
	for block, rest := pem.Decode(keyData); block != nil; block, rest = pem.Decode(rest) {
		if key := publicKey(block.Bytes); key != nil {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 {
		return nil, errors.New("data does not contain any valid RSA or ECDSA public keys")
	}
	return keys, nil
}

// publicKey returns the public key in the content of a block, nil if there is none. The type of the block does not
// matter.
func publicKey(der []byte) any {
	if key, err := x509.ParsePKCS1PrivateKey(der); err == nil {
		return &key.PublicKey
	}
	if key, err := x509.ParseECPrivateKey(der); err == nil {
		return &key.PublicKey
	}
	key, err := x509.ParsePKIXPublicKey(der)
	if err != nil {
		certificate, err := x509.ParseCertificate(der)
		if err != nil {
			return nil
		}
		key = certificate.PublicKey
	}
	switch key.(type) {
	case *rsa.PublicKey, *ecdsa.PublicKey:
		return key
	}
	return nil
}
