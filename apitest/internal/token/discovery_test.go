package token_test

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/listwatch/listwatch/apitest/internal/clock"
	"github.com/listwatch/listwatch/apitest/internal/token"
)

// TestDiscovery verifies a token as a program does that knows only the address of the server.
func TestDiscovery(t *testing.T) {
	handler := token.Discovery("example.com:443")
	get := func(path string, into any) {
		t.Helper()
		response := httptest.NewRecorder()
		handler.ServeHTTP(response, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		if err := json.Unmarshal(response.Body.Bytes(), into); err != nil {
			t.Fatalf("GET %s: %d %s", path, response.Code, response.Body)
		}
	}
	var configuration struct {
		Issuer string
		Keys   string `json:"jwks_uri"`
	}
	get(token.ConfigurationPath, &configuration)
	path, ok := strings.CutPrefix(configuration.Keys, "https://example.com:443")
	if configuration.Issuer != token.Server || !ok {
		t.Fatalf("got issuer %q with keys at %q", configuration.Issuer, configuration.Keys)
	}
	var set struct {
		Keys []struct{ Kid, Alg, N, E string }
	}
	get(path, &set)
	jwt, err := token.NewIssuer(clock.New()).Issue(token.Token{Namespace: "a", Account: "b", Expires: time.Now().Add(time.Hour)})
	if err != nil || len(set.Keys) != 1 {
		t.Fatalf("got error %v and keys %v", err, set.Keys)
	}
	decode := func(text string) []byte {
		data, wrong := base64.RawURLEncoding.DecodeString(text)
		if wrong != nil {
			t.Fatal(wrong)
		}
		return data
	}
	parts := strings.Split(jwt, ".")
	var header struct{ Kid, Alg string }
	if err = json.Unmarshal(decode(parts[0]), &header); err != nil {
		t.Fatal(err)
	}
	key := set.Keys[0]
	if header.Kid != key.Kid || header.Alg != key.Alg || key.Alg != "RS256" {
		t.Errorf("token has header %v, key is %v", header, key)
	}
	public := &rsa.PublicKey{N: new(big.Int).SetBytes(decode(key.N)), E: int(new(big.Int).SetBytes(decode(key.E)).Int64())}
	digest := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if err = rsa.VerifyPKCS1v15(public, crypto.SHA256, digest[:], decode(parts[2])); err != nil {
		t.Error(err)
	}
	digest[0]++
	if rsa.VerifyPKCS1v15(public, crypto.SHA256, digest[:], decode(parts[2])) == nil {
		t.Error("the signature is valid for another token")
	}
}
