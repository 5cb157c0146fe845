// Package testing changes feature gates for the time of a test.
package testing

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"k8s.io/client-go/features"
)

// overridden has the name of the test that changed a feature, by feature.
var (
	overridden   = map[features.Feature]string{}
	overriddenMu sync.Mutex // guards overridden, and the setting of features
)

// SetFeatureDuringTest sets a feature until the test ends. It is an error if another test that has not ended has set it,
// unless tb is a subtest of that one, or the active gates cannot be set.
func SetFeatureDuringTest(tb testing.TB, feature features.Feature, featureValue bool) {
	tb.Helper()
	if err := override(tb, feature, featureValue); err != nil {
		tb.Fatal(err)
	}
}

func override(tb testing.TB, feature features.Feature, value bool) error {
	overriddenMu.Lock()
	defer overriddenMu.Unlock()
	set, err := setter(features.FeatureGates())
	if err != nil {
		return err
	}
	name, taken := overridden[feature]
	if taken && name != tb.Name() && !strings.HasPrefix(tb.Name(), name+"/") {
		return fmt.Errorf("client-go feature %q is currently overridden by %q test and cannot be also modified by %q", feature, name, tb.Name())
	}
	before := features.FeatureGates().Enabled(feature)
	if err := set(feature, value); err != nil {
		return err
	}
	overridden[feature] = tb.Name()
	tb.Cleanup(func() {
		overriddenMu.Lock()
		defer overriddenMu.Unlock()
		if taken {
			overridden[feature] = name // which goes on
		} else {
			delete(overridden, feature)
		}
		if err := set(feature, before); err != nil {
			tb.Errorf("failed restoring client-go feature: %v to its original value: %v, err: %v", feature, before, err)
		}
	})
	return nil
}

// setter returns the function that sets features of gates: SetForTesting, if they have it, which may also set those
// that are locked.
func setter(gates features.Gates) (func(features.Feature, bool) error, error) {
	switch gates := gates.(type) {
	case interface {
		SetForTesting(features.Feature, bool) error
	}:
		return gates.SetForTesting, nil
	case interface {
		Set(features.Feature, bool) error
	}:
		return gates.Set, nil
	}
	return nil, fmt.Errorf("feature gates of type %T cannot be set", gates)
}
