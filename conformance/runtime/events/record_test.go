package events_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	theirrest "k8s.io/client-go/rest"
	theirs "k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	ours "github.com/listwatch/listwatch/kubernetes/record"
	ourrest "github.com/listwatch/listwatch/runtime/rest"
)

// recorder is what the recorders of both have in common.
type recorder interface {
	ours.EventRecorder
}

// startRecord starts to record to a sink with client-go or with ours. There is no pause between attempts, because it
// is random, and combined events have the time of their writing.
var startRecord = map[string]func(t *testing.T, sink ours.EventSink) (r recorder, stop func()){
	"client-go": func(t *testing.T, sink ours.EventSink) (recorder, func()) {
		b := theirs.NewBroadcaster(theirs.WithContext(klog.NewContext(t.Context(), klog.Logger{})), theirs.WithSleepDuration(0))
		b.StartRecordingToSink(sink)
		return b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "librarian", Host: "h"}), b.Shutdown
	},
	"listwatch": func(t *testing.T, sink ours.EventSink) (recorder, func()) {
		b := ours.NewBroadcaster(ours.WithContext(klog.NewContext(t.Context(), klog.Logger{})), ours.WithSleepDuration(0))
		b.StartRecordingToSink(sink)
		return b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "librarian", Host: "h"}), b.Shutdown
	},
}

// coreSink records requests as text, and answers according to a random sequence.
type coreSink struct {
	ours bool

	mu       sync.Mutex
	random   *rand.Rand
	requests []string
}

func (s *coreSink) Create(e *corev1.Event) (*corev1.Event, error) { return s.answer("create", e, nil) }
func (s *coreSink) Update(e *corev1.Event) (*corev1.Event, error) { return s.answer("update", e, nil) }
func (s *coreSink) Patch(e *corev1.Event, patch []byte) (*corev1.Event, error) {
	return s.answer("patch", e, patch)
}

func (s *coreSink) answer(verb string, event *corev1.Event, patch []byte) (*corev1.Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, err := json.Marshal(event)
	if err != nil {
		return nil, err
	}
	s.requests = append(s.requests, fmt.Sprintf("%s %s %s", verb, text, patch))
	resource := schema.GroupResource{Resource: "events"}
	switch s.random.IntN(12) {
	case 0:
		return nil, errors.New("connection refused")
	case 1:
		return nil, apierrors.NewNotFound(resource, event.Name)
	case 2:
		return nil, apierrors.NewAlreadyExists(resource, event.Name)
	case 3:
		return nil, apierrors.NewTooManyRequests("slow down", 1)
	case 4:
		return nil, &apierrors.UnexpectedObjectError{Object: event}
	case 5:
		if s.ours {
			return nil, &ourrest.RequestConstructionError{Err: errors.New("no")}
		}
		return nil, &theirrest.RequestConstructionError{Err: errors.New("no")}
	}
	stored := event.DeepCopy()
	stored.ResourceVersion = fmt.Sprint(len(s.requests))
	return stored, nil
}

func TestRecord(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "library", Name: "shelf", UID: "7"}}
	for seed := range uint64(60) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			requests := map[string][]string{}
			for name, start := range startRecord {
				synctest.Test(t, func(t *testing.T) {
					random := rand.New(rand.NewPCG(seed, 2))
					sink := &coreSink{ours: name == "listwatch", random: rand.New(rand.NewPCG(seed, 3))}
					r, stop := start(t, sink)
					for step := range 100 {
						time.Sleep(1 + time.Duration(random.ExpFloat64()*float64(30*time.Second)))
						about := &corev1.ObjectReference{Kind: "Desk", Namespace: []string{"", "library"}[random.IntN(2)], Name: "desk"}
						switch random.IntN(3) {
						case 0:
							r.Event(about, corev1.EventTypeNormal, "Repeated", "m")
						case 1:
							r.Eventf(about, corev1.EventTypeWarning, "Unique", "%d", step)
						case 2:
							r.AnnotatedEventf(pod, map[string]string{"a": "b"}, corev1.EventTypeNormal, "Annotated", "")
						}
					}
					time.Sleep(10 * time.Hour)
					synctest.Wait()
					stop()
					requests[name] = sink.requests
				})
			}
			if diff := cmp.Diff(requests["client-go"], requests["listwatch"]); diff != "" {
				t.Errorf("client-go's - ours +\n%s", diff)
			}
		})
	}
}
