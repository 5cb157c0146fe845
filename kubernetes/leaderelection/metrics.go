package leaderelection

import "sync"

// LeaderMetric measures electors, by their names. It is an alias, so that an implementation of
// [MetricsProvider] does not need to import this package.
type LeaderMetric = interface {
	// On is called when a term begins.
	On(name string)
	// Off is called when a term ends, and for each new elector.
	Off(name string)
	// SlowpathExercised is called when a leader has to read the record before it renews the lease.
	SlowpathExercised(name string)
}

// MetricsProvider creates the metrics of electors.
type MetricsProvider interface {
	// NewLeaderMetric is called for each elector.
	NewLeaderMetric() LeaderMetric
}

// global is the provider of all electors, nil until it is set.
var global struct {
	mu       sync.Mutex // guards provider
	provider MetricsProvider
}

// SetProvider sets the provider of electors that are created from now on. Only the first call has an effect.
func SetProvider(metricsProvider MetricsProvider) {
	global.mu.Lock()
	defer global.mu.Unlock()
	if global.provider == nil {
		global.provider = metricsProvider
	}
}

func newLeaderMetric() LeaderMetric {
	global.mu.Lock()
	defer global.mu.Unlock()
	if global.provider == nil {
		return unmeasured{}
	}
	return global.provider.NewLeaderMetric()
}

type unmeasured struct{}

func (unmeasured) On(string)                {}
func (unmeasured) Off(string)               {}
func (unmeasured) SlowpathExercised(string) {}
