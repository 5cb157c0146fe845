package token

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"math/big"
	"sync"
)

// algorithm is the one of signatures, and keyBits the size of their key.
const (
	algorithm = "RS256"
	keyBits   = 2048
)

// key signs tokens.
type key struct {
	id      string // a hash of the public key, as the real server names keys
	private *rsa.PrivateKey
}

// signer is the key of all tokens in a process. It is created for the first one, which takes a tenth of a second.
var signer = sync.OnceValues(func() (*key, error) {
	private, err := rsa.GenerateKey(rand.Reader, keyBits)
	if err != nil {
		return nil, fmt.Errorf("create a key: %w", err)
	}
	public, err := x509.MarshalPKIXPublicKey(&private.PublicKey)
	if err != nil {
		return nil, fmt.Errorf("name a key: %w", err)
	}
	hash := sha256.Sum256(public)
	return &key{encode(hash[:]), private}, nil
})

// jwk describes the public key, as RFC 7517 says.
func (k *key) jwk() map[string]string {
	return map[string]string{
		"use": "sig", "kty": "RSA", "kid": k.id, "alg": algorithm,
		"n": encode(k.private.N.Bytes()), "e": encode(big.NewInt(int64(k.private.E)).Bytes()),
	}
}

func encode(data []byte) string { return base64.RawURLEncoding.EncodeToString(data) }
