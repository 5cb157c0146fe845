package cache

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// notedMetrics records all values of metrics.
type notedMetrics struct {
	mu   sync.Mutex
	told []string
}

func (n *notedMetrics) note(format string, args ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.told = append(n.told, fmt.Sprintf(format, args...))
}

type notedMetric struct {
	*notedMetrics
	name string
}

func (m notedMetric) Inc()              { m.note("%s", m.name) }
func (m notedMetric) Set(v float64)     { m.note("%s %v", m.name, v) }
func (m notedMetric) Observe(v float64) { m.note("%s %v", m.name, v) }

func (n *notedMetrics) NewListsMetric(name string) CounterMetric {
	return notedMetric{n, name + " lists"}
}
func (n *notedMetrics) NewListDurationMetric(name string) SummaryMetric {
	return notedMetric{n, name + " list took"}
}
func (n *notedMetrics) NewItemsInListMetric(name string) SummaryMetric {
	return notedMetric{n, name + " list items"}
}
func (n *notedMetrics) NewWatchesMetric(name string) CounterMetric {
	return notedMetric{n, name + " watches"}
}
func (n *notedMetrics) NewShortWatchesMetric(name string) CounterMetric {
	return notedMetric{n, name + " short watches"}
}
func (n *notedMetrics) NewWatchDurationMetric(name string) SummaryMetric {
	return notedMetric{n, name + " watch took"}
}
func (n *notedMetrics) NewItemsInWatchMetric(name string) SummaryMetric {
	return notedMetric{n, name + " watch items"}
}
func (n *notedMetrics) NewLastResourceVersionMetric(name string) GaugeMetric {
	return notedMetric{n, name + " version"}
}
func TestReflectorMetrics(t *testing.T) {
	t.Cleanup(func() { metricsOfReflectors.provider = nil })
	noted := &notedMetrics{}
	SetReflectorMetricsProvider(noted)
	SetReflectorMetricsProvider(&notedMetrics{}) // comes too late
	synctest.Test(t, func(t *testing.T) {
		lw := &ListWatch{
			ListFunc: func(metav1.ListOptions) (runtime.Object, error) {
				time.Sleep(2 * time.Second)
				return &metav1.PartialObjectMetadataList{
					ListMeta: metav1.ListMeta{ResourceVersion: "7"},
					Items:    make([]metav1.PartialObjectMetadata, 1),
				}, nil
			},
			WatchFunc: func(metav1.ListOptions) (watch.Interface, error) {
				w := watch.NewFakeWithChanSize(1, false)
				bookmark := &metav1.PartialObjectMetadata{}
				bookmark.ResourceVersion = "x9"
				w.Action(watch.Bookmark, bookmark)
				return w, nil
			},
		}
		client := ToListWatcherWithWatchListSemantics(lw, refuser{})
		run := func() func() {
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan struct{})
			go func() {
				defer close(done)
				NewNamedReflector("r", client, nil, NewStore(func(any) (string, error) { return "k", nil }), 0).RunWithContext(ctx)
			}()
			synctest.Wait()
			return func() { cancel(); <-done }
		}
		stop := run()
		time.Sleep(5 * time.Second)
		synctest.Wait()
		other := run()
		if n := len(metricsOfReflectors.byName); n != 1 {
			t.Errorf("metrics of %d names", n)
		}
		stop()
		stopped := len(noted.told)
		other()
		want := []string{"r lists", "r list took 2", "r list items 1", "r version 7", "r watches", "r watch took 3", "r watch items 1"}
		if got := fmt.Sprint(noted.told[:stopped]); got != fmt.Sprint(want) {
			t.Errorf("recorded %v, want %v", got, want)
		}
		if n := len(metricsOfReflectors.byName); n != 0 {
			t.Errorf("metrics of %d names are retained", n)
		}
		time.Sleep(time.Minute) // for the list that has no waiter
	})
}

type refuser struct{}

func (refuser) IsWatchListSemanticsUnSupported() bool { return true }
