package cli

import (
	"errors"
	"flag"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/generators"
)

// Flags are the flags of a tool: those that all tools have, and those that the
// tool binds with the methods.
type Flags struct {
	set *pflag.FlagSet
	// options is where the values of the common flags go.
	options *generators.Options

	outputDir, outputPkg, header string
	runtime                      string
	plurals, lint, tags, exclude []string
	verify, dryRun, timings      bool
	strict, version              bool
	verbosity                    level
}

func newFlags(name string) *Flags {
	f := &Flags{set: pflag.NewFlagSet(name, pflag.ContinueOnError)}
	f.set.SortFlags = false
	f.set.Usage = func() {}
	return f
}

// Common binds the flags that all tools have; their values go to options.
func (f *Flags) Common(options *generators.Options) {
	f.options = options
	f.set.StringVar(&f.outputDir, "output-dir", "", "`folder` of the output (default: pkg/generated in the module of the API packages, and below it what is generated)")
	f.set.StringVar(&f.outputPkg, "output-pkg", "", "import `path` of that folder (default: from go.mod)")
	f.set.StringVar(&f.runtime, "runtime", string(generators.Listwatch), "what emitted code builds on: listwatch, or client-go to replace code-generator's output")
	f.set.StringVar(&f.header, "go-header-file", "", "`file` with Go comments that emitted files begin with; YEAR in it stands for the current year")
	f.set.StringSliceVar(&f.plurals, "plural-exceptions", nil, "plurals that are not as English makes them, as in `Kind:Plural`,...")
	f.set.BoolVar(&f.verify, "verify", false, "write nothing; print a diff and exit with 1 if the output is out of date")
	f.set.BoolVar(&f.dryRun, "dry-run", false, "write nothing; list what would change")
	f.set.StringSliceVar(&f.exclude, "exclude", nil, "leave out the packages that these `patterns` match, such as ./test/... or example.com/project/apis/v1")
	f.set.BoolVar(&f.strict, "strict", false, "make every warning an error")
	f.set.StringSliceVar(&f.tags, "build-tag", []string{generators.DefaultBuildTag}, "build `tags` that choose the files which are read")
	f.set.BoolVar(&f.timings, "timings", false, "print where the time went")
	f.set.BoolVar(&f.version, "version", false, "print the version, and do nothing")
	f.set.StringSliceVar(&f.lint, "lint-rules", nil, "`rules` about the +k8s: markers of packages: "+strings.Join(generators.LintRules, ", "))
}

// seal adds the flags of klog, which code-generator's tools take, and which
// scripts pass. All but -v mean nothing here and do not show in the help.
func (f *Flags) seal() {
	f.set.VarP(&f.verbosity, "v", "v", "how `much` to say about the run: 0 for faults only")
	var klogFlags flag.FlagSet
	klog.InitFlags(&klogFlags)
	klogFlags.VisitAll(func(flag *flag.Flag) {
		if flag.Name != "v" {
			f.set.AddGoFlag(flag)
			_ = f.set.MarkHidden(flag.Name) // it was added the line above
		}
	})
}

// level is the value of -v.
type level int

func (l *level) String() string { return strconv.Itoa(int(*l)) }

func (l *level) Type() string { return "int" }

// Set takes a number. It says so if it is given none, as for "-v ./apis/...".
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
	o.BuildTags, o.LintRules, o.Strict, o.Exclude = f.tags, f.lint, f.strict, f.exclude
	o.PluralExceptions = map[string]string{}
	for _, exception := range f.plurals {
		kind, plural, ok := strings.Cut(exception, ":")
		if !ok || kind == "" || plural == "" || strings.Contains(plural, ":") {
			return o, fmt.Errorf("--plural-exceptions: %q is not Kind:Plural", exception)
		}
		o.PluralExceptions[kind] = plural
	}
	switch {
	case f.verify && f.dryRun:
		return o, fmt.Errorf("--verify and --dry-run exclude each other")
	case f.verify:
		o.Mode = generators.Verify
	case f.dryRun:
		o.Mode = generators.DryRun
	}
	return o, nil
}

// oldNames gives flags the names that they had in code-generator once.
func oldNames(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if name == "clientset-path" {
		name = "output-pkg"
	}
	return pflag.NormalizedName(name)
}
