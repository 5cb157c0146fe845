//go:build projects

package crds_test

import (
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/modules"
	"github.com/listwatch/listwatch/conformance/runtime/decoding"
	"github.com/listwatch/listwatch/internal/golden"
)

// method is the reason for fields that are decoded by a method of their type.
const method = "has a method UnmarshalJSON"

// speed counts the kinds and fields of a project by how they are decoded.
type speed struct{ fast, kinds, methods, exact, fields int }

func (s *speed) add(other speed) {
	s.fast += other.fast
	s.kinds += other.kinds
	s.methods += other.methods
	s.exact += other.exact
	s.fields += other.fields
}

func (s *speed) String() string {
	return fmt.Sprintf("%d | %d | %d | %d | %d", s.fast, s.kinds, s.exact, s.methods, s.fields)
}

// TestSlowFields explains the kinds of all projects, and writes the table for docs/decoding.md.
func TestSlowFields(t *testing.T) {
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	var b strings.Builder
	b.WriteString(`Projects with CustomResourceDefinitions, as ` + "`gen-all`" + ` finds their kinds in the source. Slow fields are decoded by
apimachinery's decoder, or by the method ` + "`UnmarshalJSON`" + ` of their type, as those of arbitrary values
(` + "`apiextensionsv1.JSON`" + `) are. ` + "`make crds`" + ` repeats it, but CI does not, because it downloads the projects.

| project | fast kinds | kinds | slow fields, by apimachinery | by a method | fields |
|---|--:|--:|--:|--:|--:|
`)
	var sum speed
	reasons := map[string]map[string]bool{} // the fields by project and reason
	rows := 0
	for _, p := range projects {
		t.Run(p.name, func(t *testing.T) {
			source, err := modules.Download(t.Context(), p.module+"@"+p.version)
			if err != nil {
				t.Fatal(err)
			}
			dir := copyOf(t, source)
			found := decoding.Explain(t, dir, p.patterns...)
			for _, unread := range found.Unread {
				t.Errorf("not read: %s", unread)
			}
			row := speed{fields: found.Fields}
			seen := map[string]bool{}
			for _, typ := range found.Types {
				if !typ.Kind {
					continue
				}
				row.kinds++
				if len(typ.Slow) == 0 {
					row.fast++
				}
				for _, f := range typ.Slow {
					if key := f.Package + "." + f.Name; !seen[key] {
						seen[key] = true
						if f.Reason == method {
							row.methods++
							continue
						}
						row.exact++
						reason := p.name + ": " + f.Reason
						if reasons[reason] == nil {
							reasons[reason] = map[string]bool{}
						}
						reasons[reason]["`"+path.Base(f.Package)+"."+f.Name+"`"] = true
					}
				}
			}
			fmt.Fprintf(&b, "| [%s](https://pkg.go.dev/%s@%s) %s | %s |\n", p.name, p.module, p.version, p.version, &row)
			sum.add(row)
			rows++
		})
	}
	if rows != len(projects) {
		return // with -run
	}
	fmt.Fprintf(&b, "| %d projects | %s |\n\nThe fields that apimachinery decodes, with the reasons:\n\n", rows, &sum)
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		fmt.Fprintf(&b, "- %s: %s\n", reason, strings.Join(slices.Sorted(maps.Keys(reasons[reason])), ", "))
	}
	golden.File(t, filepath.Join("..", "..", "runtime", "decoding", "testdata", "projects.md"), b.String())
}
