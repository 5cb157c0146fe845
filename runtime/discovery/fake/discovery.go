package fake

import (
	"context"
	"fmt"
	"net/http"
	"runtime"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"

	"github.com/listwatch/listwatch/runtime/discovery"
	"github.com/listwatch/listwatch/runtime/openapi"
	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/listwatch/listwatch/runtime/testing"
)

// FakeDiscovery returns the Resources of its Fake, and records each call there.
type FakeDiscovery struct { //nolint:revive // the name is client-go's
	*testing.Fake
	// FakedServerVersion is returned by ServerVersion, if set.
	FakedServerVersion *version.Info
}

var _ discovery.DiscoveryInterfaces = &FakeDiscovery{}

// ServerResourcesForGroupVersion returns the list of the group version among
// Resources, itself, or a 404.
func (c *FakeDiscovery) ServerResourcesForGroupVersion(groupVersion string) (*metav1.APIResourceList, error) {
	return c.ServerResourcesForGroupVersionWithContext(context.Background(), groupVersion)
}

// ServerResourcesForGroupVersionWithContext returns the list of the group version
// among Resources, itself, or a 404.
func (c *FakeDiscovery) ServerResourcesForGroupVersionWithContext(_ context.Context, groupVersion string) (*metav1.APIResourceList, error) {
	if err := c.ask("resource"); err != nil {
		return nil, err
	}
	for _, list := range c.Resources {
		if list.GroupVersion == groupVersion {
			return list, nil
		}
	}
	return nil, &apierrors.StatusError{ErrStatus: metav1.Status{
		Status:  metav1.StatusFailure,
		Code:    http.StatusNotFound,
		Reason:  metav1.StatusReasonNotFound,
		Message: fmt.Sprintf("the server could not find the requested resource, GroupVersion %q not found", groupVersion),
	}}
}

// ServerGroupsAndResources returns the groups of Resources, and Resources itself.
func (c *FakeDiscovery) ServerGroupsAndResources() ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	return c.ServerGroupsAndResourcesWithContext(context.Background())
}

// ServerGroupsAndResourcesWithContext returns the groups of Resources, and
// Resources itself.
func (c *FakeDiscovery) ServerGroupsAndResourcesWithContext(ctx context.Context) ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	list, err := c.ServerGroupsWithContext(ctx)
	if err != nil {
		return nil, nil, err
	}
	groups := []*metav1.APIGroup{}
	for i := range list.Groups {
		groups = append(groups, &list.Groups[i])
	}
	return groups, c.Resources, c.ask("resource")
}

// ServerPreferredResources returns nothing.
func (c *FakeDiscovery) ServerPreferredResources() ([]*metav1.APIResourceList, error) {
	return c.ServerPreferredResourcesWithContext(context.Background())
}

// ServerPreferredResourcesWithContext returns nothing.
func (c *FakeDiscovery) ServerPreferredResourcesWithContext(context.Context) ([]*metav1.APIResourceList, error) {
	return nil, nil
}

// ServerPreferredNamespacedResources returns nothing.
func (c *FakeDiscovery) ServerPreferredNamespacedResources() ([]*metav1.APIResourceList, error) {
	return c.ServerPreferredNamespacedResourcesWithContext(context.Background())
}

// ServerPreferredNamespacedResourcesWithContext returns nothing.
func (c *FakeDiscovery) ServerPreferredNamespacedResourcesWithContext(context.Context) ([]*metav1.APIResourceList, error) {
	return nil, nil
}

// ServerGroups returns the groups of Resources, in their order. The first version
// of each is preferred.
func (c *FakeDiscovery) ServerGroups() (*metav1.APIGroupList, error) {
	return c.ServerGroupsWithContext(context.Background())
}

// ServerGroupsWithContext returns the groups of Resources, in their order. The
// first version of each is preferred.
func (c *FakeDiscovery) ServerGroupsWithContext(context.Context) (*metav1.APIGroupList, error) {
	if err := c.ask("group"); err != nil {
		return nil, err
	}
	list := &metav1.APIGroupList{}
	at := map[string]int{} // indexes list.Groups
	for _, res := range c.Resources {
		gv, err := schema.ParseGroupVersion(res.GroupVersion)
		if err != nil {
			return nil, err
		}
		v := metav1.GroupVersionForDiscovery{GroupVersion: res.GroupVersion, Version: gv.Version}
		i, known := at[gv.Group]
		if !known {
			i = len(list.Groups)
			at[gv.Group] = i
			list.Groups = append(list.Groups, metav1.APIGroup{Name: gv.Group, PreferredVersion: v})
		}
		list.Groups[i].Versions = append(list.Groups[i].Versions, v)
	}
	return list, nil
}

// ServerVersion returns FakedServerVersion, or if that is not set, a version of no release.
func (c *FakeDiscovery) ServerVersion() (*version.Info, error) {
	return c.ServerVersionWithContext(context.Background())
}

// ServerVersionWithContext returns FakedServerVersion, or if that is not set, the
// version of no release.
func (c *FakeDiscovery) ServerVersionWithContext(context.Context) (*version.Info, error) {
	if err := c.ask("version"); err != nil {
		return nil, err
	}
	if c.FakedServerVersion != nil {
		return c.FakedServerVersion, nil
	}
	return &version.Info{
		GitVersion: "v0.0.0-master+$Format:%H$",
		GitCommit:  "$Format:%H$",
		BuildDate:  "1970-01-01T00:00:00Z",
		GoVersion:  runtime.Version(),
		Compiler:   runtime.Compiler,
		Platform:   runtime.GOOS + "/" + runtime.GOARCH,
	}, nil
}

// OpenAPIV3 returns a client without documents.
func (c *FakeDiscovery) OpenAPIV3() openapi.Client { return noDocuments{} }

// OpenAPIV3WithContext returns a client without documents.
func (c *FakeDiscovery) OpenAPIV3WithContext(context.Context) openapi.ClientWithContext {
	return noDocuments{}
}

type noDocuments struct{}

func (noDocuments) Paths() (map[string]openapi.GroupVersion, error) {
	return map[string]openapi.GroupVersion{}, nil
}

func (noDocuments) PathsWithContext(context.Context) (map[string]openapi.GroupVersionWithContext, error) {
	return map[string]openapi.GroupVersionWithContext{}, nil
}

// RESTClient returns nil: there is no server.
func (c *FakeDiscovery) RESTClient() rest.Interface { return nil }

// WithLegacy returns c, which knows no other form of discovery.
func (c *FakeDiscovery) WithLegacy() discovery.DiscoveryInterface { return c }

// WithLegacyWithContext returns c, which knows no other form of discovery.
func (c *FakeDiscovery) WithLegacyWithContext(context.Context) discovery.DiscoveryInterfaceWithContext {
	return c
}

// ask records a call under the name what, and returns the error of a reactor.
func (c *FakeDiscovery) ask(what string) error {
	action := testing.ActionImpl{Verb: "get", Resource: schema.GroupVersionResource{Resource: what}}
	_, err := c.Invokes(action, nil)
	return err
}
