package fake_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/ptr"

	"github.com/listwatch/listwatch/runtime/gentype"
	"github.com/listwatch/listwatch/runtime/gentype/fake"
	fakes "github.com/listwatch/listwatch/runtime/testing"
)

type (
	object = metav1.PartialObjectMetadata
	list   = metav1.PartialObjectMetadataList
	// configuration is an apply configuration of an object.
	configuration struct {
		metav1.TypeMeta `json:",inline"`
		Metadata        struct {
			Name   *string           `json:"name,omitempty"`
			Labels map[string]string `json:"labels,omitempty"`
		} `json:"metadata"`
		Broken any `json:"broken,omitempty"`
	}
	// verbs is what the clients of this package with all verbs have in common.
	verbs interface {
		fake.Invoker
		gentype.VerbsWithStatus[*object, *list]
		gentype.Applier[*object, *configuration]
		gentype.StatusApplier[*object, *configuration]
		Namespace() string
		Resource() schema.GroupVersionResource
		Kind() schema.GroupVersionKind
		IsWatchListSemanticsUnSupported() bool
	}
)

func (c *configuration) GetName() *string { return c.Metadata.Name }

var (
	version  = schema.GroupVersion{Group: "example.com", Version: "v1"}
	resource = version.WithResource("things")
	kind     = version.WithKind("Thing")
)

// constructors create clients with all verbs: of functions that are given, and for generated code.
var constructors = map[string]func(*fakes.Fake) verbs{
	"NewFakeClient": func(f *fakes.Fake) verbs {
		return fake.NewFakeClientWithListAndApply[*object, *list, *configuration](
			f, "ns", resource, kind,
			func() *object { return &object{} },
			func() *list { return &list{} },
			func(to, from *list) { to.ListMeta = from.ListMeta },
			func(l *list) []*object { return fake.ToPointerSlice(l.Items) },
			func(l *list, items []*object) { l.Items = fake.FromPointerSlice(items) },
		)
	},
	"ForApply": func(f *fakes.Fake) verbs {
		return fake.ForApply[*object, *list, *configuration](f, "ns", version, "things", "Thing")
	},
	// For has no apply, and ForObjectApply no lists.
	"For": func(f *fakes.Fake) verbs {
		return struct {
			*fake.AllVerbs[*object, *list]
			applier
		}{
			fake.For[*object, *list](f, "ns", version, "things", "Thing"),
			fake.ForObjectApply[*object, *configuration](f, "ns", version, "things", "Thing"),
		}
	},
}

type applier interface {
	gentype.Applier[*object, *configuration]
	gentype.StatusApplier[*object, *configuration]
}

// each runs a test on a client of each constructor. newClient returns it and its Fake.
func each(t *testing.T, test func(t *testing.T, newClient func() (verbs, *fakes.Fake))) {
	for name, create := range constructors {
		t.Run(name, func(t *testing.T) {
			test(t, func() (verbs, *fakes.Fake) {
				f := &fakes.Fake{}
				return create(f), f
			})
		})
	}
}

func thing(name string, l labels.Set) *object {
	return &object{
		TypeMeta:   metav1.TypeMeta{APIVersion: "example.com/v1", Kind: "Thing"},
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, Labels: l},
	}
}

func config(name *string) *configuration {
	c := &configuration{TypeMeta: metav1.TypeMeta{APIVersion: "example.com/v1", Kind: "Thing"}}
	c.Metadata.Name = name
	c.Metadata.Labels = labels.Set{"k": "applied"}
	return c
}

func TestActions(t *testing.T) { each(t, testActions) }

func testActions(t *testing.T, newClient func() (verbs, *fakes.Fake)) {
	ctx := t.Context()
	name := "a"
	list, watched := metav1.ListOptions{LabelSelector: "k=v", Limit: 3}, metav1.ListOptions{LabelSelector: "k=v", Watch: true}
	applied := []byte(`{"kind":"Thing","apiVersion":"example.com/v1","metadata":{"name":"a","labels":{"k":"applied"}}}`)
	create, update := metav1.CreateOptions{FieldManager: "m"}, metav1.UpdateOptions{FieldManager: "m"}
	patch, del := metav1.PatchOptions{FieldManager: "m"}, metav1.DeleteOptions{DryRun: []string{"All"}}
	force := metav1.PatchOptions{FieldManager: "m", Force: ptr.To(true)}
	for _, c := range []struct {
		name string
		call func(verbs) (any, error)
		want fakes.Action
	}{
		{"Get", func(c verbs) (any, error) { return c.Get(ctx, name, metav1.GetOptions{ResourceVersion: "7"}) },
			fakes.NewGetActionWithOptions(resource, "ns", name, metav1.GetOptions{ResourceVersion: "7"})},
		{"List", func(c verbs) (any, error) { return c.List(ctx, list) },
			fakes.NewListActionWithOptions(resource, kind, "ns", list)},
		{"Watch", func(c verbs) (any, error) {
			_, err := c.Watch(ctx, metav1.ListOptions{LabelSelector: "k=v"})
			if err == nil {
				return nil, errors.New("a watch without a reactor")
			}
			return nil, nil
		}, fakes.NewWatchActionWithOptions(resource, "ns", watched)},
		{"Create", func(c verbs) (any, error) { return c.Create(ctx, thing(name, nil), create) },
			fakes.NewCreateActionWithOptions(resource, "ns", thing(name, nil), create)},
		{"Update", func(c verbs) (any, error) { return c.Update(ctx, thing(name, nil), update) },
			fakes.NewUpdateActionWithOptions(resource, "ns", thing(name, nil), update)},
		{"UpdateStatus", func(c verbs) (any, error) { return c.UpdateStatus(ctx, thing(name, nil), update) },
			fakes.NewUpdateSubresourceActionWithOptions(resource, "status", "ns", thing(name, nil), update)},
		{"Delete", func(c verbs) (any, error) { return nil, c.Delete(ctx, name, del) },
			fakes.NewDeleteActionWithOptions(resource, "ns", name, del)},
		{"DeleteCollection", func(c verbs) (any, error) { return nil, c.DeleteCollection(ctx, del, list) },
			fakes.NewDeleteCollectionActionWithOptions(resource, "ns", del, list)},
		{"Patch", func(c verbs) (any, error) {
			return c.Patch(ctx, name, types.MergePatchType, []byte(`{}`), patch, "a", "b")
		}, fakes.NewPatchSubresourceActionWithOptions(resource, "ns", name, types.MergePatchType, []byte(`{}`), patch, "a", "b")},
		{"Apply", func(c verbs) (any, error) {
			return c.Apply(ctx, config(&name), metav1.ApplyOptions{FieldManager: "m", Force: true})
		}, fakes.NewPatchActionWithOptions(resource, "ns", name, types.ApplyPatchType, applied, force)},
		{"ApplyStatus", func(c verbs) (any, error) {
			return c.ApplyStatus(ctx, config(&name), metav1.ApplyOptions{FieldManager: "m", Force: true})
		}, fakes.NewPatchSubresourceActionWithOptions(resource, "ns", name, types.ApplyPatchType, applied, force, "status")},
	} {
		t.Run(c.name, func(t *testing.T) {
			client, f := newClient()
			result, err := c.call(client)
			if err != nil {
				t.Fatal(err)
			}
			if got, ok := result.(*object); ok && got == nil {
				t.Error("the result is nil")
			}
			// Selectors have no exported fields; their text is compared.
			text := cmp.Options{
				cmp.Transformer("labels", func(s labels.Selector) string { return s.String() }),
				cmp.Transformer("fields", func(s fields.Selector) string { return s.String() }),
			}
			if diff := cmp.Diff([]fakes.Action{c.want.DeepCopy()}, f.Actions(), text); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestAnswers(t *testing.T) { each(t, testAnswers) }

func testAnswers(t *testing.T, newClient func() (verbs, *fakes.Fake)) {
	ctx := t.Context()
	failure := errors.New("no")
	for _, c := range []struct {
		name    string
		obj     runtime.Object
		err     error
		want    string
		refused string
	}{
		{"an object", thing("b", nil), nil, "b", ""},
		{"nothing", nil, nil, "", ""},
		{"an error", nil, failure, "", "no"},
		{"an error beside an object", thing("b", nil), failure, "b", "no"},
		{"another type", &metav1.Status{}, nil, "", "reactor returned *v1.Status, want *v1.PartialObjectMetadata"},
	} {
		t.Run(c.name, func(t *testing.T) {
			client, f := newClient()
			f.AddReactor("*", "*", func(fakes.Action) (bool, runtime.Object, error) { return true, c.obj, c.err })
			got, err := client.Get(ctx, "a", metav1.GetOptions{})
			if got.Name != c.want || c.refused == "" && err != nil || c.refused != "" && (err == nil || err.Error() != c.refused) {
				t.Errorf("got %v, %v", got, err)
			}
			if err := client.Delete(ctx, "a", metav1.DeleteOptions{}); !errors.Is(err, c.err) {
				t.Errorf("delete: got %v", err)
			}
		})
	}
}

// TestListsOfReactorsAreFiltered checks that label selectors work with reactors that ignore them.
func TestListsOfReactorsAreFiltered(t *testing.T) { each(t, testListsOfReactorsAreFiltered) }

func testListsOfReactorsAreFiltered(t *testing.T, newClient func() (verbs, *fakes.Fake)) {
	ctx := t.Context()
	client, f := newClient()
	all := &list{ListMeta: metav1.ListMeta{ResourceVersion: "7"}, Items: []object{*thing("a", labels.Set{"k": "v"}), *thing("b", nil)}}
	f.AddReactor("list", "things", func(fakes.Action) (bool, runtime.Object, error) { return true, all, nil })
	for selector, want := range map[string][]object{"": all.Items, "k=v": all.Items[:1], "k=w": nil} {
		got, err := client.List(ctx, metav1.ListOptions{LabelSelector: selector})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&list{ListMeta: all.ListMeta, Items: want}, got); diff != "" {
			t.Errorf("%q (-want +got)\n%s", selector, diff)
		}
	}
	failure := errors.New("no")
	f.PrependReactor("list", "things", func(fakes.Action) (bool, runtime.Object, error) { return true, nil, failure })
	if got, err := client.List(ctx, metav1.ListOptions{}); !errors.Is(err, failure) || got == nil {
		t.Errorf("got %v, %v", got, err)
	}
	f.PrependReactor("list", "things", func(fakes.Action) (bool, runtime.Object, error) { return true, all, failure })
	if got, err := client.List(ctx, metav1.ListOptions{LabelSelector: "k=v"}); !errors.Is(err, failure) || len(got.Items) != 1 {
		t.Errorf("got %v, %v", got, err)
	}
}

// TestSelectorsThatCannotBeParsed checks that they are errors; otherwise they would silently select
// nothing, or everything.
func TestSelectorsThatCannotBeParsed(t *testing.T) { each(t, testSelectorsThatCannotBeParsed) }

func testSelectorsThatCannotBeParsed(t *testing.T, newClient func() (verbs, *fakes.Fake)) {
	ctx := t.Context()
	for _, opts := range []metav1.ListOptions{{LabelSelector: "k=v=w"}, {FieldSelector: "k"}} {
		client, f := newClient()
		list, err := client.List(ctx, opts)
		if !apierrors.IsBadRequest(err) || list == nil {
			t.Errorf("list: got %v, %v", list, err)
		}
		if _, err := client.Watch(ctx, opts); !apierrors.IsBadRequest(err) {
			t.Errorf("watch: got %v", err)
		}
		if err := client.DeleteCollection(ctx, metav1.DeleteOptions{}, opts); !apierrors.IsBadRequest(err) {
			t.Errorf("deletion of the collection: got %v", err)
		}
		if actions := f.Actions(); len(actions) > 0 {
			t.Errorf("recorded %v", actions)
		}
	}
}

func TestConfigurationsThatCannotBeApplied(t *testing.T) {
	each(t, testConfigurationsThatCannotBeApplied)
}

func testConfigurationsThatCannotBeApplied(t *testing.T, newClient func() (verbs, *fakes.Fake)) {
	ctx := t.Context()
	client, f := newClient()
	name := "a"
	broken := config(&name)
	broken.Broken = make(chan int)
	for want, c := range map[string]*configuration{
		"configuration provided to Apply must not be nil": nil,
		"configuration.Name must be provided to Apply":    config(nil),
		"json: unsupported type: chan int":                broken,
	} {
		for call, apply := range map[string]func() (*object, error){
			"Apply":       func() (*object, error) { return client.Apply(ctx, c, metav1.ApplyOptions{}) },
			"ApplyStatus": func() (*object, error) { return client.ApplyStatus(ctx, c, metav1.ApplyOptions{}) },
		} {
			if got, err := apply(); err == nil || err.Error() != want || got != nil {
				t.Errorf("%s: got %v, %v, want %s", call, got, err, want)
			}
		}
	}
	if got := f.Actions(); len(got) != 0 {
		t.Errorf("recorded %v", got)
	}
}

func TestMethodsOfOnesOwn(t *testing.T) { each(t, testMethodsOfOnesOwn) }

func testMethodsOfOnesOwn(t *testing.T, newClient func() (verbs, *fakes.Fake)) {
	client, f := newClient()
	f.AddReactor("get", "things/scale", func(fakes.Action) (bool, runtime.Object, error) { return true, &list{}, nil })
	get := fakes.NewGetSubresourceAction(client.Resource(), client.Namespace(), "scale", "a")
	if got, err := fake.Invoke(client, get, &object{}); err == nil || got == nil {
		t.Errorf("got %v, %v for a result of another type", got, err)
	}
	if got, err := fake.Invoke(client, get, &list{}); err != nil || got == nil {
		t.Errorf("got %v, %v", got, err)
	}
	name := "a"
	if _, err := fake.ApplyTo(client, "b", config(&name), metav1.ApplyOptions{Force: true}, &object{}, "scale"); err != nil {
		t.Error(err)
	}
	actions := f.Actions()
	patch, ok := actions[len(actions)-1].(fakes.PatchAction)
	if !ok || patch.GetName() != "b" || patch.GetSubresource() != "scale" || patch.GetPatchType() != types.ApplyPatchType {
		t.Errorf("recorded %#v", actions[len(actions)-1])
	}
}

func TestWithATracker(t *testing.T) { each(t, testWithATracker) }

func testWithATracker(t *testing.T, newClient func() (verbs, *fakes.Fake)) {
	ctx := t.Context()
	scheme := runtime.NewScheme()
	scheme.AddKnownTypeWithName(kind, &object{})
	scheme.AddKnownTypeWithName(version.WithKind("ThingList"), &list{})
	client, f := newClient()
	tracker := fakes.NewServerObjectTracker(scheme, serializer.NewCodecFactory(scheme).UniversalDecoder(), nil)
	if err := fakes.TrackObjects(f, tracker, thing("a", labels.Set{"k": "v"})); err != nil {
		t.Fatal(err)
	}
	watcher, err := client.Watch(ctx, metav1.ListOptions{ResourceVersion: "2"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = client.Create(ctx, thing("b", nil), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	name := "b"
	obj, err := client.Apply(ctx, config(&name), metav1.ApplyOptions{FieldManager: "m"})
	if err != nil || obj.Labels["k"] != "applied" {
		t.Fatalf("got %v, %v", obj, err)
	}
	all, err := client.List(ctx, metav1.ListOptions{LabelSelector: "k"})
	if err != nil || len(all.Items) != 2 || all.ResourceVersion != "4" {
		t.Errorf("got %v, %v", all, err)
	}
	if err = client.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "k=v"}); err != nil {
		t.Fatal(err)
	}
	watcher.Stop()
	var got []watch.EventType
	for e := range watcher.ResultChan() {
		got = append(got, e.Type)
	}
	if diff := cmp.Diff([]watch.EventType{watch.Added, watch.Modified, watch.Deleted}, got); diff != "" {
		t.Error(diff)
	}
}

// TestParts checks what clients are bound to.
func TestParts(t *testing.T) {
	each(t, func(t *testing.T, newClient func() (verbs, *fakes.Fake)) {
		c, _ := newClient()
		if c.Namespace() != "ns" || c.Resource() != resource || c.Kind() != kind || !c.IsWatchListSemanticsUnSupported() {
			t.Error("the client has the wrong type")
		}
	})
	f := &fakes.Fake{}
	if fake.For[*object, *list](f, "ns", version, "things", "Thing").Fake != f ||
		fake.ForApply[*object, *list, *configuration](f, "ns", version, "things", "Thing").Fake != f {
		t.Error("the clients have another Fake")
	}
	without := fake.ForObject[*object](f, "ns", version, "things", "Thing")
	if without.Fake != f || without.Resource() != resource || without.Kind() != kind || without.Namespace() != "ns" {
		t.Errorf("got %+v", without)
	}
	if _, lists := any(without).(gentype.Lister[*list]); lists {
		t.Error("a client without lists has List")
	}
	first, err := without.Get(t.Context(), "a", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if second, err := without.Get(t.Context(), "a", metav1.GetOptions{}); err != nil || second == first {
		t.Errorf("got %p, then %p, %v", first, second, err)
	}
}

// pointers is a list of pointers to objects, which a kind may have.
type pointers struct {
	metav1.TypeMeta
	metav1.ListMeta
	Items []*object
}

func (l *pointers) DeepCopyObject() runtime.Object {
	items := slices.Clone(l.Items)
	for i, o := range items {
		items[i] = o.DeepCopy()
	}
	return &pointers{l.TypeMeta, metav1.ListMeta{ResourceVersion: l.ResourceVersion}, items}
}

// TestListsOfPointers selects objects from a list of pointers.
func TestListsOfPointers(t *testing.T) {
	f := &fakes.Fake{}
	all := &pointers{ListMeta: metav1.ListMeta{ResourceVersion: "7"}, Items: []*object{thing("a", labels.Set{"k": "v"}), thing("b", nil)}}
	f.AddReactor("list", "things", func(fakes.Action) (bool, runtime.Object, error) { return true, all, nil })
	got, err := fake.For[*object, *pointers](f, "ns", version, "things", "Thing").List(t.Context(), metav1.ListOptions{LabelSelector: "k"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&pointers{ListMeta: all.ListMeta, Items: all.Items[:1]}, got); diff != "" {
		t.Error(diff)
	}
}

func TestOtherClients(t *testing.T) {
	f := &fakes.Fake{}
	empty := func() *object { return thing("empty", nil) }
	plain := fake.NewFakeClient(f, "ns", resource, kind, empty)
	applies := fake.NewFakeClientWithApply[*object, *configuration](f, "ns", resource, kind, empty)
	for _, c := range []*fake.FakeClient[*object]{plain, applies.FakeClient} {
		if c.Namespace() != "ns" || c.Resource() != resource || c.Kind() != kind || c.Fake != f {
			t.Error("the client has the wrong type")
		}
		if got, err := c.Get(t.Context(), "a", metav1.GetOptions{}); err != nil || got.Name != "empty" {
			t.Errorf("got %v, %v", got, err)
		}
	}
	name := "a"
	if got, err := applies.Apply(t.Context(), config(&name), metav1.ApplyOptions{}); err != nil || got.Name != "empty" {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestSlices(t *testing.T) {
	if fake.ToPointerSlice[int](nil) != nil || fake.FromPointerSlice[int](nil) != nil {
		t.Error("nil becomes something")
	}
	items := []int{1, 2}
	pointers := fake.ToPointerSlice(items)
	*pointers[1] = 3
	if items[1] != 3 {
		t.Error("the pointers are to copies")
	}
	copies := fake.FromPointerSlice(pointers)
	*pointers[1] = 4
	if diff := cmp.Diff([]int{1, 3}, copies); diff != "" {
		t.Error(diff)
	}
}
