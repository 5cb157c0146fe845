package workqueue

import (
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// GaugeMetric is a number that increases and decreases.
type GaugeMetric interface {
	Inc()
	Dec()
}

// SettableGaugeMetric is a number that is set.
type SettableGaugeMetric interface {
	Set(float64)
}

// CounterMetric is a number that increases.
type CounterMetric interface {
	Inc()
}

// SummaryMetric observes values.
type SummaryMetric interface {
	Observe(float64)
}

// HistogramMetric observes values.
type HistogramMetric interface {
	Observe(float64)
}

// MetricsProvider creates the metrics of a named queue. Queues call their metrics under their lock: these must
// be quick, and must not call the queue.
type MetricsProvider interface {
	// NewDepthMetric returns the gauge of items that are dirty: added, and not yet returned by Get.
	NewDepthMetric(name string) GaugeMetric
	// NewAddsMetric returns the counter of items that became dirty.
	NewAddsMetric(name string) CounterMetric
	// NewLatencyMetric returns the histogram of how long items are dirty, in seconds.
	NewLatencyMetric(name string) HistogramMetric
	// NewWorkDurationMetric returns the histogram of how long items are processed, from Get to Done, in
	// seconds.
	NewWorkDurationMetric(name string) HistogramMetric
	// NewUnfinishedWorkSecondsMetric returns the gauge of the total time for which the items in processing have
	// been processed until now, in seconds. It is set twice a second.
	NewUnfinishedWorkSecondsMetric(name string) SettableGaugeMetric
	// NewLongestRunningProcessorSecondsMetric returns the gauge of the longest time for which an item in
	// processing has been processed until now, in seconds. It is set twice a second.
	NewLongestRunningProcessorSecondsMetric(name string) SettableGaugeMetric
	// NewRetriesMetric returns the counter of calls of AddAfter, and of AddRateLimited, which calls it.
	NewRetriesMetric(name string) CounterMetric
}

// global is the provider of queues without their own, nil until it is set.
var global struct {
	mu       sync.Mutex // guards provider
	provider MetricsProvider
}

// SetProvider sets the provider of queues that are created from now on without their own. Only the first call
// has an effect.
func SetProvider(metricsProvider MetricsProvider) {
	global.mu.Lock()
	defer global.mu.Unlock()
	if global.provider == nil {
		global.provider = metricsProvider
	}
}

// providerFor returns the provider of a queue's metrics, nil if it has none.
func providerFor(provider MetricsProvider, name string) MetricsProvider {
	if name == "" {
		return nil
	}
	if provider != nil {
		return provider
	}
	global.mu.Lock()
	defer global.mu.Unlock()
	return global.provider
}

// queueMetrics are the metrics of a plain queue. Times are relative to its creation. The queue's lock is held
// during all calls.
type queueMetrics struct {
	clock clock.PassiveClock
	birth time.Time

	depth                 GaugeMetric
	adds                  CounterMetric
	latency, workDuration HistogramMetric
	unfinishedWork        SettableGaugeMetric
	longestRunning        SettableGaugeMetric
}

// newQueueMetrics returns the metrics of a queue, nil if it has none.
func newQueueMetrics(provider MetricsProvider, name string, clock clock.PassiveClock) *queueMetrics {
	provider = providerFor(provider, name)
	if provider == nil {
		return nil
	}
	return &queueMetrics{
		clock:          clock,
		birth:          clock.Now(),
		depth:          provider.NewDepthMetric(name),
		adds:           provider.NewAddsMetric(name),
		latency:        provider.NewLatencyMetric(name),
		workDuration:   provider.NewWorkDurationMetric(name),
		unfinishedWork: provider.NewUnfinishedWorkSecondsMetric(name),
		longestRunning: provider.NewLongestRunningProcessorSecondsMetric(name),
	}
}

// add records that an item became dirty, and returns the time.
func (m *queueMetrics) add() time.Duration {
	m.adds.Inc()
	m.depth.Inc()
	return m.now()
}

// get records that Get returned an item that became dirty at added, and returns the time.
func (m *queueMetrics) get(added time.Duration) time.Duration {
	now := m.now()
	m.depth.Dec()
	m.latency.Observe((now - added).Seconds())
	return now
}

// done records that an item that Get returned at started is processed.
func (m *queueMetrics) done(started time.Duration) {
	m.workDuration.Observe((m.now() - started).Seconds())
}

// unfinished records the items being processed: their number, the sum of the times at which Get returned them,
// and the earliest of these.
func (m *queueMetrics) unfinished(n int, started, earliest time.Duration) {
	var total, longest time.Duration
	if n > 0 {
		now := m.now()
		total = time.Duration(n)*now - started
		longest = now - earliest
	}
	m.unfinishedWork.Set(total.Seconds())
	m.longestRunning.Set(longest.Seconds())
}

func (m *queueMetrics) now() time.Duration { return m.clock.Since(m.birth) }

// newRetriesMetric returns the metric of a delaying queue, nil if it has none.
func newRetriesMetric(provider MetricsProvider, name string) CounterMetric {
	provider = providerFor(provider, name)
	if provider == nil {
		return nil
	}
	return provider.NewRetriesMetric(name)
}
