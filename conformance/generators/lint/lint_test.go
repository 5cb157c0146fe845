//go:build projects

package lint

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/generators"
	"github.com/listwatch/listwatch/internal/golden"
)

// version is the compared version of kube-api-linter.
const version = "v0.0.0-20260716143926-092fe0c72997"

// cases are the directories of kube-api-linter's tests whose configuration is the one that our rules have. The
// others configure what we do not.
var cases = map[string]string{
	"arrayofstruct": "a", "commentstart": "a", "conditions": "b", "defaultorrequired": "a", "duplicatemarkers": "a", "integers": "a",
	"jsontags": "a", "maxlength": "a", "nobools": "a", "nodurations": "a", "nofloats": "a", "nomaps": "a", "nonullable": "a", "nophase": "a",
	"notimestamp": "a", "optionalfields": "a", "optionalorrequired": "a", "requiredfields": "a", "ssatags": "a", "statusoptional": "a", "statussubresource": "a",
	"uniquemarkers": "a",
}

// TestVerdicts compares the lines with findings.
func TestVerdicts(t *testing.T) {
	out, err := exec.Command("go", "mod", "download", "-json", "sigs.k8s.io/kube-api-linter@"+version).Output()
	var module struct{ Dir string }
	if err = errors.Join(err, json.Unmarshal(out, &module)); err != nil {
		t.Fatal(err)
	}
	var table bytes.Buffer
	for _, rule := range slices.Sorted(maps.Keys(cases)) {
		src := filepath.Join(module.Dir, "pkg", "analysis", rule, "testdata", "src", cases[rule])
		dir := copied(t, src)
		want, got := wanted(t, dir), found(t, dir, rule)
		both := 0
		var differences []string
		for line := range want {
			if got[line] {
				both++
			} else {
				differences = append(differences, "\tonly kube-api-linter: "+line)
			}
		}
		for line := range got {
			if !want[line] {
				differences = append(differences, "\tonly listwatch: "+line)
			}
		}
		fmt.Fprintf(&table, "%s: %d lines with findings of both\n", rule, both)
		slices.Sort(differences)
		for _, d := range differences {
			fmt.Fprintln(&table, d)
		}
	}
	golden.File(t, filepath.Join("testdata", "verdicts.txt"), table.String())
}

// copied returns a module with the files of a directory.
func copied(t *testing.T, src string) string {
	t.Helper()
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOPROXY", "off")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(src, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(name) != ".go" {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(src, name)
		to := filepath.Join(dir, rel)
		return errors.Join(err, os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, text, 0o644))
	})
	requirements, errMod := os.ReadFile(filepath.Join(golden.Root(t), "go.mod"))
	if errMod != nil {
		t.Fatal(errMod)
	}
	_, rest, _ := strings.Cut(string(requirements), "\n")
	mod := "module " + filepath.Base(src) + "\n" + rest
	if text, readErr := os.ReadFile(filepath.Join(filepath.Dir(src), "externaltypes", "types.go")); readErr == nil {
		// In a directory that no pattern matches, as a module of its own.
		external := filepath.Join(dir, "_externaltypes")
		mod += "\nrequire externaltypes v0.0.0\n\nreplace externaltypes => ./_externaltypes\n"
		err = errors.Join(err, os.Mkdir(external, 0o755), os.WriteFile(filepath.Join(external, "types.go"), text, 0o644),
			os.WriteFile(filepath.Join(external, "go.mod"), []byte("module externaltypes\n\ngo 1.26.0\n"), 0o644))
	}
	sums, errSums := os.ReadFile(filepath.Join(golden.Root(t), "go.sum"))
	if err = errors.Join(err, errSums, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o644), os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// wanted returns the lines with a "want" comment, as file:line.
func wanted(t *testing.T, dir string) map[string]bool {
	t.Helper()
	lines := map[string]bool{}
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".go" {
			return err
		}
		text, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name) // below dir
		for i, line := range strings.Split(string(text), "\n") {
			if strings.Contains(line, "// want ") || strings.Contains(line, "//want ") {
				lines[fmt.Sprintf("%s:%d", filepath.ToSlash(rel), i+1)] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// found returns the lines with findings of a rule.
func found(t *testing.T, dir, rule string) map[string]bool {
	t.Helper()
	_, _, err := generators.Read(context.Background(), generators.RunOptions{
		Options: generators.Options{Dir: dir, Patterns: []string{"./..."}, LintRules: []string{rule}}, PackagesOnly: true,
	})
	var faults generators.Errors
	if err != nil && !errors.As(err, &faults) {
		t.Fatalf("%s: %v", rule, err)
	}
	lines := map[string]bool{}
	for _, d := range faults {
		if strings.HasSuffix(d.Message, "("+rule+")") {
			lines[fmt.Sprintf("%s:%d", d.Pos.Filename, d.Pos.Line)] = true
		}
	}
	return lines
}
