package prometheus

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/listwatch/listwatch/runtime/cache"
)

// reflectors are the metrics of reflectors, by their names.
type reflectors struct {
	lists               *family[prometheus.Counter]
	listDuration        *family[prometheus.Observer]
	itemsInList         *family[prometheus.Observer]
	watches             *family[prometheus.Counter]
	shortWatches        *family[prometheus.Counter]
	watchDuration       *family[prometheus.Observer]
	itemsInWatch        *family[prometheus.Observer]
	lastResourceVersion *family[prometheus.Gauge]
}

func newReflectors() *reflectors {
	const subsystem = "reflector"
	labels := []string{"name"}
	counts := func(name, help string) *family[prometheus.Counter] {
		return newFamily(prometheus.NewCounterVec(
			prometheus.CounterOpts{Subsystem: subsystem, Name: name, Help: help}, labels))
	}
	observations := func(name, help string) *family[prometheus.Observer] {
		return newFamily(prometheus.NewSummaryVec(
			prometheus.SummaryOpts{Subsystem: subsystem, Name: name, Help: help}, labels))
	}
	return &reflectors{
		lists:         counts("lists_total", "Number of requested lists."),
		listDuration:  observations("list_duration_seconds", "Duration of lists until they are complete."),
		itemsInList:   observations("items_per_list", "Number of objects in a list."),
		watches:       counts("watches_total", "Number of requested watches."),
		shortWatches:  counts("short_watches_total", "Number of watches that ended within a second without an event."),
		watchDuration: observations("watch_duration_seconds", "Duration of watches."),
		itemsInWatch:  observations("items_per_watch", "Number of events in a watch."),
		lastResourceVersion: newFamily(prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Subsystem: subsystem, Name: "last_resource_version",
			Help: "The last resource version that was received.",
		}, labels)),
	}
}

func (r *reflectors) collectors() []prometheus.Collector {
	return []prometheus.Collector{
		r.lists, r.listDuration, r.itemsInList,
		r.watches, r.shortWatches, r.watchDuration, r.itemsInWatch,
		r.lastResourceVersion,
	}
}

func (r *reflectors) NewListsMetric(name string) cache.CounterMetric {
	return newCounter(r.lists, name)
}

func (r *reflectors) NewListDurationMetric(name string) cache.SummaryMetric {
	return newObserver(r.listDuration, name)
}

func (r *reflectors) NewItemsInListMetric(name string) cache.SummaryMetric {
	return newObserver(r.itemsInList, name)
}

func (r *reflectors) NewWatchesMetric(name string) cache.CounterMetric {
	return newCounter(r.watches, name)
}

func (r *reflectors) NewShortWatchesMetric(name string) cache.CounterMetric {
	return newCounter(r.shortWatches, name)
}

func (r *reflectors) NewWatchDurationMetric(name string) cache.SummaryMetric {
	return newObserver(r.watchDuration, name)
}

func (r *reflectors) NewItemsInWatchMetric(name string) cache.SummaryMetric {
	return newObserver(r.itemsInWatch, name)
}

func (r *reflectors) NewLastResourceVersionMetric(name string) cache.GaugeMetric {
	return newGauge(r.lastResourceVersion, name)
}
