package authority

import (
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"testing"
	"testing/synctest"
	"time"
)

// TestBubble makes the authority in a bubble, whose clock is decades behind, and verifies certificates in and outside of it.
func TestBubble(t *testing.T) {
	now := time.Now()
	synctest.Test(t, func(t *testing.T) {
		a, err := create()
		if err != nil {
			t.Fatal(err)
		}
		signed, err := a.Sign(pkix.Name{CommonName: "apitest"}, x509.ExtKeyUsageServerAuth, "localhost")
		if err != nil {
			t.Fatal(err)
		}
		block, _ := pem.Decode(signed.Cert)
		leaf, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		roots := x509.NewCertPool()
		roots.AddCert(a.Certificate)
		for _, at := range []time.Time{now, time.Now()} {
			if _, err := leaf.Verify(x509.VerifyOptions{DNSName: "localhost", Roots: roots, CurrentTime: at}); err != nil {
				t.Errorf("at %s: %v", at, err)
			}
		}
	})
}
