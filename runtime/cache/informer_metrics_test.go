package cache_test

import (
	"sync"
	"testing"
	"testing/synctest"

	"github.com/listwatch/listwatch/runtime/cache"
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
)

// gauges is a provider of metrics that record their last value and count calls.
type gauges struct {
	mu     sync.Mutex
	made   int
	values map[string]float64
	counts map[string]int
}

type gauge struct {
	in   *gauges
	name string
}

func (g gauge) Set(v float64) {
	g.in.mu.Lock()
	defer g.in.mu.Unlock()
	g.in.values[g.name] = v
	g.in.counts[g.name]++
}

func (g gauge) Observe(v float64) { g.Set(v) }

func (g *gauges) make(kind string, id cache.InformerNameAndResource) gauge {
	g.made++
	return gauge{g, id.Name() + " " + id.GroupVersionResource().Resource + " " + kind}
}

func (g *gauges) NewQueuedItemMetric(id cache.InformerNameAndResource) cache.GaugeMetric {
	return g.make("queued", id)
}

func (g *gauges) NewProcessingLatencyMetric(id cache.InformerNameAndResource) cache.HistogramMetric {
	return g.make("latency", id)
}

func (g *gauges) NewStoreResourceVersionMetric(id cache.InformerNameAndResource) cache.GaugeMetric {
	return g.make("version", id)
}

func TestInformerMetrics(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		provider := &gauges{values: map[string]float64{}, counts: map[string]int{}}
		name := reserveHarbour(t)
		newInformer := func(id cache.InformerNameAndResource) cache.SharedIndexInformer {
			return cache.NewSharedIndexInformerWithOptions(source, &ship{}, cache.SharedIndexInformerOptions{
				Identifier: id, InformerMetricsProvider: provider,
			})
		}
		informer := newInformer(name.WithResource(boats))
		if provider.made != 3 {
			t.Errorf("%d metrics made, want 3", provider.made)
		}
		newInformer(name.WithResource(boats))
		newInformer(cache.InformerNameAndResource{})
		if provider.made != 3 {
			t.Error("metrics are created without an identity")
		}

		source.Add(newShip("bay/a", "red"))
		defer run(t, informer)()
		synctest.Wait()
		source.Add(newShip("bay/b", "red"))
		synctest.Wait()
		provider.mu.Lock()
		defer provider.mu.Unlock()
		if got := provider.values["harbour boats version"]; got != 2 {
			t.Errorf("resource version is %v, want 2", got)
		}
		if got := provider.values["harbour boats queued"]; got != 0 {
			t.Errorf("%v queued after all was handled", got)
		}
		if got := provider.counts["harbour boats latency"]; got < 2 {
			t.Errorf("%d latencies observed, want at least one for the list and one for the watch", got)
		}
	})
}
