package clientcmd

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
)

// set returns a T whose fields are all set, to values that contain name.
func set[T any](t *testing.T, name string) *T {
	t.Helper()
	v := new(T)
	setFields(t, reflect.ValueOf(v).Elem(), name)
	return v
}

func setFields(t *testing.T, v reflect.Value, name string) {
	t.Helper()
	extension := &runtime.Unknown{Raw: []byte(name)}
	for i := range v.NumField() {
		field := v.Field(i)
		var value any
		switch field.Interface().(type) {
		case string:
			value = name
		case bool:
			value = true
		case []byte:
			value = []byte(name)
		case []string:
			value = []string{name}
		case map[string][]string:
			value = map[string][]string{name: {name}, "both": {name}}
		case map[string]runtime.Object:
			value = map[string]runtime.Object{name: extension, "both": extension}
		case map[string]*api.Cluster:
			value = map[string]*api.Cluster{name: {Server: name}, "both": {Server: name}}
		case map[string]*api.AuthInfo:
			value = map[string]*api.AuthInfo{name: {Token: name}, "both": {Token: name}}
		case map[string]*api.Context:
			value = map[string]*api.Context{name: {Cluster: name}, "both": {Cluster: name}}
		case *api.AuthProviderConfig:
			value = &api.AuthProviderConfig{Name: name}
		case *api.ExecConfig:
			value = &api.ExecConfig{Command: name}
		case api.Preferences:
			setFields(t, field, name)
			continue
		default:
			t.Fatalf("no value for %s", field.Type())
		}
		field.Set(reflect.ValueOf(value))
	}
}

// addEntries adds the entry of other to all maps in the fields of v, as set does.
func addEntries(v reflect.Value, other string) {
	for i := range v.NumField() {
		field := v.Field(i)
		switch field.Kind() {
		case reflect.Struct:
			addEntries(field, other)
		case reflect.Map:
			var added reflect.Value
			switch field.Interface().(type) {
			case map[string][]string:
				added = reflect.ValueOf([]string{other})
			case map[string]runtime.Object:
				added = reflect.ValueOf(&runtime.Unknown{Raw: []byte(other)})
			case map[string]*api.Cluster:
				added = reflect.ValueOf(&api.Cluster{Server: other})
			case map[string]*api.AuthInfo:
				added = reflect.ValueOf(&api.AuthInfo{Token: other})
			case map[string]*api.Context:
				added = reflect.ValueOf(&api.Context{Cluster: other})
			}
			field.SetMapIndex(reflect.ValueOf(other), added)
		}
	}
}

// check merges into a value with all fields, and into one with none; no field may be forgotten.
func check[T any](t *testing.T, merge func(dst, src *T), winner string) {
	t.Helper()
	dst, src, want := set[T](t, "dst"), set[T](t, "src"), set[T](t, winner)
	merge(dst, src)
	addEntries(reflect.ValueOf(want).Elem(), map[string]string{"dst": "src", "src": "dst"}[winner])
	if d := cmp.Diff(want, dst, cmp.Comparer(same)); d != "" {
		t.Errorf("%T (-want +got):\n%s", *dst, d)
	}
	empty := new(T)
	merge(empty, src)
	if !reflect.DeepEqual(empty, src) {
		t.Errorf("%T: got %v, want %v", *dst, empty, src)
	}
	merge(dst, new(T))
	if d := cmp.Diff(want, dst, cmp.Comparer(same)); d != "" {
		t.Errorf("%T, after nothing was merged (-want +got):\n%s", *dst, d)
	}
}

func same(a, b runtime.Object) bool { return reflect.DeepEqual(a, b) }

func TestMerge(t *testing.T) {
	check(t, fillConfig, "dst")
	check(t, overrideContext, "src")
	check(t, overrideCluster, "src")
	check(t, overrideAuthInfo, "src")
}
