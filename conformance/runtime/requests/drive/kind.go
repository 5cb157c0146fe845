package drive

import (
	"fmt"
	"reflect"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// group is one typed group client: AppsV1 of a clientset.
type group struct {
	name   string
	client reflect.Value
	kinds  []kind
}

// kind is one typed client: Deployments of AppsV1.
type kind struct {
	// group and getter are "AppsV1" and "Deployments".
	group, getter string
	// client implements the interface whose methods are driven.
	client reflect.Value
	// methods are those of that interface.
	methods []reflect.Method
	// object is the kind's Go type, such as *Deployment; nil if no method returns it.
	object reflect.Type
	// version is the kind's apiVersion; empty if object is nil.
	version string
	// namespace is the client's namespace; empty if it has none.
	namespace string
}

func (k kind) String() string { return k.group + "." + k.getter }

// of returns the same kind of another clientset.
func (k kind) of(clientset any) kind {
	k.client = k.get(reflect.ValueOf(clientset).MethodByName(k.group).Call(nil)[0])
	return k
}

func (k kind) get(group reflect.Value) reflect.Value {
	getter := group.MethodByName(k.getter)
	args := []reflect.Value{reflect.ValueOf(k.namespace)}
	return getter.Call(args[:getter.Type().NumIn()])[0]
}

// groups finds all typed clients of a clientset, for one namespace.
func (t Tree) groups(clientset any, namespace string) ([]group, error) {
	var found []group
	set := reflect.ValueOf(clientset).Convert(t.Interface)
	for name, client := range getters(set) {
		if name == "Discovery" || !t.drives(name) {
			continue
		}
		g := group{name: name, client: client}
		for _, m := range methods(client.Type()) {
			if m.Name == "RESTClient" {
				continue
			}
			k := kind{group: name, getter: m.Name, methods: t.methods(m.Type.Out(0))}
			if m.Type.NumIn() == 1 {
				k.namespace = namespace
			}
			k.client = k.get(client)
			if k.object = objectOf(k.methods); k.object != nil {
				gvk, err := t.kindOf(k.object)
				if err != nil {
					return nil, err
				}
				k.version = gvk.GroupVersion().String()
			}
			g.kinds = append(g.kinds, k)
		}
		found = append(found, g)
	}
	return found, nil
}

// getters yields the results of those methods of v that take nothing and return one interface, by
// the method's name, in order.
func getters(v reflect.Value) func(yield func(string, reflect.Value) bool) {
	return func(yield func(string, reflect.Value) bool) {
		t := v.Type()
		for i := range t.NumMethod() {
			m := v.Method(i)
			if m.Type().NumIn() != 0 || m.Type().NumOut() != 1 || m.Type().Out(0).Kind() != reflect.Interface {
				continue
			}
			if !yield(t.Method(i).Name, m.Call(nil)[0]) {
				return
			}
		}
	}
}

// methods returns the methods of a client that are driven.
func (t Tree) methods(client reflect.Type) []reflect.Method {
	return slices.DeleteFunc(methods(client), func(m reflect.Method) bool {
		return t.ByHand != nil && t.ByHand.MatchString(m.Name)
	})
}

func methods(t reflect.Type) []reflect.Method {
	var all []reflect.Method
	for i := range t.NumMethod() {
		all = append(all, t.Method(i))
	}
	return all
}

// objectOf determines the Go type of a kind from the results of its methods.
func objectOf(methods []reflect.Method) reflect.Type {
	returned := map[string]reflect.Type{}
	for _, m := range methods {
		if m.Type.NumOut() == 2 {
			returned[m.Name] = m.Type.Out(0)
		}
	}
	for _, name := range []string{"Get", "Create", "Update", "Patch", "Apply"} {
		if t, ok := returned[name]; ok {
			return t
		}
	}
	if list, ok := returned["List"]; ok {
		return itemOf(list)
	}
	return nil
}

// itemOf returns the pointer type of a list's items, nil if t is not a list.
func itemOf(t reflect.Type) reflect.Type {
	if t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct {
		return nil
	}
	items, ok := t.Elem().FieldByName("Items")
	if !ok || items.Type.Kind() != reflect.Slice || !t.Implements(reflect.TypeFor[metav1.ListInterface]()) {
		return nil
	}
	item := items.Type.Elem()
	if item.Kind() != reflect.Pointer {
		item = reflect.PointerTo(item)
	}
	return item
}

// kindOf returns the group, version and kind of a Go type.
func (t Tree) kindOf(object reflect.Type) (schema.GroupVersionKind, error) {
	o, ok := reflect.New(object.Elem()).Interface().(runtime.Object)
	if !ok {
		return schema.GroupVersionKind{}, fmt.Errorf("%v is no object", object)
	}
	kinds, _, err := t.Scheme.ObjectKinds(o)
	if err != nil {
		return schema.GroupVersionKind{}, err
	}
	return kinds[0], nil
}

// newObject returns an object as a server would send it, but without a kind if the scheme does not
// contain the type, such as types of methods from a package without clients.
func (t Tree) newObject(object reflect.Type, namespace, name, version string) (runtime.Object, error) {
	gvk, err := t.kindOf(object)
	if err != nil && !runtime.IsNotRegisteredError(err) {
		return nil, err
	}
	o := reflect.New(object.Elem()).Interface().(runtime.Object)
	o.GetObjectKind().SetGroupVersionKind(gvk)
	if meta, ok := o.(metav1.Object); ok {
		meta.SetNamespace(namespace)
		meta.SetName(name)
		meta.SetResourceVersion(version)
		meta.SetLabels(map[string]string{"colour": "blue"})
	}
	return o, nil
}
