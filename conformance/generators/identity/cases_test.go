package identity_test

import (
	"go/types"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/internal/testcase"
)

// caseRun is a case with the output of each generator.
type caseRun struct {
	testcase.Case
	packages, internal []string
	// all are all packages of the case, for apply configurations.
	all        []string
	their, our result
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
	// The module of the expected output requires all imports of the output.
	module := filepath.Join(root, "golden", "client-go")
	runs := caseRuns(t, root)
	theirs, our := peers.Upstream(t), peers.Ours(t)

	if !t.Run("generate", func(t *testing.T) {
		// Code-generator's tools take seconds to load packages, so they get all cases that they
		// accept at once.
		var accepted []peers.Command
		jobs := make([]peers.Job, len(runs))
		for i := range runs {
			jobs[i] = runs[i].job(t, module, upstream, runs[i].UpstreamFlags)
			if runs[i].Rejected == "" {
				accepted = append(accepted, jobs[i].Commands()...)
			}
		}
		if err := theirs.Run(module, accepted...); err != nil {
			t.Fatal(err)
		}
		for i := range runs {
			run, job := &runs[i], jobs[i]
			t.Run(run.Name, func(t *testing.T) {
				t.Parallel()
				if run.Rejected != "" {
					run.their = made(upstream, job, theirs.Run(module, job.Commands()...))
					return
				}
				run.their = made(upstream, job, nil)
				job = run.job(t, module, ours, run.ownFlags)
				run.our = made(ours, job, our.Run(module, job.Commands()...))
			})
		}
	}) {
		return
	}
	checkCases(t, module, runs)
	for _, run := range runs {
		t.Run(run.Name, run.compare)
	}
}

// caseRuns lists all cases with the packages that the generators read.
func caseRuns(t *testing.T, root string) []caseRun {
	t.Helper()
	cases, err := testcase.All(root)
	if err != nil {
		t.Fatal(err)
	}
	marked := genclientPackages(t, root, "./testdata/apis/...")
	var runs []caseRun
	for _, c := range cases {
		var pkgs []string
		for _, p := range marked {
			if strings.HasPrefix(p, c.Pkg()+"/") {
				pkgs = append(pkgs, p)
			}
		}
		if len(pkgs) == 0 {
			t.Errorf("%s: no type is marked for the generators", c.Name)
		}
		run := caseRun{Case: c}
		run.packages, run.internal = split(pkgs)
		run.all = strings.Fields(goTool(t, c.Dir, "list", "./..."))
		runs = append(runs, run)
	}
	return runs
}

// notApplied are the cases for which applyconfiguration-gen has no output that compiles: kinds with
// fields of generic types or of embedded structs of other packages, and internal versions.
var notApplied = []string{"embedded-status", "generic-spec", "generics", "internal-custom", "internal-version"}

// job describes the generation of a tree for the case, within a module. Files that are hand-written
// next to the expected output are copied there.
func (run *caseRun) job(t *testing.T, module, maker string, flags func(testcase.Tool) []string) peers.Job {
	t.Helper()
	job := peers.Job{
		Dir:       module,
		Packages:  run.packages,
		Internal:  run.internal,
		OutputDir: workDir(t, filepath.Join("cases", run.Name), maker),
		OutputPkg: run.Golden(testcase.ClientGo),
		Clientset: flags(testcase.Clientset),
		Lister:    flags(testcase.Lister),
		Informer:  flags(testcase.Informer),
	}
	if !slices.Contains(notApplied, run.Name) {
		job.Apply, job.ApplyPackages = append([]string{}, flags(testcase.Apply)...), nil
		if run.Applies() {
			job.ApplyPackages = run.all
		}
	}
	copyFiles(t, filepath.Join(module, run.Name), job.OutputDir, handwritten)
	return job
}

// made reads the output of a job, unless it failed.
func made(maker string, job peers.Job, failed error) result {
	if failed != nil {
		return result{err: failed}
	}
	tree, err := parse(maker, job.OutputDir, job.OutputPkg)
	return result{tree, err}
}

// checkCases checks all trees. Those of cases that code-generator rejects are loaded separately,
// because they may import missing packages.
func checkCases(t *testing.T, module string, runs []caseRun) {
	t.Helper()
	var accepted, rejected []*result
	for i := range runs {
		for _, r := range []*result{&runs[i].their, &runs[i].our} {
			switch {
			case r.tree == nil:
			case runs[i].Rejected == "":
				accepted = append(accepted, r)
			default:
				rejected = append(rejected, r)
			}
		}
	}
	if err := checkResults(module, accepted); err != nil {
		t.Fatal(err)
	}
	// Missing packages are reported when the trees are checked.
	_ = checkResults(module, rejected)
}

// checkResults checks trees with one load of their imports, and returns the load's error.
func checkResults(module string, results []*result) error {
	var trees []*tree
	for _, r := range results {
		trees = append(trees, r.tree)
	}
	outside, err := load(module, trees...)
	// The expected output has the import paths of the trees: it must not replace packages that they
	// lack.
	maps.DeleteFunc(outside, func(p string, _ *types.Package) bool { return expected.MatchString(p) })
	for _, r := range results {
		r.err = r.tree.check(outside)
	}
	return err
}

// expected matches the packages of expected output.
var expected = regexp.MustCompile("^" + testcase.Module + "/golden/client-go/[^/]+/(applyconfiguration|clientset|listers|informers)(/|$)")

// compare compares the results with each other and with case.txt.
func (run *caseRun) compare(t *testing.T) {
	if run.Rejected != "" {
		if run.their.err == nil {
			t.Errorf("case.txt says that code-generator rejects it (%s), but its output compiles", run.Rejected)
		}
		return
	}
	if run.their.err != nil {
		t.Fatalf("case.txt does not say that code-generator rejects it: %v", run.their.err)
	}
	if run.our.err != nil {
		t.Fatal(run.our.err)
	}
	if run.Differs != "" {
		if len(compare(run.their.tree, run.our.tree)) == 0 {
			t.Errorf("case.txt says that our output differs (%s), but it does not", run.Differs)
		}
		return
	}
	report(t, path.Join("cases", run.Name), run.their.tree, run.our.tree)
}

// ownFlags returns the flags for our tool in the case.
func (run *caseRun) ownFlags(tool testcase.Tool) []string {
	return run.Flags(tool, testcase.ClientGo)
}
