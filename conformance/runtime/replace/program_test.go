package replace_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"

	"github.com/listwatch/listwatch/conformance/internal/gotest"
	"github.com/listwatch/listwatch/conformance/internal/modules"
	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/conformance/runtime/replace"
	"github.com/listwatch/listwatch/internal/testcase"
)

const (
	// clientGo is the module that the line replaces, in the version of it and of the modules that are released with it.
	clientGo        = "k8s.io/client-go"
	clientGoVersion = "v0.37.2"
	// limit is the time that the tests of one package may take.
	limit = "15m"
)

// raised are libraries that programs are raised to, if they require them, since older ones do not compile with
// Kubernetes' libraries of clientGoVersion.
var raised = map[string]string{
	"k8s.io/kubernetes":                    "v1.37.1",
	"sigs.k8s.io/controller-runtime":       "v0.25.2",
	"sigs.k8s.io/controller-tools":         "v0.22.0",
	"sigs.k8s.io/structured-merge-diff/v6": "v6.4.2",
}

// program is a module of the Go module proxy, or a part of one.
type program struct {
	// Name is the one of the row in docs/replace.md.
	Name          string
	Path, Version string
	// Packages are patterns relative to the module, such as "pkg/cache/..."; the default are all. A pattern that begins
	// with a minus removes packages.
	Packages []string
	// Args are arguments of go test, such as -skip.
	Args []string
	// Prepare are shell commands that make the tests compile and find their files.
	Prepare []string
	// Reasons are those of tests that differ, by "package test", or "package" and a star for all tests of a package.
	Reasons map[string]string `json:"-"`
	// Notes is a clause for the page.
	Notes string `json:"-"`
}

// side is a program on one side of the line.
type side struct {
	program
	name    string // before or after
	dir     string // of the module
	path    string // of the module in its go.mod, which need not be the one of the proxy
	modfile string
	env     []string
}

// options are those of a run.
type options struct {
	// work is the directory of copies and kept results, and assets that of programs for KUBEBUILDER_ASSETS.
	work, assets string
	// kept are the results of an earlier run that are used: those before the line, both, those of packages whose tests
	// have the same results on both sides, or none.
	kept string
	// before is whether only the side before the line is tested.
	before bool
}

// sides returns both sides of a program, which it copies.
func (p program) sides(t *testing.T, o options) (before, after side) {
	t.Helper()
	dir := filepath.Join(o.work, "copies", strings.ReplaceAll(p.Path, "/", "-")+"@"+p.Version+"-"+p.id(false))
	p.copy(t, dir)
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	path := modfile.ModulePath(text)
	env := []string{"KUBEBUILDER_ASSETS=" + o.assets}
	return side{p, "before", dir, path, filepath.Join(dir, "go.mod"), env},
		side{p, "after", dir, path, filepath.Join(dir, "listwatch.mod"), env}
}

// run tests a program on both sides, and those packages again whose results are not the same. The results after the
// line are nil if only those before it were requested.
func (p program) run(t *testing.T, o options) (before, after *replace.Results) {
	t.Helper()
	theirs, ours := p.sides(t, o)
	before = theirs.results(t, o.work, o.kept != "")
	if o.before {
		return before, nil
	}
	if o.kept == "both" {
		return before, ours.results(t, o.work, true)
	}
	ours = ours.withLine(t)
	after = ours.results(t, o.work, o.kept == "same")
	if again := p.unexplained(replace.Differences(before, after)); o.kept == "same" && len(again) > 0 {
		after.Replace(ours.test(t, again))
		ours.keep(t, o.work, after)
	}
	for range 2 {
		again := p.unexplained(replace.Differences(before, after))
		again = slices.DeleteFunc(again, func(pkg string) bool { return after.Broken[strings.TrimPrefix(pkg, "./")] != "" })
		if len(again) == 0 {
			break
		}
		t.Logf("again: %s", strings.Join(again, " "))
		before.Merge(theirs.test(t, again))
		after.Merge(ours.test(t, again))
		theirs.keep(t, o.work, before)
		ours.keep(t, o.work, after)
	}
	return before, after
}

// unexplained returns the packages, as arguments of the go command, in which tests differ without a reason.
func (p program) unexplained(differences []replace.Difference) []string {
	var packages []string
	for _, d := range differences {
		if p.reason(d) == "" && d.Before != replace.Unbuilt {
			packages = append(packages, "./"+d.Package)
		}
	}
	slices.Sort(packages)
	return slices.Compact(packages)
}

// check fails the test for differences without a reason, and for reasons of tests that do not differ.
func (p program) check(t *testing.T, before, after *replace.Results) {
	t.Helper()
	used := map[string]bool{}
	for _, d := range replace.Differences(before, after) {
		reason := p.reason(d)
		used[reason] = true
		if reason == "" {
			key := strings.TrimSpace(d.Package + " " + d.Test)
			t.Errorf("%s: %s, then %s:\n%s%s", key, d.Before, d.After, after.Output[key], after.Broken[d.Package])
		}
	}
	for key, reason := range p.Reasons {
		if !used[reason] {
			t.Errorf("%s does not differ, and has a reason: %s", key, reason)
		}
	}
	if before.Count(gotest.Pass) == 0 {
		t.Error("no test passed")
	}
}

// checkPassed fails the test for tests with the line that fail without a reason.
func (p program) checkPassed(t *testing.T, after *replace.Results) {
	t.Helper()
	before := replace.NewResults()
	for key := range after.Tests {
		before.Tests[key] = gotest.Pass
	}
	for pkg := range after.Packages {
		before.Packages[pkg] = gotest.Pass
	}
	for pkg := range after.Broken {
		before.Packages[pkg] = gotest.Pass
	}
	for _, d := range replace.Differences(before, after) {
		if d.After != gotest.Skip && p.reason(d) == "" {
			key := strings.TrimSpace(d.Package + " " + d.Test)
			t.Errorf("%s: %s:\n%s%s", key, d.After, after.Output[key], after.Broken[d.Package])
		}
	}
	if after.Count(gotest.Pass) == 0 {
		t.Error("no test passed")
	}
}

// id is a short name of everything in the table that results depend on.
func (p program) id(all bool) string {
	if !all { // the copy
		p.Name, p.Packages, p.Args = "", nil, nil
	}
	text, err := json.Marshal(p)
	if err != nil {
		return err.Error() // a struct of strings has none
	}
	return fmt.Sprintf("%x", sha256.Sum256(text))[:8]
}

// copy copies the program to dir and raises what it requires.
func (p program) copy(t *testing.T, dir string) {
	t.Helper()
	if _, err := os.Stat(dir); err == nil {
		return
	}
	partial := dir + ".partial"
	name := filepath.Join(partial, "go.mod")
	err := errors.Join(os.RemoveAll(partial), modules.Copy(t.Context(), p.Path, p.Version, partial),
		modules.Raise(name, clientGoVersion, raised),
		modules.Pin(name, filepath.Join(directories(t)[clientGo], "go.mod"), testcase.Module))
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range p.Prepare {
		cmd := exec.CommandContext(t.Context(), "sh", "-ec", command)
		cmd.Dir = partial
		if out, failure := cmd.CombinedOutput(); failure != nil {
			t.Fatalf("%s: %v\n%s", command, failure, out)
		}
	}
	if err = os.Rename(partial, dir); err != nil {
		t.Fatal(err)
	}
}

// directories are those of the line's module and of those that it requires.
func directories(t *testing.T) map[string]string {
	t.Helper()
	root, err := peers.Root()
	if err != nil {
		t.Fatal(err)
	}
	dirs := map[string]string{clientGo: filepath.Join(root, "client-go"), testcase.Module: root}
	for _, nested := range []string{"kubernetes", "streaming"} {
		dirs[testcase.Module+"/"+nested] = filepath.Join(root, nested)
	}
	return dirs
}

// withLine returns the side with the line in its go.mod: a copy of that of the other side, so that the dependencies
// are the same.
func (s side) withLine(t *testing.T) side {
	t.Helper()
	if s.path == clientGo {
		return s.replaced(t)
	}
	for _, ext := range []string{"mod", "sum"} {
		text, err := os.ReadFile(filepath.Join(s.dir, "go."+ext))
		if err == nil {
			err = os.WriteFile(filepath.Join(s.dir, "listwatch."+ext), text, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := modules.Replace(s.modfile, directories(t)); err != nil {
		t.Fatal(err)
	}
	return s
}

// replaced returns the side of client-go itself: a copy of the line's module in the place of client-go's, with the
// tests, and the data of these, that are in a copy of client-go.
func (s side) replaced(t *testing.T) side {
	t.Helper()
	tests := s.dir
	dirs := directories(t)
	s.dir = tests + "-listwatch"
	s.modfile = filepath.Join(s.dir, "go.mod")
	copyFiles := func(from string, wanted func(name string) bool) {
		err := filepath.WalkDir(from, func(name string, entry fs.DirEntry, err error) error {
			rel, relErr := filepath.Rel(from, name)
			if err = errors.Join(err, relErr); err != nil || entry.IsDir() || !wanted(rel) {
				return err
			}
			text, err := os.ReadFile(name)
			to := filepath.Join(s.dir, rel)
			return errors.Join(err, os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, text, 0o644))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.RemoveAll(s.dir); err != nil {
		t.Fatal(err)
	}
	isTest := func(name string) bool {
		return strings.HasSuffix(name, "_test.go") || strings.Contains(name, "testdata/")
	}
	copyFiles(dirs[clientGo], func(name string) bool { return !isTest(name) })
	copyFiles(tests, isTest)
	delete(dirs, clientGo)
	if err := modules.Replace(s.modfile, dirs); err != nil {
		t.Fatal(err)
	}
	return s
}

// results returns the results of a side: kept ones if wanted, or those of a new run.
func (s side) results(t *testing.T, work string, kept bool) *replace.Results {
	t.Helper()
	if kept {
		if text, err := os.ReadFile(s.file(work)); err == nil {
			results := replace.NewResults()
			if err = json.Unmarshal(text, results); err != nil {
				t.Fatal(err)
			}
			return results
		}
	}
	results := s.test(t, s.list(t))
	s.keep(t, work, results)
	return results
}

// file is where results are kept.
func (s side) file(work string) string {
	return filepath.Join(work, "results", s.Name+"-"+s.id(true)+"-"+s.name+".json")
}

// keep writes results to their file.
func (s side) keep(t *testing.T, work string, results *replace.Results) {
	t.Helper()
	text, err := json.MarshalIndent(results, "", "\t")
	if err = errors.Join(err, os.MkdirAll(filepath.Dir(s.file(work)), 0o777), os.WriteFile(s.file(work), text, 0o666)); err != nil {
		t.Fatal(err)
	}
}

// list returns the packages to test: those of the patterns whose tests link client-go. The line changes no other.
func (s side) list(t *testing.T) []string {
	t.Helper()
	var include, exclude []string
	for _, pattern := range s.Packages {
		if without, ok := strings.CutPrefix(pattern, "-"); ok {
			exclude = append(exclude, "./"+without)
		} else {
			include = append(include, "./"+pattern)
		}
	}
	if len(include) == 0 {
		include = []string{"./..."}
	}
	all, without := s.linking(t, include), s.linking(t, exclude)
	return slices.DeleteFunc(all, func(pkg string) bool { return slices.Contains(without, pkg) })
}

// linking returns the packages that match patterns and whose tests link client-go.
func (s side) linking(t *testing.T, patterns []string) (list []string) {
	t.Helper()
	if len(patterns) == 0 {
		return nil
	}
	// Each line is the main package of a test, and all that it links.
	format := `{{if eq .Name "main"}}{{.ImportPath}}{{range .Deps}} {{.}}{{end}}{{end}}`
	out, err := s.command(t.Context(), "list", append([]string{"-e", "-test", "-f", format}, patterns...)...).Output()
	if err != nil {
		exit := &exec.ExitError{}
		errors.As(err, &exit)
		t.Fatalf("go list %v: %v\n%s", patterns, err, exit.Stderr)
	}
	for line := range strings.Lines(string(out)) {
		pkg, links, _ := strings.Cut(line, " ")
		pkg, isTest := strings.CutSuffix(pkg, ".test")
		if isTest && strings.Contains(" "+links, " "+clientGo+"/") {
			list = append(list, "./"+s.relative(pkg))
		}
	}
	return list
}

// command returns a call of the go command with the side's go.mod.
func (s side) command(ctx context.Context, verb string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", append([]string{verb, "-mod=mod", "-modfile=" + s.modfile}, args...)...)
	cmd.Dir = s.dir
	cmd.Env = append(append(os.Environ(), "GOWORK=off", "GOFLAGS="), s.env...)
	return cmd
}

// relative returns the path of a package below the module's root; "." is that root.
func (s side) relative(pkg string) string {
	pkg, _, _ = strings.Cut(pkg, " ")
	if pkg == s.path {
		return "."
	}
	return strings.TrimPrefix(pkg, s.path+"/")
}

// reason returns why a test differs, or "".
func (p program) reason(d replace.Difference) string {
	if reason := p.Reasons[strings.TrimSpace(d.Package+" "+d.Test)]; reason != "" {
		return reason
	}
	return p.Reasons[d.Package+" *"]
}
