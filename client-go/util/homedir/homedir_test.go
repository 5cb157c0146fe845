package homedir

import (
	"os"
	"path/filepath"
	"testing"
)

func TestOnWindows(t *testing.T) {
	root := t.TempDir()
	make := func(name string, mode os.FileMode) string {
		dir := filepath.Join(root, name)
		if err := os.Mkdir(dir, mode); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	configured := make("configured", 0o755)
	if err := os.MkdirAll(filepath.Join(configured, ".kube", "config"), 0o755); err != nil {
		t.Fatal(err)
	}
	writable, readOnly, missing := make("writable", 0o755), make("readonly", 0o555), filepath.Join(root, "missing")
	for _, tt := range []struct {
		name                 string
		home, drive, profile string
		want                 string
	}{
		{"nothing set", "", "", "", ""},
		{"a config in the last", writable, readOnly, configured, configured},
		{"a config in HOMEDRIVE", writable, configured, writable, configured},
		{"writable before read-only", readOnly, "", writable, writable},
		{"existing before missing", missing, readOnly, "", readOnly},
		{"USERPROFILE before HOMEDRIVE", missing, readOnly + string(filepath.Separator) + ".", readOnly, readOnly},
		{"set at least", missing, "", "", missing},
	} {
		t.Run(tt.name, func(t *testing.T) {
			env := map[string]string{"HOME": tt.home, "USERPROFILE": tt.profile}
			if tt.drive != "" {
				env["HOMEDRIVE"], env["HOMEPATH"] = tt.drive[:1], tt.drive[1:]
			}
			if got := onWindows(func(name string) string { return env[name] }); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
