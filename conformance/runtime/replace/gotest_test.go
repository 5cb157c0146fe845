package replace_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/gotest"
	"github.com/listwatch/listwatch/conformance/runtime/replace"
)

// report is the name of Ginkgo's report in the directory of a package.
const report = "ginkgo-report.json"

// test tests packages. Those with suites of Ginkgo get a flag more, and come last.
func (s side) test(t *testing.T, packages []string) *replace.Results {
	t.Helper()
	results := replace.NewResults()
	var plain, suites []string
	for _, pkg := range packages {
		if s.hasSuite(t, pkg) {
			suites = append(suites, pkg)
		} else {
			plain = append(plain, pkg)
		}
	}
	s.goTest(t, results, plain, nil)
	s.goTest(t, results, suites, []string{"-ginkgo.json-report=" + report})
	for _, pkg := range suites {
		name := filepath.Join(s.dir, pkg, report)
		file, err := os.Open(name)
		if os.IsNotExist(err) { // the suite did not end: the test of Go failed
			continue
		}
		if err == nil {
			err = results.ReadSpecs(strings.TrimPrefix(pkg, "./"), file)
			_ = file.Close() // was read
		}
		if err != nil {
			t.Error(err)
		}
		_ = os.Remove(name) // the next run writes it again
	}
	return results
}

// goTest tests packages with arguments, and adds their results.
func (s side) goTest(t *testing.T, results *replace.Results, packages, args []string) {
	t.Helper()
	if len(packages) == 0 {
		return
	}
	all := slices.Concat([]string{"-json", "-count=1", "-vet=off", "-ldflags=-s -w", "-timeout=" + limit}, s.Args, packages)
	cmd := s.command(t.Context(), "test", append(all, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if err = results.Read(out, s.relative); err != nil {
		t.Errorf("%v\n%s", err, stderr.Bytes())
	}
	if err = cmd.Wait(); err != nil && len(results.Packages)+len(results.Broken) == 0 {
		t.Fatalf("%v: %v\n%s", cmd, err, stderr.Bytes())
	}
}

// hasSuite reports whether the tests of a package have Ginkgo's flags.
func (s side) hasSuite(t *testing.T, pkg string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(s.dir, pkg, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte(`"github.com/onsi/ginkgo/v2"`)) {
			return true
		}
	}
	return false
}

// summary returns the numbers of tests by result, as a cell.
func summary(r *replace.Results) string {
	text := fmt.Sprintf("%d passed", r.Count(gotest.Pass))
	for _, c := range []struct {
		n    int
		word string
	}{
		{r.Count(gotest.Fail), "failed"}, {r.Count(gotest.Skip), "skipped"},
		{len(r.Broken), "packages do not compile"}, {len(r.Again), "passed when run again"},
	} {
		if c.n > 0 {
			text += fmt.Sprintf(", %d %s", c.n, c.word)
		}
	}
	return text
}
