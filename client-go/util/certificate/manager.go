package certificate

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"reflect"
	"sync"
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/klog/v2"
)

// Manager keeps a certificate valid. Its methods may be called concurrently.
type Manager interface {
	// Start rotates the certificate in the background, until Stop is called or the config's context ends.
	Start()
	// Stop ends the rotation. It does not wait for it.
	Stop()
	// Current returns the certificate, nil if there is none or it has expired.
	Current() *tls.Certificate
	// ServerHealthy reports whether the last request reached the server.
	ServerHealthy() bool
}

const (
	// templateInterval is how often the template is compared with the certificate, and how soon the next rotation is
	// prepared after one.
	templateInterval = time.Second
	// retryInterval is the time between attempts, once those with shorter pauses have failed.
	retryInterval = 32 * time.Second
)

// retries are the first attempts.
var retries = wait.Backoff{Duration: 2 * time.Second, Factor: 2, Jitter: 0.1, Steps: 5}

// NewManager returns a manager. It reads the store; a bootstrap certificate that it uses is written to the store.
func NewManager(config *Config) (Manager, error) {
	usages, err := config.usages()
	if err != nil {
		return nil, err
	}
	m := &manager{
		getTemplate: config.template(),
		isDynamic:   config.GetTemplate != nil,
		getUsages:   usages,
		signerName:  config.SignerName,
		lifetime:    config.RequestedCertificateLifetime,
		generateKey: config.GenerateKey,
		certStore:   config.CertificateStore,
		clientsetFn: config.ClientsetFn,
		rotation:    config.CertificateRotation,
		failures:    config.CertificateRenewFailure,
	}
	if m.generateKey == nil {
		m.generateKey = func() (crypto.Signer, error) { return ecdsa.GenerateKey(elliptic.P256(), rand.Reader) }
	}
	outer := context.Background()
	logger := klog.Background()
	if config.Ctx != nil {
		outer = *config.Ctx
		logger = klog.FromContext(outer)
	}
	logger = klog.LoggerWithName(logger, config.name(usages(nil)))
	if m.cert, m.rotateNow, err = first(logger, config); err != nil {
		return nil, err
	}
	// What else the outer context has, such as a deadline of the caller's requests, is not for this manager.
	ctx, cancel := context.WithCancelCause(klog.NewContext(context.Background(), logger))
	m.ctx = ctx
	m.stop = func() { cancel(errors.New("asked to stop")) }
	context.AfterFunc(outer, m.stop)
	return m, nil
}

// first returns the certificate to begin with, and whether to rotate it at once.
func first(logger klog.Logger, config *Config) (*tls.Certificate, bool, error) {
	current, err := config.CertificateStore.Current()
	none := (*NoCertKeyError)(nil)
	switch {
	case err != nil && !errors.As(err, &none):
		return nil, false, err
	case err == nil && current.Leaf != nil && time.Now().Before(current.Leaf.NotAfter):
		return current, false, nil
	case config.BootstrapCertificatePEM == nil || config.BootstrapKeyPEM == nil:
		return nil, true, nil
	}
	bootstrap, err := tls.X509KeyPair(config.BootstrapCertificatePEM, config.BootstrapKeyPEM)
	if err != nil {
		return nil, false, err
	}
	if _, err := config.CertificateStore.Update(config.BootstrapCertificatePEM, config.BootstrapKeyPEM); err != nil {
		utilruntime.HandleErrorWithLogger(logger, err, "Unable to store the bootstrap certificate")
	}
	return &bootstrap, true, nil
}

type manager struct {
	getTemplate func() *x509.CertificateRequest
	isDynamic   bool // the template may change
	getUsages   func(privateKey any) []certificatesv1.KeyUsage
	signerName  string
	lifetime    *time.Duration
	generateKey func() (crypto.Signer, error)
	certStore   Store
	clientsetFn ClientsetFunc // called by the rotation only
	rotation    Histogram
	failures    Counter

	ctx  context.Context
	stop func()

	rotateNow bool // used by the rotation only

	mu            sync.Mutex // guards the fields below
	cert          *tls.Certificate
	isHealthy     bool
	requested     *x509.CertificateRequest // the template of the last request
	cancelRequest func()                   // ends the wait for it; nil before the first
}

func (m *manager) Current() *tls.Certificate {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.cert != nil && m.cert.Leaf != nil && time.Now().After(m.cert.Leaf.NotAfter) {
		klog.FromContext(m.ctx).V(2).Info("Current certificate is expired")
		return nil
	}
	return m.cert
}

func (m *manager) ServerHealthy() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.isHealthy
}

func (m *manager) Stop() { m.stop() }

// RotateCerts rotates the certificate now, for tests, which find it by a type assertion. It must not be called after
// Start.
func (m *manager) RotateCerts() (bool, error) { return m.attempt(m.ctx) }

func (m *manager) Start() {
	logger := klog.FromContext(m.ctx)
	if m.clientsetFn == nil {
		logger.V(2).Info("Certificate rotation is not enabled, no connection to the apiserver")
		return
	}
	logger.V(2).Info("Certificate rotation is enabled")
	changed := make(chan struct{})
	go wait.UntilWithContext(m.ctx, func(ctx context.Context) { m.rotate(ctx, changed) }, templateInterval)
	if m.isDynamic {
		go wait.UntilWithContext(m.ctx, func(ctx context.Context) { m.compareTemplate(ctx, changed) }, templateInterval)
	}
}

// compareTemplate ends the present wait if the template asks for what neither the certificate has nor the last request
// asked for.
func (m *manager) compareTemplate(ctx context.Context, changed chan<- struct{}) {
	template := m.getTemplate()
	m.mu.Lock()
	satisfied := satisfies(klog.FromContext(ctx), m.cert, template) || reflect.DeepEqual(m.requested, template)
	cancel := m.cancelRequest
	m.mu.Unlock()
	if satisfied {
		return
	}
	if cancel != nil {
		cancel()
	}
	select {
	case changed <- struct{}{}:
	case <-ctx.Done():
	}
}

// rotate waits until the certificate should be rotated, and does so. The template may turn out not to have changed.
func (m *manager) rotate(ctx context.Context, changed <-chan struct{}) {
	logger := klog.FromContext(ctx)
	if pause := time.Until(m.deadline(logger)); pause > 0 {
		logger.V(2).Info("Waiting for next certificate rotation", "sleep", pause)
		timer := time.NewTimer(pause)
		defer timer.Stop()
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-changed:
			if m.isRequested(m.getTemplate()) {
				return
			}
			logger.V(2).Info("Certificate template changed, rotating")
		}
	}
	if m.getTemplate() == nil {
		return
	}
	err := wait.ExponentialBackoffWithContext(ctx, retries, m.attempt)
	if err == nil || ctx.Err() != nil {
		return
	}
	utilruntime.HandleErrorWithContext(ctx, err, "Unable to rotate the certificate, retrying", "interval", retryInterval)
	_ = wait.PollUntilContextCancel(ctx, retryInterval, false, m.attempt) // fails when the manager is stopped
}

// isRequested reports whether a template is that of the last request.
func (m *manager) isRequested(template *x509.CertificateRequest) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return reflect.DeepEqual(m.requested, template)
}

// deadline returns when to rotate.
func (m *manager) deadline(logger klog.Logger) time.Time {
	if m.rotateNow {
		m.rotateNow = false
		return time.Now()
	}
	template := m.getTemplate()
	m.mu.Lock()
	defer m.mu.Unlock()
	if !satisfies(logger, m.cert, template) {
		return time.Now()
	}
	leaf := m.cert.Leaf
	deadline := leaf.NotBefore.Add(jittered(leaf.NotAfter.Sub(leaf.NotBefore)))
	logger.V(2).Info("Certificate rotation deadline determined", "expiration", leaf.NotAfter, "deadline", deadline)
	return deadline
}

// jittered returns 70 to 90 % of a duration, so that the members of a cluster that began together do not rotate
// together.
func jittered(d time.Duration) time.Duration {
	return wait.Jitter(d, 0.2) - d*3/10
}
