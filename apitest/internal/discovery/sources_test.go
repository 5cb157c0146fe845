package discovery_test

import (
	"sync"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// source has groups that can be changed.
type source struct {
	mu      sync.Mutex // guards the fields below
	groups  []apidiscovery.APIGroupDiscovery
	version uint64
}

func (s *source) Groups() []apidiscovery.APIGroupDiscovery {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.groups
}

func (s *source) Version() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

// change makes the handler read the source again.
func (s *source) change() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
}

// set sets the groups, without another version.
func (s *source) set(groups ...apidiscovery.APIGroupDiscovery) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.groups = groups
}

func sourceOf(groups ...apidiscovery.APIGroupDiscovery) *source {
	return &source{groups: groups}
}

// storing is a source with storage versions.
type storing struct {
	*source
	versions map[schema.GroupResource]string
}

func (s storing) StorageVersion(gr schema.GroupResource) string { return s.versions[gr] }

func group(name string, versions ...apidiscovery.APIVersionDiscovery) apidiscovery.APIGroupDiscovery {
	return apidiscovery.APIGroupDiscovery{ObjectMeta: metav1.ObjectMeta{Name: name}, Versions: versions}
}

func version(name string, resources ...apidiscovery.APIResourceDiscovery) apidiscovery.APIVersionDiscovery {
	return apidiscovery.APIVersionDiscovery{Version: name, Freshness: apidiscovery.DiscoveryFreshnessCurrent, Resources: resources}
}

func resource(name, kind string, subs ...apidiscovery.APISubresourceDiscovery) apidiscovery.APIResourceDiscovery {
	return apidiscovery.APIResourceDiscovery{
		Resource: name, SingularResource: name[:len(name)-1], Scope: apidiscovery.ScopeNamespace,
		ResponseKind: &metav1.GroupVersionKind{Kind: kind},
		Verbs:        []string{"create", "get", "list", "watch"}, Subresources: subs,
	}
}

func sub(name string, kind metav1.GroupVersionKind) apidiscovery.APISubresourceDiscovery {
	return apidiscovery.APISubresourceDiscovery{Subresource: name, ResponseKind: &kind, Verbs: []string{"get", "update"}}
}

// cluster returns the sources of a small server: kinds with Go types, and CRDs.
func cluster() (builtin, custom *source) {
	builtin = sourceOf(
		group("policy", version("v1", resource("poddisruptionbudgets", "PodDisruptionBudget"))),
		group("", version("v1",
			resource("pods", "Pod",
				sub("eviction", metav1.GroupVersionKind{Group: "policy", Version: "v1", Kind: "Eviction"}),
				sub("status", metav1.GroupVersionKind{Kind: "Pod"}),
			),
			apidiscovery.APIResourceDiscovery{
				Resource: "namespaces", SingularResource: "namespace", Scope: apidiscovery.ScopeCluster, ShortNames: []string{"ns"},
				ResponseKind: &metav1.GroupVersionKind{Kind: "Namespace"}, Verbs: []string{"get", "watch"},
			},
			apidiscovery.APIResourceDiscovery{
				Resource: "bindings", SingularResource: "binding", Scope: apidiscovery.ScopeNamespace,
				ResponseKind: &metav1.GroupVersionKind{Kind: "Binding"}, Verbs: []string{"create"},
			},
		)),
		group("apps", version("v1", resource("deployments", "Deployment",
			sub("scale", metav1.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"})))),
		group("autoscaling", version("v1", resource("hpas", "HPA")), version("v2", resource("hpas", "HPA"))),
	)
	custom = sourceOf(
		group("zoo.example", version("v1alpha1", resource("cages", "Cage"))),
		group("apps", version("v1", resource("helms", "Helm"), resource("deployments", "Usurper"))),
		group("farm.example",
			version("v1beta2", resource("cows", "Cow")),
			version("v1", resource("cows", "Cow", sub("status", metav1.GroupVersionKind{Group: "farm.example", Version: "v1", Kind: "Cow"}))),
			version("v2alpha1", resource("cows", "Cow"))),
	)
	return builtin, custom
}
