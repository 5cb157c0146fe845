package manifest

import (
	"encoding/json"
	"testing"

	"sigs.k8s.io/yaml"
)

// inOrder returns a value with objects in place of maps, whose members are in the order of YAML if their
// names are single letters.
func inOrder(value any) any {
	switch v := value.(type) {
	case map[string]any:
		o := object{}
		for name := 'a'; name <= 'z'; name++ {
			if e, ok := v[string(name)]; ok {
				o = append(o, member{string(name), inOrder(e)})
			}
		}
		return o
	case []any:
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = inOrder(e)
		}
		return list
	}
	return value
}

// TestMarshal compares what is written with sigs.k8s.io/yaml, from objects and from maps.
func TestMarshal(t *testing.T) {
	for _, text := range []string{
		`{}`, `{"a":[],"b":{},"c":null,"d":[[],[[]],{}]}`, `{"a":{"b":[{"c":"x","d":"y"},"z",true]},"e":"1","f":"a: b"}`,
		`{"a":1.5,"b":1e20,"c":-0,"d":1e21,"e":9007199254740993,"f":1e-7,"g":18446744073709551615,"h":-9223372036854775808,"i":100000}`,
		`{"a":"one\ntwo\n","b":"yes","c":"2024-01-15","d":"^[a-z]([-a-z0-9]*[a-z0-9])?$","e":" x","f":""}`,
	} {
		var value map[string]any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name  string
			give  object
			value any
		}{
			{"object", inOrder(value).(object), value},
			{"map", object{{"o", value}}, map[string]any{"o": value}},
		} {
			got, err := marshal([]byte("---\n"), c.give)
			if err != nil {
				t.Fatal(err)
			}
			want, err := yaml.Marshal(c.value)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != "---\n"+string(want) {
				t.Errorf("%s: got:\n%s\nwant:\n%s", c.name, got, want)
			}
		}
	}
}
