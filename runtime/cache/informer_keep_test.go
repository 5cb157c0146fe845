package cache_test

import (
	"context"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	apiwatch "k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/codec"
)

// barrel is an object with fields to keep.
type barrel struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		Staves []stave `json:"staves,omitempty"`
		Volume int     `json:"volume,omitempty"`
	} `json:"spec,omitempty"`
}

type stave struct {
	Wood   string `json:"wood,omitempty"`
	Length int    `json:"length,omitempty"`
}

func (b *barrel) DeepCopyObject() runtime.Object { c := *b; return &c }

func newBarrel() *barrel {
	b := &barrel{ObjectMeta: metav1.ObjectMeta{Name: "a", Labels: map[string]string{"k": "v"}, GenerateName: "g"}}
	b.Spec.Staves, b.Spec.Volume = []stave{{"oak", 3}}, 7
	return b
}

// TestKeep calls the transform alone.
func TestKeep(t *testing.T) {
	keep := cache.Keep("spec.staves.wood")
	b := newBarrel()
	for range 2 {
		got, err := keep(b)
		if err != nil || got != b || b.Name != "a" || b.Labels["k"] != "v" || b.GenerateName != "" || b.Spec.Staves[0] != (stave{Wood: "oak"}) || b.Spec.Volume != 0 || !codec.IsCut(b) {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if got, err := keep("no object"); got != "no object" || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := cache.Keep("spec.stave")(newBarrel()); err == nil || !strings.Contains(err.Error(), "did you mean staves?") {
		t.Error(err)
	}
	if _, err := cache.Keep("spec..")(newBarrel()); err == nil || !strings.Contains(err.Error(), "invalid path") {
		t.Error(err)
	}
}

// barrels is a source whose requests must be for the fields, or not.
func barrels(t *testing.T, decodes bool) *cache.ListWatch {
	const text = `{"kind":"List","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[{"kind":"Barrel","apiVersion":"v1","metadata":{"name":"a"},"spec":{"staves":[{"wood":"oak","length":3}],"volume":7}}]}`
	serializer := codec.ForUnstructured()
	info, _ := runtime.SerializerInfoForMediaType(serializer.SupportedMediaTypes(), runtime.ContentTypeJSON)
	decoder := serializer.DecoderToVersion(info.Serializer, nil).(codec.StreamDecoder)
	return &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, _ metav1.ListOptions) (runtime.Object, error) {
			list := &unstructured.UnstructuredList{}
			_, err := codec.ForContext(ctx, decoder).DecodeFrom(strings.NewReader(text), list)
			if err == nil && codec.IsCut(&list.Items[0]) != decodes {
				t.Errorf("cut while decoding: %v", !decodes)
			}
			if codec.LacksManagedFields(ctx) != decodes {
				t.Errorf("the request lacks managedFields: %v", !decodes)
			}
			return list, err
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (apiwatch.Interface, error) {
			if o.SendInitialEvents != nil {
				return nil, context.DeadlineExceeded
			}
			return newShortStream(ctx), nil
		},
	}
}

// TestInformerKeeps holds that the requests of an informer with this transform are for its fields only, and that objects are
// pruned even if they are not.
func TestInformerKeeps(t *testing.T) {
	keep := cache.Keep("spec.staves.wood")
	for name, c := range map[string]struct {
		transform cache.TransformFunc
		decodes   bool
	}{
		"itself":         {keep, true},
		"converted":      {cache.TransformFunc((func(any) (any, error))(keep)), true},
		"within another": {func(obj any) (any, error) { return keep(obj) }, false},
	} {
		for _, way := range []string{"informer", "source", "private"} {
			t.Run(name+"/"+way, func(t *testing.T) {
				source, example := barrels(t, c.decodes), &unstructured.Unstructured{}
				var store cache.Store
				var informer interface {
					RunWithContext(ctx context.Context)
					HasSynced() bool
				}
				switch way {
				case "private":
					store, informer = cache.NewInformerWithOptions(cache.InformerOptions{
						ListerWatcher: source, ObjectType: example, Transform: c.transform, Handler: cache.ResourceEventHandlerFuncs{},
					})
				case "source":
					s := cache.NewSharedIndexInformerWithOptions(nil, example, cache.SharedIndexInformerOptions{
						Sources: []cache.Source{{ListerWatcher: source, Transform: c.transform}},
					})
					store, informer = s.GetStore(), s
				default:
					s := cache.NewSharedIndexInformerWithOptions(source, example, cache.SharedIndexInformerOptions{Share: true})
					if err := s.SetTransform(c.transform); err != nil {
						t.Fatal(err)
					}
					store, informer = s.GetStore(), s
				}
				runUntilSynced(t, informer)
				obj, _, _ := store.GetByKey("a")
				u, ok := obj.(*unstructured.Unstructured)
				if !ok || !codec.IsCut(u) {
					t.Fatalf("%+v", obj)
				}
				if _, found, _ := unstructured.NestedFieldNoCopy(u.Object, "spec", "volume"); found {
					t.Errorf("%+v", u)
				}
				if staves, _, _ := unstructured.NestedSlice(u.Object, "spec", "staves"); len(staves) != 1 || staves[0].(map[string]any)["wood"] != "oak" || len(staves[0].(map[string]any)) != 1 {
					t.Errorf("%+v", u)
				}
			})
		}
	}
}

// TestInformerRefusesKeep holds that an informer with invalid paths never runs, and that its methods report them.
func TestInformerRefusesKeep(t *testing.T) {
	for path, want := range map[string]string{
		"spec.stave": "informer of *cache_test.barrel cannot run: unknown field stave of",
		"spec..":     `invalid path "spec.."`,
	} {
		keep := cache.Keep(path)
		own := cache.NewSharedIndexInformerWithOptions(&cache.ListWatch{}, &barrel{}, cache.SharedIndexInformerOptions{})
		set := own.SetTransform(keep)
		source := cache.NewSharedIndexInformerWithOptions(nil, &barrel{}, cache.SharedIndexInformerOptions{
			Sources: []cache.Source{{ListerWatcher: &cache.ListWatch{}, Transform: keep}},
		})
		for what, informer := range map[string]cache.SharedIndexInformer{"informer": own, "source": source} {
			informer.RunWithContext(t.Context()) // returns
			state := cache.StateOf(informer)
			if state.Phase != cache.PhaseFailed || !informer.IsStopped() {
				t.Errorf("%s: phase %s, stopped: %v", what, state.Phase, informer.IsStopped())
			}
			_, handling := informer.AddEventHandler(&logbook{})
			for method, err := range map[string]error{
				"state": state.Err, "handler": handling, "sync": cache.WaitForSync(t.Context(), informer),
				"transform": informer.SetTransform(nil), "set": set,
			} {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%s, %s: %v, want %s", what, method, err, want)
				}
			}
		}
		_, private := cache.NewInformerWithOptions(cache.InformerOptions{
			ListerWatcher: &cache.ListWatch{}, ObjectType: &barrel{}, Transform: keep, Handler: cache.ResourceEventHandlerFuncs{},
		})
		private.RunWithContext(t.Context()) // returns
		if private.HasSynced() {
			t.Error("a private informer has synced")
		}
	}
}
