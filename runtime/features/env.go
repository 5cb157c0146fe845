package features

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

// ErrUnknown is that a feature is not one of the runtime's.
var ErrUnknown = errors.New("unknown feature")

// ErrLocked is that a feature cannot be changed.
var ErrLocked = errors.New("feature is locked")

// envPrefix and a feature's name are its environment variable.
const envPrefix = "KUBE_FEATURE_"

// envGates are gates that are set by environment variables, which are read when
// the first feature is asked for, or by Set. They are safe for concurrent use.
type envGates struct {
	specs map[Feature]FeatureSpec

	mu      sync.RWMutex     // guards what follows
	read    bool             // the environment was read
	set     map[Feature]bool // by Set
	fromEnv map[Feature]bool // once read
}

func newEnvGates(specs map[Feature]FeatureSpec) *envGates {
	return &envGates{specs: specs, set: map[Feature]bool{}}
}

// Enabled implements [Gates]. What Set said goes before the environment, and that
// before the default. A feature that is not known is reported, and is off.
func (g *envGates) Enabled(feature Feature) bool {
	spec, ok := g.specs[feature]
	if !ok {
		utilruntime.HandleErrorWithContext(context.Background(), ErrUnknown, "Asked for a feature", "feature", feature)
		return false
	}
	g.mu.RLock()
	read := g.read
	g.mu.RUnlock()
	if !read {
		g.readEnv()
	}
	g.mu.RLock()
	defer g.mu.RUnlock()
	if enabled, ok := g.set[feature]; ok {
		return enabled
	}
	if enabled, ok := g.fromEnv[feature]; ok {
		return enabled
	}
	return spec.Default
}

// Set enables or disables a feature. It fails with [ErrUnknown] or [ErrLocked].
func (g *envGates) Set(feature Feature, enabled bool) error {
	if err := g.check(feature, enabled); err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.set[feature] = enabled
	return nil
}

// check says whether a feature can be set.
func (g *envGates) check(feature Feature, enabled bool) error {
	spec, ok := g.specs[feature]
	if !ok {
		return fmt.Errorf("%w: %q", ErrUnknown, feature)
	}
	if spec.LockToDefault && spec.Default != enabled {
		return fmt.Errorf("%w: %q is %t", ErrLocked, feature, spec.Default)
	}
	return nil
}

// asked says whether anybody has asked for a feature.
func (g *envGates) asked() bool {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.read
}

// readEnv reads the environment, once. Variables that make no sense are reported,
// and mean nothing.
func (g *envGates) readEnv() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.read {
		return
	}
	g.read, g.fromEnv = true, map[Feature]bool{}
	for feature := range g.specs {
		name := envPrefix + string(feature)
		value, ok := os.LookupEnv(name)
		if !ok {
			continue
		}
		enabled, err := strconv.ParseBool(value)
		if err == nil {
			err = g.check(feature, enabled)
		}
		if err != nil {
			utilruntime.HandleErrorWithContext(context.Background(), err, "Environment variable is ignored", "variable", name, "value", value)
			continue
		}
		g.fromEnv[feature] = enabled
	}
}
