package prometheus

import (
	"runtime"
	"strings"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
)

// vector is a metric with labels, such as [*prometheus.CounterVec], whose series are of type M.
type vector[M any] interface {
	prometheus.Collector
	WithLabelValues(values ...string) M
	DeleteLabelValues(values ...string) bool
}

// family is a metric whose series exist as long as they are held.
type family[M any] struct {
	vector[M]
	mu      sync.Mutex     // guards holders, and that they agree with the series
	holders map[string]int // by the values of the labels
}

func newFamily[M any](v vector[M]) *family[M] {
	return &family[M]{vector: v, holders: map[string]int{}}
}

// hold returns the series of some labels, and a function to call once when it is no longer used.
func (f *family[M]) hold(values ...string) (series M, release func()) {
	key := strings.Join(values, "\xff") // a byte that never occurs in UTF-8
	f.mu.Lock()
	defer f.mu.Unlock()
	f.holders[key]++
	return f.WithLabelValues(values...), sync.OnceFunc(func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.holders[key]--
		if f.holders[key] == 0 {
			delete(f.holders, key)
			f.DeleteLabelValues(values...)
		}
	})
}

// The metrics of a family. A series is removed when all metrics that were created from it are collected.
type (
	counter  struct{ prometheus.Counter }
	gauge    struct{ prometheus.Gauge }
	observer struct{ prometheus.Observer }
)

func newCounter(f *family[prometheus.Counter], name string) *counter {
	series, release := f.hold(name)
	c := &counter{series}
	runtime.AddCleanup(c, call, release)
	return c
}

func newGauge(f *family[prometheus.Gauge], name string) *gauge {
	series, release := f.hold(name)
	g := &gauge{series}
	runtime.AddCleanup(g, call, release)
	return g
}

func newObserver(f *family[prometheus.Observer], name string) *observer {
	series, release := f.hold(name)
	o := &observer{series}
	runtime.AddCleanup(o, call, release)
	return o
}

func call(f func()) { f() }
