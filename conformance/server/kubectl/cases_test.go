package kubectl

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/runtime/rest"
)

var record = flag.Bool("record", false, "write what commands print into the cases")

func TestApitest(t *testing.T) {
	server := embedded.Start(t)
	runAll(t, server.Config(), func(s *step) *string {
		if s.reason != "" {
			return &s.ours
		}
		return &s.want
	}, func(s *step) bool { return s.reason != "" })
}

// runAll runs all cases on a server. expected returns what a step is expected to print, and recorded reports whether that is
// written with -record.
func runAll(t *testing.T, config *rest.Config, expected func(*step) *string, recorded func(*step) bool) {
	// What kubectl reads from its environment.
	t.Setenv("HOME", t.TempDir())
	t.Setenv("KUBERC", "off")
	t.Setenv("KUBECTL_EXTERNAL_DIFF", "")
	t.Setenv("TERM", "dumb")
	files, err := filepath.Glob("testdata/*.case")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	cluster := &cluster{config: config, dir: t.TempDir()}
	commands := 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".case")
		t.Run(name, func(t *testing.T) {
			script, err := readScript(file)
			if err != nil {
				t.Fatal(err)
			}
			s := &session{cluster: cluster, namespace: "case-" + name, dir: t.TempDir()}
			for _, f := range script.files {
				data := strings.ReplaceAll(string(f.Data), "${ns}", s.namespace)
				if err := os.WriteFile(filepath.Join(s.dir, f.Name), []byte(data), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.writeKubeconfig(); err != nil {
				t.Fatal(err)
			}
			t.Setenv("KUBECONFIG", s.kubeconfig())
			t.Setenv("KUBE_EDITOR", filepath.Join(s.dir, "editor"))
			if out, err := s.run("$ create namespace ${ns}"); err != nil || strings.Contains(out, "[1]") {
				t.Fatal(out, err)
			}
			for _, step := range script.steps {
				began := time.Now()
				got, err := s.run(step.line)
				if err != nil {
					t.Fatalf("%s: %v", step.line, err)
				}
				if took := time.Since(began); took > 2*time.Second {
					t.Logf("%s took %s", step.line, took.Round(time.Millisecond))
				}
				commands++
				want := expected(step)
				switch {
				case *record && recorded(step):
					*want = got
				case got != *want:
					t.Errorf("%s: (-want +got)\n%s", step.line, cmp.Diff(*want, got))
				}
				if step.reason != "" && step.ours == step.want {
					t.Errorf("%s: a difference is listed, and there is none", step.line)
				}
			}
			if *record {
				if err := script.write(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	t.Logf("%d cases, %d commands", len(files), commands)
}
