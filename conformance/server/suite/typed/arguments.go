package typed

import (
	"context"
	"encoding/json"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	kjson "sigs.k8s.io/json"
)

// arguments returns the arguments of a method after the context.
func (m *maker) arguments(method reflect.Method) ([]reflect.Value, error) {
	options, err := m.options(method)
	if err != nil {
		return nil, err
	}
	var args []reflect.Value
	takesName := false
	for i := range method.Type.NumIn() {
		t := method.Type.In(i)
		value, isOption := options[t]
		switch {
		case t == reflect.TypeFor[context.Context]():
			continue
		case isOption:
		case method.Type.IsVariadic() && i == method.Type.NumIn()-1:
			if m.info.Subresource == "" {
				continue
			}
			value = reflect.ValueOf(m.info.Subresource)
		case t == reflect.TypeFor[string]():
			takesName = true
			value = reflect.ValueOf(m.name())
		case t == reflect.TypeFor[types.PatchType]():
			value = reflect.ValueOf(types.PatchType(m.request.Header.Get("Content-Type")))
		case t == reflect.TypeFor[[]byte]():
			value = reflect.ValueOf(m.body)
		default:
			if value, err = m.value(t); err != nil {
				return nil, err
			}
			if err := m.checkName(value.Interface(), takesName); err != nil {
				return nil, err
			}
		}
		args = append(args, value)
	}
	return args, nil
}

// options returns the options of a method, by type.
func (m *maker) options(method reflect.Method) (map[reflect.Type]reflect.Value, error) {
	all := map[reflect.Type]reflect.Value{}
	var decoded []runtime.Object
	for i := range method.Type.NumIn() {
		t := method.Type.In(i)
		if t == reflect.TypeFor[metav1.ApplyOptions]() {
			apply, err := m.applyOptions()
			return map[reflect.Type]reflect.Value{t: reflect.ValueOf(apply)}, err
		}
		options, ok := reflect.New(t).Interface().(runtime.Object)
		if !ok || t.Kind() != reflect.Struct {
			continue
		}
		all[t] = reflect.ValueOf(options).Elem()
		if deletion, ok := options.(*metav1.DeleteOptions); ok && len(m.body) > 0 {
			if err := m.decode(deletion); err != nil {
				return nil, err
			}
			deletion.TypeMeta = metav1.TypeMeta{}
			continue
		}
		decoded = append(decoded, options)
	}
	return all, decodeQuery(m.request.URL.Query(), decoded...)
}

// applyOptions parses options that have no form as parameters.
func (m *maker) applyOptions() (metav1.ApplyOptions, error) {
	var options metav1.PatchOptions
	if err := decodeQuery(m.request.URL.Query(), &options); err != nil {
		return metav1.ApplyOptions{}, err
	}
	if options.FieldValidation != "" {
		return metav1.ApplyOptions{}, inexpressible(Query, "fieldValidation of an Apply")
	}
	if options.Force == nil {
		return metav1.ApplyOptions{}, inexpressible(Query, "an Apply that does not say whether to force")
	}
	return metav1.ApplyOptions{DryRun: options.DryRun, Force: *options.Force, FieldManager: options.FieldManager}, nil
}

// value decodes the body as a type.
func (m *maker) value(t reflect.Type) (reflect.Value, error) {
	v := reflect.New(t.Elem())
	object, ok := v.Interface().(runtime.Object)
	if !ok {
		return v, m.configuration(v.Interface())
	}
	if err := m.decode(object); err != nil {
		return v, err
	}
	if !m.clientset.exact {
		// The type contains it, and the client sets it.
		object.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
		return v, nil
	}
	if gvk := object.GetObjectKind().GroupVersionKind(); gvk.Kind == "" || gvk.Version == "" {
		return v, inexpressible(Body, "the kind or its version is missing")
	}
	return v, same(m.body, object)
}

// checkName compares the name that the client will put into the path with the request's.
func (m *maker) checkName(body any, takesName bool) error {
	name := ""
	switch body := body.(type) {
	case interface{ GetName() *string }:
		if body.GetName() != nil {
			name = *body.GetName()
		}
	case metav1.Object:
		if m.info.Verb == "create" {
			return nil
		}
		name = body.GetName()
	}
	if !takesName && name != m.name() {
		return inexpressible(Path, "the name is %q, and in the body %q", m.name(), name)
	}
	return nil
}

// same checks that an object is encoded as it was decoded.
func same(data []byte, object any) error {
	again, err := json.Marshal(object)
	if err != nil {
		return inexpressible(Body, "%v", err)
	}
	var before, after map[string]any
	if err := kjson.UnmarshalCaseSensitivePreserveInts(data, &before); err != nil {
		return inexpressible(Body, "%v", err)
	}
	if err := kjson.UnmarshalCaseSensitivePreserveInts(again, &after); err != nil {
		return inexpressible(Body, "%v", err)
	}
	if !reflect.DeepEqual(before, after) {
		return inexpressible(Body, "%s is sent as %s", data, again)
	}
	return nil
}
