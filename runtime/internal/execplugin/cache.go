package execplugin

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"
	"weak"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/metrics"
)

// authenticators contains the Authenticators in use.
var authenticators = &cache{entries: map[cacheKey]weak.Pointer[Authenticator]{}}

// cacheKey is a digest of a configuration.
type cacheKey [sha256.Size]byte

// cache lets equal configurations share an Authenticator, so that the program is run once for all. It does not
// keep Authenticators alive.
type cache struct {
	mu      sync.Mutex // guards entries
	entries map[cacheKey]weak.Pointer[Authenticator]
}

// For returns the Authenticator of config, for the server that cluster describes. cluster may be nil if config
// does not request it.
func For(config *api.ExecConfig, cluster *Cluster) (*Authenticator, error) {
	metrics.EnsureRegistered()
	return authenticators.get(config, cluster)
}

func (c *cache) get(config *api.ExecConfig, cluster *Cluster) (*Authenticator, error) {
	key, err := keyFor(config, cluster)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if a := c.entries[key].Value(); a != nil {
		return a, nil
	}
	a, err := newAuthenticator(config, cluster)
	if err != nil {
		return nil, err
	}
	pointer := weak.Make(a)
	c.entries[key] = pointer
	runtime.AddCleanup(a, func(key cacheKey) { c.remove(key, pointer) }, key)
	return a, nil
}

func (c *cache) remove(key cacheKey, pointer weak.Pointer[Authenticator]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries[key] == pointer {
		delete(c.entries, key)
	}
	expiries.remove(pointer)
}

// keyFor returns the digest of all settings in which Authenticators differ.
func keyFor(config *api.ExecConfig, cluster *Cluster) (cacheKey, error) {
	data, err := json.Marshal(struct {
		Config                  *api.ExecConfig
		StdinUnavailable        bool
		StdinUnavailableMessage string
		PolicyType              api.PolicyType
		Allowlist               string
		ConfigType              string
		ClusterConfig           any
		Cluster                 *Cluster
	}{
		Config:                  config,
		StdinUnavailable:        config.StdinUnavailable,
		StdinUnavailableMessage: config.StdinUnavailableMessage,
		PolicyType:              config.PluginPolicy.PolicyType,
		Allowlist:               fmt.Sprintf("%#v", config.PluginPolicy.Allowlist),
		ConfigType:              fmt.Sprintf("%T", config.Config),
		ClusterConfig:           config.Config,
		Cluster:                 cluster,
	})
	if err != nil {
		return cacheKey{}, errors.New("exec plugin: the cluster's configuration cannot be encoded")
	}
	return sha256.Sum256(data), nil
}

// expiries tracks the expiries of the certificates of Authenticators.
var expiries = &expiryTracker{times: map[weak.Pointer[Authenticator]]time.Time{}}

// expiryTracker reports the earliest expiry.
type expiryTracker struct {
	mu    sync.Mutex // guards times, and is held while reporting
	times map[weak.Pointer[Authenticator]]time.Time
}

// set records that a's certificate expires at t; zero if it has none.
func (e *expiryTracker) set(a *Authenticator, t time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.times[weak.Make(a)] = t
	e.report()
}

func (e *expiryTracker) remove(pointer weak.Pointer[Authenticator]) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, ok := e.times[pointer]; ok {
		delete(e.times, pointer)
		e.report()
	}
}

// report sets the metric. mu is held.
func (e *expiryTracker) report() {
	var earliest *time.Time
	for _, t := range e.times {
		if !t.IsZero() && (earliest == nil || t.Before(*earliest)) {
			earliest = &t
		}
	}
	metrics.ClientCertExpiry.Set(earliest)
}
