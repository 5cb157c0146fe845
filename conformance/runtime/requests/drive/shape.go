package drive

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// The names in arguments.
const (
	space = "here"
	name  = "thing"
)

// shape is one way of filling in the arguments of a method.
type shape struct {
	name string
	// options reports whether every field of the options is set.
	options bool
	// empty reports whether names are empty, and pointers nil.
	empty bool
	// nameless reports whether apply configurations have no name.
	nameless bool
	// refused reports whether the server, or a reactor, must reject the call.
	refused bool
	// patch and subresources are for methods that take a patch type.
	patch        types.PatchType
	subresources []string
}

var (
	shapes = []shape{
		{name: "plain", patch: types.JSONPatchType},
		{name: "full", options: true, patch: types.MergePatchType, subresources: []string{"status"}},
		{name: "empty", empty: true, patch: types.MergePatchType},
		{name: "refused", refused: true, patch: types.StrategicMergePatchType},
	}
	patchShapes = []shape{
		{name: "strategic", patch: types.StrategicMergePatchType, subresources: []string{"one", "two"}},
		{name: "apply", options: true, patch: types.ApplyPatchType},
	}
	applyShapes = []shape{{name: "nameless", nameless: true}}
)

// shapesFor returns the shapes that make a difference for a method.
func shapesFor(m reflect.Method) []shape {
	fitting := slices.Clone(shapes)
	for i := range m.Type.NumIn() {
		switch t := m.Type.In(i); {
		case t == reflect.TypeFor[types.PatchType]():
			fitting = append(fitting, patchShapes...)
		case t.Implements(reflect.TypeFor[configuration]()):
			fitting = append(fitting, applyShapes...)
		}
	}
	return fitting
}

// configuration is the common interface of apply configurations.
type configuration interface{ GetName() *string }

// arguments returns arguments for all parameters of a method of a kind.
func (s shape) arguments(k kind, m reflect.Method) ([]reflect.Value, error) {
	var args []reflect.Value
	for i := range m.Type.NumIn() {
		if m.Type.IsVariadic() && i == m.Type.NumIn()-1 {
			for _, sub := range s.subresources {
				args = append(args, reflect.ValueOf(sub))
			}
			break
		}
		arg, err := s.value(k, m.Type.In(i))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		args = append(args, arg)
	}
	return args, nil
}

// value returns an argument of type t.
func (s shape) value(k kind, t reflect.Type) (reflect.Value, error) {
	switch t {
	case reflect.TypeFor[context.Context]():
		return reflect.ValueOf(context.Background()), nil
	case reflect.TypeFor[types.PatchType]():
		return reflect.ValueOf(s.patch), nil
	case reflect.TypeFor[[]byte]():
		return reflect.ValueOf(s.patchBody()), nil
	}
	if full, ok := fullOptions[t]; ok {
		if s.options {
			return reflect.ValueOf(full), nil
		}
		return reflect.Zero(t), nil
	}
	switch t.Kind() {
	case reflect.String:
		if s.empty {
			return reflect.Zero(t), nil
		}
		return reflect.ValueOf(name).Convert(t), nil
	case reflect.Pointer:
		return s.pointer(k, t)
	}
	return reflect.Value{}, fmt.Errorf("no argument of type %v", t)
}

// fullOptions are options with every field set that a client may set.
var fullOptions = map[reflect.Type]any{
	reflect.TypeFor[metav1.GetOptions](): metav1.GetOptions{ResourceVersion: "7"},
	reflect.TypeFor[metav1.ListOptions](): metav1.ListOptions{
		LabelSelector: "colour in (blue,red)", FieldSelector: "metadata.name=thing",
		AllowWatchBookmarks: true, ResourceVersion: "7",
		ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
		TimeoutSeconds:       new(int64(30)), Limit: 500, Continue: "next", SendInitialEvents: new(true),
	},
	reflect.TypeFor[metav1.CreateOptions](): metav1.CreateOptions{
		DryRun: []string{metav1.DryRunAll}, FieldManager: "driver", FieldValidation: metav1.FieldValidationStrict,
	},
	reflect.TypeFor[metav1.UpdateOptions](): metav1.UpdateOptions{
		DryRun: []string{metav1.DryRunAll}, FieldManager: "driver", FieldValidation: metav1.FieldValidationWarn,
	},
	reflect.TypeFor[metav1.PatchOptions](): metav1.PatchOptions{
		DryRun: []string{metav1.DryRunAll}, Force: new(true), FieldManager: "driver",
		FieldValidation: metav1.FieldValidationIgnore,
	},
	reflect.TypeFor[metav1.ApplyOptions](): metav1.ApplyOptions{
		DryRun: []string{metav1.DryRunAll}, Force: true, FieldManager: "driver",
	},
	reflect.TypeFor[metav1.DeleteOptions](): metav1.DeleteOptions{
		GracePeriodSeconds: new(int64(5)),
		Preconditions:      &metav1.Preconditions{UID: new(types.UID("1-2-3")), ResourceVersion: new("7")},
		PropagationPolicy:  new(metav1.DeletePropagationForeground), DryRun: []string{metav1.DryRunAll},
	},
}

func (s shape) patchBody() []byte {
	switch s.patch {
	case types.JSONPatchType:
		return []byte(`[{"op":"add","path":"/metadata/labels","value":{"colour":"red"}}]`)
	case types.ApplyPatchType:
		return []byte(`{"metadata":{"name":"thing","labels":{"colour":"red"}}}`)
	}
	return []byte(`{"metadata":{"labels":{"colour":"red"}}}`)
}

// pointer returns an object or an apply configuration.
func (s shape) pointer(k kind, t reflect.Type) (reflect.Value, error) {
	v := reflect.New(t.Elem())
	object, isObject := v.Interface().(metav1.Object)
	_, isConfiguration := v.Interface().(configuration)
	switch {
	case !isObject && !isConfiguration:
		return v, fmt.Errorf("%v is neither an object nor an apply configuration", t)
	case s.empty && isConfiguration:
		return reflect.Zero(t), nil
	case s.empty:
		return v, nil
	case isObject:
		object.SetName(name)
		object.SetNamespace(k.namespace)
		object.SetLabels(map[string]string{"colour": "green"})
		if s.options {
			object.SetAnnotations(map[string]string{"note": "a & <b>"})
			object.SetResourceVersion("7")
		}
		return v, nil
	}
	return v, s.configure(k, v)
}

// configure fills in an apply configuration with its With methods.
func (s shape) configure(k kind, v reflect.Value) error {
	fill := map[string]any{
		"WithName":       name,
		"WithKind":       strings.TrimSuffix(v.Type().Elem().Name(), "ApplyConfiguration"),
		"WithAPIVersion": k.version,
	}
	if k.namespace != "" {
		fill["WithNamespace"] = k.namespace
	}
	if s.options {
		fill["WithLabels"] = map[string]string{"colour": "green"}
	}
	if s.nameless {
		delete(fill, "WithName")
	}
	for with, arg := range fill {
		m := v.MethodByName(with)
		if !m.IsValid() {
			return fmt.Errorf("%v has no %s", v.Type(), with)
		}
		m.Call([]reflect.Value{reflect.ValueOf(arg)})
	}
	return nil
}
