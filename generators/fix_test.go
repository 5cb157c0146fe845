package generators_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/generators"
)

func TestFix(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	const types = `package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +genclient
// +genclient:onlyVerbs=get,lst
// +resourcename=footwear
type Shoe struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
}

// +resourceName=Lace
type Lace struct{}
`
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if failure := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o640)); failure != nil {
			t.Fatal(failure)
		}
	}
	write("go.mod", "module example.com/p\n\ngo 1.25.0\n")
	write("shop/v1/types.go", types)
	write("shop/v1/register.go", "package v1\n\nvar SchemeGroupVersion, AddToScheme any\n")
	read := func() generators.Errors {
		t.Helper()
		_, warnings, failure := generators.Read(context.Background(), generators.RunOptions{Options: generators.Options{Dir: dir, Patterns: []string{"./..."}}})
		var faults generators.Errors
		if !errors.As(failure, &faults) {
			t.Fatal(failure)
		}
		return append(faults, warnings...)
	}
	before := read()
	fixed, err := generators.Fix(dir, before)
	if err != nil || len(fixed) != 2 {
		t.Fatalf("%v, %v", fixed, err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "shop/v1/types.go"))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(strings.Replace(types, "lst", "list", 1), "resourcename", "resourceName", 1)
	if string(text) != want {
		t.Errorf("got %s", text)
	}
	if info, err := os.Stat(filepath.Join(dir, "shop/v1/types.go")); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if left := read(); len(left) != len(before)-2 {
		t.Errorf("left: %v", left)
	}
	// The diagnostics of the old text do not fit any more.
	if again, err := generators.Fix(dir, before); err != nil || len(again) != 0 {
		t.Errorf("again: %v, %v", again, err)
	}
	if entries, err := os.ReadDir(filepath.Join(dir, "shop/v1")); err != nil || len(entries) != 2 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
	// Files elsewhere are not touched.
	outside := generators.Diagnostic{Edits: before[0].Edits}
	outside.Pos.Filename = "../types.go"
	if fixed, err := generators.Fix(dir, []generators.Diagnostic{outside}); err != nil || fixed != nil {
		t.Errorf("outside: %v, %v", fixed, err)
	}
}
