package linking_test

import (
	"bytes"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/listwatch/listwatch/conformance/internal/peers"
)

// base is the import path of the programs.
const base = "github.com/listwatch/listwatch/conformance/size/linking/"

// program is one of the programs.
type program struct {
	name string
	// in bytes, without symbols
	size int64
	// packages are the import paths of all linked packages, according to the go command.
	packages []string
}

// build builds a program with flags for the go command.
func build(t *testing.T, name string, flags ...string) program {
	t.Helper()
	bin := filepath.Join(t.TempDir(), filepath.Base(name))
	goCommand(t, ".", slices.Concat([]string{"build", "-ldflags=-s -w", "-o", bin}, flags, []string{base + name})...)
	info, err := os.Stat(bin)
	if err != nil {
		t.Fatal(err)
	}
	return program{name, info.Size(), strings.Fields(goCommand(t, ".", slices.Concat([]string{"list", "-deps"}, flags, []string{base + name})...))}
}

// symbolsOf returns the packages of a program's symbols.
func symbolsOf(t *testing.T, name string) []string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), filepath.Base(name))
	goCommand(t, ".", "build", "-o", bin, base+name)
	owners := map[string]bool{}
	for line := range strings.Lines(goCommand(t, ".", "tool", "nm", bin)) {
		// An address, the letter for code, and a name.
		if _, symbol, ok := strings.Cut(line, " T "); ok {
			owners[packageOf(strings.TrimSpace(symbol))] = true
		}
	}
	return slices.Sorted(maps.Keys(owners))
}

// goCommand runs the go command in a directory and returns its output.
func goCommand(t *testing.T, dir string, args ...string) string {
	t.Helper()
	var out, complaint bytes.Buffer
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &complaint
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, complaint.String())
	}
	return out.String()
}

// packageOf returns the import path of the package of a function's symbol, or for symbols without a
// package, the text in its place. The linker writes dots in the last element of a path as %2e.
func packageOf(symbol string) string {
	symbol, _, _ = strings.Cut(symbol, "[")
	dir, last := "", symbol
	if i := strings.LastIndex(symbol, "/"); i >= 0 {
		dir, last = symbol[:i+1], symbol[i+1:]
	}
	last, _, _ = strings.Cut(last, ".")
	return strings.ReplaceAll(dir+last, "%2e", ".")
}

func TestPackageOf(t *testing.T) {
	for symbol, want := range map[string]string{
		"fmt.Println":                               "fmt",
		"net/http.(*Client).Do":                     "net/http",
		"k8s.io/client-go/rest.(*Request).Do.func1": "k8s.io/client-go/rest",
		"gopkg.in/evanphx/json-patch%2ev4.Equal":    "gopkg.in/evanphx/json-patch.v4",
		"a.b/c.F[go.shape.*uint8]":                  "a.b/c",
		"main.main":                                 "main",
	} {
		if got := packageOf(symbol); got != want {
			t.Errorf("%s is of %s, want %s", symbol, got, want)
		}
	}
}

// TestPrograms checks that the programs of each pair do the same.
func TestPrograms(t *testing.T) {
	for _, dir := range []string{".", "kubeconfig", "controller"} {
		var bodies []string
		for _, name := range []string{"listwatch", "clientgo"} {
			source, err := os.ReadFile(filepath.Join(dir, name, "main.go"))
			if err != nil {
				t.Fatal(err)
			}
			imports, body, ok := strings.Cut(string(source), "\nfunc main()")
			if !ok || !strings.Contains(imports, "\nimport (") {
				t.Fatalf("%s of %s is not laid out as expected", name, dir)
			}
			bodies = append(bodies, body)
		}
		if bodies[0] != bodies[1] {
			t.Errorf("programs of %s differ below their imports", dir)
		}
	}
}

// TestClientsets checks that no clientset of expected output in our own flavour links what it must
// not. The trees and the rare files together come from every branch of every template.
func TestClientsets(t *testing.T) {
	root, err := peers.Root()
	if err != nil {
		t.Fatal(err)
	}
	clients := rareImports(t, root)
	if len(clients) < 10 {
		t.Errorf("rare files of clientsets import only %q", clients)
	}
	for _, p := range strings.Fields(goCommand(t, root, "list", "./golden/...")) {
		if strings.Contains(p, "/clientset/") && !strings.HasSuffix(p, "/fake") {
			clients = append(clients, p)
		}
	}
	if len(clients) < 20 {
		t.Errorf("only %d packages of clientsets", len(clients))
	}
	for _, p := range strings.Fields(goCommand(t, root, append([]string{"list", "-deps"}, clients...)...)) {
		// Apply configurations contain a schema.
		if reason := denied(p); reason != "" && !regexp.MustCompile(`^sigs\.k8s\.io/structured-merge-diff/`).MatchString(p) {
			t.Errorf("clientsets link %s: %s", p, reason)
		}
	}
}

// rareImports returns the packages that the rare files of clientsets import, without other generated
// ones: those are in no tree.
func rareImports(t *testing.T, root string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, "golden", "rare", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	imports := map[string]bool{}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range archive.Files {
			if !strings.HasPrefix(file.Name, "clientset/") || strings.Contains(file.Name, "/fake/") {
				continue
			}
			syntax, err := parser.ParseFile(token.NewFileSet(), file.Name, file.Data, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range syntax.Imports {
				if path, err := strconv.Unquote(spec.Path.Value); err == nil && !strings.Contains(path, "/golden/") {
					imports[path] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(imports))
}

// replaced returns flags with which the go command replaces client-go by our module.
func replaced(t *testing.T) []string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "replaced.mod")
	for from, to := range map[string]string{"../../go.mod": name, "../../go.sum": strings.TrimSuffix(name, "mod") + "sum"} {
		text, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(to, text, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	goCommand(t, ".", "mod", "edit", "-replace=k8s.io/client-go=../client-go", name)
	return []string{"-mod=mod", "-modfile=" + name}
}
