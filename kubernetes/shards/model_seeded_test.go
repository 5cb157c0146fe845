//go:build seeded

package shards_test

import (
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// found matches the failure of the model, or of another finder.
var found = regexp.MustCompile(`(?:model_test\.go:\d+: (?:seed )|coordinator_test\.go:\d+: ).*`)

// TestSeeded checks that the model finds each of the seeds, or the test that is named for it.
func TestSeeded(t *testing.T) {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range seeds {
		t.Run(strings.ReplaceAll(s.name, " ", "_"), func(t *testing.T) {
			temp := t.TempDir()
			seeded, overlay := filepath.Join(temp, s.file), filepath.Join(temp, "overlay.json")
			replace, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(dir, s.file): seeded}})
			if err != nil {
				t.Fatal(err)
			}
			for path, content := range map[string]string{seeded: s.plant(t), overlay: string(replace)} {
				if err = os.WriteFile(path, []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			command := exec.Command("go", "test", "-overlay="+overlay, "-count=1", "-vet=off", "-timeout=5m", "-run=^"+cmp.Or(s.finder, "TestModel")+"$", "-model.seeds=2000", ".")
			command.Dir = dir
			out, err := command.CombinedOutput()
			switch failure := found.FindString(string(out)); {
			case err == nil:
				t.Error("the test passes")
			case failure == "":
				t.Errorf("the test did not run: %v\n%s", err, out[:min(len(out), 2000)])
			default:
				t.Log(failure)
			}
		})
	}
}
