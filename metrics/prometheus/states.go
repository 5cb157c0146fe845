package prometheus

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/listwatch/listwatch/runtime/cache"
)

// States collects the states of the informers of the process, as [cache.StateOf] returns them at the time of
// collection. The informers need no names; those with the same name and type are added up.
type States struct {
	phase, objects, bytes, decodes, whole, unindexed, lag, lagSeconds *prometheus.Desc
}

var _ prometheus.Collector = (*States)(nil)

// NewStates returns a collector, which is not registered.
func NewStates() *States {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("informer_"+name, help, append([]string{"name", "type"}, labels...), nil)
	}
	return &States{
		phase:      desc("phase", "Number of informers in a phase, such as live, stale or failed.", "phase"),
		objects:    desc("objects", "Number of stored objects."),
		bytes:      desc("bytes", "About how many bytes of memory the store takes, with its objects and indexes."),
		decodes:    desc("decoded_objects_total", "Number of packed objects that were decoded because they were read."),
		whole:      desc("unpacked_objects_total", "Number of objects that could not be packed."),
		unindexed:  desc("unindexed_objects", "Number of objects missing from indexes whose functions failed; an object counts once for each such index."),
		lag:        desc("handler_lag", "Number of events that a handler was not called for yet.", "handler"),
		lagSeconds: desc("handler_lag_seconds", "Age of the oldest event that a handler was not called for yet.", "handler"),
	}
}

// Describe is part of [prometheus.Collector].
func (s *States) Describe(descs chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{s.phase, s.objects, s.bytes, s.decodes, s.whole, s.unindexed, s.lag, s.lagSeconds} {
		descs <- desc
	}
}

// sample is a series of a state: a metric, with the values of its labels; third is empty if there are two.
type sample struct {
	desc              *prometheus.Desc
	name, kind, third string
}

// Collect is part of [prometheus.Collector].
func (s *States) Collect(metrics chan<- prometheus.Metric) {
	values := map[sample]float64{}
	for _, informer := range cache.All() {
		state := cache.StateOf(informer)
		values[sample{s.phase, state.Name, state.Type, string(state.Phase)}]++
		values[sample{s.objects, state.Name, state.Type, ""}] += float64(state.Objects)
		values[sample{s.bytes, state.Name, state.Type, ""}] += float64(state.Bytes)
		if packed := state.Packed; packed != nil {
			values[sample{s.decodes, state.Name, state.Type, ""}] += float64(packed.Decodes)
			values[sample{s.whole, state.Name, state.Type, ""}] += float64(packed.Whole)
		}
		values[sample{s.unindexed, state.Name, state.Type, ""}] += float64(len(state.IndexErrors))
		for _, h := range state.Handlers {
			values[sample{s.lag, state.Name, state.Type, h.Name}] += float64(h.Lag)
			oldest := sample{s.lagSeconds, state.Name, state.Type, h.Name}
			values[oldest] = max(values[oldest], h.LagTime.Seconds())
		}
	}
	for series, value := range values {
		labels, as := []string{series.name, series.kind}, prometheus.GaugeValue
		switch series.desc {
		case s.decodes, s.whole:
			as = prometheus.CounterValue
		case s.objects, s.bytes, s.unindexed:
		default:
			labels = append(labels, series.third)
		}
		metric, err := prometheus.NewConstMetric(series.desc, as, value, labels...)
		if err != nil { // a name is not UTF-8
			metric = prometheus.NewInvalidMetric(series.desc, err)
		}
		metrics <- metric
	}
}
