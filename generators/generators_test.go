package generators_test

import (
	"context"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/listwatch/listwatch/generators"
)

// module is what go.mod says.
const module = "-- go.mod --\nmodule example.com/m\n\ngo 1.25\n"

// kind is the text of a file with one kind.
func kind(pkg, name, markers string) string {
	return `package ` + pkg + `

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +genclient
` + markers + `type ` + name + ` struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
	Status            string
}

type ` + name + `List struct {
	metav1.TypeMeta
	metav1.ListMeta
	Items []` + name + `
}

var SchemeGroupVersion, AddToScheme any
`
}

// shop is a module with one kind.
var shop = module + "-- apis/shop/v1/types.go --\n" + kind("v1", "Shoe", "")

// extract writes an archive to a folder of its own, and keeps the go command from
// looking elsewhere.
func extract(t *testing.T, archive string) string {
	t.Helper()
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		write(t, filepath.Join(dir, filepath.FromSlash(f.Name)), string(f.Data))
	}
	return dir
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// files returns the files below a folder, as paths from there, with their texts.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		found[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// everything asks for all there is in a module.
func everything(dir string) generators.AllOptions {
	return generators.AllOptions{ClientsetOptions: generators.ClientsetOptions{
		Options: generators.Options{Dir: dir, Patterns: []string{"./..."}},
	}}
}

// TestErrors makes runs fail. Each says what callers can act on, and writes nothing.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name    string
		archive string // empty for shop
		change  func(o *generators.AllOptions)
		is      error    // empty for an error of no certain sort
		says    []string // parts of its message
	}{
		{
			name:   "no packages",
			change: func(o *generators.AllOptions) { o.Patterns = nil },
			is:     generators.ErrUsage, says: []string{"no API packages are given"},
		},
		{
			name:   "no such runtime",
			change: func(o *generators.AllOptions) { o.Runtime = "go-client" },
			is:     generators.ErrUsage, says: []string{`"go-client"`, "listwatch", "client-go"},
		},
		{
			name:   "no such lint rule",
			change: func(o *generators.AllOptions) { o.LintRules = []string{"known-tags-only", "x"} },
			is:     generators.ErrUsage, says: []string{`"x"`, "known-tags-only", "require-explicit-disablement"},
		},
		{
			name:   "output in no module",
			change: func(o *generators.AllOptions) { o.OutputDir = string(filepath.Separator) + "no-such-folder" },
			is:     generators.ErrUsage, says: []string{"no-such-folder", "go.mod", "--output-pkg"},
		},
		{
			name:   "output in another module",
			change: func(o *generators.AllOptions) { o.OutputPkg = "example.com/more/clients" },
			is:     generators.ErrUsage, says: []string{"example.com/more/clients is not in module example.com/m"},
		},
		{
			name:   "output in a module whose name begins alike",
			change: func(o *generators.AllOptions) { o.OutputPkg = "example.com/more" },
			is:     generators.ErrUsage, says: []string{"example.com/more is not in module example.com/m"},
		},
		{
			name:   "no such folder",
			change: func(o *generators.AllOptions) { o.Patterns = []string{"./missing"} },
			says:   []string{"missing"},
		},
		{
			name: "no such group",
			change: func(o *generators.AllOptions) {
				o.Groups = []generators.GroupVersionInput{{Package: "./apis/shop/v2", Group: "shop", Version: "v2"}}
			},
			says: []string{"shop/v2"},
		},
		{
			name:   "no such folder to run in",
			change: func(o *generators.AllOptions) { o.Dir = filepath.Join(o.Dir, "missing") },
			is:     fs.ErrNotExist, says: []string{"missing"},
		},
		{
			name:   "no such header",
			change: func(o *generators.AllOptions) { o.HeaderFile = "header.txt" },
			is:     fs.ErrNotExist, says: []string{"read header", "header.txt"},
		},
		{
			name:   "header that is no comment",
			change: func(o *generators.AllOptions) { o.HeaderFile = "go.mod" },
			says:   []string{"go.mod:1:1: text outside a Go comment"},
		},
		{
			name:    "no type marked",
			archive: module + "-- a/v1/x.go --\npackage v1\n-- b/v1/x.go --\npackage v1\n",
			is:      generators.ErrNoTypes, says: []string{"in 2 packages"},
		},
		{
			name:    "no type marked in one package",
			archive: module + "-- a/v1/x.go --\npackage v1\n",
			is:      generators.ErrNoTypes, says: []string{"in 1 package;"},
		},
		{
			name:   "stale output",
			change: func(o *generators.AllOptions) { o.Mode = generators.Verify },
			is:     generators.ErrStale,
		},
		{
			name: "versions that are called differently in a factory",
			archive: shop + "-- apis/shop/v2/doc.go --\n// +groupGoName=Store\n\npackage v2\n" +
				"-- apis/shop/v2/types.go --\n" + kind("v2", "Shoe", ""),
			change: func(o *generators.AllOptions) { o.Strict = true },
			says:   []string{"apis/shop/v2/doc.go:1:1: ", "named Store in Go here but Shop in another version"},
		},
		{
			name:    "hand-written file in the way",
			archive: shop + "-- pkg/generated/listers/shop/v1/shoe.go --\npackage v1\n",
			says:    []string{"file exists and was not generated"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.archive == "" {
				c.archive = shop
			}
			dir := extract(t, c.archive)
			opts := everything(dir)
			if c.change != nil {
				c.change(&opts)
			}
			before := files(t, dir)
			report, err := generators.All(t.Context(), opts)
			if report == nil {
				t.Error("no report")
			}
			if err == nil {
				t.Fatal("no error")
			}
			if c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("%v is not %v", err, c.is)
			}
			for _, other := range []error{generators.ErrStale, generators.ErrNoTypes, generators.ErrUsage} {
				if errors.Is(err, other) && !errors.Is(c.is, other) {
					t.Errorf("%v is %v", err, other)
				}
			}
			for _, part := range c.says {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%v does not say %q", err, part)
				}
			}
			if d := cmp.Diff(before, files(t, dir)); d != "" {
				t.Errorf("something was written: %s", d)
			}
		})
	}
}

// TestFaults finds every fault of the input in the error, with its place.
func TestFaults(t *testing.T) {
	dir := extract(t, module+
		"-- b/v1/types.go --\n"+kind("v1", "Shoe", "// +genclient:noStats\n")+
		"-- a/v1/types.go --\n"+kind("v1", "Shoe", "// +kubebuilder:resource:scope=Cluster\n// +resourceName=Shoes\n")+
		"-- a/v1/stray.go --\npackage v1\n\n// +genclient\n")
	opts := everything(dir)
	opts.Runtime = generators.ClientGo
	report, err := generators.All(t.Context(), opts)
	var faults generators.Errors
	if !errors.As(fmt.Errorf("wrapped: %w", err), &faults) {
		t.Fatalf("%v holds no faults", err)
	}
	got := []string{}
	for _, f := range faults {
		got = append(got, fmt.Sprintf("%s %d %d", f.Pos.Filename, f.Pos.Line, f.Pos.Column))
	}
	if d := cmp.Diff([]string{"a/v1/types.go 7 4", "b/v1/types.go 6 4"}, got); d != "" {
		t.Error(d)
	}
	warned := []string{}
	for _, w := range report.Warnings {
		warned = append(warned, fmt.Sprintf("%s %d", w.Pos.Filename, w.Pos.Line))
	}
	if d := cmp.Diff([]string{"a/v1/stray.go 3", "a/v1/types.go 8"}, warned); d != "" { // the other one: no group, so no CRD
		t.Error(d)
	}
	if len(report.Changes) > 0 || len(report.Dirs) > 0 {
		t.Errorf("a run that fails reports %v in %v", report.Changes, report.Dirs)
	}
}

// TestReport follows a folder through runs of every mode.
func TestReport(t *testing.T) {
	dir := extract(t, shop)
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		dir = resolved
	}
	opts := everything(dir)
	run := func(mode generators.Mode, wantErr error) *generators.Report {
		t.Helper()
		opts.Mode = mode
		report, err := generators.All(t.Context(), opts)
		if !errors.Is(err, wantErr) {
			t.Fatalf("got %v, want %v", err, wantErr)
		}
		if !slices.IsSortedFunc(report.Changes, func(a, b generators.Change) int { return strings.Compare(a.Path, b.Path) }) {
			t.Error("changes are not sorted by path")
		}
		if (len(report.Diff) > 0) != (mode == generators.Verify && len(report.Changes) > 0) {
			t.Errorf("mode %v: a diff of %d bytes", mode, len(report.Diff))
		}
		var steps []string
		for _, timing := range report.Timings {
			steps = append(steps, timing.Step)
			if timing.Took < 0 {
				t.Errorf("%s took %v", timing.Step, timing.Took)
			}
		}
		if d := cmp.Diff([]string{"find packages", "parse", "print", "compare and write"}, steps); d != "" {
			t.Errorf("timings: %s", d)
		}
		var dirs []string
		for _, d := range []string{"informers/externalversions", "clientset/versioned", "listers", "applyconfiguration"} {
			dirs = append(dirs, filepath.Join(dir, "pkg", "generated", filepath.FromSlash(d)))
		}
		slices.Sort(dirs)
		if d := cmp.Diff(dirs, slices.Sorted(slices.Values(report.Dirs))); d != "" {
			t.Errorf("folders: %s", d)
		}
		return report
	}
	ops := func(r *generators.Report) map[generators.Op]int {
		n := map[generators.Op]int{}
		for _, c := range r.Changes {
			n[c.Op]++
		}
		return n
	}

	before := files(t, dir)
	dry := run(generators.DryRun, nil)
	run(generators.Verify, generators.ErrStale)
	if d := cmp.Diff(before, files(t, dir)); d != "" {
		t.Fatalf("something was written: %s", d)
	}
	first := run(generators.Write, nil)
	if d := cmp.Diff(dry.Changes, first.Changes); d != "" {
		t.Errorf("a dry run says other changes: %s", d)
	}
	all := len(first.Changes)
	if d := cmp.Diff(map[generators.Op]int{generators.Create: all}, ops(first)); d != "" || all < 10 || first.Unchanged != 0 {
		t.Errorf("first run: %v, and %d unchanged", ops(first), first.Unchanged)
	}
	for _, c := range first.Changes {
		text, err := os.ReadFile(c.Path)
		if err != nil || string(text) != string(c.New) {
			t.Errorf("%s is not as reported: %v", c.Path, err)
		}
	}
	second := run(generators.Write, nil)
	if len(second.Changes) > 0 || second.Unchanged != all {
		t.Errorf("second run: %v, and %d unchanged", ops(second), second.Unchanged)
	}
	run(generators.Verify, nil)

	write(t, filepath.Join(dir, "apis/shop/v1/types.go"), kind("v1", "Sock", ""))
	third := run(generators.Write, nil)
	if n := ops(third); n[generators.Create] == 0 || n[generators.Update] == 0 || n[generators.Remove] != n[generators.Create] {
		t.Errorf("third run: %v", n)
	}
	if len(third.Changes)+third.Unchanged-ops(third)[generators.Remove] != all {
		t.Errorf("third run: %v, and %d unchanged, of %d", ops(third), third.Unchanged, all)
	}
}

// TestGenerators runs each generator by itself: together they write what All does.
func TestGenerators(t *testing.T) {
	dir := extract(t, shop)
	opts := everything(dir)
	var paths []string
	for _, generate := range []func() (*generators.Report, error){
		func() (*generators.Report, error) { return generators.Clientset(t.Context(), opts.ClientsetOptions) },
		func() (*generators.Report, error) {
			return generators.Lister(t.Context(), generators.ListerOptions{Options: opts.Options})
		},
		func() (*generators.Report, error) {
			return generators.Informer(t.Context(), generators.InformerOptions{Options: opts.Options})
		},
	} {
		report, err := generate()
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range report.Changes {
			paths = append(paths, c.Path)
		}
	}
	opts.Mode = generators.Verify
	report, err := generators.All(t.Context(), opts)
	if err != nil {
		t.Fatalf("%v: %s", err, report.Diff)
	}
	if report.Unchanged != len(paths) {
		t.Errorf("%d files, want %d", report.Unchanged, len(paths))
	}
}

// TestGroups names packages one by one, in every way.
func TestGroups(t *testing.T) {
	dir := extract(t, shop+"-- apis/shop/v2/types.go --\n"+kind("v2", "Shoe", ""))
	for _, pkg := range []string{"./apis/shop/v1", "./apis/shop/../shop/v1", "example.com/m/apis/shop/v1", filepath.Join(dir, "apis/shop/v1")} {
		t.Run(pkg, func(t *testing.T) {
			report, err := generators.Clientset(t.Context(), generators.ClientsetOptions{
				Options: generators.Options{Dir: dir, Mode: generators.DryRun},
				Groups:  []generators.GroupVersionInput{{Package: pkg, Group: "store", Version: "v3"}},
			})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(report.Changes, func(c generators.Change) bool {
				return strings.HasSuffix(filepath.ToSlash(c.Path), "clientset/versioned/typed/store/v3/shoe.go") &&
					strings.Contains(string(c.New), `"example.com/m/apis/shop/v1"`)
			}) {
				t.Errorf("no client of the kind: %v", report.Dirs)
			}
		})
	}
}

// TestCancelled makes sure that a run whose context is done writes nothing.
func TestCancelled(t *testing.T) {
	dir := extract(t, shop)
	before := files(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	report, err := generators.All(ctx, everything(dir))
	if report == nil || err == nil || errors.Is(err, generators.ErrNoTypes) || errors.Is(err, generators.ErrUsage) {
		t.Errorf("with an ended context, All returns %v and %v, want a report and the context's error", report, err)
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v is not %v", err, context.Canceled)
	}
	if d := cmp.Diff(before, files(t, dir)); d != "" {
		t.Errorf("something was written: %s", d)
	}
}

// TestConcurrently runs the generators at the same time, in one folder that is not
// there yet; the race detector looks on.
func TestConcurrently(t *testing.T) {
	dir := extract(t, shop)
	opts := everything(dir)
	var wg sync.WaitGroup
	for _, generate := range []func() (*generators.Report, error){
		func() (*generators.Report, error) { return generators.Clientset(t.Context(), opts.ClientsetOptions) },
		func() (*generators.Report, error) {
			return generators.Lister(t.Context(), generators.ListerOptions{Options: opts.Options})
		},
		func() (*generators.Report, error) {
			return generators.Informer(t.Context(), generators.InformerOptions{Options: opts.Options})
		},
		func() (*generators.Report, error) {
			other := opts
			other.OutputDir, other.Runtime = "pkg/other", generators.ClientGo
			return generators.All(t.Context(), other)
		},
	} {
		wg.Go(func() {
			if _, err := generate(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	opts.Mode = generators.Verify
	if report, err := generators.All(t.Context(), opts); err != nil {
		t.Errorf("%v: %s", err, report.Diff)
	}
	opts.OutputDir, opts.Runtime = "pkg/other", generators.ClientGo
	if report, err := generators.All(t.Context(), opts); err != nil {
		t.Errorf("%v: %s", err, report.Diff)
	}
	for name := range files(t, dir) {
		if strings.HasPrefix(filepath.Base(name), ".") {
			t.Errorf("left behind: %s", name)
		}
	}
}

// TestFormatted makes sure that output is as gofmt has it, however long its names.
func TestFormatted(t *testing.T) {
	archive := module + "-- apis/shop.example.com/v1/doc.go --\n// +groupName=shop.example.com\n\npackage v1\n" +
		"-- apis/a/v1/types.go --\n" + kind("v1", "B", "// +genclient:skipVerbs=list\n") +
		"-- apis/averyveryverylonggroupname/v1alpha1/types.go --\n" + kind("v1alpha1", "AVeryVeryVeryLongKindNameThatGoesOnAndOn", "// +genclient:nonNamespaced\n") +
		"-- apis/shop.example.com/v1/types.go --\n" + kind("v1", "Shoe", "")
	for i, verb := range []string{"create", "update", "get", "list", "patch", "apply"} {
		name := "Sock" + strings.Repeat("s", i)
		archive += "-- apis/shop.example.com/v1/" + verb + ".go --\n" +
			kind("v1", name, "// +genclient:method=Try,verb="+verb+"\n// +genclient:method=TryAPart,verb="+verb+",subresource=part\n")
	}
	dir := extract(t, archive)
	for _, runtime := range generators.Runtimes {
		for _, protobuf := range []bool{false, true} {
			opts := everything(dir)
			opts.Mode, opts.Runtime, opts.PrefersProtobuf = generators.DryRun, runtime, protobuf
			opts.ApplyConfigurations = "example.com/m/apply"
			report, err := generators.All(t.Context(), opts)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range report.Changes {
				want, err := format.Source(c.New)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(string(want), string(c.New)); d != "" {
					t.Errorf("%s, %s: %s", runtime, c.Path, d)
				}
			}
		}
	}
}

// TestOneStaleFile makes sure that a single change makes output stale, and is shown as
// seen from the folder of the run.
func TestOneStaleFile(t *testing.T) {
	dir := extract(t, shop)
	opts := everything(dir)
	if _, err := generators.All(t.Context(), opts); err != nil {
		t.Fatal(err)
	}
	lister := filepath.Join(dir, "pkg", "generated", "listers", "shop", "v1", "shoe.go")
	if err := os.Remove(lister); err != nil {
		t.Fatal(err)
	}
	opts.Mode = generators.Verify
	report, err := generators.All(t.Context(), opts)
	if !errors.Is(err, generators.ErrStale) || len(report.Changes) != 1 {
		t.Errorf("got %v, and %d changes", err, len(report.Changes))
	}
	if want := "+++ b/pkg/generated/listers/shop/v1/shoe.go\n"; !strings.Contains(string(report.Diff), want) {
		t.Errorf("no %q in\n%s", want, report.Diff)
	}
}

// TestTimings makes sure that no time is counted twice.
func TestTimings(t *testing.T) {
	opts := everything(extract(t, shop))
	opts.Mode = generators.DryRun
	start := time.Now()
	report, err := generators.All(t.Context(), opts)
	elapsed := time.Since(start)
	if err != nil {
		t.Fatal(err)
	}
	var sum time.Duration
	for _, timing := range report.Timings {
		sum += timing.Took
	}
	if sum <= 0 || sum > elapsed {
		t.Errorf("steps took %v, all took %v", sum, elapsed)
	}
}

// TestBuildTags reads the files that build tags choose: those that generators wrote
// are hidden unless options say otherwise.
func TestBuildTags(t *testing.T) {
	dir := extract(t, shop+"-- apis/shop/v1/zz_generated.go --\n//go:build !ignore_autogenerated\n\n"+kind("v1", "Generated", "")+
		"-- apis/shop/v1/special.go --\n//go:build special\n\n"+kind("v1", "Special", ""))
	for name, tags := range map[string][]string{
		"shoe":           nil,
		"generated shoe": {},
		"shoe special":   {generators.DefaultBuildTag, "special"},
	} {
		t.Run(name, func(t *testing.T) {
			opts := generators.ListerOptions{Options: everything(dir).Options}
			opts.Mode, opts.BuildTags = generators.DryRun, tags
			report, err := generators.Lister(t.Context(), opts)
			if err != nil {
				t.Fatal(err)
			}
			var kinds []string
			for _, c := range report.Changes {
				if base := strings.TrimSuffix(filepath.Base(c.Path), ".go"); base != "expansion_generated" {
					kinds = append(kinds, base)
				}
			}
			if got := strings.Join(kinds, " "); got != name {
				t.Errorf("got %s", got)
			}
		})
	}
}

// TestAllTogether makes sure that what All emits fits together, whatever the options
// call it.
func TestAllTogether(t *testing.T) {
	dir := extract(t, shop)
	opts := everything(dir)
	opts.Name, opts.SingleDirectory, opts.OutputDir = "other", true, "out"
	for range 2 {
		report, err := generators.All(t.Context(), opts)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range report.Changes {
			if c.Op == generators.Remove {
				t.Errorf("%s is removed", c.Path)
			}
		}
		opts.Mode = generators.Verify
	}
	found := files(t, filepath.Join(dir, "out"))
	factory, ok := found["informers/factory.go"]
	if !ok || !strings.Contains(factory, `"example.com/m/out/clientset/other"`) {
		t.Errorf("the factory does not import the clientset:\n%s", factory)
	}
	if informer := found["informers/shop/v1/shoe.go"]; !strings.Contains(informer, `"example.com/m/out/listers/shop/v1"`) {
		t.Errorf("the informer does not import the listers:\n%s", informer)
	}
	if _, ok := found["clientset/other/clientset.go"]; !ok {
		t.Error("no clientset")
	}
}
