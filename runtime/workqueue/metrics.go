package workqueue

import (
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// GaugeMetric is a number that goes up and down.
type GaugeMetric interface {
	Inc()
	Dec()
}

// SettableGaugeMetric is a number that is set.
type SettableGaugeMetric interface {
	Set(float64)
}

// CounterMetric is a number that goes up.
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

// MetricsProvider makes the metrics of the queue that has a name. Queues call their metrics under
// their lock: these must be quick, and must not call back.
type MetricsProvider interface {
	// NewDepthMetric makes the gauge of items that are dirty: added, and not yet got.
	NewDepthMetric(name string) GaugeMetric
	// NewAddsMetric makes the counter of items that became dirty.
	NewAddsMetric(name string) CounterMetric
	// NewLatencyMetric makes the histogram of how long items are dirty, in seconds.
	NewLatencyMetric(name string) HistogramMetric
	// NewWorkDurationMetric makes the histogram of how long items are processed, from Get to Done, in seconds.
	NewWorkDurationMetric(name string) HistogramMetric
	// NewUnfinishedWorkSecondsMetric makes the gauge of how long the items that are being processed have been so
	// until now, summed up, in seconds. It is set twice a second.
	NewUnfinishedWorkSecondsMetric(name string) SettableGaugeMetric
	// NewLongestRunningProcessorSecondsMetric makes the gauge of how long the item has been processed until now that
	// has been so for longest, in seconds. It is set twice a second.
	NewLongestRunningProcessorSecondsMetric(name string) SettableGaugeMetric
	// NewRetriesMetric makes the counter of calls of AddAfter, and of AddRateLimited, which calls it.
	NewRetriesMetric(name string) CounterMetric
}

// global is the provider of queues that are given none, nil until there is one.
var global struct {
	mu       sync.Mutex // guards provider
	provider MetricsProvider
}

// SetProvider sets the provider of the queues made from now on that are given none. Only the first call
// has an effect.
func SetProvider(metricsProvider MetricsProvider) {
	global.mu.Lock()
	defer global.mu.Unlock()
	if global.provider == nil {
		global.provider = metricsProvider
	}
}

// providerFor returns the provider that makes the metrics of a queue, nil if it is to have none.
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

// queueMetrics are the metrics of a plain queue. Times are counted from when it was made. The
// queue's lock is held for all calls.
type queueMetrics struct {
	clock clock.PassiveClock
	birth time.Time

	depth                 GaugeMetric
	adds                  CounterMetric
	latency, workDuration HistogramMetric
	unfinishedWork        SettableGaugeMetric
	longestRunning        SettableGaugeMetric
}

// newQueueMetrics returns the metrics of a queue, nil if it is to have none.
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

// add observes that an item became dirty, and returns when.
func (m *queueMetrics) add() time.Duration {
	m.adds.Inc()
	m.depth.Inc()
	return m.now()
}

// get observes that an item that became dirty at added is handed out, and returns when.
func (m *queueMetrics) get(added time.Duration) time.Duration {
	now := m.now()
	m.depth.Dec()
	m.latency.Observe((now - added).Seconds())
	return now
}

// done observes that an item that was handed out at started is processed.
func (m *queueMetrics) done(started time.Duration) {
	m.workDuration.Observe((m.now() - started).Seconds())
}

// unfinished observes the items being processed: how many there are, the sum of the times at which they were
// handed out, and the earliest of these.
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

// newRetriesMetric returns the metric of a delaying queue, nil if it is to have none.
func newRetriesMetric(provider MetricsProvider, name string) CounterMetric {
	provider = providerFor(provider, name)
	if provider == nil {
		return nil
	}
	return provider.NewRetriesMetric(name)
}
