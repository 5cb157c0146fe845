package cache

// CounterMetric is a metric that only grows.
type CounterMetric interface {
	Inc()
}

// GaugeMetric is a metric that is set.
type GaugeMetric interface {
	Set(float64)
}

// SummaryMetric captures observations.
type SummaryMetric interface {
	Observe(float64)
}

// HistogramMetric counts observations in buckets.
type HistogramMetric interface {
	Observe(float64)
}

// noopMetric is a metric of every kind that does nothing.
type noopMetric struct{}

func (noopMetric) Inc()            {}
func (noopMetric) Set(float64)     {}
func (noopMetric) Observe(float64) {}
