//go:build seeded

package crds_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSeeded checks that the comparisons find each of the seeds.
func TestSeeded(t *testing.T) {
	for _, s := range seeds {
		t.Run(strings.ReplaceAll(s.name, " ", "_"), func(t *testing.T) {
			text, err := s.test(t, ".", "-run=^Test(Cases|Objects)$", ".", "-own")
			switch {
			case err == nil:
				t.Error("the comparisons pass")
			case !strings.Contains(text, "cases_test.go:") && !strings.Contains(text, "objects_test.go:"):
				t.Errorf("the comparisons did not run: %v\n%s", err, text)
			}
		})
	}
}

// TestSeededRoot checks that the generators' own tests find each of the seeds, without controller-gen.
func TestSeededRoot(t *testing.T) {
	for _, s := range seeds {
		t.Run(strings.ReplaceAll(s.name, " ", "_"), func(t *testing.T) {
			text, err := s.test(t, filepath.Join(root(t), "generators"), "-run=^Test(Recorded|Versions|Kinds|NoGroup|Fields|Values|Arguments|Faults|Unknown|Examples)$", ".", "./internal/schema", "./internal/kubemarker")
			switch {
			case err == nil:
				t.Error("the tests pass")
			case !strings.Contains(text, "--- FAIL"):
				t.Errorf("the tests did not run: %v\n%s", err, text)
			}
		})
	}
}

// test runs "go test" in a directory with the bug, and returns its output.
func (s planted) test(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	path, text := s.plant(t)
	temp := t.TempDir()
	seeded, overlay := filepath.Join(temp, filepath.Base(path)), filepath.Join(temp, "overlay.json")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {path: seeded}})
	if err != nil {
		t.Fatal(err)
	}
	for file, content := range map[string][]byte{seeded: []byte(text), overlay: replace} {
		if err = os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", append([]string{"test", "-overlay=" + overlay, "-count=1", "-vet=off"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}
