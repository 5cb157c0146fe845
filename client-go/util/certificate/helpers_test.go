package certificate_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"sync"
	"testing"
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/certificate"
	"k8s.io/client-go/util/keyutil"
)

// TestMain removes apimachinery's handlers of errors: one sleeps by the time at which the program started, which is
// not that of synctest.
func TestMain(m *testing.M) {
	utilruntime.ErrorHandlers = nil
	m.Run()
}

// signer is a server that signs each request at once, for ten hours.
type signer struct {
	tb   testing.TB
	key  *ecdsa.PrivateKey
	ca   *x509.Certificate
	fail func() error // of requests, unless it is nil

	mu       sync.Mutex // guards requests
	requests []*certificatesv1.CertificateSigningRequest
	client   *fake.Clientset
}

func newSigner(tb testing.TB) *signer {
	tb.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		tb.Fatal(err)
	}
	ca, err := cert.NewSelfSignedCACert(cert.Config{CommonName: "ca"}, key)
	if err != nil {
		tb.Fatal(err)
	}
	s := &signer{tb: tb, key: key, ca: ca, client: fake.NewClientset()}
	s.client.PrependReactor("create", "certificatesigningrequests", s.create)
	return s
}

func (s *signer) create(action clienttesting.Action) (bool, runtime.Object, error) {
	if s.fail != nil {
		if err := s.fail(); err != nil {
			return true, nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	request := action.(clienttesting.CreateAction).GetObject().(*certificatesv1.CertificateSigningRequest)
	if n := len(s.requests); n > 0 { // fakes ignore field selectors
		if err := s.client.Tracker().Delete(certificatesv1.SchemeGroupVersion.WithResource("certificatesigningrequests"), "", s.requests[n-1].Name); err != nil {
			s.tb.Error(err)
		}
	}
	s.requests = append(s.requests, request)
	request.Name = request.GenerateName + string(rune('a'+len(s.requests)))
	request.UID = types.UID(request.Name)
	request.Status.Conditions = []certificatesv1.CertificateSigningRequestCondition{{Type: certificatesv1.CertificateApproved, Status: corev1.ConditionTrue}}
	block, _ := pem.Decode(request.Spec.Request)
	parsed, err := x509.ParseCertificateRequest(block.Bytes)
	if err != nil {
		s.tb.Error(err)
	}
	request.Status.Certificate = s.sign(parsed.PublicKey, parsed.Subject.CommonName, parsed.DNSNames, int64(len(s.requests)))
	return false, nil, nil // it is created
}

// sign returns a certificate as PEM.
func (s *signer) sign(public any, name string, dnsNames []string, serial int64) []byte {
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), DNSNames: dnsNames,
		NotBefore: time.Now(), NotAfter: time.Now().Add(10 * time.Hour),
	}
	template.Subject.CommonName = name
	der, err := x509.CreateCertificate(rand.Reader, template, s.ca, public, s.key)
	if err != nil {
		s.tb.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

// pair returns a certificate and its key as PEM.
func (s *signer) pair(name string, serial int64) (certPEM, keyPEM []byte) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		s.tb.Fatal(err)
	}
	if keyPEM, err = keyutil.MarshalPrivateKeyToPEM(key); err != nil {
		s.tb.Fatal(err)
	}
	return s.sign(key.Public(), name, nil, serial), keyPEM
}

func (s *signer) clientset(*tls.Certificate) (kubernetes.Interface, error) { return s.client, nil }

// count returns the number of requests.
func (s *signer) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests)
}

// memory is a store.
type memory struct {
	mu      sync.Mutex // guards current
	current *tls.Certificate
	fail    error // of Update
}

func (m *memory) Current() (*tls.Certificate, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.current == nil {
		none := certificate.NoCertKeyError("none")
		return nil, &none
	}
	return m.current, nil
}

func (m *memory) Update(certPEM, keyPEM []byte) (*tls.Certificate, error) {
	if m.fail != nil {
		return nil, m.fail
	}
	pair, err := tls.X509KeyPair(certPEM, keyPEM)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.current = &pair
	return &pair, nil
}

// metric counts, and sums what it observes.
type metric struct {
	mu    sync.Mutex // guards what follows
	count int
	sum   float64
}

func (m *metric) Inc() { m.Observe(0) }

func (m *metric) Observe(v float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.count++
	m.sum += v
}
