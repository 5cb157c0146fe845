// Package generators emits typed Kubernetes clientsets, listers and informers
// for packages of Go API types.
//
// # Terms
//
// An API package is a Go package that holds the types of one version of one API
// group. A type above which stands the marker +genclient is a kind; further
// markers say what its client can do. A runtime is what emitted code builds on:
// this module's, or client-go.
//
// # Operations
//
// [Clientset], [Lister] and [Informer] each emit one tree of packages; [All]
// reads once and emits all three. A run finds the API packages and parses what it
// needs of them, without type-checking or compiling anything; makes a model of
// groups, versions and kinds; prints a file for each part of it; and compares
// the files with those on disk. Only then does it write: a file that did not
// change is not touched, and a file that an earlier run left and this one does not
// want is removed.
//
// A fault in the input is found at its place, and all are reported at once, as
// [Errors]. Any error until all new files are on disk, beside their places, leaves the
// output as it was.
//
// Input that cannot be generated, or would not compile, is an error, and a marker
// without effect is a warning. Input that does not mean what it seems to is an error of
// [All], but a warning of the other three: they replace code-generator's tools, which
// accept it. [Options].Strict makes every warning an error.
//
// # Limits
//
// What only a type checker knows is not known: constants, and what a name means
// that comes from a package which is not on disk. The functions may be called
// concurrently as long as their outputs do not overlap.
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
	"github.com/listwatch/listwatch/templates"
)

// Errors that callers can act on.
var (
	// ErrStale says that the output on disk is not what the run would emit.
	ErrStale = errors.New("generated files are out of date")
	// ErrNoTypes says that no type in the API packages is marked.
	ErrNoTypes = errors.New("no types are marked +genclient")
	// ErrUsage is wrapped by errors about options, not input.
	ErrUsage = errors.New("invalid usage")
)

// Clientset emits a clientset: the clients of all kinds, their scheme, and fakes.
// The report is never nil.
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

// Lister emits listers. The report is never nil.
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

// Informer emits shared informers and the factory that makes them. The report is
// never nil.
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

// All emits what [Clientset], [Lister] and [Informer] emit, into the folders
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

// output is one tree that a run emits.
type output struct {
	// tool is the generator, and upstream what code-generator calls it.
	tool, upstream string
	// templates names the folder of templates.
	templates string
	place     place
	// files returns what is to be in the tree, below its place.
	files func(api *model.API, diags *diag.List) []emit.File
	// owned returns the folder below place in which stale files are looked for.
	owned string
	// keep is a folder below that one in which nothing is stale; empty for none.
	keep string
}

// run is the state of one call.
type run struct {
	ctx    context.Context
	opts   Options
	diags  diag.List
	report Report
	since  time.Time
	// clients and fakes say that these are among the output.
	clients, fakes bool
}

func newRun(ctx context.Context, opts Options) *run {
	return &run{ctx: ctx, opts: opts, diags: diag.List{Strict: opts.Strict}, since: time.Now()}
}

// newDropIn returns a run that replaces a tool of code-generator's, and so accepts what
// that accepts.
func newDropIn(ctx context.Context, opts Options) *run {
	r := newRun(ctx, opts)
	r.diags.Lenient = true
	return r
}

// step notes that the time since the last step went into this one.
func (r *run) step(name string) {
	now := time.Now()
	r.report.Timings = append(r.report.Timings, Timing{name, now.Sub(r.since)})
	r.since = now
}

// do reads the input, emits the outputs that it asks for, and settles them.
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
		return err // what could not be read for it may be missing in what is printed
	}
	return r.settle(trees)
}

// check completes the options and finds fault with them.
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
	// The go command knows modules by the folders that links lead to.
	r.opts.Dir, err = filepath.EvalSymlinks(dir)
	return err
}

// checkImportPath finds fault with the value of a flag that is an import path, if it is
// given.
func checkImportPath(flag, path string) error {
	if path == "" || module.CheckImportPath(strings.TrimRight(path, "/")) == nil {
		return nil
	}
	return fmt.Errorf("%w: %s=%s is not an import path; use one such as example.com/project/pkg", ErrUsage, flag, path)
}

// print emits the outputs, all in memory.
func (r *run) print(in *input, outputs []output, header string) ([]tree.Tree, error) {
	var trees []tree.Tree
	for _, o := range outputs {
		files := o.files(in.api.without(o.upstream), &r.diags)
		sub, err := fs.Sub(templates.FS, o.templates)
		if err != nil {
			return nil, err
		}
		printer, err := emit.NewPrinter(sub, r.opts.Runtime, header, o.tool)
		if err != nil {
			return nil, err
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

// settle brings the disk to the trees, or says what would.
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

// relative returns a path as seen from the folder of the run.
func (r *run) relative(path string) string {
	if rel, err := filepath.Rel(r.opts.Dir, path); err == nil {
		return filepath.ToSlash(rel)
	}
	return path
}
