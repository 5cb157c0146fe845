package register_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
	"k8s.io/code-generator/cmd/register-gen/args"
	theirs "k8s.io/code-generator/cmd/register-gen/generators"
	"k8s.io/gengo/v2"
	"k8s.io/gengo/v2/generator"

	"github.com/listwatch/listwatch/conformance/internal/modules"
	"github.com/listwatch/listwatch/conformance/internal/normal"
	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/generators"
	"github.com/listwatch/listwatch/generators/model"
)

// projects are the modules whose packages are compared.
var projects = []struct {
	name, module string
	// modfile is the file of package identity that requires the module; conformance itself requires one without.
	modfile string
	// below are the directories of the API packages; none for the whole module.
	below []string
	// least is the number of registrations that are compared at least.
	least int
}{
	{"api", "k8s.io/api", "", nil, 50},
	{"gatewayapi", "sigs.k8s.io/gateway-api", "gatewayapi.mod", []string{"apis", "apisx"}, 4},
	{"prometheus", "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring", "prometheus.mod", nil, 3},
	{"snapshotter", "github.com/kubernetes-csi/external-snapshotter/client/v8", "snapshotter.mod", []string{"apis"}, 3},
}

func TestCases(t *testing.T) {
	root, err := peers.Root()
	if err != nil {
		t.Fatal(err)
	}
	compare(t, root, "./testdata/apis/...", 50)
}

func TestProjects(t *testing.T) {
	for _, p := range projects {
		t.Run(p.name, func(t *testing.T) {
			from := download(t, p.module, p.modfile)
			dir := t.TempDir()
			if err := modules.Write(dir, p.module); err != nil {
				t.Fatal(err)
			}
			copySources(t, from, dir, p.below)
			t.Setenv("GOWORK", "off")
			t.Setenv("GOFLAGS", "-mod=mod")
			compare(t, dir, "./...", p.least)
		})
	}
}

// download returns the directory of a module in the module cache.
func download(t *testing.T, module, modfile string) string {
	t.Helper()
	args := []string{"mod", "download", "-json"}
	if modfile != "" {
		args = append(args, "-modfile="+filepath.Join("..", "identity", "testdata", "projects", modfile))
	}
	cmd := exec.Command("go", append(args, module)...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	var found struct{ Dir string }
	if err = json.Unmarshal(out, &found); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	return found.Dir
}

// copySources copies the Go files of API packages, without those that register types and without
// tests.
func copySources(t *testing.T, from, to string, below []string) {
	t.Helper()
	err := filepath.WalkDir(from, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, file)
		if err != nil {
			return err
		}
		top, _, _ := strings.Cut(filepath.ToSlash(name), "/")
		switch {
		case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "applyconfiguration"):
			return fs.SkipDir
		case entry.IsDir(), filepath.Ext(name) != ".go", strings.HasSuffix(name, "_test.go"), strings.HasSuffix(name, "register.go"):
			return nil
		case len(below) > 0 && !slices.Contains(below, top):
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		write(t, filepath.Join(to, name), text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, text, 0o666)); err != nil {
		t.Fatal(err)
	}
}

// compare runs both generators on the packages in dir that match a pattern.
func compare(t *testing.T, dir, pattern string, least int) {
	t.Helper()
	their, our := upstream(t, dir, pattern), ours(t, dir, pattern)
	for _, pkg := range slices.Sorted(maps.Keys(their)) {
		if our[pkg] == nil {
			t.Errorf("%s: only register-gen has a registration", pkg)
			continue
		}
		want, theirErr := normal.Registration(their[pkg])
		got, ourErr := normal.Registration(our[pkg])
		if err := errors.Join(theirErr, ourErr); err != nil {
			t.Fatal(err)
		}
		if d := diff.Diff("register-gen", want, "gen-register", got); d != nil {
			t.Errorf("%s: %s", pkg, d)
		}
	}
	for pkg := range our {
		if their[pkg] == nil {
			t.Errorf("%s: only gen-register has a registration", pkg)
		}
	}
	if len(their) < least {
		t.Errorf("only %d registrations", len(their))
	}
	t.Logf("%d registrations", len(their))
}

// ours returns the files that gen-register generates, by import path.
func ours(t *testing.T, dir, pattern string) map[string][]byte {
	t.Helper()
	report, err := generators.Register(t.Context(), generators.RegisterOptions{Options: generators.Options{
		Dir: dir, Patterns: []string{pattern}, Mode: generators.DryRun, HeaderFile: header(t),
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range report.Warnings {
		t.Log(w)
	}
	resolved, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, c := range report.Changes {
		name, err := filepath.Rel(resolved, c.Path)
		if err != nil {
			t.Fatal(err)
		}
		files[path.Dir(filepath.ToSlash(name))] = c.New
	}
	return files
}

// header returns a file with a comment for the top of generated files. It makes gen-register print
// files that are up to date without it.
func header(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "header.txt")
	write(t, name, []byte("// Compared.\n"))
	return name
}

// upstream returns the files that register-gen generates, by import path.
func upstream(t *testing.T, dir, pattern string) map[string][]byte {
	t.Helper()
	t.Chdir(dir)
	out := t.TempDir()
	options := args.New()
	options.OutputFile, options.GoHeaderFile = model.RegisterFile, header(t)
	targets := func(context *generator.Context) []generator.Target {
		list := theirs.GetTargets(context, options)
		for _, target := range list {
			simple := target.(*generator.SimpleTarget)
			rel, err := filepath.Rel(dir, simple.PkgDir)
			if err != nil {
				t.Fatal(err)
			}
			simple.PkgDir = filepath.Join(out, rel)
		}
		return list
	}
	if err := gengo.Execute(theirs.NameSystems(), theirs.DefaultNameSystem(), targets, gengo.StdBuildTag, []string{pattern}); err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	err := fs.WalkDir(os.DirFS(out), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(name)))
		files[path.Dir(name)] = text
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
