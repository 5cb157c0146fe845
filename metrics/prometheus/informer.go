package prometheus

import (
	"runtime"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/listwatch/listwatch/runtime/cache"
)

// informers are the metrics of informers, by their names and resources. A series is also removed when the name
// is released, even if the informer still exists.
type informers struct {
	queuedItems          *family[prometheus.Gauge]
	processingLatency    *family[prometheus.Observer]
	storeResourceVersion *family[prometheus.Gauge]

	mu    sync.Mutex // guards holds
	holds map[*hold]struct{}
}

// hold is the hold of an informer on a series.
type hold struct {
	id      cache.InformerNameAndResource
	release func()
}

func newInformers() *informers {
	const subsystem = "informer"
	labels := []string{"name", "group", "version", "resource"}
	return &informers{
		queuedItems: newFamily(prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Subsystem: subsystem, Name: "queued_items",
			Help: "Changes that were received and are not yet in the store.",
		}, labels)),
		processingLatency: newFamily(prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Subsystem: subsystem, Name: "processing_latency_seconds",
			Help:    "How long it takes to store changes and to hand them on.",
			Buckets: []float64{0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10},
		}, labels)),
		storeResourceVersion: newFamily(prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Subsystem: subsystem, Name: "store_resource_version",
			Help: "The resource version that the store is up to date with: its last 15 digits.",
		}, labels)),
		holds: map[*hold]struct{}{},
	}
}

func (i *informers) collectors() []prometheus.Collector {
	return []prometheus.Collector{i.queuedItems, i.processingLatency, i.storeResourceVersion}
}

func (i *informers) NewQueuedItemMetric(id cache.InformerNameAndResource) cache.GaugeMetric {
	return i.gauge(i.queuedItems, id)
}

func (i *informers) NewProcessingLatencyMetric(id cache.InformerNameAndResource) cache.HistogramMetric {
	series, h := holdFor(i, i.processingLatency, id)
	o := &observer{series}
	runtime.AddCleanup(o, i.drop, h)
	return o
}

func (i *informers) NewStoreResourceVersionMetric(id cache.InformerNameAndResource) cache.GaugeMetric {
	return i.gauge(i.storeResourceVersion, id)
}

func (i *informers) gauge(f *family[prometheus.Gauge], id cache.InformerNameAndResource) *gauge {
	series, h := holdFor(i, f, id)
	g := &gauge{series}
	runtime.AddCleanup(g, i.drop, h)
	return g
}

// holdFor returns the series of an informer and the informer's hold on it. Series of informers whose name was
// released are removed first: if one of them had the same name and resource, its further measurements are not
// exported.
func holdFor[M any](i *informers, f *family[M], id cache.InformerNameAndResource) (M, *hold) {
	i.releaseOld()
	gvr := id.GroupVersionResource()
	series, release := f.hold(id.Name(), gvr.Group, gvr.Version, gvr.Resource)
	h := &hold{id: id, release: release}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.holds[h] = struct{}{}
	return series, h
}

// drop gives up a hold.
func (i *informers) drop(h *hold) {
	i.mu.Lock()
	delete(i.holds, h)
	i.mu.Unlock()
	h.release()
}

// releaseOld gives up the holds of informers whose name was released.
func (i *informers) releaseOld() {
	i.mu.Lock()
	defer i.mu.Unlock()
	for h := range i.holds {
		if !h.id.Reserved() {
			delete(i.holds, h)
			h.release()
		}
	}
}
