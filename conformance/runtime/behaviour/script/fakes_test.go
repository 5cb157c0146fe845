package script_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	"k8s.io/client-go/kubernetes/scheme"
	metadatafake "k8s.io/client-go/metadata/fake"
	clienttesting "k8s.io/client-go/testing"
)

var podResource = corev1.SchemeGroupVersion.WithResource("pods")

// actions records the actions of a fake.
func (p *tape) actions(list []clienttesting.Action) {
	for _, a := range list {
		p.printf("action %T %s %s %q %q", a, a.GetVerb(), a.GetResource(), a.GetSubresource(), a.GetNamespace())
		switch a := a.(type) {
		case clienttesting.CreateActionImpl:
			p.printf("  %q %+v", a.Name, a.CreateOptions)
		case clienttesting.UpdateActionImpl:
			p.printf("  %+v", a.UpdateOptions)
		case clienttesting.PatchActionImpl:
			p.printf("  %q %s %q", a.Name, a.PatchType, a.Patch)
			p.json("  options", a.PatchOptions)
		case clienttesting.DeleteActionImpl:
			p.printf("  %q %+v", a.Name, a.DeleteOptions)
		case clienttesting.DeleteCollectionActionImpl:
			p.printf("  %+v %+v", a.ListRestrictions, a.ListOptions)
		case clienttesting.ListActionImpl:
			p.printf("  %q %s %+v %+v", a.Name, a.Kind, a.ListRestrictions, a.ListOptions)
		case clienttesting.WatchActionImpl:
			p.printf("  %+v %+v", a.WatchRestrictions, a.ListOptions)
		case clienttesting.GetActionImpl:
			p.printf("  %q %+v", a.Name, a.GetOptions)
		}
		p.printf("  matches %v %v", a.Matches("get", "pods"), a.Matches("*", "pods/status"))
	}
}

// try records the panic of a call.
func (p *tape) try(name string, call func()) {
	defer func() {
		if r := recover(); r != nil {
			p.printf("%s panics: %v", name, r)
		}
	}()
	call()
}

func TestFakeTracker(t *testing.T) {
	tracker := func() clienttesting.ObjectTracker {
		return clienttesting.NewObjectTracker(scheme.Scheme, scheme.Codecs.UniversalDecoder())
	}
	show := func(p *tape, tr clienttesting.ObjectTracker) {
		list, err := tr.List(podResource, corev1.SchemeGroupVersion.WithKind("Pod"), "")
		p.err("List", err)
		p.json("List", list)
	}
	run(t, "errors", func(t *testing.T, p *tape) {
		tr := tracker()
		_, err := tr.Get(podResource, "n", "a")
		p.err("Get", err)
		p.err("Delete", tr.Delete(podResource, "n", "a"))
		p.err("Update", tr.Update(podResource, newPod("a", 1), "n"))
		p.err("Patch", tr.Patch(podResource, newPod("a", 1), "n"))
		p.err("Create", tr.Create(podResource, newPod("a", 1), "n"))
		p.err("Create again", tr.Create(podResource, newPod("a", 1), "n"))
		p.err("Create in another namespace", tr.Create(podResource, newPod("b", 1), "m"))
		p.err("Update in another namespace", tr.Update(podResource, newPod("a", 1), "m"))
		p.err("Create without a name", tr.Create(podResource, &corev1.Pod{}, "n"))
		p.err("Create without a namespace", tr.Create(podResource, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "c"}}, "n"))
		p.err("Create generated", tr.Create(podResource, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{GenerateName: "c-"}}, "n"))
		p.err("Create generated again", tr.Create(podResource, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{GenerateName: "c-"}}, "n"))
		p.err("Create nil", tr.Create(podResource, (*corev1.Pod)(nil), "n"))
		p.err("Create a Status", tr.Create(podResource, &metav1.Status{}, "n"))
		p.err("Add", tr.Add(newPod("d", 1)))
		p.err("Add again", tr.Add(newPod("d", 2)))
		p.err("Add a list", tr.Add(pods(1, newPod("e", 1), newPod("f", 1))))
		p.err("Add unknown", tr.Add(&unknownKind{}))
		p.err("Add a Status", tr.Add(&metav1.Status{}))
		_, err = tr.Get(schema.GroupVersionResource{Resource: "things"}, "n", "a")
		p.err("Get unknown", err)
		_, err = tr.List(schema.GroupVersionResource{Resource: "things"}, schema.GroupVersionKind{Kind: "Thing"}, "n")
		p.err("List unknown", err)
		_, err = tr.List(podResource, corev1.SchemeGroupVersion.WithKind("Nothing"), "n")
		p.err("List unknown kind", err)
		p.err("Apply", tr.Apply(podResource, newPod("d", 3), "n"))
		p.err("Delete", tr.Delete(podResource, "n", "d"))
		p.err("Delete again", tr.Delete(podResource, "n", "d"))
		show(p, tr)
	})
	run(t, "options", func(t *testing.T, p *tape) {
		tr := tracker()
		p.err("Create", tr.Create(podResource, newPod("a", 1), "n", metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}))
		_, err := tr.Get(podResource, "n", "a")
		p.err("Get", err)
		p.err("Create", tr.Create(podResource, newPod("a", 1), "n"))
		p.err("Update", tr.Update(podResource, newPod("a", 7), "n", metav1.UpdateOptions{DryRun: []string{metav1.DryRunAll}}))
		p.err("Delete", tr.Delete(podResource, "n", "a", metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}}))
		p.try("two options", func() {
			p.err("Create", tr.Create(podResource, newPod("z", 1), "n", metav1.CreateOptions{}, metav1.CreateOptions{}))
		})
		_, err = tr.Get(podResource, "n", "a", metav1.GetOptions{}, metav1.GetOptions{})
		p.err("Get with two", err)
		_, err = tr.Watch(podResource, "n", metav1.ListOptions{}, metav1.ListOptions{})
		p.err("Watch with two", err)
		show(p, tr)
	})
	run(t, "watch", func(t *testing.T, p *tape) {
		tr := tracker()
		p.err("Add", tr.Add(newPod("a", 1)))
		w, err := tr.Watch(podResource, "n")
		p.err("Watch", err)
		everywhere, err := tr.Watch(podResource, "")
		p.err("Watch", err)
		elsewhere, err := tr.Watch(podResource, "m")
		p.err("Watch", err)
		p.err("Create", tr.Create(podResource, newPod("b", 1), "n"))
		p.err("Update", tr.Update(podResource, newPod("b", 2), "n"))
		p.err("Patch", tr.Patch(podResource, newPod("b", 3), "n"))
		p.err("Delete", tr.Delete(podResource, "n", "b"))
		p.err("Create", tr.Create(podResource, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "c", Namespace: "m"}}, "m"))
		for i, w := range []watch.Interface{w, everywhere, elsewhere} {
			w.Stop()
			for e := range w.ResultChan() {
				p.printf("%d %s %s", i, e.Type, nameOf(e.Object))
			}
			w.Stop()
		}
	})
	run(t, "objects are copied", func(t *testing.T, p *tape) {
		tr := tracker()
		created := newPod("a", 1)
		p.err("Create", tr.Create(podResource, created, "n"))
		created.Labels = map[string]string{"changed": "after"}
		got, err := tr.Get(podResource, "n", "a")
		p.err("Get", err)
		got.(*corev1.Pod).Labels = map[string]string{"changed": "got"}
		show(p, tr)
	})
}

type unknownKind struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

func (u *unknownKind) DeepCopyObject() runtime.Object { c := *u; return &c }

// Reactors and chains of a Fake.
func TestFakeReactors(t *testing.T) {
	run(t, "chain", func(t *testing.T, p *tape) {
		f := &clienttesting.Fake{}
		get := clienttesting.NewGetAction(podResource, "n", "a")
		obj, err := f.Invokes(get, newPod("default", 1))
		p.printf("%s", nameOf(obj))
		p.err("default", err)
		f.AddReactor("get", "pods", func(clienttesting.Action) (bool, runtime.Object, error) { return true, newPod("added", 1), nil })
		f.PrependReactor("*", "*", func(a clienttesting.Action) (bool, runtime.Object, error) {
			return a.GetNamespace() == "x", nil, errors.New("prepended")
		})
		obj, err = f.Invokes(get, nil)
		p.printf("%s", nameOf(obj))
		p.err("get", err)
		obj, err = f.Invokes(clienttesting.NewGetAction(podResource, "x", "a"), newPod("default", 1))
		p.printf("%v", obj)
		p.err("get x", err)
		obj, err = f.Invokes(clienttesting.NewListAction(podResource, corev1.SchemeGroupVersion.WithKind("Pod"), "n", metav1.ListOptions{}), nil)
		p.printf("%v", obj)
		p.err("list", err)
		w, err := f.InvokesWatch(clienttesting.NewWatchAction(podResource, "n", metav1.ListOptions{}))
		p.printf("%v", w)
		p.err("watch", err)
		f.AddWatchReactor("pods", func(clienttesting.Action) (bool, watch.Interface, error) { return true, nil, errors.New("no watch") })
		_, err = f.InvokesWatch(clienttesting.NewWatchAction(podResource, "n", metav1.ListOptions{}))
		p.err("watch", err)
		f.AddProxyReactor("pods", nil)
		p.printf("proxy %v", f.InvokesProxy(clienttesting.NewProxyGetAction(podResource, "n", "http", "a", "80", "/", nil)) == nil)
		p.actions(f.Actions())
		f.ClearActions()
		p.printf("%d actions", len(f.Actions()))
		p.printf("chain %d %d %d", len(f.ReactionChain), len(f.WatchReactionChain), len(f.ProxyReactionChain))
	})
	run(t, "subresources", func(t *testing.T, p *tape) {
		r := clienttesting.SimpleReactor{Verb: "update", Resource: "pods/status"}
		for _, a := range []clienttesting.Action{
			clienttesting.NewUpdateSubresourceAction(podResource, "status", "n", newPod("a", 1)),
			clienttesting.NewUpdateAction(podResource, "n", newPod("a", 1)),
			clienttesting.NewUpdateSubresourceAction(podResource, "scale", "n", newPod("a", 1)),
		} {
			all := clienttesting.SimpleReactor{Verb: "*", Resource: "pods"}
			any := clienttesting.SimpleReactor{Verb: "*", Resource: "pods/*"}
			p.printf("%v %v %v", r.Handles(a), all.Handles(a), any.Handles(a))
		}
	})
	run(t, "restrictions", func(t *testing.T, p *tape) {
		for _, o := range []metav1.ListOptions{
			{}, {LabelSelector: "a=b,c in (d,e)", FieldSelector: "metadata.name=x"}, {LabelSelector: "a=="}, {FieldSelector: "no"},
		} {
			p.try("list", func() {
				l := clienttesting.NewListAction(podResource, corev1.SchemeGroupVersion.WithKind("Pod"), "n", o)
				p.printf("%s | %s", l.ListRestrictions.Labels, l.ListRestrictions.Fields)
			})
			p.try("watch", func() {
				w := clienttesting.NewWatchAction(podResource, "n", o)
				p.printf("%s | %s | %s", w.WatchRestrictions.Labels, w.WatchRestrictions.Fields, w.WatchRestrictions.ResourceVersion)
			})
			p.try("extract", func() {
				l, f, rv := clienttesting.ExtractFromListOptions(o)
				p.printf("%v %v %s", l, f, rv)
			})
		}
	})
}

func thing(namespace, name string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"size": int64(1), "list": []any{"x"}}}}
	u.SetAPIVersion("example.com/v1")
	u.SetKind("Thing")
	u.SetNamespace(namespace)
	u.SetName(name)
	return u
}

var things = schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "things"}

// Calls of the fake dynamic client.
func TestFakeDynamic(t *testing.T) {
	ctx := context.Background()
	show := func(p *tape, name string) func(u *unstructured.Unstructured, err error) {
		return func(u *unstructured.Unstructured, err error) {
			p.json(name, u)
			p.err(name, err)
		}
	}
	client := func(objects ...runtime.Object) *dynamicfake.FakeDynamicClient {
		return dynamicfake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), map[schema.GroupVersionResource]string{things: "ThingList"}, objects...)
	}
	run(t, "calls", func(t *testing.T, p *tape) {
		for _, field := range []string{"apiVersion", "kind", "metadata", "spec"} { // an error has one of them, at random
			p.hide("json field \""+field+"\"", "json field")
		}
		c := client(thing("n", "a"))
		n := c.Resource(things).Namespace("n")
		show(p, "Get")(n.Get(ctx, "a", metav1.GetOptions{}))
		show(p, "Get missing")(n.Get(ctx, "b", metav1.GetOptions{}))
		show(p, "Get cluster")(c.Resource(things).Get(ctx, "a", metav1.GetOptions{}))
		show(p, "Create")(n.Create(ctx, thing("n", "b"), metav1.CreateOptions{FieldManager: "f"}))
		show(p, "Create again")(n.Create(ctx, thing("n", "b"), metav1.CreateOptions{}))
		show(p, "Create elsewhere")(n.Create(ctx, thing("m", "b"), metav1.CreateOptions{}))
		show(p, "Create without namespace")(n.Create(ctx, thing("", "c"), metav1.CreateOptions{}))
		generated := thing("n", "")
		generated.SetGenerateName("g-")
		show(p, "Create generated")(n.Create(ctx, generated, metav1.CreateOptions{}))
		show(p, "Create status")(n.Create(ctx, thing("n", "b"), metav1.CreateOptions{}, "status"))
		show(p, "Update")(n.Update(ctx, thing("n", "b"), metav1.UpdateOptions{}))
		show(p, "Update missing")(n.Update(ctx, thing("n", "z"), metav1.UpdateOptions{}))
		show(p, "UpdateStatus")(n.UpdateStatus(ctx, thing("n", "b"), metav1.UpdateOptions{}))
		show(p, "Patch merge")(n.Patch(ctx, "b", types.MergePatchType, []byte(`{"spec":{"size":5,"list":null}}`), metav1.PatchOptions{}))
		show(p, "Patch JSON")(n.Patch(ctx, "b", types.JSONPatchType, []byte(`[{"op":"replace","path":"/spec/size","value":6}]`), metav1.PatchOptions{}))
		show(p, "Patch JSON wrong")(n.Patch(ctx, "b", types.JSONPatchType, []byte(`[{"op":"remove","path":"/spec/none"}]`), metav1.PatchOptions{}))
		show(p, "Patch JSON broken")(n.Patch(ctx, "b", types.JSONPatchType, []byte(`{`), metav1.PatchOptions{}))
		show(p, "Patch strategic")(n.Patch(ctx, "b", types.StrategicMergePatchType, []byte(`{"spec":{"size":7}}`), metav1.PatchOptions{}))
		show(p, "Patch unknown type")(n.Patch(ctx, "b", "application/x", []byte(`{}`), metav1.PatchOptions{}))
		show(p, "Patch missing")(n.Patch(ctx, "z", types.MergePatchType, []byte(`{}`), metav1.PatchOptions{}))
		show(p, "Patch broken")(n.Patch(ctx, "b", types.MergePatchType, []byte(`{`), metav1.PatchOptions{}))
		show(p, "Patch status")(n.Patch(ctx, "b", types.MergePatchType, []byte(`{"status":{"x":1}}`), metav1.PatchOptions{}, "status"))
		show(p, "Apply")(n.Apply(ctx, "b", thing("n", "b"), metav1.ApplyOptions{FieldManager: "f"}))
		show(p, "Apply missing")(n.Apply(ctx, "y", thing("n", "y"), metav1.ApplyOptions{FieldManager: "f"}))
		show(p, "ApplyStatus")(n.ApplyStatus(ctx, "b", thing("n", "b"), metav1.ApplyOptions{FieldManager: "f"}))
		list, err := n.List(ctx, metav1.ListOptions{})
		p.json("List", list)
		p.err("List", err)
		list, err = n.List(ctx, metav1.ListOptions{LabelSelector: "a=b"})
		p.json("List selected", list)
		p.err("List selected", err)
		p.err("Delete", n.Delete(ctx, "b", metav1.DeleteOptions{}))
		p.err("Delete missing", n.Delete(ctx, "b", metav1.DeleteOptions{}))
		p.err("DeleteCollection", n.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}))
		list, err = n.List(ctx, metav1.ListOptions{})
		p.json("List", list)
		p.err("List", err)
		p.try("List unregistered", func() {
			_, err := c.Resource(schema.GroupVersionResource{Group: "x", Version: "v1", Resource: "ys"}).List(ctx, metav1.ListOptions{})
			p.err("List unregistered", err)
		})
		p.actions(c.Actions())
	})
	run(t, "names", func(t *testing.T, p *tape) {
		c := client()
		n := c.Resource(things).Namespace("n")
		show(p, "Get")(n.Get(ctx, "", metav1.GetOptions{}))
		show(p, "Create")(n.Create(ctx, thing("n", ""), metav1.CreateOptions{}))
		show(p, "Create status")(n.Create(ctx, thing("n", ""), metav1.CreateOptions{}, "status"))
		show(p, "Update")(n.Update(ctx, thing("n", ""), metav1.UpdateOptions{}))
		show(p, "Patch")(n.Patch(ctx, "", types.MergePatchType, []byte(`{}`), metav1.PatchOptions{}))
		p.err("Delete", n.Delete(ctx, "", metav1.DeleteOptions{}))
		p.try("nil", func() { show(p, "Create nil")(n.Create(ctx, nil, metav1.CreateOptions{})) })
	})
	run(t, "reactors", func(t *testing.T, p *tape) {
		for _, answer := range []struct {
			name   string
			object runtime.Object
			err    error
		}{
			{"error", nil, apierrors.NewForbidden(things.GroupResource(), "a", errors.New("no"))},
			{"plain error", nil, errors.New("plain")},
			{"nothing", nil, nil},
			{"another type", &corev1.Pod{}, nil},
			{"a Status", &metav1.Status{Status: metav1.StatusFailure}, nil},
		} {
			c := client(thing("n", "a"))
			n := c.Resource(things).Namespace("n")
			c.PrependReactor("*", "*", func(clienttesting.Action) (bool, runtime.Object, error) { return true, answer.object, answer.err })
			for name, call := range map[string]func() (*unstructured.Unstructured, error){
				"Get": func() (*unstructured.Unstructured, error) { return n.Get(ctx, "a", metav1.GetOptions{}) },
				"Create": func() (*unstructured.Unstructured, error) {
					return n.Create(ctx, thing("n", "a"), metav1.CreateOptions{})
				},
				"Update": func() (*unstructured.Unstructured, error) {
					return n.Update(ctx, thing("n", "a"), metav1.UpdateOptions{})
				},
				"Patch": func() (*unstructured.Unstructured, error) {
					return n.Patch(ctx, "a", types.MergePatchType, []byte(`{}`), metav1.PatchOptions{})
				},
			} {
				q := &tape{}
				q.try(name, func() { show(q, name)(call()) })
				for _, line := range q.lines {
					p.printf("%s %s", answer.name, line)
				}
			}
			p.try("List", func() {
				list, err := n.List(ctx, metav1.ListOptions{})
				p.json(answer.name+" List", list)
				p.err(answer.name+" List", err)
			})
			p.err(answer.name+" Delete", n.Delete(ctx, "a", metav1.DeleteOptions{}))
		}
		slices.Sort(p.lines) // of a map
	})
	run(t, "watch", func(t *testing.T, p *tape) {
		c := client()
		w, err := c.Resource(things).Watch(ctx, metav1.ListOptions{LabelSelector: "a=b"})
		p.err("Watch", err)
		show(p, "Create")(c.Resource(things).Namespace("n").Create(ctx, thing("n", "a"), metav1.CreateOptions{}))
		select {
		case e := <-w.ResultChan():
			p.json("event", e)
		case <-time.After(5 * time.Second):
			p.printf("silent")
		}
		w.Stop()
		c.PrependWatchReactor("*", clienttesting.DefaultWatchReactor(nil, errors.New("no watch")))
		_, err = c.Resource(things).Watch(ctx, metav1.ListOptions{})
		p.err("Watch", err)
		p.actions(c.Actions())
	})
	run(t, "typed objects", func(t *testing.T, p *tape) {
		c := dynamicfake.NewSimpleDynamicClient(scheme.Scheme, newPod("a", 1), &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "x"}})
		show(p, "Get")(c.Resource(podResource).Namespace("n").Get(ctx, "a", metav1.GetOptions{}))
		show(p, "Patch strategic")(c.Resource(podResource).Namespace("n").Patch(ctx, "a", types.StrategicMergePatchType, []byte(`{"spec":{"nodeName":"x"}}`), metav1.PatchOptions{}))
		list, err := c.Resource(podResource).List(ctx, metav1.ListOptions{})
		p.json("List", list)
		p.err("List", err)
		list, err = c.Resource(corev1.SchemeGroupVersion.WithResource("nodes")).List(ctx, metav1.ListOptions{})
		p.json("List", list)
		p.err("List", err)
		p.try("unknown object", func() { dynamicfake.NewSimpleDynamicClient(scheme.Scheme, &unknownKind{}) })
		p.try("no list kind", func() { dynamicfake.NewSimpleDynamicClient(runtime.NewScheme(), thing("n", "a")) })
		p.try("list kind", func() {
			dynamicfake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), map[schema.GroupVersionResource]string{things: "Thing"})
		})
		p.try("same list kind", func() {
			dynamicfake.NewSimpleDynamicClientWithCustomListKinds(scheme.Scheme, map[schema.GroupVersionResource]string{podResource: "PodList"})
		})
	})
	run(t, "interface", func(t *testing.T, p *tape) {
		var c dynamic.Interface = client()
		p.printf("%T", c)
	})
}

// Calls of the fake metadata client.
func TestFakeMetadata(t *testing.T) {
	ctx := context.Background()
	run(t, "calls", func(t *testing.T, p *tape) {
		s := metadatafake.NewTestScheme()
		_ = metav1.AddMetaToScheme(s)
		object := func(namespace, name string) *metav1.PartialObjectMetadata {
			return &metav1.PartialObjectMetadata{
				TypeMeta:   metav1.TypeMeta{APIVersion: "example.com/v1", Kind: "Thing"},
				ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
			}
		}
		c := metadatafake.NewSimpleMetadataClient(s, object("n", "a"), object("n", "b"))
		n := c.Resource(things).Namespace("n")
		show := func(name string) func(m *metav1.PartialObjectMetadata, err error) {
			return func(m *metav1.PartialObjectMetadata, err error) {
				p.json(name, m)
				p.err(name, err)
			}
		}
		show("Get")(n.Get(ctx, "a", metav1.GetOptions{}))
		show("Get missing")(n.Get(ctx, "z", metav1.GetOptions{}))
		show("Patch")(n.Patch(ctx, "a", types.MergePatchType, []byte(`{"metadata":{"labels":{"x":"y"}}}`), metav1.PatchOptions{}))
		show("Patch strategic")(n.Patch(ctx, "a", types.StrategicMergePatchType, []byte(`{"metadata":{"labels":{"x":"z"}}}`), metav1.PatchOptions{}))
		list, err := n.List(ctx, metav1.ListOptions{LabelSelector: "x=z"})
		p.json("List", list)
		p.err("List", err)
		p.err("Delete", n.Delete(ctx, "a", metav1.DeleteOptions{}))
		p.err("Delete missing", n.Delete(ctx, "a", metav1.DeleteOptions{}))
		p.err("DeleteCollection", n.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}))
		show("Get")(n.Get(ctx, "b", metav1.GetOptions{}))
		if creator, ok := n.(metadatafake.MetadataClient); ok {
			show("CreateFake")(creator.CreateFake(object("n", "c"), metav1.CreateOptions{}))
			show("UpdateFake")(creator.UpdateFake(object("n", "d"), metav1.UpdateOptions{}))
		}
		p.actions(c.Actions())
		p.printf("%s", fmt.Sprintf("%T", c))
	})
}
