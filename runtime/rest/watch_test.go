package rest_test

import (
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/rest"
)

func event(typ watch.EventType, object string) string {
	return fmt.Sprintf(`{"type":%q,"object":%s}`+"\n", typ, object)
}

func gadget(name string, size int) string {
	return fmt.Sprintf(`{"apiVersion":"test.dev/v1","kind":"Gadget","metadata":{"name":%q,"namespace":"ns"},"size":%d}`, name, size)
}

// events watches until the watch ends and returns the events.
func events(t *testing.T, r *rest.Request) []watch.Event {
	t.Helper()
	w, err := r.Watch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	var got []watch.Event
	for e := range w.ResultChan() {
		got = append(got, e)
	}
	return got
}

func TestWatch(t *testing.T) {
	all := event(watch.Added, gadget("one", 1)) + event(watch.Modified, gadget("one", 2)) + event(watch.Deleted, gadget("one", 2)) +
		event(watch.Bookmark, gadget("", 0)) + event(watch.Error, `{"apiVersion":"v1","kind":"Status","status":"Failure","code":410,"reason":"Expired"}`)
	for name, contentType := range map[string]string{"JSON": "application/json", "JSON of events": "application/json;stream=watch", "no format": ""} {
		t.Run(name, func(t *testing.T) {
			eachSerializer(t, func(t *testing.T, s runtime.NegotiatedSerializer) {
				server := serve(t, func(w http.ResponseWriter, r *http.Request) {
					w.Header()["Content-Type"] = []string{contentType}
					fmt.Fprint(w, all)
				})
				var got []string
				for _, e := range events(t, server.client(t, withSerializer(s)).Get().Resource("gadgets")) {
					switch obj := e.Object.(type) {
					case *Gadget:
						got = append(got, fmt.Sprint(e.Type, " ", obj.Name, " ", obj.Size))
					case *metav1.Status:
						got = append(got, fmt.Sprint(e.Type, " ", obj.Code))
					}
				}
				want := []string{"ADDED one 1", "MODIFIED one 2", "DELETED one 2", "BOOKMARK  0", "ERROR 410"}
				if !slices.Equal(got, want) {
					t.Errorf("got %q, want %q", got, want)
				}
			})
		})
	}
}

// TestWatchInBatches receives all events, in order, by batches of those that have arrived.
func TestWatchInBatches(t *testing.T) {
	const n = 300
	var all strings.Builder
	for i := range n {
		all.WriteString(event(watch.Modified, gadget("one", i)))
	}
	all.WriteString(event(watch.Added, strings.Replace(gadget("two", 0), `"size":0`, `"size":"big"`, 1)))
	eachSerializer(t, func(t *testing.T, s runtime.NegotiatedSerializer) {
		w, err := serve(t, answerJSON(all.String())).client(t, withSerializer(s)).Get().Resource("gadgets").Watch(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer w.Stop()
		var got []watch.Event
		batches := 0
		batched := w.(interface{ ResultBatches() <-chan []watch.Event })
		for batch := range batched.ResultBatches() {
			if len(batch) == 0 {
				t.Error("a batch is empty")
			}
			got = append(got, batch...)
			batches++
		}
		if len(got) != n+1 || got[n].Type != watch.Error {
			t.Fatalf("%d events, want %d and an error", len(got), n)
		}
		for i, e := range got[:n] {
			if g, ok := e.Object.(*Gadget); !ok || g.Size != i {
				t.Fatalf("event %d is %+v", i, e)
			}
		}
		if _, open := <-w.ResultChan(); open {
			t.Error("an event is received twice")
		}
		t.Logf("%d batches", batches)
	})
}

// TestWatchIsStoppedBeforeItsEventsAreAskedFor leaks no goroutine, as TestMain checks.
func TestWatchIsStoppedBeforeItsEventsAreAskedFor(t *testing.T) {
	w, err := serve(t, answerJSON(event(watch.Added, gadget("one", 1)))).client(t).Get().Resource("gadgets").Watch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w.Stop()
	for range w.ResultChan() {
		t.Error("an event after Stop")
	}
}

func TestEventThatCannotBeDecoded(t *testing.T) {
	eachSerializer(t, func(t *testing.T, s runtime.NegotiatedSerializer) {
		bad := strings.Replace(gadget("two", 0), `"size":0`, `"size":"big"`, 1)
		c := serve(t, answerJSON(event(watch.Added, gadget("one", 1))+event(watch.Added, bad)+event(watch.Added, gadget("three", 3)))).client(t, withSerializer(s))
		got := events(t, c.Get().Resource("gadgets"))
		if len(got) != 2 || got[0].Type != watch.Added || got[1].Type != watch.Error {
			t.Fatalf("events are %v", got)
		}
		err := apierrors.FromObject(got[1].Object)
		if !apierrors.IsInternalError(err) || !apierrors.HasStatusCause(err, "ClientWatchDecoding") || !unexpected(err) {
			t.Errorf("error is %v", err)
		}
		status := got[1].Object.(*metav1.Status)
		if !strings.Contains(status.Message, "unable to decode an event from the watch stream") || !strings.Contains(status.Message, "size") {
			t.Errorf("message is %s", status.Message)
		}
		if d := status.Details; len(d.Causes) < 2 {
			t.Errorf("details are %+v", d)
		}
	})
}

func TestStatusNamesWhatCannotBeDecoded(t *testing.T) {
	bad := strings.Replace(gadget("two", 0), `"size":0`, `"size":"big"`, 1)
	got := events(t, serve(t, answerJSON(event(watch.Added, bad))).client(t).Get().Resource("gadgets"))
	if len(got) != 1 {
		t.Fatalf("events are %v", got)
	}
	d := got[0].Object.(*metav1.Status).Details
	if d.Group != "test.dev" || d.Kind != "Gadget" || d.Name != "two" {
		t.Errorf("details are %+v", d)
	}
	if !slices.ContainsFunc(d.Causes, func(c metav1.StatusCause) bool { return c.Field == "/size" && c.Message != "" }) {
		t.Errorf("causes are %+v", d.Causes)
	}
}

func TestWatchThatBreaks(t *testing.T) {
	one := event(watch.Added, gadget("one", 1))
	for _, test := range []struct {
		name   string
		answer http.HandlerFunc
		want   int // events
	}{
		{"at once", answerJSON(""), 0},
		{"between events", answerJSON(one), 1},
		{"in an event", answerJSON(one + one[:30]), 1},
		{"by the connection", cut("application/json", one+one[:30]), 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			eachSerializer(t, func(t *testing.T, s runtime.NegotiatedSerializer) {
				if got := events(t, serve(t, test.answer).client(t, withSerializer(s)).Get()); len(got) != test.want {
					t.Errorf("events are %v", got)
				}
			})
		})
	}
}

// TestWatchWhoseBodyBreaks checks that a broken connection is not an event, because watches resume
// where they ended, but that corrupt compressed data are one.
func TestWatchWhoseBodyBreaks(t *testing.T) {
	one := event(watch.Added, gadget("one", 1))
	for _, test := range []struct {
		err  error
		want []watch.EventType
	}{
		{errors.New("http2: client connection lost"), []watch.EventType{watch.Added}},
		{errors.New("stream error: stream ID 1; INTERNAL_ERROR; received from peer"), []watch.EventType{watch.Added}},
		{&net.OpError{Op: "read", Err: syscall.ETIMEDOUT}, []watch.EventType{watch.Added}},
		{gzip.ErrHeader, []watch.EventType{watch.Added, watch.Error}},
		{gzip.ErrChecksum, []watch.EventType{watch.Added, watch.Error}},
		{flate.CorruptInputError(7), []watch.EventType{watch.Added, watch.Error}},
	} {
		for name, body := range map[string]string{"between events": one, "in an event": one + one[:30]} {
			t.Run(test.err.Error()+" "+name, func(t *testing.T) {
				eachSerializer(t, func(t *testing.T, s runtime.NegotiatedSerializer) {
					c := answeredBy(t, s, io.MultiReader(strings.NewReader(body), iotest.ErrReader(test.err)))
					var got []watch.EventType
					for _, e := range events(t, c.Get().Resource("gadgets")) {
						got = append(got, e.Type)
					}
					if !slices.Equal(got, test.want) {
						t.Errorf("events are %v, want %v", got, test.want)
					}
				})
			})
		}
	}
}

func TestWatchFails(t *testing.T) {
	for _, test := range []struct {
		name   string
		answer http.HandlerFunc
		want   func(error) bool
		text   string
	}{
		{"Status", answer(410, "application/json", `{"apiVersion":"v1","kind":"Status","status":"Failure","reason":"Expired","code":410}`), apierrors.IsResourceExpired, ""},
		{"text", answer(403, "text/plain", "go away"), apierrors.IsForbidden, "go away"},
		{"another success", answer(201, "application/json", "{}"), anyError, "got status: 201"},
		{"unknown format", answer(200, "text/html", "<html>"), isContentType, "no stream serializers registered for text/html"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := serve(t, test.answer).client(t).Get().Watch(t.Context())
			if err == nil || !test.want(err) || !strings.Contains(err.Error(), test.text) {
				t.Errorf("error is %v", err)
			}
		})
	}
}

func TestWatchEnds(t *testing.T) {
	hang := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, event(watch.Added, gadget("one", 1)))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}
	t.Run("stopped", func(t *testing.T) {
		var log logged
		w, err := serve(t, hang).client(t).Get().Watch(log.context(t.Context(), 1))
		if err != nil {
			t.Fatal(err)
		}
		<-w.ResultChan()
		w.Stop()
		w.Stop()
		for range w.ResultChan() { // until it is closed
		}
		if text := log.String(); text != "" {
			t.Errorf("a stopped watch delivers %s", text)
		}
	})
	t.Run("context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w, err := serve(t, hang).client(t).Get().Watch(ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Stop()
		<-w.ResultChan()
		cancel()
		for range w.ResultChan() { // until it is closed
		}
	})
}

func TestWatchThatFindsNobody(t *testing.T) {
	s := serve(t, hangUp)
	c := s.client(t)
	s.Close()
	_, err := c.Get().BackOffWithContext(&calls{}).Watch(t.Context())
	if err == nil || !strings.Contains(err.Error(), "refused") || errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}
