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
	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/listwatch/listwatch/internal/migration/replacement"
	"github.com/listwatch/listwatch/internal/migration/source"
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

// Options are what to plan.
type Options struct {
	// Dir is the directory that Patterns are relative to.
	Dir      string
	Patterns []string
	// Version is the version of this module to require.
	Version string
	// Progress is called while packages are type-checked, or nil.
	Progress source.Progress
}

// NewPlan reads the Go files that the patterns select, and returns what the migration does to them. It writes nothing. A
// file that cannot be parsed is a finding.
func NewPlan(ctx context.Context, o Options) (*Plan, error) {
	found, err := find(o.Dir, o.Patterns)
	if err != nil {
		return nil, err
	}
	p := &planner{Plan: &Plan{}, output: generated{}, concerned: map[string]bool{}, builtIn: map[string]bool{}}
	for root, paths := range byModule(found.paths) {
		kept, err := analyze(ctx, root, paths, o.Progress)
		if err != nil {
			return nil, err
		}
		if err := p.add(ctx, root, paths, kept); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(p.Changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	regenerated, regenerate := regeneration{o.Dir, o.Version, p.output.outputs(), p.configurations}.findings()
	p.Findings = append(p.Findings, regenerated...)
	p.Findings = append(p.Findings, nestedModules(found.nested)...)
	slices.SortStableFunc(p.Findings, compareFindings)
	p.Findings = summarizeNotes(p.Findings)
	p.Commands = append(regenerate, commands(p.concerned, o.Version, p.builtIn)...)
	p.Line = recommend(p.concerned)
	return p.Plan, nil
}

// planner is the state of [NewPlan].
type planner struct {
	*Plan
	output generated
	// configurations is the package with the functions of all apply configurations, or empty.
	configurations string
	// concerned are directories whose files change, or would if they were not generated.
	concerned map[string]bool
	// builtIn are the roots of modules whose code imports clients of the built-in API then.
	builtIn map[string]bool
}

// byModule divides files by the root of their module, which is empty without a go.mod.
func byModule(paths []string) map[string][]string {
	roots := map[string]string{} // by directory
	all := map[string][]string{}
	for _, path := range paths {
		dir := filepath.Dir(path)
		root, ok := roots[dir]
		if !ok {
			root, _ = moduleOf(dir)
			roots[dir] = root
		}
		all[root] = append(all[root], path)
	}
	return all
}

// add adds the files of a module.
func (p *planner) add(ctx context.Context, root string, paths []string, kept *Kept) error {
	before, after := map[string][]token.Position{}, map[string][]token.Position{}
	for _, path := range paths {
		if err := ctx.Err(); err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		p.configurations = cmp.Or(p.configurations, applyConfigurations(path, text))
		result, err := kept.rewrite(path, text)
		var syntax scanner.ErrorList
		switch {
		case errors.As(err, &syntax):
			p.Findings = append(p.Findings, Finding{Position: syntax[0].Pos, After: syntax[0].Pos, Subject: path, Message: syntax[0].Msg})
			continue
		case err != nil:
			return err
		case result.Generator != "":
			p.output.add(result.Generator, path)
			p.concerned[filepath.Dir(path)] = true
		default:
			importsOf(path, text, before)
			importsOf(path, result.Text, after)
		}
		p.Findings = append(p.Findings, result.Findings...)
		if !bytes.Equal(text, result.Text) {
			p.Changes = append(p.Changes, Change{path, text, result.Text})
			if bytes.Contains(result.Text, []byte(`"`+Module+"kubernetes")) {
				p.builtIn[root] = true
			}
			p.concerned[filepath.Dir(path)] = true
		}
	}
	stays, then := kept.stays(before), kept.stays(after)
	for i := range stays {
		stays[i].After = then[i].Position
	}
	p.Findings = append(p.Findings, stays...)
	return nil
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

// nestedModules returns a note about the nested modules that use client-go, at the first one.
func nestedModules(dirs []string) []Finding {
	var using []string
	for _, dir := range dirs {
		if _, mod := moduleOf(dir); requires(mod, strings.TrimSuffix(ClientGo, "/")) {
			using = append(using, dir)
		}
	}
	if len(using) == 0 {
		return nil
	}
	message := "the nested module is left out: run the command in its directory too"
	if n := len(using) - 1; n > 0 {
		message = fmt.Sprintf("this nested module and %s are left out: run the command in their directories too", plural(n, "other"))
	}
	name := filepath.Join(using[0], "go.mod")
	return []Finding{{Position: start(name), After: start(name), Subject: name, Note: true, Message: message}}
}

// start returns the position of a file's first byte.
func start(name string) token.Position { return token.Position{Filename: name, Line: 1, Column: 1} }

// commands returns what to run in the modules around directories. Those in builtIn import clients of the built-in API then.
func commands(dirs map[string]bool, version string, builtIn map[string]bool) []Command {
	roots := map[string]bool{}
	var all []Command
	for dir := range dirs {
		root, mod := moduleOf(dir)
		if root == "" || roots[root] {
			continue
		}
		roots[root] = true
		var steps []string
		path := strings.TrimSuffix(Module, "/")
		get := path + "@" + version
		if builtIn[root] {
			edit, raised := raise(root)
			if edit != "" {
				steps = append(steps, "go mod edit"+edit)
			}
			get += raised
		}
		if own := mod != nil && mod.Module != nil && mod.Module.Mod.Path == path; !own && (!requires(mod, path) || len(steps) > 0) {
			steps = append(steps, "go get "+get)
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

// kubernetesVersion is the version of Kubernetes' libraries whose built-in API ours has. Older client-go does not compile with it.
const kubernetesVersion = "v0.37"

// raise returns arguments of go mod edit that raise pins of Kubernetes' libraries, and arguments of go get for the
// requirements.
func raise(root string) (edit, get string) {
	name := filepath.Join(root, "go.mod")
	text, err := os.ReadFile(name)
	if err != nil {
		return "", ""
	}
	mod, err := modfile.Parse(name, text, nil)
	if err != nil {
		return "", "" // the go command says why
	}
	older := func(m module.Version) bool {
		return replacement.IsReleased(m) && semver.Compare(m.Version, kubernetesVersion) < 0
	}
	pinned := map[string]bool{}
	for _, r := range mod.Replace {
		pinned[r.Old.Path] = true
		if r.Old.Path == r.New.Path && older(r.New) {
			edit += fmt.Sprintf(" -replace=%s=%s@%s", r.Old.Path, r.New.Path, kubernetesVersion)
		}
	}
	for _, r := range mod.Require {
		if older(r.Mod) && !pinned[r.Mod.Path] {
			get += " " + r.Mod.Path + "@" + kubernetesVersion
		}
	}
	return edit, get
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
// After an error, Changes contains only the changes that were made.
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
		var name string
		if name, err = writeBeside(c); name != "" {
			temporary = append(temporary, name)
		}
		if err != nil {
			p.Changes = nil
			return err
		}
	}
	for i, c := range p.Changes {
		if err = os.Rename(temporary[i], c.Path); err != nil {
			p.Changes = p.Changes[:i]
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
