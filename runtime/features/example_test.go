package features_test

import (
	"fmt"

	"github.com/listwatch/listwatch/runtime/features"
)

// A feature is on or off by its default, or by an environment variable such as KUBE_FEATURE_WatchListClient=false.
func Example() {
	fmt.Println(features.FeatureGates().Enabled(features.InOrderInformers))
	fmt.Println(features.FeatureGates().Enabled(features.ClientsPreferCBOR))
	// Output:
	// true
	// false
}
