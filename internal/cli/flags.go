package cli

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/generators"
)

// Flags are the flags of a tool: those common to all tools, and those that the tool binds
// with the methods.
type Flags struct {
	set *pflag.FlagSet
	// options receives the values of the common flags.
	options *generators.Options

	outputDir, outputPkg, header string
	runtime                      string
	plurals, tags, exclude       []string
	lint, lintRules              []string
	verify, dryRun, timings      bool
	strict, version, fix         bool
	verbosity                    level
	format                       format
	// emitters are those with which the tool runs. Seal adds their flags.
	emitters []generators.Emitter
}

func newFlags(name string) *Flags {
	f := &Flags{set: pflag.NewFlagSet(name, pflag.ContinueOnError)}
	f.set.SortFlags = false
	f.set.Usage = func() {}
	return f
}

// InPlace binds the flags of tools that write one file, named output, into API packages.
func (f *Flags) InPlace(options *generators.Options, output string) {
	f.set.Var(fixed(output), "output-file", "`name` of the generated files, which cannot be changed")
	_ = f.set.MarkHidden("output-file") // added in the line above
	f.input(options)
}

// BoundingDirs accepts a flag of former deepcopy-gens, which limited the packages whose types have
// functions. These are read from the source, so it has no effect.
func (f *Flags) BoundingDirs() {
	f.set.StringSlice("bounding-dirs", nil, "has no effect")
	_ = f.set.MarkHidden("bounding-dirs") // added in the line above
}

// Common binds the flags common to the tools with an output directory to options.
func (f *Flags) Common(options *generators.Options) {
	f.set.StringVar(&f.outputDir, "output-dir", "", "output `directory` (default: pkg/generated in the module of the API packages, plus clientset, listers or informers)")
	f.set.StringVar(&f.outputPkg, "output-pkg", "", "import `path` of the output directory (default: determined from go.mod)")
	f.set.StringVar(&f.runtime, "runtime", string(generators.Listwatch), "runtime of the generated code: listwatch, or client-go to replace code-generator's output")
	f.set.StringSliceVar(&f.plurals, "plural-exceptions", nil, "list of `Kind:Plural` for kinds whose English plural is wrong")
	values(f.set, "runtime", names(generators.Runtimes))
	f.input(options)
}

// input binds the flags common to all tools.
func (f *Flags) input(options *generators.Options) {
	f.options = options
	f.set.StringVar(&f.header, "go-header-file", "", "`file` with Go comments for the top of generated files; YEAR is replaced by the current year")
	f.set.BoolVar(&f.verify, "verify", false, "write nothing; if the output is out of date, print a diff and exit with code 1")
	f.set.BoolVar(&f.dryRun, "dry-run", false, "write nothing; list the files that would change")
	f.set.StringSliceVar(&f.exclude, "exclude", nil, "exclude packages that match these `patterns`, such as ./test/... or example.com/project/apis/v1")
	f.set.BoolVar(&f.fix, "fix", false, "correct the source where the correction of an error or warning is known, such as misspelled markers, and run again")
	f.set.BoolVar(&f.strict, "strict", false, "turn all warnings into errors")
	f.set.StringSliceVar(&f.tags, "build-tag", []string{generators.DefaultBuildTag}, "build `tags` that select the input files")
	f.set.Var(&f.format, "format", formatUsage)
	f.set.BoolVar(&f.timings, "timings", false, "print the duration of each step")
	f.set.BoolVar(&f.version, "version", false, "print the version and exit")
	f.set.StringSliceVar(&f.lint, "lint", nil, "`rules` of kube-api-linter to check types against, or default or all of them, and those of code-generator for the markers of packages: "+strings.Join(generators.LintRules, ", "))
	f.set.StringSliceVar(&f.lintRules, "lint-rules", nil, "`rules` as for --lint") // code-generator's name
	_ = f.set.MarkHidden("lint-rules")                                             // bound in the line above
	values(f.set, "format", formats)
	values(f.set, "lint", generators.LintRules)
	values(f.set, "lint-rules", generators.LintRules)
}

// Skip binds the flag that selects what is not generated even if markers request it.
func (f *Flags) Skip(parts *[]string) {
	f.set.StringSliceVar(parts, "skip", nil, "`parts` that are not generated even if markers request them: "+strings.Join(generators.Parts, ", "))
	values(f.set, "skip", generators.Parts)
}

// CRDDir binds the flag with the directory of CustomResourceDefinitions.
func (f *Flags) CRDDir(dir *string) {
	f.set.StringVar(dir, "crd-dir", "", "`directory` of CustomResourceDefinitions (default: "+generators.DefaultCRDDir+" in the module of the API packages, for new output directories and if some were generated there before)")
}

// seal adds klog's flags, which code-generator's tools accept and scripts pass, and those of emitters. Except for
// -v, klog's have no effect and are hidden in the help. It returns an error if a flag of an emitter has the name of
// another one.
func (f *Flags) seal() error {
	f.set.VarP(&f.verbosity, "v", "v", "verbosity `level`; 0 prints only errors and warnings")
	var klogFlags flag.FlagSet
	klog.InitFlags(&klogFlags)
	klogFlags.VisitAll(func(flag *flag.Flag) {
		if flag.Name != "v" {
			f.set.AddGoFlag(flag)
			_ = f.set.MarkHidden(flag.Name) // added in the line above
		}
	})
	return f.addEmitters()
}

// level is the value of -v.
type level int

func (l *level) String() string { return strconv.Itoa(int(*l)) }

func (l *level) Type() string { return "int" }

// Set parses a number. Its error helps with "-v ./apis/...", where the number is missing.
func (l *level) Set(value string) error {
	n, err := strconv.Atoi(value)
	if err != nil {
		return errors.New("want a number, as in -v=1")
	}
	*l = level(n)
	return nil
}

// common returns the values of the common flags.
func (f *Flags) common() (generators.Options, error) {
	o := *f.options
	o.OutputDir, o.OutputPkg, o.HeaderFile = f.outputDir, f.outputPkg, f.header
	o.Runtime = generators.Runtime(f.runtime)
	o.BuildTags, o.LintRules, o.Strict, o.Exclude = f.tags, slices.Concat(f.lint, f.lintRules), f.strict, f.exclude
	o.PluralExceptions = map[string]string{}
	for _, exception := range f.plurals {
		kind, plural, ok := strings.Cut(exception, ":")
		if !ok || kind == "" || plural == "" || strings.Contains(plural, ":") {
			return o, fmt.Errorf("--plural-exceptions: %q is not Kind:Plural", exception)
		}
		o.PluralExceptions[kind] = plural
	}
	switch {
	case f.checks() && (f.fix || f.verify || f.dryRun):
		return o, fmt.Errorf("--%s writes nothing, and compares no output; --fix, --verify and --dry-run exclude it", checkBreaking)
	case f.fix && (f.verify || f.dryRun):
		return o, fmt.Errorf("--fix writes files, which --verify and --dry-run exclude")
	case f.verify && f.dryRun:
		return o, fmt.Errorf("--verify and --dry-run are mutually exclusive")
	case f.verify:
		o.Mode = generators.Verify
	case f.dryRun:
		o.Mode = generators.DryRun
	}
	return o, nil
}

// oldNames accepts flags under their former names in code-generator.
func oldNames(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if name == "clientset-path" {
		name = "output-pkg"
	}
	return pflag.NormalizedName(name)
}

// names returns values as strings.
func names[T ~string](list []T) []string {
	var all []string
	for _, v := range list {
		all = append(all, string(v))
	}
	return all
}

// fixed is the only value of a flag that scripts pass to code-generator's tools.
type fixed string

func (v fixed) String() string { return string(v) }

func (v fixed) Type() string { return "string" }

func (v fixed) Set(value string) error {
	if value != string(v) {
		return fmt.Errorf("the file is always named %s; remove the flag", string(v))
	}
	return nil
}
