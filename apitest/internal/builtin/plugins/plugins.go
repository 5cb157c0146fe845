// Package plugins is the admission of the server: what the real server's admission plugins do.
//
// [New] returns the plugins for all resources, in the order of the real server: those that have default values come
// first, then webhooks and policies are called, and ResourceQuotas are counted. If a webhook or a policy modifies an
// object after them, everything is done once more. [All] describes each plugin of the real server.
//
// Plugins read other objects with a [stores.Reader]: what a write has changed is in force when its response arrives.
package plugins

import (
	"context"
	"slices"

	"github.com/listwatch/listwatch/apitest/internal/builtin/stores"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// Disabled are the names of plugins that have no effect.
type Disabled []string

// Enabled reports whether a plugin has an effect.
func (d Disabled) Enabled(plugin string) bool { return !slices.Contains(d, plugin) }

// Options of the admission. All except Disabled and Optional are required.
type Options struct {
	Reader      stores.Reader
	Namespaces  bool                // the scheme contains namespaces; otherwise every one is considered to exist
	Hooks       admission.Interface // calls the webhooks and policies that are not disabled
	Permissions authorizer.UnconditionalAuthorizer
	// ResourceOf returns the name of the resource of a kind, or "" if it is not served.
	ResourceOf func(context.Context, schema.GroupVersionKind) (string, error)
	Disabled   Disabled
	Optional   []string // names of plugins that have an effect only if they are named
}

// New returns the admission.
func New(o Options) admission.Interface {
	chain := []admission.Interface{requester()}
	for _, p := range table {
		if p.Name == MutatingPolicy {
			chain = append(chain, o.Hooks)
		}
		if p.build == nil || !o.Disabled.Enabled(p.Name) || p.State == Optional && !slices.Contains(o.Optional, p.Name) {
			continue
		}
		chain = append(chain, p.build(o))
	}
	chain = append(chain, administrators(o), bindClaims(o), signPodCertificates(o), readParams(o))
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
