package store_test

import (
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/listwatch/listwatch/apitest/internal/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/apis/example"
	"k8s.io/apiserver/pkg/storage"
)

func pod(name string) *example.Pod {
	return &example.Pod{ObjectMeta: metav1.ObjectMeta{
		Name: name, Namespace: "default", UID: "5a9e8d3f", Labels: map[string]string{"app": name, "tier": "front"},
	}, Spec: example.PodSpec{NodeName: "node"}}
}

func podKey(name string) string { return "/pods/default/" + name }

// fill creates n pods.
func fill(tb testing.TB, s storage.Interface, n int) {
	tb.Helper()
	for i := range n {
		name := fmt.Sprintf("pod-%06d", i)
		if err := s.Create(context.Background(), podKey(name), pod(name), nil, 0); err != nil {
			tb.Fatal(err)
		}
	}
}

// relabel updates a pod with a change.
func relabel(tb testing.TB, s storage.Interface, name string, i int) {
	tb.Helper()
	err := s.GuaranteedUpdate(context.Background(), podKey(name), &example.Pod{}, false, nil,
		storage.SimpleUpdate(func(obj runtime.Object) (runtime.Object, error) {
			obj.(*example.Pod).Labels["turn"] = fmt.Sprint(i)
			return obj, nil
		}), nil)
	if err != nil {
		tb.Fatal(err)
	}
}

var everything = storage.ListOptions{Predicate: storage.Everything, Recursive: true}

func BenchmarkCreate(b *testing.B) {
	s, _ := newPods(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		name := fmt.Sprintf("pod-%09d", i)
		if err := s.Create(context.Background(), podKey(name), pod(name), &example.Pod{}, 0); err != nil {
			b.Fatal(err)
		}
	}
}

// Updates with 20,000 objects, alone and with a list of all objects between two updates.
func BenchmarkUpdate(b *testing.B) {
	for _, listing := range []bool{false, true} {
		b.Run(fmt.Sprintf("list=%v", listing), func(b *testing.B) {
			s, _ := newPods(b)
			fill(b, s, 20_000)
			if err := s.GetList(context.Background(), "/pods", everything, &example.PodList{}); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				relabel(b, s, fmt.Sprintf("pod-%06d", i%20_000), i)
				if listing {
					if err := s.GetList(context.Background(), "/pods", everything, &example.PodList{}); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

func BenchmarkList(b *testing.B) {
	s, _ := newPods(b)
	fill(b, s, 20_000)
	if err := s.GetList(context.Background(), "/pods", everything, &example.PodList{}); err != nil {
		b.Fatal(err)
	}
	for _, limit := range []int64{0, 500} {
		b.Run(fmt.Sprintf("limit=%d", limit), func(b *testing.B) {
			opts := everything
			opts.Predicate.Limit = limit
			b.ReportAllocs()
			for b.Loop() {
				if err := s.GetList(context.Background(), "/pods", opts, &example.PodList{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Updates that watchers encode, all in the same form.
func BenchmarkFanOut(b *testing.B) {
	for _, watchers := range []int{1, 10, 100} {
		b.Run(fmt.Sprint(watchers), func(b *testing.B) {
			s := open(b, store.NewBackend(store.Options{History: 1 << 20}), pods, podCodec())
			fill(b, s, 100)
			opts := everything
			opts.ResourceVersion = fmt.Sprint(currentVersion(b, s))
			done := make(chan struct{})
			for range watchers {
				w, err := s.Watch(context.Background(), "/pods", opts)
				if err != nil {
					b.Fatal(err)
				}
				go func() {
					defer func() { done <- struct{}{} }()
					defer w.Stop()
					for range b.N {
						event := <-w.ResultChan()
						object := event.Object.(runtime.CacheableObject)
						if err := object.CacheEncode("json", podCodec().Encode, io.Discard); err != nil {
							b.Error(err)
							return
						}
					}
				}()
			}
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				relabel(b, s, fmt.Sprintf("pod-%06d", i%100), i)
			}
			for range watchers {
				<-done
			}
		})
	}
}

func currentVersion(tb testing.TB, s storage.Interface) uint64 {
	tb.Helper()
	version, err := s.GetCurrentResourceVersion(context.Background())
	if err != nil {
		tb.Fatal(err)
	}
	return version
}
