package features

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"github.com/listwatch/listwatch/runtime/compat"
)

// ErrUnknown reports a feature that the runtime does not have.
var ErrUnknown = errors.New("unknown feature")

// ErrLocked reports a feature that cannot be changed.
var ErrLocked = errors.New("feature is locked")

// envPrefix is the prefix of the environment variables; the name of the feature follows.
const envPrefix = "KUBE_FEATURE_"

// envGates are gates that are set by environment variables, which are read when the first feature is queried,
// or by Set. They are safe for concurrent use.
type envGates struct {
	specs map[Feature]FeatureSpec

	mu      sync.RWMutex     // guards the fields below
	read    bool             // the environment was read
	set     map[Feature]bool // by Set
	fromEnv map[Feature]bool // once read
}

func newEnvGates(specs map[Feature]FeatureSpec) *envGates {
	return &envGates{specs: specs, set: map[Feature]bool{}}
}

// Enabled implements [Gates]. Set takes precedence over the environment, and that over the default. An unknown
// feature is logged and disabled, or a panic if [compat.IsClientGo].
func (g *envGates) Enabled(feature Feature) bool {
	spec, ok := g.specs[feature]
	if !ok {
		if compat.IsClientGo() {
			panic(fmt.Errorf("feature %q is not registered in FeatureGates", feature))
		}
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

// Set enables or disables a feature. It returns [ErrUnknown] or [ErrLocked].
func (g *envGates) Set(feature Feature, enabled bool) error {
	if err := g.check(feature, enabled); err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.set[feature] = enabled
	return nil
}

// check returns an error if a feature cannot be set.
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

// asked reports whether any feature was queried.
func (g *envGates) asked() bool {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.read
}

// readEnv reads the environment, once. Invalid variables are logged and ignored.
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
