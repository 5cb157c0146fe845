package script_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/metrics"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/client-go/util/workqueue"
)

// meters is a provider of all metrics, which records their names and values.
type meters struct{ p *tape }

type meter struct {
	p    *tape
	name string
	seen float64
}

func (m meters) new(kind, name string) *meter {
	m.p.printf("new %s of %s", kind, name)
	return &meter{p: m.p, name: kind + " of " + name}
}

func (m *meter) Inc()              { m.p.printf("%s +1", m.name) }
func (m *meter) Dec()              { m.p.printf("%s -1", m.name) }
func (m *meter) Set(v float64)     { m.set("set", v) }
func (m *meter) Observe(v float64) { m.p.printf("%s observes %.3f", m.name, v) }

// set records only changes: how often a gauge is set is up to the queue.
func (m *meter) set(what string, v float64) {
	if v != m.seen {
		m.p.printf("%s %s %.3f", m.name, what, v)
		m.seen = v
	}
}

func (m meters) NewDepthMetric(name string) workqueue.GaugeMetric  { return m.new("depth", name) }
func (m meters) NewAddsMetric(name string) workqueue.CounterMetric { return m.new("adds", name) }
func (m meters) NewLatencyMetric(name string) workqueue.HistogramMetric {
	return m.new("latency", name)
}
func (m meters) NewWorkDurationMetric(name string) workqueue.HistogramMetric {
	return m.new("duration", name)
}

func (m meters) NewUnfinishedWorkSecondsMetric(name string) workqueue.SettableGaugeMetric {
	return m.new("unfinished", name)
}

func (m meters) NewLongestRunningProcessorSecondsMetric(name string) workqueue.SettableGaugeMetric {
	return m.new("longest", name)
}
func (m meters) NewRetriesMetric(name string) workqueue.CounterMetric { return m.new("retries", name) }

// Metrics of queues.
func TestQueueMetrics(t *testing.T) {
	use := func(q workqueue.TypedRateLimitingInterface[string]) {
		q.Add("a")
		q.Add("b")
		q.Add("a")
		time.Sleep(2 * time.Second)
		item, _ := q.Get()
		q.Add(item)
		time.Sleep(3100 * time.Millisecond)
		q.Done(item)
		q.AddRateLimited("c")
		q.AddAfter("d", time.Second)
		q.AddAfter("e", 0)
		time.Sleep(2 * time.Second)
		for q.Len() > 0 {
			item, _ := q.Get()
			q.Forget(item)
			q.Done(item)
		}
		q.ShutDown()
		q.Add("late")
		q.AddRateLimited("late")
		q.AddAfter("late", time.Second)
		synctest.Wait()
	}
	bubble := func(name string, f func(p *tape)) {
		run(t, name, func(t *testing.T, p *tape) {
			synctest.Test(t, func(*testing.T) { f(p) })
			slices.Sort(p.lines) // the metrics of one step come in any order
		})
	}
	bubble("given", func(p *tape) {
		use(workqueue.NewTypedRateLimitingQueueWithConfig(workqueue.DefaultTypedControllerRateLimiter[string](),
			workqueue.TypedRateLimitingQueueConfig[string]{Name: "q", MetricsProvider: meters{p}}))
	})
	bubble("no name", func(p *tape) {
		use(workqueue.NewTypedRateLimitingQueueWithConfig(workqueue.DefaultTypedControllerRateLimiter[string](),
			workqueue.TypedRateLimitingQueueConfig[string]{MetricsProvider: meters{p}}))
	})
	bubble("delaying", func(p *tape) {
		q := workqueue.NewTypedDelayingQueueWithConfig(workqueue.TypedDelayingQueueConfig[string]{Name: "d", MetricsProvider: meters{p}})
		q.AddAfter("x", time.Second)
		time.Sleep(2 * time.Second)
		item, _ := q.Get()
		q.Done(item)
		q.ShutDown()
	})
	bubble("plain", func(p *tape) {
		q := workqueue.NewTypedWithConfig(workqueue.TypedQueueConfig[string]{Name: "p", MetricsProvider: meters{p}})
		q.Add("x")
		item, down := q.Get()
		p.printf("%s %v", item, down)
		q.Done(item)
		q.ShutDown()
		item, down = q.Get()
		p.printf("%q %v %v", item, down, q.ShuttingDown())
	})
	bubble("set for all", func(p *tape) {
		workqueue.SetProvider(meters{p})
		use(workqueue.NewTypedRateLimitingQueueWithConfig(workqueue.DefaultTypedControllerRateLimiter[string](),
			workqueue.TypedRateLimitingQueueConfig[string]{Name: "all"}))
		q := workqueue.NewNamed("old")
		q.Add(1)
		q.ShutDown()
		workqueue.SetProvider(meters{&tape{}}) // the first one wins
		other := workqueue.NewTypedWithConfig(workqueue.TypedQueueConfig[string]{Name: "other"})
		other.Add("x")
		other.ShutDown()
	})
}

// Queues.
func TestQueues(t *testing.T) {
	bubble := func(name string, f func(p *tape)) {
		run(t, name, func(t *testing.T, p *tape) { synctest.Test(t, func(*testing.T) { f(p) }) })
	}
	bubble("order", func(p *tape) {
		q := workqueue.NewTypedDelayingQueue[string]()
		for i, d := range []time.Duration{3, 1, 2, 0, -1, 1} {
			q.AddAfter(fmt.Sprint(i), d*time.Second)
		}
		q.AddAfter("0", time.Second) // earlier
		q.AddAfter("1", time.Hour)   // later
		q.Add("now")
		time.Sleep(time.Minute)
		p.printf("%d", q.Len())
		for q.Len() > 0 {
			item, _ := q.Get()
			p.printf("%s", item)
			q.Done(item)
		}
		q.ShutDown()
	})
	bubble("dirty", func(p *tape) {
		q := workqueue.NewTyped[string]()
		q.Add("a")
		item, _ := q.Get()
		q.Add("a")
		q.Add("b")
		p.printf("%d", q.Len())
		q.Done(item)
		q.Done("unknown")
		p.printf("%d", q.Len())
		for q.Len() > 0 {
			item, _ := q.Get()
			p.printf("%s", item)
			q.Done(item)
		}
		q.ShutDown()
	})
	bubble("limiters", func(p *tape) {
		for name, l := range map[string]workqueue.TypedRateLimiter[string]{
			"default":     workqueue.DefaultTypedControllerRateLimiter[string](),
			"exponential": workqueue.NewTypedItemExponentialFailureRateLimiter[string](time.Millisecond, time.Second),
			"simple":      workqueue.DefaultTypedItemBasedRateLimiter[string](),
			"fast slow":   workqueue.NewTypedItemFastSlowRateLimiter[string](time.Millisecond, time.Second, 2),
			"bucket":      &workqueue.TypedBucketRateLimiter[string]{Limiter: rate.NewLimiter(rate.Limit(2), 3)},
			"max": workqueue.NewTypedMaxOfRateLimiter(
				workqueue.NewTypedItemFastSlowRateLimiter[string](time.Millisecond, time.Second, 2),
				workqueue.NewTypedItemExponentialFailureRateLimiter[string](time.Second, 2*time.Second)),
			"with max wait": workqueue.NewTypedWithMaxWaitRateLimiter(workqueue.NewTypedItemExponentialFailureRateLimiter[string](time.Second, time.Hour), time.Minute),
		} {
			for i := range 20 {
				p.printf("%s %02d %v %d", name, i, l.When("a"), l.NumRequeues("a"))
			}
			l.Forget("a")
			p.printf("%s forgot %v %d", name, l.When("a"), l.NumRequeues("a"))
		}
		slices.Sort(p.lines)
	})
	bubble("drain", func(p *tape) {
		q := workqueue.NewTyped[string]()
		q.Add("a")
		q.Add("b")
		item, _ := q.Get()
		done := make(chan struct{})
		go func() { q.ShutDownWithDrain(); close(done) }()
		synctest.Wait()
		q.Add("c")
		p.printf("%d %v", q.Len(), q.ShuttingDown())
		q.Done(item)
		item, down := q.Get()
		p.printf("%s %v", item, down)
		q.Done(item)
		<-done
		item, down = q.Get()
		p.printf("%q %v", item, down)
	})
	run(t, "parallelize", func(_ *testing.T, p *tape) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		n := 0
		workqueue.ParallelizeUntil(ctx, 2, 10, func(int) { n++ })
		p.printf("%d", n)
		workqueue.ParallelizeUntil(context.Background(), 1, 5, func(i int) { p.printf("piece %d", i) }, workqueue.WithChunkSize(2))
		workqueue.ParallelizeUntil(context.Background(), 1, 0, func(i int) { p.printf("piece %d", i) })
	})
}

// apiMetrics records what a client's metrics are called with.
type apiMetrics struct {
	p    *tape
	name string
}

func (m apiMetrics) Observe(_ context.Context, verb string, u url.URL, d time.Duration) {
	p := m.p
	p.printf("%s %s %s %v", m.name, verb, u.String(), d > 0)
}

func (m apiMetrics) Increment(_ context.Context, code, method, host string) {
	m.p.printf("%s %s %s %s", m.name, code, method, host)
}

func (m apiMetrics) IncrementRetry(_ context.Context, code, method, host string) {
	m.p.printf("%s %s %s %s", m.name, code, method, host)
}

type sizes struct {
	p    *tape
	name string
}

func (m sizes) Observe(_ context.Context, verb, host string, size float64) {
	m.p.printf("%s %s %s %v", m.name, verb, host, size)
}

type latency struct {
	p    *tape
	name string
}

func (m latency) Observe(_ context.Context, verb string, u url.URL, _ time.Duration) {
	m.p.printf("%s %s %s", m.name, verb, u.String())
}

type calls struct{ p *tape }

func (c calls) Increment(code int, status string) { c.p.printf("exec plugin %d %s", code, status) }

func TestClientMetrics(t *testing.T) {
	run(t, "registered", func(t *testing.T, p *tape) {
		metrics.Register(metrics.RegisterOpts{
			RequestLatency:     latency{p, "latency"},
			RateLimiterLatency: latency{p, "limiter"},
			RequestSize:        sizes{p, "request size"},
			ResponseSize:       sizes{p, "response size"},
			RequestResult:      apiMetrics{p, "result"},
			RequestRetry:       apiMetrics{p, "retry"},
			ExecPluginCalls:    calls{p},
		})
		other := &tape{} // the first registration wins
		metrics.Register(metrics.RegisterOpts{RequestResult: apiMetrics{other, "other"}})
		n := 0
		server := serve(t, p, func(w http.ResponseWriter, r *http.Request) {
			n++
			switch {
			case strings.HasSuffix(r.URL.Path, "retried") && n%2 == 1:
				response{429, "Retry-After: 0", ""}.write(w)
			case strings.HasSuffix(r.URL.Path, "missing"):
				response{404, asJSON, status(404, "NotFound", "no")}.write(w)
			case strings.HasSuffix(r.URL.Path, "broken"):
				panic(http.ErrAbortHandler)
			default:
				response{200, asJSON, pod}.write(w)
			}
		})
		config := restConfig(server.URL)
		config.QPS, config.Burst = 10000, 10000
		client, err := rest.RESTClientFor(config)
		if err != nil {
			t.Fatal(err)
		}
		ctx := context.Background()
		for _, name := range []string{"a", "retried", "missing", "broken"} {
			n = 0
			p.printf("== %s", name)
			get := func() *rest.Request {
				return client.Get().Namespace("n").Resource("pods").Name(name).MaxRetries(1).Param("x", "y")
			}
			_ = get().Do(ctx)
			_, _ = get().DoRaw(ctx)
			if s, err := get().Stream(ctx); err == nil {
				_ = s.Close()
			}
			if w, err := get().Watch(ctx); err == nil {
				for range w.ResultChan() {
				}
			}
			_ = client.Post().Namespace("n").Resource("pods").SubResource("status").Name(name).MaxRetries(1).Body(&corev1.Pod{}).Do(ctx)
			_ = client.Get().Resource("pods").MaxRetries(1).Do(ctx)
			_ = client.Get().AbsPath("/apis/apps/v1/namespaces/x/deployments/y/scale", name).MaxRetries(1).Do(ctx)
			_ = client.Get().AbsPath("/healthz").MaxRetries(1).Do(ctx)
			_ = client.Get().RequestURI("/api/v1/nodes/n1/proxy/stats?z=1").MaxRetries(1).Do(ctx)
		}
		p.printf("other: %d", len(other.lines))
	})
}

// reflectorMeters is a provider of metrics of reflectors.
type reflectorMeters struct{ p *tape }

func (m reflectorMeters) new(kind, name string) *meter { return meters(m).new(kind, name) }

type summary struct{ *meter }

func (m reflectorMeters) NewListsMetric(name string) cache.CounterMetric { return m.new("lists", name) }
func (m reflectorMeters) NewListDurationMetric(name string) cache.SummaryMetric {
	return summary{m.new("list duration", name)}
}

func (m reflectorMeters) NewItemsInListMetric(name string) cache.SummaryMetric {
	return m.new("items in list", name)
}

func (m reflectorMeters) NewWatchesMetric(name string) cache.CounterMetric {
	return m.new("watches", name)
}
func (m reflectorMeters) NewShortWatchesMetric(name string) cache.CounterMetric {
	return m.new("short watches", name)
}

func (m reflectorMeters) NewWatchDurationMetric(name string) cache.SummaryMetric {
	return m.new("watch duration", name)
}

func (m reflectorMeters) NewItemsInWatchMetric(name string) cache.SummaryMetric {
	return m.new("items in watch", name)
}

func (m reflectorMeters) NewLastResourceVersionMetric(name string) cache.GaugeMetric {
	return m.new("last version", name)
}

func TestReflectorMetrics(t *testing.T) {
	run(t, "provider", func(t *testing.T, p *tape) {
		cache.SetReflectorMetricsProvider(reflectorMeters{p})
		synctest.Test(t, func(t *testing.T) {
			s := replay("relist deletes", &tape{})
			r := cache.NewNamedReflector("named", s.listWatch(), &corev1.Pod{}, cache.NewStore(cache.MetaNamespaceKeyFunc), 0)
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan struct{})
			go func() { defer close(done); r.RunWithContext(ctx) }()
			time.Sleep(time.Minute)
			cancel()
			<-done
		})
	})
}

func TestFlowControl(t *testing.T) {
	run(t, "limiters", func(t *testing.T, p *tape) {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			l := flowcontrol.NewTokenBucketRateLimiter(2, 3)
			for range 5 {
				l.Accept()
				p.printf("accepted after %v, %v", time.Since(start), l.TryAccept())
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			defer cancel()
			p.err("Wait", l.Wait(ctx))
			canceled, cancel := context.WithCancel(t.Context())
			cancel()
			p.err("Wait", l.Wait(canceled))
			p.printf("%v", l.QPS())
			l.Stop()
			never := flowcontrol.NewFakeNeverRateLimiter()
			p.printf("%v %v", never.TryAccept(), never.QPS())
			p.err("never", never.Wait(ctx))
			always := flowcontrol.NewFakeAlwaysRateLimiter()
			p.printf("%v %v", always.TryAccept(), always.QPS())
			p.err("always", always.Wait(canceled))
		})
	})
	run(t, "backoff", func(t *testing.T, p *tape) {
		synctest.Test(t, func(*testing.T) {
			b := flowcontrol.NewBackOff(time.Second, 10*time.Second)
			for range 6 {
				b.Next("a", time.Now())
				p.printf("%v %v", b.Get("a"), b.IsInBackOffSince("a", time.Now()))
				time.Sleep(b.Get("a") / 2)
				p.printf("%v", b.IsInBackOffSinceUpdate("a", time.Now()))
			}
			time.Sleep(21 * time.Second)
			b.Next("a", time.Now())
			p.printf("after a while %v", b.Get("a"))
			b.Reset("a")
			p.printf("reset %v", b.Get("a"))
			b.GC()
			b.DeleteEntry("a")
			p.printf("%v", b.Get("a"))
		})
	})
}
