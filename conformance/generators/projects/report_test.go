//go:build projects

package projects_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/internal/golden"
)

// row returns the row of a project in docs/projects.md.
func (p project) row(made summary, equal map[string]tally) string {
	cells := []any{p.link(), made.Kinds}
	for _, part := range parts {
		cells = append(cells, equal[part.name])
	}
	refused := p.why
	if p.instead != "" {
		refused += "; `" + p.instead + "`"
	}
	if p.unchecked != "" {
		refused = strings.TrimPrefix(refused+"; not type-checked: "+p.unchecked, "; ")
	}
	if p.remains != "" {
		refused += "; in place: " + p.remains
	}
	return fmt.Sprintf("| %s | %d | %s | %s | %s | %s | %s |\n", append(cells, refused)...)
}

// link is the first cell of a project's row.
func (p project) link() string {
	version := p.version
	if i := strings.LastIndexByte(version, '-'); strings.Count(version, "-") == 2 {
		version = version[i+1:]
	}
	return fmt.Sprintf("[%s](https://pkg.go.dev/%s@%s) %s", p.name, p.module, p.version, version)
}

// report compares docs/projects.md with the rows of the projects that ran. It keeps those of others.
func report(t *testing.T, rows map[string]string) {
	name := filepath.Join(golden.Root(t), "docs", "projects.md")
	old, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	earlier := map[string]string{} // by their first cells
	for line := range strings.Lines(string(old)) {
		if cell, _, ok := strings.Cut(strings.TrimPrefix(line, "| "), " | "); ok {
			earlier[cell] = line
		}
	}
	var b strings.Builder
	b.WriteString(head)
	for _, p := range projects {
		if row, ran := rows[p.name]; ran {
			b.WriteString(row)
		} else {
			b.WriteString(earlier[p.link()])
		}
	}
	b.WriteString("\n## Differences from controller-gen v0.23\n\n| project | file | reason |\n|---|---|---|\n")
	for _, p := range projects {
		for _, file := range slices.Sorted(maps.Keys(p.differs)) {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", p.name, file, p.differs[file])
		}
	}
	golden.File(t, name, b.String())
}

// head is the text before the table.
const head = `# The first command on real projects

<!-- Written by the tests of conformance/generators/projects. Do not edit. -->

` + "`gen-all ./...`" + `, without other flags, in projects from the Go module proxy. *Kinds* counts those with clients, which are generated for
both runtimes and type-checked with the project's own dependencies. The next columns count what is written beside the clients, and equals what
controller-gen v0.23.0 writes from the same source: CustomResourceDefinitions, in which both may have floats, roles, webhooks, and
files of deepcopy functions. "2 of 3" means that one of them differs. Where the project has clients of code-generator, clients are also
generated in their place, and type-checked with what stays of the package. The columns are empty for projects that [docs/crds.md](crds.md) and the suites of
conformance/generators/manifests and conformance/generators/deepcopy compare, and where nothing is left to compare.

*Refused* is the reason why the command fails: API servers refuse what it would write, or it does not compile. Its messages name
the places, and the flag with which the rest is generated. Where nothing can be type-checked, the column has the reason.

` + "`make projects`" + ` repeats all of it. It downloads the projects, so it does not run in CI.

| project | kinds | CRDs | roles | webhooks | deep copies | refused |
|---|--:|--:|--:|--:|--:|---|
`
