//go:build projects

package deepcopy_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/generators"
	"github.com/listwatch/listwatch/internal/golden"
)

// projects are modules with checked-in deepcopy functions.
var projects = []struct {
	module, version string
	// differs is the reason why functions differ; empty if they must not.
	differs string
}{
	{module: "k8s.io/kube-aggregator", version: "v0.37.2"},
	{module: "k8s.io/apiextensions-apiserver", version: "v0.37.2"},
	{module: "k8s.io/metrics", version: "v0.37.2"},
	{module: "k8s.io/sample-apiserver", version: "v0.37.2"},
	{module: "k8s.io/apimachinery", version: "v0.37.2"},
	{module: "k8s.io/autoscaler/vertical-pod-autoscaler", version: "v1.8.1"},
	{module: "github.com/cert-manager/cert-manager", version: "v1.21.2"},
	{module: "sigs.k8s.io/gateway-api", version: "v1.6.3"},
	{module: "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring", version: "v0.95.1"},
	{module: "github.com/kubernetes-csi/external-snapshotter/client/v8", version: "v8.7.0"},
	{module: "sigs.k8s.io/mcs-api", version: "v0.5.2"},
	{module: "sigs.k8s.io/network-policy-api", version: "v0.1.1"},
	{module: "volcano.sh/apis", version: "v1.8.0"},
	{module: "sigs.k8s.io/jobset", version: "v0.8.2"},
	{module: "sigs.k8s.io/scheduler-plugins", version: "v0.30.6"},
	{module: "knative.dev/networking", version: "v0.0.0-20251217020127-11890a5dabea"},
	{module: "github.com/argoproj/argo-rollouts", version: "v1.10.0"},
	{module: "github.com/kedacore/keda/v2", version: "v2.21.0"},
	{module: "github.com/kubeflow/trainer/v2", version: "v2.0.0"},
	{module: "github.com/kyverno/kyverno", version: "v1.19.1"},
	{module: "github.com/vmware-tanzu/velero", version: "v1.18.3"},
	{module: "github.com/cilium/cilium", version: "v1.20.2"},
	{module: "github.com/projectcontour/contour", version: "v1.33.8",
		differs: "controller-gen calls DeepCopyInto of plain values with fields whose types are aliases; deepcopy-gen and we assign them"},
}

// TestProjects compares the functions of projects with those that they contain. The results are in
// testdata/projects.txt.
func TestProjects(t *testing.T) {
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	var table strings.Builder
	for _, p := range projects {
		t.Run(p.module, func(t *testing.T) {
			dir := fetch(t, p.module+"@"+p.version)
			fmt.Fprintf(&table, "%s@%s: %s\n", p.module, p.version, compare(t, dir, p.differs))
		})
	}
	golden.File(t, filepath.Join("testdata", "projects.txt"), table.String())
}

// compare returns the result of a project.
func compare(t *testing.T, dir, differs string) string {
	t.Helper()
	var patterns []string
	checked := map[string][]byte{}
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() != generated {
			return err
		}
		text, err := os.ReadFile(name)
		if bytes.Contains(text, []byte("DO NOT EDIT.")) {
			checked[name] = text
			patterns = append(patterns, "./"+filepath.ToSlash(strings.TrimPrefix(filepath.Dir(name), dir+"/")))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	report, err := generators.DeepCopy(t.Context(), generators.DeepCopyOptions{Options: generators.Options{
		Dir: dir, Patterns: patterns, Mode: generators.DryRun,
	}})
	if err != nil {
		return "error: " + strings.ReplaceAll(err.Error(), "\n", "\n\t")
	}
	var equal, alike int
	var different []string
	for _, c := range report.Changes {
		switch old := checked[c.Path]; {
		case old == nil || c.Op != generators.Update:
			different = append(different, fmt.Sprintf("%v %s", c.Op, filepath.Base(filepath.Dir(c.Path))))
		case functions(t, old) == functions(t, c.New):
			equal++
		case meaning(t, old) == meaning(t, c.New):
			alike++
		default:
			name, _ := filepath.Rel(dir, filepath.Dir(c.Path))
			different = append(different, name)
			if differs != "" {
				different[len(different)-1] += ": " + differs
				continue
			}
			same(t, name, []byte("package p\n\n"+meaning(t, old)), []byte("package p\n\n"+meaning(t, c.New)))
		}
	}
	slices.Sort(different)
	result := fmt.Sprintf("%d files, %d equal, %d equal in what they do", len(checked), equal, alike)
	for _, d := range different {
		result += "\n\tdifferent: " + d
	}
	for _, w := range report.Warnings {
		result += "\n\t" + w.String()
	}
	return result
}

// fetch downloads a module and returns a writable copy of its Go files.
func fetch(t *testing.T, module string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", module)
	cmd.Dir, cmd.Stderr = t.TempDir(), os.Stderr
	text, err := cmd.Output()
	var downloaded struct{ Dir string }
	if err = errors.Join(err, json.Unmarshal(text, &downloaded)); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	from := os.DirFS(downloaded.Dir)
	err = fs.WalkDir(from, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "vendor":
			return fs.SkipDir
		case entry.IsDir():
			return os.MkdirAll(filepath.Join(dir, name), 0o755)
		case path.Ext(name) != ".go" && entry.Name() != "go.mod" && entry.Name() != "go.sum":
			return nil
		}
		text, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, name), text, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
