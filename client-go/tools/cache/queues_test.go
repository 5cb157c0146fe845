package cache_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clock "k8s.io/utils/clock/testing"

	"k8s.io/client-go/tools/cache"
)

// item has a key before the colon; its text orders it in a heap.
func itemKey(obj any) (string, error) {
	key, _, ok := strings.Cut(obj.(string), ":")
	if !ok {
		return "", errors.New("no key")
	}
	return key, nil
}

func byPriority(a, b any) bool {
	_, x, _ := strings.Cut(a.(string), ":")
	_, y, _ := strings.Cut(b.(string), ":")
	return x < y
}

func TestHeap(t *testing.T) {
	for _, tt := range []struct {
		name string
		fill func(h *cache.Heap) error
		want string
	}{
		{"add", func(h *cache.Heap) error {
			return errors.Join(h.Add("a:3"), h.Add("b:1"), h.Add("c:2"))
		}, "b:1 c:2 a:3"},
		{"add again", func(h *cache.Heap) error {
			return errors.Join(h.Add("a:3"), h.Add("b:2"), h.Add("a:1"))
		}, "a:1 b:2"},
		{"update", func(h *cache.Heap) error {
			return errors.Join(h.Add("a:1"), h.Add("b:2"), h.Update("a:3"))
		}, "b:2 a:3"},
		{"bulk", func(h *cache.Heap) error {
			return h.BulkAdd([]any{"a:3", "b:2", "c:1", "b:4"})
		}, "c:1 a:3 b:4"},
		{"if not present", func(h *cache.Heap) error {
			return errors.Join(h.Add("a:1"), h.AddIfNotPresent("a:2"), h.AddIfNotPresent("b:0"))
		}, "b:0 a:1"},
		{"delete", func(h *cache.Heap) error {
			return errors.Join(h.BulkAdd([]any{"a:1", "b:2", "c:3", "d:4"}), h.Delete("b:9"), h.Delete("d:"))
		}, "a:1 c:3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := cache.NewHeap(itemKey, byPriority)
			if err := tt.fill(h); err != nil {
				t.Fatal(err)
			}
			want := strings.Fields(tt.want)
			keys, list := h.ListKeys(), h.List()
			if len(keys) != len(want) || len(list) != len(want) {
				t.Errorf("lists %v and %v", keys, list)
			}
			for _, key := range keys {
				if obj, ok, err := h.GetByKey(key); !ok || err != nil || !slices.Contains(list, obj) {
					t.Errorf("%s is %v, %t, %v", key, obj, ok, err)
				}
			}
			var got []string
			for range want {
				obj, err := h.Pop()
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, obj.(string))
			}
			if !slices.Equal(got, want) || len(h.List()) != 0 {
				t.Errorf("popped %v, left %v", got, h.List())
			}
		})
	}
}

func TestHeapErrors(t *testing.T) {
	h := cache.NewHeap(itemKey, byPriority)
	var keyError cache.KeyError
	_, _, getErr := h.Get("x")
	for name, err := range map[string]error{
		"add": h.Add("x"), "update": h.Update("x"), "bulk": h.BulkAdd([]any{"x"}), "if not present": h.AddIfNotPresent("x"),
		"delete": h.Delete("x"), "get": getErr,
	} {
		if !errors.As(err, &keyError) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := h.Delete("a:1"); err == nil || !strings.Contains(err.Error(), `"a"`) {
		t.Errorf("a missing object: %v", err)
	}
	if _, ok, err := h.Get("a:1"); ok || err != nil {
		t.Errorf("got %t, %v", ok, err)
	}
}

// Pop waits for an object, and for Close.
func TestHeapPop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := cache.NewHeap(itemKey, byPriority)
		popped := make(chan error, 1)
		pop := func() {
			_, err := h.Pop()
			popped <- err
		}
		go pop()
		synctest.Wait()
		if len(popped) > 0 {
			t.Fatal("popped of nothing")
		}
		if err := h.Add("a:1"); err != nil {
			t.Fatal(err)
		}
		if err := <-popped; err != nil {
			t.Error(err)
		}
		if err := h.Add("b:1"); err != nil {
			t.Fatal(err)
		}
		if h.IsClosed() {
			t.Error("closed")
		}
		h.Close()
		if !h.IsClosed() || h.Add("c:1") == nil {
			t.Error("not closed")
		}
		go pop()
		if err := <-popped; err != nil {
			t.Errorf("what is left: %v", err)
		}
		go pop()
		if err := <-popped; err == nil {
			t.Error("a closed heap is popped")
		}
	})
}

func TestUndeltaStore(t *testing.T) {
	var pushed []string
	push := func(objs []any) {
		var names []string
		for _, obj := range objs {
			names = append(names, obj.(string))
		}
		slices.Sort(names)
		pushed = append(pushed, strings.Join(names, " "))
	}
	store := cache.NewUndeltaStore(push, itemKey)
	for _, step := range []struct {
		name   string
		change func() error
		want   string // what is pushed, "none" for nothing
	}{
		{"add", func() error { return store.Add("a:1") }, "a:1"},
		{"add another", func() error { return store.Add("b:1") }, "a:1 b:1"},
		{"update", func() error { return store.Update("a:2") }, "a:2 b:1"},
		{"delete", func() error { return store.Delete("b:1") }, "a:2"},
		{"replace", func() error { return store.Replace([]any{"c:1", "d:1"}, "7") }, "c:1 d:1"},
		{"resync", store.Resync, "none"},
		{"an error", func() error { return store.Add("x") }, "none"},
	} {
		pushed = nil
		err := step.change()
		want := []string{step.want}
		if step.want == "none" {
			want = nil
		}
		if !slices.Equal(pushed, want) || (err != nil) != (step.name == "an error") {
			t.Errorf("%s: pushed %q, %v", step.name, pushed, err)
		}
	}
}

func pod(name, version string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, ResourceVersion: version}}
}

func describe(d cache.Delta) string {
	switch obj := d.Object.(type) {
	case *corev1.Pod:
		return fmt.Sprintf("%s %s/%s", d.Type, obj.Name, obj.ResourceVersion)
	case cache.DeletedFinalStateUnknown:
		return fmt.Sprintf("%s %s unknown", d.Type, obj.Key)
	case cache.ReplacedAllInfo:
		return fmt.Sprintf("%s %d at %s", d.Type, len(obj.Objects), obj.ResourceVersion)
	default:
		return fmt.Sprintf("%s %T", d.Type, obj)
	}
}

// Deltas come one by one, in order of arrival, also those of one object.
func TestRealFIFO(t *testing.T) {
	known := cache.NewStore(cache.MetaNamespaceKeyFunc)
	if err := known.Add(pod("old", "1")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name    string
		options cache.RealFIFOOptions
		fill    func(q *cache.RealFIFO) error
		want    []string
	}{
		{
			"changes", cache.RealFIFOOptions{KnownObjects: known},
			func(q *cache.RealFIFO) error {
				return errors.Join(q.Add(pod("a", "2")), q.Add(pod("b", "3")), q.Update(pod("a", "4")), q.Delete(pod("a", "5")), q.Add(pod("a", "6")))
			},
			[]string{"Added a/2", "Added b/3", "Updated a/4", "Deleted a/5", "Added a/6"},
		},
		{
			"list", cache.RealFIFOOptions{KnownObjects: known},
			func(q *cache.RealFIFO) error { return q.Replace([]any{pod("a", "2"), pod("b", "3")}, "9") },
			[]string{"Deleted old unknown", "Replaced a/2", "Replaced b/3"},
		},
		{
			"resync", cache.RealFIFOOptions{KnownObjects: known},
			func(q *cache.RealFIFO) error { return q.Resync() },
			[]string{"Sync old/1"},
		},
		{
			"atomic list", cache.RealFIFOOptions{AtomicEvents: true},
			func(q *cache.RealFIFO) error {
				return errors.Join(q.Add(pod("a", "2")), q.Replace([]any{pod("a", "2"), pod("b", "3")}, "9"))
			},
			[]string{"Added a/2", "ReplacedAll 2 at 9"},
		},
		{
			"transformed", cache.RealFIFOOptions{KnownObjects: known, Transformer: func(obj any) (any, error) {
				changed := obj.(*corev1.Pod).DeepCopy()
				changed.ResourceVersion += "!"
				return changed, nil
			}},
			func(q *cache.RealFIFO) error { return q.Add(pod("a", "2")) },
			[]string{"Added a/2!"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q := cache.NewRealFIFOWithOptions(tt.options)
			if err := tt.fill(q); err != nil {
				t.Fatal(err)
			}
			q.Close()
			var got []string
			for {
				_, err := q.Pop(func(obj any, _ bool) error {
					for _, d := range obj.(cache.Deltas) {
						got = append(got, describe(d))
					}
					return nil
				})
				if err != nil {
					if !errors.Is(err, cache.ErrFIFOClosed) {
						t.Error(err)
					}
					break
				}
			}
			slices.SortStableFunc(got, func(a, b string) int {
				// The order of what a list deleted, relative to what it has, is free.
				return strings.Compare(fmt.Sprint(!strings.Contains(a, "unknown")), fmt.Sprint(!strings.Contains(b, "unknown")))
			})
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("deltas %q, want %q", got, tt.want)
			}
		})
	}
}

func TestRealFIFOOptions(t *testing.T) {
	known := cache.NewStore(cache.MetaNamespaceKeyFunc)
	for _, tt := range []struct {
		name    string
		options cache.RealFIFOOptions
		panics  bool
	}{
		{"plain", cache.RealFIFOOptions{KnownObjects: known}, false},
		{"atomic", cache.RealFIFOOptions{AtomicEvents: true, UnlockWhileProcessing: true, EmitDeltaTypeBookmark: true}, false},
		{"no known objects", cache.RealFIFOOptions{}, true},
		{"known objects and atomic", cache.RealFIFOOptions{KnownObjects: known, AtomicEvents: true}, true},
		{"unlocked without atomic", cache.RealFIFOOptions{KnownObjects: known, UnlockWhileProcessing: true}, true},
		{"bookmarks without atomic", cache.RealFIFOOptions{KnownObjects: known, EmitDeltaTypeBookmark: true}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			defer func() {
				if p := recover(); (p != nil) != tt.panics {
					t.Errorf("panic %v", p)
				}
			}()
			cache.NewRealFIFOWithOptions(tt.options)
		})
	}
}

func TestRetryWithDeadline(t *testing.T) {
	retryable, other := errors.New("retryable"), errors.New("other")
	type step struct {
		after time.Duration
		err   error
		want  bool
	}
	for _, tt := range []struct {
		name       string
		max, reset time.Duration
		steps      []step
	}{
		{"within the limit", 10 * time.Second, time.Minute, []step{{0, retryable, true}, {9 * time.Second, retryable, true}, {2 * time.Second, retryable, false}}},
		{"a new series after the limit", 10 * time.Second, time.Minute, []step{{0, retryable, true}, {11 * time.Second, retryable, false}, {0, retryable, true}}},
		{"a new series after a pause", 10 * time.Second, 5 * time.Second, []step{{0, retryable, true}, {6 * time.Second, retryable, true}, {6 * time.Second, retryable, true}}},
		{"other errors", 10 * time.Second, time.Minute, []step{{0, other, false}, {0, nil, false}}},
		{"an error during a series", 10 * time.Second, time.Minute, []step{{0, retryable, true}, {time.Second, other, true}}},
		{"no retries", 0, time.Minute, []step{{0, retryable, false}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			now := clock.NewFakeClock(time.Unix(1, 0))
			r := cache.NewRetryWithDeadline(tt.max, tt.reset, func(err error) bool { return errors.Is(err, retryable) }, now)
			for i, s := range tt.steps {
				now.Step(s.after)
				r.After(s.err)
				if got := r.ShouldRetry(); got != s.want {
					t.Errorf("step %d: %t", i, got)
				}
			}
		})
	}
}
