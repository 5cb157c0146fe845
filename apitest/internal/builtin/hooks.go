package builtin

import (
	"context"
	"fmt"

	"github.com/listwatch/listwatch/apitest/internal/hooks"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/registry/generic/registry"
)

var (
	mutatingHooks   = admissionv1.SchemeGroupVersion.WithResource("mutatingwebhookconfigurations")
	validatingHooks = admissionv1.SchemeGroupVersion.WithResource("validatingwebhookconfigurations")
	policies        = admissionv1.SchemeGroupVersion.WithResource("validatingadmissionpolicies")
	policyBindings  = admissionv1.SchemeGroupVersion.WithResource("validatingadmissionpolicybindings")
)

// newHooks returns the caller of the webhooks whose configurations are stored.
func (r *Resources) newHooks() *hooks.Hooks {
	return hooks.New(hooks.Options{
		Mutating: ifEnabled(r, mutatingWebhook, func(ctx context.Context) ([]*admissionv1.MutatingWebhookConfiguration, error) {
			list := &admissionv1.MutatingWebhookConfigurationList{}
			err := listAll(ctx, r, mutatingHooks, &list)
			return pointers(list.Items), err
		}),
		Validating: ifEnabled(r, validatingWebhook, func(ctx context.Context) ([]*admissionv1.ValidatingWebhookConfiguration, error) {
			list := &admissionv1.ValidatingWebhookConfigurationList{}
			err := listAll(ctx, r, validatingHooks, &list)
			return pointers(list.Items), err
		}),
		Policies: ifEnabled(r, validatingPolicy, func(ctx context.Context) ([]*admissionv1.ValidatingAdmissionPolicy, error) {
			list := &admissionv1.ValidatingAdmissionPolicyList{}
			err := listAll(ctx, r, policies, &list)
			return pointers(list.Items), err
		}),
		Bindings: func(ctx context.Context) ([]*admissionv1.ValidatingAdmissionPolicyBinding, error) {
			list := &admissionv1.ValidatingAdmissionPolicyBindingList{}
			err := listAll(ctx, r, policyBindings, &list)
			return pointers(list.Items), err
		},
		Params:     r.options.Params,
		Namespace:  r.namespace,
		Authorizer: r.options.Authorizer,
	})
}

// tellHooks notifies the hooks of changes in a store of configurations.
func (r *Resources) tellHooks(store *registry.Store) {
	store.AfterCreate = func(obj runtime.Object, _ *metav1.CreateOptions) { r.hooks.Changed(obj) }
	store.AfterUpdate = func(obj runtime.Object, _ *metav1.UpdateOptions) { r.hooks.Changed(obj) }
	store.AfterDelete = func(obj runtime.Object, _ *metav1.DeleteOptions) { r.hooks.Changed(obj) }
}

// listAll sets list to all objects of a cluster-scoped resource.
func listAll[L runtime.Object](ctx context.Context, r *Resources, gvr schema.GroupVersionResource, list *L) error {
	def, err := r.catalog.Find(gvr)
	if err != nil || def == nil {
		return err
	}
	st, err := r.storage(def)
	if err != nil {
		return err
	}
	got, err := st.store.List(ctx, &internalversion.ListOptions{})
	if err != nil {
		return fmt.Errorf("list %s: %w", gvr.Resource, err)
	}
	typed, ok := got.(L)
	if !ok {
		return fmt.Errorf("list %s: got a %T", gvr.Resource, got)
	}
	*list = typed
	return nil
}

func pointers[T any](items []T) []*T {
	out := make([]*T, len(items))
	for i := range items {
		out[i] = &items[i]
	}
	return out
}

// admitted makes plugins process an object again, once, if a webhook has modified it after them.
type admitted struct{ admission.Interface }

// Admit implements admission.MutationInterface.
func (d *admitted) Admit(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	plugins, ok := d.Interface.(admission.MutationInterface)
	if !ok {
		return nil
	}
	if err := plugins.Admit(ctx, a, o); err != nil {
		return err
	}
	again := a.GetReinvocationContext()
	if !again.ShouldReinvoke() {
		return nil
	}
	again.SetIsReinvoke()
	return plugins.Admit(ctx, a, o)
}

// Validate implements admission.ValidationInterface.
func (d *admitted) Validate(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	if plugins, ok := d.Interface.(admission.ValidationInterface); ok {
		return plugins.Validate(ctx, a, o)
	}
	return nil
}
