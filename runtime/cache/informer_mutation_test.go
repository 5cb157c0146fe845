package cache_test

import (
	"strings"
	"sync"
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

// A mutation names its fields, and the handler if one was called when it happened, otherwise all that may have done it.
func TestMutationsNameFieldsAndHandlers(t *testing.T) {
	const other = "github.com/listwatch/listwatch/runtime/cache_test.logbook"
	for _, test := range []struct {
		name     string
		handler  func(obj any)
		reader   func(obj any)
		handlers []string
		during   bool
		want     string // the end of the error
	}{
		{
			"a handler", func(obj any) { obj.(*ship).Finalizers[1] = "sunk" }, nil,
			[]string{"painter"}, true, "finalizers[1]: \"sink\" -> \"sunk\"\nduring a call of handler painter",
		},
		{
			"a reader", func(any) {}, func(obj any) { obj.(*ship).Finalizers[1] = "sunk" },
			[]string{other, "painter"}, false, "\"sunk\"\nby a reader, or one of the handlers " + other + ", painter",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
				one := newShip("bay/a", "red")
				one.Finalizers = []string{"paint", "sink"}
				source.Add(one)
				informer, found := watchful(source)
				mustAddHandler(t, informer, &logbook{})
				defer run(t, informer)()
				time.Sleep(10 * time.Millisecond)
				synctest.Wait()
				if _, err := informer.AddEventHandlerWithOptions(cache.ResourceEventHandlerFuncs{AddFunc: func(obj any) {
					if obj.(*ship).Name == "a" {
						test.handler(obj)
					}
				}}, cache.HandlerOptions{Name: "painter"}); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				if test.reader != nil {
					obj, _, _ := informer.GetStore().GetByKey("bay/a")
					test.reader(obj)
				}
				source.Add(newShip("bay/b", "red")) // later checks see the mutation
				time.Sleep(5 * time.Second)
				synctest.Wait()
				if len(*found) != 1 {
					t.Fatalf("found %d mutations, want one: %v", len(*found), *found)
				}
				m := (*found)[0]
				if diff := cmp.Diff([]any{[]string{"metadata.finalizers[1]"}, test.handlers, test.during}, []any{m.Fields, m.Handlers, m.DuringCall}); diff != "" {
					t.Errorf("fields and handlers (-want +got):\n%s", diff)
				}
				if !strings.HasSuffix(m.Error(), test.want) {
					t.Errorf("error %q, want the end %q", m.Error(), test.want)
				}
			})
		})
	}
}

// Of handlers that run at the same time, each may have modified what has changed meanwhile.
func TestMutationWhileHandlersRun(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("bay/a", "red"))
		informer, found := watchful(source)
		var begun, painted sync.WaitGroup
		begun.Add(2)
		painted.Add(1)
		for name, paints := range map[string]bool{"painter": true, "watchman": false} {
			if _, err := informer.AddEventHandlerWithOptions(cache.ResourceEventHandlerFuncs{AddFunc: func(obj any) {
				begun.Done()
				begun.Wait()
				if paints {
					obj.(*ship).Labels["color"] = "blue"
					painted.Done()
				}
				painted.Wait()
			}}, cache.HandlerOptions{Name: name}); err != nil {
				t.Fatal(err)
			}
		}
		stop := run(t, informer)
		synctest.Wait()
		time.Sleep(time.Second)
		stop()
		if len(*found) != 1 || !(*found)[0].DuringCall || strings.Join((*found)[0].Handlers, " ") != "painter watchman" {
			t.Errorf("found %v, want one of either handler", *found)
		}
	})
}

// Fields of objects without types have the paths that they have with types.
func TestMutationPathsOfUntypedObjects(t *testing.T) {
	t.Setenv("KUBE_CACHE_MUTATION_DETECTOR", "true")
	detector := cache.NewCacheMutationDetector("harbour")
	obj := &unstructured.Unstructured{Object: map[string]any{
		"metadata": map[string]any{"name": "a", "annotations": map[string]any{"example.com/a": "x"}},
		"spec":     map[string]any{"tolerations": []any{map[string]any{"key": "a"}}},
	}}
	detector.AddObject(obj)
	obj.Object["spec"].(map[string]any)["tolerations"].([]any)[0].(map[string]any)["key"] = "x"
	obj.SetAnnotations(map[string]string{"example.com/a": "y"})
	defer func() {
		text, _ := recover().(string)
		for _, want := range []string{"\n  spec.tolerations[0].key: \"a\" -> \"x\"", "\n  metadata.annotations[example.com/a]: \"x\" -> \"y\""} {
			if !strings.Contains(text, want) {
				t.Errorf("panic with %q, want %q in it", text, want)
			}
		}
	}()
	ended := make(chan struct{})
	close(ended)
	detector.Run(ended)
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
		const want = "cache harbour modified: *unstructured.Unstructured a is shared and must not be modified:\n  spec.masts: 1 -> 2"
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
