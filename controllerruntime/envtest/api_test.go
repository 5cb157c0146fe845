package envtest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	theirs "sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/listwatch/listwatch/controllerruntime/envtest"
)

// A suite compiles with the other import: all exported names, fields and methods exist.
func TestAPI(t *testing.T) {
	dir, err := exec.CommandContext(t.Context(), "go", "list", "-f", "{{.Dir}}", "sigs.k8s.io/controller-runtime/pkg/envtest").Output()
	if err != nil {
		t.Fatal(err)
	}
	ours := exported(t, ".")
	for name := range exported(t, strings.TrimSpace(string(dir))) {
		if !ours[name] {
			t.Errorf("%s is missing", name)
		}
	}
	our, their := reflect.TypeFor[*envtest.Environment](), reflect.TypeFor[*theirs.Environment]()
	for field := range their.Elem().Fields() {
		if got, ok := our.Elem().FieldByName(field.Name); !ok || got.Type != field.Type {
			t.Errorf("field %s is %v, want %v", field.Name, got.Type, field.Type)
		}
	}
	for method := range their.Methods() {
		got, ok := our.MethodByName(method.Name)
		if !ok {
			t.Errorf("method %s is missing", method.Name)
			continue
		}
		// The receivers differ.
		if got, want := signature(got.Type), signature(method.Type); got != want {
			t.Errorf("method %s is %s, want %s", method.Name, got, want)
		}
	}
}

func signature(method reflect.Type) string {
	return strings.Replace(method.String(), method.In(0).String(), "", 1)
}

// exported returns the exported names of a package.
func exported(t *testing.T, dir string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	names := map[string]bool{}
	add := func(name *ast.Ident) {
		if name.IsExported() {
			names[name.Name] = true
		}
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Recv == nil {
					add(decl.Name)
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						add(spec.Name)
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							add(name)
						}
					}
				}
			}
		}
	}
	return names
}
