package builtin

import (
	"context"
	"slices"

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
	mutatingWebhook    = "MutatingAdmissionWebhook"
	validatingPolicy   = "ValidatingAdmissionPolicy"
	validatingWebhook  = "ValidatingAdmissionWebhook"
	resourceQuota      = "ResourceQuota"
)

// Plugins are the names of the admission plugins whose effects can be disabled. Each is enabled by default, as in
// the real server.
func Plugins() []string {
	return []string{
		namespaceLifecycle, limitRanger, taintNodes, podPriority, defaultToleration, storageInUse,
		mutatingWebhook, validatingPolicy, validatingWebhook, resourceQuota,
	}
}

// enabled reports whether an admission plugin has an effect.
func (r *Resources) enabled(plugin string) bool {
	return !slices.Contains(r.options.WithoutPlugins, plugin)
}

// newAdmission returns what is enabled.
func (r *Resources) newAdmission() admission.Interface {
	chain := []admission.Interface{&namespaceLife{resources: r}}
	if r.enabled(limitRanger) {
		chain = append(chain, &limiter{resources: r})
	}
	chain = append(chain, r.hooks)
	if r.enabled(resourceQuota) {
		chain = append(chain, &accountant{resources: r})
	}
	return &admitted{admission.NewChainHandler(chain...)}
}

// ifEnabled returns list, or a function that lists nothing if a plugin is disabled.
func ifEnabled[T any](r *Resources, plugin string, list func(context.Context) ([]T, error)) func(context.Context) ([]T, error) {
	if r.enabled(plugin) {
		return list
	}
	return func(context.Context) ([]T, error) { return nil, nil }
}
