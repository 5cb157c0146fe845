package random_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/listwatch/listwatch/conformance/generators/crds"
	"github.com/listwatch/listwatch/conformance/generators/random"
	"github.com/listwatch/listwatch/conformance/internal/normal"
	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/generators"
)

const copied = "zz_generated.deepcopy.go"

// assignment matches lines that repeat a part of *out = *in.
var assignment = regexp.MustCompile(`(?m)^\tout\.(\S+) = in\.(\S+)\n`)

// must returns what read makes of a Go file.
func must(t testing.TB, read func([]byte) (string, error), file string) string {
	t.Helper()
	text, err := read([]byte(file))
	if err != nil {
		t.Fatalf("%v\n%s", err, file)
	}
	return text
}

// copies compares deepcopy functions of gen-deepcopy with those of deepcopy-gen and of controller-gen: a package with markers
// of one of them, with this one's.
func copies(t testing.TB, m *module) map[string]difference {
	t.Helper()
	all := m.names(every)
	ours := m.outcomes(t, all, func(o generators.Options) (*generators.Report, error) {
		return generators.DeepCopy(t.Context(), generators.DeepCopyOptions{Options: o})
	})
	packages := m.list(t, all)
	// What gen-deepcopy refuses is not given to deepcopy-gen, which gives up at the first error.
	theirs := m.deepcopyGen(t, slices.DeleteFunc(slices.Clone(packages), func(p string) bool {
		name, _, _ := strings.Cut(strings.TrimPrefix(p, random.Module+"/"), "/")
		return len(ours[name].errors) > 0
	}))
	// One run for each example, because controller-gen panics at some.
	var jobs []crds.Job
	for _, name := range all {
		jobs = append(jobs, crds.Job{Package: random.Module + "/" + name, Object: &crds.ObjectOptions{}})
	}
	objects := crds.Output{Files: map[string]string{}}
	for _, out := range crds.Theirs(t, m.dir, []string{"./..."}, jobs) {
		maps.Copy(objects.Files, out.Files)
		objects.Errors = append(objects.Errors, out.Errors...)
	}
	diffs := map[string]difference{}
	e := map[string]random.Example{}
	for _, x := range m.examples {
		e[x.Name] = x
	}
	equal, alike, refused, none := 0, 0, 0, 0
	for _, p := range packages {
		dir := strings.TrimPrefix(p, random.Module+"/")
		name, _, _ := strings.Cut(dir, "/")
		text := func(s string) string { return must(t, normal.Functions, s) }
		meaning := func(s string) string { return assignment.ReplaceAllString(must(t, normal.Copies, s), "") }
		our, their, object := ours[name].files[dir+"/"+copied], theirs[dir], objects.Files[p+"/"+copied]
		switch {
		case len(ours[name].errors) > 0:
			refused++
			if text := strings.Join(ours[name].errors, "\n"); !e[name].Wild {
				diffs[name] = difference{"refused by gen-deepcopy", text}
			}
		case our == "" && their == "" && object == "":
			none++
		case our == "":
			diffs[name] = difference{"no functions", dir + "\n" + their + object}
		case their != "" && text(our) == text(their):
			equal++
		case object != "" && meaning(our) == meaning(object):
			alike++
		case their == "" && object == "":
			var errs []string
			for _, e := range objects.Errors {
				if strings.Contains(e, "/"+dir+"/") {
					errs = append(errs, e)
				}
			}
			diffs[name] = difference{"no functions of others", strings.Join(append(errs, our), "\n")}
		case their != "":
			diffs[name] = difference{"other functions than deepcopy-gen's", string(diff.Diff("deepcopy-gen", []byte(text(their)), "gen-deepcopy", []byte(text(our))))}
		default:
			diffs[name] = difference{"other functions than controller-gen's", string(diff.Diff("controller-gen", []byte(meaning(object)), "gen-deepcopy", []byte(meaning(our))))}
		}
	}
	t.Logf("%d packages: %d equal deepcopy-gen's, %d do the same as controller-gen's, %d have none, %d are refused, %d examples differ", len(packages), equal, alike, none, refused, len(diffs))
	return diffs
}

// deepcopyGen runs deepcopy-gen, and returns and removes its files, by the directories of the packages. Where it gives up,
// it gives up on all packages: these are halved until it is known which.
func (m *module) deepcopyGen(t testing.TB, packages []string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	if len(packages) == 0 {
		return texts
	}
	err := peers.DeepCopyGen(t, m.dir, append([]string{"--output-file=" + copied}, packages...)...)
	if err != nil && len(packages) > 1 {
		half := len(packages) / 2
		texts = m.deepcopyGen(t, packages[:half])
		for dir, text := range m.deepcopyGen(t, packages[half:]) {
			texts[dir] = text
		}
		return texts
	}
	for _, p := range packages {
		dir := strings.TrimPrefix(p, random.Module+"/")
		name := filepath.Join(m.dir, dir, copied)
		if text, fault := os.ReadFile(name); fault == nil {
			if err == nil {
				texts[dir] = string(text)
			}
			if fault = os.Remove(name); fault != nil {
				t.Fatal(fault)
			}
		}
	}
	return texts
}
