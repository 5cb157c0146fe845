package builtin

import (
	"context"

	"github.com/listwatch/listwatch/apitest/internal/builtin/codec"
	"github.com/listwatch/listwatch/apitest/internal/builtin/plugins"
	"github.com/listwatch/listwatch/apitest/internal/builtin/stores"
	"github.com/listwatch/listwatch/apitest/internal/hooks"
	"github.com/listwatch/listwatch/apitest/internal/rbac"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/registry/generic/registry"
)

var (
	mutatingHooks      = admissionv1.SchemeGroupVersion.WithResource("mutatingwebhookconfigurations")
	validatingHooks    = admissionv1.SchemeGroupVersion.WithResource("validatingwebhookconfigurations")
	mutatingPolicies   = admissionv1.SchemeGroupVersion.WithResource("mutatingadmissionpolicies")
	mutatingBindings   = admissionv1.SchemeGroupVersion.WithResource("mutatingadmissionpolicybindings")
	validatingPolicies = admissionv1.SchemeGroupVersion.WithResource("validatingadmissionpolicies")
	validatingBindings = admissionv1.SchemeGroupVersion.WithResource("validatingadmissionpolicybindings")
)

// newHooks returns the caller of the webhooks whose configurations are stored.
func newHooks(o Options, reader stores.Reader, permissions rbac.Permissions) *hooks.Hooks {
	disabled := plugins.Disabled(o.WithoutPlugins)
	return hooks.New(hooks.Options{
		Transport: o.Webhooks,
		Mutating: ifEnabled(disabled.Enabled(plugins.MutatingWebhook), lister(reader, mutatingHooks,
			func(l *admissionv1.MutatingWebhookConfigurationList) []admissionv1.MutatingWebhookConfiguration {
				return l.Items
			})),
		Validating: ifEnabled(disabled.Enabled(plugins.ValidatingWebhook), lister(reader, validatingHooks,
			func(l *admissionv1.ValidatingWebhookConfigurationList) []admissionv1.ValidatingWebhookConfiguration {
				return l.Items
			})),
		MutatingPolicies: ifEnabled(disabled.Enabled(plugins.MutatingPolicy), lister(reader, mutatingPolicies,
			func(l *admissionv1.MutatingAdmissionPolicyList) []admissionv1.MutatingAdmissionPolicy { return l.Items })),
		MutatingBindings: lister(reader, mutatingBindings,
			func(l *admissionv1.MutatingAdmissionPolicyBindingList) []admissionv1.MutatingAdmissionPolicyBinding {
				return l.Items
			}),
		ValidatingPolicies: ifEnabled(disabled.Enabled(plugins.ValidatingPolicy), lister(reader, validatingPolicies,
			func(l *admissionv1.ValidatingAdmissionPolicyList) []admissionv1.ValidatingAdmissionPolicy {
				return l.Items
			})),
		ValidatingBindings: lister(reader, validatingBindings,
			func(l *admissionv1.ValidatingAdmissionPolicyBindingList) []admissionv1.ValidatingAdmissionPolicyBinding {
				return l.Items
			}),
		Params: o.Params,
		Types: func(ctx context.Context, kind schema.GroupVersionKind) managedfields.TypeConverter {
			if o.Types != nil {
				if found := o.Types(ctx, kind); found != nil {
					return found
				}
			}
			return codec.Merge(true)
		},
		Namespace: func(ctx context.Context, name string) (*corev1.Namespace, error) {
			return plugins.Namespace(ctx, reader, name)
		},
		Authorizer: permissions,
	})
}

// lister returns a function that lists all objects of a resource, which are the items of an L.
func lister[L, T any](reader stores.Reader, gvr schema.GroupVersionResource, items func(*L) []T) func(context.Context) ([]*T, error) {
	return func(ctx context.Context) ([]*T, error) {
		list, err := stores.List[L](ctx, reader, gvr, metav1.NamespaceAll)
		if err != nil {
			return nil, err
		}
		all := items(list)
		out := make([]*T, len(all))
		for i := range all {
			out[i] = &all[i]
		}
		return out, nil
	}
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
