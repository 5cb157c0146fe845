package features_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/version"

	_ "github.com/listwatch/listwatch/internal/golden"
	"github.com/listwatch/listwatch/runtime/features"
)

// setter is also implemented by the initial gates.
type setter interface {
	features.Gates
	Set(features.Feature, bool) error
}

// The environment is read once per process, so each case has its own process.
func TestEnvironment(t *testing.T) {
	const variable = "LISTWATCH_TEST_FEATURES"
	if os.Getenv(variable) != "" {
		fmt.Print(features.FeatureGates().Enabled(features.WatchListClient))
		os.Exit(0)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, env, want string }{
		{"nothing", "", "true"},
		{"off", "KUBE_FEATURE_WatchListClient=false", "false"},
		{"off, in digits", "KUBE_FEATURE_WatchListClient=0", "false"},
		{"on", "KUBE_FEATURE_WatchListClient=true", "true"},
		{"nonsense", "KUBE_FEATURE_WatchListClient=perhaps", "true"},
		{"another", "KUBE_FEATURE_WatchList=false", "true"},
	} {
		t.Run(test.name, func(t *testing.T) {
			cmd := exec.Command(exe, "-test.run=^TestEnvironment$")
			cmd.Env = append(os.Environ(), variable+"=1", test.env)
			out, err := cmd.Output()
			if err != nil || string(out) != test.want {
				t.Errorf("%q, %v; want %q", out, err, test.want)
			}
		})
	}
}

func TestSet(t *testing.T) {
	gates := features.FeatureGates().(setter)
	tests := []struct {
		name    string
		feature features.Feature
		to      bool
		err     error
		enabled bool
	}{
		{"off", features.WatchListClient, false, nil, false},
		{"on", features.WatchListClient, true, nil, true},
		{"locked, as it is", features.InOrderInformers, true, nil, true},
		{"locked", features.InOrderInformers, false, features.ErrLocked, true},
		{"without effect", features.ClientsAllowCBOR, true, nil, true},
		{"unknown", "Unknown", true, features.ErrUnknown, false},
	}
	for _, test := range tests {
		if err := gates.Set(test.feature, test.to); !errors.Is(err, test.err) {
			t.Errorf("%s: error %v, want %v", test.name, err, test.err)
		}
		if enabled := gates.Enabled(test.feature); enabled != test.enabled {
			t.Errorf("%s: enabled %t, want %t", test.name, enabled, test.enabled)
		}
	}
}

type allOff struct{}

func (allOff) Enabled(features.Feature) bool { return false }

func TestReplace(t *testing.T) {
	before := features.FeatureGates()
	t.Cleanup(func() { features.ReplaceFeatureGates(before) })
	features.ReplaceFeatureGates(allOff{})
	if features.FeatureGates().Enabled(features.WatchListClient) {
		t.Error("the gates were not replaced")
	}
}

type registry struct {
	specs     map[features.Feature]features.FeatureSpec
	versioned map[features.Feature]features.VersionedSpecs
	err       error
}

func (r *registry) Add(specs map[features.Feature]features.FeatureSpec) error {
	r.specs = specs
	return r.err
}

func (r *registry) AddVersioned(specs map[features.Feature]features.VersionedSpecs) error {
	r.versioned = specs
	return r.err
}

func TestRegister(t *testing.T) {
	r := &registry{}
	if err := errors.Join(features.AddFeaturesToExistingFeatureGates(r), features.AddVersionedFeaturesToExistingFeatureGates(r)); err != nil {
		t.Fatal(err)
	}
	beta := features.FeatureSpec{Default: true, PreRelease: features.Beta}
	if diff := cmp.Diff(map[features.Feature]features.FeatureSpec{
		features.InOrderInformers:             {Default: true, PreRelease: features.GA, LockToDefault: true},
		features.InformerResourceVersion:      {Default: true, PreRelease: features.GA},
		features.ClientsAllowCBOR:             {PreRelease: features.Alpha},
		features.ClientsPreferCBOR:            {PreRelease: features.Alpha},
		features.WatchListClient:              beta,
		features.AtomicFIFO:                   beta,
		features.InOrderInformersBatchProcess: beta,
		features.UnlockWhileProcessingFIFO:    beta,
		features.ClientsAllowCARotation:       beta,
		features.ClientsAllowTLSCacheGC:       beta,
	}, r.specs); diff != "" {
		t.Errorf("specs (-want +got):\n%s", diff)
	}
	for feature, specs := range r.versioned {
		var last *version.Version
		for _, spec := range specs {
			if last != nil && !last.LessThan(spec.Version) {
				t.Errorf("%s: %v after %v", feature, spec.Version, last)
			}
			last = spec.Version
		}
		// The caller owns the map.
		specs[0].Default = !specs[0].Default
	}
	if err := features.AddVersionedFeaturesToExistingFeatureGates(r); err != nil || r.versioned[features.WatchListClient][0].Default {
		t.Errorf("a registry changed the features of another (error %v)", err)
	}
	r.err = errors.New("no")
	if err := features.AddFeaturesToExistingFeatureGates(r); !errors.Is(err, r.err) {
		t.Errorf("error %v", err)
	}
	if err := features.AddVersionedFeaturesToExistingFeatureGates(r); !errors.Is(err, r.err) {
		t.Errorf("error %v", err)
	}
}
