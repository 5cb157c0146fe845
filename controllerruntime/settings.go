package controllerruntime

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
)

// settings are the options of a cache by kind.
type settings struct {
	byKind     map[schema.GroupVersionKind]cache.ByObject
	namespaces map[string]cache.Config // of kinds without their own
	defaults   cache.Config
}

// scope is one source of the objects of a kind: a namespace, or all namespaces except some.
type scope struct {
	namespace string
	except    []string
	cache.Config
}

// scopes are the sources of the objects of a kind, sorted by namespace.
type scopes []scope

func newSettings(opts cache.Options) (*settings, error) {
	s := &settings{
		byKind:     map[schema.GroupVersionKind]cache.ByObject{},
		namespaces: maps.Clone(opts.DefaultNamespaces),
		defaults: cache.Config{
			LabelSelector:         opts.DefaultLabelSelector,
			FieldSelector:         opts.DefaultFieldSelector,
			Transform:             opts.DefaultTransform,
			UnsafeDisableDeepCopy: opts.DefaultUnsafeDisableDeepCopy,
			EnableWatchBookmarks:  opts.DefaultEnableWatchBookmarks,
			SyncPeriod:            opts.SyncPeriod,
		},
	}
	for obj, own := range opts.ByObject {
		gvk, err := apiutil.GVKForObject(obj, opts.Scheme)
		if err != nil {
			return nil, fmt.Errorf("failed to get GVK for type %T: %w", obj, err)
		}
		namespaced, err := apiutil.IsGVKNamespaced(gvk, opts.Mapper)
		if err != nil {
			return nil, fmt.Errorf("failed to determine if %T is namespaced: %w", obj, err)
		}
		if !namespaced && own.Namespaces != nil {
			return nil, fmt.Errorf("type %T is not namespaced, but its ByObject.Namespaces setting is not nil", obj)
		}
		own.Namespaces = maps.Clone(own.Namespaces)
		if !namespaced {
			own.Namespaces = map[string]cache.Config{} // not those of other kinds
		}
		s.byKind[gvk] = own
	}
	return s, nil
}

// limits reports whether there are namespaces for a kind, if it has any.
func (s *settings) limits(gvk schema.GroupVersionKind) bool { return len(s.namespacesOf(gvk)) > 0 }

// namespacesOf returns the namespaces of a kind that has any, none for all.
func (s *settings) namespacesOf(gvk schema.GroupVersionKind) map[string]cache.Config {
	if own := s.byKind[gvk]; own.Namespaces != nil {
		return own.Namespaces
	}
	return s.namespaces
}

// scopes returns the sources of a kind, each with all of its settings. There is at least one.
func (s *settings) scopes(gvk schema.GroupVersionKind, namespaced bool) scopes {
	own, hasOwn := s.byKind[gvk]
	kind := cache.Config{
		LabelSelector:         own.Label,
		FieldSelector:         own.Field,
		Transform:             own.Transform,
		UnsafeDisableDeepCopy: own.UnsafeDisableDeepCopy,
		EnableWatchBookmarks:  own.EnableWatchBookmarks,
		SyncPeriod:            own.SyncPeriod,
	}
	namespaces := s.namespacesOf(gvk)
	if !namespaced || len(namespaces) == 0 {
		return scopes{{Config: first(kind, s.defaults)}}
	}
	var out scopes
	for _, namespace := range slices.Sorted(maps.Keys(namespaces)) {
		one := scope{namespace: namespace, Config: first(namespaces[namespace], kind)}
		if hasOwn {
			one.Config = first(one.Config, s.namespaces[namespace])
		}
		one.Config = first(one.Config, s.defaults)
		if namespace == metav1.NamespaceAll {
			one.excludeOthers(namespaces)
		}
		out = append(out, one)
	}
	return out
}

// excludeOthers makes a scope of all namespaces one of all namespaces except others.
func (s *scope) excludeOthers(others map[string]cache.Config) {
	var all []fields.Selector
	for _, namespace := range slices.Sorted(maps.Keys(others)) {
		if namespace != metav1.NamespaceAll {
			s.except = append(s.except, namespace)
			all = append(all, fields.OneTermNotEqualSelector("metadata.namespace", namespace))
		}
	}
	if s.FieldSelector != nil {
		all = append(all, s.FieldSelector)
	}
	s.FieldSelector = fields.AndSelectors(all...)
}

// requested returns the namespace in the paths of a scope's requests, empty for all namespaces.
func (s *scope) requested() string {
	if s.namespace == "" && s.FieldSelector != nil {
		namespace, _ := s.FieldSelector.RequiresExactMatch("metadata.namespace")
		return namespace
	}
	return s.namespace
}

// first returns the settings of a, and those of b that a lacks.
func first(a, b cache.Config) cache.Config {
	if a.LabelSelector == nil {
		a.LabelSelector = b.LabelSelector
	}
	if a.FieldSelector == nil {
		a.FieldSelector = b.FieldSelector
	}
	if a.Transform == nil {
		a.Transform = b.Transform
	}
	a.UnsafeDisableDeepCopy = cmp.Or(a.UnsafeDisableDeepCopy, b.UnsafeDisableDeepCopy)
	a.EnableWatchBookmarks = cmp.Or(a.EnableWatchBookmarks, b.EnableWatchBookmarks)
	a.SyncPeriod = cmp.Or(a.SyncPeriod, b.SyncPeriod)
	return a
}

// isTrue returns what a setting points to, otherwise the default.
func isTrue(setting *bool, otherwise bool) bool {
	if setting == nil {
		return otherwise
	}
	return *setting
}
