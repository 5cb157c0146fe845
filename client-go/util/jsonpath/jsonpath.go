package jsonpath

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"

	"k8s.io/client-go/third_party/forked/golang/template"
)

// JSONPath is a template. It is safe for concurrent use once it is parsed and set up.
type JSONPath struct {
	name         string
	parser       *Parser // nil before Parse
	allowMissing bool
	outputJSON   bool
}

// New returns an empty template. Errors contain its name.
func New(name string) *JSONPath { return &JSONPath{name: name} }

// AllowMissingKeys sets whether a name that is not found selects nothing, instead of being an error. It returns j.
func (j *JSONPath) AllowMissingKeys(allow bool) *JSONPath {
	j.allowMissing = allow
	return j
}

// EnableJSONOutput sets whether results are printed as an indented JSON array for each action.
func (j *JSONPath) EnableJSONOutput(v bool) { j.outputJSON = v }

// Parse compiles a template.
func (j *JSONPath) Parse(text string) error {
	var err error
	j.parser, err = Parse(j.name, text)
	return err
}

// Execute prints data by the template. Nothing is written if it fails for the data.
func (j *JSONPath) Execute(wr io.Writer, data any) error {
	results, err := j.FindResults(data)
	if err != nil {
		return err
	}
	for _, values := range results {
		if err := j.PrintResults(wr, values); err != nil {
			return err
		}
	}
	return nil
}

// FindResults returns what each text and action of the template selects, those between range and end once for each
// value of the range. The values are parts of data.
func (j *JSONPath) FindResults(data any) ([][]reflect.Value, error) {
	if j.parser == nil {
		return nil, fmt.Errorf("%s is an incomplete jsonpath template", j.name)
	}
	r := run{template: j}
	return r.block(j.parser.Root.Nodes, data, false)
}

// run is one evaluation of a template.
type run struct {
	template *JSONPath
	// afterEnd are the nodes after the latest end of a range, nil before the first.
	afterEnd []Node
}

// block evaluates nodes up to the end of a range, or all of them if there is none.
func (r *run) block(nodes []Node, data any, inRange bool) ([][]reflect.Value, error) {
	results := [][]reflect.Value{}
	input := []reflect.Value{reflect.ValueOf(data)}
	for len(nodes) > 0 {
		e := evaluator{allowMissing: r.template.allowMissing, inRange: inRange}
		values, err := e.walk(input, nodes[0])
		if err != nil {
			return nil, err
		}
		nodes = nodes[1:]
		switch {
		case e.ends:
			r.afterEnd = nodes
			return results, nil
		case e.begins:
			each, err := r.forEach(values, nodes)
			if err != nil {
				return nil, err
			}
			results = append(results, each...)
			// Without an end in them, the nodes are evaluated once more, for the value outside of the range.
			if r.afterEnd != nil && len(r.afterEnd) < len(nodes) {
				nodes = r.afterEnd
			}
		default:
			results = append(results, values)
		}
	}
	return results, nil
}

// forEach evaluates nodes for each value of a range. Without values, it does so for none, to find the end.
func (r *run) forEach(values []reflect.Value, nodes []Node) ([][]reflect.Value, error) {
	if len(values) == 0 {
		_, err := r.block(nodes, nil, true)
		return nil, err
	}
	var results [][]reflect.Value
	for _, v := range values {
		one, err := r.block(nodes, v.Interface(), true)
		if err != nil {
			return nil, err
		}
		results = append(results, one...)
	}
	return results, nil
}

// PrintResults writes values, separated by spaces: structs, maps and lists as JSON, others as package fmt prints them.
func (j *JSONPath) PrintResults(wr io.Writer, results []reflect.Value) error {
	if j.outputJSON {
		all := make([]any, 0, len(results))
		for _, v := range results {
			all = append(all, v.Interface())
		}
		text, err := json.MarshalIndent(all, "", "    ")
		if err != nil {
			return err
		}
		_, err = wr.Write(append(text, '\n'))
		return err
	}
	for i, v := range results {
		text, err := format(v)
		if err != nil {
			return err
		}
		if i < len(results)-1 {
			text = append(text, ' ')
		}
		if _, err := wr.Write(text); err != nil {
			return err
		}
	}
	return nil
}

func format(v reflect.Value) ([]byte, error) {
	kind := v.Kind()
	if kind == reflect.Interface {
		kind = v.Elem().Kind()
	}
	switch kind {
	case reflect.Map, reflect.Array, reflect.Slice, reflect.Struct:
		return json.Marshal(v.Interface())
	}
	value, ok := template.PrintableValue(v)
	switch {
	case !ok:
		return nil, fmt.Errorf("can't print type %s", v.Type())
	case value == nil:
		return []byte("null"), nil
	default:
		return fmt.Append(nil, value), nil
	}
}
