package discovery

import (
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
)

// IsResourceEnabled reports, with one request, whether the server has a resource.
func IsResourceEnabled(client DiscoveryInterface, resourceToCheck schema.GroupVersionResource) (bool, error) {
	list, err := client.ServerResourcesForGroupVersion(resourceToCheck.GroupVersion().String())
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(list.APIResources, func(r metav1.APIResource) bool {
		return r.Name == resourceToCheck.Resource
	}), nil
}

// ServerSupportsVersion returns an error if the server does not list a group version. A server that lists none
// at all passes: the client may not have permission to see them.
func ServerSupportsVersion(client DiscoveryInterface, requiredGV schema.GroupVersion) error {
	groups, err := client.ServerGroups()
	if err != nil {
		return err
	}
	versions := metav1.ExtractGroupVersions(groups)
	if len(versions) > 0 && !slices.Contains(versions, requiredGV.String()) {
		return fmt.Errorf("server does not support API version %q", requiredGV)
	}
	return nil
}

// MatchesServerVersion returns an error if the server was not built from the same source as clientVersion: same
// version, same commit, same state of the tree.
func MatchesServerVersion(clientVersion version.Info, client DiscoveryInterface) error {
	serverVersion, err := client.ServerVersion()
	if err != nil {
		return fmt.Errorf("read the server's version: %w", err)
	}
	if source(clientVersion) != source(*serverVersion) {
		return fmt.Errorf("server version (%#v) differs from client version (%#v)", *serverVersion, clientVersion)
	}
	return nil
}

// source returns the parts of a version that identify the source.
func source(v version.Info) version.Info {
	return version.Info{GitVersion: v.GitVersion, GitCommit: v.GitCommit, GitTreeState: v.GitTreeState}
}
