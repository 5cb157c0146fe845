package events_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	theirs "k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"

	ours "github.com/listwatch/listwatch/kubernetes/events"
)

// startSeries starts to record to a sink with client-go or with ours.
var startSeries = map[string]func(ctx context.Context, sink ours.EventSink) (r ours.EventRecorder, err error){
	"client-go": func(ctx context.Context, sink ours.EventSink) (ours.EventRecorder, error) {
		b := theirs.NewBroadcaster(sink)
		context.AfterFunc(ctx, b.Shutdown)
		return b.NewRecorder(scheme.Scheme, "librarian"), b.StartRecordingToSinkWithContext(ctx)
	},
	"listwatch": func(ctx context.Context, sink ours.EventSink) (ours.EventRecorder, error) {
		b := ours.NewBroadcaster(sink)
		context.AfterFunc(ctx, b.Shutdown)
		return b.NewRecorder(scheme.Scheme, "librarian"), b.StartRecordingToSinkWithContext(ctx)
	},
}

// seriesSink records requests, and rejects some according to their reasons.
type seriesSink struct {
	mu       sync.Mutex
	requests []string
}

func (s *seriesSink) Create(_ context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	return s.answer("create", e, nil)
}

func (s *seriesSink) Update(_ context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	return s.answer("update", e, nil)
}

func (s *seriesSink) Patch(_ context.Context, e *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	return s.answer("patch", e, patch)
}

func (s *seriesSink) answer(verb string, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, err := json.Marshal(event)
	if err != nil {
		return nil, err
	}
	s.requests = append(s.requests, fmt.Sprintf("%s %s %s %s", time.Now().Format("15:04:05.000000000"), verb, text, patch))
	resource := schema.GroupResource{Group: eventsv1.GroupName, Resource: "events"}
	switch {
	case event.Reason == "Rejected":
		return nil, apierrors.NewForbidden(resource, event.Name, nil)
	case event.Reason == "Deleted" && verb == "patch":
		return nil, apierrors.NewNotFound(resource, event.Name)
	}
	return event.DeepCopy(), nil
}

func TestSeries(t *testing.T) {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n", UID: "7"}}
	for seed := range uint64(100) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			requests := map[string][]string{}
			for name, start := range startSeries {
				synctest.Test(t, func(t *testing.T) {
					random := rand.New(rand.NewPCG(seed, 4))
					ctx, cancel := context.WithCancel(klog.NewContext(t.Context(), klog.Logger{}))
					sink := &seriesSink{}
					r, err := start(ctx, sink)
					if err != nil {
						t.Fatal(err)
					}
					pause := []time.Duration{time.Second, time.Minute, 3 * time.Minute}[random.IntN(3)]
					for range 100 {
						time.Sleep(1 + time.Duration(random.ExpFloat64()*float64(pause)))
						reason := []string{"Lent", "Returned", "Rejected", "Deleted"}[random.IntN(4)]
						about := &corev1.ObjectReference{Kind: "Desk", Namespace: "library", Name: string("ab"[random.IntN(2)])}
						if random.IntN(2) == 0 {
							r.Eventf(about, nil, corev1.EventTypeNormal, reason, "Lend", "%d", random.Int())
						} else {
							r.Eventf(about, node, corev1.EventTypeWarning, reason, "Lend", "m")
						}
						synctest.Wait()
					}
					time.Sleep(2 * time.Hour)
					cancel()
					synctest.Wait()
					// Requests at one time have no order, and may be repeated.
					slices.Sort(sink.requests)
					requests[name] = slices.Compact(sink.requests)
				})
			}
			if diff := cmp.Diff(requests["client-go"], requests["listwatch"]); diff != "" {
				t.Errorf("client-go's - ours +\n%s", diff)
			}
		})
	}
}
