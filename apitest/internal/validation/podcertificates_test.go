package validation

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestIssued checks what the recorded cases cannot have: certificates that are issued now.
func TestIssued(t *testing.T) {
	key := newKey(t)
	request, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{}, key)
	if err != nil {
		t.Fatal(err)
	}
	const day = 24 * time.Hour
	type issue struct {
		from          time.Duration // of the certificate, from now
		lifetime      time.Duration
		refresh       time.Duration // from its beginning
		later         time.Duration // the end in the status, after that of the certificate
		key           *ecdsa.PrivateKey
		intermediates int
		extra         string // in the chain
		conditions    []metav1.Condition
	}
	for _, test := range []struct {
		name   string
		change func(*issue)
		want   string // a part of the error; none without
	}{
		{"issued", func(*issue) {}, ""},
		{"with intermediates", func(i *issue) { i.intermediates = 2 }, ""},
		{"a year", func(i *issue) { i.lifetime = 365 * day },
			`status.certificateChain: Invalid value: 31536000000000000: leaf certificate lifetime must be <= spec.maxExpirationSeconds (86400)`},
		{"a minute", func(i *issue) { i.lifetime = time.Minute }, `status.certificateChain: Invalid value: 60000000000: leaf certificate lifetime must be >= 1 hour`},
		{"four minutes ago", func(i *issue) { i.from = -4 * time.Minute }, ""},
		{"in five minutes", func(i *issue) { i.from = 5 * time.Minute },
			`status.notBefore: Invalid value: "2000-01-01T00:05:00Z": must be set to within 5 minutes of kube-apiserver's current time`},
		{"five minutes ago", func(i *issue) { i.from = -5 * time.Minute }, "must be set to within 5 minutes"},
		{"another end", func(i *issue) { i.later = time.Second }, "must be set to the NotAfter time encoded in the leaf certificate"},
		{"refreshed at once", func(i *issue) { i.refresh = time.Minute },
			`status.beginRefreshAt: Invalid value: "2000-01-01T00:01:00Z": must be at least 10 minutes after status.notBefore`},
		{"refreshed late", func(i *issue) { i.refresh = day - time.Minute }, "must be at least 10 minutes before status.notAfter"},
		{"another key", func(i *issue) { i.key = newKey(t) }, "leaf certificate was not issued to the requested public key"},
		{"something else in the chain", func(i *issue) { i.extra = "-----BEGIN A-----\nYQ==\n-----END A-----\n" },
			"issued certificate chain must consist entirely of CERTFICATE PEM blocks"},
		{"no certificate in the chain", func(i *issue) { i.extra = "-----BEGIN CERTIFICATE-----\nYQ==\n-----END CERTIFICATE-----\n" },
			"intermediate certificate does not parse as valid X.509"},
		{"no condition", func(i *issue) { i.conditions = nil }, `status is immutable unless transitioning to "Issued", "Denied", or "Failed"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				now := metav1.Now()
				i := issue{lifetime: day, refresh: day / 2, key: key, conditions: []metav1.Condition{{Type: "Issued", Status: "True", Reason: "X", LastTransitionTime: now}}}
				test.change(&i)
				from := now.UTC().Add(i.from)
				was := &certificatesv1.PodCertificateRequest{Spec: certificatesv1.PodCertificateRequestSpec{MaxExpirationSeconds: new(int32(86400)), StubPKCS10Request: request}}
				r := was.DeepCopy()
				r.Status = certificatesv1.PodCertificateRequestStatus{
					Conditions:       i.conditions,
					CertificateChain: certificateOf(t, &i.key.PublicKey, from, i.lifetime),
					NotBefore:        &metav1.Time{Time: from},
					NotAfter:         &metav1.Time{Time: from.Add(i.lifetime + i.later)},
					BeginRefreshAt:   &metav1.Time{Time: from.Add(i.refresh)},
				}
				for range i.intermediates {
					r.Status.CertificateChain += certificateOf(t, &newKey(t).PublicKey, from, time.Hour)
				}
				r.Status.CertificateChain += i.extra
				got := ""
				if err := UpdateStatus(r, was, "status").ToAggregate(); err != nil {
					got = err.Error()
				}
				if !strings.Contains(got, test.want) || test.want == "" && got != "" {
					t.Errorf("got %q, want %q", got, test.want)
				}
			})
		})
	}
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// certificateOf returns a certificate of a key in PEM, which another key has signed.
func certificateOf(t *testing.T, key crypto.PublicKey, from time.Time, lifetime time.Duration) string {
	t.Helper()
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: from, NotAfter: from.Add(lifetime), EmailAddresses: []string{"jane@example.com"}, DNSNames: []string{"example.com"}}
	text, err := x509.CreateCertificate(rand.Reader, template, template, key, newKey(t))
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: text}))
}
