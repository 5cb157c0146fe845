package events_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr/funcr"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/kubernetes/events"
	"github.com/listwatch/listwatch/runtime/rest"
)

var (
	desk     = &corev1.ObjectReference{Kind: "Desk", APIVersion: "example.com/v1", Namespace: "library", Name: "desk", UID: "1"}
	emma     = &corev1.ObjectReference{Kind: "Reader", APIVersion: "example.com/v1", Name: "emma"}
	resource = schema.GroupResource{Group: "events.k8s.io", Resource: "events"}
	errBusy  = errors.New("connection refused")
	missing  = apierrors.NewNotFound(resource, "e")
	exists   = apierrors.NewAlreadyExists(resource, "e")
	rejected = apierrors.NewForbidden(resource, "e", errors.New("no"))
)

// sink records calls, which fail in turn.
type sink struct {
	start time.Time
	block chan struct{} // if set, calls receive from it

	mu     sync.Mutex
	calls  []string
	events []*eventsv1.Event
	fails  []error // of the next calls; nil is success
	active int
	most   int // active calls
}

func newSink(fails ...error) *sink { return &sink{start: time.Now(), fails: fails} }

func (s *sink) call(ctx context.Context, verb string, event *eventsv1.Event, detail string) (*eventsv1.Event, error) {
	s.mu.Lock()
	s.active++
	s.most = max(s.most, s.active)
	count := int32(1)
	if event.Series != nil {
		count = event.Series.Count
	}
	s.calls = append(s.calls, strings.TrimSpace(fmt.Sprintf("%v %s %s %d %s", time.Since(s.start).Round(time.Second), verb, event.Reason, count, detail)))
	s.events = append(s.events, event)
	var err error
	if len(s.fails) > 0 {
		err, s.fails = s.fails[0], s.fails[1:]
	}
	s.mu.Unlock()
	if s.block != nil {
		select {
		case <-s.block:
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active--
	return event, err
}

func (s *sink) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	return s.call(ctx, "create", e, e.ResourceVersion)
}

func (s *sink) Update(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	return s.call(ctx, "update", e, "")
}

func (s *sink) Patch(ctx context.Context, e *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	return s.call(ctx, "patch", e, string(patch))
}

func (s *sink) check(t *testing.T, want ...string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if diff := cmp.Diff(want, s.calls); diff != "" {
		t.Errorf("want - got +\n%s", diff)
	}
}

// quiet returns a context whose logger discards its output.
func quiet(t *testing.T) context.Context {
	return klog.NewContext(t.Context(), klog.Logger{})
}

// start returns a broadcaster that writes to a sink, until the test ends, and a recorder.
func start(t *testing.T, to events.EventSink) (events.EventBroadcaster, events.EventRecorder) {
	b := events.NewBroadcaster(to)
	t.Cleanup(b.Shutdown)
	if err := b.StartRecordingToSinkWithContext(quiet(t)); err != nil {
		t.Fatal(err)
	}
	return b, b.NewRecorder(nil, "example.com/librarian").WithLogger(klog.Logger{})
}

func lend(r events.EventRecorder, reason string) {
	r.Eventf(desk, emma, corev1.EventTypeNormal, reason, "Lend", "m")
}

func TestRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		to := newSink()
		b, r := start(t, to)
		annotations := map[string]string{"a": "b"}
		r.(events.AnnotatedEventRecorder).AnnotatedEventf(desk, emma, annotations, corev1.EventTypeWarning, "Lent", "Lend", "to %s", "Emma")
		annotations["a"] = "changed"
		synctest.Wait()
		r.Eventf(&corev1.ObjectReference{Kind: "Floor", Name: "2001:db8::1"}, &corev1.Pod{}, corev1.EventTypeNormal, "Cleaned", "Clean", "100%%")
		synctest.Wait()
		b.Shutdown()
		host, _ := os.Hostname()
		first, second := to.events[0], to.events[1]
		if !strings.HasPrefix(first.Name, "desk.") || strings.Contains(second.Name, ":") {
			t.Errorf("names %q and %q", first.Name, second.Name)
		}
		first.Name = ""
		want := &eventsv1.Event{
			ObjectMeta: metav1.ObjectMeta{Namespace: "library", Annotations: map[string]string{"a": "b"}},
			EventTime:  metav1.MicroTime{Time: time.Now()},
			Regarding:  *desk, Related: emma, Type: "Warning", Reason: "Lent", Action: "Lend", Note: "to Emma",
			ReportingController: "example.com/librarian", ReportingInstance: "example.com/librarian-" + host,
		}
		if diff := cmp.Diff(want, first); diff != "" {
			t.Errorf("want - got +\n%s", diff)
		}
		if second.Namespace != "default" || second.Related != nil || second.Note != "100%" {
			t.Errorf("got %v", second)
		}
	})
}

func TestSeries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		to := newSink()
		b, r := start(t, to)
		for range 4 {
			lend(r, "Lent")
			synctest.Wait()
			pass(time.Second)
		}
		lend(r, "Once")
		pass(20 * time.Minute)
		lend(r, "Lent")
		pass(time.Minute)
		lend(r, "Lent")
		lend(r, "Lent")
		synctest.Wait()
		to.check(t,
			`0s create Lent 1`,
			`1s patch Lent 2 {"series":{"count":2,"lastObservedTime":"2000-01-01T00:00:01.000000Z"}}`,
			`4s create Once 1`,
			`12m0s patch Lent 4 {"series":{"count":4,"lastObservedTime":"2000-01-01T00:00:03.000000Z"}}`,
			`20m4s create Lent 1`,
			to.calls[5], // the present count is either 2 or 3
		)
		if got := events.StatsOf(b); got.Written != 6 || got.Dropped() != 0 {
			t.Errorf("got %+v", got)
		}
	})
}

func TestSeriesIsRefreshed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		to := newSink()
		_, r := start(t, to)
		for range 33 {
			lend(r, "Lent")
			synctest.Wait()
			pass(time.Minute)
		}
		to.check(t,
			`0s create Lent 1`,
			`1m0s patch Lent 2 {"series":{"count":2,"lastObservedTime":"2000-01-01T00:01:00.000000Z"}}`,
			to.calls[2], // its count is either 30 or 31
		)
		if !strings.HasPrefix(to.calls[2], "30m0s patch Lent 3") {
			t.Errorf("got %q", to.calls[2])
		}
	})
}

// A series that goes on while its last state is written does not end.
func TestSeriesGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		to := newSink(nil, nil, errBusy)
		_, r := start(t, to)
		lend(r, "Lent")
		synctest.Wait()
		lend(r, "Lent")
		pass(12*time.Minute + time.Second)
		lend(r, "Lent")
		pass(time.Minute)
		lend(r, "Lent")
		pass(12 * time.Minute)
		lend(r, "New")
		synctest.Wait()
		var verbs []string
		for _, call := range to.calls {
			verbs = append(verbs, strings.Join(strings.Fields(call)[1:4], " "))
		}
		want := []string{"create Lent 1", "patch Lent 2", "patch Lent 2", "patch Lent 2", "patch Lent 4", "create New 1"}
		if diff := cmp.Diff(want, verbs); diff != "" {
			t.Errorf("want - got +\n%s", diff)
		}
	})
}

// While an event is written, its repetitions are only counted.
func TestOneWritePerSeries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		to := newSink()
		to.block = make(chan struct{})
		_, r := start(t, to)
		lend(r, "Lent")
		synctest.Wait()
		for range 10 {
			lend(r, "Lent")
		}
		synctest.Wait()
		to.block <- struct{}{}
		synctest.Wait()
		to.block <- struct{}{}
		synctest.Wait()
		to.check(t,
			`0s create Lent 1`,
			`0s patch Lent 11 {"series":{"count":11,"lastObservedTime":"2000-01-01T00:00:00.000000Z"}}`)
	})
}

func TestSinkFails(t *testing.T) {
	always := make([]error, 100)
	for i := range always {
		always[i] = errBusy
	}
	for _, c := range []struct {
		name  string
		fails []error
		calls int
		stats events.Stats
	}{
		{"once", []error{errBusy}, 2, events.Stats{Recorded: 1, Written: 1}},
		{"always", always, 12, events.Stats{Recorded: 1, Failed: 1}},
		{"rejected", []error{rejected}, 1, events.Stats{Recorded: 1, Failed: 1}},
		{"exists", []error{exists}, 1, events.Stats{Recorded: 1, Failed: 1}},
		{"no request", []error{&rest.RequestConstructionError{Err: errBusy}}, 1, events.Stats{Recorded: 1, Failed: 1}},
		{"strange response", []error{&apierrors.UnexpectedObjectError{}}, 2, events.Stats{Recorded: 1, Written: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				to := newSink(c.fails...)
				b, r := start(t, to)
				lend(r, "Lent")
				pass(5 * time.Minute)
				if got := events.StatsOf(b); len(to.calls) != c.calls || got != c.stats {
					t.Errorf("%d calls, %+v; want %d, %+v", len(to.calls), got, c.calls, c.stats)
				}
			})
		})
	}
}

// A series whose event was deleted is created again, and patched if somebody else was faster.
func TestSeriesOfDeletedEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		to := newSink(nil, missing, exists)
		_, r := start(t, to)
		lend(r, "Lent")
		synctest.Wait()
		lend(r, "Lent")
		pass(time.Minute)
		patch := `patch Lent 2 {"series":{"count":2,"lastObservedTime":"2000-01-01T00:00:00.000000Z"}}`
		if len(to.calls) != 4 {
			t.Fatalf("calls %q, want 4", to.calls)
		}
		to.check(t, `0s create Lent 1`, `0s `+patch, `0s create Lent 2`, to.calls[3])
		if !strings.HasSuffix(to.calls[3], patch) {
			t.Errorf("got %q", to.calls[3])
		}
	})
}

func TestSlowSinkDoesNotBlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		to := newSink()
		to.block = make(chan struct{})
		b, r := start(t, to)
		for i := range 2000 {
			lend(r, fmt.Sprint("R", i))
			synctest.Wait()
		}
		for range 5 {
			lend(r, "R0") // counts nevertheless
		}
		synctest.Wait()
		if got, want := events.StatsOf(b), (events.Stats{Recorded: 2005, Overflowed: 992}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
		close(to.block)
		b.Shutdown()
		lend(r, "Late")
		synctest.Wait()
		if got, want := events.StatsOf(b), (events.Stats{Recorded: 2005, Written: 1009, Overflowed: 992, Late: 1}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
		if to.most != 8 {
			t.Errorf("%d writes at once, want 8", to.most)
		}
	})
}

func TestShutdownWritesTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		to := newSink()
		b, r := start(t, to)
		for i := range 100 {
			lend(r, fmt.Sprint("R", i))
		}
		b.Shutdown()
		b.Shutdown()
		synctest.Wait()
		if got, want := events.StatsOf(b), (events.Stats{Recorded: 100, Written: 100}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
		if err := b.StartRecordingToSinkWithContext(t.Context()); err == nil {
			t.Error("recording started after Shutdown")
		}
		if _, err := b.StartEventWatcher(func(runtime.Object) {}); err == nil {
			t.Error("watcher started after Shutdown")
		}
		b.StartStructuredLogging(0)()
	})
}

func TestShutdownWhileTheServerIsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		away := make([]error, 1000)
		for i := range away {
			away[i] = errBusy
		}
		to := newSink(away...)
		b, r := start(t, to)
		for i := range 100 {
			lend(r, fmt.Sprint("R", i))
		}
		synctest.Wait()
		b.Shutdown()
		synctest.Wait()
		if got, want := events.StatsOf(b), (events.Stats{Recorded: 100, Failed: 100}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
		if len(to.calls) > 16 {
			t.Errorf("%d calls", len(to.calls))
		}
	})
}

func TestContextEndsRecording(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		to := newSink()
		to.block = make(chan struct{})
		b := events.NewBroadcaster(to)
		defer b.Shutdown()
		stop := make(chan struct{})
		b.StartRecordingToSink(stop)
		r := b.NewRecorder(nil, "c").WithLogger(klog.Logger{})
		for i := range 20 {
			lend(r, fmt.Sprint("R", i))
		}
		synctest.Wait()
		close(stop)
		synctest.Wait() // the test fails if a goroutine remains
		if got, want := events.StatsOf(b), (events.Stats{Recorded: 20, Failed: 20}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	})
}

func TestInvalidEvents(t *testing.T) {
	b, r := start(t, newSink())
	r.Eventf(nil, nil, "Normal", "Lent", "Lend", "m")
	r.Eventf((*corev1.Pod)(nil), nil, "Normal", "Lent", "Lend", "m")
	r.Eventf(&corev1.Pod{}, nil, "Normal", "Lent", "Lend", "m")
	r.Eventf(desk, nil, "Odd", "Lent", "Lend", "m")
	if got, want := events.StatsOf(b), (events.Stats{Invalid: 4}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := events.StatsOf(nil); got != (events.Stats{}) {
		t.Errorf("got %+v", got)
	}
}

func TestWatchersAndLogs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := events.NewBroadcaster(nil)
		defer b.Shutdown()
		var reasons []string
		stop, err := b.StartEventWatcher(func(e runtime.Object) { reasons = append(reasons, e.(*eventsv1.Event).Reason) })
		if err != nil {
			t.Fatal(err)
		}
		var log strings.Builder
		logger := funcr.New(func(prefix, args string) { fmt.Fprintln(&log, args) }, funcr.Options{})
		if _, err := b.StartLogging(logger); err != nil {
			t.Fatal(err)
		}
		if _, err := b.StartLogging(logger.V(3)); err != nil {
			t.Fatal(err)
		}
		r := b.NewRecorder(nil, "c")
		lend(r, "Lent")
		stop()
		lend(r, "Returned")
		stop()
		synctest.Wait()
		if diff := cmp.Diff([]string{"Lent"}, reasons); diff != "" {
			t.Errorf("want - got +\n%s", diff)
		}
		line := `"level"=0 "msg"="Event occurred" "object"={"name"="desk" "namespace"="library"} "kind"="Desk" "apiVersion"="example.com/v1" "type"="Normal" "reason"="Lent" "action"="Lend" "note"="m"` + "\n"
		if diff := cmp.Diff(line+strings.ReplaceAll(line, "Lent", "Returned"), log.String()); diff != "" {
			t.Errorf("want - got +\n%s", diff)
		}
	})
}

// pass lets time pass, until all goroutines wait.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}
