package store_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/listwatch/listwatch/apitest/internal/clock"
	"github.com/listwatch/listwatch/apitest/internal/store"
	"k8s.io/apiserver/pkg/apis/example"
	"k8s.io/apiserver/pkg/storage"
)

func TestRestore(t *testing.T) {
	s, b := newPods(t)
	add(t, s, "kept")
	add(t, s, "changed")
	add(t, s, "deleted")
	add(t, s, "replaced")
	snapshot := b.Snapshot()
	w := begin(t, s, b.ResourceVersion())
	for range 3 {
		relabel(t, s, "changed", rand.Int())
		remove(t, s, "deleted")
		remove(t, s, "replaced")
		add(t, s, "replaced")
		add(t, s, "new")
		expect(t, w, "MODIFIED changed", "DELETED deleted", "DELETED replaced", "ADDED replaced", "ADDED new")
		if !b.Restore(snapshot) {
			t.Fatal("not restored")
		}
		expect(t, w, "MODIFIED changed", "ADDED deleted", "DELETED new", "DELETED replaced", "ADDED replaced")
		version := b.ResourceVersion()
		if b.Restore(snapshot); b.ResourceVersion() != version {
			t.Error("restoring what is there has written")
		}
	}
	if b.Restore(store.NewBackend(store.Options{}).Snapshot()) {
		t.Error("restored another backend's")
	}
}

// contents returns what pods have, except for their versions.
func contents(t *testing.T, s storage.Interface) string {
	t.Helper()
	var list example.PodList
	if err := s.GetList(t.Context(), "/pods", everything, &list); err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, p := range list.Items {
		text += fmt.Sprintln(p.Name, p.UID, p.Labels, p.Annotations)
	}
	return text
}

// Random writes, with and without the history since a snapshot; watchers can build the restored state.
func TestRestoreAny(t *testing.T) {
	for _, history := range []int{0, 30} {
		b := store.NewBackend(store.Options{History: history})
		s := open(t, b, pods, podCodec())
		exists := map[string]bool{}
		write := func(n int) {
			for i := range n {
				name := fmt.Sprintf("pod-%d", rand.IntN(20))
				switch {
				case !exists[name]:
					p := pod(name)
					p.Annotations = map[string]string{"made": fmt.Sprint(rand.Int())}
					if err := s.Create(t.Context(), podKey(name), p, nil, 0); err != nil {
						t.Fatal(err)
					}
					exists[name] = true
				case rand.IntN(3) == 0:
					remove(t, s, name)
					delete(exists, name)
				default:
					relabel(t, s, name, i)
				}
			}
		}
		write(50)
		snapshot, want := b.Snapshot(), contents(t, s)
		was := map[string]bool{}
		for name := range exists {
			was[name] = true
		}
		for range 20 {
			write(rand.IntN(100))
			b.Restore(snapshot)
			if got := contents(t, s); got != want {
				t.Fatalf("history %d: got\n%swant\n%s", history, got, want)
			}
			exists = map[string]bool{}
			for name := range was {
				exists[name] = true
			}
		}
	}
}

func TestClock(t *testing.T) {
	start := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	c := clock.NewStill(start)
	b := store.NewBackend(store.Options{Clock: c})
	s := open(t, b, pods, podCodec())
	p := pod("a")
	p.CreationTimestamp.Time = time.Now()
	made := &example.Pod{}
	if err := s.Create(t.Context(), podKey("a"), p, made, 60); err != nil {
		t.Fatal(err)
	}
	if !made.CreationTimestamp.Time.Equal(start) {
		t.Errorf("the object was created at %s, want %s, by the backend's clock", made.CreationTimestamp, start)
	}
	first := b.ResourceVersion()
	w := begin(t, s, first)
	c.Advance(59 * time.Second)
	b.Tick()
	if got := read(t, s); len(got.Name) == 0 {
		t.Error("expired early")
	}
	c.Advance(time.Second)
	b.Tick()
	expect(t, w, "DELETED a")
	c.Advance(5*time.Minute + time.Second)
	b.Tick()
	if _, err := listAt(context.Background(), s, first, 0); err == nil {
		t.Error("the history has no end")
	}
}
