package fake

import (
	"context"

	openapiv2 "github.com/google/gnostic-models/openapiv2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/version"

	"github.com/listwatch/listwatch/runtime/discovery/fake"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/openapi"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/testing"
)

// FakeDiscovery returns the Resources of its Fake, and records each call there.
type FakeDiscovery struct { //nolint:revive // the name is client-go's
	*testing.Fake
	// FakedServerVersion is returned by ServerVersion, if set.
	FakedServerVersion *version.Info
}

var _ discovery.DiscoveryInterfaces = &FakeDiscovery{}

// narrow returns the fake that does the work.
func (c *FakeDiscovery) narrow() *fake.FakeDiscovery {
	return &fake.FakeDiscovery{Fake: c.Fake, FakedServerVersion: c.FakedServerVersion}
}

// ServerResourcesForGroupVersion returns the list of the group version among Resources, itself, or a 404.
func (c *FakeDiscovery) ServerResourcesForGroupVersion(groupVersion string) (*metav1.APIResourceList, error) {
	return c.narrow().ServerResourcesForGroupVersion(groupVersion)
}

// ServerResourcesForGroupVersionWithContext returns the list of the group version among Resources, itself, or a 404.
func (c *FakeDiscovery) ServerResourcesForGroupVersionWithContext(ctx context.Context, groupVersion string) (*metav1.APIResourceList, error) {
	return c.narrow().ServerResourcesForGroupVersionWithContext(ctx, groupVersion)
}

// ServerGroupsAndResources returns the groups of Resources, and Resources itself.
func (c *FakeDiscovery) ServerGroupsAndResources() ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	return c.narrow().ServerGroupsAndResources()
}

// ServerGroupsAndResourcesWithContext returns the groups of Resources, and Resources itself.
func (c *FakeDiscovery) ServerGroupsAndResourcesWithContext(ctx context.Context) ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	return c.narrow().ServerGroupsAndResourcesWithContext(ctx)
}

// ServerPreferredResources returns nothing.
func (c *FakeDiscovery) ServerPreferredResources() ([]*metav1.APIResourceList, error) {
	return c.narrow().ServerPreferredResources()
}

// ServerPreferredResourcesWithContext returns nothing.
func (c *FakeDiscovery) ServerPreferredResourcesWithContext(ctx context.Context) ([]*metav1.APIResourceList, error) {
	return c.narrow().ServerPreferredResourcesWithContext(ctx)
}

// ServerPreferredNamespacedResources returns nothing.
func (c *FakeDiscovery) ServerPreferredNamespacedResources() ([]*metav1.APIResourceList, error) {
	return c.narrow().ServerPreferredNamespacedResources()
}

// ServerPreferredNamespacedResourcesWithContext returns nothing.
func (c *FakeDiscovery) ServerPreferredNamespacedResourcesWithContext(ctx context.Context) ([]*metav1.APIResourceList, error) {
	return c.narrow().ServerPreferredNamespacedResourcesWithContext(ctx)
}

// ServerGroups returns the groups of Resources. The first version of each is preferred.
func (c *FakeDiscovery) ServerGroups() (*metav1.APIGroupList, error) {
	return c.narrow().ServerGroups()
}

// ServerGroupsWithContext returns the groups of Resources. The first version of each is preferred.
func (c *FakeDiscovery) ServerGroupsWithContext(ctx context.Context) (*metav1.APIGroupList, error) {
	return c.narrow().ServerGroupsWithContext(ctx)
}

// ServerVersion returns FakedServerVersion, or if that is not set, a version of no release.
func (c *FakeDiscovery) ServerVersion() (*version.Info, error) { return c.narrow().ServerVersion() }

// ServerVersionWithContext returns FakedServerVersion, or if that is not set, a version of no release.
func (c *FakeDiscovery) ServerVersionWithContext(ctx context.Context) (*version.Info, error) {
	return c.narrow().ServerVersionWithContext(ctx)
}

// OpenAPISchema returns an empty document.
func (c *FakeDiscovery) OpenAPISchema() (*openapiv2.Document, error) {
	return &openapiv2.Document{}, nil
}

// OpenAPISchemaWithContext returns an empty document.
func (c *FakeDiscovery) OpenAPISchemaWithContext(context.Context) (*openapiv2.Document, error) {
	return &openapiv2.Document{}, nil
}

// OpenAPIV3 returns a client without documents.
func (c *FakeDiscovery) OpenAPIV3() openapi.Client { return c.narrow().OpenAPIV3() }

// OpenAPIV3WithContext returns a client without documents.
func (c *FakeDiscovery) OpenAPIV3WithContext(ctx context.Context) openapi.ClientWithContext {
	return c.narrow().OpenAPIV3WithContext(ctx)
}

// RESTClient returns nil: there is no server.
func (c *FakeDiscovery) RESTClient() rest.Interface { return nil }

// WithLegacy returns c, which knows no other form of discovery.
func (c *FakeDiscovery) WithLegacy() discovery.DiscoveryInterface { return c }

// WithLegacyWithContext returns c, which knows no other form of discovery.
func (c *FakeDiscovery) WithLegacyWithContext(context.Context) discovery.DiscoveryInterfaceWithContext {
	return c
}
