package embedded

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/listwatch/listwatch/apitest/internal/hooks"
)

const (
	mutatingKind   = "MutatingWebhookConfiguration"
	validatingKind = "ValidatingWebhookConfiguration"
)

// WithWebhooks sends the requests for webhooks to a server of the test: in the webhook configurations and CRDs of
// the options, the services of webhooks are replaced by url, which is a root such as https://127.0.0.1:9443,
// followed by the service's path. The path of conversion webhooks is /convert by default. The server must have a
// certificate that an authority in ca, which is PEM, has signed, such as that of [NewCertificate]:
//
//	certificate, err := apitest.NewCertificate()
//	...
//	server := httptest.NewUnstartedServer(webhooks)
//	server.TLS = &tls.Config{Certificates: []tls.Certificate{pair}} // of certificate.TLS
//	server.StartTLS()
//	srv := apitest.Start(t, apitest.WithManifests("config/webhook/manifests.yaml"), apitest.WithWebhooks(server.URL, certificate.CA))
//
// Webhooks that have an URL already, and those that clients create later, are called where they say.
func WithWebhooks(url string, ca []byte) Option {
	return func(o *options) {
		o.webhooks = &webhooks{url: strings.TrimSuffix(url, "/"), ca: slices.Clone(ca)}
	}
}

// Webhook is an admission webhook of a configuration.
type Webhook struct {
	Configuration string // the name of its configuration
	Name          string
	Mutating      bool                          // of a MutatingWebhookConfiguration
	Service       *admissionv1.ServiceReference // nil if it has an URL
	FailurePolicy admissionv1.FailurePolicyType
	Timeout       time.Duration
}

// WithWebhookTransport wraps the transport of the requests to admission webhooks: a test can respond to them without a
// server, count, delay and lose them. Wrap is called for each request, by several goroutines, and must not modify the service.
// The request's URL is the webhook's, of a service https://NAME.NAMESPACE.svc:PORT/PATH; its context ends with the webhook's
// time-out, and has the values of the request that the webhook reviews, such as the user and the ID of audits. A caBundle of a
// service that has no certificate, because something is to fill it in, is ignored. Webhooks of conversions are called as without
// the option.
func WithWebhookTransport(wrap func(of Webhook, next http.RoundTripper) http.RoundTripper) Option {
	return func(o *options) {
		o.webhookTransport = func(h hooks.Hook, next http.RoundTripper) http.RoundTripper { return wrap(Webhook(h), next) }
	}
}

// webhooks is the server of webhooks. A nil one changes nothing.
type webhooks struct {
	url string
	ca  []byte // PEM
}

// address returns the URL for the path of a service.
func (w *webhooks) address(path string) string { return w.url + "/" + strings.TrimPrefix(path, "/") }

// convert returns CRDs whose conversion webhooks are called at the server. It does not modify crds.
func (w *webhooks) convert(crds []*apiextensions.CustomResourceDefinition) []*apiextensions.CustomResourceDefinition {
	if w == nil {
		return crds
	}
	out := make([]*apiextensions.CustomResourceDefinition, 0, len(crds))
	for _, crd := range crds {
		if c := crd.Spec.Conversion; c != nil && c.Webhook != nil && c.Webhook.ClientConfig != nil && c.Webhook.ClientConfig.Service != nil {
			crd = crd.DeepCopy()
			client := crd.Spec.Conversion.Webhook.ClientConfig
			path := "/convert"
			if client.Service.Path != nil {
				path = *client.Service.Path
			}
			url := w.address(path)
			client.URL, client.Service, client.CABundle = &url, nil, w.ca
		}
		out = append(out, crd)
	}
	return out
}

// modify changes a configuration of webhooks; it leaves other objects as they are.
func (w *webhooks) modify(object *unstructured.Unstructured) {
	if w == nil || object.GetKind() != mutatingKind && object.GetKind() != validatingKind {
		return
	}
	hooks, _, _ := unstructured.NestedSlice(object.Object, "webhooks")
	for _, hook := range hooks {
		hook, ok := hook.(map[string]any)
		if !ok {
			continue // the server reports it
		}
		service, ok, _ := unstructured.NestedMap(hook, "clientConfig", "service")
		if !ok {
			continue
		}
		path, _, _ := unstructured.NestedString(service, "path")
		hook["clientConfig"] = map[string]any{
			"url":      w.address(path),
			"caBundle": base64.StdEncoding.EncodeToString(w.ca),
		}
	}
	if hooks != nil {
		object.Object["webhooks"] = hooks
	}
}
