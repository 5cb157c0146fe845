package oidc

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"sync"
	"time"

	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/internal/secret"
	"github.com/listwatch/listwatch/runtime/rest"
)

// The keys of the configuration.
const (
	keyIssuer       = "idp-issuer-url"
	keyClientID     = "client-id"
	keyClientSecret = "client-secret"
	keyCAFile       = "idp-certificate-authority"
	keyCAData       = "idp-certificate-authority-data"
	keyIDToken      = "id-token"
	keyRefreshToken = "refresh-token"
)

// expiryMargin is how long before its expiry a token is replaced, since clocks differ.
const expiryMargin = 10 * time.Second

// refreshTimeout limits a request to the identity provider.
const refreshTimeout = 30 * time.Second

func init() {
	if err := rest.RegisterAuthProviderPlugin("oidc", newAuthProvider); err != nil {
		klog.Background().Error(err, "Failed to register the auth provider oidc")
	}
}

func newAuthProvider(clusterAddress string, config map[string]string, persister rest.AuthProviderConfigPersister) (rest.AuthProvider, error) {
	for _, key := range []string{keyIssuer, keyClientID} {
		if config[key] == "" {
			return nil, fmt.Errorf("auth provider oidc: must provide %s", key)
		}
	}
	return shared.get(clusterAddress, config, func() (*provider, error) {
		client, err := newClient(config)
		if err != nil {
			return nil, err
		}
		return newProvider(clusterAddress, config, persister, client), nil
	})
}

// newClient returns a client for the identity provider.
func newClient(config map[string]string) (*http.Client, error) {
	tls := rest.TLSClientConfig{CAFile: config[keyCAFile]}
	if data := config[keyCAData]; data != "" {
		var err error
		if tls.CAData, err = base64.StdEncoding.DecodeString(data); err != nil {
			return nil, fmt.Errorf("auth provider oidc: %s is not valid base64", keyCAData)
		}
	}
	transport, err := rest.TransportFor(&rest.Config{TLSClientConfig: tls})
	if err != nil {
		return nil, fmt.Errorf("auth provider oidc: %w", err)
	}
	return &http.Client{Transport: transport, Timeout: refreshTimeout}, nil
}

// provider is an auth provider with one configuration.
type provider struct {
	cluster   string
	client    *http.Client
	persister rest.AuthProviderConfigPersister
	added     key // the key that providers.add has added; guarded by its lock

	mu      sync.Mutex // guards config and running
	config  secret.Value[map[string]string]
	running *refresh // nil: no token is being requested
}

// refresh is a request of new tokens. Its fields are set before done is closed.
type refresh struct {
	done  chan struct{}
	token secret.String
	err   error
}

var _ rest.AuthProvider = &provider{}

func newProvider(cluster string, config map[string]string, persister rest.AuthProviderConfigPersister, client *http.Client) *provider {
	return &provider{cluster: cluster, client: client, persister: persister, config: secret.Of(maps.Clone(config))}
}

// Login returns an error: tokens come from another program.
func (p *provider) Login() error {
	return errors.New("auth provider oidc: login is not supported")
}

// WrapTransport returns a round tripper that authenticates with the ID token.
func (p *provider) WrapTransport(next http.RoundTripper) http.RoundTripper {
	return &roundTripper{provider: p, next: next}
}

// idToken returns an ID token that has not expired.
func (p *provider) idToken(ctx context.Context) (secret.String, error) {
	p.mu.Lock()
	if token := p.config.Reveal()[keyIDToken]; token != "" {
		expires, err := expiry(token)
		if err != nil {
			p.mu.Unlock()
			return secret.String{}, fmt.Errorf("auth provider oidc: %s: %w", keyIDToken, err)
		}
		if time.Now().Add(expiryMargin).Before(expires) {
			p.mu.Unlock()
			return secret.New(token), nil
		}
	}
	r := p.running
	if r == nil {
		r = &refresh{done: make(chan struct{})}
		p.running = r
		go p.refresh(r)
	}
	p.mu.Unlock()
	select {
	case <-r.done:
		return r.token, r.err
	case <-ctx.Done():
		return secret.String{}, context.Cause(ctx)
	}
}

// refresh requests new tokens for r and stores them.
func (p *provider) refresh(r *refresh) {
	p.mu.Lock()
	config := maps.Clone(p.config.Reveal())
	p.mu.Unlock()

	token, err := requestToken(p.client, config)
	if err == nil {
		config[keyIDToken] = token.id.Reveal()
		if refreshToken := token.refresh.Reveal(); refreshToken != "" {
			config[keyRefreshToken] = refreshToken
		}
		if persistErr := p.persister.Persist(maps.Clone(config)); persistErr != nil {
			err = fmt.Errorf("could not persist new tokens: %w", persistErr)
		}
	}
	if err != nil {
		r.err = fmt.Errorf("auth provider oidc: %w", err)
	} else {
		r.token = token.id
	}

	p.mu.Lock()
	p.config = secret.Of(config)
	p.running = nil
	p.mu.Unlock()
	shared.add(p.cluster, config, p)
	close(r.done)
}
