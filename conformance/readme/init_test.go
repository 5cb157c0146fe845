package readme

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// genAll runs the command as README does.
const genAll = "go run github.com/listwatch/listwatch/cmd/gen-all@latest "

// initialize starts projects with "gen-all init" in empty directories. Their tests pass, and generating again
// changes nothing.
func initialize(t *testing.T, released *user) {
	for _, c := range []struct{ name, commands string }{
		{"no flags", "go mod init example.com/shop\n" + genAll + "init"},
		{"all flags", genAll + "init --group=1-meta.example.com --api-version=v1beta1 --kind=HTTPRoute --plural=routing --scope=Cluster github.com/acme/my-operator/v2"},
		{"names of the language", genAll + "init example.com/a --group=meta.example.com --kind=Type"},
		{"names of methods", genAll + "init example.com/b --group=start.example.com --kind=Controller --format=json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			u := &user{dir: t.TempDir(), env: released.env}
			u.run(t, c.commands)
			u.run(t, "go vet ./... && go test ./... && go mod verify && go mod tidy -diff && test -z \"$(gofmt -l .)\"")
			before := snapshot(t, u.dir)
			u.run(t, "go generate ./... && go tool gen-all --verify --strict ./apis/...")
			if d := cmp.Diff(before, snapshot(t, u.dir)); d != "" {
				t.Errorf("generating again changes files: %s", d)
			}
			for _, pattern := range []string{"apis/*/*/zz_generated.deepcopy.go", "apis/*/*/zz_generated.register.go", "config/crd/bases/*.yaml"} {
				if found, err := filepath.Glob(filepath.Join(u.dir, pattern)); err != nil || len(found) != 1 {
					t.Errorf("%s: got %v, %v", pattern, found, err)
				}
			}
			// Again, it would overwrite files.
			if out, err := u.command("go tool gen-all init 2>&1").CombinedOutput(); err == nil || !strings.Contains(string(out), "would overwrite ") {
				t.Errorf("the second time: %v, %s", err, out)
			}
			if d := cmp.Diff(before, snapshot(t, u.dir)); d != "" {
				t.Errorf("the second time changes files: %s", d)
			}
		})
	}
}

// snapshot returns the files below a directory with their texts.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		texts[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}
