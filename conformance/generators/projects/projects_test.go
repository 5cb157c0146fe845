//go:build projects

package projects_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/modules"
	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/internal/source"
	"github.com/listwatch/listwatch/internal/testcase"
)

var flavours = []string{"listwatch", "client-go"}

func TestProjects(t *testing.T) {
	t.Setenv("GOWORK", "off") // some parts of a published module differ
	t.Setenv("GOFLAGS", "-mod=mod")
	rows := map[string]string{}
	for _, p := range projects {
		t.Run(p.name, func(t *testing.T) {
			p.replaceClients(t, p.fetch(t))
			made := p.clients(t, p.fetch(t))
			rows[p.name] = p.row(made, p.compare(t))
		})
	}
	report(t, rows)
}

// clients generates in both flavours, without flags and with the project's options, type-checks the output, and returns what a run
// without flags generates.
func (p project) clients(t *testing.T, dir string) summary {
	var made summary
	for _, flavour := range flavours {
		out := filepath.Join(dir, "pkg", "generated")
		first := []string{"--runtime=" + flavour, "./..."}
		runs := [][]string{first}
		if err := os.RemoveAll(out); err != nil {
			t.Fatal(err)
		}
		if p.refused != "" {
			says, err := p.generate(t, dir, first...)
			if err == nil || !strings.Contains(says, p.refused) {
				t.Errorf("%s: want a refusal that says %q, got %v:\n%s", flavour, p.refused, err, says)
			}
			runs[0] = append(first, p.instead)
			if p.instead == "" {
				runs = nil
			}
		}
		if len(p.patterns) > 0 {
			runs = append(runs, append(append([]string{"--runtime=" + flavour}, p.own...), p.patterns...))
		}
		for i, args := range runs {
			what := fmt.Sprintf("gen-all %s", strings.Join(args, " "))
			if err := os.RemoveAll(out); err != nil {
				t.Fatal(err)
			}
			says, err := p.generate(t, dir, append(args, "--format=json")...)
			if err != nil {
				t.Errorf("%s: %v\n%s", what, err, says)
				continue
			}
			var result struct{ Summary summary }
			if err = json.Unmarshal([]byte(says), &result); err != nil {
				t.Fatal(err)
			}
			t.Logf("%s: %s", what, result.Summary.Text)
			if i == 0 {
				made = result.Summary
			}
			if p.unchecked != "" || result.Summary.Kinds == 0 {
				continue
			}
			if err := p.check(t, dir, filepath.Join("pkg", "generated")); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
	return made
}

// replaceable matches the flags with which gen-all replaces clients in another directory than its own.
var replaceable = regexp.MustCompile(`to replace them, add --output-dir=(\S+?)( --clientset-name=\S+?)?"`)

// replaceClients generates in place of the project's own clients, if code-generator's tools wrote some, and type-checks the
// output with what stays.
func (p project) replaceClients(t *testing.T, dir string) {
	args := []string{"./..."}
	if p.refused != "" {
		if p.instead == "" {
			return
		}
		args = append(args, p.instead)
	}
	out := filepath.Join("pkg", "generated")
	if _, err := os.Stat(filepath.Join(dir, out, "clientset")); err != nil {
		says, err := p.generate(t, dir, append(args, "--format=json", "--dry-run")...)
		flags := replaceable.FindStringSubmatch(says)
		if err != nil || flags == nil {
			return // an error is reported for the run without flags
		}
		out = filepath.FromSlash(flags[1])
		args = append(args, strings.Fields("--output-dir="+flags[1]+flags[2])...)
	}
	says, err := p.generate(t, dir, args...)
	if err != nil {
		t.Errorf("gen-all %s: %v\n%s", strings.Join(args, " "), err, says)
		return
	}
	t.Logf("replaces the clients in %s: %s", out, says[strings.LastIndex(strings.TrimSpace(says), "\n")+1:])
	if p.unchecked != "" {
		return
	}
	// What others generate beside the clients uses client-go.
	entries, err := os.ReadDir(filepath.Join(dir, out))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if slices.Contains([]string{"clientset", "informers", "listers", "applyconfiguration"}, e.Name()) {
			continue
		}
		if err = os.RemoveAll(filepath.Join(dir, out, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	err = p.check(t, dir, out)
	if (err != nil) != (p.remains != "") {
		t.Errorf("gen-all %s: %v", strings.Join(args, " "), err)
	}
}

// summary is what gen-all reports of a run.
type summary struct {
	Text  string
	Kinds int
}

// fetch downloads the project and returns a writable copy of its Go files.
func (p project) fetch(t *testing.T) string {
	t.Helper()
	source, err := modules.Download(t.Context(), p.module+"@"+p.version)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	from := os.DirFS(source)
	err = fs.WalkDir(from, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "vendor":
			return fs.SkipDir
		case entry.IsDir():
			return os.MkdirAll(filepath.Join(dir, name), 0o755)
		case path.Ext(name) != ".go" && entry.Name() != "go.mod" && entry.Name() != "go.sum":
			return nil
		}
		text, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, name), text, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// generate runs gen-all in the project, and returns its output.
func (p project) generate(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command(peers.All(t), args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// check type-checks the output, in a directory of the project, against the project's dependencies, and ours.
func (p project) check(t *testing.T, dir, out string) error {
	t.Helper()
	root, err := peers.Root()
	if err != nil {
		t.Fatal(err)
	}
	tree, err := source.Parse(filepath.Join(dir, out), path.Join(p.module, filepath.ToSlash(out)))
	if err != nil {
		return err
	}
	module := t.TempDir()
	goMod := fmt.Sprintf(`module example.com/check

go 1.26.0

require (
	%[1]s %[2]s
	%[3]s v0.0.0
	k8s.io/client-go v0.37.2
)

replace %[1]s => %[4]s

replace %[3]s => %[5]s
`, p.module, p.version, testcase.Module, dir, root)
	if err = os.WriteFile(filepath.Join(module, "go.mod"), []byte(goMod), 0o644); err != nil {
		return err
	}
	var imports bytes.Buffer
	imports.WriteString("package check\n\nimport (\n")
	for _, p := range tree.Imports() {
		fmt.Fprintf(&imports, "\t_ %q\n", p)
	}
	imports.WriteString(")\n")
	if err = os.WriteFile(filepath.Join(module, "check.go"), imports.Bytes(), 0o644); err != nil {
		return err
	}
	outside, err := source.Outside(module, tree.Imports())
	_, checkErr := tree.Check(outside)
	return errors.Join(err, checkErr)
}
