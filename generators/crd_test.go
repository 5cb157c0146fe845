package generators_test

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/listwatch/listwatch/generators"
)

// TestRecorded compares the definitions of gen-crd with those of controller-gen, which conformance/generators/crds has recorded:
// in testdata/crds, each directory has Go types, and files NAME.yaml with the definitions for the options of NAME in
// options.json. A file can say that controller-gen refuses the types.
func TestRecorded(t *testing.T) {
	base := filepath.Join("testdata", "crds")
	text, err := os.ReadFile(filepath.Join(base, "options.json"))
	if err != nil {
		t.Fatal(err)
	}
	var options map[string]generators.CRDOptions
	if err = json.Unmarshal(text, &options); err != nil {
		t.Fatal(err)
	}
	records, err := filepath.Glob(filepath.Join(base, "*", "*.yaml"))
	if err != nil || len(records) < len(options) {
		t.Fatal(records, err)
	}
	output, err := filepath.Abs("nowhere")
	if err != nil {
		t.Fatal(err)
	}
	for _, record := range records {
		name := strings.TrimSuffix(filepath.Base(record), ".yaml")
		t.Run(name, func(t *testing.T) {
			want, err := os.ReadFile(record)
			if err != nil {
				t.Fatal(err)
			}
			opts := options[name]
			delete(options, name)
			opts.Dir, opts.Patterns, opts.Mode, opts.OutputDir = filepath.Dir(record), []string{"./..."}, generators.DryRun, output
			report, err := generators.CRD(t.Context(), opts)
			var faults generators.Errors
			if errors.As(err, &faults) && string(want) == "# refused\n" {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]string{}
			for _, change := range report.Changes {
				files[filepath.Base(change.Path)] = string(change.New)
			}
			var got strings.Builder
			for _, file := range slices.Sorted(maps.Keys(files)) {
				_, definition, _ := strings.Cut(files[file], "\n") // without the line about the generator
				got.WriteString("# " + file + "\n" + definition)
			}
			if d := diff.Diff("controller-gen", want, "gen-crd", []byte(got.String())); d != nil {
				t.Errorf("%s", d)
			}
		})
	}
	for name := range options {
		t.Errorf("no record of %s", name)
	}
}
