package cache

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

// MetricsProvider makes the metrics of reflectors, by the reflector's name.
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

// SetReflectorMetricsProvider sets what makes the metrics of reflectors.
func SetReflectorMetricsProvider(provider MetricsProvider) {}
