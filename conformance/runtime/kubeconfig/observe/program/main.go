// Program observes a case, in JSON on standard input, in its working directory and environment, and prints the
// observations in JSON. The tests build it with client-go in place of the runtime.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/listwatch/listwatch/conformance/runtime/kubeconfig/observe"
	"github.com/listwatch/listwatch/internal/kubeconfigtest"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "observe:", err)
		os.Exit(1)
	}
}

func run() error {
	var c kubeconfigtest.Case
	if err := json.NewDecoder(os.Stdin).Decode(&c); err != nil {
		return err
	}
	var all []Observation
	for _, o := range observe.Observe(c) {
		observation := Observation{o.Aspect, o.Value, o.Kinds, ""}
		if o.Err != nil {
			observation.Err = "error: " + o.Err.Error()
		}
		all = append(all, observation)
	}
	return json.NewEncoder(os.Stdout).Encode(all)
}

// Observation is a [kubeconfigtest.Observation] as JSON. Err is empty without an error.
type Observation struct{ Aspect, Value, Kinds, Err string }
