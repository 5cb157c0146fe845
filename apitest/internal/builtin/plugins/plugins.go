// Package plugins is the admission of the server: what the real server's admission plugins do by default, which can be
// disabled by the names of plugins.
//
// [New] returns it for all resources. In this order: namespaces must exist, objects get the fields that plugins set,
// LimitRanges are applied, webhooks and policies are called, and ResourceQuotas are counted. If a webhook modifies an
// object after them, everything is done once more.
//
// Limits: there are no other plugins; among them are ServiceAccount, which mounts tokens, DefaultStorageClass and
// PodSecurity.
package plugins

import (
	"context"
	"slices"

	"github.com/listwatch/listwatch/apitest/internal/builtin/stores"
	"k8s.io/apiserver/pkg/admission"
)

// Names of the real server's admission plugins whose effects can be disabled.
const (
	namespaceLifecycle = "NamespaceLifecycle"
	limitRanger        = "LimitRanger"
	taintNodes         = "TaintNodesByCondition"
	podPriority        = "Priority"
	defaultToleration  = "DefaultTolerationSeconds"
	storageInUse       = "StorageObjectInUseProtection"
	MutatingWebhook    = "MutatingAdmissionWebhook"
	ValidatingPolicy   = "ValidatingAdmissionPolicy"
	ValidatingWebhook  = "ValidatingAdmissionWebhook"
	resourceQuota      = "ResourceQuota"
)

// Names returns the names of the admission plugins whose effects can be disabled. Each is enabled by default, as in
// the real server.
func Names() []string {
	return []string{
		namespaceLifecycle, limitRanger, taintNodes, podPriority, defaultToleration, storageInUse,
		MutatingWebhook, ValidatingPolicy, ValidatingWebhook, resourceQuota,
	}
}

// Disabled are the names of plugins that have no effect.
type Disabled []string

// Enabled reports whether a plugin has an effect.
func (d Disabled) Enabled(plugin string) bool { return !slices.Contains(d, plugin) }

// Options of the admission. All except Disabled are required.
type Options struct {
	Reader     stores.Reader
	Namespaces bool                // the scheme contains namespaces; otherwise every one is considered to exist
	Hooks      admission.Interface // calls webhooks and policies
	Disabled   Disabled
}

// New returns the admission.
func New(o Options) admission.Interface {
	var chain []admission.Interface
	if o.Disabled.Enabled(namespaceLifecycle) {
		chain = append(chain, &lifecycle{o.Reader, o.Namespaces})
	}
	chain = append(chain, &objectDefaults{o.Reader, o.Disabled})
	if o.Disabled.Enabled(limitRanger) {
		chain = append(chain, &limiter{o.Reader})
	}
	chain = append(chain, o.Hooks)
	if o.Disabled.Enabled(resourceQuota) {
		chain = append(chain, &quotaAdmission{reader: o.Reader})
	}
	return &reinvoked{admission.NewChainHandler(chain...)}
}

// reinvoked makes plugins process an object again, once, if a webhook has modified it after them.
type reinvoked struct{ admission.Interface }

// Admit implements admission.MutationInterface.
func (r *reinvoked) Admit(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	plugins, ok := r.Interface.(admission.MutationInterface)
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
func (r *reinvoked) Validate(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	if plugins, ok := r.Interface.(admission.ValidationInterface); ok {
		return plugins.Validate(ctx, a, o)
	}
	return nil
}
