package release_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/semver"

	"github.com/listwatch/listwatch/internal/release"
)

// TestTree checks that the tree itself can be released.
func TestTree(t *testing.T) {
	if err := release.Check("../..", "v0.1.0"); err != nil {
		t.Error(err)
	}
}

// plain are the files of a tree that can be released.
var plain = map[string]string{
	"go.mod":                     "module github.com/listwatch/listwatch\n",
	"runtime/version/version.go": "package version\n\nconst IsAtLeast0_1 = true\n",
	"apitest/go.mod": "module github.com/listwatch/listwatch/apitest\n\nrequire github.com/listwatch/listwatch v0.0.0\n\n" +
		"replace github.com/listwatch/listwatch => ../\n",
	"examples/go.mod": "module github.com/listwatch/listwatch/examples\n\nrequire (\n" +
		"\tgithub.com/listwatch/listwatch v0.0.0\n\tgithub.com/listwatch/listwatch/apitest v0.0.0 // indirect\n\texample.com/other v1.2.3\n)\n",
	"client-go/go.mod":                    "module k8s.io/client-go\n",
	"clientgo/go.mod":                     "module github.com/listwatch/listwatch/clientgo\n",
	"controllerruntime/go.mod":            "module github.com/listwatch/listwatch/controllerruntime\n",
	"kubernetes/go.mod":                   "module github.com/listwatch/listwatch/kubernetes\n",
	"metrics/prometheus/go.mod":           "module github.com/listwatch/listwatch/metrics/prometheus\n",
	"generators/analyzer/golangci/go.mod": "module github.com/listwatch/listwatch/generators/analyzer/golangci\n",
	"streaming/go.mod":                    "module github.com/listwatch/listwatch/streaming\n",
	"tools/.work/go.mod":                  "module example.com/work\n\nrequire github.com/listwatch/listwatch v0.0.0\n",
}

// tree writes files; later ones replace earlier ones.
func tree(t *testing.T, all ...map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for _, files := range all {
		for name, text := range files {
			name = filepath.Join(root, name)
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return root
}

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		name, version string
		file, text    string // besides those of plain
		want          string
	}{
		{"a release", "v0.1.0", "", "", ""},
		{"a candidate", "v0.1.0-rc.1", "", "", ""},
		{"no version", "", "", "", `invalid version ""`},
		{"half a version", "v0.1", "", "", `invalid version "v0.1"`},
		{"a version that the runtime does not know", "v0.2.0", "", "", "no constant IsAtLeast0_2"},
		{"a replacement in the root", "v0.1.0", "go.mod", plain["go.mod"] + "\nreplace example.com/a => ../a\n", "users do without replace example.com/a"},
		{"a fork", "v0.1.0", "apitest/go.mod", plain["apitest/go.mod"] + "\nreplace example.com/a => example.com/b v1.0.0\n", "users do without replace example.com/a"},
		{
			"a replacement by another directory", "v0.1.0", "apitest/go.mod", strings.ReplaceAll(plain["apitest/go.mod"], "=> ../", "=> ../old"),
			"users do without replace github.com/listwatch/listwatch => ../old",
		},
		{
			"a module that is not published", "v0.1.0", "apitest/go.mod", plain["apitest/go.mod"] + "\nrequire github.com/listwatch/listwatch/bench v0.0.0\n",
			"requires github.com/listwatch/listwatch/bench, which is not published",
		},
		{"another path", "v0.1.0", "examples/go.mod", "module example.com/examples\n", "module path is example.com/examples"},
		{"a replacement's own path", "v0.1.0", "client-go/go.mod", "module github.com/listwatch/listwatch/client-go\n", "want k8s.io/client-go"},
	} {
		t.Run(test.name, func(t *testing.T) {
			changed := map[string]string{}
			if test.file != "" {
				changed[test.file] = test.text
			}
			err := release.Check(tree(t, plain, changed), test.version)
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want %q", err, test.want)
			}
		})
	}
}

func TestRequire(t *testing.T) {
	root := tree(t, plain)
	if err := release.Require(root, "v0.1.0"); err != nil {
		t.Fatal(err)
	}
	for name, text := range plain {
		want := text
		if name != "tools/.work/go.mod" { // left behind by builds
			want = strings.ReplaceAll(text, "v0.0.0", "v0.1.0")
		}
		got, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestUnreplace(t *testing.T) {
	root := tree(t, plain, map[string]string{"bench/go.mod": plain["apitest/go.mod"]})
	if err := release.Unreplace(root); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"apitest/go.mod":    strings.TrimSuffix(strings.Replace(plain["apitest/go.mod"], "replace github.com/listwatch/listwatch => ../\n", "", 1), "\n"),
		"kubernetes/go.mod": plain["kubernetes/go.mod"],
		"bench/go.mod":      plain["apitest/go.mod"], // users do not download it
	} {
		got, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestOlderTags(t *testing.T) {
	root := tree(t, plain, map[string]string{
		"client-go/go.mod": "module k8s.io/client-go\n\nrequire (\n\tgithub.com/listwatch/listwatch v0.1.0\n" +
			"\tgithub.com/listwatch/listwatch/kubernetes v0.1.0\n)\n\nreplace github.com/listwatch/listwatch/kubernetes => ../kubernetes\n",
	})
	tags, err := release.OlderTags(root, "v0.1.0", "v0.34.13")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"client-go/v0.1.0-kube0.34", "kubernetes/v0.1.0-kube0.34"}, tags); diff != "" {
		t.Errorf("tags (-want +got):\n%s", diff)
	}
	if _, err = release.OlderTags(root, "v0.2.0-rc.1", "v0.34.13"); err == nil {
		t.Error("a candidate has tags")
	}
	for name, want := range map[string]string{
		"client-go/go.mod": "module k8s.io/client-go\n\nrequire (\n\tgithub.com/listwatch/listwatch v0.1.0\n" +
			"\tgithub.com/listwatch/listwatch/kubernetes v0.1.0-kube0.34\n)\n",
		"kubernetes/go.mod": plain["kubernetes/go.mod"],
		"apitest/go.mod":    plain["apitest/go.mod"],
	} {
		got, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestOlderVersion checks the order of versions: the go command prefers those for newer libraries, and the release itself.
func TestOlderVersion(t *testing.T) {
	var got []string
	for _, version := range []string{"v0.1.0", "v0.2.0"} {
		got = append(got, release.OlderVersion(version, "v0.34.13"), release.OlderVersion(version, "v0.36.6"), version)
	}
	want := []string{"v0.1.0-kube0.34", "v0.1.0-kube0.36", "v0.1.0", "v0.2.0-kube0.34", "v0.2.0-kube0.36", "v0.2.0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !slices.IsSortedFunc(got, semver.Compare) {
		t.Errorf("not in order: %v", got)
	}
}

func TestChangelog(t *testing.T) {
	const old = "# Changelog\n\n## Unreleased\n\n### Fixed\n\n- A.\n\n## v0.1.0 - 2026-01-02\n\n### Added\n\n- B.\n"
	for _, test := range []struct{ name, text, version, want, err string }{
		{
			"a version", old, "v0.2.0",
			"# Changelog\n\n## Unreleased\n\n## v0.2.0 - 2026-11-22\n\n### Fixed\n\n- A.\n\n## v0.1.0 - 2026-01-02\n\n### Added\n\n- B.\n", "",
		},
		{"a version that is there", old, "v0.1.0", "", "has v0.1.0 already"},
		{"nothing new", strings.ReplaceAll(old, "### Fixed\n\n- A.\n\n", ""), "v0.2.0", "", "nothing below ## Unreleased"},
		{"no heading", "# Changelog\n", "v0.2.0", "", "nothing below ## Unreleased"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := release.Changelog(test.text, test.version, "2026-11-22")
			if (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
				t.Fatalf("got error %v, want %q", err, test.err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestProxy(t *testing.T) {
	root, to := tree(t, plain), t.TempDir()
	if err := release.Proxy(root, "v0.1.0", to); err != nil {
		t.Fatal(err)
	}
	for _, dir := range release.Published {
		for _, name := range []string{"list", "v0.1.0.info", "v0.1.0.mod", "v0.1.0.zip"} {
			if _, err := os.Stat(filepath.Join(to, release.Root, dir, "@v", name)); err != nil {
				t.Error(err)
			}
		}
	}
	if diff := cmp.Diff([]string{"v0.1.0", "apitest/v0.1.0", "client-go/v0.1.0", "clientgo/v0.1.0", "controllerruntime/v0.1.0", "examples/v0.1.0", "generators/analyzer/golangci/v0.1.0", "kubernetes/v0.1.0", "metrics/prometheus/v0.1.0", "streaming/v0.1.0"}, release.Tags("v0.1.0")); diff != "" {
		t.Errorf("tags (-want +got):\n%s", diff)
	}
}
