package upstream

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/listwatch/listwatch/internal/retries"
)

// limit is the maximum duration of a test, and attempts the maximum number of runs of one that
// fails unexpectedly: many tests of client-go assume a fast machine.
const (
	limit    = time.Minute
	attempts = 3
)

// build compiles the tests of packages, each into a program below dir/bin.
func (w *workspace) build(all []*rewritten) error {
	var overlay struct{ Replace map[string]string }
	overlay.Replace = map[string]string{}
	args := []string{"test", "-c", "-vet=off", w.modFlag(), "-overlay=" + filepath.Join(w.dir, "overlay.json"), "-o", w.binary("")}
	for _, r := range all {
		path := importPath(r.path)
		below := strings.TrimPrefix(path, module+"conformance/")
		for _, sources := range r.sources {
			for _, s := range sources {
				file := filepath.Join(w.dir, filepath.Base(path)+"_"+s.name)
				if err := os.WriteFile(file, s.text, 0o666); err != nil {
					return err
				}
				overlay.Replace[filepath.Join(w.module, filepath.FromSlash(below), s.name)] = file
			}
		}
		if len(r.tests.Same) > 0 {
			args = append(args, path)
		}
		if w.compat {
			file := filepath.Join(w.dir, filepath.Base(path)+"_clientgo_test.go")
			text := "package " + slices.Min(slices.Collect(maps.Keys(r.sources))) + "\n\nimport \"" + module + "runtime/compat\"\n\nfunc init() { compat.ClientGo() }\n"
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				return err
			}
			overlay.Replace[filepath.Join(w.module, filepath.FromSlash(below), "clientgo_test.go")] = file
		}
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		return err
	}
	if err = os.WriteFile(filepath.Join(w.dir, "overlay.json"), text, 0o666); err != nil {
		return err
	}
	_, err = w.goCommand(args...)
	return err
}

// binary returns the program that build creates for a package.
func (w *workspace) binary(path string) string {
	if path == "" {
		return filepath.Join(w.dir, "bin") + string(filepath.Separator)
	}
	return filepath.Join(w.dir, "bin", filepath.Base(importPath(path))+".test")
}

// run runs the tests that compile, each in its own process, in client-go's directory, which
// contains its testdata. It moves those that fail to Differs, or their failing subtests, and
// returns their output. A test that fails although expected lists it as passing is run again, which
// is recorded.
func (w *workspace) run(t testing.TB, all []*rewritten, expected Table) (outputs map[string]string, err error) {
	type result struct {
		pkg    *rewritten
		test   string
		failed []string
		output string
		again  int
		err    error
	}
	var wg sync.WaitGroup
	slots := make(chan struct{}, 2*runtime.GOMAXPROCS(0)) // many tests sleep
	results := make(chan result)
	for _, r := range all {
		for _, test := range r.tests.Same {
			wg.Go(func() {
				slots <- struct{}{}
				defer func() { <-slots }()
				res := result{pkg: r, test: test}
				for res.again = range attempts {
					res.failed, res.output, res.err = runTest(w.binary(r.path), r.dir, test)
					if res.err != nil || slices.Equal(res.failed, expected[r.path].differing(test)) {
						break
					}
				}
				results <- res
			})
		}
	}
	go func() { wg.Wait(); close(results) }()
	outputs = map[string]string{}
	for res := range results {
		err = errors.Join(err, res.err)
		retries.Record(t, "upstream", res.pkg.path+" "+res.test, res.again)
		if len(res.failed) == 0 {
			continue
		}
		tests := &res.pkg.tests
		tests.Same = slices.DeleteFunc(slices.Clone(tests.Same), func(test string) bool { return test == res.test })
		if tests.Differs == nil {
			tests.Differs = map[string]string{}
		}
		for _, name := range res.failed {
			tests.Differs[name] = ""
		}
		outputs[res.pkg.path+" "+res.test] = res.output
	}
	return outputs, err
}

// runTest runs one test and returns those that failed: the innermost of its subtests, or
// the test itself.
func runTest(binary, dir, test string) (failed []string, output string, err error) {
	cmd := exec.Command(binary, "-test.run=^"+test+"$", "-test.v", "-test.timeout="+limit.String())
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil, string(out), nil
	}
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) {
		return nil, "", fmt.Errorf("run %s: %w", test, err)
	}
	return failures(test, string(out)), string(out), nil
}

var failure = regexp.MustCompile(`(?m)^ *--- FAIL: (\S+)`)

// failures finds the innermost tests that failed in the output of a test. One that ended its
// process has failed itself, because the subtests after it did not run.
func failures(test, output string) []string {
	var names []string
	for _, match := range failure.FindAllStringSubmatch(output, -1) {
		names = append(names, match[1])
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		return slices.ContainsFunc(names, func(other string) bool { return strings.HasPrefix(other, name+"/") })
	})
	if len(names) == 0 || strings.Contains(output, "\npanic: ") || strings.Contains(output, "\nfatal error: ") {
		return []string{test}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
