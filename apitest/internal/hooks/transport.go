package hooks

import (
	"crypto/x509"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
)

// Hook is a webhook of a configuration.
type Hook struct {
	Configuration string // its name
	Name          string
	Mutating      bool                          // of a MutatingWebhookConfiguration
	Service       *admissionv1.ServiceReference // nil if it has an URL; not to be modified
	FailurePolicy admissionv1.FailurePolicyType
	Timeout       time.Duration
}

// mark begins the part of a path that tells the transport which hook is called: the plugins do not say so.
const mark = "/~hook~/"

// addresses are the hooks by what follows the mark in the paths at which the plugins call them.
type addresses struct {
	mu    sync.Mutex // guards hooks
	hooks map[string]Hook
}

// set marks the path of a hook, in a copy of its configuration.
func (a *addresses) set(client *admissionv1.WebhookClientConfig, h Hook, policy *admissionv1.FailurePolicyType, seconds *int32) {
	h.Service = client.Service.DeepCopy()
	if policy != nil {
		h.FailurePolicy = *policy
	}
	if seconds != nil {
		h.Timeout = time.Duration(*seconds) * time.Second
	}
	key := fmt.Sprintf("%t/%s/%s", h.Mutating, url.PathEscape(h.Configuration), url.PathEscape(h.Name))
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.hooks == nil {
		a.hooks = map[string]Hook{}
	}
	a.hooks[key] = h
	switch {
	case client.Service != nil:
		path := mark + key
		if client.Service.Path != nil {
			path = strings.TrimSuffix(*client.Service.Path, "/") + path
		}
		client.Service.Path = &path
		// Without one, the name in the certificate of the service does not matter. The plugins reject what has no certificate, such
		// as a bundle that is to be filled in.
		if !x509.NewCertPool().AppendCertsFromPEM(client.CABundle) {
			client.CABundle = nil
		}
	case client.URL != nil:
		address := strings.TrimSuffix(*client.URL, "/") + mark + key
		client.URL = &address
	}
}

// get returns the hook that is called at a path, and the path in its configuration.
func (a *addresses) get(path string) (Hook, string) {
	path, key, _ := strings.Cut(path, mark)
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.hooks[key], path
}

// marked is the transport of requests to marked paths.
type marked struct {
	addresses *addresses
	wrap      func(Hook, http.RoundTripper) http.RoundTripper
	next      http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (m marked) RoundTrip(req *http.Request) (*http.Response, error) {
	hook, path := m.addresses.get(req.URL.Path)
	req = req.Clone(req.Context())
	req.URL.Path, req.URL.RawPath = path, ""
	return m.wrap(hook, m.next).RoundTrip(req)
}
