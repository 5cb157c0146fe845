//go:build programs

package cluster_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/modules"
	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/internal/testcase"
)

// names are the programs.
var names = []string{"kube-controller-manager", "kube-scheduler"}

// built are the paths of the programs on both sides of the line, by name.
type built struct{ before, after map[string]string }

// side is one side of the line with its programs.
type side struct {
	name     string
	binaries map[string]string
}

// sides returns both sides, in the order in which they run.
func (b built) sides() []side { return []side{{"client-go", b.before}, {"listwatch", b.after}} }

// build builds the programs below conformance/.work.
func build(t *testing.T) built {
	t.Helper()
	root, err := peers.Root()
	if err != nil {
		t.Fatal(err)
	}
	work, err := peers.Work("replace", "cluster")
	if err != nil {
		t.Fatal(err)
	}
	b := built{map[string]string{}, map[string]string{}}
	for _, side := range []struct {
		name     string
		binaries map[string]string
		replace  map[string]string
	}{
		{"before", b.before, nil},
		{"after", b.after, map[string]string{
			"k8s.io/client-go":              filepath.Join(root, "client-go"),
			testcase.Module:                 root,
			testcase.Module + "/kubernetes": filepath.Join(root, "kubernetes"),
			testcase.Module + "/streaming":  filepath.Join(root, "streaming"),
		}},
	} {
		dir := filepath.Join(work, side.name)
		module := copyModule(t, filepath.Join(root, "tools", "kubernetes"), dir)
		if err = modules.Replace(module, side.replace); err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			side.binaries[name] = filepath.Join(dir, name)
			cmd := exec.CommandContext(t.Context(), "go", "build", "-mod=mod", "-p=2", "-buildvcs=false", "-ldflags=-s -w",
				"-o", side.binaries[name], "k8s.io/kubernetes/cmd/"+name)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %v\n%s", cmd, err, out)
			}
		}
	}
	return b
}

// copyModule copies go.mod and go.sum to a directory and returns the path of the go.mod there.
func copyModule(t *testing.T, from, to string) string {
	t.Helper()
	if err := os.MkdirAll(to, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		if err = os.WriteFile(filepath.Join(to, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(to, "go.mod")
}
