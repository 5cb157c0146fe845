package drive

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/conformance/runtime/requests/transcript"
)

// driveLives performs the life of an object of each kind in each fake clientset, and records the
// result of each step and the events of a watch.
func (t Tree) driveLives(r *Recorder) error {
	for _, fake := range t.Fakes {
		clientset := fake.New()
		groups, err := t.groups(clientset, space)
		if err != nil {
			return err
		}
		for _, g := range groups {
			for _, k := range g.kinds {
				if !k.has("Create", "Update", "Delete", "DeleteCollection", "Get", "List", "Watch", "Patch") {
					continue
				}
				clientset.ClearActions()
				l := life{tree: t, kind: k, label: fmt.Sprintf("life %s %v", fake.Name, k)}
				if err := l.live(r); err != nil {
					return fmt.Errorf("%s: %w", l.label, err)
				}
				r.Record(transcript.Call{Name: l.label + " actions", Actions: Actions(clientset)})
			}
		}
	}
	return nil
}

// life is the life of one object in a fake clientset.
type life struct {
	tree  Tree
	kind  kind
	label string
}

// errNoWatch reports that the first step of a life failed.
var errNoWatch = errors.New("the object cannot be watched")

// live performs the steps of the object's life, and records at the end the events of a watch.
func (l life) live(r *Recorder) error {
	var w watch.Interface
	for _, s := range l.steps() {
		c := transcript.Call{Name: l.label + " " + s.name}
		args, err := s.args()
		if err != nil {
			return err
		}
		for _, v := range l.call(&c, s.method, args...) {
			if started, ok := v.(watch.Interface); ok {
				w = started
			}
		}
		r.Record(c)
	}
	if w == nil {
		return errNoWatch
	}
	defer w.Stop()
	return l.told(r, w)
}

// step is one call of a method; arguments are created immediately before it.
type step struct {
	name, method string
	args         func() ([]any, error)
}

func (l life) steps() []step {
	const dot = `{"metadata":{"annotations":{"dot":"yes"}}}`
	plain := func(args ...any) func() ([]any, error) { return func() ([]any, error) { return args, nil } }
	object := func(colour string, options any) func() ([]any, error) {
		return func() ([]any, error) {
			o, err := l.tree.newObject(l.kind.object, l.kind.namespace, name, "")
			if err == nil {
				o.(metav1.Object).SetLabels(map[string]string{"colour": colour})
			}
			return []any{o, options}, err
		}
	}
	patch := func(kind types.PatchType, body string) func() ([]any, error) {
		return plain(name, kind, []byte(body), metav1.PatchOptions{FieldManager: "driver"})
	}
	return []step{
		{"is watched", "Watch", plain(metav1.ListOptions{})},
		{"is not there", "Get", plain(name, metav1.GetOptions{})},
		{"cannot be updated", "Update", object("red", metav1.UpdateOptions{})},
		{"cannot be patched", "Patch", patch(types.MergePatchType, dot)},
		{"cannot be deleted", "Delete", plain(name, metav1.DeleteOptions{})},
		{"is created", "Create", object("blue", metav1.CreateOptions{FieldManager: "driver"})},
		{"cannot be created twice", "Create", object("red", metav1.CreateOptions{})},
		{"is got", "Get", plain(name, metav1.GetOptions{})},
		{"is listed", "List", plain(metav1.ListOptions{})},
		{"is listed by its label", "List", plain(metav1.ListOptions{LabelSelector: "colour=blue"})},
		{"is not listed by another", "List", plain(metav1.ListOptions{LabelSelector: "colour=red"})},
		{"is updated", "Update", object("red", metav1.UpdateOptions{FieldManager: "driver"})},
		{"is patched by a merge", "Patch", patch(types.MergePatchType, dot)},
		{"is patched by operations", "Patch", patch(types.JSONPatchType, `[{"op":"replace","path":"/metadata/labels/colour","value":"pink"}]`)},
		{"is patched by strategy", "Patch", patch(types.StrategicMergePatchType, `{"metadata":{"finalizers":["a"]}}`)},
		{"is patched with an invalid patch", "Patch", patch(types.MergePatchType, `{`)},
		{"is patched with an unknown patch type", "Patch", patch("nonsense", dot)},
		{"fails a test", "Patch", patch(types.JSONPatchType, `[{"op":"test","path":"/metadata/name","value":"other"}]`)},
		{"loses its finalizers", "Patch", patch(types.MergePatchType, `{"metadata":{"finalizers":null}}`)},
		{"is got again", "Get", plain(name, metav1.GetOptions{})},
		{"is deleted", "Delete", plain(name, metav1.DeleteOptions{})},
		{"is gone", "Get", plain(name, metav1.GetOptions{})},
		{"is created again", "Create", object("blue", metav1.CreateOptions{})},
		{"is deleted with all", "DeleteCollection", plain(metav1.DeleteOptions{}, metav1.ListOptions{})},
		{"is no longer listed", "List", plain(metav1.ListOptions{})},
	}
}

// call calls a method of the kind and records its results.
func (l life) call(c *transcript.Call, method string, args ...any) (results []any) {
	defer Recovered(c)
	values := []reflect.Value{reflect.ValueOf(context.Background())}
	for _, arg := range args {
		values = append(values, reflect.ValueOf(arg))
	}
	for _, v := range l.kind.client.MethodByName(method).Call(values) {
		results = append(results, v.Interface())
		switch v := v.Interface().(type) {
		case nil, watch.Interface:
		case error:
			Fail(c, v)
		default:
			timeless(v)
			c.Result = text(v)
		}
	}
	return results
}

// told records the events of a watch up to now. The last one is the event of a final object, the
// mark.
func (l life) told(r *Recorder, w watch.Interface) error {
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	const last = "mark"
	mark, err := l.tree.newObject(l.kind.object, l.kind.namespace, last, "")
	if err != nil {
		return err
	}
	c := transcript.Call{Name: l.label + " in the watch's events"}
	l.call(&c, "Create", mark, metav1.CreateOptions{})
	for done := c.Error != ""; !done; {
		select {
		case e := <-w.ResultChan():
			timeless(e.Object)
			c.Events = append(c.Events, string(e.Type)+" "+text(e.Object))
			o, ok := e.Object.(metav1.Object)
			done = ok && o.GetName() == last
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	r.Record(c)
	return nil
}
