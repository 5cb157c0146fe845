package clientcmd

import (
	"flag"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-logr/logr/funcr"
	"github.com/spf13/pflag"
	"k8s.io/klog/v2"
	"sigs.k8s.io/yaml"

	"github.com/listwatch/listwatch/internal/golden"
	"github.com/listwatch/listwatch/internal/kubeconfigtest"
	"github.com/listwatch/listwatch/runtime/internal/secret/secrettest"
	"github.com/listwatch/listwatch/runtime/rest"
)

// sizes of certificates vary.
var sizes = regexp.MustCompile(`\[\d+ bytes\]`)

// TestCases compares the configuration of a client in each case, or the error, with a file. conformance/runtime/kubeconfig
// compares much more with client-go.
func TestCases(t *testing.T) {
	var outcomes strings.Builder
	cases, err := filepath.Abs(filepath.Join("testdata", "cases"))
	if err != nil {
		t.Fatal(err)
	}
	var logs strings.Builder
	klog.SetLogger(funcr.New(func(_, args string) { logs.WriteString(args + "\n") }, funcr.Options{Verbosity: 10}))
	defer klog.ClearLogger()
	verbosity := flag.NewFlagSet("", flag.ContinueOnError)
	klog.InitFlags(verbosity)
	if err := verbosity.Set("v", "10"); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = verbosity.Set("v", "0") }()
	for _, c := range kubeconfigtest.Read(t, cases) {
		t.Run(c.Name, func(t *testing.T) {
			dir := t.TempDir()
			c.Enter(t, dir)
			config, err := caseConfig(t, c).ClientConfig()
			secrettest.Check(t, err, planted)
			secrettest.Check(t, config, planted)
			text := fmt.Sprint(config)
			if err == nil {
				_, err = rest.HTTPClientFor(config)
				secrettest.Check(t, err, planted)
				if err != nil {
					text += "\n\tno transport: " + err.Error()
				}
			} else {
				text = err.Error()
			}
			text = sizes.ReplaceAllString(strings.ReplaceAll(text, dir, "$DIR"), "[data]")
			fmt.Fprintf(&outcomes, "%s\n\t%s\n", c.Name, text)
		})
	}
	if !strings.Contains(logs.String(), "Config loaded from file") || secrettest.Shows(logs.String(), planted) {
		t.Errorf("logged:\n%s", logs.String())
	}
	golden.File(t, filepath.Join(filepath.Dir(cases), "outcomes.txt"), outcomes.String())
}

func caseConfig(t *testing.T, c kubeconfigtest.Case) ClientConfig {
	t.Helper()
	rules := &ClientConfigLoadingRules{}
	if c.Options["kubeconfig"] != "" {
		rules = NewDefaultClientConfigLoadingRules()
		rules.MigrationRules, rules.Warner = nil, func(error) {}
	}
	rules.ExplicitPath = c.Options["explicit"]
	overrides := &ConfigOverrides{}
	overrides.ClusterDefaults.Server = c.Options["default-server"]
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	BindOverrideFlags(overrides, flags, RecommendedConfigOverrideFlags(""))
	if err := flags.Parse(c.Flags()); err != nil {
		t.Fatal(err)
	}
	return NewNonInteractiveDeferredLoadingClientConfig(rules, overrides)
}

// FuzzLoad: no panic, no secret in an error, and what is written is read as the same.
func FuzzLoad(f *testing.F) {
	for _, c := range kubeconfigtest.Read(f, filepath.Join("testdata", "cases")) {
		for _, file := range c.Files {
			f.Add([]byte(kubeconfigtest.Expand(string(file.Data), "/dir")))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		config, err := Load(data)
		if err != nil {
			if !isName(data, planted) && secrettest.Shows(err.Error(), planted) {
				t.Errorf("the secret is in %v", err)
			}
			return
		}
		written, err := Write(*config)
		if err != nil {
			return // an extension may be what JSON cannot express
		}
		again, err := Load(written)
		if err != nil {
			t.Fatalf("%v in what was written:\n%s", err, written)
		}
		if text, err := Write(*again); err != nil || string(text) != string(written) {
			t.Errorf("written again as\n%s, %v\nwant\n%s", text, err, written)
		}
	})
}

// isName reports whether text is part of what errors may quote: names of entries, the kind and the version.
func isName(data []byte, text string) bool {
	var file any
	if yaml.Unmarshal(data, &file) != nil {
		return false
	}
	var find func(v any) bool
	find = func(v any) bool {
		switch v := v.(type) {
		case []any:
			return slices.ContainsFunc(v, find)
		case map[string]any:
			for key, value := range v {
				if s, ok := value.(string); ok && strings.Contains(s, text) && slices.Contains([]string{"name", "kind", "apiVersion"}, key) || find(value) {
					return true
				}
			}
		}
		return false
	}
	return find(file)
}
