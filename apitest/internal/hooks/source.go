package hooks

import (
	"context"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	admissioninformers "k8s.io/client-go/informers/admissionregistration"
	admissionv1informers "k8s.io/client-go/informers/admissionregistration/v1"
	coreinformers "k8s.io/client-go/informers/core"
	corev1informers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	admissionv1listers "k8s.io/client-go/listers/admissionregistration/v1"
	corev1listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

// source is the plugins' informer factory: for each requested kind it has the current content of
// the store, and the functions to call on changes.
type source struct {
	informers.SharedInformerFactory
	hooks                *Hooks
	mutating, validating listener
}

// changed calls the handlers of a configuration's kind.
func (s *source) changed(configuration runtime.Object) {
	switch configuration.(type) {
	case *admissionv1.MutatingWebhookConfiguration:
		s.mutating.handler.OnUpdate(configuration, configuration)
	case *admissionv1.ValidatingWebhookConfiguration:
		s.validating.handler.OnUpdate(configuration, configuration)
	}
}

// A listener is an informer whose store is elsewhere. It has one handler, which is added
// before anything changes.
type listener struct {
	cache.SharedIndexInformer
	handler cache.ResourceEventHandler
}

func (l *listener) HasSynced() bool { return true }

func (l *listener) AddEventHandler(handler cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	l.handler = handler
	return synced{}, nil
}

type synced struct {
	cache.ResourceEventHandlerRegistration
}

func (synced) HasSynced() bool { return true }

func (s *source) Admissionregistration() admissioninformers.Interface {
	return configurations{source: s}
}
func (s *source) Core() coreinformers.Interface { return core{source: s} }

type configurations struct {
	admissioninformers.Interface
	source *source
}

func (c configurations) V1() admissionv1informers.Interface {
	return configurationsV1{source: c.source}
}

type configurationsV1 struct {
	admissionv1informers.Interface
	source *source
}

func (c configurationsV1) MutatingWebhookConfigurations() admissionv1informers.TypedMutatingWebhookConfigurationInformer {
	return mutatingInformer{source: c.source}
}

func (c configurationsV1) ValidatingWebhookConfigurations() admissionv1informers.TypedValidatingWebhookConfigurationInformer {
	return validatingInformer{source: c.source}
}

type mutatingInformer struct {
	admissionv1informers.TypedMutatingWebhookConfigurationInformer
	source *source
}

func (i mutatingInformer) Informer() cache.SharedIndexInformer { return &i.source.mutating }
func (i mutatingInformer) Lister() admissionv1listers.MutatingWebhookConfigurationLister {
	return mutatingLister{source: i.source}
}

type mutatingLister struct {
	admissionv1listers.MutatingWebhookConfigurationLister
	source *source
}

func (l mutatingLister) List(labels.Selector) ([]*admissionv1.MutatingWebhookConfiguration, error) {
	h := l.source.hooks
	list, err := h.options.Mutating(context.Background())
	if err != nil || h.options.Transport == nil {
		return list, err
	}
	out := make([]*admissionv1.MutatingWebhookConfiguration, len(list))
	for i, c := range list {
		out[i] = c.DeepCopy()
		for j := range out[i].Webhooks {
			w := &out[i].Webhooks[j]
			h.marked.set(&w.ClientConfig, Hook{Configuration: c.Name, Name: w.Name, Mutating: true}, w.FailurePolicy, w.TimeoutSeconds)
		}
	}
	return out, nil
}

type validatingInformer struct {
	admissionv1informers.TypedValidatingWebhookConfigurationInformer
	source *source
}

func (i validatingInformer) Informer() cache.SharedIndexInformer { return &i.source.validating }
func (i validatingInformer) Lister() admissionv1listers.ValidatingWebhookConfigurationLister {
	return validatingLister{source: i.source}
}

type validatingLister struct {
	admissionv1listers.ValidatingWebhookConfigurationLister
	source *source
}

func (l validatingLister) List(labels.Selector) ([]*admissionv1.ValidatingWebhookConfiguration, error) {
	h := l.source.hooks
	list, err := h.options.Validating(context.Background())
	if err != nil || h.options.Transport == nil {
		return list, err
	}
	out := make([]*admissionv1.ValidatingWebhookConfiguration, len(list))
	for i, c := range list {
		out[i] = c.DeepCopy()
		for j := range out[i].Webhooks {
			w := &out[i].Webhooks[j]
			h.marked.set(&w.ClientConfig, Hook{Configuration: c.Name, Name: w.Name}, w.FailurePolicy, w.TimeoutSeconds)
		}
	}
	return out, nil
}

type core struct {
	coreinformers.Interface
	source *source
}

func (c core) V1() corev1informers.Interface { return coreV1{source: c.source} }

type coreV1 struct {
	corev1informers.Interface
	source *source
}

func (c coreV1) Namespaces() corev1informers.TypedNamespaceInformer {
	return namespaceInformer{source: c.source}
}

type namespaceInformer struct {
	corev1informers.TypedNamespaceInformer
	source *source
}

func (i namespaceInformer) Informer() cache.SharedIndexInformer { return &listener{} }
func (i namespaceInformer) Lister() corev1listers.NamespaceLister {
	return namespaceLister{source: i.source}
}

type namespaceLister struct {
	corev1listers.NamespaceLister
	source *source
}

func (n namespaceLister) Get(name string) (*corev1.Namespace, error) {
	return n.source.hooks.options.Namespace(context.Background(), name)
}

// client provides only namespaces. It is called for those that the lister does not have, which do
// not exist.
type client struct{ kubernetes.Interface }

func (client) CoreV1() corev1client.CoreV1Interface { return coreClient{} }

type coreClient struct{ corev1client.CoreV1Interface }

func (coreClient) Namespaces() corev1client.NamespaceInterface { return missing{} }

type missing struct {
	corev1client.NamespaceInterface
}

func (missing) Get(_ context.Context, name string, _ metav1.GetOptions) (*corev1.Namespace, error) {
	return nil, apierrors.NewNotFound(corev1.Resource("namespaces"), name)
}
