package testing_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/ptr"

	fakes "github.com/listwatch/listwatch/runtime/testing"
)

// entry is an object as stored in the model.
type entry struct {
	colour  string
	version int64
}

// model is the simplest possible tracker.
type model struct {
	version int64
	objects map[types.NamespacedName]entry
	events  []string
}

func (m *model) put(event watch.EventType, key types.NamespacedName, colour string) {
	m.version++
	m.objects[key] = entry{colour, m.version}
	m.events = append(m.events, fmt.Sprintf("%s %s %d %s", event, key, m.version, colour))
}

func (m *model) drop(key types.NamespacedName) {
	m.version++
	m.events = append(m.events, fmt.Sprintf("DELETED %s %d %s", key, m.version, m.objects[key].colour))
	delete(m.objects, key)
}

// step performs one random operation on the model and the fake, and compares the results.
func (m *model) step(t *testing.T, r *rand.Rand, fake *fakes.Fake) {
	t.Helper()
	key := types.NamespacedName{Namespace: []string{"m", "n"}[r.IntN(2)], Name: []string{"a", "b", "c"}[r.IntN(3)]}
	colour := []string{"red", "green", "blue"}[r.IntN(3)]
	live, there := m.objects[key]
	obj := widget(key.Name, in(key.Namespace))
	obj.Spec.Colour = colour
	dry := r.IntN(10) == 0
	var dryRun []string
	if dry {
		dryRun = []string{metav1.DryRunAll}
	}
	want := metav1.StatusReason("")
	if !there {
		want = metav1.StatusReasonNotFound
	}
	var action fakes.Action
	var event watch.EventType
	switch op := r.IntN(8); op {
	case 0, 1:
		action = fakes.NewCreateActionWithOptions(widgets, key.Namespace, obj, metav1.CreateOptions{DryRun: dryRun})
		event, want = watch.Added, ""
		if there {
			want = metav1.StatusReasonAlreadyExists
		}
	case 2, 3, 4:
		if op == 3 {
			obj.ResourceVersion = strconv.FormatInt(live.version, 10)
		}
		if op == 4 {
			obj.ResourceVersion = strconv.FormatInt(live.version-1, 10)
			if there {
				want = metav1.StatusReasonConflict
			}
		}
		action = fakes.NewUpdateActionWithOptions(widgets, key.Namespace, obj, metav1.UpdateOptions{DryRun: dryRun})
		event = watch.Modified
	case 5:
		patch := fmt.Appendf(nil, `{"spec":{"colour":%q}}`, colour)
		action = fakes.NewPatchActionWithOptions(widgets, key.Namespace, key.Name, types.MergePatchType, patch, metav1.PatchOptions{DryRun: dryRun})
		event = watch.Modified
	case 6:
		// An apply that changes nothing would not be a change: each has a different size.
		patch := fmt.Appendf(nil, `{"apiVersion":"example.com/v1","kind":"Widget","spec":{"colour":%q,"size":%d}}`, colour, m.version)
		action = fakes.NewPatchActionWithOptions(widgets, key.Namespace, key.Name, types.ApplyPatchType, patch,
			metav1.PatchOptions{DryRun: dryRun, FieldManager: "m", Force: ptr.To(true)})
		event, want = watch.Modified, ""
		if !there {
			event = watch.Added
		}
	case 7:
		action = fakes.NewDeleteActionWithOptions(widgets, key.Namespace, key.Name, metav1.DeleteOptions{DryRun: dryRun})
		event = watch.Deleted
	}
	answer, err := fake.Invokes(action, nil)
	if apierrors.ReasonForError(err) != want || err != nil && want == "" {
		t.Fatalf("%v: got %v, want %q", action, err, want)
	}
	if err != nil {
		return
	}
	if answer != nil && answer.(*Widget).Spec.Colour != colour {
		t.Fatalf("%v: got %+v", action, answer)
	}
	switch {
	case dry:
	case event == watch.Deleted:
		m.drop(key)
	default:
		m.put(event, key, colour)
	}
}

// compare compares all objects.
func (m *model) compare(t *testing.T, fake *fakes.Fake) {
	t.Helper()
	list, err := fake.Invokes(fakes.NewRootListAction(widgets, widgetKind, nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := list.(*WidgetList).ResourceVersion; got != strconv.FormatInt(m.version, 10) {
		t.Fatalf("got version %s, want %d", got, m.version)
	}
	got := map[types.NamespacedName]entry{}
	for _, w := range list.(*WidgetList).Items {
		version, err := strconv.ParseInt(w.ResourceVersion, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		got[types.NamespacedName{Namespace: w.Namespace, Name: w.Name}] = entry{w.Spec.Colour, version}
	}
	if !maps.Equal(m.objects, got) {
		t.Fatalf("got %v, want %v", got, m.objects)
	}
}

func seen(e watch.Event) string {
	w := e.Object.(*Widget)
	return fmt.Sprintf("%s %s/%s %s %s", e.Type, w.Namespace, w.Name, w.ResourceVersion, w.Spec.Colour)
}

// TestModel performs random operations and compares the tracker with the model after each; watches
// started in between must receive all later events, once and in order.
func TestModel(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			fake := &fakes.Fake{}
			if err := fakes.TrackObjects(fake, newTracker(t)); err != nil {
				t.Fatal(err)
			}
			m := &model{version: 1, objects: map[types.NamespacedName]entry{}}
			type begun struct {
				watcher watch.Interface
				events  int // number of events in the model when it started
			}
			var watches []begun
			for range 150 {
				if r.IntN(15) == 0 {
					// From now, or from before the last few events.
					back := r.IntN(min(len(m.events), 5) + 1)
					opts := metav1.ListOptions{ResourceVersion: strconv.FormatInt(m.version-int64(back), 10)}
					watcher, err := fake.InvokesWatch(fakes.NewRootWatchAction(widgets, opts))
					if err != nil {
						t.Fatal(err)
					}
					watches = append(watches, begun{watcher, len(m.events) - back})
				}
				m.step(t, r, fake)
				m.compare(t, fake)
			}
			for _, w := range watches {
				for _, want := range m.events[w.events:] {
					if got := seen(<-w.watcher.ResultChan()); got != want {
						t.Fatalf("watched %q, want %q", got, want)
					}
				}
				w.watcher.Stop()
				if e, more := <-w.watcher.ResultChan(); more {
					t.Errorf("watched %q too much", seen(e))
				}
			}
		})
	}
}

// TestManyAtOnce increments a counter in an object from several goroutines with optimistic
// concurrency, beside unconditional writes to other objects; every increment must count, and every
// watch must receive every version once.
func TestManyAtOnce(t *testing.T) {
	const writers, increments = 4, 50
	tracker := newTracker(t, widget("counter"))
	react := fakes.ObjectReaction(tracker)
	var watchers, work sync.WaitGroup
	var histories [3][]int64
	stops := make([]watch.Interface, len(histories))
	for i := range histories {
		watcher, err := tracker.Watch(widgets, "", metav1.ListOptions{ResourceVersion: "1"})
		if err != nil {
			t.Fatal(err)
		}
		stops[i] = watcher
		watchers.Go(func() {
			for e := range watcher.ResultChan() {
				version, err := strconv.ParseInt(e.Object.(*Widget).ResourceVersion, 10, 64)
				if err != nil {
					t.Error(err)
				}
				histories[i] = append(histories[i], version)
				if e.Type == watch.Added && e.Object.(*Widget).Name == "last" {
					return
				}
			}
		})
	}
	for i := range writers {
		work.Go(func() {
			for range increments {
				increment(t, react)
				patch := fakes.NewPatchAction(widgets, "ns", "counter", types.MergePatchType, fmt.Appendf(nil, `{"metadata":{"labels":{"w%d":"x"}}}`, i))
				if _, _, err := react(patch); err != nil {
					t.Errorf("a patch met a conflict: %v", err)
				}
				if _, err := tracker.List(widgets, widgetKind, ""); err != nil {
					t.Error(err)
				}
				for _, action := range []fakes.Action{
					fakes.NewCreateAction(widgets, "ns", widget("", func(w *Widget) { w.GenerateName = "w-" })),
					fakes.NewDeleteCollectionAction(widgets, "ns", metav1.ListOptions{FieldSelector: "metadata.name!=counter"}),
				} {
					if _, _, err := react(action); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	work.Wait()
	if got := get(t, tracker, "counter").Spec.Size; got != writers*increments {
		t.Errorf("counted %d, want %d", got, writers*increments)
	}
	if err := tracker.Create(widgets, widget("last"), "ns"); err != nil {
		t.Fatal(err)
	}
	watchers.Wait()
	for i, watcher := range stops {
		watcher.Stop()
		last := histories[i][len(histories[i])-1]
		want := make([]int64, 0, last)
		for v := int64(2); v <= last; v++ {
			want = append(want, v)
		}
		if !slices.Equal(histories[i], want) {
			t.Errorf("watch %d missed or repeated versions: %d events up to version %d", i, len(histories[i]), last)
		}
	}
}

func increment(t *testing.T, react fakes.ReactionFunc) {
	for {
		_, obj, err := react(fakes.NewGetAction(widgets, "ns", "counter"))
		if err != nil {
			t.Error(err)
			return
		}
		obj.(*Widget).Spec.Size++
		_, _, err = react(fakes.NewUpdateAction(widgets, "ns", obj))
		if err == nil {
			return
		}
		if !apierrors.IsConflict(err) {
			t.Error(err)
			return
		}
	}
}

// TestResourcesAreApart checks that resources share versions and nothing else.
func TestResourcesAreApart(t *testing.T) {
	tracker := newTracker(t)
	watcher, err := tracker.Watch(widgets, "", metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, gvr := range []schema.GroupVersionResource{gadgets, widgets, widgetVersion.WithResource("others")} {
		var obj runtime.Object = widget("a")
		if gvr == gadgets {
			obj = gadget("a", nil)
		}
		if err := tracker.Create(gvr, obj, "ns"); err != nil {
			t.Fatal(err)
		}
	}
	watcher.Stop()
	for e := range watcher.ResultChan() {
		got = append(got, seen(e))
	}
	if diff := cmp.Diff([]string{"ADDED ns/a 3 "}, got); diff != "" {
		t.Error(diff)
	}
}
