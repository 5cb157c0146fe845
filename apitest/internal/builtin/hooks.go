package builtin

import (
	"context"

	"github.com/listwatch/listwatch/apitest/internal/builtin/plugins"
	"github.com/listwatch/listwatch/apitest/internal/builtin/stores"
	"github.com/listwatch/listwatch/apitest/internal/hooks"
	"github.com/listwatch/listwatch/apitest/internal/rbac"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/generic/registry"
)

var (
	mutatingHooks   = admissionv1.SchemeGroupVersion.WithResource("mutatingwebhookconfigurations")
	validatingHooks = admissionv1.SchemeGroupVersion.WithResource("validatingwebhookconfigurations")
	policies        = admissionv1.SchemeGroupVersion.WithResource("validatingadmissionpolicies")
	policyBindings  = admissionv1.SchemeGroupVersion.WithResource("validatingadmissionpolicybindings")
)

// newHooks returns the caller of the webhooks whose configurations are stored.
func newHooks(o Options, reader stores.Reader, permissions rbac.Permissions) *hooks.Hooks {
	disabled := plugins.Disabled(o.WithoutPlugins)
	return hooks.New(hooks.Options{
		Mutating: ifEnabled(disabled.Enabled(plugins.MutatingWebhook), func(ctx context.Context) ([]*admissionv1.MutatingWebhookConfiguration, error) {
			list, err := stores.List[admissionv1.MutatingWebhookConfigurationList](ctx, reader, mutatingHooks, metav1.NamespaceAll)
			if err != nil {
				return nil, err
			}
			return pointers(list.Items), nil
		}),
		Validating: ifEnabled(disabled.Enabled(plugins.ValidatingWebhook), func(ctx context.Context) ([]*admissionv1.ValidatingWebhookConfiguration, error) {
			list, err := stores.List[admissionv1.ValidatingWebhookConfigurationList](ctx, reader, validatingHooks, metav1.NamespaceAll)
			if err != nil {
				return nil, err
			}
			return pointers(list.Items), nil
		}),
		Policies: ifEnabled(disabled.Enabled(plugins.ValidatingPolicy), func(ctx context.Context) ([]*admissionv1.ValidatingAdmissionPolicy, error) {
			list, err := stores.List[admissionv1.ValidatingAdmissionPolicyList](ctx, reader, policies, metav1.NamespaceAll)
			if err != nil {
				return nil, err
			}
			return pointers(list.Items), nil
		}),
		Bindings: func(ctx context.Context) ([]*admissionv1.ValidatingAdmissionPolicyBinding, error) {
			list, err := stores.List[admissionv1.ValidatingAdmissionPolicyBindingList](ctx, reader, policyBindings, metav1.NamespaceAll)
			if err != nil {
				return nil, err
			}
			return pointers(list.Items), nil
		},
		Params: o.Params,
		Namespace: func(ctx context.Context, name string) (*corev1.Namespace, error) {
			return plugins.Namespace(ctx, reader, name)
		},
		Authorizer: permissions,
	})
}

// ifEnabled returns list, or if it is not enabled a function that lists nothing.
func ifEnabled[T any](enabled bool, list func(context.Context) ([]T, error)) func(context.Context) ([]T, error) {
	if enabled {
		return list
	}
	return func(context.Context) ([]T, error) { return nil, nil }
}

// notifyHooks notifies the hooks of changes in a store of configurations.
func (r *Resources) notifyHooks(store *registry.Store) {
	store.AfterCreate = func(obj runtime.Object, _ *metav1.CreateOptions) { r.hooks.Changed(obj) }
	store.AfterUpdate = func(obj runtime.Object, _ *metav1.UpdateOptions) { r.hooks.Changed(obj) }
	store.AfterDelete = func(obj runtime.Object, _ *metav1.DeleteOptions) { r.hooks.Changed(obj) }
}

func pointers[T any](items []T) []*T {
	out := make([]*T, len(items))
	for i := range items {
		out[i] = &items[i]
	}
	return out
}
