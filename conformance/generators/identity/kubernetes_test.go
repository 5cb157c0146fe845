package identity_test

import (
	"bytes"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/listwatch/listwatch/conformance/internal/peers"
)

const clientGo = "k8s.io/client-go"

// clientGoTrees are the directories of client-go that its generators write.
var clientGoTrees = []string{"kubernetes", "informers", "listers"}

// kubernetesJob generates client-go's own clients from k8s.io/api.
func kubernetesJob(t *testing.T, dir string) peers.Job {
	t.Helper()
	return peers.Job{
		Dir:                 dir,
		Packages:            served(genclientPackages(t, dir, "k8s.io/api/...")),
		OutputPkg:           clientGo,
		ClientsetDir:        ".",
		ClientsetName:       "kubernetes",
		ApplyConfigurations: clientGo + "/applyconfigurations",
		PluralExceptions:    []string{"Endpoints:Endpoints"},
		PrefersProtobuf:     true,
		SingleDirectory:     true,
		// client-go has listers for types that it cannot get.
		Lister: []string{unserved},
	}
}

// unserved is a package whose types an API server sends, but does not serve: client-go has no
// clients for it.
const unserved = "k8s.io/api/imagepolicy/v1alpha1"

func served(pkgs []string) []string {
	var kept []string
	for _, p := range pkgs {
		if p != unserved {
			kept = append(kept, p)
		}
	}
	return kept
}

// genclientPackages returns the import paths of the packages that match the
// pattern, in the module around dir, and have a type marked for the generators.
func genclientPackages(t *testing.T, dir, pattern string) []string {
	t.Helper()
	loaded, err := packages.Load(&packages.Config{Dir: dir, Mode: packages.NeedName | packages.NeedFiles}, pattern)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, pkg := range loaded {
		for _, file := range pkg.GoFiles {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(content, []byte("+genclient")) {
				paths = append(paths, pkg.PkgPath)
				break
			}
		}
	}
	return paths
}

func TestKubernetes(t *testing.T) {
	const input = "kubernetes"
	dir, err := peers.Dir()
	if err != nil {
		t.Fatal(err)
	}
	module := moduleDir(t, dir, clientGo)
	job := kubernetesJob(t, dir)

	generate := func(maker string, tools peers.Tools) *tree {
		job.OutputDir = workDir(t, input, maker)
		for _, sub := range clientGoTrees {
			copyFiles(t, filepath.Join(module, sub), filepath.Join(job.OutputDir, sub), handwritten)
		}
		job.Run(t, tools)
		return mustParse(t, maker, job.OutputDir, clientGo)
	}
	their, our := generate(upstream, peers.Upstream(t)), generate(ours, peers.Ours(t))
	out := workDir(t, input, released)
	for _, sub := range clientGoTrees {
		copyFiles(t, filepath.Join(module, sub), filepath.Join(out, sub), func(file, _ string) bool { return isSource(file) })
	}
	release := mustParse(t, released, out, clientGo)
	// Client-go as a whole must compile with our output in place of its folders.
	whole := workDir(t, input, "whole")
	users := dependents(t, dir)
	copyFiles(t, module, whole, func(file, _ string) bool { return isSource(file) && slices.Contains(users, path.Dir(file)) })
	copyFiles(t, our.dir, whole, func(string, string) bool { return true })
	check(t, dir, their, our, release, mustParse(t, "client-go on ours", whole, clientGo))

	t.Run(upstream, func(t *testing.T) { report(t, input, their, our) })
	t.Run(released, func(t *testing.T) { report(t, input, release, our) })
}

// dependents returns the folders of client-go's other packages that import, directly or
// through others, a package of its generated folders.
func dependents(t *testing.T, dir string) []string {
	t.Helper()
	loaded, err := packages.Load(&packages.Config{Dir: dir, Mode: packages.NeedName | packages.NeedImports}, clientGo+"/...")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	var depends func(p *packages.Package) bool
	depends = func(p *packages.Package) bool {
		found, ok := known[p.PkgPath]
		if !ok {
			found = generated(p.PkgPath)
			for _, imported := range p.Imports {
				found = depends(imported) || found
			}
			known[p.PkgPath] = found
		}
		return found
	}
	var dirs []string
	for _, p := range loaded {
		if depends(p) && !generated(p.PkgPath) {
			dirs = append(dirs, strings.TrimPrefix(p.PkgPath, clientGo+"/"))
		}
	}
	if len(dirs) < 10 {
		t.Fatalf("only %d packages of client-go import its generated ones: %v", len(dirs), dirs)
	}
	return dirs
}

// generated reports whether a package is in a folder that client-go's generators write to.
func generated(pkg string) bool {
	for _, sub := range clientGoTrees {
		if pkg == clientGo+"/"+sub || strings.HasPrefix(pkg, clientGo+"/"+sub+"/") {
			return true
		}
	}
	return false
}

// moduleDir returns the directory of a module that the module around dir requires.
func moduleDir(t *testing.T, dir, module string) string {
	t.Helper()
	return strings.TrimSpace(goTool(t, dir, "list", "-m", "-f", "{{.Dir}}", module))
}

// goTool runs the go command in dir and returns its output.
func goTool(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return stdout.String()
}
