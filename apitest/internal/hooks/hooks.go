// Package hooks calls the admission webhooks of requests, and evaluates admission policies, both validating and mutating
// ones.
//
// A configuration is a MutatingWebhookConfiguration or a ValidatingWebhookConfiguration with some hooks. The
// plugins of the real server determine which hooks a request concerns, call them and evaluate their responses;
// [Hooks.Changed] passes configurations to them together with the write instead of some time later. Policies and
// their bindings, too, are in force when their write returns; their parameters are read for each request.
//
// The plugins are created with the first configuration, so that a server without any has no cost.
//
// Limits: unless the options have a transport, a hook is reached at its URL, or at its service's name as the system
// resolves it.
package hooks

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/generic"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/validating"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/connrotation"
)

// Options of Hooks. All but Transport are required. Results of the functions are not modified.
type Options struct {
	// Transport wraps the transport of each request to a hook, with the context of the request that the hook reviews. Bundles of
	// authorities without a certificate are ignored then.
	Transport func(Hook, http.RoundTripper) http.RoundTripper

	Mutating   func(context.Context) ([]*admissionv1.MutatingWebhookConfiguration, error)
	Validating func(context.Context) ([]*admissionv1.ValidatingWebhookConfiguration, error)

	MutatingPolicies   func(context.Context) ([]*admissionv1.MutatingAdmissionPolicy, error)
	MutatingBindings   func(context.Context) ([]*admissionv1.MutatingAdmissionPolicyBinding, error)
	ValidatingPolicies func(context.Context) ([]*admissionv1.ValidatingAdmissionPolicy, error)
	ValidatingBindings func(context.Context) ([]*admissionv1.ValidatingAdmissionPolicyBinding, error)

	// Params returns the parameters of a kind, or nil if it is not served.
	Params func(context.Context, schema.GroupVersionKind) (Params, error)
	// Types returns how objects of a kind are merged.
	Types func(context.Context, schema.GroupVersionKind) managedfields.TypeConverter

	Namespace  func(ctx context.Context, name string) (*corev1.Namespace, error)
	Authorizer authorizer.UnconditionalAuthorizer // for conditions that use it
}

// Hooks call the configured hooks. They are safe for concurrent use.
type Hooks struct {
	*admission.Handler
	options Options
	dialer  *connrotation.Dialer
	marked  addresses   // if there is a transport
	used    atomic.Bool // whether there ever was a configuration
	plugins func() (*plugins, error)

	mutating   *mutatingPolicies
	validating *validatingPolicies
}

var (
	_ admission.MutationInterface   = &Hooks{}
	_ admission.ValidationInterface = &Hooks{}
)

// plugins are the real server's plugins, and the source that notifies them of changes.
type plugins struct {
	mutating   *mutating.Plugin
	validating *validating.Plugin
	source     *source
}

// New returns hooks for the configurations of the options.
func New(options Options) *Hooks {
	h := &Hooks{
		Handler: admission.NewHandler(admission.Create, admission.Update, admission.Delete, admission.Connect),
		options: options,
		dialer:  connrotation.NewDialer((&net.Dialer{Timeout: 30 * time.Second}).DialContext),
	}
	h.plugins = sync.OnceValues(h.build)
	h.mutating = newMutatingPolicies(options)
	h.validating = newValidatingPolicies(options)
	return h
}

func (h *Hooks) build() (*plugins, error) {
	p := &plugins{source: &source{hooks: h}}
	var err error
	if p.mutating, err = mutating.NewMutatingWebhook(nil); err != nil {
		return nil, fmt.Errorf("build the plugin that calls mutating webhooks: %w", err)
	}
	if p.validating, err = validating.NewValidatingAdmissionWebhook(nil); err != nil {
		return nil, fmt.Errorf("build the plugin that calls validating webhooks: %w", err)
	}
	for _, plugin := range []*generic.Webhook{p.mutating.Webhook, p.validating.Webhook} {
		plugin.SetAuthenticationInfoResolverWrapper(func(webhookutil.AuthenticationInfoResolver) webhookutil.AuthenticationInfoResolver {
			return h
		})
		plugin.SetUnconditionalAuthorizer(h.options.Authorizer)
		plugin.SetExternalKubeClientSet(client{})
		plugin.SetExternalKubeInformerFactory(p.source)
		if err := plugin.ValidateInitialization(); err != nil {
			return nil, fmt.Errorf("start a plugin that calls webhooks: %w", err)
		}
	}
	return p, nil
}

// Changed reports a configuration that was created, updated or deleted: requests that begin after
// it returns see the change.
func (h *Hooks) Changed(configuration runtime.Object) {
	switch configuration.(type) {
	case *admissionv1.MutatingAdmissionPolicy, *admissionv1.MutatingAdmissionPolicyBinding:
		h.mutating.changed()
		return
	case *admissionv1.ValidatingAdmissionPolicy, *admissionv1.ValidatingAdmissionPolicyBinding:
		h.validating.changed()
		return
	}
	h.used.Store(true)
	if p, err := h.plugins(); err == nil { // requests return the error
		p.source.changed(configuration)
	}
}

// Reload reads all configurations and policies again.
func (h *Hooks) Reload() {
	h.mutating.reload()
	h.validating.reload()
	if h.used.Load() {
		h.Changed(&admissionv1.MutatingWebhookConfiguration{})
		h.Changed(&admissionv1.ValidatingWebhookConfiguration{})
	}
}

// Admit implements admission.MutationInterface.
func (h *Hooks) Admit(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	if a.GetOperation() != admission.Delete { // of which there is no object to modify
		if err := h.mutating.dispatch(ctx, a, o); err != nil {
			return err
		}
	}
	if !h.used.Load() {
		return nil
	}
	p, err := h.plugins()
	if err != nil {
		return apierrors.NewInternalError(err)
	}
	return p.mutating.Admit(ctx, a, o)
}

// Validate implements admission.ValidationInterface.
func (h *Hooks) Validate(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	if err := h.validating.dispatch(ctx, a, o); err != nil {
		return err
	}
	if !h.used.Load() {
		return nil
	}
	p, err := h.plugins()
	if err != nil {
		return apierrors.NewInternalError(err)
	}
	return p.validating.Validate(ctx, a, o)
}

// ClientConfigFor implements webhookutil.AuthenticationInfoResolver.
func (h *Hooks) ClientConfigFor(string) (*rest.Config, error) {
	config := &rest.Config{Dial: h.dialer.DialContext}
	if wrap := h.options.Transport; wrap != nil {
		config.Wrap(func(next http.RoundTripper) http.RoundTripper { return marked{&h.marked, wrap, next} })
	}
	return config, nil
}

// ClientConfigForService implements webhookutil.AuthenticationInfoResolver.
func (h *Hooks) ClientConfigForService(string, string, int) (*rest.Config, error) {
	return h.ClientConfigFor("")
}

// Close ends the connections to hooks.
func (h *Hooks) Close() { h.dialer.CloseAll() }
