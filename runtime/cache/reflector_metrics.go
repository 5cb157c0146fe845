package cache

import (
	"strconv"
	"sync"
	"time"
)

// GaugeMetric is a number that goes up and down.
type GaugeMetric interface {
	Set(float64)
}

// CounterMetric is a number that goes up.
type CounterMetric interface {
	Inc()
}

// SummaryMetric takes single observations.
type SummaryMetric interface {
	Observe(float64)
}

// HistogramMetric counts observations by size.
type HistogramMetric interface {
	Observe(float64)
}

// MetricsProvider creates the metrics of reflectors, by the reflector's name. Reflectors of one
// name that run at the same time share one set of metrics. Durations are in seconds. Methods and
// metrics must be safe for concurrent use.
type MetricsProvider interface {
	NewListsMetric(name string) CounterMetric
	NewListDurationMetric(name string) SummaryMetric
	NewItemsInListMetric(name string) SummaryMetric

	NewWatchesMetric(name string) CounterMetric
	NewShortWatchesMetric(name string) CounterMetric
	NewWatchDurationMetric(name string) SummaryMetric
	NewItemsInWatchMetric(name string) SummaryMetric

	NewLastResourceVersionMetric(name string) GaugeMetric
}

// SetReflectorMetricsProvider sets the provider for reflectors that are run from now on. Only the
// first call has an effect.
func SetReflectorMetricsProvider(provider MetricsProvider) {
	metricsOfReflectors.mu.Lock()
	defer metricsOfReflectors.mu.Unlock()
	if metricsOfReflectors.provider == nil {
		metricsOfReflectors.provider = provider
	}
}

// metricsOfReflectors are the metrics of all reflectors that run.
var metricsOfReflectors struct {
	mu       sync.Mutex // guards the fields below
	provider MetricsProvider
	byName   map[string]*reflectorMetrics
}

// reflectorMetrics are the metrics of the reflectors of a name. A nil one has none.
type reflectorMetrics struct {
	users int // guarded by metricsOfReflectors.mu

	lists, watches, shortWatches                        CounterMetric
	listDuration, listItems, watchDuration, watchEvents SummaryMetric
	lastVersion                                         GaugeMetric
}

// acquireReflectorMetrics returns the metrics of a name, nil if there is no provider. They must be
// released.
func acquireReflectorMetrics(name string) *reflectorMetrics {
	all := &metricsOfReflectors
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.provider == nil {
		return nil
	}
	m := all.byName[name]
	if m == nil {
		p := all.provider
		m = &reflectorMetrics{
			lists:         p.NewListsMetric(name),
			listDuration:  p.NewListDurationMetric(name),
			listItems:     p.NewItemsInListMetric(name),
			watches:       p.NewWatchesMetric(name),
			shortWatches:  p.NewShortWatchesMetric(name),
			watchDuration: p.NewWatchDurationMetric(name),
			watchEvents:   p.NewItemsInWatchMetric(name),
			lastVersion:   p.NewLastResourceVersionMetric(name),
		}
		if all.byName == nil {
			all.byName = map[string]*reflectorMetrics{}
		}
		all.byName[name] = m
	}
	m.users++
	return m
}

// release releases the metrics of a name. Unused ones are removed, so that they can be collected.
func (m *reflectorMetrics) release(name string) {
	if m == nil {
		return
	}
	all := &metricsOfReflectors
	all.mu.Lock()
	defer all.mu.Unlock()
	if m.users--; m.users == 0 {
		delete(all.byName, name)
	}
}

// list records the duration of a list.
func (m *reflectorMetrics) list(took time.Duration) {
	if m == nil {
		return
	}
	m.lists.Inc()
	m.listDuration.Observe(took.Seconds())
}

// listed records the end of a list.
func (m *reflectorMetrics) listed(objects int, version string) {
	if m == nil {
		return
	}
	m.listItems.Observe(float64(objects))
	m.version(version)
}

// watch records the request of a watch.
func (m *reflectorMetrics) watch() {
	if m == nil {
		return
	}
	m.watches.Inc()
}

// watched records the end of a watch.
func (m *reflectorMetrics) watched(took time.Duration, events int, version string) {
	if m == nil {
		return
	}
	m.watchDuration.Observe(took.Seconds())
	m.watchEvents.Observe(float64(events))
	if events == 0 && took < shortWatch {
		m.shortWatches.Inc()
	}
	m.version(version)
}

// version records a resource version that was reached, if it is a number.
func (m *reflectorMetrics) version(version string) {
	if n, err := strconv.ParseUint(version, 10, 64); err == nil {
		m.lastVersion.Set(float64(n))
	}
}
