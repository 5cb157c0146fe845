package readme

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/kubernetes"
)

// genAll runs the command as README does.
const genAll = "go run github.com/listwatch/listwatch/cmd/gen-all@latest "

// initialize starts projects with "gen-all init" in empty directories. Their tests pass, and generating again
// changes nothing.
func initialize(t *testing.T, released *user) {
	for _, c := range []struct{ name, commands string }{
		{"no flags", "go mod init example.com/shop\n" + genAll + "init"},
		{"all flags", genAll + "init --group=1-meta.example.com --api-version=v1beta1 --kind=HTTPRoute --plural=routing --scope=Cluster github.com/acme/my-operator/v2"},
		{"names of the language", genAll + "init example.com/a --group=meta.example.com --kind=Type"},
		{"names of methods", genAll + "init example.com/b --group=start.example.com --kind=Controller --format=json"},
		{"deploy", "go mod init example.com/shop\n" + genAll + "init --deploy --kind=Database"},
		{"deploy, all flags", genAll + "init --deploy --group=1-meta.example.com --api-version=v1beta1 --kind=No --plural=nos --scope=Cluster github.com/acme/My_operator/v2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			u := &user{dir: t.TempDir(), env: released.env}
			foreseen := u.dryRun(t, c.commands)
			u.run(t, c.commands)
			before := snapshot(t, u.dir)
			if d := cmp.Diff(slices.Sorted(maps.Keys(before)), foreseen); d != "" {
				t.Errorf("--dry-run lists other files: %s", d)
			}
			u.run(t, "go vet ./... && go test ./... && go mod verify && go mod tidy -diff && test -z \"$(gofmt -l .)\"")
			u.run(t, "go generate ./... && go tool gen-all --verify --strict ./apis/...")
			u.run(t, "go tool apitest check config")
			if strings.Contains(c.commands, "--deploy") {
				deploy(t, u)
			}
			if d := cmp.Diff(before, snapshot(t, u.dir)); d != "" {
				t.Errorf("generating again changes files: %s", d)
			}
			for _, pattern := range []string{"apis/*/*/zz_generated.deepcopy.go", "apis/*/*/zz_generated.register.go", "config/crd/bases/*.yaml"} {
				if found, err := filepath.Glob(filepath.Join(u.dir, pattern)); err != nil || len(found) != 1 {
					t.Errorf("%s matches %q (%v), want one file", pattern, found, err)
				}
			}
			// Again, it would overwrite files.
			if out, err := u.command("go tool gen-all init 2>&1").CombinedOutput(); err == nil || !strings.Contains(string(out), "would overwrite ") {
				t.Errorf("the second time: %v, %s", err, out)
			}
			if d := cmp.Diff(before, snapshot(t, u.dir)); d != "" {
				t.Errorf("the second time changes files: %s", d)
			}
		})
	}
}

// obstruct starts a project where the file of a CRD is in the way, which is found only when the others are written:
// nothing is left of them.
func obstruct(t *testing.T, released *user) {
	u := &user{dir: t.TempDir(), env: released.env}
	u.write(t, "config/crd/bases/shop.example.com_shops.yaml", "# by hand\n")
	before := snapshot(t, u.dir)
	out, err := u.command(genAll + "init --deploy example.com/shop 2>&1").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "shop.example.com_shops.yaml: file exists and was not generated") {
		t.Errorf("gen-all init with a file in the way of a CRD: %v, want an error that names the file; it printed\n%s", err, out)
	}
	if d := cmp.Diff(before, snapshot(t, u.dir)); d != "" {
		t.Errorf("files are left: %s", d)
	}
	if found, err := filepath.Glob(filepath.Join(u.dir, "*")); err != nil || len(found) != 1 {
		t.Errorf("directories are left: %v, %v", found, err)
	}
}

// dryRun runs commands with --dry-run in another directory, which must stay empty, and returns the files that they
// list, and go.sum, which the go command writes.
func (u *user) dryRun(t *testing.T, commands string) []string {
	t.Helper()
	elsewhere := &user{dir: t.TempDir(), env: u.env}
	cmd := elsewhere.command(strings.Replace(commands, "gen-all@latest init", "gen-all@latest init --dry-run --format=json", 1))
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", commands, err, out)
	}
	var result struct{ Changes []struct{ File string } }
	if err := json.Unmarshal(out, &result); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	files := []string{filepath.Join(u.dir, "go.sum")}
	for _, c := range result.Changes {
		files = append(files, filepath.Join(u.dir, c.File))
	}
	slices.Sort(files)
	for name := range snapshot(t, elsewhere.dir) {
		if filepath.Base(name) != "go.mod" { // of go mod init
			t.Errorf("--dry-run writes %s", name)
		}
	}
	return files
}

// deploy runs what the workflow of a project runs, and creates what its kustomization consists of on a server.
func deploy(t *testing.T, u *user) {
	t.Helper()
	var workflow struct {
		Jobs map[string]struct{ Steps []struct{ Run string } }
	}
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(u.dir, ".github", "workflows", "ci.yaml"))), &workflow); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, job := range workflow.Jobs {
		for _, step := range job.Steps {
			if step.Run != "" {
				u.run(t, step.Run)
				n++
			}
		}
	}
	if n < 5 {
		t.Errorf("the workflow has %d commands", n)
	}
	image := regexp.MustCompile(`(?m)^RUN (.* go build .*) -o \S+ \.$`).FindStringSubmatch(read(t, filepath.Join(u.dir, "Dockerfile")))
	if image == nil {
		t.Fatal("the Dockerfile builds no program")
	}
	u.run(t, image[1]+" -o "+filepath.Join(t.TempDir(), "controller")+" .")

	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), filepath.Join(u.dir, "config", "default"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := built.AsYaml()
	if err != nil {
		t.Fatal(err)
	}
	server := embedded.Start(t, embedded.WithManifestText(string(text)))
	cluster := kubernetes.NewForConfigOrDie(server.Config())
	deployments, err := cluster.AppsV1().Deployments("").List(t.Context(), metav1.ListOptions{})
	if err != nil || len(deployments.Items) != 1 {
		t.Fatalf("got %v, error %v", deployments, err)
	}
	d := deployments.Items[0]
	if _, err = cluster.CoreV1().ServiceAccounts(d.Namespace).Get(t.Context(), d.Spec.Template.Spec.ServiceAccountName, metav1.GetOptions{}); err != nil {
		t.Error(err)
	}
	// The names that kustomize has changed fit together: the service account has its permissions.
	user := kubernetes.NewForConfigOrDie(server.ConfigFor("system:serviceaccount:" + d.Namespace + ":" + d.Spec.Template.Spec.ServiceAccountName))
	lease := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: d.Labels["app"]}}
	if lease, err = user.CoordinationV1().Leases(d.Namespace).Create(t.Context(), lease, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err = user.CoordinationV1().Leases(d.Namespace).Update(t.Context(), lease, metav1.UpdateOptions{}); err != nil {
		t.Error(err)
	}
}

// snapshot returns the files below a directory with their texts.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		texts[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}
