package openapi

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// options are the query parameters of an operation: the fields of the options' Go types, except
// some.
type options struct {
	types  []documented
	except []string
}

// documented is a type of options, which documents its fields.
type documented interface{ SwaggerDoc() map[string]string }

var (
	listOptions             = options{types: []documented{metav1.ListOptions{}}}
	createOptions           = options{types: []documented{metav1.CreateOptions{}}}
	updateOptions           = options{types: []documented{metav1.UpdateOptions{}}}
	patchOptions            = options{types: []documented{metav1.PatchOptions{}}}
	deleteOptions           = options{types: []documented{metav1.DeleteOptions{}}}
	deleteCollectionOptions = options{
		types:  []documented{metav1.DeleteOptions{}, metav1.ListOptions{}},
		except: []string{"watch", "allowWatchBookmarks"},
	}
)

// parameters returns the parameters of an operation, by name.
func parameters(below string, o operation) []*spec3.Parameter {
	params := []*spec3.Parameter{parameter("pretty", "query", "string",
		"If 'true', then the output is pretty printed. Defaults to 'false' unless the user-agent indicates a browser or command-line HTTP tool (curl and wget).")}
	if strings.Contains(below, "/{namespace}") {
		params = append(params, parameter("namespace", "path", "string", "object name and auth scope, such as for teams and projects"))
	}
	if strings.Contains(below, "/{name}") {
		params = append(params, parameter("name", "path", "string", "name of the "+o.kind.Kind))
	}
	for _, t := range o.types {
		for _, p := range fieldsOf(t) {
			if !slices.Contains(o.except, p.Name) {
				params = append(params, p)
			}
		}
	}
	slices.SortFunc(params, func(a, b *spec3.Parameter) int { return cmp.Compare(a.Name, b.Name) })
	return params
}

func parameter(name, in, kind, about string) *spec3.Parameter {
	return &spec3.Parameter{ParameterProps: spec3.ParameterProps{
		Name: name, In: in, Description: about, Required: in == "path",
		Schema: &spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{kind}, UniqueItems: true}},
	}}
}

var fields sync.Map // []*spec3.Parameter by reflect.Type

// fieldsOf returns the parameters that a type of options has. They are shared.
func fieldsOf(options documented) []*spec3.Parameter {
	typ := reflect.TypeOf(options)
	if known, ok := fields.Load(typ); ok {
		return known.([]*spec3.Parameter)
	}
	docs := options.SwaggerDoc()
	var params []*spec3.Parameter
	for i := range typ.NumField() {
		field := typ.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		kind := parameterType(field.Type)
		if name != "" && kind != "" {
			params = append(params, parameter(name, "query", kind, docs[name]))
		}
	}
	fields.Store(typ, params)
	return params
}

// parameterType returns the type of a field in a query, or "" for one that is only in bodies.
func parameterType(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.String {
		return "string"
	}
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Int64:
		return "integer"
	}
	return ""
}
