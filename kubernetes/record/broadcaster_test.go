package record_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr/funcr"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/kubernetes/record"
	"github.com/listwatch/listwatch/runtime/rest"
)

var (
	desk     = &corev1.ObjectReference{Kind: "Desk", APIVersion: "example.com/v1", Namespace: "library", Name: "desk", UID: "1"}
	events   = schema.GroupResource{Resource: "events"}
	errBusy  = errors.New("connection refused")
	rejected = apierrors.NewForbidden(events, "e", errors.New("no"))
)

// sink records calls, which fail in turn.
type sink struct {
	mu     sync.Mutex
	calls  []string
	events []*corev1.Event
	fails  []error // of the next calls; nil is success
	block  chan struct{}
}

func (s *sink) call(verb string, event *corev1.Event, detail string) (*corev1.Event, error) {
	if s.block != nil {
		<-s.block
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, strings.TrimSpace(fmt.Sprintf("%s %s %d %s", verb, event.Reason, event.Count, detail)))
	s.events = append(s.events, event)
	if len(s.fails) > 0 {
		err := s.fails[0]
		s.fails = s.fails[1:]
		return nil, err
	}
	return event, nil
}

func (s *sink) Create(e *corev1.Event) (*corev1.Event, error) {
	return s.call("create", e, e.ResourceVersion)
}
func (s *sink) Update(e *corev1.Event) (*corev1.Event, error) { return s.call("update", e, "") }
func (s *sink) Patch(e *corev1.Event, patch []byte) (*corev1.Event, error) {
	return s.call("patch", e, string(patch))
}

func (s *sink) got() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.calls, "\n")
}

func TestRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := record.NewBroadcaster()
		to := &sink{}
		b.StartRecordingToSink(to)
		r := b.NewRecorder(nil, corev1.EventSource{Component: "librarian", Host: "h"})
		annotations := map[string]string{"a": "b"}
		r.AnnotatedEventf(desk, annotations, corev1.EventTypeWarning, "Lent", "to %s", "Emma")
		annotations["a"] = "changed"
		r.Event(&corev1.ObjectReference{Kind: "Floor", Name: "2001:db8::1"}, corev1.EventTypeNormal, "Cleaned", "100%")
		synctest.Wait()
		now := time.Now()
		b.Shutdown()

		first, second := to.events[0], to.events[1]
		if !strings.HasPrefix(first.Name, "desk.") || strings.Contains(second.Name, ":") || first.Name == second.Name {
			t.Errorf("names %q and %q", first.Name, second.Name)
		}
		if !first.FirstTimestamp.Time.Equal(now) || !first.LastTimestamp.Time.Equal(now) {
			t.Errorf("times %v and %v, want %v", first.FirstTimestamp, first.LastTimestamp, now)
		}
		first.Name, first.FirstTimestamp, first.LastTimestamp = "", second.FirstTimestamp, second.LastTimestamp
		want := &corev1.Event{
			InvolvedObject: *desk, Type: "Warning", Reason: "Lent", Message: "to Emma", Count: 1,
			Source: corev1.EventSource{Component: "librarian", Host: "h"}, ReportingController: "librarian", ReportingInstance: "h",
			FirstTimestamp: second.FirstTimestamp, LastTimestamp: second.LastTimestamp,
		}
		want.Namespace, want.Annotations = "library", map[string]string{"a": "b"}
		if diff := cmp.Diff(want, first); diff != "" {
			t.Errorf("want - got +\n%s", diff)
		}
		if second.Namespace != "default" || second.Message != "100%" {
			t.Errorf("got %v", second)
		}
	})
}

func TestRepetitionsArePatched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := record.NewBroadcaster()
		defer b.Shutdown()
		to := &sink{fails: []error{nil, nil, apierrors.NewNotFound(events, "e")}}
		b.StartRecordingToSink(to)
		r := b.NewRecorder(nil, corev1.EventSource{})
		for range 3 {
			r.Event(desk, corev1.EventTypeNormal, "Lent", "m")
			synctest.Wait()
			time.Sleep(time.Second)
		}
		want := `create Lent 1
patch Lent 2 {"count":2,"lastTimestamp":"2000-01-01T00:00:01Z","message":"m"}
patch Lent 3 {"count":3,"lastTimestamp":"2000-01-01T00:00:02Z","message":"m"}
create Lent 3`
		if got := to.got(); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		if got, want := record.StatsOf(b), (record.Stats{Recorded: 3, Written: 3}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	})
}

func TestSinkFails(t *testing.T) {
	always := make([]error, 100)
	for i := range always {
		always[i] = errBusy
	}
	for _, c := range []struct {
		name     string
		fails    []error
		attempts int
		stats    record.Stats
		least    time.Duration
		most     time.Duration
	}{
		{"once", []error{errBusy, nil}, 2, record.Stats{Recorded: 1, Written: 1}, 0, 10 * time.Second},
		{"always", always, 12, record.Stats{Recorded: 1, Failed: 1}, 100 * time.Second, 110 * time.Second},
		{"rejected", []error{rejected}, 1, record.Stats{Recorded: 1, Failed: 1}, 0, 0},
		{"rejected, wrapped", []error{fmt.Errorf("sink: %w", rejected)}, 1, record.Stats{Recorded: 1, Failed: 1}, 0, 0},
		{"exists", []error{apierrors.NewAlreadyExists(events, "e")}, 1, record.Stats{Recorded: 1, Failed: 1}, 0, 0},
		{"no request", []error{&rest.RequestConstructionError{Err: errBusy}}, 1, record.Stats{Recorded: 1, Failed: 1}, 0, 0},
		{"strange response", []error{&apierrors.UnexpectedObjectError{}, nil}, 2, record.Stats{Recorded: 1, Written: 1}, 0, 10 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := record.NewBroadcaster(record.WithContext(quiet(t)))
				to := &sink{fails: c.fails}
				w := b.StartRecordingToSink(to)
				start := time.Now()
				b.NewRecorder(nil, corev1.EventSource{}).Event(desk, corev1.EventTypeNormal, "Lent", "m")
				w.Stop()
				<-w.ResultChan()
				took := time.Since(start)
				b.Shutdown()
				if len(to.calls) != c.attempts || took < c.least || took > c.most {
					t.Errorf("%d attempts in %v, want %d in %v to %v", len(to.calls), took, c.attempts, c.least, c.most)
				}
				if got := record.StatsOf(b); got != c.stats {
					t.Errorf("got %+v, want %+v", got, c.stats)
				}
			})
		})
	}
}

// quiet returns a context whose logger discards its output.
func quiet(t *testing.T) context.Context {
	return klog.NewContext(t.Context(), klog.Logger{})
}

func TestSpamIsCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := record.NewBroadcasterWithCorrelatorOptions(record.CorrelatorOptions{BurstSize: 3})
		to := &sink{}
		w := b.StartRecordingToSink(to)
		r := b.NewRecorder(nil, corev1.EventSource{})
		for range 10 {
			r.Event(desk, corev1.EventTypeNormal, "Lent", "m")
		}
		b.Shutdown()
		<-w.ResultChan()
		if got, want := record.StatsOf(b), (record.Stats{Recorded: 10, Written: 3, Filtered: 7}); got != want || got.Dropped() != 7 {
			t.Errorf("got %+v, want %+v", got, want)
		}
	})
}

func TestSlowSinkDoesNotBlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		logger := funcr.New(func(prefix, args string) { fmt.Fprintln(&log, args) }, funcr.Options{})
		b := record.NewBroadcaster()
		to := &sink{block: make(chan struct{})}
		w := b.StartRecordingToSink(to)
		r := b.NewRecorder(nil, corev1.EventSource{}).WithLogger(logger)
		event := func(i int) {
			about := *desk
			about.Name = fmt.Sprint("desk", i)
			r.Event(&about, corev1.EventTypeNormal, "Lent", "m")
		}
		event(0)
		synctest.Wait() // the sink blocks in it
		for i := range 1000 + 100 {
			event(1 + i)
		}
		close(to.block)
		b.Shutdown()
		event(2000)
		<-w.ResultChan()
		if got, want := record.StatsOf(b), (record.Stats{Recorded: 1101, Written: 1001, Overflowed: 100, Late: 1}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
		if n := strings.Count(log.String(), "too many queued events"); n != 7 { // 1, 2, 4, ... 64
			t.Errorf("%d drops logged, want 7:\n%s", n, log.String())
		}
	})
}

func TestShutdownWritesTheQueue(t *testing.T) {
	for _, c := range []struct {
		name    string
		fails   []error
		calls   int
		written uint64
	}{
		{"all", nil, 5, 5},
		{"until the first failure", []error{nil, nil, errBusy}, 3, 2},
		{"rejections aside", []error{rejected}, 5, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := record.NewBroadcaster(record.WithContext(quiet(t)))
				to := &sink{fails: c.fails, block: make(chan struct{})}
				w := b.StartRecordingToSink(to)
				r := b.NewRecorder(nil, corev1.EventSource{})
				for i := range 5 {
					r.Event(desk, corev1.EventTypeNormal, fmt.Sprint("R", i), "m")
				}
				b.Shutdown()
				b.Shutdown()
				close(to.block)
				<-w.ResultChan()
				if got := record.StatsOf(b); len(to.calls) != c.calls || got.Written != c.written || got.Failed != 5-c.written {
					t.Errorf("%d calls, %+v; want %d and %d written", len(to.calls), got, c.calls, c.written)
				}
			})
		})
	}
}

func TestContextShutsDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(quiet(t))
		b := record.NewBroadcaster(record.WithContext(ctx), record.WithSleepDuration(time.Hour))
		to := &sink{fails: []error{errBusy, errBusy}}
		w := b.StartRecordingToSink(to)
		b.NewRecorder(nil, corev1.EventSource{}).Event(desk, corev1.EventTypeNormal, "Lent", "m")
		synctest.Wait()
		cancel()
		<-w.ResultChan()
		if len(to.calls) != 1 {
			t.Errorf("calls %q, want 1", to.calls)
		}
		late := b.StartEventWatcher(func(*corev1.Event) { t.Error("event after shutdown") })
		late.Stop()
		<-late.ResultChan()
	})
}

func TestInvalidEvents(t *testing.T) {
	b := record.NewBroadcaster()
	defer b.Shutdown()
	b.StartEventWatcher(func(e *corev1.Event) { t.Errorf("event %v", e) })
	r := b.NewRecorder(runtime.NewScheme(), corev1.EventSource{}).WithLogger(klog.Logger{})
	r.Event(nil, corev1.EventTypeNormal, "Lent", "m")
	r.Event(&corev1.Pod{}, corev1.EventTypeNormal, "Lent", "m")
	r.Eventf((*corev1.Pod)(nil), corev1.EventTypeNormal, "Lent", "m")
	r.Event(desk, "Odd", "Lent", "m")
	if got, want := record.StatsOf(b), (record.Stats{Invalid: 4}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestLogging(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var log strings.Builder
		logger := funcr.New(func(prefix, args string) {
			mu.Lock()
			defer mu.Unlock()
			fmt.Fprintln(&log, args)
		}, funcr.Options{})
		ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logger))
		b := record.NewBroadcaster(record.WithContext(ctx))
		b.StartStructuredLogging(0)
		b.StartStructuredLogging(4)
		plain := b.StartLogging(func(format string, args ...any) {
			mu.Lock()
			defer mu.Unlock()
			fmt.Fprintf(&log, format+"\n", args...)
		})
		r := b.NewRecorder(nil, corev1.EventSource{})
		r.Event(&corev1.ObjectReference{Kind: "Desk", Name: "d"}, corev1.EventTypeNormal, "Lent", "m")
		synctest.Wait()
		plain.Stop()
		plain.Stop()
		cancel()
		synctest.Wait()
		for _, want := range []string{
			`"level"=0 "msg"="Event occurred" "object"={"name"="d"} "fieldPath"="" "kind"="Desk" "apiVersion"="" "type"="Normal" "reason"="Lent" "message"="m"`,
			`Event(v1.ObjectReference{Kind:"Desk", Namespace:"", Name:"d", UID:"", APIVersion:"", ResourceVersion:"", FieldPath:""}): type: 'Normal' reason: 'Lent' m`,
		} {
			if !strings.Contains(log.String(), want) {
				t.Errorf("log lacks\n%s\ngot\n%s", want, log.String())
			}
		}
		if strings.Count(log.String(), "\n") != 2 {
			t.Errorf("got\n%s", log.String())
		}
	})
}

func TestManyRecorders(t *testing.T) {
	b := record.NewBroadcaster()
	names := map[string]bool{}
	w := b.StartEventWatcher(func(e *corev1.Event) { names[e.Name] = true })
	r := b.NewRecorder(nil, corev1.EventSource{})
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			for range 50 {
				r.Event(desk, corev1.EventTypeNormal, "Lent", "m")
			}
		})
	}
	all.Wait()
	b.Shutdown()
	<-w.ResultChan()
	if len(names) != 500 {
		t.Errorf("%d names of 500 events", len(names))
	}
}

func TestStatsOfOthers(t *testing.T) {
	if got := record.StatsOf(nil); got != (record.Stats{}) {
		t.Errorf("got %+v", got)
	}
}
