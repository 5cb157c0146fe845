package generators

import (
	"go/token"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"github.com/listwatch/listwatch/generators/internal/load"
)

// requirement is a module that generated code, or a module that it needs, works with in some version or a later one.
type requirement struct {
	module string
	oldest string
	tools  []string // what it generates does not compile with an older one
	raised bool     // the go command raises what go.mod requires, but not a replacement
	why    string   // what does not compile with an older one, which a message names; empty for generated code
}

// importers are the tools whose output imports the runtime.
var importers = []string{"gen-clientset", "gen-informer", "gen-lister", "gen-applyconfiguration"}

// requirements are those of the flavours.
var requirements = map[Runtime][]requirement{
	ClientGo: {
		{module: "k8s.io/client-go", oldest: "v0.37.0", tools: []string{"gen-clientset", "gen-informer"}},
	},
	Listwatch: {
		{module: "k8s.io/apimachinery", oldest: "v0.34.0", tools: importers, raised: true},
		{module: "k8s.io/client-go", oldest: "v0.34.0", tools: importers, why: "k8s.io/apimachinery v0.34.0, which generated code needs"},
	},
}

// checkRequirements warns if code of the plan is in a module that selects a version with which it would not compile.
func (r *run) checkRequirements(plan []Tree) {
	for _, need := range requirements[r.opts.Runtime] {
		checked := map[string]bool{}
		for _, t := range plan {
			if len(t.Files) == 0 || !slices.Contains(need.tools, t.Tool) {
				continue
			}
			root, found := load.ModuleRoot(t.Place.Dir)
			if !found || checked[root] {
				continue
			}
			checked[root] = true
			r.checkRequirement(need, filepath.Join(root, "go.mod"))
		}
	}
}

// checkRequirement warns about the line of a go.mod that selects an old version. A replacement by another module is one
// that the user knows.
func (r *run) checkRequirement(need requirement, name string) {
	text, err := os.ReadFile(name)
	if err != nil {
		return
	}
	mod, err := modfile.Parse(name, text, nil)
	if err != nil {
		return // the go command has reported it
	}
	var version, advice string
	var line *modfile.Line
	for _, required := range mod.Require {
		if required.Mod.Path == need.module && !need.raised {
			version, line, advice = required.Mod.Version, required.Syntax, "run go get "+need.module+"@"+semver.MajorMinor(need.oldest)
		}
	}
	for _, replaced := range mod.Replace {
		if replaced.Old.Path != need.module || replaced.Old.Version != "" && replaced.Old.Version != version {
			continue
		}
		if replaced.New.Path != need.module {
			return
		}
		version, line, advice = replaced.New.Version, replaced.Syntax, "raise it"
	}
	if line == nil || semver.Compare(version, need.oldest) >= 0 {
		return
	}
	at := token.Position{Filename: name, Line: line.Start.Line, Column: line.Start.LineRune}
	if need.why != "" {
		r.diags.Warnf(at, "%s %s does not compile with %s; %s, and raise the modules that build on it", need.module, version, need.why, advice)
		return
	}
	r.diags.Warnf(at, "generated code needs %s %s or later, and does not compile with %s; %s", need.module, need.oldest, version, advice)
}
