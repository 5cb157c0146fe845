package watch_test

import (
	"context"
	"errors"
	"io"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiwatch "k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache/watch"
)

// object returns an object at a resource version.
func object(version int) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: "n", Name: "a", ResourceVersion: strconv.Itoa(version)}}
}

func added(version int) apiwatch.Event {
	return apiwatch.Event{Type: apiwatch.Added, Object: object(version)}
}

func failed(err *apierrors.StatusError) apiwatch.Event {
	return apiwatch.Event{Type: apiwatch.Error, Object: &err.ErrStatus}
}

// attempt is what comes of starting a watch: an error, or events, after which it is closed.
type attempt struct {
	err    error
	events []apiwatch.Event
	none   bool // neither an error nor a watch
	open   bool // it is not closed
}

// watcher serves watches from a list; after its end they stay open. It notes from which version and when
// each starts.
type watcher struct {
	attempts []attempt
	from     []string
	at       []time.Duration
	start    time.Time
}

func (w *watcher) WatchWithContext(_ context.Context, options metav1.ListOptions) (apiwatch.Interface, error) {
	if !options.AllowWatchBookmarks {
		return nil, errors.New("bookmarks are not allowed")
	}
	w.from = append(w.from, options.ResourceVersion)
	w.at = append(w.at, time.Since(w.start))
	if len(w.attempts) == 0 {
		return apiwatch.NewFake(), nil
	}
	a := w.attempts[0]
	w.attempts = w.attempts[1:]
	if a.err != nil || a.none {
		return nil, a.err
	}
	events := make(chan apiwatch.Event, len(a.events))
	for _, event := range a.events {
		events <- event
	}
	if !a.open {
		close(events)
	}
	return apiwatch.NewProxyWatcher(events), nil
}

// seen are versions of objects, and codes of errors with a minus.
func seen(event apiwatch.Event) int {
	if status, ok := event.Object.(*metav1.Status); ok {
		return -int(status.Code)
	}
	n, _ := strconv.Atoi(event.Object.(metav1.Object).GetResourceVersion())
	return n
}

func TestRetryWatcher(t *testing.T) {
	retryLater := apierrors.NewTooManyRequests("later", 5)
	unavailable := apierrors.NewServiceUnavailable("gone")
	unavailable.ErrStatus.Details = &metav1.StatusDetails{RetryAfterSeconds: 7}
	for _, tt := range []struct {
		name     string
		attempts []attempt
		want     []int
		from     []string
		at       []time.Duration
		ended    bool
	}{
		{
			"goes on from the last version", []attempt{{events: []apiwatch.Event{added(5), added(6)}}, {events: []apiwatch.Event{added(9)}}},
			[]int{5, 6, 9}, []string{"4", "6", "9"}, []time.Duration{0, time.Second, 2 * time.Second}, false,
		},
		{
			"bookmarks count and are not delivered", []attempt{{events: []apiwatch.Event{{Type: apiwatch.Bookmark, Object: object(8)}}}},
			nil, []string{"4", "8"}, []time.Duration{0, time.Second}, false,
		},
		{
			"errors of the request", []attempt{{err: io.EOF}, {err: io.ErrUnexpectedEOF}, {err: errors.New("broken")}, {none: true}, {events: []apiwatch.Event{added(5)}}},
			[]int{5}, []string{"4", "4", "4", "4", "4", "5"}, []time.Duration{0, 1e9, 2e9, 3e9, 4e9, 5e9}, false,
		},
		{"410 of the request", []attempt{{err: apierrors.NewResourceExpired("old")}}, nil, []string{"4", "4"}, []time.Duration{0, 1e9}, false},
		{"server asks to wait", []attempt{{err: retryLater}}, nil, []string{"4", "4"}, []time.Duration{0, 5e9}, false},
		{"server asks to wait, in an event", []attempt{{events: []apiwatch.Event{failed(unavailable), added(5)}}}, nil, []string{"4", "4"}, []time.Duration{0, 7e9}, false},
		{"server error", []attempt{{events: []apiwatch.Event{added(5), failed(apierrors.NewInternalError(errors.New("x")))}}}, []int{5}, []string{"4", "5"}, []time.Duration{0, 1e9}, false},
		{"error without a status", []attempt{{events: []apiwatch.Event{{Type: apiwatch.Error, Object: object(5)}}}}, nil, []string{"4", "4"}, []time.Duration{0, 1e9}, false},
		{"410 of a watch", []attempt{{events: []apiwatch.Event{added(5), failed(apierrors.NewResourceExpired("old")), added(6)}}}, []int{5, -410}, []string{"4"}, []time.Duration{0}, true},
		{"forbidden", []attempt{{err: apierrors.NewForbidden(schema.GroupResource{}, "", errors.New("no"))}}, []int{-403}, []string{"4"}, []time.Duration{0}, true},
		{"unauthorized", []attempt{{err: apierrors.NewUnauthorized("who?")}}, []int{-401}, []string{"4"}, []time.Duration{0}, true},
		{"unknown type", []attempt{{events: []apiwatch.Event{{Type: "NEW", Object: object(5)}}}}, []int{-500}, []string{"4"}, []time.Duration{0}, true},
		{"object without a version", []attempt{{events: []apiwatch.Event{{Type: apiwatch.Added, Object: &metav1.PartialObjectMetadata{}}}}}, []int{-500}, []string{"4"}, []time.Duration{0}, true},
		{"object without metadata", []attempt{{events: []apiwatch.Event{{Type: apiwatch.Added, Object: &runtime.Unknown{}}}}}, []int{-500}, []string{"4"}, []time.Duration{0}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := &watcher{attempts: tt.attempts, start: time.Now()}
				w, err := watch.NewRetryWatcherWithContext(t.Context(), "4", client)
				if err != nil {
					t.Fatal(err)
				}
				var got []int
				go func() {
					time.Sleep(time.Minute)
					w.Stop()
					w.Stop()
				}()
				start := time.Now()
				for event := range w.ResultChan() {
					got = append(got, seen(event))
				}
				<-w.Done()
				if ended := time.Since(start) < time.Minute; ended != tt.ended {
					t.Errorf("ended by itself: %v", ended)
				}
				for name, d := range map[string]string{
					"events": cmp.Diff(tt.want, got), "from": cmp.Diff(tt.from, client.from), "at": cmp.Diff(tt.at, client.at),
				} {
					if d != "" {
						t.Errorf("%s (-want +got):\n%s", name, d)
					}
				}
				time.Sleep(time.Minute) // for the goroutine that stops it
			})
		})
	}
}

func TestRetryWatcherVersions(t *testing.T) {
	for _, version := range []string{"", "0"} {
		if w, err := watch.NewRetryWatcher(version, nil); err == nil || w != nil {
			t.Errorf("%q: got %v", version, err)
		}
	}
}

// Events that nobody receives do not keep it from ending.
func TestRetryWatcherUnread(t *testing.T) {
	for name, end := range map[string]func(*watch.RetryWatcher, context.CancelFunc){
		"stop":    func(w *watch.RetryWatcher, _ context.CancelFunc) { w.Stop() },
		"context": func(_ *watch.RetryWatcher, cancel context.CancelFunc) { cancel() },
	} {
		for _, a := range []attempt{
			{events: []apiwatch.Event{added(5)}}, {open: true},
			{events: []apiwatch.Event{failed(apierrors.NewResourceExpired("old"))}},
			{err: apierrors.NewUnauthorized("who?")}, {err: io.EOF},
		} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					w, err := watch.NewRetryWatcherWithContext(ctx, "4", &watcher{attempts: []attempt{a}})
					if err != nil {
						t.Fatal(err)
					}
					synctest.Wait()
					end(w, cancel)
					<-w.Done()
				})
			})
		}
	}
}
