package identity_test

import (
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/identity/source"
	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/internal/testcase"
)

// caseRun is a case with what each maker made of it.
type caseRun struct {
	testcase.Case
	packages, internal []string
	their, our         result
}

// result is a tree, or the reason why there is none.
type result struct {
	tree *tree
	err  error
}

func TestCases(t *testing.T) {
	root, err := peers.Root()
	if err != nil {
		t.Fatal(err)
	}
	// The module of the expected output requires all that output imports.
	module := filepath.Join(root, "golden", "client-go")
	runs := caseRuns(t, root)
	theirs, our := peers.Upstream(t), peers.Ours(t)

	t.Run("generate", func(t *testing.T) {
		for i := range runs {
			run := &runs[i]
			t.Run(run.Name, func(t *testing.T) {
				t.Parallel()
				run.their = run.generate(t, module, upstream, theirs, run.UpstreamFlags)
				if run.Rejected == "" {
					run.our = run.generate(t, module, ours, our, run.Flags)
				}
			})
		}
	})
	outside := loadCases(t, module, runs)
	for _, run := range runs {
		t.Run(run.Name, func(t *testing.T) {
			run.their.check(outside)
			run.our.check(outside)
			run.compare(t)
		})
	}
}

// caseRuns lists all cases with the packages that the generators read.
func caseRuns(t *testing.T, root string) []caseRun {
	t.Helper()
	cases, err := testcase.All(root)
	if err != nil {
		t.Fatal(err)
	}
	marked := genclientPackages(t, root, testcase.Module+"/testdata/apis/...")
	var runs []caseRun
	for _, c := range cases {
		var pkgs []string
		for _, p := range marked {
			if strings.HasPrefix(p, c.Pkg()+"/") {
				pkgs = append(pkgs, p)
			}
		}
		run := caseRun{Case: c}
		run.packages, run.internal = split(pkgs)
		runs = append(runs, run)
	}
	return runs
}

// generate lets the tools make the case's tree from within a module. Files that
// are written by hand beside the expected output are there before.
func (run *caseRun) generate(t *testing.T, module, maker string, tools peers.Tools, flags func(testcase.Tool) []string) result {
	job := peers.Job{
		Dir:       module,
		Packages:  run.packages,
		Internal:  run.internal,
		OutputDir: workDir(t, filepath.Join("cases", run.Name), maker),
		OutputPkg: run.Golden(),
		Clientset: flags(testcase.Clientset),
		Lister:    flags(testcase.Lister),
		Informer:  flags(testcase.Informer),
	}
	for _, sub := range []string{"clientset", "listers", "informers"} {
		copyFiles(t, filepath.Join(module, run.Name, sub), filepath.Join(job.OutputDir, sub), handwritten)
	}
	if err := tools.Run(job.Dir, job.Commands()...); err != nil {
		return result{err: err}
	}
	tree, err := parse(maker, job.OutputDir, job.OutputPkg)
	return result{tree, err}
}

// loadCases loads what the trees of accepted cases import; trees of rejected
// ones may ask for anything.
func loadCases(t *testing.T, module string, runs []caseRun) source.Packages {
	t.Helper()
	var trees []*tree
	for _, run := range runs {
		for _, r := range []result{run.their, run.our} {
			if r.tree != nil && run.Rejected == "" {
				trees = append(trees, r.tree)
			}
		}
	}
	outside, err := load(module, trees...)
	if err != nil {
		t.Fatal(err)
	}
	return outside
}

func (r *result) check(outside source.Packages) {
	if r.tree != nil {
		r.err = r.tree.check(outside)
	}
}

// compare holds the results against each other and against what case.txt says
// of them.
func (run *caseRun) compare(t *testing.T) {
	switch {
	case run.Rejected != "":
		if run.their.err == nil {
			t.Errorf("case.txt says that code-generator rejects it (%s), but its output compiles", run.Rejected)
		}
	case run.their.err != nil:
		t.Errorf("case.txt does not say that code-generator rejects it: %v", run.their.err)
	case run.our.err != nil:
		t.Error(run.our.err)
	case run.Differs != "":
		if len(compare(run.their.tree, run.our.tree)) == 0 {
			t.Errorf("case.txt says that our output differs (%s), but it does not", run.Differs)
		}
	default:
		report(t, path.Join("cases", run.Name), upstream, compare(run.their.tree, run.our.tree))
	}
}
