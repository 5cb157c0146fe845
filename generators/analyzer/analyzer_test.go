package analyzer_test

import (
	"bytes"
	"errors"
	"fmt"
	"go/build"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/unitchecker"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"

	"github.com/listwatch/listwatch/generators"
	"github.com/listwatch/listwatch/generators/analyzer"
	"github.com/listwatch/listwatch/internal/golden"
)

// asTool is the environment variable with which the test binary is the command listwatch-vet.
const asTool = "LISTWATCH_VET"

func TestMain(m *testing.M) {
	if os.Getenv(asTool) != "" {
		unitchecker.Main(analyzer.Analyzer)
	}
	os.Exit(m.Run())
}

// extract writes the files of an archive to a new directory.
func extract(t *testing.T, archive *txtar.Archive) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, f.Data, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// found is a diagnostic of the analyzer.
type found struct {
	text  string // file:line:col: message
	fixes []analysis.SuggestedFix
	fset  *token.FileSet
}

// analyze returns the diagnostics of the analyzer for packages in a directory, sorted.
func analyze(t *testing.T, dir, pattern string) []found {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{Dir: dir, Mode: packages.LoadAllSyntax | packages.NeedModule, Tests: true}, pattern)
	if err != nil {
		t.Fatal(err)
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{analyzer.Analyzer}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	byText := map[string]found{}
	for _, root := range graph.Roots {
		if root.Err != nil {
			t.Fatal(root.Err)
		}
		for _, d := range root.Diagnostics {
			pos := root.Package.Fset.PositionFor(d.Pos, false)
			pos.Filename, _ = filepath.Rel(dir, pos.Filename) // of a directory below dir
			text := fmt.Sprintf("%s: %s", pos, d.Message)
			byText[text] = found{text, d.SuggestedFixes, root.Package.Fset}
		}
	}
	var list []found
	for _, text := range slices.Sorted(maps.Keys(byText)) {
		list = append(list, byText[text])
	}
	return list
}

// input returns an archive without the expected output.
func input(t *testing.T, name string) *txtar.Archive {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool {
		return f.Name == "want" || strings.HasPrefix(f.Name, "fixed/")
	})
	return archive
}

// TestFixes compares the diagnostics for each archive in testdata with its file "want", and its files
// with all fixes with those in the directory "fixed". Files without fixes are not listed there.
func TestFixes(t *testing.T) {
	offline(t)
	names, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			archive := input(t, name)
			dir := extract(t, archive)
			var want bytes.Buffer
			edits := map[string][]analysis.TextEdit{}
			var fset *token.FileSet
			for _, f := range analyze(t, dir, "./...") {
				fmt.Fprintln(&want, f.text)
				for _, fix := range f.fixes {
					fset = f.fset
					fmt.Fprintf(&want, "\t%s\n", fix.Message)
					for _, e := range fix.TextEdits {
						file, _ := filepath.Rel(dir, f.fset.File(e.Pos).Name())
						edits[file] = append(edits[file], e)
					}
				}
			}
			archive.Files = append(archive.Files, txtar.File{Name: "want", Data: want.Bytes()})
			for _, f := range archive.Files {
				if len(edits[f.Name]) > 0 {
					archive.Files = append(archive.Files, txtar.File{Name: "fixed/" + f.Name, Data: apply(fset, f.Data, edits[f.Name])})
				}
			}
			golden.File(t, name, string(txtar.Format(archive)))
		})
	}
}

// apply applies edits to the text of a file.
func apply(fset *token.FileSet, src []byte, edits []analysis.TextEdit) []byte {
	slices.SortStableFunc(edits, func(a, b analysis.TextEdit) int { return int(b.Pos - a.Pos) })
	for _, e := range edits {
		file := fset.File(e.Pos)
		src = slices.Concat(src[:file.Offset(e.Pos)], e.NewText, src[file.Offset(e.End):])
	}
	return src
}

// several are the diagnostics of gen-all that the analyzer does not report, by parts of their messages, with the reason.
var several = map[string]string{
	"contradicts +groupName=":     "it is in another package than what it contradicts",
	"would both be generated":     "two packages that have nothing to do with each other have one output directory",
	"are both named":              "two groups have one Go name",
	"would both declare":          "it is about names in generated code",
	"the header of this file":     "it is about the output",
	"client-gen generated these":  "it is about the output",
	"is an internal version":      "the package that is missing is that of the group's first version",
	"build constraints exclude":   "the file is not part of the package",
	"directory contains files of": "the go command finds no package",
	"redeclared":                  "the package is not type-checked",
	"cannot read package":         "the package does not compile",
	", but Keep at ":              "gen-all does not read what programs do",
	"common/common.go:":           "slow fields are reported with the kinds that have them, and this package has no kinds",
}

// excusable reports whether the analyzer need not report a message.
func excusable(text string) bool {
	for part := range several {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// same compares the messages of gen-all for patterns in a directory with those of the analyzer, and returns the number of
// those of gen-all.
func same(t *testing.T, dir string, patterns []string, analyzed []found) int {
	t.Helper()
	opts := generators.AllOptions{}
	opts.Dir, opts.Patterns, opts.Mode = dir, patterns, generators.DryRun
	report, err := generators.All(t.Context(), opts)
	var faults generators.Errors
	if err != nil && !errors.As(err, &faults) {
		t.Logf("not compared: %v", err)
		return 0
	}
	want, got := []string{}, []string{}
	for _, d := range append(faults, report.Warnings...) {
		want = append(want, d.String())
	}
	for _, f := range analyzed {
		got = append(got, f.text)
	}
	want, got = slices.DeleteFunc(want, excusable), slices.DeleteFunc(got, excusable)
	slices.Sort(want)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	return len(want)
}

// TestSame checks that the analyzer reports what gen-all reports, for the input of all scripts of cmd.
func TestSame(t *testing.T) {
	offline(t)
	names, err := filepath.Glob(filepath.Join(golden.Root(t), "cmd", "testdata", "script", "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	compared := 0
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(archive.Files, func(f txtar.File) bool { return f.Name == "go.mod" }) || strings.HasPrefix(filepath.Base(name), "migrate") {
			continue
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			dir := extract(t, archive)
			compared += same(t, dir, []string{"./..."}, analyze(t, dir, "./..."))
		})
	}
	if compared < 80 {
		t.Errorf("only %d diagnostics were compared", compared)
	}
}

// TestSameCases checks the same for the generators' cases.
func TestSameCases(t *testing.T) {
	offline(t)
	root := golden.Root(t)
	dirs, err := filepath.Glob(filepath.Join(root, "testdata", "apis", "*"))
	if err != nil || len(dirs) == 0 {
		t.Fatal(dirs, err)
	}
	byCase := map[string][]found{}
	for _, f := range analyze(t, root, "./testdata/apis/...") {
		name, _, _ := strings.Cut(strings.TrimPrefix(f.text, "testdata/apis/"), "/")
		byCase[name] = append(byCase[name], f)
	}
	compared := 0
	for _, dir := range dirs {
		name := filepath.Base(dir)
		t.Run(name, func(t *testing.T) {
			compared += same(t, root, []string{"./testdata/apis/" + name + "/..."}, byCase[name])
		})
	}
	if compared < 4 {
		t.Errorf("only %d diagnostics were compared", compared)
	}
}

// TestFields checks that the analyzer reports reads of fields that are not kept, as listwatch-fields --check does.
func TestFields(t *testing.T) {
	offline(t)
	archive, err := txtar.ParseFile(filepath.Join(golden.Root(t), "cmd", "testdata", "script", "fields-check.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	dir := extract(t, archive)
	want, err := os.ReadFile(filepath.Join(dir, "lacking.txt"))
	if err != nil {
		t.Fatal(err)
	}
	got := analyze(t, dir, "./...")
	if len(got) == 0 {
		t.Error("nothing is lacking")
	}
	for _, f := range got {
		if !strings.Contains(string(want), f.text+"\n") {
			t.Errorf("%s, want one of\n%s", f.text, want)
		}
	}
}

// TestVet runs the analyzer in "go vet", with and without fixing.
func TestVet(t *testing.T) {
	offline(t)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(asTool, "1")
	var dir string
	vet := func(args ...string) (string, error) {
		cmd := exec.Command("go", append([]string{"vet", "-vettool=" + program}, args...)...)
		cmd.Dir = dir
		text, fault := cmd.CombinedOutput()
		return string(text), fault
	}
	for _, name := range []string{"schemas.txtar", "versions.txtar", "foreign.txtar"} {
		dir = extract(t, input(t, filepath.Join("testdata", name)))
		out, err := vet("./...")
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		for _, f := range analyze(t, dir, "./...") {
			if !strings.Contains(filepath.ToSlash(out), f.text+"\n") {
				t.Errorf("go vet does not print %s, but\n%s", f.text, out)
			}
		}
	}
	if !slices.Contains(build.Default.ReleaseTags, "go1.26") {
		return // without -fix
	}
	if out, err := vet("-fix", "./..."); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if left := analyze(t, dir, "./..."); len(left) != 1 || !strings.Contains(left[0].text, "has no type Missing") {
		t.Errorf("after -fix: %v", left)
	}
}

// offline keeps the go command from downloading anything.
func offline(t *testing.T) {
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOWORK", "off")
}
