// Package features says which abilities of the runtime are on.
//
// A [Feature] is a name, and [Gates] say whether it is enabled. The gates that
// are there at first take what a feature's environment variable says, KUBE_FEATURE_
// and the name, such as KUBE_FEATURE_WatchListClient=false, and else its default.
// A program that has feature gates of its own registers the features there, by
// [AddFeaturesToExistingFeatureGates] or [AddVersionedFeaturesToExistingFeatureGates],
// and makes them those of the runtime by [ReplaceFeatureGates].
//
// Names and meaning are those of client-go's package features. Features of
// client-go that change nothing here are not known; asking for one is asking for a
// feature that nobody knows, which is off.
package features

import (
	"context"
	"sync/atomic"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/version"
)

// Feature is the name of an ability that can be on or off.
type Feature string

// The features of the runtime.
const (
	// InOrderInformers is that informers tell of changes in the order in which they
	// came. They always do: the feature is locked.
	InOrderInformers Feature = "InOrderInformers"

	// InformerResourceVersion is that informers know their last resource version.
	// They always do: the feature is locked.
	InformerResourceVersion Feature = "InformerResourceVersion"

	// ClientsAllowCBOR and ClientsPreferCBOR are that clients talk CBOR. The runtime
	// does not: the features are locked.
	ClientsAllowCBOR  Feature = "ClientsAllowCBOR"
	ClientsPreferCBOR Feature = "ClientsPreferCBOR"

	// WatchListClient is that reflectors get the objects that exist by a watch, where
	// server and client know how, instead of by a list. It is on by default.
	WatchListClient Feature = "WatchListClient"
)

// prerelease says how mature a feature is.
type prerelease string

// How mature a feature is.
const (
	Alpha      = prerelease("ALPHA")
	Beta       = prerelease("BETA")
	GA         = prerelease("")
	Deprecated = prerelease("DEPRECATED")
)

// FeatureSpec says what holds for a feature.
type FeatureSpec struct {
	// Default is whether it is enabled where nobody says so or otherwise.
	Default bool
	// LockToDefault is that it cannot be set to anything but Default.
	LockToDefault bool
	// PreRelease is how mature it is.
	PreRelease prerelease
	// Version is that of Kubernetes from which on the spec holds, or nil.
	Version *version.Version
}

// VersionedSpecs are the specs of a feature, that of the lowest version first.
type VersionedSpecs []FeatureSpec

// Gates say which features are enabled. They must be safe for concurrent use.
type Gates interface {
	Enabled(key Feature) bool
}

// Registry is where a program's own feature gates learn of features.
type Registry interface {
	Add(map[Feature]FeatureSpec) error
}

// VersionedRegistry is a [Registry] that knows specs by version.
type VersionedRegistry interface {
	AddVersioned(in map[Feature]VersionedSpecs) error
}

// known are the features of the runtime.
var known = map[Feature]VersionedSpecs{
	InOrderInformers: {
		{Version: version.MajorMinor(1, 33), Default: true, PreRelease: Beta},
		{Version: version.MajorMinor(1, 36), Default: true, PreRelease: GA, LockToDefault: true},
	},
	InformerResourceVersion: {
		{Version: version.MajorMinor(1, 30), Default: false, PreRelease: Alpha},
		{Version: version.MajorMinor(1, 35), Default: true, PreRelease: GA, LockToDefault: true},
	},
	ClientsAllowCBOR:  {{Version: version.MajorMinor(1, 32), PreRelease: Alpha, LockToDefault: true}},
	ClientsPreferCBOR: {{Version: version.MajorMinor(1, 32), PreRelease: Alpha, LockToDefault: true}},
	WatchListClient: {
		{Version: version.MajorMinor(1, 30), Default: false, PreRelease: Beta},
		{Version: version.MajorMinor(1, 35), Default: true, PreRelease: Beta},
	},
}

// latest returns the last spec of each feature, without its version.
func latest() map[Feature]FeatureSpec {
	specs := make(map[Feature]FeatureSpec, len(known))
	for feature, versioned := range known {
		spec := versioned[len(versioned)-1]
		spec.Version = nil
		specs[feature] = spec
	}
	return specs
}

// current are the gates that hold.
var current atomic.Pointer[Gates]

func init() {
	var gates Gates = newEnvGates(latest())
	current.Store(&gates)
}

// FeatureGates returns the gates that hold now. They may be replaced later, so
// callers ask each time.
func FeatureGates() Gates { return *current.Load() }

// ReplaceFeatureGates makes gates those that hold. It is for the start of a
// program: that somebody has asked the old ones before is reported as an error, and
// what was decided then stays.
func ReplaceFeatureGates(gates Gates) {
	old := *current.Swap(&gates)
	if env, ok := old.(*envGates); ok && env.asked() {
		utilruntime.HandleErrorWithContext(context.Background(), nil,
			"Feature gates are replaced after they were used; what was decided by the old ones stays")
	}
}

// AddFeaturesToExistingFeatureGates tells registry of all features, as they are in
// the latest version.
func AddFeaturesToExistingFeatureGates(registry Registry) error {
	return registry.Add(latest())
}

// AddVersionedFeaturesToExistingFeatureGates tells registry of all features. The
// map is the registry's to keep.
func AddVersionedFeaturesToExistingFeatureGates(registry VersionedRegistry) error {
	specs := make(map[Feature]VersionedSpecs, len(known))
	for feature, versioned := range known {
		specs[feature] = append(VersionedSpecs(nil), versioned...)
	}
	return registry.AddVersioned(specs)
}
