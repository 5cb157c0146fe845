//go:build projects

package projects_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/modules"
	"github.com/listwatch/listwatch/conformance/internal/normal"
	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/internal/cli"
)

// part is a kind of output beside the clients.
type part struct {
	// name is its name in --skip, and files is a pattern of the paths of its files.
	name, files string
	// counts is a text in what is counted in such a file; if it is empty, files are.
	counts string
	tool   func(source string) cli.Tool
}

var parts = []part{
	{"crd", "config/crd/bases/*.yaml", "", cli.GenCRD},
	{"rbac", "config/rbac/role.yaml", "\nrules:\n", cli.GenRBAC},
	{"webhook", "config/webhook/manifests.yaml", "\n- admissionReviewVersions:\n", cli.GenWebhook},
	{"deepcopy", "*/zz_generated.deepcopy.go", "", cli.GenDeepCopy},
}

// tally counts the output of a part: how much there is of it, and how much of it equals controller-gen's.
type tally struct{ all, equal int }

func (n tally) String() string {
	if n.all == 0 {
		return ""
	}
	if n.all == n.equal {
		return fmt.Sprint(n.all)
	}
	return fmt.Sprintf("%d of %d", n.equal, n.all)
}

// compare compares what gen-all writes beside the clients with the output of controller-gen v0.23. Texts are equal if gen-all
// leaves controller-gen's as they are, and deepcopy functions also if both do the same.
func (p project) compare(t *testing.T) map[string]tally {
	if len(p.upstream) == 0 {
		return nil
	}
	tool, err := peers.ControllerGen("v0.23.0")
	if err != nil {
		t.Fatal(err)
	}
	dir := p.fetch(t)
	args := []string{"crd:allowDangerousTypes=true", "rbac:roleName=manager-role", "webhook", "object", "output:crd:dir=config/crd/bases", "output:rbac:dir=config/rbac", "output:webhook:dir=config/webhook"}
	for _, pattern := range p.upstream {
		args = append(args, "paths="+pattern)
	}
	cmd := exec.Command(tool, args...)
	cmd.Dir = dir
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Logf("controller-gen: %v\n%s", err, text) // it writes what it does not refuse
	}
	theirs := p.output(t, dir)
	ours := p.beside(t, dir, theirs)
	for name := range theirs {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	// Beside clients of an earlier run, parts without files are not begun.
	if err := os.RemoveAll(filepath.Join(dir, "pkg", "generated")); err != nil {
		t.Fatal(err)
	}
	written := p.beside(t, dir, theirs)
	tallies := map[string]tally{}
	for _, name := range slices.Sorted(maps.Keys(theirs)) {
		of := parts[slices.IndexFunc(parts, func(p part) bool { return p.has(name) })]
		if strings.HasPrefix(p.instead, "--skip=") && strings.Contains(p.instead, of.name) {
			continue
		}
		count := of.count(theirs[name])
		n := tallies[of.name]
		n.all += count
		same := written[name] != "" && of.same(t, theirs[name], ours[name])
		if same {
			n.equal += count
		}
		tallies[of.name] = n
		switch {
		case !same && p.differs[name] == "":
			t.Errorf("%s differs from controller-gen's; it is written: %v", name, written[name] != "")
		case same && p.differs[name] != "":
			t.Errorf("%s is equal: %s", name, p.differs[name])
		}
	}
	for name := range written {
		if theirs[name] == "" && p.differs[name] == "" {
			t.Errorf("controller-gen does not write %s", name)
		}
	}
	return tallies
}

// beside generates what is compared, and returns it: with gen-all, or if clients are what it refuses with the tools of the parts that
// controller-gen writes.
func (p project) beside(t *testing.T, dir string, theirs map[string]string) map[string]string {
	t.Helper()
	if !strings.HasPrefix(p.instead, "--exclude=") {
		args := append([]string{"--allow-dangerous-types"}, p.upstream...)
		if p.instead != "" {
			args = append(args, p.instead)
		}
		if text, err := p.generate(t, dir, args...); err != nil {
			t.Errorf("gen-all %s: %v\n%s", strings.Join(args, " "), err, text)
		}
		return p.output(t, dir)
	}
	for _, part := range parts {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(theirs)), part.has) {
			continue
		}
		tool, args := part.tool(""), p.upstream
		if part.name == "crd" {
			args = append([]string{"--allow-dangerous-types"}, args...)
		}
		if _, err := tool.Run(t.Context(), dir, args); err != nil {
			t.Errorf("%s %s: %v", tool.Name, strings.Join(args, " "), err)
		}
	}
	return p.output(t, dir)
}

// output returns the files of all parts in a project, of deepcopy functions those that have some and are of the compared packages.
func (p project) output(t *testing.T, dir string) map[string]string {
	t.Helper()
	texts, err := modules.Files(dir)
	if err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(texts, func(name, text string) bool {
		i := slices.IndexFunc(parts, func(p part) bool { return p.has(name) })
		covered := slices.ContainsFunc(p.upstream, func(pattern string) bool {
			return strings.HasPrefix("./"+filepath.ToSlash(name), strings.TrimSuffix(pattern, "..."))
		})
		return i < 0 || parts[i].name == "deepcopy" && (!covered || !strings.Contains(text, "\nfunc "))
	})
	return texts
}

// has reports whether a file, named by its path in the project, belongs to the part.
func (p part) has(name string) bool {
	if base, ok := strings.CutPrefix(p.files, "*/"); ok {
		return path.Base(name) == base
	}
	ok, _ := path.Match(p.files, name)
	return ok
}

// count returns how much of the part is in a file.
func (p part) count(text string) int {
	if p.counts == "" {
		return 1
	}
	return strings.Count(text, p.counts)
}

// same reports whether controller-gen's text of a file is what gen-all leaves there.
func (p part) same(t *testing.T, theirs, ours string) bool {
	t.Helper()
	if theirs == ours || p.name != "deepcopy" || ours == "" {
		return theirs == ours
	}
	a, err := normal.Copies([]byte(theirs))
	if err != nil {
		t.Fatal(err)
	}
	b, err := normal.Copies([]byte(ours))
	if err != nil {
		t.Fatal(err)
	}
	return a == b
}
