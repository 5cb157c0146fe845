package certificate_test

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/certificate"
)

// config returns the config of a manager whose certificates s signs.
func (s *signer) config() *certificate.Config {
	lifetime := 10 * time.Hour
	return &certificate.Config{
		ClientsetFn:                  s.clientset,
		Template:                     &x509.CertificateRequest{Subject: pkix.Name{CommonName: "node"}},
		SignerName:                   "example.com/signer",
		RequestedCertificateLifetime: &lifetime,
		GetUsages:                    certificate.DefaultKubeletClientGetUsages,
		CertificateStore:             &memory{},
		CertificateRotation:          &metric{},
		CertificateRenewFailure:      &metric{},
	}
}

func start(t *testing.T, config *certificate.Config) certificate.Manager {
	t.Helper()
	m, err := certificate.NewManager(config)
	if err != nil {
		t.Fatal(err)
	}
	m.Start()
	t.Cleanup(func() {
		m.Stop()
		synctest.Wait()
	})
	return m
}

func serial(c *tls.Certificate) int64 {
	if c == nil {
		return 0
	}
	return c.Leaf.SerialNumber.Int64()
}

// A certificate is requested at once, and the next one when 70 to 90 % of its ten hours have passed.
func TestRotation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSigner(t)
		config := s.config()
		m := start(t, config)
		time.Sleep(time.Minute)
		for n := int64(1); n <= 3; n++ {
			issued := m.Current().Leaf.NotBefore
			time.Sleep(time.Until(issued.Add(7*time.Hour - time.Minute)))
			if got := serial(m.Current()); got != n || !m.ServerHealthy() {
				t.Errorf("after 7 hours, certificate %d, healthy %t, want %d", got, m.ServerHealthy(), n)
			}
			time.Sleep(time.Until(issued.Add(9*time.Hour + time.Minute)))
			if got := serial(m.Current()); got != n+1 {
				t.Errorf("after 9 hours, certificate %d, want %d", got, n+1)
			}
		}
		rotation := config.CertificateRotation.(*metric)
		// The fourth certificate replaced the third.
		if hours := rotation.sum / 3600; rotation.count != 3 || hours < 3*7 || hours > 3*9.1 {
			t.Errorf("%d rotations, %f hours", rotation.count, hours)
		}
		request := s.requests[0].Spec
		if request.SignerName != "example.com/signer" || *request.ExpirationSeconds != 36000 ||
			!slices.Equal(request.Usages, []certificatesv1.KeyUsage{"digital signature", "client auth"}) {
			t.Errorf("request %+v", request)
		}
		if stored, err := config.CertificateStore.Current(); err != nil || serial(stored) != 4 {
			t.Errorf("stored %d, %v", serial(stored), err)
		}
	})
}

// What is there at the start decides what is current, and whether it is rotated at once.
func TestFirst(t *testing.T) {
	for _, tt := range []struct {
		name              string
		stored, bootstrap bool
		expired           bool
		before, after     int64 // serial numbers; the stored certificate is 10, the bootstrap one 20
	}{
		{name: "nothing", before: 0, after: 1},
		{name: "stored", stored: true, before: 10, after: 10},
		{name: "bootstrap", bootstrap: true, before: 20, after: 1},
		{name: "both", stored: true, bootstrap: true, before: 10, after: 10},
		{name: "expired", stored: true, expired: true, before: 0, after: 1},
		{name: "expired and bootstrap", stored: true, expired: true, bootstrap: true, before: 20, after: 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newSigner(t)
				config := s.config()
				if tt.stored {
					if _, err := config.CertificateStore.Update(s.pair("node", 10)); err != nil {
						t.Fatal(err)
					}
				}
				if tt.expired {
					time.Sleep(11 * time.Hour)
				}
				if tt.bootstrap {
					config.BootstrapCertificatePEM, config.BootstrapKeyPEM = s.pair("node", 20)
				}
				m, err := certificate.NewManager(config)
				if err != nil {
					t.Fatal(err)
				}
				if got := serial(m.Current()); got != tt.before {
					t.Errorf("before the start: %d", got)
				}
				m.Start()
				time.Sleep(time.Minute)
				if got := serial(m.Current()); got != tt.after {
					t.Errorf("after the start: %d", got)
				}
				m.Stop()
			})
		})
	}
}

// A certificate that expires is not current.
func TestExpired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSigner(t)
		config := s.config()
		config.ClientsetFn = nil // no rotation
		if _, err := config.CertificateStore.Update(s.pair("node", 10)); err != nil {
			t.Fatal(err)
		}
		m := start(t, config)
		if serial(m.Current()) != 10 {
			t.Error("no certificate")
		}
		time.Sleep(11 * time.Hour)
		if got := m.Current(); got != nil {
			t.Errorf("certificate %d", serial(got))
		}
	})
}

// A template that asks for other names makes the manager rotate; without a template, nothing is requested.
func TestTemplate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSigner(t)
		config := s.config()
		var template atomic.Pointer[x509.CertificateRequest]
		config.Template, config.GetTemplate = nil, template.Load
		m := start(t, config)
		for _, step := range []struct {
			name     string
			template *x509.CertificateRequest
			requests int
		}{
			{"none", nil, 0},
			{"first", &x509.CertificateRequest{Subject: pkix.Name{CommonName: "a"}, DNSNames: []string{"x", "y"}}, 1},
			{"the same", &x509.CertificateRequest{Subject: pkix.Name{CommonName: "a"}, DNSNames: []string{"x", "y"}}, 1},
			{"fewer names", &x509.CertificateRequest{Subject: pkix.Name{CommonName: "a"}, DNSNames: []string{"y"}}, 1},
			{"another name", &x509.CertificateRequest{Subject: pkix.Name{CommonName: "a"}, DNSNames: []string{"z"}}, 2},
			{"another common name", &x509.CertificateRequest{Subject: pkix.Name{CommonName: "b"}, DNSNames: []string{"z"}}, 3},
			{"none again", nil, 3},
		} {
			template.Store(step.template)
			time.Sleep(time.Minute)
			if got := s.count(); got != step.requests {
				t.Errorf("%s: %d requests, want %d", step.name, got, step.requests)
			}
		}
		if leaf := m.Current().Leaf; leaf.Subject.CommonName != "b" || !slices.Equal(leaf.DNSNames, []string{"z"}) {
			t.Errorf("the certificate is for %s, %v", leaf.Subject, leaf.DNSNames)
		}
	})
}

// Failed rotations are counted and repeated.
func TestFailures(t *testing.T) {
	forbidden := apierrors.NewForbidden(schema.GroupResource{}, "", nil)
	for _, tt := range []struct {
		name    string
		change  func(s *signer, c *certificate.Config, fails func() error)
		healthy bool // while requests fail
	}{
		{"the server is unavailable", func(s *signer, _ *certificate.Config, fails func() error) { s.fail = fails }, false},
		{"the server rejects", func(s *signer, _ *certificate.Config, fails func() error) {
			s.fail = func() error {
				if fails() == nil {
					return nil
				}
				return forbidden
			}
		}, true},
		{"no client", func(s *signer, c *certificate.Config, fails func() error) {
			c.ClientsetFn = func(current *tls.Certificate) (kubernetes.Interface, error) {
				if err := fails(); err != nil {
					return nil, err
				}
				return s.clientset(current)
			}
		}, false},
		{"no key", func(_ *signer, c *certificate.Config, fails func() error) {
			c.GenerateKey = func() (crypto.Signer, error) {
				if err := fails(); err != nil {
					return nil, err
				}
				return ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
			}
		}, false},
		{"an insecure key", func(_ *signer, c *certificate.Config, fails func() error) {
			c.GenerateKey = func() (crypto.Signer, error) {
				if fails() != nil {
					return ecdsa.GenerateKey(elliptic.P224(), rand.Reader)
				}
				return ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
			}
		}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newSigner(t)
				config := s.config()
				var attempts atomic.Int64
				tt.change(s, config, func() error {
					if attempts.Add(1) <= 7 { // more than those with short pauses
						return errors.New("unavailable")
					}
					return nil
				})
				m := start(t, config)
				time.Sleep(time.Second)
				if m.Current() != nil || m.ServerHealthy() != tt.healthy {
					t.Errorf("certificate %v, healthy %t", m.Current(), m.ServerHealthy())
				}
				time.Sleep(5 * time.Minute)
				if serial(m.Current()) == 0 || !m.ServerHealthy() {
					t.Error("no certificate after the failures")
				}
				if n := config.CertificateRenewFailure.(*metric).count; n != 7 {
					t.Errorf("%d failures", n)
				}
			})
		})
	}
}

// The context of the config stops the manager. No goroutine is left: otherwise synctest fails.
func TestContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSigner(t)
		config := s.config()
		ctx, cancel := context.WithCancel(t.Context())
		config.Ctx = &ctx
		m, err := certificate.NewManager(config)
		if err != nil {
			t.Fatal(err)
		}
		m.Start()
		time.Sleep(time.Minute)
		cancel()
		time.Sleep(9 * time.Hour)
		if s.count() != 1 {
			t.Errorf("%d requests", s.count())
		}
	})
}

type brokenStore struct{ certificate.Store }

func (brokenStore) Current() (*tls.Certificate, error) { return nil, errors.New("broken") }

func TestNewManagerErrors(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(c *certificate.Config)
		want   string
	}{
		{"both usages", func(c *certificate.Config) { c.Usages = []certificatesv1.KeyUsage{"any"} }, "cannot specify both"},
		{"no usages", func(c *certificate.Config) { c.GetUsages = nil }, "should be specified"},
		{"store", func(c *certificate.Config) { c.CertificateStore = brokenStore{} }, "broken"},
		{"bootstrap", func(c *certificate.Config) { c.BootstrapCertificatePEM, c.BootstrapKeyPEM = []byte("x"), []byte("y") }, "PEM"},
	} {
		config := newSigner(t).config()
		tt.change(config)
		if _, err := certificate.NewManager(config); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func TestUsages(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		get  func(any) []certificatesv1.KeyUsage
		key  any
		want []certificatesv1.KeyUsage
	}{
		{"serving, RSA", certificate.DefaultKubeletServingGetUsages, key, []certificatesv1.KeyUsage{"digital signature", "key encipherment", "server auth"}},
		{"serving, none", certificate.DefaultKubeletServingGetUsages, nil, []certificatesv1.KeyUsage{"digital signature", "server auth"}},
		{"client, RSA", certificate.DefaultKubeletClientGetUsages, key, []certificatesv1.KeyUsage{"digital signature", "key encipherment", "client auth"}},
		{"client, ECDSA", certificate.DefaultKubeletClientGetUsages, &ecdsa.PrivateKey{}, []certificatesv1.KeyUsage{"digital signature", "client auth"}},
	} {
		if got := tt.get(tt.key); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
