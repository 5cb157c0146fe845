package upstream

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Tests contains the results of a package's tests.
type Tests struct {
	Same []string
	// Differs contains the reason for each test, or subtest, that fails; "" if there is none.
	Differs map[string]string
	// Internal contains for each test what it lacks.
	Internal map[string]string
}

// differing returns which of a test and its subtests fail.
func (t Tests) differing(test string) []string {
	var names []string
	for name := range t.Differs {
		if name == test || strings.HasPrefix(name, test+"/") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Table contains the results of tests, by package.
type Table map[string]Tests

// The words of the table.
const (
	same     = "same"
	differs  = "differs"
	internal = "internal"
)

// String returns the text that [Parse] reads.
func (t Table) String() string {
	var b strings.Builder
	for i, path := range slices.Sorted(maps.Keys(t)) {
		if i > 0 {
			b.WriteString("\n")
		}
		tests := t[path]
		fmt.Fprintf(&b, "%s\n", path)
		section := func(name string, lines []string) {
			if len(lines) > 0 {
				fmt.Fprintf(&b, "\t%s\n\t\t%s\n", name, strings.Join(lines, "\n\t\t"))
			}
		}
		section(same, slices.Sorted(slices.Values(tests.Same)))
		var lines []string
		for _, name := range slices.Sorted(maps.Keys(tests.Differs)) {
			lines = append(lines, name+": "+tests.Differs[name])
		}
		section(differs, lines)
		lacking := map[string][]string{}
		for name, lacks := range tests.Internal {
			lacking[lacks] = append(lacking[lacks], name)
		}
		lines = nil
		for _, lacks := range slices.Sorted(maps.Keys(lacking)) {
			slices.Sort(lacking[lacks])
			lines = append(lines, lacks+": "+strings.Join(lacking[lacks], " "))
		}
		section(internal, lines)
	}
	return b.String()
}

// Parse parses a table, for its reasons.
func Parse(text string) (Table, error) {
	t := Table{}
	var path, section string
	for i, line := range strings.Split(text, "\n") {
		fail := func(what string) (Table, error) { return nil, fmt.Errorf("line %d: %s: %q", i+1, what, line) }
		content := strings.TrimLeft(line, "\t")
		tests := t[path]
		switch depth := len(line) - len(content); {
		case content == "":
		case depth == 0:
			path, section = content, ""
			t[path] = Tests{Differs: map[string]string{}, Internal: map[string]string{}}
		case depth == 1 && path != "":
			section = content
		case section == same:
			tests.Same = append(tests.Same, content)
			t[path] = tests
		case section == differs:
			name, why, ok := strings.Cut(content, ": ")
			if !ok {
				return fail("no reason")
			}
			tests.Differs[name] = why
		case section == internal:
			at := strings.LastIndex(content, ": ")
			if at < 0 {
				return fail("nothing lacking")
			}
			for _, name := range strings.Fields(content[at+2:]) {
				tests.Internal[name] = content[:at]
			}
		default:
			return fail("not in a section")
		}
	}
	return t, nil
}

// Explain copies the reasons from another table, and returns the tests without a reason.
func (t Table) Explain(from Table) (unexplained []string) {
	for _, path := range slices.Sorted(maps.Keys(t)) {
		for _, name := range slices.Sorted(maps.Keys(t[path].Differs)) {
			why := from[path].Differs[name]
			t[path].Differs[name] = why
			if why == "" {
				unexplained = append(unexplained, path+" "+name)
			}
		}
	}
	return unexplained
}
