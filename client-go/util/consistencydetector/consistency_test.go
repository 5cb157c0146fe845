package consistencydetector_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"k8s.io/client-go/util/consistencydetector"
)

func pod(uid, version string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: uid, UID: types.UID(uid), ResourceVersion: version}}
}

func TestCheckDataConsistency(t *testing.T) {
	listed := &corev1.PodList{Items: []corev1.Pod{*pod("a", "1"), *pod("b", "2")}}
	for _, tt := range []struct {
		name      string
		version   string
		options   metav1.ListOptions
		received  []*corev1.Pod
		failures  int // of lists, before one succeeds
		transform consistencydetector.TransformFunc
		requests  int
		limit     int64 // that is requested
		panics    bool
	}{
		{name: "the same", version: "7", received: []*corev1.Pod{pod("a", "1"), pod("b", "2")}, requests: 1},
		{name: "another order", version: "7", received: []*corev1.Pod{pod("b", "2"), pod("a", "1")}, requests: 1},
		{name: "another version", version: "7", received: []*corev1.Pod{pod("a", "1"), pod("b", "3")}, requests: 1, panics: true},
		{name: "one less", version: "7", received: []*corev1.Pod{pod("a", "1")}, requests: 1, panics: true},
		{name: "later", version: "7", received: []*corev1.Pod{pod("a", "1"), pod("b", "2")}, failures: 3, requests: 4},
		{name: "never", version: "7", failures: 100, requests: 10},
		{name: "no version", version: "0"},
		{name: "a page", version: "7", options: metav1.ListOptions{Continue: "x"}},
		{
			name: "limit of a list from the cache", version: "7", options: metav1.ListOptions{ResourceVersion: "0", Limit: 1},
			received: []*corev1.Pod{pod("a", "1"), pod("b", "2")}, requests: 1,
		},
		{
			name: "limit", version: "7", options: metav1.ListOptions{Limit: 5},
			received: []*corev1.Pod{pod("a", "1"), pod("b", "2")}, requests: 1, limit: 5,
		},
		{
			name: "transformed", version: "7", received: []*corev1.Pod{pod("a", "!"), pod("b", "!")}, requests: 1,
			transform: func(obj any) (any, error) {
				obj.(*corev1.Pod).ResourceVersion = "!"
				return obj, nil
			},
		},
		{
			name: "failed transformation", version: "7", received: []*corev1.Pod{}, requests: 1, panics: true,
			transform: func(any) (any, error) { return nil, errors.New("failed") },
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 9500*time.Millisecond)
				defer cancel()
				requests := 0
				list := func(_ context.Context, options metav1.ListOptions) (*corev1.PodList, error) {
					requests++
					if options.ResourceVersion != tt.version || options.ResourceVersionMatch != metav1.ResourceVersionMatchExact || options.Limit != tt.limit {
						t.Errorf("options %+v", options)
					}
					if requests <= tt.failures {
						return nil, errors.New("unavailable")
					}
					return listed.DeepCopy(), nil
				}
				defer func() {
					if p := recover(); (p != nil) != tt.panics {
						t.Errorf("panic %v", p)
					}
					if requests != tt.requests {
						t.Errorf("%d requests", requests)
					}
				}()
				consistencydetector.CheckDataConsistency(ctx, "pods", tt.version, list, tt.transform, tt.options, func() []*corev1.Pod { return tt.received })
			})
		})
	}
}

func TestEnabled(t *testing.T) {
	before := consistencydetector.IsDataConsistencyDetectionForWatchListEnabled()
	restore := consistencydetector.SetDataConsistencyDetectionForWatchListEnabledForTest(!before)
	if consistencydetector.IsDataConsistencyDetectionForWatchListEnabled() == before {
		t.Error("not set")
	}
	restore()
	if consistencydetector.IsDataConsistencyDetectionForWatchListEnabled() != before {
		t.Error("not restored")
	}
}
