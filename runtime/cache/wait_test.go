package cache_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr/funcr"
	"github.com/google/go-cmp/cmp"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/cache"
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
)

// activity is a DoneChecker that a test ends.
type activity struct {
	name string
	done chan struct{}
}

func newActivity(name string) activity { return activity{name, make(chan struct{})} }

func (a activity) Name() string          { return a.name }
func (a activity) Done() <-chan struct{} { return a.done }

func TestIsDone(t *testing.T) {
	a := newActivity("a")
	if cache.IsDone(a) {
		t.Error("done before it was ended")
	}
	close(a.done)
	if !cache.IsDone(a) {
		t.Error("not done after it was ended")
	}
}

func TestWaitForReturnsWhenTheLastIsDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := newActivity("a"), newActivity("b")
		go func() {
			time.Sleep(time.Second)
			close(b.done)
			time.Sleep(time.Second)
			close(a.done)
		}()
		start := time.Now()
		if !cache.WaitFor(t.Context(), "", a, b) {
			t.Error("WaitFor returned false")
		}
		if took := time.Since(start); took != 2*time.Second {
			t.Errorf("WaitFor took %v, want 2s", took)
		}
	})
}

func TestWaitForOnContext(t *testing.T) {
	done := newActivity("done")
	close(done.done)
	open := newActivity("open")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		name     string
		checkers []cache.DoneChecker
		want     bool
	}{
		{"nothing to wait for", nil, true},
		{"done already", []cache.DoneChecker{done}, true},
		{"one is not done", []cache.DoneChecker{done, open}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := cache.WaitFor(ended, "", test.checkers...); got != test.want {
				t.Errorf("WaitFor with an ended context = %v, want %v", got, test.want)
			}
		})
	}
}

// logTo returns a context whose logger writes to the result of lines.
func logTo(ctx context.Context) (_ context.Context, lines func() []string) {
	var mu sync.Mutex
	var all []string
	logger := funcr.New(func(_, args string) {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, args)
	}, funcr.Options{})
	return klog.NewContext(ctx, logger), func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(all)
	}
}

func TestWaitForLogs(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	ctx, lines := logTo(ctx)
	a, b := newActivity("first"), newActivity("second")
	close(a.done)
	cancel(errors.New("out of patience"))
	cache.WaitFor(ctx, "boats", b, a)
	want := []string{
		`"level"=0 "msg"="Waiting" "for"="boats"`,
		`"level"=0 "msg"="Done waiting" "for"="boats" "instance"="first"`,
		`"level"=0 "msg"="Timed out waiting" "for"="boats" "cause"="out of patience" "instances"=["second"]`,
	}
	if diff := cmp.Diff(want, lines()); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
}

func TestWaitForLogsForItsCaller(t *testing.T) {
	var lines []string
	logger := funcr.New(func(_, args string) { lines = append(lines, args) }, funcr.Options{LogCaller: funcr.All})
	ctx, cancel := context.WithCancel(klog.NewContext(t.Context(), logger))
	done := newActivity("first")
	close(done.done)
	cancel()
	cache.WaitFor(ctx, "boats", done, newActivity("second"))
	if len(lines) != 3 {
		t.Errorf("%d lines", len(lines))
	}
	for _, line := range lines {
		if !strings.Contains(line, `"file"="wait_test.go"`) {
			t.Errorf("by another: %s", line)
		}
	}
}

func TestWaitForCacheSyncCallsFunctionsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var calls []time.Duration
		ok := cache.WaitForCacheSync(make(chan struct{}), func() bool {
			calls = append(calls, time.Since(start))
			return len(calls) == 10
		})
		if !ok {
			t.Error("WaitForCacheSync returned false")
		}
		var want []time.Duration
		for _, ms := range []int{0, 1, 3, 7, 15, 31, 63, 113, 163, 213} {
			want = append(want, time.Duration(ms)*time.Millisecond)
		}
		if !slices.Equal(calls, want) {
			t.Errorf("calls after %v, want %v", calls, want)
		}
	})
}

// TestWaitersDoNotDisturbEachOther waits concurrently, for informers that sync at different times.
func TestWaitersDoNotDisturbEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var waiters sync.WaitGroup
		for i := range 20 {
			after := time.Duration(i+1) * time.Second
			source := cachetesting.NewFakeControllerSource()
			defer source.Shutdown()
			defer synctest.Wait()
			informer := cache.NewSharedInformer(lateSource{source, after, nil}, &ship{}, 0)
			defer run(t, informer)()
			waiters.Go(func() {
				if !cache.WaitForCacheSync(t.Context().Done(), informer.HasSynced) {
					t.Errorf("%d: WaitForCacheSync returned false", i)
				}
				if late := time.Since(start) - after; late < 0 || late > 50*time.Millisecond {
					t.Errorf("%d: returned %v after the sync, want at most 50ms", i, late)
				}
			})
		}
		waiters.Wait()
	})
}

func TestWaitForCacheSyncWantsAllInOnePass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		// The first returns false again while the second returns false.
		first := func() bool { asked++; return asked != 2 && asked != 3 }
		second := func() bool { return asked >= 4 }
		if !cache.WaitForCacheSync(t.Context().Done(), first, second) {
			t.Error("WaitForCacheSync returned false")
		}
		if asked != 4 {
			t.Errorf("the first was called %d times, want 4", asked)
		}
	})
}

func TestWaitForCacheSyncOnceStopped(t *testing.T) {
	stopped := make(chan struct{})
	close(stopped)
	if !cache.WaitForCacheSync(stopped) {
		t.Error("nothing to wait for: got false")
	}
	if !cache.WaitForCacheSync(stopped, func() bool { return true }) {
		t.Error("synced already: got false")
	}
	if cache.WaitForCacheSync(stopped, func() bool { return false }) {
		t.Error("not synced: got true")
	}
}

func TestWaitForCacheSyncInsideOfAFunction(t *testing.T) {
	outer := func() bool {
		return cache.WaitForCacheSync(nil, func() bool { return true })
	}
	if !cache.WaitForCacheSync(nil, outer) {
		t.Error("WaitForCacheSync returned false")
	}
}

func TestWaitForNamedCacheSync(t *testing.T) {
	stopped := make(chan struct{})
	close(stopped)
	for _, synced := range []bool{true, false} {
		if got := cache.WaitForNamedCacheSync("pilot", stopped, func() bool { return synced }); got != synced {
			t.Errorf("WaitForNamedCacheSync = %v, want %v", got, synced)
		}
	}
}

func TestWaitForNamedCacheSyncLogs(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	ctx, lines := logTo(ctx)
	if !cache.WaitForNamedCacheSyncWithContext(ctx, func() bool { return true }) {
		t.Error("synced: got false")
	}
	cancel()
	if cache.WaitForNamedCacheSyncWithContext(ctx, func() bool { return false }) {
		t.Error("not synced: got true")
	}
	got := strings.Join(lines(), "\n")
	for _, want := range []string{"Waiting for caches to sync", "Caches are synced", `"msg"="Unable to sync caches" "error"="not synced: github.com/listwatch/listwatch/runtime/cache_test.TestWaitForNamedCacheSyncLogs.func2"`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in the log:\n%s", want, got)
		}
	}
}
