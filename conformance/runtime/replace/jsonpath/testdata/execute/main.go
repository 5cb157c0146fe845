// Command execute prints an object by each of the templates on its input, as JSON: what is printed, or that it fails.
// It is built with client-go and with its replacement.
package main

import (
	"bytes"
	"encoding/json"
	"log"
	"os"

	"k8s.io/client-go/util/jsonpath"
)

type base struct {
	Kind string `json:"kind"`
}

type fruit struct {
	base  `json:",inline"`
	Name  string            `json:"name"`
	Grams int               `json:"grams"`
	Tags  []string          `json:"tags"`
	Notes map[string]string `json:"notes"`
	Next  *fruit            `json:"next,omitempty"`
}

// object has no map with several keys: their order is random.
var object = struct {
	A    string  `json:"a"`
	B    []fruit `json:"b"`
	C    []any   `json:"c"`
	Name any     `json:"name"`
	Kind any     `json:"kind"`
}{
	A: "Ann",
	B: []fruit{
		{base: base{"Apple"}, Name: "a", Grams: 150, Tags: []string{"red", "round"}, Notes: map[string]string{"a.b": "x"}},
		{base: base{"Pear"}, Name: "b", Grams: 180, Tags: []string{"green"}, Next: &fruit{Name: "c"}},
	},
	C:    []any{},
	Kind: map[string]any{"b": []any{"u", int64(2), "w", 4.5, false}},
}

// Result is the outcome of a template.
type Result struct {
	Printed string
	Error   string
}

func main() {
	var templates []string
	if err := json.NewDecoder(os.Stdin).Decode(&templates); err != nil {
		log.Fatal(err)
	}
	results := make([]Result, len(templates))
	for i, text := range templates {
		results[i] = execute(text)
	}
	if err := json.NewEncoder(os.Stdout).Encode(results); err != nil {
		log.Fatal(err)
	}
}

func execute(text string) (result Result) {
	defer func() {
		if p := recover(); p != nil {
			result.Error = "panic"
		}
	}()
	for _, allowMissing := range []bool{false, true} {
		j := jsonpath.New("t").AllowMissingKeys(allowMissing)
		if err := j.Parse(text); err != nil {
			return Result{Error: "parse: " + err.Error()}
		}
		var b bytes.Buffer
		if err := j.Execute(&b, object); err != nil {
			result.Error += "execute: " + err.Error() + "; "
			continue
		}
		result.Printed += b.String() + "\n"
	}
	return result
}
