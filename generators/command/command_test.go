package command_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/generators"
	"github.com/listwatch/listwatch/generators/command"
)

// plain is an emitter without flags that plans nothing. It counts the declarations that it gets.
type plain struct{ declarations *int }

func (p plain) Plan(in *generators.Input) ([]generators.Tree, error) {
	for _, pkg := range in.API.Packages {
		*p.declarations += len(pkg.TypeDecls)
	}
	return nil, nil
}

// run runs a command, and returns its exit code and output.
func run(t *testing.T, c command.Command, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Setenv("GITHUB_ACTIONS", "")
	var out, problems strings.Builder
	code = c.Main(context.Background(), args, &out, &problems)
	return code, out.String(), problems.String()
}

func TestHelp(t *testing.T) {
	for name, c := range map[string]struct {
		all  bool
		want []string
		none string
	}{
		"alone": {false, []string{"Gen-getters generates methods", "--getter-prefix names", `(default "Get")`, "--verify", "--output-dir"}, "--crd-dir"},
		"all":   {true, []string{"Gen-getters generates methods", "--getter-prefix names", "--verify", "--crd-dir", "--check-breaking"}, "gen-all init"},
	} {
		t.Run(name, func(t *testing.T) {
			code, text, _ := run(t, command.Command{Name: "gen-getters", Source: source, Emitters: []generators.Emitter{&getters{}}, All: c.all}, "--help")
			if code != 0 {
				t.Errorf("exit code %d", code)
			}
			for _, part := range c.want {
				if !strings.Contains(text, part) {
					t.Errorf("no %q in %s", part, text)
				}
			}
			if strings.Contains(text, c.none) {
				t.Errorf("%q in %s", c.none, text)
			}
		})
	}
}

// TestFlags gives an emitter another value of its flag.
func TestFlags(t *testing.T) {
	c := command.Command{
		Name: "gen-getters", Source: source, Emitters: []generators.Emitter{&getters{}},
		Options: generators.RunOptions{TypeDecls: true, PackagesOnly: true},
	}
	code, diff, _ := run(t, c, "--verify", "--getter-prefix", "Read", "./testdata/shelf/...")
	if code != 1 || !strings.Contains(diff, "+func (in *Board) ReadLength() (value int32) {") || !strings.Contains(diff, "ReadDepth") || strings.Contains(diff, "GetLength") {
		t.Errorf("exit code %d: %s", code, diff)
	}
	code, _, problem := run(t, c, "--getter-prefixes=Read", "./testdata/shelf/...")
	if code != 2 || problem != "gen-getters: unknown flag: --getter-prefixes\nsee gen-getters --help\n" {
		t.Errorf("exit code %d: %s", code, problem)
	}
}

// flagged has a flag of any name.
type flagged struct {
	plain
	name string
}

func (f flagged) AddFlags(flags *flag.FlagSet) { flags.Bool(f.name, false, "is taken") }

// TestTakenFlags names flags as others are named: of the command, hidden ones, and of another emitter.
func TestTakenFlags(t *testing.T) {
	for _, name := range []string{"verify", "v", "logtostderr", "getter-prefix"} {
		t.Run(name, func(t *testing.T) {
			emitters := []generators.Emitter{&getters{}, flagged{plain{new(int)}, name}}
			code, _, problem := run(t, command.Command{Name: "gen-x", Source: source, Emitters: emitters}, "./testdata/shelf/...")
			want := "gen-x: an emitter has flags whose names are taken: --" + name + "; give them other names\nsee gen-x --help\n"
			if code != 2 || problem != want {
				t.Errorf("exit code %d: %s", code, problem)
			}
		})
	}
}

// TestAll generates what gen-all does together with what emitters plan, which get the declarations of types.
func TestAll(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOWORK", "off")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"go.mod":       "module example.com/m\n\ngo 1.25\n",
		"apis/v1/a.go": "// +groupName=shop.example.com\n// +k8s:deepcopy-gen=package\npackage v1\n\ntype Shelf struct{ Boards []string }\n",
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	declarations := 0
	c := command.Command{Name: "gen-shop", Source: source, Emitters: []generators.Emitter{&getters{}, plain{&declarations}}, All: true}
	if code, _, problem := run(t, c, "--getter-prefix=Get", "./apis/..."); code != 0 {
		t.Fatalf("exit code %d: %s", code, problem)
	}
	for file, part := range map[string]string{
		"zz_generated.getters.go":  "func (in *Shelf) GetBoards() (value []string) {",
		"zz_generated.deepcopy.go": "func (in *Shelf) DeepCopyInto(",
	} {
		text, err := os.ReadFile(filepath.Join(dir, "apis", "v1", file))
		if err != nil || !strings.Contains(string(text), part) {
			t.Errorf("%s: %v, %s", file, err, text)
		}
	}
	if declarations != 1 {
		t.Errorf("%d declarations", declarations)
	}
	// The flags are those of gen-all, and its subcommand is a pattern of packages.
	if code, _, problem := run(t, c, "--check-breaking=", "./apis/..."); code != 2 || !strings.Contains(problem, "a comparison needs a commit") {
		t.Errorf("exit code %d: %s", code, problem)
	}
	if code, _, problem := run(t, c, "init"); code == 0 || !strings.Contains(problem, "init") {
		t.Errorf("exit code %d: %s", code, problem)
	}
}
