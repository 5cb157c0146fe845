package deepcopy_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/diff"

	objectv1 "github.com/listwatch/listwatch/conformance/generators/deepcopy/object/v1"
	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/internal/copytest"
)

// controllerGen is the pinned version of the peer. It is not a requirement of the module, because
// that raises the versions of others.
const controllerGen = "sigs.k8s.io/controller-tools/cmd/controller-gen@v0.23.0"

// TestControllerGen compares the functions of object/v1 with those of controller-gen.
func TestControllerGen(t *testing.T) {
	if testing.Short() {
		t.Skip("builds controller-gen")
	}
	if report := changes(t, "", "./generators/deepcopy/object/..."); len(report.Changes) > 0 {
		t.Error("object/v1 is out of date; run go generate in deepcopy")
	}
	bin, err := peers.Work("bin", "controller-gen")
	if err != nil {
		t.Fatal(err)
	}
	dir, err := peers.Dir()
	if err != nil {
		t.Fatal(err)
	}
	scratch := t.TempDir()
	install := exec.CommandContext(t.Context(), "go", "install", controllerGen)
	install.Env = append(os.Environ(), "GOBIN="+bin, "GOWORK=off", "GOFLAGS=")
	generate := exec.CommandContext(t.Context(), filepath.Join(bin, "controller-gen"), "object", "paths=./generators/deepcopy/object/v1", "output:object:dir="+scratch)
	generate.Env, generate.Dir = append(os.Environ(), "GOWORK=off"), dir
	for _, cmd := range []*exec.Cmd{install, generate} {
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
		}
	}
	want, errWant := os.ReadFile(filepath.Join(scratch, "zz_generated.deepcopy.go"))
	got, errGot := os.ReadFile(filepath.Join("object", "v1", "zz_generated.deepcopy.go"))
	if err := errors.Join(errWant, errGot); err != nil {
		t.Fatal(err)
	}
	if d := diff.Diff("controller-gen", []byte(meaning(t, want)), "gen-deepcopy", []byte(meaning(t, got))); d != nil {
		t.Errorf("%s", d)
	}
}

// TestObjectRuns copies random objects of object/v1.
func TestObjectRuns(t *testing.T) {
	for seed := range uint64(300) {
		var list objectv1.EngineList
		copytest.New(seed, nil).Fill(&list)
		if err := copytest.Check(&list, list.DeepCopyObject()); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}
