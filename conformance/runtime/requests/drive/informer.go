package drive

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"

	"github.com/listwatch/listwatch/conformance/runtime/requests/transcript"
)

// Informers drives the informers of one generated tree.
type Informers struct {
	// Factory returns a shared informer factory for a clientset, fake or not.
	Factory func(client any) Factory
	// ForResource calls the factory's method of that name.
	ForResource func(Factory, schema.GroupVersionResource) (GenericInformer, error)
}

// Factory is the common interface of the shared informer factories of all trees.
type Factory interface {
	Start(stop <-chan struct{})
	StartWithContext(context.Context)
	Shutdown()
	WaitForCacheSync(stop <-chan struct{}) map[reflect.Type]bool
	WaitForCacheSyncWithContext(context.Context) cache.SyncResult
	InformerName() *cache.InformerName
}

// GenericInformer is the result of ForResource in all trees.
type GenericInformer interface {
	Informer() cache.SharedIndexInformer
	Lister() cache.GenericLister
}

// informer is an informer of a factory, with its collection.
type informer struct {
	// name is "Apps.V1.Deployments".
	name string
	// value has the methods Informer, TypedInformer and Lister.
	value reflect.Value
	Collection
	log Log
}

func (i informer) shared() cache.SharedIndexInformer {
	return i.value.MethodByName("Informer").Call(nil)[0].Interface().(cache.SharedIndexInformer)
}

// source is where a scenario changes objects without a client.
type source interface {
	Set(Collection, metav1.Object) error
	Remove(Collection, metav1.Object) error
}

// Drive runs a factory with all informers with a server that supports WatchList, with one that does
// not, and with each fake clientset.
func (i Informers) Drive(t Tree, r *Recorder) error {
	collections, err := t.Collections()
	if err != nil {
		return err
	}
	for _, label := range []string{"streaming", "listing"} {
		server := NewServer(label == "streaming", collections...)
		clientset, err := t.Client(Config(server.URL))
		if err != nil {
			return err
		}
		run := scenario{Informers: i, tree: t, label: "informer " + label, clientset: clientset, source: server, requests: server.Requests}
		if err := run.drive(r, collections); err != nil {
			return fmt.Errorf("%s: %w", run.label, err)
		}
		server.Close()
	}
	for _, fake := range t.Fakes {
		clientset := fake.New()
		run := scenario{Informers: i, tree: t, label: "informer " + fake.Name, clientset: clientset, source: tracker{clientset.Tracker()}}
		if err := run.drive(r, collections); err != nil {
			return fmt.Errorf("%s: %w", run.label, err)
		}
	}
	return nil
}

// tracker changes the objects of a fake clientset.
type tracker struct{ testing.ObjectTracker }

// Set implements source.
func (t tracker) Set(c Collection, o metav1.Object) error {
	if _, err := t.Get(c.Resource, o.GetNamespace(), o.GetName()); err != nil {
		return t.Create(c.Resource, o.(runtime.Object), o.GetNamespace())
	}
	return t.Update(c.Resource, o.(runtime.Object), o.GetNamespace())
}

// Remove implements source.
func (t tracker) Remove(c Collection, o metav1.Object) error {
	return t.Delete(c.Resource, o.GetNamespace(), o.GetName())
}

// scenario is the life of a factory: an object exists at the start, one is added and updated, the
// first is deleted, and the factory is shut down.
type scenario struct {
	Informers
	tree      Tree
	label     string
	clientset any
	source    source
	// requests returns the requests for a collection; nil if there is no server.
	requests func(Collection) []transcript.Request
}

func (s scenario) drive(r *Recorder, collections []Collection) error {
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()

	factory := s.Factory(s.clientset)
	informers, err := s.informers(factory, collections)
	if err != nil {
		return err
	}
	for _, i := range informers {
		if err = s.set(i.Collection, "first", "blue"); err != nil {
			// A tracker with field management rejects kinds of which it has no schema.
			r.Record(transcript.Call{Name: s.label, Error: err.Error()})
			return nil
		}
		if _, err = i.shared().AddEventHandler(i.log.Handler()); err != nil {
			return err
		}
	}
	factory.StartWithContext(ctx)
	r.Record(s.synced(ctx, factory))
	for _, i := range informers {
		r.Record(s.follow(ctx, factory, i))
	}
	_, err = s.ForResource(factory, schema.GroupVersionResource{Group: "no.such", Version: "v1", Resource: "things"})
	r.Record(transcript.Call{Name: s.label + " ForResource unknown", Error: fmt.Sprint(err)})

	cancel()
	factory.Shutdown()
	stopped := transcript.Call{Name: s.label + " Shutdown"}
	for _, i := range informers {
		stopped.Events = append(stopped.Events, fmt.Sprintf("%s stopped=%v", i.name, i.shared().IsStopped()))
	}
	r.Record(stopped)
	return nil
}

// informers finds all informers of a factory, in the order of their names.
func (s scenario) informers(factory Factory, collections []Collection) ([]informer, error) {
	var found []informer
	for group, versions := range getters(reflect.ValueOf(factory)) {
		for version, kinds := range getters(versions) {
			if !s.tree.drives(group + version) {
				continue
			}
			for kind, value := range getters(kinds) {
				i := informer{name: group + "." + version + "." + kind, value: value, log: NewLog()}
				object := i.lister().MethodByName("List").Type().Out(0).Elem()
				at := slices.IndexFunc(collections, func(c Collection) bool { return c.Object == object })
				if at < 0 {
					return nil, fmt.Errorf("%s: %w", i.name, errNoCollection)
				}
				i.Collection = collections[at]
				found = append(found, i)
			}
		}
	}
	return found, nil
}

func (i informer) lister() reflect.Value { return i.value.MethodByName("Lister").Call(nil)[0] }

// synced waits for the factory and records what it returns about its informers.
func (s scenario) synced(ctx context.Context, factory Factory) transcript.Call {
	c := transcript.Call{Name: s.label + " WaitForCacheSync"}
	result := factory.WaitForCacheSyncWithContext(ctx)
	for t, ok := range result.Synced {
		c.Events = append(c.Events, fmt.Sprintf("%v %v", t, ok))
	}
	for t, ok := range factory.WaitForCacheSync(ctx.Done()) {
		c.Events = append(c.Events, fmt.Sprintf("%v %v by channel", t, ok))
	}
	slices.Sort(c.Events)
	if err := result.AsError(); err != nil {
		c.Error = err.Error()
	}
	return c
}

// follow changes the objects of one informer, step by step, and records the calls of its handler
// and the final results of the listers.
func (s scenario) follow(ctx context.Context, factory Factory, i informer) transcript.Call {
	c := transcript.Call{Name: s.label + " " + i.name}
	steps := []func() error{
		func() error { return nil },
		func() error { return s.set(i.Collection, "second", "green") },
		func() error { return s.set(i.Collection, "second", "red") },
		func() error { return s.remove(i.Collection, "first") },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			c.Error = err.Error()
			return c
		}
		events, err := i.log.Next(ctx, 1)
		c.Events = append(c.Events, events...)
		if err != nil {
			c.Error = err.Error()
			return c
		}
	}
	c.Events = append(c.Events, fmt.Sprintf("indices: %v", Indices(i.shared())))
	c.Events = append(c.Events, listed("Lister", i.lister(), i.namespace())...)
	generic, err := s.ForResource(factory, i.Resource)
	if err != nil {
		c.Error = err.Error()
		return c
	}
	c.Events = append(c.Events, fmt.Sprintf("ForResource is the same: %v", generic.Informer().GetStore() == i.shared().GetStore()))
	c.Events = append(c.Events, listed("ForResource", reflect.ValueOf(generic.Lister()), i.namespace())...)
	if s.requests != nil {
		c.Requests = s.requests(i.Collection)
	}
	return c
}

// Indices returns the names of an informer's indices.
func Indices(i cache.SharedIndexInformer) []string {
	return slices.Sorted(maps.Keys(i.GetIndexer().GetIndexers()))
}

// listed records the results of a lister for an existing object, a deleted one, and all; also for a
// namespace, if it has any.
func listed(label string, lister reflect.Value, namespace string) []string {
	notes := []string{label + " " + results(lister.MethodByName("List"), labels.Everything())}
	blue := labels.SelectorFromSet(labels.Set{"colour": "blue"})
	notes = append(notes, label+" blue "+results(lister.MethodByName("List"), blue))
	if namespace != metav1.NamespaceAll {
		lister = inNamespace(lister, namespace)
		notes = append(notes, label+" in namespace "+results(lister.MethodByName("List"), labels.Everything()))
	}
	get := lister.MethodByName("Get")
	return append(notes, label+" second "+results(get, "second"), label+" first "+results(get, "first"))
}

// inNamespace returns the lister of a namespace, from the only method that takes a string and has a
// single result.
func inNamespace(lister reflect.Value, namespace string) reflect.Value {
	for i := range lister.NumMethod() {
		t := lister.Method(i).Type()
		if t.NumIn() == 1 && t.In(0).Kind() == reflect.String && t.NumOut() == 1 {
			return lister.Method(i).Call([]reflect.Value{reflect.ValueOf(namespace)})[0]
		}
	}
	return lister
}

// results calls a method and describes its results.
func results(method reflect.Value, arg any) string {
	var words []any
	for _, v := range method.Call([]reflect.Value{reflect.ValueOf(arg)}) {
		words = append(words, word(v))
	}
	return fmt.Sprint(words...)
}

func word(v reflect.Value) any {
	if v.Kind() == reflect.Slice {
		var each []any
		for i := range v.Len() {
			each = append(each, word(v.Index(i)))
		}
		return each
	}
	if o, ok := v.Interface().(metav1.Object); ok && !v.IsNil() {
		return describe(o)
	}
	return v.Interface()
}

func (s scenario) set(c Collection, name, colour string) error {
	o, err := s.tree.newObject(c.Object, c.namespace(), name, "")
	if err != nil {
		return err
	}
	object := o.(metav1.Object)
	object.SetLabels(map[string]string{"colour": colour})
	return s.source.Set(c, object)
}

func (s scenario) remove(c Collection, name string) error {
	o, err := s.tree.newObject(c.Object, c.namespace(), name, "")
	if err != nil {
		return err
	}
	return s.source.Remove(c, o.(metav1.Object))
}
