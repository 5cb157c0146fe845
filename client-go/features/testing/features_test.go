package testing

import (
	"strings"
	"testing"

	"k8s.io/client-go/features"
)

// other is a test with another name.
type other struct {
	testing.TB
	name string
}

func (o other) Name() string { return o.name }

func TestSetFeatureDuringTest(t *testing.T) {
	before := features.FeatureGates().Enabled(features.WatchListClient)
	enabled := func(want bool) {
		t.Helper()
		if got := features.FeatureGates().Enabled(features.WatchListClient); got != want {
			t.Errorf("enabled %t", got)
		}
	}
	t.Run("outer", func(t *testing.T) {
		SetFeatureDuringTest(t, features.WatchListClient, !before)
		enabled(!before)
		t.Run("inner", func(t *testing.T) {
			SetFeatureDuringTest(t, features.WatchListClient, before)
			enabled(before)
		})
		enabled(!before)
		// The subtest has ended, this test has not.
		err := override(other{t, "another"}, features.WatchListClient, before)
		if err == nil || !strings.Contains(err.Error(), "another") || !strings.Contains(err.Error(), t.Name()) {
			t.Errorf("error %v", err)
		}
		if err := override(other{t, "another"}, features.InOrderInformers, true); err != nil {
			t.Errorf("another feature: %v", err)
		}
	})
	enabled(before)
	if err := override(other{t, "another"}, features.WatchListClient, before); err != nil {
		t.Errorf("after the test: %v", err)
	}
}

func TestSetter(t *testing.T) {
	if _, err := setter(readOnly{}); err == nil {
		t.Error("gates that cannot be set")
	}
}

type readOnly struct{}

func (readOnly) Enabled(features.Feature) bool { return true }
