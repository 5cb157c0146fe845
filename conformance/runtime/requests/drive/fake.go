package drive

import (
	"errors"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/testing"

	"github.com/listwatch/listwatch/conformance/runtime/requests/transcript"
)

// driveFakes calls each method of each kind on each fake clientset.
func (t Tree) driveFakes(r *Recorder) error {
	for _, fake := range t.Fakes {
		clientset := fake.New()
		r.Record(discover(clientset, func(c *transcript.Call) {
			c.Name, c.Actions = "fake "+fake.Name+" Discovery.ServerVersion", Actions(clientset)
		}))
		groups, err := t.groups(clientset, space)
		if err != nil {
			return err
		}
		for _, g := range groups {
			for _, k := range g.kinds {
				for _, m := range k.methods {
					if err := t.driveFake(r, fake, k, m); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// driveFake calls a method in each shape, each on its own fake clientset; then once more with a
// reactor.
func (t Tree) driveFake(r *Recorder, fake Fake, k kind, m reflect.Method) error {
	name := fmt.Sprintf("fake %s %v.%s ", fake.Name, k, m.Name)
	var plain []transcript.Action
	for _, s := range shapesFor(m) {
		clientset, err := t.newFake(fake, k, s)
		if err != nil {
			return err
		}
		if s.refused {
			refuse(clientset)
		}
		c := transcript.Call{Name: name + s.name}
		if err := call(&c, k.of(clientset), m, s, false); err != nil {
			return err
		}
		c.Actions = Actions(clientset)
		r.Record(c)
		if s.name == shapes[0].name {
			plain = c.Actions
		}
	}
	if len(plain) != 1 {
		return fmt.Errorf("%s records %d actions", name, len(plain))
	}
	clientset := fake.New()
	if err := t.answer(clientset, plain[0], k, m); err != nil {
		return err
	}
	c := transcript.Call{Name: name + "answered"}
	if err := call(&c, k.of(clientset), m, shapes[0], true); err != nil {
		return err
	}
	c.Actions = Actions(clientset)
	r.Record(c)
	return nil
}

// newFake returns a fake clientset. It contains the object of the call only if not all options are
// set, so that both cases are covered.
func (t Tree) newFake(fake Fake, k kind, s shape) (testing.FakeClient, error) {
	if k.object == nil || s.options {
		return fake.New(), nil
	}
	object, err := t.newObject(k.object, k.namespace, name, "1")
	if err != nil {
		return nil, err
	}
	return fake.New(object), nil
}

// refuse makes all calls of a fake clientset fail.
func refuse(clientset testing.FakeClient) {
	err := errors.New("the reactor does not want to")
	clientset.PrependReactor("*", "*", func(testing.Action) (bool, runtime.Object, error) {
		return true, nil, err
	})
	clientset.PrependWatchReactor("*", func(testing.Action) (bool, watch.Interface, error) {
		return true, nil, err
	})
}

// answer makes a fake clientset handle a method's action, and no other.
func (t Tree) answer(clientset testing.FakeClient, a transcript.Action, k kind, m reflect.Method) error {
	object := k.object
	if m.Type.NumOut() == 2 && m.Type.Out(0).Kind() == reflect.Pointer {
		object = m.Type.Out(0)
	}
	if object == nil {
		return nil
	}
	answer, err := t.newObject(object, k.namespace, "answered", "9")
	if err != nil {
		return err
	}
	resource := a.Resource
	if a.Subresource != "" {
		resource += "/" + a.Subresource
	}
	clientset.PrependReactor(a.Verb, resource, func(testing.Action) (bool, runtime.Object, error) {
		return true, answer, nil
	})
	clientset.PrependWatchReactor(resource, func(testing.Action) (bool, watch.Interface, error) {
		w := watch.NewFakeWithOptions(watch.FakeOptions{ChannelSize: 1})
		w.Add(answer)
		w.Stop()
		return true, w, nil
	})
	return nil
}

// Actions returns the actions that a fake clientset recorded.
func Actions(clientset testing.FakeClient) []transcript.Action {
	var all []transcript.Action
	for _, a := range clientset.Actions() {
		gvr := a.GetResource()
		recorded := transcript.Action{
			Type: reflect.TypeOf(a).Name(), Verb: a.GetVerb(),
			Group: gvr.Group, Version: gvr.Version, Resource: gvr.Resource, Subresource: a.GetSubresource(),
			Namespace: a.GetNamespace(), Detail: text(a),
		}
		switch a := a.(type) {
		case testing.ListActionImpl:
			recorded.Selectors = fmt.Sprint(a.ListRestrictions)
		case testing.DeleteCollectionActionImpl:
			recorded.Selectors = fmt.Sprint(a.ListRestrictions)
		case testing.WatchActionImpl:
			recorded.Selectors = fmt.Sprint(a.WatchRestrictions)
		}
		all = append(all, recorded)
	}
	return all
}
