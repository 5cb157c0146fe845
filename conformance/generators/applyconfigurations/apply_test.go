package applyconfigurations_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	theirs "k8s.io/client-go/applyconfigurations"
	theircorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/kubernetes/scheme"

	ours "github.com/listwatch/listwatch/kubernetes/applyconfigurations"
	ourcorev1 "github.com/listwatch/listwatch/kubernetes/applyconfigurations/core/v1"
)

// whole are structs whose fields must fit together.
var whole = []string{"Quantity", "RawExtension", "IntOrString", "FieldsV1", "Time", "MicroTime"}

// filled returns a value of a type with something in every field, to a depth.
func filled(t reflect.Type, depth int) reflect.Value {
	v := reflect.New(t).Elem()
	if depth == 0 {
		return v
	}
	switch t.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("text %d", depth))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(depth))
	case reflect.Uint8:
		v.SetUint(uint64(depth))
	case reflect.Float64:
		v.SetFloat(float64(depth))
	case reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		v.Elem().Set(filled(t.Elem(), depth-1))
	case reflect.Slice:
		v.Set(reflect.Append(v, filled(t.Elem(), depth-1)))
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
		v.SetMapIndex(filled(t.Key(), 1), filled(t.Elem(), depth-1))
	case reflect.Struct:
		if slices.Contains(whole, t.Name()) {
			return v
		}
		for i := range t.NumField() {
			if t.Field(i).IsExported() {
				v.Field(i).Set(filled(t.Field(i).Type, depth-1))
			}
		}
	}
	return v
}

// call calls all methods whose names start with With twice, then those that start with Get, and
// returns the JSON of the configuration after each.
func call(t *testing.T, configuration any) map[string]string {
	t.Helper()
	results := map[string]string{}
	v := reflect.ValueOf(configuration)
	for i := range v.NumMethod() {
		name, method := v.Type().Method(i).Name, v.Method(i)
		var args []reflect.Value
		switch {
		case strings.HasPrefix(name, "With"):
			args = []reflect.Value{filled(method.Type().In(0), 4)}
		case !strings.HasPrefix(name, "Get"):
			continue
		}
		for range 2 {
			if method.Type().IsVariadic() {
				method.CallSlice(args)
				continue
			}
			method.Call(args)
		}
		text, err := json.Marshal(configuration)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		results[name] = string(text)
	}
	return results
}

// TestMethods calls the methods of the configurations of all types.
func TestMethods(t *testing.T) {
	types, calls := 0, 0
	for gv := range versions() {
		for _, kind := range kinds(gv) {
			their := theirs.ForKind(kind)
			our := ours.ForKind(kind)
			if (their == nil) != (our == nil) {
				t.Errorf("%s: theirs %T, ours %T", kind, their, our)
			}
			if their == nil || our == nil {
				continue
			}
			types++
			want, got := call(t, their), call(t, our)
			for name, text := range want {
				calls++
				if got[name] != text {
					t.Errorf("%s.%s: want %s, got %s", kind, name, text, got[name])
				}
			}
			if len(got) != len(want) {
				t.Errorf("%s: %d methods, want %d", kind, len(got), len(want))
			}
		}
	}
	t.Logf("%d methods of %d types", calls, types)
	if types < 150 || calls < 3000 {
		t.Errorf("called %d methods of %d types, want those of the built-in API", calls, types)
	}
}

// versions are the groups and versions of the built-in API.
func versions() map[schema.GroupVersion]bool {
	all := map[schema.GroupVersion]bool{}
	for kind := range scheme.Scheme.AllKnownTypes() {
		all[kind.GroupVersion()] = true
	}
	return all
}

// kinds are the kinds of a version, and the types of their fields.
func kinds(gv schema.GroupVersion) []schema.GroupVersionKind {
	names := map[string]bool{}
	var visit func(t reflect.Type, pkg string)
	visit = func(t reflect.Type, pkg string) {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Array:
			visit(t.Elem(), pkg)
		case reflect.Struct:
			if t.PkgPath() != pkg || names[t.Name()] {
				return
			}
			names[t.Name()] = true
			for i := range t.NumField() {
				visit(t.Field(i).Type, pkg)
			}
		}
	}
	for _, t := range scheme.Scheme.KnownTypes(gv) {
		if !strings.HasPrefix(t.PkgPath(), "k8s.io/apimachinery/") {
			visit(t, t.PkgPath())
		}
	}
	var all []schema.GroupVersionKind
	for name := range names {
		all = append(all, gv.WithKind(name))
	}
	return all
}

func TestExtract(t *testing.T) {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "b", Labels: map[string]string{"x": "y", "z": "w"}, ManagedFields: []metav1.ManagedFieldsEntry{{
			Manager: "m", Operation: metav1.ManagedFieldsOperationApply, APIVersion: "v1", FieldsType: "FieldsV1",
			FieldsV1: metav1.NewFieldsV1(`{"f:metadata":{"f:labels":{"f:x":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:name":{},"f:ports":{"k:{\"containerPort\":80,\"protocol\":\"TCP\"}":{".":{},"f:containerPort":{}}}}}}}`),
		}, {
			Manager: "m", Operation: metav1.ManagedFieldsOperationApply, APIVersion: "v1", FieldsType: "FieldsV1", Subresource: "status",
			FieldsV1: metav1.NewFieldsV1(`{"f:status":{"f:phase":{}}}`),
		}}},
		Spec:   corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "i", Ports: []corev1.ContainerPort{{ContainerPort: 80}, {ContainerPort: 81}}}}},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, Reason: "r"},
	}
	for name, c := range map[string]struct{ their, our func() (any, error) }{
		"main": {
			func() (any, error) { return theircorev1.ExtractPod(pod, "m") }, func() (any, error) { return ourcorev1.ExtractPod(pod, "m") },
		},
		"status": {
			func() (any, error) { return theircorev1.ExtractPodStatus(pod, "m") }, func() (any, error) { return ourcorev1.ExtractPodStatus(pod, "m") },
		},
		"another manager": {
			func() (any, error) { return theircorev1.ExtractPod(pod, "n") }, func() (any, error) { return ourcorev1.ExtractPod(pod, "n") },
		},
	} {
		t.Run(name, func(t *testing.T) {
			their, theirErr := c.their()
			our, ourErr := c.our()
			if theirErr != nil || ourErr != nil {
				t.Fatalf("theirs %v, ours %v", theirErr, ourErr)
			}
			want, _ := json.Marshal(their)
			got, _ := json.Marshal(our)
			if string(want) != string(got) {
				t.Errorf("want %s\ngot %s", want, got)
			}
			t.Log(string(got))
		})
	}
}
