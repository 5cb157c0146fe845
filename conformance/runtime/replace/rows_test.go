//go:build programs

package replace_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/conformance/runtime/replace"
)

// setRows replaces the rows of a program in the page.
func (p program) setRows(page *replace.Page, before, after *replace.Results) {
	row := func(cells ...string) string {
		return replace.Row(p.Name, "https://pkg.go.dev/"+p.Path+"@"+p.Version, cells...)
	}
	differences := replace.Differences(before, after)
	packages := cmp.Or(strings.Join(p.Packages, ", "), "all")
	add(&page.Programs, row(p.Version, fmt.Sprintf("%s (%d)", packages, len(before.Packages)+len(before.Broken)),
		summary(before), summary(after), fmt.Sprint(len(differences)), p.Notes))

	var rows, order []string
	byReason := map[string][]string{}
	for _, d := range differences {
		cells := fmt.Sprintf("`%s` | %%s | %s | %s | %s", d.Package, d.Before, d.After, cmp.Or(p.reason(d), "not explained yet"))
		if byReason[cells] == nil {
			order = append(order, cells)
		}
		byReason[cells] = append(byReason[cells], strings.ReplaceAll(cmp.Or(d.Test, "the package"), "|", "\\|"))
	}
	for _, cells := range order {
		tests := byReason[cells]
		if n := len(tests) - 3; n > 1 {
			tests = append(tests[:3:3], fmt.Sprintf("and %d others", n))
		}
		rows = append(rows, row(strings.Replace(cells, "%s", strings.Join(tests, ", "), 1)))
	}
	remove(&page.Differences, p.Name)
	add(&page.Differences, rows...)
}

// add adds rows of one program in the order of the table of programs, in place of its earlier ones.
func add(rows *[]string, added ...string) {
	for _, row := range added {
		remove(rows, replace.NameOf(row))
	}
	*rows = append(*rows, added...)
	position := map[string]int{}
	for i, p := range programs {
		position[p.Name] = i
	}
	slices.SortStableFunc(*rows, func(a, b string) int { return position[replace.NameOf(a)] - position[replace.NameOf(b)] })
}

// remove removes the rows of a program.
func remove(rows *[]string, name string) {
	*rows = slices.DeleteFunc(*rows, func(row string) bool { return replace.NameOf(row) == name })
}
