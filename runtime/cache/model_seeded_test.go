//go:build seeded

package cache_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestSeeded checks that the model tests find each of the seeds.
func TestSeeded(t *testing.T) {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range slices.Concat(seeds, shardSeeds) {
		t.Run(strings.ReplaceAll(s.name, " ", "_"), func(t *testing.T) {
			tests, ops := "^TestModel", "100000"
			if i >= len(seeds) {
				tests, ops = "^TestModelShards$", "200000"
			}
			out, err := s.test(t, dir, tests, ops)
			switch {
			case err == nil:
				t.Errorf("the model tests pass")
			case !failure.MatchString(out):
				t.Errorf("the model tests did not run: %v\n%s", err, out)
			default:
				t.Logf("found: %s", firstFailure(out))
			}
		})
	}
}

// test runs model tests with the seed.
func (s seed) test(t *testing.T, dir, tests, ops string) (string, error) {
	t.Helper()
	temp, path := t.TempDir(), filepath.Join(dir, s.file)
	seeded, overlay := filepath.Join(temp, filepath.Base(s.file)), filepath.Join(temp, "overlay.json")
	writeFile(t, seeded, []byte(s.plant(t)))
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {path: seeded}})
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, overlay, replace)
	command := exec.Command("go", "test", "-overlay="+overlay, "-count=1", "-vet=off", "-timeout=3m", ".",
		"-run="+tests, "-failfast", "-model.ops="+ops, "-model.raw")
	command.Dir = dir
	out, err := command.CombinedOutput()
	return string(out), err
}

func writeFile(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// failure matches the failure of a model test, or of its process.
var failure = regexp.MustCompile(`(?m)^(?:\s+model\w*_test\.go:\d+: |panic: )(.*)$`)

func firstFailure(out string) string { return failure.FindStringSubmatch(out)[1] }
