package cache

import "sync/atomic"

// InformerMetricsProvider makes the metrics of informers. A metric is made only for an
// identity that is reserved; what it returns should check [InformerNameAndResource.Reserved]
// before it publishes, since informers may go while the program runs. Its methods and
// the metrics are called concurrently.
type InformerMetricsProvider interface {
	// NewQueuedItemMetric makes the gauge of changes that were received and are not
	// yet in the store.
	NewQueuedItemMetric(id InformerNameAndResource) GaugeMetric

	// NewProcessingLatencyMetric makes the histogram of seconds from when changes
	// are taken out of the queue until they are in the store and handed on.
	NewProcessingLatencyMetric(id InformerNameAndResource) HistogramMetric

	// NewStoreResourceVersionMetric makes the gauge of the resource version that the
	// store is up to date with.
	NewStoreResourceVersionMetric(id InformerNameAndResource) GaugeMetric
}

// informerMetricsProvider is the provider of informers that have none of their own.
var informerMetricsProvider atomic.Pointer[InformerMetricsProvider]

// SetInformerMetricsProvider sets the provider for informers made from now on that
// have none of their own. Only the first call has an effect.
func SetInformerMetricsProvider(provider InformerMetricsProvider) {
	informerMetricsProvider.CompareAndSwap(nil, &provider)
}

// metricsFor returns what makes the metrics of id: provider, or the one that was set
// for all if it is nil. It returns nil if there are to be none.
func metricsFor(id InformerNameAndResource, provider InformerMetricsProvider) InformerMetricsProvider {
	if !id.Reserved() {
		return nil
	}
	if p := informerMetricsProvider.Load(); provider == nil && p != nil {
		return *p
	}
	return provider
}
