package source_test

import (
	"context"
	"errors"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"
	"golang.org/x/tools/txtar"

	"github.com/listwatch/listwatch/internal/migration/source"
)

// files are a module with tests, cgo, a dependency that only works without function bodies, and files that build constraints exclude.
const files = `
-- go.mod --
module example.com/p

go 1.25

require example.com/lib v0.0.0

replace example.com/lib => ./lib
-- p.go --
package p

import "example.com/lib"

var N = lib.N
-- p_test.go --
package p

var _ string = N
-- x_test.go --
package p_test

import "example.com/p"

var _ = p.Missing
-- native/native.go --
package native

// int f(void);
import "C"

func F() int { return int(C.f()) }
-- tagged.go --
//go:build never

package p

import "example.com/lib/more"

var M = more.M + N
-- testdata/other.go --
package other

import "example.com/lib"

var O = lib.N
-- syntax/syntax.go --
package syntax

func {
-- lib/go.mod --
module example.com/lib
-- lib/lib.go --
package lib

var N = 1

func broken() { undeclared() }
-- lib/more/more.go --
package more

var M = 1
`

func unpack(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse([]byte(files)).Files {
		name := filepath.Join(dir, f.Name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, f.Data, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOPROXY", "off")
	return dir
}

func TestLoad(t *testing.T) {
	defer goleak.VerifyNone(t)
	var calls atomic.Int64
	program, err := source.Load(t.Context(), unpack(t), []string{"./..."}, func(done, total int) {
		calls.Add(1)
		if done < 1 || done > total {
			t.Errorf("%d of %d packages are checked", done, total)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if int(calls.Load()) != len(program.Packages) {
		t.Errorf("progress was reported %d times, of %d packages", calls.Load(), len(program.Packages))
	}
	want := map[string]string{
		"example.com/p":                           "",
		"example.com/p [example.com/p.test]":      "cannot use N (variable of type int) as string value in variable declaration",
		"example.com/p_test [example.com/p.test]": "undefined: p.Missing",
		"example.com/p/native":                    "",
	}
	for id, message := range want {
		pkg := program.Packages[id]
		switch {
		case pkg == nil || !pkg.Initial || pkg.Info == nil || len(pkg.Syntax) == 0:
			t.Errorf("%s is not checked: %v", id, pkg)
		case message == "" && len(pkg.TypeErrors) == 0:
		case len(pkg.TypeErrors) != 1 || pkg.TypeErrors[0].Msg != message:
			t.Errorf("%s has the errors %v, want %q", id, pkg.TypeErrors, message)
		}
	}
	if pkg := program.Packages["example.com/p/syntax"]; len(pkg.Failures) != 1 {
		t.Errorf("the failures of a file that is not Go are %v", pkg.Failures)
	}
	if lib := program.Packages["example.com/lib"]; lib.Initial || lib.Info != nil || lib.Types().Scope().Lookup("N") == nil {
		t.Errorf("the dependency is %v", lib)
	}
}

func TestExtend(t *testing.T) {
	dir := unpack(t)
	program, err := source.Load(t.Context(), dir, []string{"."}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, name := range []string{"p.go", "tagged.go", "testdata/other.go"} {
		names = append(names, filepath.Join(dir, name))
	}
	extra, err := program.Extend(t.Context(), names)
	if err != nil || len(extra) != 2 {
		t.Fatalf("%v, %v", err, extra)
	}
	for _, pkg := range extra {
		for _, name := range []string{"M", "O"} {
			if object := pkg.Types().Scope().Lookup(name); object != nil && object.Type() != types.Typ[types.Int] {
				t.Errorf("%s has the type %v", name, object.Type())
			}
		}
	}
	if extra[0].PkgPath != "example.com/p" || extra[0].Types().Scope().Lookup("M") == nil || !strings.HasSuffix(extra[1].PkgPath, "testdata") {
		t.Errorf("got the packages %s and %s", extra[0].PkgPath, extra[1].PkgPath)
	}
}

func TestCanceled(t *testing.T) {
	defer goleak.VerifyNone(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := source.Load(ctx, unpack(t), []string{"./..."}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v", err)
	}
}

// Half of a program is checked when it is canceled.
func TestCanceledLater(t *testing.T) {
	defer goleak.VerifyNone(t)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := source.Load(ctx, unpack(t), []string{"./..."}, func(int, int) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v", err)
	}
}
