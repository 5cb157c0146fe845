package workqueue_test

import (
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/time/rate"

	"github.com/listwatch/listwatch/runtime/workqueue"
)

func TestRateLimiters(t *testing.T) {
	const ms, s = time.Millisecond, time.Second
	bucket := func() workqueue.TypedRateLimiter[string] {
		return &workqueue.TypedBucketRateLimiter[string]{Limiter: rate.NewLimiter(10, 2)}
	}
	exponential := workqueue.NewTypedItemExponentialFailureRateLimiter[string]
	fastSlow := workqueue.NewTypedItemFastSlowRateLimiter[string]
	tests := []struct {
		name    string
		limiter func() workqueue.TypedRateLimiter[string]
		want    []time.Duration // of one item
		counts  int             // number of known failures after them
		other   time.Duration   // of another item after them
		again   time.Duration   // of the first item after it was forgotten
	}{
		{"exponential", func() workqueue.TypedRateLimiter[string] { return exponential(ms, s) },
			[]time.Duration{ms, 2 * ms, 4 * ms, 8 * ms, 16 * ms, 32 * ms, 64 * ms, 128 * ms, 256 * ms, 512 * ms, s, s},
			12, ms, ms},
		{"exponential, below the maximum from the start", func() workqueue.TypedRateLimiter[string] { return exponential(2*s, s) },
			[]time.Duration{s, s}, 2, s, s},
		{"exponential, up to the longest duration", func() workqueue.TypedRateLimiter[string] { return exponential(math.MaxInt64/2, math.MaxInt64) },
			[]time.Duration{math.MaxInt64 / 2, math.MaxInt64 - 1, math.MaxInt64, math.MaxInt64}, 4, math.MaxInt64 / 2, math.MaxInt64 / 2},
		{"exponential, from nothing", func() workqueue.TypedRateLimiter[string] { return exponential(0, s) },
			slices.Repeat([]time.Duration{0}, 100), 100, 0, 0},
		{"exponential by default", workqueue.DefaultTypedItemBasedRateLimiter[string],
			[]time.Duration{ms, 2 * ms}, 2, ms, ms},
		{"fast, then slow", func() workqueue.TypedRateLimiter[string] { return fastSlow(ms, s, 3) },
			[]time.Duration{ms, ms, ms, s, s}, 5, ms, ms},
		{"bucket", bucket, []time.Duration{0, 0, 100 * ms, 200 * ms}, 0, 300 * ms, 400 * ms},
		{"maximum of others", func() workqueue.TypedRateLimiter[string] {
			return workqueue.NewTypedMaxOfRateLimiter(fastSlow(50*ms, s, 5), bucket(), exponential(ms, s))
		}, []time.Duration{50 * ms, 50 * ms, 100 * ms, 200 * ms, 300 * ms, s}, 6, 500 * ms, 600 * ms},
		{"maximum of no limiters", func() workqueue.TypedRateLimiter[string] { return workqueue.NewTypedMaxOfRateLimiter[string]() },
			[]time.Duration{0, 0}, 0, 0, 0},
		{"no longer than a maximum", func() workqueue.TypedRateLimiter[string] {
			return workqueue.NewTypedWithMaxWaitRateLimiter(exponential(ms, s), 3*ms)
		}, []time.Duration{ms, 2 * ms, 3 * ms, 3 * ms}, 4, ms, ms},
		{"controller's", workqueue.DefaultTypedControllerRateLimiter[string],
			[]time.Duration{5 * ms, 10 * ms, 20 * ms}, 3, 5 * ms, 5 * ms},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // where no time passes
				limiter := test.limiter()
				if n := limiter.NumRequeues("a"); n != 0 {
					t.Errorf("%d failures at first", n)
				}
				var got []time.Duration
				for range test.want {
					got = append(got, limiter.When("a"))
				}
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Errorf("delays (-want +got):\n%s", diff)
				}
				if n := limiter.NumRequeues("a"); n != test.counts {
					t.Errorf("%d failures are known, want %d", n, test.counts)
				}
				if delay := limiter.When("b"); delay != test.other {
					t.Errorf("another item waits for %v, want %v", delay, test.other)
				}
				limiter.Forget("a")
				if n := limiter.NumRequeues("a"); n != 0 {
					t.Errorf("%d failures of an item that was forgotten", n)
				}
				if delay := limiter.When("a"); delay != test.again {
					t.Errorf("an item that was forgotten waits for %v, want %v", delay, test.again)
				}
			})
		})
	}
}

func TestControllerRateLimiterHoldsBackMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limiter := workqueue.DefaultTypedControllerRateLimiter[int]()
		for i := range 100 {
			if delay := limiter.When(i); delay != 5*time.Millisecond {
				t.Fatalf("item %d waits for %v", i, delay)
			}
		}
		for i := range 3 {
			if delay, want := limiter.When(100+i), time.Duration(i+1)*100*time.Millisecond; delay != want {
				t.Errorf("item %d waits for %v, want %v", 100+i, delay, want)
			}
		}
	})
}

// The untyped names create the same as the typed ones.
func TestUntyped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limiter := workqueue.NewMaxOfRateLimiter(
			workqueue.NewItemExponentialFailureRateLimiter(time.Second, time.Minute),
			workqueue.NewItemFastSlowRateLimiter(2*time.Second, time.Minute, 2),
			workqueue.NewWithMaxWaitRateLimiter(workqueue.DefaultItemBasedRateLimiter(), time.Second),
			&workqueue.BucketRateLimiter{Limiter: rate.NewLimiter(1000, 1000)},
		)
		metrics := &recorder{}
		var custom workqueue.Interface = workqueue.NewNamed("d")
		queues := map[string]workqueue.RateLimitingInterface{
			"plain":  workqueue.NewRateLimitingQueue(limiter),
			"named":  workqueue.NewNamedRateLimitingQueue(limiter, "a"),
			"config": workqueue.NewRateLimitingQueueWithConfig(limiter, workqueue.RateLimitingQueueConfig{Name: "b", MetricsProvider: metrics}),
			"delaying": workqueue.NewRateLimitingQueueWithDelayingInterface(
				workqueue.NewDelayingQueueWithCustomQueue(custom, "c"), limiter),
		}
		for name, q := range queues {
			start := time.Now()
			q.AddRateLimited(name)
			if got, _ := q.Get(); got != name || time.Since(start) != 2*time.Second {
				t.Errorf("%s: got %v after %v", name, got, time.Since(start))
			}
			q.ShutDown()
		}
		delaying := map[string]workqueue.DelayingInterface{
			"plain":  workqueue.NewDelayingQueue(),
			"named":  workqueue.NewNamedDelayingQueue("a"),
			"config": workqueue.NewDelayingQueueWithConfig(workqueue.DelayingQueueConfig{}),
			"typed":  workqueue.TypedNewDelayingQueue[any](),
		}
		for name, q := range delaying {
			start := time.Now()
			q.AddAfter(name, time.Second)
			if got, _ := q.Get(); got != name || time.Since(start) != time.Second {
				t.Errorf("%s: got %v after %v", name, got, time.Since(start))
			}
		}
		for name, q := range map[string]*workqueue.Type{
			"plain":  workqueue.New(),
			"config": workqueue.NewWithConfig(workqueue.QueueConfig{}),
		} {
			q.Add(1)
			q.Add("1")
			if q.Len() != 2 {
				t.Errorf("%s: %d items are in line, want 2", name, q.Len())
			}
		}
		if got := metrics.value("retries"); got != 1 {
			t.Errorf("%v retries were counted, want 1", got)
		}
	})
}
