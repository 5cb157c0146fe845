package crds_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/generators/crds"
	"github.com/listwatch/listwatch/internal/golden"
	"github.com/listwatch/listwatch/internal/testcase"
)

// records has the types whose definitions by controller-gen are recorded, so that tests of the generators compare with
// them without controller-gen.
const records = "generators/testdata/crds"

// recorded returns the inputs in records, with the options that options.json lists.
func recorded(t *testing.T) []input {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root(t), records, "options.json"))
	if err != nil {
		t.Fatal(err)
	}
	var options map[string]crds.Options
	if err = json.Unmarshal(text, &options); err != nil {
		t.Fatal(err)
	}
	of := func(name, dir string) input {
		return input{name, ".", testcase.Module, records + "/" + dir, options[name]}
	}
	var all []input
	for _, dir := range directories(t, ".", records) {
		all = append(all, of(dir, dir))
	}
	for _, name := range slices.Sorted(maps.Keys(options)) {
		dir, _, _ := strings.Cut(name, "-")
		all = append(all, of(name, dir))
	}
	return all
}

// TestRecorded checks that the records are what controller-gen prints. With LISTWATCH_UPDATE=1, it writes them.
func TestRecorded(t *testing.T) {
	names := map[string]bool{}
	for _, in := range recorded(t) {
		names[in.name] = true
	}
	for _, p := range pairs(t) {
		if !names[p.name] {
			continue
		}
		dir := filepath.Join(root(t), filepath.FromSlash(p.packages), p.name+".yaml")
		var text strings.Builder
		for _, file := range slices.Sorted(maps.Keys(p.their.Files)) {
			text.WriteString("# " + file + "\n" + withoutVersion(p.their.Files[file]))
		}
		if len(p.their.Errors) > 0 {
			text.Reset()
			text.WriteString("# refused\n")
		}
		golden.File(t, dir, text.String())
	}
}

// withoutVersion returns a definition without the annotation with the version of its generator.
func withoutVersion(text string) string {
	const annotations, version = "  annotations:\n", "    controller-gen.kubebuilder.io/version: "
	var b strings.Builder
	lines := slices.Collect(strings.Lines(text))
	for i, line := range lines {
		only := line == annotations && i+2 < len(lines) && strings.HasPrefix(lines[i+1], version) && !strings.HasPrefix(lines[i+2], "    ")
		if !only && !strings.HasPrefix(line, version) {
			b.WriteString(line)
		}
	}
	return b.String()
}
