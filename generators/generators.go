// Package generators generates typed Kubernetes clientsets, listers and informers from Go
// API types.
//
// # Terms
//
// An API package is a Go package that contains the types of one version of one API group.
// A type with the marker +genclient in the comment above it is a kind; other markers
// configure its client. The runtime is the library that generated code uses: this module's
// packages below runtime, or client-go.
//
// # Operations
//
// [Clientset], [Lister] and [Informer] each generate one tree of packages; [All] reads the
// API packages once and generates all three. A run finds the API packages and parses the
// files it needs, without type-checking or compiling anything. It builds a model of
// groups, versions and kinds, prints the files, and compares them with those on disk. Then
// it writes: unchanged files are not touched, and files that an earlier run generated but
// this run does not are removed.
//
// All errors in the input are reported together, with their positions, as [Errors]. If a
// run fails before all new files are on disk next to their destinations, the output is
// unchanged.
//
// Input that cannot be generated, or whose output would not compile, is an error. A marker
// without effect is a warning. Input that does not mean what it appears to is an error of
// [All] but a warning of the other three, which replace code-generator's tools and accept
// what those accept. [Options].Strict turns all warnings into errors.
//
// # Limits
//
// Information that needs a type checker is not available: the values of constants, and
// declarations in packages that are not on disk. The functions can be called concurrently
// if their outputs do not overlap.
package generators

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/module"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/emit"
	"github.com/listwatch/listwatch/generators/internal/model"
	"github.com/listwatch/listwatch/generators/internal/tree"
	"github.com/listwatch/listwatch/internal/observe"
	"github.com/listwatch/listwatch/templates"
)

// Errors that callers can act on.
var (
	// ErrStale reports, in mode [Verify], that the output on disk is out of date.
	ErrStale = errors.New("generated files are out of date")
	// ErrNoTypes reports that no type in the API packages has the marker +genclient.
	ErrNoTypes = errors.New("no types are marked +genclient")
	// ErrUsage is wrapped by errors in options, as opposed to errors in the input.
	ErrUsage = errors.New("invalid usage")
)

// Clientset generates a clientset: the clients of all kinds, their scheme, and a fake
// clientset. The report is never nil.
func Clientset(ctx context.Context, opts ClientsetOptions) (*Report, error) {
	r := newDropIn(ctx, opts.Options)
	r.clients, r.fakes = true, !opts.NoFake
	if err := opts.check(); err != nil {
		return &r.report, err
	}
	return r.do(opts.sources, opts.IncludedTypes, func(in *input) ([]output, error) {
		at, err := r.place(in, opts.Options, "clientset")
		if err != nil {
			return nil, err
		}
		return []output{clientsetOutput(opts, at)}, nil
	})
}

// Lister generates listers. The report is never nil.
func Lister(ctx context.Context, opts ListerOptions) (*Report, error) {
	r := newDropIn(ctx, opts.Options)
	return r.do(noSources, nil, func(in *input) ([]output, error) {
		at, err := r.place(in, opts.Options, "listers")
		if err != nil {
			return nil, err
		}
		return []output{listerOutput(at)}, nil
	})
}

// Informer generates shared informers and their factory. The report is never nil.
func Informer(ctx context.Context, opts InformerOptions) (*Report, error) {
	r := newDropIn(ctx, opts.Options)
	if err := opts.check(); err != nil {
		return &r.report, err
	}
	return r.do(noSources, nil, func(in *input) ([]output, error) {
		at, err := r.place(in, opts.Options, "informers")
		if err != nil {
			return nil, err
		}
		opts.Options = r.opts
		return informerOutputs(opts, at), nil
	})
}

// All generates the output of [Clientset], [Lister] and [Informer], into the directories
// clientset, listers and informers. The report is never nil.
func All(ctx context.Context, opts AllOptions) (*Report, error) {
	r := newRun(ctx, opts.Options)
	r.clients, r.fakes = true, !opts.NoFake
	if err := opts.check(); err != nil {
		return &r.report, err
	}
	return r.do(opts.sources, opts.IncludedTypes, func(in *input) ([]output, error) {
		at, err := r.place(in, opts.Options, "")
		if err != nil {
			return nil, err
		}
		informers := InformerOptions{Options: r.opts, SingleDirectory: opts.SingleDirectory}
		informers.VersionedClientset = at.below("clientset", opts.name()).Pkg
		return append(
			informerOutputs(informers, at.below("informers")),
			clientsetOutput(opts.ClientsetOptions, at.below("clientset")),
			listerOutput(at.below("listers")),
		), nil
	})
}

// output is one tree of generated packages.
type output struct {
	// tool is the generator, and upstream the name of code-generator's tool.
	tool, upstream string
	// templates is the directory of the templates.
	templates string
	place     place
	// files returns the files of the tree, relative to place.
	files func(api *model.API, diags *diag.List) []emit.File
	// owned is the directory below place from which stale files are removed.
	owned string
	// keep is a directory below owned from which no files are removed; empty for none.
	keep string
}

// run is the state of one call.
type run struct {
	ctx    context.Context
	opts   Options
	diags  diag.List
	report Report
	since  time.Time
	// clients and fakes report whether the output includes them.
	clients, fakes bool
}

func newRun(ctx context.Context, opts Options) *run {
	return &run{ctx: ctx, opts: opts, diags: diag.List{Strict: opts.Strict}, since: time.Now()}
}

// newDropIn returns a run that replaces one of code-generator's tools, and accepts the
// same input.
func newDropIn(ctx context.Context, opts Options) *run {
	r := newRun(ctx, opts)
	r.diags.Lenient = true
	return r
}

// step records the time since the previous step under a name.
func (r *run) step(name string) {
	now := time.Now()
	r.report.Timings = append(r.report.Timings, Timing{name, now.Sub(r.since)})
	r.since = now
}

// do reads the input, generates the outputs and writes or compares them.
func (r *run) do(sources sourcesFunc, included map[string][]string, outputs func(*input) ([]output, error)) (*Report, error) {
	err := r.try(sources, included, outputs)
	r.report.Warnings = r.diags.Warnings(r.opts.Dir)
	return &r.report, err
}

func (r *run) try(sources sourcesFunc, included map[string][]string, outputs func(*input) ([]output, error)) error {
	if err := r.check(); err != nil {
		return err
	}
	in, err := r.read(sources, included)
	if err != nil {
		return err
	}
	header, err := r.header()
	if err != nil {
		return err
	}
	list, err := outputs(in)
	if err != nil {
		return err
	}
	trees, err := r.print(in, list, header)
	if err != nil {
		return err
	}
	r.step("print")
	defer r.step("compare and write")
	if err := r.ctx.Err(); err != nil {
		return err // a package that was not read because of it may be missing from the output
	}
	return r.settle(trees)
}

// check validates the options and sets defaults.
func (r *run) check() error {
	if r.opts.Runtime == "" {
		r.opts.Runtime = Listwatch
	}
	if !r.opts.Runtime.Valid() {
		return fmt.Errorf("%w: unknown runtime %q; want one of %v", ErrUsage, r.opts.Runtime, Runtimes)
	}
	for _, rule := range r.opts.LintRules {
		if !slices.Contains(LintRules, rule) {
			return fmt.Errorf("%w: unknown lint rule %q; want one of %v", ErrUsage, rule, LintRules)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(r.opts.PluralExceptions)) {
		if plural := r.opts.PluralExceptions[kind]; !model.IsExported(model.Title(plural)) {
			return fmt.Errorf("%w: --plural-exceptions=%s:%s: invalid Go name %q; use ASCII letters and digits and start with a letter", ErrUsage, kind, plural, plural)
		}
	}
	if err := checkImportPath("--output-pkg", r.opts.OutputPkg); err != nil {
		return err
	}
	if r.opts.BuildTags == nil {
		r.opts.BuildTags = []string{DefaultBuildTag}
	}
	dir, err := filepath.Abs(r.opts.Dir)
	if err != nil {
		return err
	}
	// The go command resolves symbolic links in the directories of modules.
	r.opts.Dir, err = filepath.EvalSymlinks(dir)
	return err
}

// checkImportPath validates the value of a flag that is an import path. An empty value is
// valid.
func checkImportPath(flag, path string) error {
	if path == "" || module.CheckImportPath(strings.TrimRight(path, "/")) == nil {
		return nil
	}
	return fmt.Errorf("%w: %s=%s is not an import path; use one such as example.com/project/pkg", ErrUsage, flag, path)
}

// print generates the outputs in memory.
func (r *run) print(in *input, outputs []output, header string) ([]tree.Tree, error) {
	var trees []tree.Tree
	for _, o := range outputs {
		api := in.api.without(o.upstream)
		files := o.files(api, &r.diags)
		sub, err := fs.Sub(templates.FS, o.templates)
		if err != nil {
			return nil, err
		}
		printer, err := emit.NewPrinter(sub, r.opts.Runtime, header, o.tool)
		if err != nil {
			return nil, err
		}
		if see := observe.From(r.ctx); see != nil {
			see(observe.Output{Tool: o.tool, Model: api, Templates: printer.Templates(), Prints: prints(files)})
		}
		texts, err := printer.PrintAll(files, &r.diags)
		if err != nil {
			return nil, err
		}
		t := tree.Tree{Dir: o.place.below(o.owned).Dir, Mark: "// " + emit.Generated(o.tool), Keep: o.keep, Files: texts}
		if i := slices.IndexFunc(trees, func(other tree.Tree) bool { return other.Dir == t.Dir }); i >= 0 {
			if err := trees[i].Add(t); err != nil {
				return nil, err
			}
			continue
		}
		trees = append(trees, t)
	}
	if err := r.diags.Err(r.opts.Dir); err != nil {
		return nil, err
	}
	for _, t := range trees {
		if len(t.Files) > 0 {
			r.report.Dirs = append(r.report.Dirs, t.Dir)
		}
	}
	return trees, nil
}

// prints lists, for tests, the templates that files are printed from.
func prints(files []emit.File) []observe.Print {
	var list []observe.Print
	for _, f := range files {
		if f.Template != "" {
			list = append(list, observe.Print{Template: f.Template, Data: f.Data})
		}
	}
	return list
}

// settle writes the trees to disk or, depending on the mode, reports the differences.
func (r *run) settle(trees []tree.Tree) error {
	plan := &tree.Plan{}
	for _, t := range trees {
		p, err := t.Plan()
		if err != nil {
			return err
		}
		plan.Changes = append(plan.Changes, p.Changes...)
		plan.Unchanged += p.Unchanged
		plan.Leftovers = append(plan.Leftovers, p.Leftovers...)
	}
	slices.SortFunc(plan.Changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	r.report.Changes, r.report.Unchanged = plan.Changes, plan.Unchanged
	switch {
	case r.opts.Mode == Write:
		return plan.Apply()
	case r.opts.Mode == Verify && len(plan.Changes) > 0:
		r.report.Diff = plan.Diff(r.relative)
		return ErrStale
	}
	return nil
}

// relative returns path relative to the directory of the run.
func (r *run) relative(path string) string {
	if rel, err := filepath.Rel(r.opts.Dir, path); err == nil {
		return filepath.ToSlash(rel)
	}
	return path
}
