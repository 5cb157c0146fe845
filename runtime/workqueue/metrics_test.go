package workqueue_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/utils/clock"

	"github.com/listwatch/listwatch/runtime/workqueue"
)

// recorder is a MetricsProvider that records values by metric.
type recorder struct {
	mu       sync.Mutex // guards the fields below
	queue    string
	values   map[string]float64
	observed map[string][]float64
}

// metric is a metric of a recorder.
type metric struct {
	r    *recorder
	name string
}

func (m metric) Inc() { m.update(func(old float64) float64 { return old + 1 }) }
func (m metric) Dec() { m.update(func(old float64) float64 { return old - 1 }) }

func (m metric) Set(value float64) { m.update(func(float64) float64 { return value }) }

func (m metric) Observe(value float64) {
	m.r.mu.Lock()
	defer m.r.mu.Unlock()
	m.r.observed[m.name] = append(m.r.observed[m.name], value)
}

func (m metric) update(f func(float64) float64) {
	m.r.mu.Lock()
	defer m.r.mu.Unlock()
	m.r.values[m.name] = f(m.r.values[m.name])
}

func (r *recorder) metric(queue, name string) metric {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.queue = queue
	if r.values == nil {
		r.values, r.observed = map[string]float64{}, map[string][]float64{}
	}
	return metric{r, name}
}

func (r *recorder) value(name string) float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.values[name]
}

func (r *recorder) NewDepthMetric(queue string) workqueue.GaugeMetric {
	return r.metric(queue, "depth")
}
func (r *recorder) NewAddsMetric(queue string) workqueue.CounterMetric {
	return r.metric(queue, "adds")
}
func (r *recorder) NewLatencyMetric(queue string) workqueue.HistogramMetric {
	return r.metric(queue, "latency")
}
func (r *recorder) NewWorkDurationMetric(queue string) workqueue.HistogramMetric {
	return r.metric(queue, "work")
}
func (r *recorder) NewUnfinishedWorkSecondsMetric(queue string) workqueue.SettableGaugeMetric {
	return r.metric(queue, "unfinished")
}
func (r *recorder) NewLongestRunningProcessorSecondsMetric(queue string) workqueue.SettableGaugeMetric {
	return r.metric(queue, "longest")
}
func (r *recorder) NewRetriesMetric(queue string) workqueue.CounterMetric {
	return r.metric(queue, "retries")
}

func TestMetrics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{}
		q := workqueue.NewTypedRateLimitingQueueWithConfig(
			workqueue.NewTypedItemExponentialFailureRateLimiter[string](time.Second, time.Minute),
			workqueue.TypedRateLimitingQueueConfig[string]{Name: "boats", MetricsProvider: r})
		defer q.ShutDown()
		// Halfway between two times at which the metrics of unfinished work are set.
		time.Sleep(250 * time.Millisecond)

		check := func(step string, values map[string]float64, observed map[string][]float64) {
			t.Helper()
			synctest.Wait()
			r.mu.Lock()
			defer r.mu.Unlock()
			if diff := cmp.Diff(values, r.values, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("values %s (-want +got):\n%s", step, diff)
			}
			if diff := cmp.Diff(observed, r.observed, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("observed %s (-want +got):\n%s", step, diff)
			}
		}

		check("at first", nil, nil)

		q.Add("a")
		q.Add("a")
		q.Add("b")
		check("after adds", map[string]float64{
			"depth": 2, "adds": 2,
		}, nil)

		time.Sleep(time.Second)
		get(t, q)
		time.Sleep(time.Second)
		get(t, q)
		q.Add("a")
		time.Sleep(time.Second)
		check("while items are processed", map[string]float64{
			"depth": 1, "adds": 3, "unfinished": 1.75 + 0.75, "longest": 1.75,
		}, map[string][]float64{"latency": {1, 2}})

		q.Done("a")
		get(t, q)
		time.Sleep(time.Second)
		check("when the first is done and got again", map[string]float64{
			"depth": 0, "adds": 3, "unfinished": 1.75 + 0.75, "longest": 1.75,
		}, map[string][]float64{"latency": {1, 2, 1}, "work": {2}})

		q.Done("b")
		q.Done("a")
		q.Done("a") // no effect
		time.Sleep(time.Second)
		check("when all are done", map[string]float64{
			"depth": 0, "adds": 3, "unfinished": 0, "longest": 0,
		}, map[string][]float64{"latency": {1, 2, 1}, "work": {2, 2, 1}})

		q.AddRateLimited("a")
		q.AddAfter("b", 0)
		q.ShutDown()
		q.AddRateLimited("a")
		check("after retries", map[string]float64{
			"depth": 1, "adds": 4, "unfinished": 0, "longest": 0, "retries": 2,
		}, map[string][]float64{"latency": {1, 2, 1}, "work": {2, 2, 1}})
		if r.queue != "boats" {
			t.Errorf("metrics were made for %q", r.queue)
		}
	})
}

// tickers is a clock that counts its tickers.
type tickers struct {
	clock.RealClock
	running atomic.Int32
}

type ticker struct {
	clock.Ticker
	running *atomic.Int32
}

func (c *tickers) NewTicker(d time.Duration) clock.Ticker {
	c.running.Add(1)
	return ticker{c.RealClock.NewTicker(d), &c.running}
}

func (t ticker) Stop() {
	t.Ticker.Stop()
	t.running.Add(-1)
}

func TestShutDownWaitsForWhatSetsMetrics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &tickers{}
		q := workqueue.NewTypedWithConfig(workqueue.TypedQueueConfig[string]{Name: "boats", MetricsProvider: &recorder{}, Clock: c})
		synctest.Wait()
		if c.running.Load() != 1 {
			t.Error("nothing sets metrics")
		}
		q.ShutDown()
		if c.running.Load() != 0 {
			t.Error("the goroutine that sets metrics still exists")
		}
	})
}

func TestQueueWithoutNameHasNoMetrics(t *testing.T) {
	r := &recorder{}
	q := workqueue.NewTypedDelayingQueueWithConfig(workqueue.TypedDelayingQueueConfig[string]{MetricsProvider: r})
	q.AddAfter("a", 0)
	get(t, q)
	q.Done("a")
	if r.values != nil {
		t.Errorf("there are metrics: %v", r.values)
	}
}

func TestSetProvider(t *testing.T) {
	defer workqueue.UnsetProvider()
	early := workqueue.NewTypedWithConfig(workqueue.TypedQueueConfig[string]{Name: "early"})
	first, second, own := &recorder{}, &recorder{}, &recorder{}
	workqueue.SetProvider(first)
	workqueue.SetProvider(second)
	late := workqueue.NewNamedRateLimitingQueue(workqueue.DefaultControllerRateLimiter(), "late")
	defer late.ShutDown()
	other := workqueue.NewTypedWithConfig(workqueue.TypedQueueConfig[string]{Name: "other", MetricsProvider: own})
	defer other.ShutDown()
	early.Add("a")
	late.Add("a")
	late.AddRateLimited("a")
	other.Add("a")
	if got := first.value("adds"); got != 1 {
		t.Errorf("the first provider counted %v items, want 1", got)
	}
	if got := first.value("retries"); got != 1 {
		t.Errorf("the first provider counted %v retries, want 1", got)
	}
	if second.values != nil {
		t.Error("the second provider is in use")
	}
	if got := own.value("adds"); got != 1 {
		t.Errorf("the queue's own provider counted %v items, want 1", got)
	}
}
