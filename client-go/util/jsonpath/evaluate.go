package jsonpath

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"k8s.io/client-go/third_party/forked/golang/template"
)

// evaluator evaluates one text or action of a template.
type evaluator struct {
	allowMissing bool
	inRange      bool
	// begins and ends are set if a range begins or ends.
	begins, ends bool
}

// walk returns what a node selects of values.
func (e *evaluator) walk(values []reflect.Value, node Node) ([]reflect.Value, error) {
	switch node := node.(type) {
	case *ListNode:
		return e.list(values, node)
	case *TextNode:
		return []reflect.Value{reflect.ValueOf(node.Text)}, nil
	case *FieldNode:
		return e.field(values, node.Value)
	case *ArrayNode:
		return elements(values, node.Params)
	case *FilterNode:
		return e.filter(values, node)
	case *IntNode:
		return repeat(node.Value, len(values)), nil
	case *BoolNode:
		return repeat(node.Value, len(values)), nil
	case *FloatNode:
		return repeat(node.Value, len(values)), nil
	case *WildcardNode:
		var all []reflect.Value
		for _, v := range values {
			all = append(all, children(v)...)
		}
		return all, nil
	case *RecursiveNode:
		return descendants(values), nil
	case *UnionNode:
		var all []reflect.Value
		for _, list := range node.Nodes {
			some, err := e.list(values, list)
			if err != nil {
				return nil, err
			}
			all = append(all, some...)
		}
		return all, nil
	case *IdentifierNode:
		return e.identifier(values, node.Name)
	default:
		return nil, fmt.Errorf("unexpected Node %v", node)
	}
}

// repeat returns a value n times.
func repeat(value any, n int) []reflect.Value {
	all := make([]reflect.Value, n)
	for i := range all {
		all[i] = reflect.ValueOf(value)
	}
	return all
}

// list applies each node to what the one before selected.
func (e *evaluator) list(values []reflect.Value, list *ListNode) ([]reflect.Value, error) {
	var err error
	for _, node := range list.Nodes {
		if values, err = e.walk(values, node); err != nil {
			return nil, err
		}
	}
	return values, nil
}

func (e *evaluator) identifier(values []reflect.Value, name string) ([]reflect.Value, error) {
	switch name {
	case "range":
		e.begins = true
		return values, nil
	case "end":
		if !e.inRange {
			return nil, errors.New("not in range, nothing to end")
		}
		e.ends = true
		return nil, nil
	default:
		return nil, fmt.Errorf("unrecognized identifier %v", name)
	}
}

// elements returns the elements of lists between two indices, with a step.
func elements(values []reflect.Value, params [3]ParamsEntry) ([]reflect.Value, error) {
	result := []reflect.Value{}
	for _, value := range values {
		v, isNil := template.Indirect(value)
		if isNil {
			continue
		}
		if !isList(v) {
			return nil, fmt.Errorf("%v is not array or slice", kindOf(v))
		}
		start, end, step := params[0], params[1], params[2]
		from, to := 0, v.Len()
		if start.Known {
			from = start.Value
		}
		if from < 0 {
			from += v.Len()
		}
		if end.Known {
			to = end.Value
		}
		// The end of [-1] is derived to be 0.
		if to < 0 || to == 0 && end.Derived {
			to += v.Len()
		}
		if from == to {
			return result, nil
		}
		switch {
		case from >= v.Len() || from < 0:
			return nil, fmt.Errorf("array index out of bounds: index %d, length %d", from, v.Len())
		case to > v.Len() || to < 0:
			return nil, fmt.Errorf("array index out of bounds: index %d, length %d", to-1, v.Len())
		case from > to:
			return nil, fmt.Errorf("starting index %d is greater than ending index %d", from, to)
		case step.Known && step.Value <= 0:
			return nil, errors.New("step must be > 0")
		case !step.Known:
			step.Value = 1
		}
		for i := from; i < to; i += step.Value {
			result = append(result, v.Index(i))
		}
	}
	return result, nil
}

func isList(v reflect.Value) bool { return v.Kind() == reflect.Array || v.Kind() == reflect.Slice }

// kindOf names the type of a value in errors; nil has none.
func kindOf(v reflect.Value) any {
	if !v.IsValid() {
		return "nil"
	}
	return v.Type()
}

// field returns the fields with a name, or the values of keys.
func (e *evaluator) field(values []reflect.Value, name string) ([]reflect.Value, error) {
	results := []reflect.Value{}
	if len(values) == 0 {
		return results, nil
	}
	for _, value := range values {
		v, isNil := template.Indirect(value)
		if isNil {
			continue
		}
		var found reflect.Value
		switch v.Kind() {
		case reflect.Struct:
			found = fieldOf(v, name)
		case reflect.Map:
			key := reflect.ValueOf(name)
			if !key.Type().ConvertibleTo(v.Type().Key()) {
				return nil, fmt.Errorf("%s is not convertible to %s", key, v.Type().Key())
			}
			found = v.MapIndex(key.Convert(v.Type().Key()))
		}
		if found.IsValid() {
			results = append(results, found)
		}
	}
	if len(results) == 0 && !e.allowMissing {
		return nil, fmt.Errorf("%s is not found", name)
	}
	return results, nil
}

// fieldOf returns the field of a struct with a name in JSON, or with a name in Go, an invalid value if there is none.
func fieldOf(v reflect.Value, name string) reflect.Value {
	inlined := -1
	for i := range v.NumField() {
		f := v.Type().Field(i)
		jsonName, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if jsonName == name {
			return v.Field(i)
		}
		if jsonName == "" && f.Anonymous {
			inlined = i
		}
	}
	if inlined >= 0 && v.Field(inlined).Kind() == reflect.Struct {
		if found := fieldOf(v.Field(inlined), name); found.IsValid() {
			return found
		}
	}
	return v.FieldByName(name)
}

// children returns the fields of a struct, the values of a map, the elements of a list or the bytes of a string.
func children(v reflect.Value) []reflect.Value {
	v, isNil := template.Indirect(v)
	if isNil {
		return nil
	}
	var all []reflect.Value
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			all = append(all, v.Field(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			all = append(all, v.MapIndex(key))
		}
	case reflect.Array, reflect.Slice, reflect.String:
		for i := range v.Len() {
			all = append(all, v.Index(i))
		}
	}
	return all
}

// descendants returns all values that have children, each before its own.
func descendants(values []reflect.Value) []reflect.Value {
	result := []reflect.Value{}
	for _, value := range values {
		v, isNil := template.Indirect(value)
		if isNil {
			continue
		}
		if below := children(v); len(below) > 0 {
			result = append(append(result, v), descendants(below)...)
		}
	}
	return result
}

// filter returns the elements of lists for which a filter holds.
func (e *evaluator) filter(values []reflect.Value, node *FilterNode) ([]reflect.Value, error) {
	results := []reflect.Value{}
	for _, value := range values {
		v, _ := template.Indirect(value)
		if !isList(v) {
			return nil, fmt.Errorf("%v is not array or slice and cannot be filtered", v)
		}
		for i := range v.Len() {
			holds, err := e.holds(v.Index(i), node)
			if err != nil {
				return nil, err
			}
			if holds {
				results = append(results, v.Index(i))
			}
		}
	}
	return results, nil
}

// comparisons are the operators of filters.
var comparisons = map[string]func(a, b any) (bool, error){
	"<":  template.Less,
	">":  template.Greater,
	"==": func(a, b any) (bool, error) { return template.Equal(a, b) },
	"!=": template.NotEqual,
	"<=": template.LessEqual,
	">=": template.GreaterEqual,
}

// holds reports whether a filter holds for an element. If one side selects nothing, it does not.
func (e *evaluator) holds(element reflect.Value, node *FilterNode) (bool, error) {
	input := []reflect.Value{element}
	lefts, err := e.list(input, node.Left)
	if node.Operator == "exists" {
		return len(lefts) > 0, nil // what is not found does not exist
	}
	if err != nil {
		return false, err
	}
	if len(lefts) > 1 {
		return false, errComparesMany
	}
	if len(lefts) == 0 {
		return false, nil
	}
	rights, err := e.list(input, node.Right)
	if err != nil {
		return false, err
	}
	if len(rights) > 1 {
		return false, errComparesMany
	}
	if len(rights) == 0 {
		return false, nil
	}
	compare, ok := comparisons[node.Operator]
	if !ok {
		return false, fmt.Errorf("unrecognized filter operator %s", node.Operator)
	}
	return compare(lefts[0].Interface(), rights[0].Interface())
}

var errComparesMany = errors.New("can only compare one element at a time")
