//go:build projects

package projects_test

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
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/internal/source"
	"github.com/listwatch/listwatch/internal/testcase"
)

// project is a module with API types.
type project struct {
	name, module, version string
	// refused is part of gen-all's error if it rejects the project; otherwise it is empty. exclude
	// contains the patterns that its messages suggest.
	refused string
	exclude []string
	// own are the options of the project's own scripts, as far as they affect the output, and
	// patterns the packages that they name.
	own, patterns []string
	// unchecked is the reason why the output is not type-checked; if it is empty, it is.
	unchecked string
}

var projects = []project{
	{name: "aggregator", module: "k8s.io/kube-aggregator", version: "v0.37.2",
		own: []string{"--clientset-name=clientset", "--prefers-protobuf"}, patterns: []string{"./pkg/apis/..."}},
	// An internal version, and an example of a group that has no install package.
	{name: "apiextensions", module: "k8s.io/apiextensions-apiserver", version: "v0.37.2",
		refused: "imports package k8s.io/apiextensions-apiserver/examples/client-go/pkg/apis/cr/install, which does not exist; ", exclude: []string{"./examples/..."},
		own: []string{"--clientset-name=clientset"}, patterns: []string{"./pkg/apis/apiextensions/v1", "./pkg/apis/apiextensions/v1beta1"}},
	{name: "metrics", module: "k8s.io/metrics", version: "v0.37.2",
		own: []string{"--plural-exceptions=NodeMetrics:NodeMetrics,PodMetrics:PodMetrics"}, patterns: []string{"./pkg/apis/metrics/v1alpha1", "./pkg/apis/metrics/v1beta1"}},
	// Stray markers on a list type.
	{name: "sample-apiserver", module: "k8s.io/sample-apiserver", version: "v0.37.2", patterns: []string{"./pkg/apis/..."}},
	{name: "api", module: "k8s.io/api", version: "v0.37.2",
		own: []string{"--plural-exceptions=Endpoints:Endpoints", "--prefers-protobuf"}, patterns: []string{"./..."}},
	{name: "autoscaler", module: "k8s.io/autoscaler/vertical-pod-autoscaler", version: "v1.8.1", patterns: []string{"./pkg/apis/..."}},
	{name: "certmanager", module: "github.com/cert-manager/cert-manager", version: "v1.21.2", patterns: []string{"./pkg/apis/..."}},
	{name: "gatewayapi", module: "sigs.k8s.io/gateway-api", version: "v1.6.3", patterns: []string{"./apis/...", "./apisx/..."}},
	{name: "istio", module: "istio.io/client-go", version: "v1.31.1", patterns: []string{"./pkg/apis/..."}},
	{name: "prometheus", module: "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring", version: "v0.95.1", patterns: []string{"./..."}},
	{name: "snapshotter", module: "github.com/kubernetes-csi/external-snapshotter/client/v8", version: "v8.7.0", patterns: []string{"./apis/..."}},
	{name: "mcs", module: "sigs.k8s.io/mcs-api", version: "v0.5.2", patterns: []string{"./pkg/apis/..."}},
	{name: "networkpolicy", module: "sigs.k8s.io/network-policy-api", version: "v0.1.1", patterns: []string{"./apis/v1alpha1"}},
	// No func Resource, and an internal version without its install package.
	{name: "volcano", module: "volcano.sh/apis", version: "v1.8.0",
		refused: "imports package volcano.sh/apis/pkg/apis/batch/install, which does not exist; ", exclude: []string{"volcano.sh/apis/pkg/apis/scheduling"}, own: []string{"--exclude=./pkg/apis/scheduling"}, patterns: []string{"./pkg/apis/..."}},
	{name: "jobset", module: "sigs.k8s.io/jobset", version: "v0.8.2", patterns: []string{"./api/..."}},
	{name: "scheduler-plugins", module: "sigs.k8s.io/scheduler-plugins", version: "v0.30.6", patterns: []string{"./apis/scheduling/v1alpha1"}},
	{name: "serving", module: "knative.dev/serving", version: "v0.51.0", patterns: []string{"./pkg/apis/..."}},
	{name: "networking", module: "knative.dev/networking", version: "v0.0.0-20251217020127-11890a5dabea", patterns: []string{"./pkg/apis/..."}},
	{name: "rollouts", module: "github.com/argoproj/argo-rollouts", version: "v1.10.0", patterns: []string{"./pkg/apis/..."}},
	{name: "keda", module: "github.com/kedacore/keda/v2", version: "v2.21.0", patterns: []string{"./apis/..."}},
	// A test of the project has types of a group with its own name.
	{name: "training", module: "github.com/kubeflow/training-operator", version: "v1.8.1",
		refused: "are both named KubeflowV1 in Go; ", exclude: []string{"github.com/kubeflow/training-operator/test_job/apis/test_job/v1"}, patterns: []string{"./pkg/apis/..."}},
	{name: "trainer", module: "github.com/kubeflow/trainer/v2", version: "v2.0.0", patterns: []string{"./pkg/apis/trainer/v1alpha1"}},
	// A marker that a script uses.
	{name: "traefik", module: "github.com/traefik/traefik/v3", version: "v3.7.13", patterns: []string{"./pkg/provider/kubernetes/crd/..."}},
	// Kinds without list types.
	{name: "kyverno", module: "github.com/kyverno/kyverno", version: "v1.19.1",
		refused: "has no type ClusterResourceList, ", exclude: []string{"github.com/kyverno/kyverno/cmd/cli/kubectl-kyverno/apis/v1alpha1"}, patterns: []string{"./api/..."}},
	{name: "velero", module: "github.com/vmware-tanzu/velero", version: "v1.18.3", patterns: []string{"./pkg/apis/..."}},
	// A package without kinds has markers that contradict each other.
	{name: "cilium", module: "github.com/cilium/cilium", version: "v1.20.2", patterns: []string{"./pkg/k8s/apis/..."}},
	{name: "contour", module: "github.com/projectcontour/contour", version: "v1.33.8", patterns: []string{"./apis/..."}},
	{name: "helm-controller", module: "github.com/k3s-io/helm-controller", version: "v0.17.9", patterns: []string{"./pkg/apis/..."}},
}

var flavours = []string{"listwatch", "client-go"}

func TestProjects(t *testing.T) {
	t.Setenv("GOWORK", "off") // some parts of a published module differ
	t.Setenv("GOFLAGS", "-mod=mod")
	for _, p := range projects {
		t.Run(p.name, func(t *testing.T) {
			dir := p.fetch(t)
			for _, flavour := range flavours {
				out := filepath.Join(dir, "pkg", "generated")
				runs := [][]string{{"--runtime=" + flavour, "./..."}}
				if p.refused != "" {
					says, err := p.generate(t, dir, runs[0]...)
					if err == nil || !strings.Contains(says, p.refused) {
						t.Errorf("%s: want a refusal that says %q, got %v:\n%s", flavour, p.refused, err, says)
					}
					runs[0] = append(runs[0], "--exclude="+strings.Join(p.exclude, ","))
				}
				if len(p.patterns) > 0 {
					runs = append(runs, append(append([]string{"--runtime=" + flavour}, p.own...), p.patterns...))
				}
				for _, args := range runs {
					what := fmt.Sprintf("gen-all %s", strings.Join(args, " "))
					if err := os.RemoveAll(out); err != nil {
						t.Fatal(err)
					}
					says, err := p.generate(t, dir, args...)
					if err != nil {
						t.Errorf("%s: %v\n%s", what, err, says)
						continue
					}
					t.Logf("%s: %s", what, strings.TrimSpace(says))
					if p.unchecked != "" {
						continue
					}
					if err := p.check(t, dir, out); err != nil {
						t.Errorf("%s: %v", what, err)
					}
				}
			}
		})
	}
}

// fetch downloads the project and returns a writable copy of its Go files.
func (p project) fetch(t *testing.T) string {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", p.module+"@"+p.version)
	cmd.Dir = t.TempDir()
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var downloaded struct{ Dir string }
	if err = json.Unmarshal(text, &downloaded); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	from := os.DirFS(downloaded.Dir)
	err = fs.WalkDir(from, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "vendor", entry.IsDir() && name == "pkg/generated":
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

// generate runs gen-all in the project, and returns its output.
func (p project) generate(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command(peers.All(t), args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// check type-checks the output against the project's dependencies, and ours.
func (p project) check(t *testing.T, dir, out string) error {
	t.Helper()
	root, err := peers.Root()
	if err != nil {
		t.Fatal(err)
	}
	tree, err := source.Parse(out, p.module+"/pkg/generated")
	if err != nil {
		return err
	}
	module := t.TempDir()
	goMod := fmt.Sprintf(`module example.com/check

go 1.26.0

require (
	%[1]s %[2]s
	%[3]s v0.0.0
	k8s.io/client-go v0.37.2
)

replace %[1]s => %[4]s

replace %[3]s => %[5]s
`, p.module, p.version, testcase.Module, dir, root)
	if err = os.WriteFile(filepath.Join(module, "go.mod"), []byte(goMod), 0o644); err != nil {
		return err
	}
	var imports bytes.Buffer
	imports.WriteString("package check\n\nimport (\n")
	for _, p := range tree.Imports() {
		fmt.Fprintf(&imports, "\t_ %q\n", p)
	}
	imports.WriteString(")\n")
	if err = os.WriteFile(filepath.Join(module, "check.go"), imports.Bytes(), 0o644); err != nil {
		return err
	}
	outside, err := source.Outside(module, tree.Imports())
	_, checkErr := tree.Check(outside)
	return errors.Join(err, checkErr)
}
