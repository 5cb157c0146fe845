package discovery_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"

	"github.com/listwatch/listwatch/runtime/discovery"
	"github.com/listwatch/listwatch/runtime/openapi"
	"github.com/listwatch/listwatch/runtime/rest"
)

// ServerVersion implements discovery.DiscoveryInterface.
func (c oldClient) ServerVersion() (*version.Info, error) {
	return &version.Info{GitVersion: "v1.2.3"}, c.err
}

// OpenAPIV3 implements discovery.DiscoveryInterface.
func (c oldClient) OpenAPIV3() openapi.Client { return oldDocuments{c.err} }

// oldDocuments is an OpenAPI client without contexts.
type oldDocuments struct{ err error }

func (d oldDocuments) Paths() (map[string]openapi.GroupVersion, error) {
	return map[string]openapi.GroupVersion{"api/v1": nil}, d.err
}

// oldAggregated is an oldClient with aggregated discovery.
type oldAggregated struct{ oldClient }

func (c oldAggregated) GroupsAndMaybeResources() (*metav1.APIGroupList, map[schema.GroupVersion]*metav1.APIResourceList, map[schema.GroupVersion]error, error) {
	b := schema.GroupVersion{Group: "b", Version: "v1"}
	return c.groups, map[schema.GroupVersion]*metav1.APIResourceList{b: resources("b/v1", "told")}, nil, c.err
}

// halfAggregated has all methods in both forms except one.
type halfAggregated struct {
	discovery.DiscoveryInterfaceWithContext
	oldAggregated
}

func (h halfAggregated) RESTClient() rest.Interface { return nil }

// oldCached is an oldClient with a cache.
type oldCached struct {
	oldClient
	invalidated *int
}

func (c oldCached) Fresh() bool { return *c.invalidated > 0 }
func (c oldCached) Invalidate() { *c.invalidated++ }

func anOldClient() oldClient {
	return oldClient{
		groups:    &metav1.APIGroupList{Groups: []metav1.APIGroup{group("a", "v1"), group("b", "v1")}},
		resources: map[string]*metav1.APIResourceList{"a/v1": resources("a/v1", "x", "y!")},
	}
}

func TestWithContext(t *testing.T) {
	old := anOldClient()
	wrapped := discovery.ToDiscoveryInterfaceWithContext(old)
	ctx := t.Context()
	if groups, err := wrapped.ServerGroupsWithContext(ctx); err != nil || groups != old.groups {
		t.Errorf("groups: got %v, %v", groups, err)
	}
	if paths, err := wrapped.OpenAPIV3WithContext(ctx).PathsWithContext(ctx); err != nil || len(paths) != 1 {
		t.Errorf("documents: got %v, %v", paths, err)
	}
	if list, err := wrapped.ServerResourcesForGroupVersionWithContext(ctx, "a/v1"); err != nil || list != old.resources["a/v1"] {
		t.Errorf("resources: got %v, %v", list, err)
	}
	if v, err := wrapped.ServerVersionWithContext(ctx); err != nil || v.GitVersion != "v1.2.3" {
		t.Errorf("version: got %v, %v", v, err)
	}
	if wrapped.RESTClient() != nil {
		t.Error("there is a REST client")
	}
	legacy := wrapped.WithLegacyWithContext(ctx)
	// A list that is returned with an error is used.
	all := []string{"a/v1: x y", "b/v1: outdated"}
	groups, lists, err := legacy.ServerGroupsAndResourcesWithContext(ctx)
	if d := cmp.Diff(all, digest(lists)); d != "" || len(groups) != 2 || !discovery.IsGroupDiscoveryFailedError(err) {
		t.Errorf("all: got %v, %v (-want +got):\n%s", groups, err, d)
	}
	lists, err = wrapped.ServerPreferredResourcesWithContext(ctx)
	if d := cmp.Diff(all, digest(lists)); d != "" || !discovery.IsGroupDiscoveryFailedError(err) {
		t.Errorf("preferred: %v (-want +got):\n%s", err, d)
	}
	lists, err = wrapped.ServerPreferredNamespacedResourcesWithContext(ctx)
	if d := cmp.Diff([]string{"a/v1: x", "b/v1: outdated"}, digest(lists)); d != "" || !discovery.IsGroupDiscoveryFailedError(err) {
		t.Errorf("namespaced: %v (-want +got):\n%s", err, d)
	}
}

func TestAggregatedWithContext(t *testing.T) {
	old := oldAggregated{anOldClient()}
	_, lists, err := discovery.ServerGroupsAndResources(old)
	if d := cmp.Diff([]string{"b/v1: told"}, digest(lists)); d != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
	wrapped := discovery.ToAggregatedDiscoveryInterfaceWithContext(old)
	groups, _, _, err := wrapped.GroupsAndMaybeResourcesWithContext(t.Context())
	if groups != old.groups || err != nil {
		t.Errorf("got %v, %v", groups, err)
	}
	// An implementation may have both forms, but the aggregated one only without contexts.
	half := halfAggregated{discovery.ToDiscoveryInterfaceWithContext(old.oldClient), old}
	_, lists, err = discovery.ServerGroupsAndResourcesWithContext(t.Context(), half)
	if d := cmp.Diff([]string{"b/v1: told"}, digest(lists)); d != "" || err != nil {
		t.Errorf("half: %v (-want +got):\n%s", err, d)
	}
}

func TestCachedWithContext(t *testing.T) {
	old := oldCached{anOldClient(), new(int)}
	wrapped := discovery.ToCachedDiscoveryInterfaceWithContext(old)
	if wrapped.FreshWithContext(t.Context()) {
		t.Error("fresh before it was invalidated")
	}
	wrapped.InvalidateWithContext(t.Context())
	if !wrapped.FreshWithContext(t.Context()) {
		t.Error("not fresh after it was invalidated")
	}
}

// An implementation with both forms is not wrapped, and nil stays nil.
func TestWithContextItself(t *testing.T) {
	client := discovery.NewDiscoveryClient(nil)
	for name, same := range map[string]bool{
		"discovery":      discovery.ToDiscoveryInterfaceWithContext(client) == discovery.DiscoveryInterfaceWithContext(client),
		"aggregated":     discovery.ToAggregatedDiscoveryInterfaceWithContext(client) == discovery.AggregatedDiscoveryInterfaceWithContext(client),
		"groups":         discovery.ToServerGroupsInterfaceWithContext(client) == discovery.ServerGroupsInterfaceWithContext(client),
		"resources":      discovery.ToServerResourcesInterfaceWithContext(client) == discovery.ServerResourcesInterfaceWithContext(client),
		"version":        discovery.ToServerVersionInterfaceWithContext(client) == discovery.ServerVersionInterfaceWithContext(client),
		"documents":      discovery.OpenAPIV3ToSchemaInterfaceWithContext(client) == discovery.OpenAPIV3SchemaInterfaceWithContext(client),
		"nil documents":  discovery.OpenAPIV3ToSchemaInterfaceWithContext(nil) == nil,
		"nil discovery":  discovery.ToDiscoveryInterfaceWithContext(nil) == nil,
		"nil aggregated": discovery.ToAggregatedDiscoveryInterfaceWithContext(nil) == nil,
		"nil cached":     discovery.ToCachedDiscoveryInterfaceWithContext(nil) == nil,
		"nil groups":     discovery.ToServerGroupsInterfaceWithContext(nil) == nil,
		"nil resources":  discovery.ToServerResourcesInterfaceWithContext(nil) == nil,
		"nil version":    discovery.ToServerVersionInterfaceWithContext(nil) == nil,
	} {
		if !same {
			t.Errorf("%s: wrapped", name)
		}
	}
}

func TestErrorsOfOthers(t *testing.T) {
	broken := errors.New("broken")
	old := oldClient{err: broken}
	if groups, lists, err := discovery.ServerGroupsAndResources(old); !errors.Is(err, broken) || groups != nil || lists != nil {
		t.Errorf("all: got %v, %v, %v", groups, lists, err)
	}
	if lists, err := discovery.ServerPreferredResources(oldAggregated{old}); !errors.Is(err, broken) || lists != nil {
		t.Errorf("preferred: got %v, %v", lists, err)
	}
	// Groups that are returned with an error are used, like lists.
	old = anOldClient()
	old.err = broken
	if groups, lists, err := discovery.ServerGroupsAndResources(oldAggregated{old}); err != nil || len(groups) != 2 || len(lists) != 1 {
		t.Errorf("outdated: got %v, %v, %v", groups, lists, err)
	}
	// No groups and no error, as a fake without setup returns.
	if groups, lists, err := discovery.ServerGroupsAndResources(oldClient{}); err != nil || len(groups)+len(lists) > 0 {
		t.Errorf("nothing: got %v, %v, %v", groups, lists, err)
	}
}
