package load_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
)

// ownPath are the packages of this module that the tests start from.
const ownPath = "github.com/listwatch/listwatch/generators/model"

// ahead is what tests find ahead.
var ahead = map[string]string{"k8s.io/apimachinery": "k8s.io/apimachinery/pkg/types", "example.com/none": "example.com/none/v1"}

// TestNearby compares the packages of a module that are found with and without the go command.
func TestNearby(t *testing.T) {
	t.Setenv("GOWORK", "off")
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	var diags diag.List
	patterns := []string{"k8s.io/apimachinery/pkg/...", "encoding/...", "net/..."}
	listed, err := load.New(t.Context(), load.Config{Dir: dir, Diags: &diags}).Load(patterns...)
	if err != nil {
		t.Fatal(err)
	}
	l := load.New(t.Context(), load.Config{Dir: dir, Ahead: ahead, Diags: &diags})
	found, err := l.Load(ownPath)
	if err != nil || len(found) != 1 || found[0].Path != ownPath {
		t.Fatalf("got %s, error %v", paths(found), err)
	}
	t.Setenv("PATH", t.TempDir()) // without a go command
	for _, want := range listed {
		got, err := found[0].Import(want.Path)
		if err != nil {
			t.Error(err)
			continue
		}
		if got.Name != want.Name || got.Dir != want.Dir || got.Module != want.Module {
			t.Errorf("got %s %s %s %v, want %s %s %s %v", got.Path, got.Name, got.Dir, got.Module, want.Path, want.Name, want.Dir, want.Module)
		}
		gotFiles, gotExcluded := load.FileNames(got)
		wantFiles, wantExcluded := load.FileNames(want)
		if d := cmp.Diff(wantFiles, gotFiles); d != "" {
			t.Errorf("files of %s: %s", want.Path, d)
		}
		if d := cmp.Diff(wantExcluded, gotExcluded); d != "" {
			t.Errorf("excluded files of %s: %s", want.Path, d)
		}
	}
}

// TestNotNearby checks what only the go command can find.
func TestNotNearby(t *testing.T) {
	offline(t)
	dir := extract(t)
	var diags diag.List
	l := load.New(t.Context(), load.Config{Dir: dir, Diags: &diags})
	found, err := l.Load("./one")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := found[0].Import("example.com/m/nested"); err == nil {
		t.Error("found a package of another module")
	}
	if p, err := found[0].Import("example.com/m/single"); err != nil || p.Name != "single" {
		t.Errorf("got error %v", err)
	}
}

// TestAheadOfPatterns checks that what is found ahead is not part of the result, unless a pattern
// means it.
func TestAheadOfPatterns(t *testing.T) {
	t.Setenv("GOWORK", "off")
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		patterns []string
		want     bool
	}{
		{patterns: []string{"."}},
		{patterns: []string{"k8s.io/apimachinery/pkg/types"}, want: true},
		{patterns: []string{"k8s.io/apimachinery/pkg/..."}, want: true},
		{patterns: []string{filepath.Join(dir, "..")}},
	} {
		var diags diag.List
		l := load.New(t.Context(), load.Config{Dir: dir, Ahead: ahead, Diags: &diags})
		found, err := l.Load(c.patterns...)
		if err != nil && c.want {
			t.Fatal(err)
		}
		if got := slices.ContainsFunc(found, func(p *load.Package) bool { return p.Path == "k8s.io/apimachinery/pkg/types" }); got != c.want {
			t.Errorf("%s: got %v", c.patterns, got)
		}
	}
}
