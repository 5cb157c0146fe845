// Package features controls optional behaviour of the runtime.
//
// A [Feature] is a name, and [Gates] report whether it is enabled. The default gates read a feature's
// environment variable, KUBE_FEATURE_ and the name, such as KUBE_FEATURE_WatchListClient=false; if it is not
// set, they use the feature's default. A program with its own feature gates registers the features with them,
// by [AddFeaturesToExistingFeatureGates] or [AddVersionedFeaturesToExistingFeatureGates], and installs them
// with [ReplaceFeatureGates].
//
// Names, defaults and versions are those of client-go v0.37. Most features are how this runtime always works, and
// CBOR is not supported: setting these has no effect. An unknown feature is disabled and logged; if
// [compat.IsClientGo], asking for one panics.
package features

import (
	"context"
	"sync/atomic"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/version"
)

// Feature is the name of optional behaviour.
type Feature string

// The features.
const (
	// WatchListClient lets reflectors get existing objects from a watch instead of a list, if server and client
	// support it. It is enabled by default.
	WatchListClient Feature = "WatchListClient"

	// InOrderInformers delivers events in the order in which they arrived. Informers always do so.
	InOrderInformers Feature = "InOrderInformers"

	// InOrderInformersBatchProcess lets informers process several deltas at a time. They always do so.
	InOrderInformersBatchProcess Feature = "InOrderInformersBatchProcess"

	// AtomicFIFO makes a list one item of the queue of an informer. It always is.
	AtomicFIFO Feature = "AtomicFIFO"

	// UnlockWhileProcessingFIFO lets deltas be queued while others are processed. They always are.
	UnlockWhileProcessingFIFO Feature = "UnlockWhileProcessingFIFO"

	// InformerResourceVersion lets informers report their last resource version. They always do.
	InformerResourceVersion Feature = "InformerResourceVersion"

	// ClientsAllowCARotation makes clients read the files of certificate authorities again. They always do.
	ClientsAllowCARotation Feature = "ClientsAllowCARotation"

	// ClientsAllowTLSCacheGC frees transports that no client uses any more. They always are.
	ClientsAllowTLSCacheGC Feature = "ClientsAllowTLSCacheGC"

	// ClientsAllowCBOR and ClientsPreferCBOR let clients use CBOR, which they do not support: they use JSON, as
	// client-go does by default.
	ClientsAllowCBOR  Feature = "ClientsAllowCBOR"
	ClientsPreferCBOR Feature = "ClientsPreferCBOR"
)

// prerelease is the maturity of a feature.
type prerelease string

// Maturities of features.
const (
	Alpha      = prerelease("ALPHA")
	Beta       = prerelease("BETA")
	GA         = prerelease("")
	Deprecated = prerelease("DEPRECATED")
)

// FeatureSpec describes a feature.
type FeatureSpec struct {
	// Default is whether the feature is enabled unless it is configured.
	Default bool
	// LockToDefault prevents values other than Default.
	LockToDefault bool
	// PreRelease is the maturity of the feature.
	PreRelease prerelease
	// Version is the version of Kubernetes from which on the spec applies, or nil.
	Version *version.Version
}

// VersionedSpecs are the specs of a feature, the lowest version first.
type VersionedSpecs []FeatureSpec

// Gates report which features are enabled. They must be safe for concurrent use.
type Gates interface {
	Enabled(key Feature) bool
}

// Registry is a program's own feature gates to which features are added.
type Registry interface {
	Add(map[Feature]FeatureSpec) error
}

// VersionedRegistry is a [Registry] with specs by version.
type VersionedRegistry interface {
	AddVersioned(in map[Feature]VersionedSpecs) error
}

// known are all features.
var known = map[Feature]VersionedSpecs{
	InOrderInformers: {
		{Version: version.MajorMinor(1, 33), Default: true, PreRelease: Beta},
		{Version: version.MajorMinor(1, 36), Default: true, PreRelease: GA, LockToDefault: true},
	},
	InOrderInformersBatchProcess: {{Version: version.MajorMinor(1, 35), Default: true, PreRelease: Beta}},
	AtomicFIFO:                   {{Version: version.MajorMinor(1, 36), Default: true, PreRelease: Beta}},
	UnlockWhileProcessingFIFO:    {{Version: version.MajorMinor(1, 36), Default: true, PreRelease: Beta}},
	InformerResourceVersion: {
		{Version: version.MajorMinor(1, 30), Default: false, PreRelease: Alpha},
		{Version: version.MajorMinor(1, 35), Default: true, PreRelease: GA},
	},
	ClientsAllowCARotation: {{Version: version.MajorMinor(1, 36), Default: true, PreRelease: Beta}},
	ClientsAllowTLSCacheGC: {{Version: version.MajorMinor(1, 36), Default: true, PreRelease: Beta}},
	ClientsAllowCBOR:       {{Version: version.MajorMinor(1, 32), PreRelease: Alpha}},
	ClientsPreferCBOR:      {{Version: version.MajorMinor(1, 32), PreRelease: Alpha}},
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

// current are the active gates.
var current atomic.Pointer[Gates]

func init() {
	var gates Gates = newEnvGates(latest())
	current.Store(&gates)
}

// FeatureGates returns the active gates. They may be replaced later, so do not cache the result.
func FeatureGates() Gates { return *current.Load() }

// ReplaceFeatureGates sets the active gates. Call it at the start of a program: if a feature of the old gates
// was already queried, an error is logged, and decisions based on it remain.
func ReplaceFeatureGates(gates Gates) {
	old := *current.Swap(&gates)
	if env, ok := old.(*envGates); ok && env.asked() {
		utilruntime.HandleErrorWithContext(context.Background(), nil,
			"Feature gates were replaced after they were used; earlier decisions remain")
	}
}

// AddFeaturesToExistingFeatureGates adds all features to registry, as specified for the latest version.
func AddFeaturesToExistingFeatureGates(registry Registry) error {
	return registry.Add(latest())
}

// AddVersionedFeaturesToExistingFeatureGates adds all features to registry, which owns the map.
func AddVersionedFeaturesToExistingFeatureGates(registry VersionedRegistry) error {
	specs := make(map[Feature]VersionedSpecs, len(known))
	for feature, versioned := range known {
		specs[feature] = append(VersionedSpecs(nil), versioned...)
	}
	return registry.AddVersioned(specs)
}
