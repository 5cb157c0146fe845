package random

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/listwatch/listwatch/conformance/server/suite"
)

// Object is an object of a built-in kind.
type Object struct {
	Type       reflect.Type
	Value      map[string]any // decoded from JSON
	New        map[string]any // as it was created
	Collection string         // its path
}

// Name returns the name.
func (o *Object) Name() string { return field(o.Value, "metadata", "name") }

// Kind returns the kind.
func (o *Object) Kind() string { return field(o.Value, "kind") }

func field(object map[string]any, path ...string) string {
	for _, name := range path[:len(path)-1] {
		object, _ = object[name].(map[string]any)
	}
	text, _ := object[path[len(path)-1]].(string)
	return text
}

// Kinds returns the types of the kinds that objects may have.
func Kinds() (*runtime.Scheme, error) {
	kinds := runtime.NewScheme()
	return kinds, errors.Join(scheme.AddToScheme(kinds), apiextensions.AddToScheme(kinds))
}

// Parse returns the objects of a file in YAML.
func Parse(kinds *runtime.Scheme, text []byte) ([]*Object, error) {
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096)
	var all []*Object
	for {
		var value map[string]any
		switch err := decoder.Decode(&value); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, err
		}
		object, err := newObject(kinds, value)
		if err != nil {
			return nil, err
		}
		all = append(all, object)
	}
}

func newObject(kinds *runtime.Scheme, value map[string]any) (*Object, error) {
	gvk := schema.FromAPIVersionAndKind(field(value, "apiVersion"), field(value, "kind"))
	example, err := kinds.New(gvk)
	if err != nil {
		return nil, err
	}
	gvr, _ := meta.UnsafeGuessKindToResource(gvk)
	path := "/apis/" + gvr.Group + "/" + gvr.Version
	if gvr.Group == "" {
		path = "/api/" + gvr.Version
	}
	if ns := field(value, "metadata", "namespace"); ns != "" {
		path += "/namespaces/" + ns
	}
	return &Object{Type: reflect.TypeOf(example).Elem(), Value: value, New: clone(value).(map[string]any), Collection: path + "/" + gvr.Resource}, nil
}

var variable = regexp.MustCompile(`\$\{\w+\}`)

// Learn returns the values of the objects that the cases below a directory send.
func Learn(kinds *runtime.Scheme, dir string) (Values, error) {
	cases, err := suite.Load(dir)
	if err != nil {
		return nil, err
	}
	values := Values{}
	for _, c := range cases {
		for _, s := range c.Steps {
			if s.Op != suite.Do || len(s.Request.Body) == 0 {
				continue
			}
			var value map[string]any
			if sigsyaml.Unmarshal([]byte(variable.ReplaceAllString(strings.Join(s.Request.Body, "\n"), "x")), &value) != nil {
				continue // malformed bodies are cases, too
			}
			if object, err := newObject(kinds, value); err == nil {
				values.Add(object.Value, object.Type)
			}
		}
	}
	if len(values) == 0 {
		return nil, fmt.Errorf("no values in %s", dir)
	}
	return values, nil
}

// Load returns the objects of testdata, and what fields may have as values.
func Load() ([]*Object, Values, error) {
	kinds, err := Kinds()
	if err != nil {
		return nil, nil, err
	}
	values, err := Learn(kinds, filepath.Join("..", "testdata", "cases"))
	if err != nil {
		return nil, nil, err
	}
	text, err := os.ReadFile(filepath.Join("testdata", "objects.yaml"))
	if err != nil {
		return nil, nil, err
	}
	objects, err := Parse(kinds, text)
	for _, object := range objects {
		values.Add(object.Value, object.Type)
	}
	return objects, values, err
}
