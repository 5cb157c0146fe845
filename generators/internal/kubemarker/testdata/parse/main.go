// Parse parses markers for tests that compare with other parsers. Standard input is a JSON list of
// objects with the fields On ("package", "type" or "field") and Text; standard output a list with the
// fields Name (empty if the marker is unknown there), Value and Error.
package main

import (
	"encoding/json"
	"fmt"
	"go/token"
	"os"

	"github.com/listwatch/listwatch/generators/internal/kubemarker"
)

type parsed struct {
	Name  string
	Value any    `json:",omitempty"`
	Error string `json:",omitempty"`
}

func main() {
	var markers []struct{ On, Text string }
	if err := json.NewDecoder(os.Stdin).Decode(&markers); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	places := map[string]kubemarker.Place{"package": kubemarker.OnPackage | kubemarker.OnProgram, "type": kubemarker.OnType, "field": kubemarker.OnField}
	results := make([]parsed, len(markers))
	for i, m := range markers {
		definition, items := kubemarker.Lookup(m.Text, places[m.On])
		if definition == nil {
			continue
		}
		results[i].Name = (&kubemarker.Marker{Definition: definition, Items: items}).Written()
		marker, err := kubemarker.Parse(definition, items, m.Text, token.Position{})
		if err != nil {
			results[i].Error = err.Error()
			continue
		}
		results[i].Value = marker.Value
		if marker.Values != nil {
			results[i].Value = marker.Values
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(results); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
