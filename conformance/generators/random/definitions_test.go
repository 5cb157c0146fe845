package random_test

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/generators/crds"
	"github.com/listwatch/listwatch/conformance/generators/random"
	"github.com/listwatch/listwatch/generators"
)

func every(random.Example) bool { return true }

// definitions compares CustomResourceDefinitions of gen-crd and of controller-gen.
func definitions(t testing.TB, m *module) map[string]difference {
	t.Helper()
	var jobs []crds.Job
	for _, e := range m.examples {
		jobs = append(jobs, crds.Job{Package: random.Module + "/" + e.Name})
	}
	theirs := crds.Theirs(t, m.dir, []string{"./..."}, jobs)
	ours := m.outcomes(t, m.names(every), func(o generators.Options) (*generators.Report, error) {
		return generators.CRD(t.Context(), generators.CRDOptions{Options: o})
	})
	diffs := map[string]difference{}
	equal, refused, fields := 0, 0, 0
	for i, e := range m.examples {
		our := crds.Output{Files: map[string]string{}, Errors: ours[e.Name].errors}
		for name, text := range ours[e.Name].files {
			our.Files[path.Base(name)] = text
		}
		d, n := definition(t, e, theirs[i], our)
		fields += n
		switch {
		case d.kind == "" && len(our.Errors)+len(theirs[i].Errors) > 0:
			refused++
		case d.kind == "":
			equal++
		default:
			diffs[e.Name] = d
		}
	}
	t.Logf("%d examples: %d with equal definitions with %d fields, %d refused by both or by servers, %d differ", len(m.examples), equal, fields, refused, len(diffs))
	return diffs
}

// definition compares the definitions of an example, and returns the number of fields that they describe.
func definition(t testing.TB, e random.Example, their, our crds.Output) (difference, int) {
	t.Helper()
	a, errA := their.Manifests()
	b, errB := our.Manifests()
	if errA != nil || errB != nil {
		return difference{"not YAML", fmt.Sprint(errA, errB)}, 0
	}
	switch {
	case len(their.Errors) > 0 && len(our.Errors) > 0:
		return difference{}, 0
	case len(our.Errors) > 0:
		if reasons := refusals(t, a); len(reasons) > 0 {
			return difference{}, 0 // a server refuses it
		}
		return difference{"refused by gen-crd alone", strings.Join(our.Errors, "\n")}, 0
	case len(their.Errors) > 0:
		errors := used(t, e, their.Errors)
		if len(b) == 0 || len(errors) == 0 || len(refusals(t, b)) > 0 {
			return difference{}, 0 // gen-crd leaves the kinds out, or it warns, and gen-all refuses them
		}
		return difference{"refused by controller-gen alone", strings.Join(errors, "\n")}, 0
	}
	var lines []string
	var path string // of the last difference
	fields := 0
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if b[name] == nil {
			if name == "" {
				continue // controller-gen writes an empty definition of a kind whose only version is left out
			}
			path, lines = "definition", append(lines, name+": missing")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b)) {
		if a[name] == nil {
			path, lines = "definition", append(lines, name+": not by controller-gen")
			continue
		}
		fields += b[name].Fields()
		for _, d := range crds.Compare(a[name], b[name]) {
			path, lines = d.Path, append(lines, name+d.String())
		}
	}
	if len(lines) > 0 {
		return difference{"different " + last.FindString(path), strings.Join(lines, "\n")}, fields
	}
	return difference{}, fields
}

// last matches the last field of a path.
var last = regexp.MustCompile(`[^.]*$`)

// refusals returns the reasons why servers refuse definitions.
func refusals(t testing.TB, definitions map[string]crds.Manifest) []string {
	t.Helper()
	var all []string
	for _, name := range slices.Sorted(maps.Keys(definitions)) {
		reasons, err := definitions[name].Invalid(t.Context())
		if err != nil {
			reasons = append(reasons, err.Error())
		}
		for _, reason := range reasons { // a difference is known if each of its lines is
			all = append(all, strings.ReplaceAll(reason, "\n", " "))
		}
	}
	return all
}
