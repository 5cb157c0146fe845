package identity_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/peers"
)

// projects are modules, each with the options that the project's own build passes to code-generator. Clients are generated
// for the packages that the first declaration of testdata/projects/NAME.go imports.
var projects = map[string]peers.Job{
	// An internal version and external ones, kinds in protobuf.
	"aggregator": {
		OutputPkg:           "k8s.io/kube-aggregator/pkg/client",
		ClientsetDir:        "clientset_generated",
		ClientsetName:       "clientset",
		ApplyConfigurations: "k8s.io/kube-aggregator/pkg/client/applyconfiguration",
		PrefersProtobuf:     true,
	},
	// Groups with hyphens.
	"certmanager": {
		OutputPkg:           "github.com/cert-manager/cert-manager/pkg/client",
		ApplyConfigurations: "github.com/cert-manager/cert-manager/pkg/client/applyconfigurations",
	},
	// The layout of kubebuilder, alias types, groups with the same first label.
	"gatewayapi": {
		OutputPkg:           "sigs.k8s.io/gateway-api/pkg/client",
		ApplyConfigurations: "sigs.k8s.io/gateway-api/applyconfiguration",
	},
	// Protobuf messages as specs, several groups. Lists contain pointers, for which
	// code-generator's fakes do not compile; and the released apply configurations were generated
	// by an older code-generator.
	"istio": {
		OutputPkg: "istio.io/client-go/pkg",
		Clientset: []string{"--fake-clientset=false"},
	},
	// Unusual plurals, methods on a subresource.
	"prometheus": {
		OutputPkg:    "github.com/prometheus-operator/prometheus-operator/pkg/client",
		ClientsetDir: ".",
	},
	// Several versions of one group, no apply configurations.
	"snapshotter": {
		OutputPkg: "github.com/kubernetes-csi/external-snapshotter/client/v8",
	},
}

func TestProjects(t *testing.T) {
	for name, job := range projects {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			input := path.Join("projects", name)
			job.Dir = writeProject(t, input)
			job.Packages, job.Internal = apis(t, filepath.Join(job.Dir, name+".go"))

			job.OutputDir = workDir(t, input, upstream)
			job.Run(t, peers.Upstream(t))
			their := mustParse(t, upstream, job.OutputDir, job.OutputPkg)
			job.OutputDir = workDir(t, input, ours)
			job.Run(t, peers.Ours(t))
			our := mustParse(t, ours, job.OutputDir, job.OutputPkg)
			check(t, job.Dir, their, our)
			report(t, input, their, our)
		})
	}
}

// writeProject returns a directory with the module of a project: testdata/INPUT.go, whose requirements are
// testdata/INPUT.mod and testdata/INPUT.sum.
func writeProject(t *testing.T, input string) string {
	t.Helper()
	dir := workDir(t, input, "module")
	for from, to := range map[string]string{".go": path.Base(input) + ".go", ".mod": "go.mod", ".sum": "go.sum"} {
		text, err := os.ReadFile(filepath.Join("testdata", filepath.FromSlash(input)+from))
		if err != nil {
			t.Fatal(err)
		}
		if err = os.WriteFile(filepath.Join(dir, to), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// apis returns what the first declaration of a file imports: versions, and internal versions, which have versions
// below them.
func apis(t *testing.T, file string) (external, internal []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, spec := range f.Decls[0].(*ast.GenDecl).Specs {
		p, err := strconv.Unquote(spec.(*ast.ImportSpec).Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, p)
	}
	return split(paths)
}
