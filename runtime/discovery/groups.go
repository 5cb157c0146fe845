package discovery

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/compat"
)

// ServerGroups returns the groups with their versions, the core group first.
func (d *DiscoveryClient) ServerGroups() (*metav1.APIGroupList, error) {
	return d.ServerGroupsWithContext(context.Background())
}

// ServerGroupsWithContext returns the groups with their versions, the core group first. Stale versions of
// groups are omitted.
func (d *DiscoveryClient) ServerGroupsWithContext(ctx context.Context) (*metav1.APIGroupList, error) {
	groups, _, _, err := d.GroupsAndMaybeResourcesWithContext(ctx)
	return groups, err
}

// GroupsAndMaybeResources is GroupsAndMaybeResourcesWithContext without a context.
func (d *DiscoveryClient) GroupsAndMaybeResources() (*metav1.APIGroupList, map[schema.GroupVersion]*metav1.APIResourceList, map[schema.GroupVersion]error, error) {
	return d.GroupsAndMaybeResourcesWithContext(context.Background())
}

// GroupsAndMaybeResourcesWithContext returns the groups with their versions, the core group first; their
// resources if both endpoints support aggregated discovery, otherwise nil; and a [StaleGroupVersionError] for
// each stale version. The map of errors is nil only if an error is returned.
func (d *DiscoveryClient) GroupsAndMaybeResourcesWithContext(ctx context.Context) (*metav1.APIGroupList, map[schema.GroupVersion]*metav1.APIResourceList, map[schema.GroupVersion]error, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, nil, err
	}
	core, err := d.core(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	named, err := d.named(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	all := core.join(named)
	return all.groups, all.resources, all.stale, nil
}

// index is the content of an endpoint. Resources is nil if it lists groups only; stale is never nil.
type index struct {
	groups    *metav1.APIGroupList
	resources map[schema.GroupVersion]*metav1.APIResourceList
	stale     map[schema.GroupVersion]error
}

func newIndex() index {
	return index{groups: &metav1.APIGroupList{}, stale: map[schema.GroupVersion]error{}}
}

// join appends other, modifying i.
func (i index) join(other index) index {
	i.groups.Groups = append(i.groups.Groups, other.groups.Groups...)
	maps.Copy(i.stale, other.stale)
	if i.resources == nil || other.resources == nil {
		i.resources = nil
		return i
	}
	maps.Copy(i.resources, other.resources)
	return i
}

// core requests the core group from /api. A server without one, such as one that serves an aggregated API,
// responds with 404.
func (d *DiscoveryClient) core(ctx context.Context) (index, error) {
	body, aggregated, err := d.get(ctx, "/api")
	switch {
	case apierrors.IsNotFound(err):
		i := newIndex()
		i.resources = map[schema.GroupVersion]*metav1.APIResourceList{}
		return i, nil
	case err != nil:
		return index{}, err
	case aggregated:
		return parseAggregated("/api", body)
	}
	var versions metav1.APIVersions
	if err := json.Unmarshal(body, &versions); err != nil {
		return index{}, unreadable("/api", err)
	}
	i := newIndex()
	i.groups.Groups = []metav1.APIGroup{coreGroup(versions.Versions)}
	return i, nil
}

// coreGroup returns the core group with these versions, of which the first is preferred.
func coreGroup(versions []string) metav1.APIGroup {
	var group metav1.APIGroup
	for _, v := range versions {
		group.Versions = append(group.Versions, metav1.GroupVersionForDiscovery{GroupVersion: v, Version: v})
	}
	if len(group.Versions) > 0 {
		group.PreferredVersion = group.Versions[0]
	}
	return group
}

// named requests all named groups from /apis.
func (d *DiscoveryClient) named(ctx context.Context) (index, error) {
	body, aggregated, err := d.get(ctx, "/apis")
	switch {
	case err != nil:
		return index{}, err
	case aggregated:
		return parseAggregated("/apis", body)
	}
	i := newIndex()
	if err := json.Unmarshal(body, i.groups); err != nil {
		return index{}, unreadable("/apis", err)
	}
	return i, nil
}

// refused returns the error of a request to a path. The server's error does not contain the path. It is returned as
// it is if [compat.IsClientGo].
func refused(path string, err error) error {
	var status apierrors.APIStatus
	if compat.IsClientGo() || !errors.As(err, &status) {
		return err
	}
	return fmt.Errorf("discovery at %s: %w", path, err)
}

// unreadable returns the error of an invalid response from a path: err itself if [compat.IsClientGo].
func unreadable(path string, err error) error {
	if compat.IsClientGo() {
		return err
	}
	return fmt.Errorf("discovery at %s: response is not a discovery document, it may not come from the API server: %w", path, err)
}

// get requests a discovery document and reports whether it is an aggregated one.
func (d *DiscoveryClient) get(ctx context.Context, path string) (body []byte, aggregated bool, err error) {
	var contentType string
	result := d.document(path).
		SetHeader("Accept", d.accept()).
		Do(ctx).
		ContentType(&contentType)
	if err = result.Error(); err != nil {
		return nil, false, refused(path, err)
	}
	body, err = result.Raw()
	if err != nil {
		return nil, false, err
	}
	// Without a readable type, the document is a legacy one.
	aggregated, _ = ContentTypeIsGVK(contentType, aggregatedKind)
	return body, aggregated, nil
}
