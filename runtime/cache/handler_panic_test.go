package cache

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr/funcr"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

// reports keeps panics from crashing, and returns what is reported about them.
func reports(t *testing.T) *[]string {
	var got []string
	handlers, crash := utilruntime.PanicHandlers, utilruntime.ReallyCrash
	utilruntime.ReallyCrash = false
	utilruntime.PanicHandlers = append(handlers[:len(handlers):len(handlers)], func(_ context.Context, cause any) {
		got = append(got, fmt.Sprint(cause))
	})
	t.Cleanup(func() { utilruntime.PanicHandlers, utilruntime.ReallyCrash = handlers, crash })
	return &got
}

func TestPanickingHandler(t *testing.T) {
	for name, tc := range map[string]struct {
		policy PanicPolicy
		bound  int
		takes  time.Duration
	}{
		"crashes off":        {policy: PanicCrash, takes: 2 * time.Second},
		"crashes off, bound": {policy: PanicCrash, bound: 1, takes: 2 * time.Second},
		"isolated":           {policy: PanicIsolate},
		"isolated, bound":    {policy: PanicIsolate, bound: 1},
	} {
		t.Run(name, func(t *testing.T) {
			reported := reports(t)
			synctest.Test(t, func(t *testing.T) {
				var log strings.Builder
				logger := funcr.New(func(prefix, args string) { fmt.Fprintln(&log, prefix, args) }, funcr.Options{LogCaller: funcr.Error})
				s := newStage(processorOptions{})
				r := &recorder{each: func(told string) {
					if told != "+c1!" {
						panic("no " + told)
					}
				}}
				reg := s.addHandler(r, HandlerOptions{Panics: tc.policy, Bound: tc.bound, Logger: &logger})
				other := &recorder{}
				s.addHandler(other, HandlerOptions{})
				s.start(t)
				start := time.Now()
				s.setInitial(true, "a", "b", "c", "d")
				s.sync()
				<-reg.HasSyncedChecker().Done() // even if it panicked, also in the last one
				if took := time.Since(start); took != tc.takes {
					t.Errorf("synced after %v, want %v", took, tc.takes)
				}
				r.expect(t, "+a1! +b1! +c1! +d1!")
				other.expect(t, "+a1! +b1! +c1! +d1!")
				if got, want := fmt.Sprint(*reported), "[no +a1! no +b1! no +d1!]"; got != want {
					t.Errorf("reported %s, want %s", got, want)
				}
				state := s.states()[0]
				if state.Panics != 3 || state.Handled != 4 || state.Lag != 0 {
					t.Errorf("the state is %+v", state)
				}
				if n := strings.Count(log.String(), `"panic"="no `); n != 3 {
					t.Errorf("the handler's log has %d panics, want 3:\n%s", n, log.String())
				}
				if !strings.Contains(log.String(), `"file"="handler_panic_test.go"`) {
					t.Errorf("the log does not say where the panic was:\n%s", log.String())
				}
			})
		})
	}
}

// The pause after a panic does not prevent an informer from stopping.
func TestStopDuringPause(t *testing.T) {
	reports(t)
	synctest.Test(t, func(t *testing.T) {
		s := newStage(processorOptions{})
		s.addHandler(&recorder{each: func(string) { panic("no") }}, HandlerOptions{})
		s.start(t)
		s.set("a", "b")
		synctest.Wait()
		s.set("c") // does not end the pause either
		synctest.Wait()
		start := time.Now()
		s.stop()
		if took := time.Since(start); took != 0 {
			t.Errorf("stopped after %v", took)
		}
	})
}

func TestPanicCrashes(t *testing.T) {
	reports(t)
	utilruntime.ReallyCrash = true
	s := newStage(processorOptions{})
	reg := s.addHandler(&recorder{each: func(string) { panic("no") }}, HandlerOptions{})
	defer func() {
		if got := recover(); got != any("no") {
			t.Errorf("the continued panic is %v", got)
		}
	}()
	reg.deliver([]event{{kind: eventAdd, object: "a"}})
	t.Error("the panic did not go on")
}

// A handler whose goroutine ends is removed, and nothing waits for it. That is logged, and is why it does not sync.
func TestHandlerExits(t *testing.T) {
	for _, bound := range []int{0, 1} {
		synctest.Test(t, func(t *testing.T) {
			var log strings.Builder
			logger := funcr.New(func(prefix, args string) { fmt.Fprintln(&log, prefix, args) }, funcr.Options{})
			s := newStage(processorOptions{})
			s.start(t)
			reg := s.addHandler(&recorder{each: func(string) { runtime.Goexit() }}, HandlerOptions{Bound: bound, Name: "pilot", Logger: &logger})
			other := &recorder{}
			s.addHandler(other, HandlerOptions{})
			s.set("a")
			<-reg.ShutdownChan()
			s.set("b")
			s.set("c")
			other.expect(t, "+a1 +b1 +c1")
			if n := len(s.states()); n != 1 {
				t.Errorf("%d handlers, want 1", n)
			}
			if got := log.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "runtime.Goexit") || !strings.Contains(got, "pilot") {
				t.Errorf("the log is %q", got)
			}
			if got := describeUnsynced(reg.HasSyncedChecker()); !strings.Contains(got, "runtime.Goexit") {
				t.Errorf("it has not synced because of %s", got)
			}
			if !isClosed(s.removeHandler(t, reg)) {
				t.Error("removed, and not done")
			}
		})
	}
}

// Handlers that are removed, or stop, log nothing.
func TestHandlerThatStopsLogsNothing(t *testing.T) {
	for _, drain := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			var log strings.Builder
			logger := funcr.New(func(prefix, args string) { fmt.Fprintln(&log, prefix, args) }, funcr.Options{})
			s := newStage(processorOptions{drain: drain})
			s.start(t)
			removed := s.addHandler(&recorder{}, HandlerOptions{Logger: &logger})
			s.addHandler(&recorder{}, HandlerOptions{Logger: &logger})
			s.set("a")
			<-s.removeHandler(t, removed)
			s.stop()
			if log.Len() > 0 {
				t.Errorf("the log is %q", log.String())
			}
		})
	}
}
