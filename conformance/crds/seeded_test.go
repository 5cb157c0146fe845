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
			out, err := exec.Command("go", "test", "-overlay="+overlay, "-count=1", "-vet=off", "-run=^Test(Cases|Objects)$", "-own", ".").CombinedOutput()
			switch text := string(out); {
			case err == nil:
				t.Error("the comparisons pass")
			case !strings.Contains(text, "cases_test.go:") && !strings.Contains(text, "objects_test.go:"):
				t.Errorf("the comparisons did not run: %v\n%s", err, text)
			}
		})
	}
}
