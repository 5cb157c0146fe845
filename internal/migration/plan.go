package migration

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Plan is what a migration changes and what it leaves to do.
type Plan struct {
	// Line are notes that recommend the line in go.mod, one for each module without it.
	Line []Finding
	// Changes are sorted by path.
	Changes []Change
	// Findings are sorted by position.
	Findings []Finding
	// Commands are to be run once the plan is applied, each in a directory.
	Commands []Command
}

// Change is a file that is rewritten.
type Change struct {
	Path     string
	Old, New []byte
}

// Command is a command line to run in a directory.
type Command struct{ Dir, Line string }

// NewPlan reads the Go files that the patterns select, relative to dir, and returns what the
// migration does to them. It writes nothing. A file that cannot be parsed is a finding.
// version is the version of this module to require.
func NewPlan(ctx context.Context, dir string, patterns []string, version string) (*Plan, error) {
	found, err := find(dir, patterns)
	if err != nil {
		return nil, err
	}
	p := &Plan{}
	output := generated{}
	configurations := ""
	concerned := map[string]bool{} // directories whose files change
	for _, path := range found.paths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		configurations = cmp.Or(configurations, applyConfigurations(path, text))
		result, err := Rewrite(path, text)
		var syntax scanner.ErrorList
		switch {
		case errors.As(err, &syntax):
			p.Findings = append(p.Findings, Finding{Position: syntax[0].Pos, After: syntax[0].Pos, Subject: path, Message: syntax[0].Msg})
			continue
		case err != nil:
			return nil, err
		case result.Generator != "":
			output.add(result.Generator, path)
			concerned[filepath.Dir(path)] = true
		}
		p.Findings = append(p.Findings, result.Findings...)
		if !bytes.Equal(text, result.Text) {
			p.Changes = append(p.Changes, Change{path, text, result.Text})
			concerned[filepath.Dir(path)] = true
		}
	}
	p.Findings = append(p.Findings, output.findings(dir, configurations)...)
	p.Findings = append(p.Findings, nestedModules(found.nested)...)
	slices.SortStableFunc(p.Findings, compareFindings)
	p.Findings = summarizeNotes(p.Findings)
	p.Commands = commands(concerned, version)
	p.Line = recommend(concerned)
	return p, nil
}

// Remaining returns the number of findings that are not notes.
func (p *Plan) Remaining() int {
	n := 0
	for _, f := range p.Findings {
		if !f.Note {
			n++
		}
	}
	return n
}

// summarizeNotes keeps the first note about each subject, which counts the others.
func summarizeNotes(findings []Finding) []Finding {
	count := map[string]int{}
	for _, f := range findings {
		if f.Note {
			count[f.Subject]++
		}
	}
	var kept []Finding
	for _, f := range findings {
		if f.Note {
			n := count[f.Subject]
			if n == 0 {
				continue
			}
			count[f.Subject] = 0
			if n > 1 {
				f.Message += fmt.Sprintf(" (and %s)", plural(n-1, "other place"))
			}
		}
		kept = append(kept, f)
	}
	return kept
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// nestedModules returns notes about nested modules that use client-go.
func nestedModules(dirs []string) []Finding {
	var notes []Finding
	for _, dir := range dirs {
		if _, mod := moduleOf(dir); requires(mod, strings.TrimSuffix(ClientGo, "/")) {
			name := filepath.Join(dir, "go.mod")
			notes = append(notes, Finding{
				Position: start(name), After: start(name), Subject: name, Note: true,
				Message: "the nested module is left out: run the command in its directory too",
			})
		}
	}
	return notes
}

// start returns the position of a file's first byte.
func start(name string) token.Position { return token.Position{Filename: name, Line: 1, Column: 1} }

// commands returns what to run in the modules around directories.
func commands(dirs map[string]bool, version string) []Command {
	roots := map[string]bool{}
	var all []Command
	for dir := range dirs {
		root, mod := moduleOf(dir)
		if root == "" || roots[root] {
			continue
		}
		roots[root] = true
		var steps []string
		if path := strings.TrimSuffix(Module, "/"); !requires(mod, path) && (mod == nil || mod.Module == nil || mod.Module.Mod.Path != path) {
			steps = append(steps, "go get "+path+"@"+version)
		}
		steps = append(steps, "go mod tidy")
		if _, err := os.Stat(filepath.Join(root, "vendor", "modules.txt")); err == nil {
			steps = append(steps, "go mod vendor")
		}
		all = append(all, Command{root, strings.Join(steps, " && ")})
	}
	slices.SortFunc(all, func(a, b Command) int { return strings.Compare(a.Dir, b.Dir) })
	return all
}

// recommend returns notes about the line for the modules around directories.
func recommend(dirs map[string]bool) []Finding {
	roots := map[string]bool{}
	for dir := range dirs {
		if root, _ := moduleOf(dir); root != "" && !hasLine(root) {
			roots[root] = true
		}
	}
	var notes []Finding
	for _, root := range slices.Sorted(maps.Keys(roots)) {
		name := filepath.Join(root, "go.mod")
		notes = append(notes, Finding{
			Position: start(name), After: start(name), Subject: name, Note: true,
			Message: "one line here does more than new imports: listwatch-migrate --replace puts the program and its libraries on listwatch, and changes no code",
		})
	}
	return notes
}

// Diff returns the changes as a unified diff, with rel applied to the paths.
func (p *Plan) Diff(rel func(path string) string) []byte {
	var all []byte
	for _, c := range p.Changes {
		all = append(all, diff.Diff("a/"+rel(c.Path), c.Old, "b/"+rel(c.Path), c.New)...)
	}
	return all
}

// Apply writes the changes. It first writes all new files under temporary names next to the
// old ones and then renames them, each in one step: an error before the renames leaves
// everything unchanged. Then it sets the positions of the findings to those in the new files.
func (p *Plan) Apply() (err error) {
	var temporary []string
	defer func() {
		if err != nil {
			for _, name := range temporary {
				_ = os.Remove(name) // the error that is returned matters more
			}
		}
	}()
	for _, c := range p.Changes {
		name, err := writeBeside(c)
		if name != "" {
			temporary = append(temporary, name)
		}
		if err != nil {
			return err
		}
	}
	for i, c := range p.Changes {
		if err := os.Rename(temporary[i], c.Path); err != nil {
			return err
		}
	}
	for i := range p.Findings {
		p.Findings[i].Position = p.Findings[i].After
	}
	slices.SortStableFunc(p.Findings, compareFindings)
	return nil
}

// writeBeside writes the new text to a temporary file in the same directory, with the
// permissions of the old one. The name is not empty if the file exists.
func writeBeside(c Change) (name string, err error) {
	info, err := os.Stat(c.Path)
	if err != nil {
		return "", err
	}
	file, err := os.CreateTemp(filepath.Dir(c.Path), "."+filepath.Base(c.Path)+".*.tmp")
	if err != nil {
		return "", err
	}
	_, err = file.Write(c.New)
	return file.Name(), errors.Join(err, file.Chmod(info.Mode().Perm()), file.Close())
}
