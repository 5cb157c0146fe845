package cache

import "sync/atomic"

// InformerMetricsProvider creates the metrics of informers. A metric is created only for a
// reserved identity; it should check [InformerNameAndResource.Reserved] before it publishes,
// since informers may be released while the program runs. The methods and the metrics are called
// concurrently.
type InformerMetricsProvider interface {
	// NewQueuedItemMetric returns the gauge of objects that were received and are not yet in
	// the store.
	NewQueuedItemMetric(id InformerNameAndResource) GaugeMetric

	// NewProcessingLatencyMetric returns the histogram of seconds from taking objects out of
	// the queue until they are in the store and passed on.
	NewProcessingLatencyMetric(id InformerNameAndResource) HistogramMetric

	// NewStoreResourceVersionMetric returns the gauge of the resource version that the store
	// is up to date with.
	NewStoreResourceVersionMetric(id InformerNameAndResource) GaugeMetric
}

// informerMetricsProvider is the provider of informers without their own.
var informerMetricsProvider atomic.Pointer[InformerMetricsProvider]

// SetInformerMetricsProvider sets the provider for informers created from now on without their
// own. Only the first call has an effect.
func SetInformerMetricsProvider(provider InformerMetricsProvider) {
	informerMetricsProvider.CompareAndSwap(nil, &provider)
}

// metricsFor returns the provider for id: provider, or the one that was set for all if it is
// nil. It returns nil if there are no metrics.
func metricsFor(id InformerNameAndResource, provider InformerMetricsProvider) InformerMetricsProvider {
	if !id.Reserved() {
		return nil
	}
	if p := informerMetricsProvider.Load(); provider == nil && p != nil {
		return *p
	}
	return provider
}
