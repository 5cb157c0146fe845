package features_test

import (
	"fmt"
	"log"
	"maps"
	"slices"

	"github.com/listwatch/listwatch/runtime/features"
)

// programGates is what a program has for its own features and their flag.
type programGates map[features.Feature]features.FeatureSpec

func (g programGates) Add(specs map[features.Feature]features.FeatureSpec) error {
	maps.Copy(g, specs)
	return nil
}

// Enabled reports a feature as its flag says; here there is none.
func (g programGates) Enabled(feature features.Feature) bool { return g[feature].Default }

// A program with feature gates of its own registers those of the runtime with them, so that one flag sets all.
// At its start, it makes the runtime use them: features.ReplaceFeatureGates(gates).
func ExampleAddFeaturesToExistingFeatureGates() {
	gates := programGates{}
	if err := features.AddFeaturesToExistingFeatureGates(gates); err != nil {
		log.Fatal(err)
	}
	names := slices.Sorted(maps.Keys(gates))
	fmt.Println(names[len(names)-1], gates.Enabled(features.WatchListClient))
	// Output: WatchListClient true
}
