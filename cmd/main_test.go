package cmd_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestLinks limits what the generators link, since projects compile them: gen-all links all that the others do.
func TestLinks(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "./gen-all").Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(string(out))
	for _, heavy := range []string{"net/http", "k8s.io/apimachinery/pkg/runtime", "k8s.io/apimachinery/pkg/apis/meta/v1"} {
		if slices.Contains(packages, heavy) {
			t.Errorf("gen-all links %s", heavy)
		}
	}
}

// TestMains builds the commands and runs each: the scripts run everything except their main
// functions.
func TestMains(t *testing.T) {
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", bin, "./...").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	for name := range commands {
		t.Run(name, func(t *testing.T) {
			// The go command's cache of test results considers only files that a test opens itself.
			if _, err := os.Stat(filepath.Join(name, "main.go")); err != nil {
				t.Fatal(err)
			}
			help, err := exec.Command(filepath.Join(bin, name), "--help").Output()
			if err != nil || !strings.Contains(string(help), "\n\t"+name+" [flags] [packages]\n") {
				t.Errorf("--help: %v\n%s", err, help)
			}
			wrong := exec.Command(filepath.Join(bin, name), "--no-such-flag")
			wrong.Env = append(os.Environ(), "GITHUB_ACTIONS=")
			out, err := wrong.CombinedOutput()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.HasPrefix(string(out), name+": unknown flag") {
				t.Errorf("with an unknown flag: %v\n%s", err, out)
			}
		})
	}
}
