//go:build projects

package manifests_test

import (
	"flag"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/modules"
	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/internal/cli"
)

// checkout is the directory of a checkout of kubebuilder, whose projects in testdata are compared too: they are in no module of the proxy.
var checkout = flag.String("kubebuilder", "", "directory of a checkout of kubebuilder")

// project is a module whose scripts run controller-gen.
type project struct {
	name, module, version string
	// theirs are the runs of controller-gen, with the arguments of the project's scripts, and ours what replaces them.
	theirs [][]string
	ours   []command
	// nested are the modules in directories of the project, which the zip of a module lacks.
	nested map[string]string
	// added is the reason why ours writes more files, and changed the reasons why it changes files, by their names.
	added   string
	changed map[string]string
}

// command is a run of a generator.
type command struct {
	tool func(source string) cli.Tool
	args []string
}

func all(args ...string) []command { return []command{{cli.GenAll, args}} }

// boilerplate is the header of Go files in projects of kubebuilder.
const boilerplate = "hack/boilerplate.go.txt"

// scaffolded are the arguments in the Makefile of projects of kubebuilder.
var scaffolded = [][]string{
	{"rbac:roleName=manager-role", "crd", "webhook", "paths=./...", "output:crd:artifacts:config=config/crd/bases"},
	{"object:headerFile=" + boilerplate + ",year=2026", "paths=./..."},
}

const genclient = "a kind is marked +genclient; gen-all generates its clients"

var projects = []project{
	{name: "cluster-api-operator", module: "sigs.k8s.io/cluster-api-operator", version: "v0.29.0", theirs: [][]string{
		{"paths=./cmd", "paths=./api/...", "paths=./internal/controller/...", "paths=./internal/webhook/...", "crd:crdVersions=v1", "rbac:roleName=manager-role",
			"output:crd:dir=./config/crd/bases", "output:rbac:dir=./config/rbac", "output:webhook:dir=./config/webhook", "webhook"},
		{"object:headerFile=" + boilerplate, "paths=./api/..."},
	}, ours: all("--go-header-file="+boilerplate, "./...")},
	{name: "source-controller", module: "github.com/fluxcd/source-controller", version: "v1.7.0", nested: map[string]string{"api": "github.com/fluxcd/source-controller/api@v1.7.0"}, theirs: [][]string{
		{"crd:crdVersions=v1", "rbac:roleName=manager-role", "paths=./...", "output:crd:artifacts:config=config/crd/bases"},
		{"object:headerFile=" + boilerplate, "paths=./api/..."},
	}, ours: all("--crd-dir=config/crd/bases", "--go-header-file="+boilerplate, "./...", "./api/..."), added: genclient},
	{name: "metallb", module: "go.universe.tf/metallb", version: "v0.15.2", theirs: [][]string{
		{"crd:crdVersions=v1", "rbac:roleName=manager-role", "webhook", "paths=./api/...", "output:crd:artifacts:config=config/crd/bases"},
		{"object", "paths=./api/..."},
	}, ours: all("./api/...")},
	{name: "gatekeeper", module: "github.com/open-policy-agent/gatekeeper/v3", version: "v3.23.1", theirs: [][]string{
		{"crd", "rbac:roleName=manager-role", "webhook", "paths=./apis/...", "paths=./pkg/...", "output:crd:artifacts:config=config/crd/bases"},
		{"object:headerFile=" + boilerplate, "paths=./apis/...", "paths=./pkg/..."},
	}, ours: all("--go-header-file="+boilerplate, "./apis/...", "./pkg/...")},
	{name: "openstack-resource-controller", module: "github.com/k-orc/openstack-resource-controller/v2", version: "v2.6.0", theirs: [][]string{
		{"rbac:roleName=manager-role", "crd", "webhook", "paths=./...", "output:crd:artifacts:config=config/crd/bases"},
		{"object:headerFile=" + boilerplate, "paths=./..."},
	}, ours: []command{
		{cli.GenRBAC, []string{"./..."}}, {cli.GenCRD, []string{"./..."}}, {cli.GenWebhook, []string{"./..."}}, {cli.GenDeepCopy, []string{"--go-header-file=" + boilerplate, "./..."}},
	}},
	{name: "cluster-api-provider-aws", module: "sigs.k8s.io/cluster-api-provider-aws/v2", version: "v2.9.0", theirs: [][]string{
		append(paths(awsPackages...), "crd:crdVersions=v1", "object:headerFile=./hack/boilerplate/boilerplate.generatego.txt", "output:crd:dir=config/crd/bases",
			"output:webhook:dir=config/webhook", "webhook", "rbac:roleName=manager-role", "output:rbac:dir=./config/rbac"),
	}, ours: all(append([]string{"--go-header-file=hack/boilerplate/boilerplate.generatego.txt"}, awsPackages...)...)},
	{name: "cloud-on-k8s", module: "github.com/elastic/cloud-on-k8s/v3", version: "v3.5.0", theirs: [][]string{
		{"webhook", "object:headerFile=./hack/boilerplate.go.txt", "paths=./pkg/..."},
		{"crd:crdVersions=v1,generateEmbeddedObjectMeta=true", "paths=./pkg/apis/...", "output:crd:artifacts:config=config/crds/v1/resources"},
	}, ours: all("--generate-embedded-object-meta", "--crd-dir=config/crds/v1/resources", "--go-header-file=hack/boilerplate.go.txt", "--skip=rbac", "./pkg/...")},
	{name: "kro", module: "github.com/kubernetes-sigs/kro", version: "v0.9.4", theirs: [][]string{
		{"crd", "webhook", "paths=./...", "output:crd:artifacts:config=helm/crds"},
		{"object", "paths=./..."},
	}, ours: all("--crd-dir=helm/crds", "./...")},
	{name: "gpu-operator", module: "github.com/NVIDIA/gpu-operator", version: "v0.0.0-20250917190837-d73a0086a6ba", theirs: [][]string{
		{"rbac:roleName=gpu-operator-role", "crd", "webhook", "paths=./...", "output:crd:artifacts:config=config/crd/bases"},
		{"object:headerFile=" + boilerplate, "paths=./..."},
	}, ours: all("--rbac-role-name=gpu-operator-role", "--go-header-file="+boilerplate, "./..."), added: genclient},
	{name: "lws", module: "sigs.k8s.io/lws", version: "v0.8.0", theirs: [][]string{
		{"rbac:roleName=manager-role", "output:rbac:artifacts:config=config/rbac", "crd:generateEmbeddedObjectMeta=true", "output:crd:artifacts:config=config/crd/bases",
			"webhook", "output:webhook:artifacts:config=config/webhook", "paths={./api/..., ./pkg/...}"},
		{"object:headerFile=" + boilerplate, "paths=./api/..."},
	}, ours: all("--generate-embedded-object-meta", "--go-header-file="+boilerplate, "./api/...", "./pkg/..."), added: genclient},
	{name: "cluster-inventory-api", module: "sigs.k8s.io/cluster-inventory-api", version: "v0.0.0-20251028164203-2e3fabb46733", theirs: [][]string{
		{"rbac:roleName=manager-role", "crd", "webhook", "paths=./...", "output:crd:artifacts:config=config/crd/bases"},
		{"object:headerFile=" + boilerplate, "paths=./..."},
	}, ours: all("--go-header-file="+boilerplate, "./..."), added: genclient,
		changed: map[string]string{"apis/v1alpha1/zz_generated.deepcopy.go": "an alias is written as the type that it refers to"}},
	{name: "kuberay", module: "github.com/ray-project/kuberay/ray-operator", version: "v1.5.0", theirs: [][]string{
		{"crd:maxDescLen=0,generateEmbeddedObjectMeta=true,allowDangerousTypes=true", "rbac:roleName=kuberay-operator", "webhook", "paths=./...", "output:crd:artifacts:config=config/crd/bases"},
		{"object:headerFile=" + boilerplate, "paths=./..."},
	}, ours: []command{ // its clients are those of code-generator
		{cli.GenRBAC, []string{"./..."}}, {cli.GenWebhook, []string{"./..."}}, {cli.GenDeepCopy, []string{"--go-header-file=" + boilerplate, "./..."}},
		{cli.GenCRD, []string{"--max-desc-len=0", "--generate-embedded-object-meta", "--allow-dangerous-types", "./..."}},
	}, changed: map[string]string{"apis/ray/v1/zz_generated.deepcopy.go": "a map of pointers to metav1.Time is copied by the statements of deepcopy-gen"}},
	{name: "velero", module: "github.com/vmware-tanzu/velero", version: "v1.18.3", theirs: [][]string{
		{"paths=./pkg/apis/velero/v1/...", "paths=./pkg/apis/velero/v2alpha1/...", "paths=./pkg/controller/...", "rbac:roleName=velero-perms"},
	}, ours: []command{{cli.GenRBAC, []string{"./pkg/apis/velero/v1/...", "./pkg/apis/velero/v2alpha1/...", "./pkg/controller/..."}}}},
	{name: "jobset", module: "sigs.k8s.io/jobset", version: "v0.8.2", theirs: [][]string{
		{"rbac:roleName=manager-role", "output:rbac:artifacts:config=config/components/rbac", "webhook", "output:webhook:artifacts:config=config/components/webhook", "paths=./pkg/..."},
	}, ours: []command{
		{cli.GenRBAC, []string{"--output-dir=config/components/rbac", "./pkg/..."}}, {cli.GenWebhook, []string{"--output-dir=config/components/webhook", "./pkg/..."}},
	}},
	{name: "kueue", module: "sigs.k8s.io/kueue", version: "v0.17.0", theirs: [][]string{
		append(paths(kueuePackages...), "rbac:roleName=manager-role", "output:rbac:artifacts:config=config/components/rbac", "webhook", "output:webhook:artifacts:config=config/components/webhook"),
	}, ours: []command{
		{cli.GenRBAC, append([]string{"--output-dir=config/components/rbac"}, kueuePackages...)}, {cli.GenWebhook, append([]string{"--output-dir=config/components/webhook"}, kueuePackages...)},
	}},
}

// The packages that scripts name.
var (
	awsPackages = []string{
		"./", "./api/...", "./exp/api/...", "./bootstrap/eks/api/...", "./controlplane/eks/api/...", "./controlplane/rosa/api/...", "./iam/api/...",
		"./controllers/...", "./exp/controllers/...", "./bootstrap/eks/controllers/...", "./controlplane/eks/controllers/...", "./controlplane/rosa/controllers/...",
	}
	kueuePackages = []string{"./pkg/controller/...", "./pkg/webhooks/...", "./pkg/util/cert/...", "./pkg/visibility/..."}
)

// paths returns packages as arguments of controller-gen.
func paths(packages ...string) []string {
	var args []string
	for _, p := range packages {
		args = append(args, "paths="+p)
	}
	return args
}

// TestProjects runs controller-gen v0.23 in a copy of each project, then the commands that replace it, which change no file.
func TestProjects(t *testing.T) {
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	theirs, err := peers.ControllerGen("v0.23.0")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range projects {
		t.Run(p.name, func(t *testing.T) {
			source, err := modules.Download(t.Context(), p.module+"@"+p.version)
			if err != nil {
				t.Fatal(err)
			}
			p.compare(t, theirs, source)
		})
	}
	if *checkout == "" {
		return
	}
	for name, added := range map[string]string{"project-v4": genclient, "project-v4-multigroup": genclient, "project-v4-with-plugins": ""} {
		p := project{name: name, theirs: scaffolded, ours: all("--go-header-file="+boilerplate, "./..."), added: added}
		t.Run(name, func(t *testing.T) { p.compare(t, theirs, filepath.Join(*checkout, "testdata", name)) })
	}
}

// compare runs both in a copy of the project.
func (p project) compare(t *testing.T, theirs, source string) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(source)); err != nil {
		t.Fatal(err)
	}
	for to, module := range p.nested {
		from, err := modules.Download(t.Context(), module)
		if err != nil {
			t.Fatal(err)
		}
		if err = os.CopyFS(filepath.Join(dir, to), os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range p.theirs {
		cmd := exec.Command(theirs, args...)
		cmd.Dir = dir
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("controller-gen %s: %v\n%s", strings.Join(args, " "), err, text)
		}
	}
	before := files(t, dir)
	unchanged := 0
	for _, c := range p.ours {
		tool := c.tool("")
		report, err := tool.Run(t.Context(), dir, c.args)
		if err != nil {
			t.Errorf("%s %s: %v", tool.Name, strings.Join(c.args, " "), err)
		}
		unchanged += report.Unchanged
	}
	added := false
	for name, text := range files(t, dir) {
		old, existed := before[name]
		delete(before, name)
		added = added || !existed
		switch changed := existed && old != text; {
		case changed && p.changed[name] == "", !existed && p.added == "":
			t.Errorf("%s is written", name)
		case !changed && p.changed[name] != "":
			t.Errorf("%s is not changed: %s", name, p.changed[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		t.Errorf("%s is removed", name)
	}
	if !added && p.added != "" {
		t.Errorf("nothing is added: %s", p.added)
	}
	t.Logf("%d files unchanged", unchanged)
}

// files returns the texts of the files below a directory, by their names.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	texts, err := modules.Files(dir)
	if err != nil {
		t.Fatal(err)
	}
	return texts
}
