package behaviour_test

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// build compiles the scripts, with more arguments.
func build(t *testing.T, args ...string) (program string) {
	t.Helper()
	program = filepath.Join(t.TempDir(), "script")
	cmd := exec.Command("go", slices.Concat([]string{"test", "-c", "-vet=off", "-o", program}, args, []string{"./script"})...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	return program
}

// withLine returns a go.mod that replaces client-go.
func withLine(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "replaced.mod")
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		if name == "go.mod" {
			text = append(text, "\nreplace k8s.io/client-go => ../client-go\n"...)
		}
		if err := os.WriteFile(strings.TrimSuffix(file, "mod")+strings.TrimPrefix(name, "go."), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return file
}

// transcripts runs a script, and returns what its cases recorded, by their names.
func transcripts(t *testing.T, program, script string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command(program, "-test.run=^"+script+"$", "-test.timeout=5m")
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "BEHAVIOUR="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", cmd, err, out)
	}
	cases := map[string]string{}
	if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, strings.TrimSuffix(path, ".txt"))
		text, readErr := os.ReadFile(path)
		cases[filepath.ToSlash(name)] = string(text)
		return errors.Join(err, readErr)
	}); err != nil {
		t.Fatal(err)
	}
	return cases
}

// Scripts record the same with client-go and with the line, except where differences are listed.
func TestScripts(t *testing.T) {
	theirs, ours := build(t), build(t, "-mod=mod", "-modfile="+withLine(t))
	list, err := exec.Command(theirs, "-test.list=.").Output()
	if err != nil {
		t.Fatal(err)
	}
	for script := range strings.FieldsSeq(string(list)) {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			want, got := transcripts(t, theirs, script), transcripts(t, ours, script)
			if len(want) == 0 {
				t.Error("no cases")
			}
			names := map[string]bool{}
			for name := range maps.Keys(want) {
				names[name] = true
			}
			for name := range maps.Keys(got) {
				names[name] = true
			}
			for _, name := range slices.Sorted(maps.Keys(names)) {
				reason := differences[name]
				switch diff := cmp.Diff(strings.Split(want[name], "\n"), strings.Split(got[name], "\n")); {
				case diff != "" && reason == "":
					t.Errorf("%s (-client-go +with the line):\n%s", name, diff)
				case diff == "" && reason != "":
					t.Errorf("%s does not differ, and has a reason: %s", name, reason)
				}
			}
		})
	}
}
