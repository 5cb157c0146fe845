package cli

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/spf13/pflag"

	"github.com/listwatch/listwatch/generators"
)

// bound returns the flags of the tool that generates what name names.
func bound(name string) *pflag.FlagSet {
	f := newFlags("gen-" + name)
	switch name {
	case "clientset":
		var o generators.ClientsetOptions
		f.Common(&o.Options)
		f.Clientset(&o)
	case "lister":
		var o generators.ListerOptions
		f.Common(&o.Options)
	case "informer":
		var o generators.InformerOptions
		f.Common(&o.Options)
		f.Informer(&o)
	}
	_ = f.seal() // fails only with emitters
	return f.set
}

// upstream contains every flag of code-generator v0.37.2's tools with a valid value, and its
// shorthand. standard is their default if it has a meaning here.
var upstream = []struct {
	tools     string // of ours, separated by spaces
	name      string
	shorthand string
	value     string
	standard  string
}{
	{tools: "clientset lister informer", name: "output-dir", value: "out"},
	{tools: "clientset lister informer", name: "output-pkg", value: "example.com/out"},
	{tools: "clientset lister informer", name: "go-header-file", value: "header.txt"},
	{tools: "clientset lister informer", name: "plural-exceptions", value: "Endpoints:Endpoints,Goose:Geese", standard: "[]"},
	{tools: "clientset lister informer", name: "lint-rules", value: "known-tags-only,require-explicit-disablement", standard: "[]"},

	{tools: "clientset", name: "input", value: "apps/v1,core/v1,api/", standard: "[]"},
	{tools: "clientset", name: "input-base", value: "example.com/apis", standard: "k8s.io/kubernetes/pkg/apis"},
	{tools: "clientset", name: "included-types-overrides", value: "apps/v1/Deployment,core/v1/Pod", standard: "[]"},
	// The default name depends on --input; see Set.
	{tools: "clientset", name: "clientset-name", shorthand: "n", value: "versioned"},
	{tools: "clientset", name: "clientset-api-path", value: "/api", standard: "/apis"},
	{tools: "clientset", name: "clientset-only", value: "true", standard: "false"},
	{tools: "clientset", name: "fake-clientset", value: "false", standard: "true"},
	{tools: "clientset", name: "apply-configuration-package", value: "example.com/apply"},
	{tools: "clientset", name: "prefers-protobuf", value: "true", standard: "false"},
	{tools: "clientset", name: "clientset-path", value: "example.com/out"}, // an older name of output-pkg

	{tools: "informer", name: "internal-clientset-package", value: "example.com/internal"},
	{tools: "informer", name: "versioned-clientset-package", value: "example.com/versioned"},
	{tools: "informer", name: "listers-package", value: "example.com/listers"},
	{tools: "informer", name: "single-directory", value: "true", standard: "false"},

	// klog's flags.
	{tools: "clientset lister informer", name: "add_dir_header", value: "true", standard: "false"},
	{tools: "clientset lister informer", name: "alsologtostderr", value: "true", standard: "false"},
	{tools: "clientset lister informer", name: "alsologtostderrthreshold", value: "2", standard: "0"},
	{tools: "clientset lister informer", name: "legacy_stderr_threshold_behavior", value: "false", standard: "true"},
	{tools: "clientset lister informer", name: "log_backtrace_at", value: "file.go:7", standard: ":0"},
	{tools: "clientset lister informer", name: "log_dir", value: "logs"},
	{tools: "clientset lister informer", name: "log_file", value: "log.txt"},
	{tools: "clientset lister informer", name: "log_file_max_size", value: "10", standard: "1800"},
	{tools: "clientset lister informer", name: "logtostderr", value: "false", standard: "true"},
	{tools: "clientset lister informer", name: "one_output", value: "true", standard: "false"},
	{tools: "clientset lister informer", name: "skip_headers", value: "true", standard: "false"},
	{tools: "clientset lister informer", name: "skip_log_headers", value: "true", standard: "false"},
	{tools: "clientset lister informer", name: "stderrthreshold", value: "1", standard: "2"},
	{tools: "clientset lister informer", name: "v", shorthand: "v", value: "3", standard: "0"},
	{tools: "clientset lister informer", name: "vmodule", value: "file=2"},
}

// TestUpstreamFlags checks that every flag of code-generator's tools is accepted.
func TestUpstreamFlags(t *testing.T) {
	for _, c := range upstream {
		for tool := range strings.FieldsSeq(c.tools) {
			t.Run("gen-"+tool+" --"+c.name, func(t *testing.T) {
				set := bound(tool)
				flag := set.Lookup(c.name)
				if flag == nil {
					t.Fatal("there is none")
				}
				if flag.DefValue != c.standard {
					t.Errorf("default is %q, want %q", flag.DefValue, c.standard)
				}
				if flag.Shorthand != c.shorthand {
					t.Errorf("shorthand is %q, want %q", flag.Shorthand, c.shorthand)
				}
				forms := [][]string{{"--" + c.name + "=" + c.value}}
				if flag.NoOptDefVal == "" {
					forms = append(forms, []string{"--" + c.name, c.value})
				} else {
					forms = append(forms, []string{"--" + c.name})
				}
				if c.shorthand != "" {
					forms = append(forms, []string{"-" + c.shorthand, c.value}, []string{"-" + c.shorthand + "=" + c.value})
				}
				for _, args := range forms {
					set := bound(tool)
					if err := set.Parse(args); err != nil {
						t.Errorf("%s: %v", strings.Join(args, " "), err)
					}
					if !set.Changed(c.name) || set.NArg() > 0 {
						t.Errorf("%s: not taken", strings.Join(args, " "))
					}
					restore(set.Lookup(c.name))
				}
			})
		}
	}
}

// restore restores a flag's value: klog has one value for the whole process.
func restore(f *pflag.Flag) {
	if f.Value.Set(f.DefValue) != nil {
		_ = f.Value.Set("")
	}
}

// TestOwnFlags lists the flags that code-generator's tools do not have.
func TestOwnFlags(t *testing.T) {
	known := map[string]bool{}
	for _, c := range upstream {
		known[c.name] = true
	}
	for _, tool := range []string{"clientset", "lister", "informer"} {
		own := map[string]string{}
		bound(tool).VisitAll(func(f *pflag.Flag) {
			if !known[f.Name] {
				own[f.Name] = f.DefValue
			}
		})
		want := map[string]string{
			"runtime": "listwatch", "verify": "false", "dry-run": "false", "timings": "false",
			"build-tag": "[ignore_autogenerated]", "strict": "false", "version": "false", "exclude": "[]",
			"format": "", "lint": "[]", "fix": "false",
		}
		if d := cmp.Diff(want, own); d != "" {
			t.Errorf("gen-%s: %s", tool, d)
		}
	}
}

// TestCommon parses the common flags into options.
func TestCommon(t *testing.T) {
	usual := generators.Options{Runtime: "listwatch", BuildTags: []string{"ignore_autogenerated"}}
	with := func(change func(o *generators.Options)) generators.Options {
		o := usual
		change(&o)
		return o
	}
	for _, c := range []struct {
		name     string
		args     []string
		want     generators.Options
		patterns []string
		err      string // part of the error for invalid ones
	}{
		{name: "none", want: usual},
		{name: "patterns", args: []string{"./a", "--runtime=client-go", "./b"}, patterns: []string{"./a", "./b"}, want: with(func(o *generators.Options) { o.Runtime = "client-go" })},
		{name: "exclude", args: []string{"--exclude=./a/...,b", "--exclude", "c/..."}, want: with(func(o *generators.Options) { o.Exclude = []string{"./a/...", "b", "c/..."} })},
		{name: "strict", args: []string{"--strict"}, want: with(func(o *generators.Options) { o.Strict = true })},
		{name: "patterns after two hyphens", args: []string{"--", "--verify"}, patterns: []string{"--verify"}, want: usual},
		{name: "output", args: []string{"--output-dir=a", "--output-pkg", "b", "--go-header-file=c"}, want: with(func(o *generators.Options) { o.OutputDir, o.OutputPkg, o.HeaderFile = "a", "b", "c" })},
		{name: "verify", args: []string{"--verify"}, want: with(func(o *generators.Options) { o.Mode = generators.Verify })},
		{name: "dry run", args: []string{"--dry-run=true", "--verify=false"}, want: with(func(o *generators.Options) { o.Mode = generators.DryRun })},
		{name: "tags", args: []string{"--build-tag=a,b", "--build-tag=c"}, want: with(func(o *generators.Options) { o.BuildTags = []string{"a", "b", "c"} })},
		{name: "lint rules", args: []string{"--lint-rules=b", "--lint=a"}, want: with(func(o *generators.Options) { o.LintRules = []string{"a", "b"} })},
		{
			name: "plurals", args: []string{"--plural-exceptions=Endpoints:Endpoints", "--plural-exceptions=Goose:Geese,Ox:Oxen"},
			want: with(func(o *generators.Options) {
				o.PluralExceptions = map[string]string{"Endpoints": "Endpoints", "Goose": "Geese", "Ox": "Oxen"}
			}),
		},
		{name: "plural of nothing", args: []string{"--plural-exceptions=:Geese"}, err: `":Geese" is not Kind:Plural`},
		{name: "nothing as plural", args: []string{"--plural-exceptions=A:B,Goose:"}, err: `"Goose:" is not Kind:Plural`},
		{name: "no plural", args: []string{"--plural-exceptions=Goose"}, err: `"Goose" is not Kind:Plural`},
		{name: "two plurals", args: []string{"--plural-exceptions=Goose:Geese:Gooses"}, err: `"Goose:Geese:Gooses" is not Kind:Plural`},
	} {
		t.Run(c.name, func(t *testing.T) {
			tool, ran := tool(&generators.Report{}, nil)
			var stderr strings.Builder
			code := tool.Main(t.Context(), c.args, io.Discard, &stderr)
			if c.err != "" {
				if code != exitUsage || !strings.Contains(stderr.String(), c.err) {
					t.Errorf("exit code %d, and %q", code, stderr.String())
				}
				return
			}
			if code != exitDone {
				t.Fatalf("exit code %d, and %q", code, stderr.String())
			}
			if d := cmp.Diff(c.want, ran.options, cmpopts.EquateEmpty()); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(c.patterns, ran.patterns, cmpopts.EquateEmpty()); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestContext checks that the context is passed on.
func TestContext(t *testing.T) {
	type key struct{}
	ctx := context.WithValue(t.Context(), key{}, "value")
	var got any
	tool := Tool{Name: "gen-test", Source: source, Bind: func(flags *Flags) RunFunc {
		flags.Common(new(generators.Options))
		return func(ctx context.Context, _ []string) (*generators.Report, error) {
			got = ctx.Value(key{})
			return &generators.Report{}, nil
		}
	}}
	if code := tool.Main(ctx, nil, io.Discard, io.Discard); code != exitDone || got != "value" {
		t.Errorf("exit code %d, value %v", code, got)
	}
}
