package untyped_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	stdtesting "testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"
	theirdynamicfake "k8s.io/client-go/dynamic/fake"
	theirmetadatafake "k8s.io/client-go/metadata/fake"
	theirtesting "k8s.io/client-go/testing"
	"k8s.io/utils/dump"

	"github.com/listwatch/listwatch/runtime/dynamic"
	dynamicfake "github.com/listwatch/listwatch/runtime/dynamic/fake"
	"github.com/listwatch/listwatch/runtime/metadata"
	metadatafake "github.com/listwatch/listwatch/runtime/metadata/fake"
	"github.com/listwatch/listwatch/runtime/testing"
)

// fakeSide contains the fakes of one side.
type fakeSide struct {
	dynamic  func(resource schema.GroupVersionResource, namespace string) dynamic.ResourceInterface
	metadata func(resource schema.GroupVersionResource, namespace string) metadataClient
	// react makes all actions of a verb return an object or an error.
	react   func(verb string, obj runtime.Object, err error)
	actions func() []any
	watches []watch.Interface
}

// metadataClient is the common interface of both fakes of metadata.
type metadataClient interface {
	metadata.ResourceInterface
	CreateFake(obj *metav1.PartialObjectMetadata, opts metav1.CreateOptions, subresources ...string) (*metav1.PartialObjectMetadata, error)
	UpdateFake(obj *metav1.PartialObjectMetadata, opts metav1.UpdateOptions, subresources ...string) (*metav1.PartialObjectMetadata, error)
	UpdateStatus(obj *metav1.PartialObjectMetadata, opts metav1.UpdateOptions) (*metav1.PartialObjectMetadata, error)
}

// listKinds are given for resources that the scheme does not suggest.
var listKinds = map[schema.GroupVersionResource]string{books: "BookList"}

func scheme() *runtime.Scheme {
	s := runtime.NewScheme()
	utilruntime.Must(corev1.AddToScheme(s))
	return s
}

func metadataScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	utilruntime.Must(metav1.AddMetaToScheme(s))
	return s
}

func untypedSeeds() []runtime.Object {
	in := func(namespace string, obj *unstructured.Unstructured) *unstructured.Unstructured {
		obj.SetNamespace(namespace)
		return obj
	}
	return []runtime.Object{in("ns", book("a")), in("ns", book("b")), in("other", book("a"))}
}

func partial(namespace, name string) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{
		TypeMeta:   metav1.TypeMeta{APIVersion: "library.example.com/v1", Kind: "Book"},
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: map[string]string{"name": name}},
	}
}

func partialSeeds() []runtime.Object {
	return []runtime.Object{partial("ns", "a"), partial("ns", "b"), partial("other", "a")}
}

// fakes returns fakes with the seeds. If custom is true, the dynamic ones are created with kinds of lists.
func fakes(custom bool) (theirs, ours *fakeSide) {
	theirMetadata := theirmetadatafake.NewSimpleMetadataClient(metadataScheme(), partialSeeds()...)
	ourMetadata := metadatafake.NewSimpleMetadataClient(metadataScheme(), partialSeeds()...)
	var theirDynamic *theirdynamicfake.FakeDynamicClient
	var ourDynamic *dynamicfake.FakeDynamicClient
	if custom {
		theirDynamic = theirdynamicfake.NewSimpleDynamicClientWithCustomListKinds(scheme(), listKinds, untypedSeeds()...)
		ourDynamic = dynamicfake.NewSimpleDynamicClientWithCustomListKinds(scheme(), listKinds, untypedSeeds()...)
	} else {
		theirDynamic = theirdynamicfake.NewSimpleDynamicClient(scheme(), untypedSeeds()...)
		ourDynamic = dynamicfake.NewSimpleDynamicClient(scheme(), untypedSeeds()...)
	}
	theirs = &fakeSide{
		dynamic: func(r schema.GroupVersionResource, ns string) dynamic.ResourceInterface {
			return theirDynamic.Resource(r).Namespace(ns)
		},
		metadata: func(r schema.GroupVersionResource, ns string) metadataClient {
			return theirMetadata.Resource(r).Namespace(ns).(metadataClient)
		},
		react: func(verb string, obj runtime.Object, err error) {
			reaction := func(theirtesting.Action) (bool, runtime.Object, error) { return true, obj, err }
			theirDynamic.PrependReactor(verb, "*", reaction)
			theirMetadata.PrependReactor(verb, "*", reaction)
		},
		actions: func() (actions []any) {
			for _, action := range append(theirDynamic.Actions(), theirMetadata.Actions()...) {
				actions = append(actions, action)
			}
			return actions
		},
	}
	ours = &fakeSide{
		dynamic: func(r schema.GroupVersionResource, ns string) dynamic.ResourceInterface {
			return ourDynamic.Resource(r).Namespace(ns)
		},
		metadata: func(r schema.GroupVersionResource, ns string) metadataClient {
			return ourMetadata.Resource(r).Namespace(ns).(metadataClient)
		},
		react: func(verb string, obj runtime.Object, err error) {
			reaction := func(testing.Action) (bool, runtime.Object, error) { return true, obj, err }
			ourDynamic.PrependReactor(verb, "*", reaction)
			ourMetadata.PrependReactor(verb, "*", reaction)
		},
		actions: func() (actions []any) {
			for _, action := range append(ourDynamic.Actions(), ourMetadata.Actions()...) {
				actions = append(actions, action)
			}
			return actions
		},
	}
	return theirs, ours
}

var errReactor = errors.New("reactor's")

// fakeCalls are all verbs of both fakes.
var fakeCalls = func() map[string]func(context.Context, *fakeSide) (any, error) {
	calls := map[string]func(context.Context, *fakeSide) (any, error){}
	for _, ns := range []string{"", "ns", "none"} {
		for _, subs := range [][]string{nil, {"status"}, {"x", "y"}} {
			at := fmt.Sprintf(" in %q of %v", ns, subs)
			calls["create"+at] = func(ctx context.Context, s *fakeSide) (any, error) {
				return s.dynamic(books, ns).Create(ctx, book("c"), metav1.CreateOptions{FieldManager: "m"}, subs...)
			}
			calls["update"+at] = func(ctx context.Context, s *fakeSide) (any, error) {
				obj := book("b")
				obj.SetResourceVersion("3")
				return s.dynamic(books, ns).Update(ctx, obj, metav1.UpdateOptions{DryRun: []string{"All"}}, subs...)
			}
			calls["get"+at] = func(ctx context.Context, s *fakeSide) (any, error) {
				return s.dynamic(books, ns).Get(ctx, "a", metav1.GetOptions{ResourceVersion: "1"}, subs...)
			}
			calls["delete"+at] = func(ctx context.Context, s *fakeSide) (any, error) {
				return nil, s.dynamic(books, ns).Delete(ctx, "b", metav1.DeleteOptions{DryRun: []string{"All"}}, subs...)
			}
			calls["patch"+at] = func(ctx context.Context, s *fakeSide) (any, error) {
				return s.dynamic(books, ns).Patch(ctx, "a", types.MergePatchType, []byte(`{"spec":{"pages":1.5}}`), metav1.PatchOptions{FieldManager: "m"}, subs...)
			}
			calls["apply"+at] = func(ctx context.Context, s *fakeSide) (any, error) {
				return s.dynamic(books, ns).Apply(ctx, "a", book("a"), metav1.ApplyOptions{FieldManager: "m", Force: true}, subs...)
			}
			calls["metadata: create"+at] = func(_ context.Context, s *fakeSide) (any, error) {
				return s.metadata(books, ns).CreateFake(partial(ns, "c"), metav1.CreateOptions{FieldManager: "m"}, subs...)
			}
			calls["metadata: update"+at] = func(_ context.Context, s *fakeSide) (any, error) {
				return s.metadata(books, ns).UpdateFake(partial(ns, "b"), metav1.UpdateOptions{FieldManager: "m"}, subs...)
			}
			calls["metadata: get"+at] = func(ctx context.Context, s *fakeSide) (any, error) {
				return s.metadata(books, ns).Get(ctx, "a", metav1.GetOptions{ResourceVersion: "1"}, subs...)
			}
			calls["metadata: delete"+at] = func(ctx context.Context, s *fakeSide) (any, error) {
				return nil, s.metadata(books, ns).Delete(ctx, "b", metav1.DeleteOptions{DryRun: []string{"All"}}, subs...)
			}
			calls["metadata: patch"+at] = func(ctx context.Context, s *fakeSide) (any, error) {
				return s.metadata(books, ns).Patch(ctx, "a", types.MergePatchType, []byte(`{"metadata":{"labels":{"k":"v"}}}`), metav1.PatchOptions{FieldManager: "m"}, subs...)
			}
		}
		at := fmt.Sprintf(" in %q", ns)
		calls["update of the status"+at] = func(ctx context.Context, s *fakeSide) (any, error) {
			return s.dynamic(books, ns).UpdateStatus(ctx, book("b"), metav1.UpdateOptions{})
		}
		calls["apply of the status"+at] = func(ctx context.Context, s *fakeSide) (any, error) {
			return s.dynamic(books, ns).ApplyStatus(ctx, "a", book("a"), metav1.ApplyOptions{})
		}
		calls["metadata: update of the status"+at] = func(_ context.Context, s *fakeSide) (any, error) {
			return s.metadata(books, ns).UpdateStatus(partial(ns, "b"), metav1.UpdateOptions{})
		}
		for name, opts := range map[string]metav1.ListOptions{
			"": {}, ", selected": {LabelSelector: "name=a", FieldSelector: "metadata.name=a"}, ", paged": {Limit: 1, ResourceVersion: "1"},
		} {
			listed := at + name
			calls["list"+listed] = func(ctx context.Context, s *fakeSide) (any, error) { return s.dynamic(books, ns).List(ctx, opts) }
			calls["watch"+listed] = func(ctx context.Context, s *fakeSide) (any, error) {
				return s.watch(s.dynamic(books, ns).Watch(ctx, opts))
			}
			calls["delete a collection"+listed] = func(ctx context.Context, s *fakeSide) (any, error) {
				return nil, s.dynamic(books, ns).DeleteCollection(ctx, metav1.DeleteOptions{DryRun: []string{"All"}}, opts)
			}
			calls["metadata: list"+listed] = func(ctx context.Context, s *fakeSide) (any, error) { return s.metadata(books, ns).List(ctx, opts) }
			calls["metadata: watch"+listed] = func(ctx context.Context, s *fakeSide) (any, error) {
				return s.watch(s.metadata(books, ns).Watch(ctx, opts))
			}
			calls["metadata: delete a collection"+listed] = func(ctx context.Context, s *fakeSide) (any, error) {
				return nil, s.metadata(books, ns).DeleteCollection(ctx, metav1.DeleteOptions{DryRun: []string{"All"}}, opts)
			}
		}
		calls["get of a typed object"+at] = func(ctx context.Context, s *fakeSide) (any, error) {
			s.react("get", &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "typed"}}, nil)
			return s.dynamic(configMaps, ns).Get(ctx, "a", metav1.GetOptions{})
		}
		calls["list of typed objects"+at] = func(ctx context.Context, s *fakeSide) (any, error) {
			s.react("list", &corev1.ConfigMapList{Items: []corev1.ConfigMap{{ObjectMeta: metav1.ObjectMeta{Name: "typed"}}}}, nil)
			return s.dynamic(configMaps, ns).List(ctx, metav1.ListOptions{})
		}
		calls["error"+at] = func(ctx context.Context, s *fakeSide) (any, error) {
			s.react("*", nil, errReactor)
			_, get := s.dynamic(books, ns).Get(ctx, "a", metav1.GetOptions{})
			_, list := s.dynamic(books, ns).List(ctx, metav1.ListOptions{})
			_, partials := s.metadata(books, ns).List(ctx, metav1.ListOptions{})
			return nil, errors.Join(get, list, partials)
		}
		calls["nothing"+at] = func(ctx context.Context, s *fakeSide) (any, error) {
			s.react("*", nil, nil)
			obj, err1 := s.dynamic(books, ns).Patch(ctx, "a", types.JSONPatchType, nil, metav1.PatchOptions{})
			list, err2 := s.dynamic(books, ns).List(ctx, metav1.ListOptions{})
			return []any{obj, list}, errors.Join(err1, err2)
		}
	}
	return calls
}()

// watch starts a watch whose events are compared after all calls.
func (s *fakeSide) watch(w watch.Interface, err error) (any, error) {
	if err == nil {
		s.watches = append(s.watches, w)
	}
	return nil, err
}

// do makes a call and returns its result as text.
func (s *fakeSide) do(ctx context.Context, call func(context.Context, *fakeSide) (any, error)) string {
	result, err := call(ctx, s)
	return fmt.Sprintf("%T %v\n%s", err, err, show(result))
}

// after returns the actions and the events of watches.
func (s *fakeSide) after() string {
	text := ""
	for _, action := range s.actions() {
		text += show(action) + "\n"
	}
	for _, w := range s.watches {
		w.Stop()
		for event := range w.ResultChan() {
			text += show(event) + "\n"
		}
		text += "end of the watch\n"
	}
	return text
}

// show returns a value with the names of its types, as lines.
func show(v any) string { return strings.ReplaceAll(dump.ForHash(v), ", ", ",\n") }

// random are parts of errors: the names of schemes, and the first field of a map that a strategic merge patch of an
// untyped object fails for.
var random = regexp.MustCompile(`in scheme "[^"]*"|for the json field "\w+"`)

func sameText(t *stdtesting.T, what, want, got string) {
	t.Helper()
	if diff := cmp.Diff(random.ReplaceAllString(want, ""), random.ReplaceAllString(got, "")); diff != "" {
		t.Errorf("%s (-client-go +ours)\n%s", what, diff)
	}
}

// TestFakes makes each call on new fakes.
func TestFakes(t *stdtesting.T) {
	for _, custom := range []bool{false, true} {
		for name, call := range fakeCalls {
			t.Run(fmt.Sprint(name, ", custom kinds ", custom), func(t *stdtesting.T) {
				theirs, ours := fakes(custom)
				sameText(t, name, theirs.do(t.Context(), call), ours.do(t.Context(), call))
				sameText(t, "thereafter", theirs.after(), ours.after())
			})
		}
	}
}

// TestFakeSequences makes random calls in sequence.
func TestFakeSequences(t *stdtesting.T) {
	var names []string
	for name := range fakeCalls {
		if !strings.HasPrefix(name, "error") && !strings.HasPrefix(name, "nothing") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for seed := range uint64(40) {
		t.Run(fmt.Sprint(seed), func(t *stdtesting.T) {
			r := rand.New(rand.NewPCG(seed, 0))
			theirs, ours := fakes(r.IntN(2) == 0)
			for range 30 {
				name := names[r.IntN(len(names))]
				sameText(t, name, theirs.do(t.Context(), fakeCalls[name]), ours.do(t.Context(), fakeCalls[name]))
			}
			sameText(t, "thereafter", theirs.after(), ours.after())
		})
	}
}
