package workqueue_test

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/runtime/workqueue"
)

// get gets an item from a queue that has one.
func get[T comparable](t *testing.T, q workqueue.TypedInterface[T]) T {
	t.Helper()
	if q.Len() == 0 {
		t.Fatal("no item is in line")
	}
	item, shutdown := q.Get()
	if shutdown {
		t.Fatal("shut down with a queued item")
	}
	return item
}

// rest gets and completes all items of a queue that is shutting down.
func rest[T comparable](q workqueue.TypedInterface[T]) []T {
	var items []T
	for {
		item, shutdown := q.Get()
		if shutdown {
			return items
		}
		items = append(items, item)
		q.Done(item)
	}
}

func TestQueue(t *testing.T) {
	type queue = *workqueue.Typed[string]
	tests := []struct {
		name string
		do   func(t *testing.T, q queue)
		want []string // what is left
	}{
		{"items come out in the order in which they were added", func(_ *testing.T, q queue) {
			q.Add("b")
			q.Add("a")
			q.Add("c")
		}, []string{"b", "a", "c"}},
		{"an item in line is there once and stays where it is", func(_ *testing.T, q queue) {
			q.Add("a")
			q.Add("b")
			q.Add("a")
		}, []string{"a", "b"}},
		{"a returned item is no longer queued", func(t *testing.T, q queue) {
			q.Add("a")
			q.Add("b")
			get(t, q)
		}, []string{"b"}},
		{"an item added while it is processed is held back", func(t *testing.T, q queue) {
			q.Add("a")
			get(t, q)
			q.Add("a")
		}, nil},
		{"and is queued once when it is done", func(t *testing.T, q queue) {
			q.Add("a")
			get(t, q)
			q.Add("a")
			q.Add("a")
			q.Add("b")
			q.Done("a")
		}, []string{"b", "a"}},
		{"an item that is done can be added again", func(t *testing.T, q queue) {
			q.Add("a")
			q.Done(get(t, q))
			q.Add("a")
		}, []string{"a"}},
		{"items are done in any order", func(t *testing.T, q queue) {
			all := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
			for _, item := range all {
				q.Add(item)
			}
			for range all {
				get(t, q)
			}
			for _, item := range []string{"d", "a", "h", "b"} {
				q.Done(item)
				q.Add(item)
			}
			for _, item := range []string{"g", "c", "e", "f"} {
				q.Add(item)
				q.Done(item)
			}
		}, []string{"d", "a", "h", "b", "g", "c", "e", "f"}},
		{"Done of an item that is not processed has no effect", func(_ *testing.T, q queue) {
			q.Done("x")
			q.Add("a")
			q.Done("a")
		}, []string{"a"}},
		{"nothing is added to a queue that is shutting down", func(t *testing.T, q queue) {
			q.Add("a")
			q.Add("b")
			get(t, q)
			q.ShutDown()
			q.Add("c")
			q.Add("a")
			q.Done("a")
		}, []string{"b"}},
		{"an item added before shutdown comes out again", func(t *testing.T, q queue) {
			q.Add("a")
			get(t, q)
			q.Add("a")
			q.ShutDown()
			q.Done("a")
		}, []string{"a"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			q := workqueue.NewTyped[string]()
			test.do(t, q)
			if got := q.Len(); got != len(test.want) {
				t.Errorf("%d items are in line, want %d", got, len(test.want))
			}
			q.ShutDown()
			if !q.ShuttingDown() {
				t.Error("the queue does not say that it is shutting down")
			}
			if diff := cmp.Diff(test.want, rest(q)); diff != "" {
				t.Errorf("items left (-want +got):\n%s", diff)
			}
		})
	}
}

func TestGetWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := workqueue.NewTyped[string]()
		var got []string
		go func() {
			for {
				item, shutdown := q.Get()
				if shutdown {
					got = append(got, "end")
					return
				}
				got = append(got, item)
				q.Done(item)
			}
		}()
		synctest.Wait()
		if q.ShuttingDown() {
			t.Error("shutting down before ShutDown")
		}
		q.Add("a")
		synctest.Wait()
		q.Add("b")
		synctest.Wait()
		q.ShutDown()
		synctest.Wait()
		if diff := cmp.Diff([]string{"a", "b", "end"}, got); diff != "" {
			t.Errorf("what the worker got (-want +got):\n%s", diff)
		}
	})
}

// Each queued item wakes its own worker, if enough of them wait: none is delayed by another
// worker's work.
func TestEveryWorkerIsWoken(t *testing.T) {
	const n = 10
	tests := []struct {
		name string
		add  func(q *workqueue.Typed[int])
	}{
		{"added immediately", func(q *workqueue.Typed[int]) {
			for i := range n {
				q.Add(i)
			}
		}},
		{"added one by one", func(q *workqueue.Typed[int]) {
			for i := range n {
				q.Add(i)
				synctest.Wait()
			}
		}},
		{"put back by Done", func(q *workqueue.Typed[int]) {
			for i := range n {
				q.Add(i)
				q.Get()
				q.Add(i)
			}
			for i := range n {
				q.Done(i)
			}
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				q := workqueue.NewTyped[int]()
				hold := make(chan struct{})
				var mu sync.Mutex
				got := 0
				start := func() {
					for range n {
						go func() {
							q.Get()
							mu.Lock()
							got++
							mu.Unlock()
							<-hold
						}()
					}
					synctest.Wait()
				}
				if test.name != "put back by Done" {
					start()
				}
				test.add(q)
				if test.name == "put back by Done" {
					start()
				}
				synctest.Wait()
				if got != n {
					t.Errorf("%d workers have an item, want %d", got, n)
				}
				close(hold)
			})
		})
	}
}

func TestShutDownWakesAllWorkers(t *testing.T) {
	synctest.Test(t, func(*testing.T) {
		q := workqueue.NewTyped[string]()
		var workers sync.WaitGroup
		for range 5 {
			workers.Go(func() { q.Get() })
		}
		synctest.Wait()
		q.ShutDown()
		workers.Wait()
		q.ShutDown() // again, without effect
	})
}

func TestShutDownWithDrain(t *testing.T) {
	drain := func(q *workqueue.Typed[string]) (drained chan struct{}) {
		drained = make(chan struct{})
		go func() {
			q.ShutDownWithDrain()
			close(drained)
		}()
		synctest.Wait()
		return drained
	}
	closed := func(c chan struct{}) bool {
		synctest.Wait()
		select {
		case <-c:
			return true
		default:
			return false
		}
	}
	tests := []struct {
		name string
		do   func(t *testing.T, q *workqueue.Typed[string])
	}{
		{"returns immediately if nothing is processed", func(t *testing.T, q *workqueue.Typed[string]) {
			q.Add("a")
			if !closed(drain(q)) {
				t.Error("waits")
			}
		}},
		{"waits for items being processed", func(t *testing.T, q *workqueue.Typed[string]) {
			q.Add("a")
			q.Add("b")
			get(t, q)
			get(t, q)
			drained := drain(q)
			q.Done("a")
			if closed(drained) {
				t.Error("did not wait for the second item")
			}
			q.Done("b")
			if !closed(drained) {
				t.Error("waits although nothing is processed")
			}
		}},
		{"all draining callers return", func(t *testing.T, q *workqueue.Typed[string]) {
			q.Add("a")
			get(t, q)
			first, second := drain(q), drain(q)
			q.Done("a")
			if !closed(first) || !closed(second) {
				t.Error("one of them waits")
			}
		}},
		{"an item added while it was processed is still handed out", func(t *testing.T, q *workqueue.Typed[string]) {
			q.Add("a")
			get(t, q)
			q.Add("a")
			drain(q)
			q.Done("a")
			q.Done(get(t, q))
		}},
		{"refuses items meanwhile, and workers end", func(t *testing.T, q *workqueue.Typed[string]) {
			q.Add("a")
			get(t, q)
			drained := drain(q)
			q.Add("b")
			if !q.ShuttingDown() {
				t.Error("not shutting down")
			}
			if item, shutdown := q.Get(); !shutdown {
				t.Errorf("got %s from a queue that is shutting down", item)
			}
			q.Done("a")
			<-drained
		}},
		{"stops waiting when it is shut down", func(t *testing.T, q *workqueue.Typed[string]) {
			q.Add("a")
			get(t, q)
			drained := drain(q)
			q.ShutDown()
			if !closed(drained) {
				t.Error("still waits")
			}
		}},
		{"waits also if it was shut down before", func(t *testing.T, q *workqueue.Typed[string]) {
			q.Add("a")
			get(t, q)
			q.ShutDown()
			drained := drain(q)
			if closed(drained) {
				t.Error("did not wait")
			}
			q.Done("a")
			<-drained
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { test.do(t, workqueue.NewTyped[string]()) })
		})
	}
}

// last returns the item that was added last first.
type last struct {
	items   []string
	touched []string
}

func (q *last) Touch(item string) { q.touched = append(q.touched, item) }
func (q *last) Push(item string)  { q.items = append(q.items, item) }
func (q *last) Len() int          { return len(q.items) }

func (q *last) Pop() string {
	item := q.items[len(q.items)-1]
	q.items = q.items[:len(q.items)-1]
	return item
}

func TestCustomQueue(t *testing.T) {
	order := &last{}
	q := workqueue.NewTypedWithConfig(workqueue.TypedQueueConfig[string]{Queue: order})
	for _, item := range []string{"a", "b", "c", "a"} {
		q.Add(item)
	}
	c := get(t, q)
	q.Add(c) // not queued, so it is not touched
	q.Add(c)
	order.Push("d") // by itself
	if got := q.Len(); got != 3 {
		t.Errorf("%d items are in line, want 3", got)
	}
	d := get(t, q)
	q.Done(c)
	q.Done(d)
	q.ShutDown()
	if diff := cmp.Diff([]string{"c", "b", "a"}, rest(q)); diff != "" {
		t.Errorf("items left (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a"}, order.touched); diff != "" {
		t.Errorf("items touched (-want +got):\n%s", diff)
	}
}

func TestDefaultQueue(t *testing.T) {
	q := workqueue.DefaultQueue[int]()
	var model []int
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 100_000 {
		if len(model) > 0 && random.IntN(100) < 30+40*(i/10_000%2) { // grows and shrinks repeatedly
			if got := q.Pop(); got != model[0] {
				t.Fatalf("operation %d: popped %d, want %d", i, got, model[0])
			}
			model = model[1:]
		} else {
			q.Push(i)
			q.Touch(i)
			model = append(model, i)
		}
		if q.Len() != len(model) {
			t.Fatalf("operation %d: Len %d, want %d", i, q.Len(), len(model))
		}
	}
}

// Objects can be collected as soon as they are done, even if the queue lives on.
func TestDoneItemsAreNotKept(t *testing.T) {
	type object struct{ data []byte }
	for _, config := range []workqueue.TypedQueueConfig[*object]{
		{}, {Queue: workqueue.DefaultQueue[*object]()},
	} {
		q := workqueue.NewTypedWithConfig(config)
		collected := make(chan struct{})
		func() {
			o := &object{data: []byte("x")}
			runtime.AddCleanup(o, func(done chan struct{}) { close(done) }, collected)
			q.Add(o)
			got, _ := q.Get()
			q.Done(got)
		}()
		for done := false; !done; {
			runtime.GC()
			select {
			case <-collected:
				done = true
			default:
			}
		}
		runtime.KeepAlive(q)
	}
}

func TestSteadyQueueDoesNotAllocate(t *testing.T) {
	q := workqueue.NewTyped[int]()
	turn := func() {
		for i := range 100 {
			q.Add(i)
		}
		for range 100 {
			i, _ := q.Get()
			q.Done(i)
		}
	}
	turn()
	if n := testing.AllocsPerRun(100, turn); n > 0 {
		t.Errorf("%v allocations in a turn", n)
	}
}

// With many goroutines, no item is handed to two of them at a time, and each added item is handed
// out after that.
func TestConcurrentUse(t *testing.T) {
	const items, producers, workers, adds = 20, 4, 6, 1000
	for name, config := range map[string]workqueue.TypedQueueConfig[int]{
		"default queue": {},
		"custom queue":  {Queue: workqueue.DefaultQueue[int]()},
		"metrics":       {Name: "busy", MetricsProvider: &recorder{}},
	} {
		t.Run(name, func(t *testing.T) {
			q := workqueue.NewTypedWithConfig(config)
			var mu sync.Mutex // guards the fields below
			var clock int
			var added, seen [items]int // when last
			var busy [items]bool

			var working, producing sync.WaitGroup
			for range workers {
				working.Go(func() {
					for {
						item, shutdown := q.Get()
						if shutdown {
							return
						}
						mu.Lock()
						if busy[item] {
							t.Errorf("item %d is handed out twice", item)
						}
						busy[item] = true
						clock++
						seen[item] = clock
						mu.Unlock()
						runtime.Gosched()
						mu.Lock()
						busy[item] = false
						mu.Unlock()
						q.Done(item)
					}
				})
			}
			for p := range producers {
				producing.Go(func() {
					random := rand.New(rand.NewPCG(3, uint64(p)))
					for range adds {
						item := random.IntN(items)
						mu.Lock()
						clock++
						added[item] = clock
						mu.Unlock()
						q.Add(item)
					}
				})
			}
			producing.Wait()
			q.ShutDown()
			working.Wait()
			for item := range items {
				if seen[item] < added[item] {
					t.Errorf("item %d was added at %d and handed out last at %d", item, added[item], seen[item])
				}
			}
		})
	}
}
