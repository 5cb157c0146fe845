package discovery

import (
	"encoding/json"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/discovery"
	"k8s.io/client-go/openapi"
)

// ToOpenAPIClientWithContext is [openapi.ToClientWithContext].
func ToOpenAPIClientWithContext(i openapi.Client) openapi.ClientWithContext {
	return openapi.ToClientWithContext(i)
}

// SplitGroupsAndResources converts aggregated discovery to the groups and resources of legacy discovery, and an error
// for each stale group version.
func SplitGroupsAndResources(aggregatedGroups apidiscovery.APIGroupDiscoveryList) (
	*metav1.APIGroupList,
	map[schema.GroupVersion]*metav1.APIResourceList,
	map[schema.GroupVersion]error,
) {
	document, err := json.Marshal(aggregatedGroups)
	if err == nil {
		var groups *metav1.APIGroupList
		var resources map[schema.GroupVersion]*metav1.APIResourceList
		var stale map[schema.GroupVersion]error
		if groups, resources, stale, err = discovery.SplitAggregated(document); err == nil {
			return groups, resources, stale
		}
	}
	// The type always has a form in JSON.
	panic(err)
}
