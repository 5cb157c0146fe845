package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/listwatch/listwatch/apitest/internal/store"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/apis/example"
	"k8s.io/apiserver/pkg/storage"
)

func TestPrefixes(t *testing.T) {
	b := store.NewBackend(store.Options{})
	for resource, want := range map[schema.GroupResource]string{
		{Resource: "pods"}:                          "pods",
		{Group: "example.com", Resource: "widgets"}: "example.com/widgets",
	} {
		opts, err := b.RESTOptions(podCodec()).GetRESTOptions(resource, nil)
		if err != nil || opts.ResourcePrefix != want {
			t.Errorf("%v: prefix %q, want %q: %v", resource, opts.ResourcePrefix, want, err)
		}
	}
}

func TestOneCounter(t *testing.T) {
	s, b := newPods(t)
	write := increaseRV(t, b)
	first := b.ResourceVersion()
	if first == 0 {
		t.Error("the counter starts at 0")
	}
	add(t, s, "a")
	write(t.Context(), t)
	if got := add(t, s, "b").ResourceVersion; got != fmt.Sprint(first+3) {
		t.Errorf("version %s, want %d", got, first+3)
	}
}

// A list is paged to its end while its objects are deleted, as a deletion of a collection does it, and beside
// other writes.
func TestPagingBesideWrites(t *testing.T) {
	const objects, limit = 25_000, 5000
	s, _ := newPods(t)
	fill(t, s, objects)
	opts := everything
	opts.Predicate.Limit = limit
	seen := 0
	for {
		var page example.PodList
		if err := s.GetList(t.Context(), "/pods", opts, &page); err != nil {
			t.Fatalf("after %d objects: %v", seen, err)
		}
		for i := range page.Items {
			err := s.Delete(t.Context(), podKey(page.Items[i].Name), &example.Pod{}, nil, storage.ValidateAllObjectFunc, nil, storage.DeleteOptions{})
			if err != nil {
				t.Fatal(err)
			}
		}
		seen += len(page.Items)
		if opts.Predicate.Continue = page.Continue; page.Continue == "" {
			break
		}
	}
	if seen != objects {
		t.Errorf("%d objects, want %d", seen, objects)
	}
}

func TestTTL(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, b := newPods(t)
		for name, ttl := range map[string]uint64{"a": 10, "b": 20, "c": 5, "forever": 0} {
			if err := s.Create(t.Context(), podKey(name), pod(name), nil, ttl); err != nil {
				t.Fatal(err)
			}
		}
		w := begin(t, s, b.ResourceVersion())
		relabel(t, s, "c", 1) // without a time to live it is retained
		began := time.Now()
		expect(t, w, "MODIFIED c", "DELETED a")
		if d := time.Since(began); d != 10*time.Second {
			t.Errorf("a was there for %v", d)
		}
		expect(t, w, "DELETED b")
		if d := time.Since(began); d != 20*time.Second {
			t.Errorf("b was there for %v", d)
		}
	})
}

func TestTooLarge(t *testing.T) {
	s, _ := newPods(t)
	large := pod("a")
	large.Annotations = map[string]string{"text": strings.Repeat("x", 3<<19)}
	if err := s.Create(t.Context(), podKey("a"), large, nil, 0); !errors.Is(err, rpctypes.ErrRequestTooLarge) {
		t.Errorf("create an object of 1.5 MiB: got error %v, want ErrRequestTooLarge", err)
	}
}

// What one codec has written can be read by another, as by the one of another version.
func TestCodecs(t *testing.T) {
	s, b := newPods(t)
	other := open(t, b, pods, shouting{podCodec()})
	add(t, s, "a")
	var list example.PodList
	for range 2 {
		if err := other.GetList(t.Context(), "/pods", everything, &list); err != nil || list.Items[0].Spec.NodeName != "NODE" {
			t.Errorf("list with another codec: got %v (error %v), want its node NODE", list.Items, err)
		}
		if node := read(t, s).Spec.NodeName; node != "node" {
			t.Errorf("node %s", node)
		}
	}
}

// shouting is a codec that modifies what it decodes.
type shouting struct{ kruntime.Codec }

func (c shouting) Decode(data []byte, defaults *schema.GroupVersionKind, into kruntime.Object) (kruntime.Object, *schema.GroupVersionKind, error) {
	return c.Codec.Decode(bytes.ReplaceAll(data, []byte(`"node"`), []byte(`"NODE"`)), defaults, into)
}

// The caller owns objects that are returned one by one.
func TestOwnership(t *testing.T) {
	s, _ := newPods(t)
	created := add(t, s, "a")
	created.Labels["app"] = "changed"
	got := read(t, s)
	got.Labels["tier"] = "changed"
	if labels := read(t, s).Labels; labels["app"] != "a" || labels["tier"] != "front" {
		t.Errorf("labels %v", labels)
	}
	failed := errors.New("failed")
	err := s.GuaranteedUpdate(t.Context(), podKey("a"), &example.Pod{}, false, nil,
		storage.SimpleUpdate(func(obj kruntime.Object) (kruntime.Object, error) {
			obj.(*example.Pod).Labels["app"] = "changed"
			return nil, failed
		}), nil)
	if !errors.Is(err, failed) {
		t.Error(err)
	}
	if labels := read(t, s).Labels; labels["app"] != "a" {
		t.Errorf("labels %v", labels)
	}
}

func TestExpiredPages(t *testing.T) {
	s, b := newPods(t)
	fill(t, s, 5)
	opts := everything
	opts.Predicate.Limit = 2
	var list example.PodList
	if err := s.GetList(t.Context(), "/pods", opts, &list); err != nil {
		t.Fatal(err)
	}
	add(t, s, "new")
	b.ExpireHistory()
	opts.Predicate.Continue = list.Continue
	err := s.GetList(t.Context(), "/pods", opts, &list)
	var status apierrors.APIStatus
	if !errors.As(err, &status) || status.Status().Reason != metav1.StatusReasonExpired {
		t.Fatalf("continue a list after the history has expired: got error %v, want Expired", err)
	}
	opts.Predicate.Continue = status.Status().Continue
	if err := s.GetList(t.Context(), "/pods", opts, &list); err != nil {
		t.Fatal(err)
	}
	if list.Items[0].Name != "pod-000002" || list.ResourceVersion != fmt.Sprint(b.ResourceVersion()) {
		t.Errorf("%s at %s", list.Items[0].Name, list.ResourceVersion)
	}
}

// Requests to which a server's watch cache responds differently from etcd.
func TestListRules(t *testing.T) {
	s, b := newPods(t)
	fill(t, s, 5)
	tests := map[string]struct {
		version   uint64
		exact     bool
		one       bool
		items     int
		retry     int32 // in seconds; -1 if there is no error
		remaining bool
	}{
		"a page":                    {items: 2, retry: -1, remaining: true},
		"no pages at 0":             {version: 1, items: 5, retry: -1},
		"too large":                 {version: 1 << 40, retry: 1},
		"too large, exact":          {version: 1 << 40, exact: true, retry: 1},
		"one object, exact":         {version: b.ResourceVersion(), exact: true, one: true, items: 1, retry: -1},
		"one object, too large":     {version: 1 << 40, one: true, retry: 1},
		"one of exactly that large": {version: 1 << 40, exact: true, one: true, retry: 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			key, opts := "/pods", everything
			opts.Predicate.Limit = 2
			if tt.version > 1 {
				opts.ResourceVersion = fmt.Sprint(tt.version)
			} else if tt.version == 1 {
				opts.ResourceVersion = "0"
			}
			if tt.exact {
				opts.ResourceVersionMatch = metav1.ResourceVersionMatchExact
			}
			if tt.one {
				key, opts.Recursive = podKey("pod-000001"), false
			}
			var list example.PodList
			err := s.GetList(t.Context(), key, opts, &list)
			if tt.retry >= 0 {
				var status apierrors.APIStatus
				if !storage.IsTooLargeResourceVersion(err) || !errors.As(err, &status) || status.Status().Details.RetryAfterSeconds != tt.retry {
					t.Errorf("list at a future resource version: got error %v, want one to retry after %d s", err, tt.retry)
				}
				return
			}
			if err != nil || len(list.Items) != tt.items || (list.RemainingItemCount != nil) != tt.remaining {
				t.Errorf("%d items, %v remaining: %v", len(list.Items), list.RemainingItemCount, err)
			}
		})
	}
}

// Objects that are created and deleted leave nothing behind that grows.
func TestMemoryIsBounded(t *testing.T) {
	b := store.NewBackend(store.Options{History: 100})
	s := open(t, b, pods, podCodec())
	churn := func(n int) {
		for i := range n {
			name := fmt.Sprintf("pod-%06d", i)
			p := pod(name)
			p.Annotations = map[string]string{"text": strings.Repeat("x", 10_000)}
			if err := s.Create(t.Context(), podKey(name), p, nil, 3600); err != nil {
				t.Fatal(err)
			}
			relabel(t, s, name, i)
			remove(t, s, name)
		}
	}
	update := func(n int) {
		for i := range n {
			err := s.GuaranteedUpdate(t.Context(), podKey("kept"), &example.Pod{}, true, nil,
				storage.SimpleUpdate(func(kruntime.Object) (kruntime.Object, error) {
					p := pod("kept")
					p.Annotations = map[string]string{"text": strings.Repeat("x", 10_000), "turn": fmt.Sprint(i)}
					return p, nil
				}), nil)
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	churn(100)
	update(300)
	before := heap()
	churn(300)
	update(400)
	if after := heap(); after > before+2<<20 {
		t.Errorf("the heap grew from %d to %d bytes", before, after)
	}
	runtime.KeepAlive(b)
}

func heap() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
