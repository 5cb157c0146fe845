package synctrack_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"k8s.io/client-go/tools/cache/synctrack"
)

// tracker is what both trackers are, with keys or without.
type tracker struct {
	start, finish func(key string)
	upstream      func()
	hasSynced     func() bool
	done          <-chan struct{}
	name          string
}

func trackers() map[string]func() tracker {
	return map[string]func() tracker{
		"async": func() tracker {
			a := synctrack.NewAsyncTracker[string]("a")
			return tracker{a.Start, a.Finished, a.UpstreamHasSynced, a.HasSynced, a.Done(), a.Name()}
		},
		"single file": func() tracker {
			s := synctrack.NewSingleFileTracker("a")
			return tracker{func(string) { s.Start() }, func(string) { s.Finished() }, s.UpstreamHasSynced, s.HasSynced, s.Done(), s.Name()}
		},
	}
}

func TestTrackers(t *testing.T) {
	for name, newTracker := range trackers() {
		for _, tt := range []struct {
			name  string
			steps string // + and - start and finish a, < and > start and finish b, u is upstream
			want  bool
		}{
			{"nothing", "", false},
			{"upstream without objects", "u", true},
			{"finished before upstream", "+-", false},
			{"upstream after", "+-u", true},
			{"upstream before", "+u", false},
			{"upstream before the end", "+u-", true},
			{"one of two", "+<u-", false},
			{"both", "+<u->", true},
			{"in the other order", "+<u>-", true},
			{"more after", "u+", true},
		} {
			t.Run(name+"/"+tt.name, func(t *testing.T) {
				tr := newTracker()
				for _, step := range tt.steps {
					switch step {
					case '+':
						tr.start("a")
					case '-':
						tr.finish("a")
					case '<':
						tr.start("b")
					case '>':
						tr.finish("b")
					case 'u':
						tr.upstream()
					}
				}
				closed := false
				select {
				case <-tr.done:
					closed = true
				default:
				}
				if tr.hasSynced() != tt.want || closed != tt.want {
					t.Errorf("synced %t, done %t", tr.hasSynced(), closed)
				}
				if tr.name != "a" {
					t.Errorf("name %q", tr.name)
				}
			})
		}
	}
}

// A key counts once.
func TestAsyncTrackerKeys(t *testing.T) {
	tr := synctrack.NewAsyncTracker[string]("a")
	tr.Start("k")
	tr.Start("k")
	tr.UpstreamHasSynced()
	tr.Finished("k")
	if !tr.HasSynced() {
		t.Error("not synced")
	}
	tr.Finished("unknown")
}

func TestSingleFileTrackerPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	synctrack.NewSingleFileTracker("a").Finished()
}

// Whatever the order, the tracker syncs when the last of all is called, and not before.
func TestConcurrent(t *testing.T) {
	for name, newTracker := range trackers() {
		t.Run(name, func(t *testing.T) {
			for range 200 {
				synctest.Test(t, func(t *testing.T) {
					tr := newTracker()
					tr.start("last")
					var wg sync.WaitGroup
					for _, key := range []string{"b", "c", "d"} {
						tr.start(key)
						wg.Go(func() { tr.finish(key) })
					}
					wg.Go(tr.upstream)
					wg.Wait()
					if tr.hasSynced() {
						t.Fatal("synced early")
					}
					tr.finish("last")
					<-tr.done
				})
			}
		})
	}
}

func TestLazy(t *testing.T) {
	calls, failure := 0, error(nil)
	z := synctrack.Lazy[int]{Evaluate: func() (int, error) {
		calls++
		return calls, failure
	}}
	for _, step := range []struct {
		notify bool
		err    error
		want   int
	}{
		{false, nil, 1},
		{false, nil, 1},
		{true, nil, 2},
		{true, errors.New("failed"), 3},
		{false, errors.New("failed"), 4},
		{false, nil, 5},
		{false, errors.New("not evaluated"), 5},
	} {
		if step.notify {
			z.Notify()
		}
		failure = step.err
		got, err := z.Get()
		if got != step.want || err != nil != (step.err != nil && got == calls && step.want != 5) {
			t.Errorf("got %d, %v after %d calls, want %d", got, err, calls, step.want)
		}
	}
}

// Concurrent calls evaluate once.
func TestLazyOnce(t *testing.T) {
	var calls atomic.Int64
	z := synctrack.Lazy[int64]{Evaluate: func() (int64, error) { return calls.Add(1), nil }}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if got, err := z.Get(); got != 1 || err != nil {
				t.Errorf("got %d, %v", got, err)
			}
		})
	}
	wg.Wait()
}

// A change during an evaluation makes later calls evaluate again, without waiting for it.
func TestLazyNotify(t *testing.T) {
	evaluating, goOn := make(chan struct{}), make(chan struct{})
	calls := 0
	z := synctrack.Lazy[int]{Evaluate: func() (int, error) {
		calls++
		if calls > 1 {
			return 2, nil
		}
		close(evaluating)
		<-goOn
		return 1, nil
	}}
	first := make(chan int)
	go func() {
		got, _ := z.Get()
		first <- got
	}()
	<-evaluating
	z.Notify()
	if got, err := z.Get(); got != 2 || err != nil {
		t.Errorf("after the change: %d, %v", got, err)
	}
	close(goOn)
	if got := <-first; got != 1 {
		t.Errorf("before the change: %d", got)
	}
	if got, _ := z.Get(); got != 2 {
		t.Errorf("at the end: %d", got)
	}
}
