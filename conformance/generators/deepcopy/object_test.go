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

// TestControllerGen compares the functions of object/v1 with those of controller-gen.
func TestControllerGen(t *testing.T) {
	if report := changes(t, "", "./generators/deepcopy/object/..."); len(report.Changes) > 0 {
		t.Error("object/v1 is out of date; run go generate in conformance/generators/deepcopy")
	}
	dir, err := peers.Dir()
	if err != nil {
		t.Fatal(err)
	}
	scratch := t.TempDir()
	generate := exec.CommandContext(t.Context(), peers.PinnedControllerGen(t), "object", "paths=./generators/deepcopy/object/v1", "output:object:dir="+scratch)
	generate.Env, generate.Dir = append(os.Environ(), "GOWORK=off"), dir
	if out, err := generate.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", generate, err, out)
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
