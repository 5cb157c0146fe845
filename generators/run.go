package generators

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/module"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/emit"
	"github.com/listwatch/listwatch/generators/internal/tree"
	"github.com/listwatch/listwatch/generators/model"
)

// Read reads the API packages and returns their model with the warnings about them, sorted by
// position. It writes nothing. The model belongs to the caller.
func Read(ctx context.Context, opts RunOptions) (*model.API, []Diagnostic, error) {
	r := newRun(ctx, opts)
	var api *model.API
	in, err := r.open()
	if err == nil {
		api = in.api
	}
	return api, r.diags.Warnings(r.opts.Dir), err
}

// Run reads the API packages and generates what the emitters plan for them. Two emitters
// cannot generate the same file. The report is never nil.
func Run(ctx context.Context, opts RunOptions, emitters ...Emitter) (*Report, error) {
	r := newRun(ctx, opts)
	err := r.do(emitters)
	r.report.Warnings = r.diags.Warnings(r.opts.Dir)
	return &r.report, err
}

// run is the state of one call.
type run struct {
	ctx    context.Context
	opts   RunOptions
	diags  diag.List
	report Report
	since  time.Time
	// registered are the packages of the clientset that an earlier run generated, in a run of [All].
	registered []string
	// manifested reports that an earlier run generated roles or webhooks in a module of the run, in a run of [All].
	manifested bool
}

func newRun(ctx context.Context, opts RunOptions) *run {
	return &run{ctx: ctx, opts: opts, diags: diag.List{Strict: opts.Strict, Lenient: opts.Lenient}, since: time.Now()}
}

// step records the time since the previous step under a name.
func (r *run) step(name string) {
	now := time.Now()
	r.report.Timings = append(r.report.Timings, Timing{name, now.Sub(r.since)})
	r.since = now
}

// open checks the options and reads the input.
func (r *run) open() (*input, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	return r.read()
}

// do reads the input, plans and prints the output, and writes or compares it.
func (r *run) do(emitters []Emitter) error {
	in, err := r.open()
	if err != nil {
		return err
	}
	r.report.API = in.api
	header, err := r.header()
	if err != nil {
		return err
	}
	plan, err := r.plan(in, emitters)
	if err != nil {
		return err
	}
	r.report.Trees = plan
	trees, err := r.print(in, plan, header)
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

// plan returns the trees of all emitters.
func (r *run) plan(in *input, emitters []Emitter) ([]Tree, error) {
	place, err := r.place(in.packages)
	if err != nil {
		return nil, err
	}
	var plan []Tree
	for _, e := range emitters {
		trees, err := e.Plan(&Input{
			API: in.api.Clone(), Place: place, Runtime: r.opts.Runtime,
			Clients: r.opts.Clients, Fakes: r.opts.Fakes, Structs: r.opts.Structs, diags: &r.diags, elsewhere: in.elsewhere, registered: r.registered, all: r.opts.all != nil,
		})
		if err != nil {
			return nil, err
		}
		plan = append(plan, trees...)
	}
	r.checkRequirements(plan)
	if r.opts.all != nil && hasKinds(in.api) {
		r.warnPredecessor(place, in.packages)
	}
	return plan, nil
}

// print generates the files of the trees in memory.
func (r *run) print(in *input, plan []Tree, header string) ([]tree.Tree, error) {
	var trees []tree.Tree
	for _, p := range plan {
		if err := p.check(); err != nil {
			return nil, err
		}
		texts, err := r.texts(in, p, header)
		if err != nil {
			return nil, err
		}
		t := tree.Tree{Dir: p.Place.Dir, Mark: emit.Generated(p.Tool), Replaced: replaced(p.Tool), Keep: p.Keep, Flat: p.Flat, Stays: p.stays, Same: p.same, Printed: p.printed, Advice: p.advice, Files: texts}
		same := func(other tree.Tree) bool { return other.Dir == t.Dir && other.Mark == t.Mark }
		if i := slices.IndexFunc(trees, same); i >= 0 {
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

// texts returns the files of a tree by path.
func (r *run) texts(in *input, p Tree, header string) (map[string][]byte, error) {
	if len(p.Files) == 0 && (p.Flat || p.Templates == nil) {
		return map[string][]byte{}, nil
	}
	printer, err := emit.NewPrinter(p.Templates, r.opts.Runtime, header, p.Tool)
	if err != nil {
		return nil, err
	}
	files := p.files(pos(in.api))
	texts, err := printer.PrintAll(files, &r.diags)
	if err != nil {
		return nil, err
	}
	return texts, p.texts(texts)
}

// settle writes the trees to disk or, depending on the mode, reports the differences.
func (r *run) settle(trees []tree.Tree) error {
	plan := &tree.Plan{}
	if err := tree.Disjoint(trees); err != nil {
		return err
	}
	var lost []Change
	for _, t := range trees {
		p, err := t.Plan()
		if err != nil {
			return err
		}
		lost = append(lost, lostHeaders(t, p.Changes)...)
		plan.Changes = append(plan.Changes, p.Changes...)
		plan.Unchanged += p.Unchanged
		plan.Leftovers = append(plan.Leftovers, p.Leftovers...)
	}
	r.warnLost(lost)
	if err := r.diags.Err(r.opts.Dir); err != nil {
		return err
	}
	slices.SortFunc(plan.Changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	r.report.Unchanged = plan.Unchanged
	if r.opts.Mode == Write {
		err := plan.Apply()
		r.report.Changes = plan.Changes
		return err
	}
	r.report.Changes = plan.Changes
	if r.opts.Mode == Verify && len(plan.Changes) > 0 {
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
