//go:build projects

package identity_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"

	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/internal/golden"
	"github.com/listwatch/listwatch/internal/testcase"
)

// project is a real project whose module contains a script that sources kube_codegen.sh, at a pinned
// version.
type project struct {
	name, module, version string
	script
	// files are files that the script needs and the module lacks, because they are elsewhere in its
	// repository.
	files map[string]string
	// skip is the reason why the script is not run; if it is empty, it is.
	skip string
}

var scripts = []project{
	{name: "aggregator", module: "k8s.io/kube-aggregator", version: "v0.37.2", script: script{path: "hack/update-codegen.sh", trees: []string{"pkg/client"}}},
	{name: "apiextensions", module: "k8s.io/apiextensions-apiserver", version: "v0.37.2", script: script{path: "hack/update-codegen.sh", trees: []string{"pkg/client"}}},
	{name: "apiextensions-example", module: "k8s.io/apiextensions-apiserver", version: "v0.37.2", script: script{path: "examples/client-go/hack/update-codegen.sh", trees: []string{"examples/client-go/pkg/client"}}},
	{name: "metrics", module: "k8s.io/metrics", version: "v0.37.2", script: script{path: "hack/update-codegen.sh", trees: []string{"pkg/client"}}},
	{name: "sample-apiserver", module: "k8s.io/sample-apiserver", version: "v0.37.2", script: script{path: "hack/update-codegen.sh", trees: []string{"pkg/generated"}}},
	{name: "sample-controller", module: "k8s.io/sample-controller", version: "v0.37.0", script: script{path: "hack/update-codegen.sh", trees: []string{"pkg/generated"}}},
	{
		name: "autoscaler", module: "k8s.io/autoscaler/vertical-pod-autoscaler", version: "v1.8.1", script: script{path: "hack/update-codegen.sh", trees: []string{"pkg/client"}},
		files: map[string]string{"hack/boilerplate/boilerplate.generatego.txt": "// The autoscaler's header.\n"},
	},
	{name: "argo-rollouts", module: "github.com/argoproj/argo-rollouts", version: "v1.10.0", script: script{path: "hack/update-codegen.sh", trees: []string{"pkg/client"}}},
	{
		name: "cilium", module: "github.com/cilium/cilium", version: "v1.20.2", script: script{path: "contrib/scripts/k8s-code-gen.sh", args: []string{"tmp"}},
		skip: "its own deepequal-gen needs a module that the Go module proxy lacks",
	},
	{
		name: "jobset", module: "sigs.k8s.io/jobset", version: "v0.8.2", script: script{path: "hack/update-codegen.sh", args: []string{"go", "bin"}, trees: []string{"client-go"}},
		skip: "the defaulter-gen of the version that it requires writes a file that v0.37's does not",
	},
	{name: "keda", module: "github.com/kedacore/keda/v2", version: "v2.21.0", script: script{path: "hack/update-codegen.sh", trees: []string{"pkg/generated"}}},
	{
		name: "knative-serving", module: "knative.dev/serving", version: "v0.51.0", script: script{path: "hack/update-codegen.sh"},
		skip: "it needs the vendor directory, which modules lack",
	},
	{
		name: "scheduler-plugins", module: "sigs.k8s.io/scheduler-plugins", version: "v0.30.6", script: script{path: "hack/update-codegen.sh"},
		skip: "it installs a controller-gen that does not compile with Go 1.26",
	},
	{name: "sealed-secrets", module: "github.com/bitnami-labs/sealed-secrets", version: "v0.40.0", script: script{path: "hack/update-codegen.sh", trees: []string{"pkg/client"}}},
	{name: "snapshotter", module: "github.com/kubernetes-csi/external-snapshotter/client/v8", version: "v8.7.0", script: script{path: "hack/update-generated-code.sh", trees: []string{"clientset", "informers", "listers"}}},
	{name: "trainer", module: "github.com/kubeflow/trainer/v2", version: "v2.0.0", script: script{path: "hack/update-codegen.sh", trees: []string{"pkg/client"}}},
}

// TestProjectScripts runs the scripts, and compares the results with the table in testdata/scripts.md.
func TestProjectScripts(t *testing.T) {
	var table strings.Builder
	table.WriteString("| project | module | script | packages | symbols | result |\n|---|---|---|--:|--:|---|\n")
	done := 0
	for _, p := range scripts {
		row := fmt.Sprintf("| %s | %s@%s | %s ", p.name, p.module, p.version, p.path)
		if p.skip != "" {
			fmt.Fprintf(&table, "%s| | | not run: %s |\n", row, p.skip)
			done++
			continue
		}
		if t.Run(p.name, func(t *testing.T) {
			n := p.test(t)
			fmt.Fprintf(&table, "%s| %d | %d | identical |\n", row, n.packages, n.symbols)
			done++
		}) {
			continue
		}
		fmt.Fprintf(&table, "%s| | | differs |\n", row)
	}
	if done == len(scripts) { // otherwise some failed, or only some were requested
		golden.File(t, filepath.Join("testdata", "scripts.md"), table.String())
	}
}

// test runs and compares the project's script, and returns the size of its trees.
func (p project) test(t *testing.T) size {
	t.Helper()
	var dirs []string
	for _, maker := range []string{upstream, ours} {
		dir := workDir(t, filepath.Join("scripts", p.name), maker)
		fetch(t, p.module, p.version, dir)
		for name, text := range p.files {
			file := filepath.Join(dir, filepath.FromSlash(name))
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666)); err != nil {
				t.Fatal(err)
			}
		}
		dirs = append(dirs, dir)
	}
	// Some scripts look for code-generator in the module cache, if the project requires it.
	download := exec.Command("go", "mod", "download", "k8s.io/code-generator")
	download.Dir = dirs[0]
	_ = download.Run()
	goMod, err := os.ReadFile(filepath.Join(dirs[0], "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	module := modfile.ModulePath(goMod) // a renamed project is downloaded under its former path
	return p.compare(t, module, dirs[0], dirs[1], checkModule(t, module, dirs[0]))
}

// fetch downloads a module, and copies it into a new repository of git, which some scripts expect.
func fetch(t *testing.T, module, version, dir string) {
	t.Helper()
	text := goTool(t, t.TempDir(), "mod", "download", "-json", module+"@"+version)
	var downloaded struct{ Dir string }
	if err := json.Unmarshal([]byte(text), &downloaded); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(downloaded.Dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(downloaded.Dir, name)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, rel)
		if entry.IsDir() {
			return os.MkdirAll(to, 0o777)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		mode := os.FileMode(0o666)
		if strings.HasPrefix(string(text), "#!") {
			mode = 0o777 // archives of modules do not have modes
		}
		return os.WriteFile(to, text, mode)
	})
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// checkModule returns a module in which the output for a project can be checked: with the project in
// dir, and client-go of the version that the output is for.
func checkModule(t *testing.T, module, dir string) string {
	t.Helper()
	root, err := peers.Root()
	if err != nil {
		t.Fatal(err)
	}
	check := t.TempDir()
	text := fmt.Sprintf("module example.test/check\n\ngo 1.26.0\n\nrequire (\n\t%[1]s v0.0.0\n\t%[2]s v0.0.0\n\tk8s.io/client-go v0.37.2\n)\n\nreplace %[1]s => %[3]s\n\nreplace %[2]s => %[4]s\n",
		module, testcase.Module, dir, root)
	if major := module[strings.LastIndex(module, "/")+1:]; strings.HasPrefix(major, "v") && len(major) < 4 {
		text = strings.Replace(text, module+" v0.0.0", module+" "+major+".0.0", 1)
	}
	if err := os.WriteFile(filepath.Join(check, "go.mod"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	return check
}
