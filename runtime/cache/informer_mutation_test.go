package cache_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/listwatch/listwatch/runtime/cache"
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
)

// watchful returns an informer that detects mutations, and the mutations found, which must be read
// while nothing runs.
func watchful(source cache.ListerWatcher) (cache.SharedIndexInformer, *[]cache.Mutation) {
	var found []cache.Mutation
	informer := cache.NewSharedIndexInformerWithOptions(source, &ship{}, cache.SharedIndexInformerOptions{
		ObjectDescription: "ships",
		OnMutation:        func(m cache.Mutation) { found = append(found, m) },
	})
	return informer, &found
}

func TestMutationsAreFound(t *testing.T) {
	for _, test := range []struct {
		name   string
		mutate func(obj *ship)
		want   string
	}{
		{"label", func(s *ship) { s.Labels["color"] = "blue" }, `  metadata.labels[color]: "red" -> "blue"`},
		{"new label", func(s *ship) { s.Labels["flag"] = "black" }, `  metadata.labels[flag]: (none) -> "black"`},
		{"no labels", func(s *ship) { s.Labels = nil }, `  metadata.labels[color]: "red" -> (none)`},
		{"finalizer", func(s *ship) { s.Finalizers = append(s.Finalizers, "sink") }, `  metadata.finalizers[0]: (none) -> "sink"`},
		{"time", func(s *ship) { s.CreationTimestamp = metav1.Unix(0, 0) }, `  metadata.creationTimestamp: `},
		{"type", func(s *ship) { s.Kind = "Ship" }, `  kind: "" -> "Ship"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
				source.Add(newShip("bay/a", "red"))
				source.Add(newShip("bay/b", "red"))
				informer, found := watchful(source)
				defer run(t, informer)()
				synctest.Wait()
				obj, _, _ := informer.GetStore().GetByKey("bay/a")
				test.mutate(obj.(*ship))
				source.Add(newShip("bay/c", "red")) // later checks see the mutation
				time.Sleep(5 * time.Second)
				synctest.Wait()
				if len(*found) != 1 {
					t.Fatalf("found %d mutations, want one: %v", len(*found), *found)
				}
				m := (*found)[0]
				if m.Informer != "ships" || m.Name != cache.NewObjectName("bay", "a") || m.Object != obj || !strings.HasPrefix(m.Diff, test.want) {
					t.Errorf("found %+v, want the diff to begin with %q", m, test.want)
				}
			})
		})
	}
}

func TestMutationOfWhatLeavesTheStoreIsFound(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("bay/a", "red"))
		source.Add(newShip("bay/b", "red"))
		informer, found := watchful(source)
		mustAddHandler(t, informer, cache.ResourceEventHandlerFuncs{
			UpdateFunc: func(old, _ any) { old.(*ship).Labels["color"] += " before" },
			DeleteFunc: func(obj any) { obj.(*ship).Labels["color"] += " once" },
		})
		stop := run(t, informer)
		synctest.Wait()
		source.Modify(newShip("bay/a", "blue"))
		source.Delete(newShip("bay/b", "red"))
		synctest.Wait()
		stop() // checks a last time
		var diffs []string
		for _, m := range *found {
			diffs = append(diffs, m.Name.String()+m.Diff)
		}
		// A deletion brings the server's last state, which was never stored.
		want := []string{`bay/a  metadata.labels[color]: "red" -> "red before"`}
		if diff := cmp.Diff(want, diffs); diff != "" {
			t.Errorf("mutations (-want +got):\n%s", diff)
		}
	})
}

func TestNoMutationIsFoundInPeace(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("bay/a", "red"))
		informer, found := watchful(source)
		mustAddHandler(t, informer, &logbook{})
		stop := run(t, informer)
		for range 20 {
			source.Modify(newShip("bay/a", "blue"))
			source.Add(newShip("bay/b", "red"))
			time.Sleep(time.Second)
			source.Delete(newShip("bay/b", "red"))
			time.Sleep(time.Second)
		}
		stop()
		if len(*found) != 0 {
			t.Errorf("found %v", *found)
		}
	})
}

func TestMutationDetectorByEnvironment(t *testing.T) {
	t.Setenv("KUBE_CACHE_MUTATION_DETECTOR", "true")
	detector := cache.NewCacheMutationDetector("harbour")
	obj := &unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{"name": "a"}, "spec": map[string]any{"masts": int64(1)}}}
	detector.AddObject(obj)
	detector.AddObject("no object")
	obj.Object["spec"].(map[string]any)["masts"] = int64(2)
	defer func() {
		const want = "cache harbour modified: *unstructured.Unstructured a is shared and must not be modified:\n  Object[spec][masts]: 1 -> 2"
		if got := recover(); got != want {
			t.Errorf("panic with %v\nwant %s", got, want)
		}
	}()
	ended := make(chan struct{})
	close(ended)
	detector.Run(ended)
}

func TestMutationDetectorIsOff(t *testing.T) {
	t.Setenv("KUBE_CACHE_MUTATION_DETECTOR", "")
	detector := cache.NewCacheMutationDetector("harbour")
	obj := newShip("bay/a", "red")
	detector.AddObject(obj)
	obj.Labels["color"] = "blue"
	detector.Run(nil) // returns without effect
}

// dinghy is an object that is not a pointer and not comparable.
type dinghy struct {
	*metav1.ObjectMeta
	logs []string
}

func TestMutationDetectorTakesValues(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("bay/a", "red"))
		informer, found := watchful(source)
		must(t, informer.SetTransform(func(obj any) (any, error) { return dinghy{&obj.(*ship).ObjectMeta, nil}, nil }))
		defer run(t, informer)()
		synctest.Wait()
		source.Modify(newShip("bay/a", "blue"))
		synctest.Wait()
		if got, _, _ := informer.GetStore().GetByKey("bay/a"); got.(dinghy).Labels["color"] != "blue" || len(*found) != 0 {
			t.Errorf("the store contains %v, found %v", got, *found)
		}
	})
}
