package kubeconfig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/conformance/runtime/kubeconfig/observe"
	"github.com/listwatch/listwatch/internal/kubeconfigtest"
	"github.com/listwatch/listwatch/internal/migration"
)

var cases = filepath.Join("..", "..", "..", "runtime", "clientcmd", "testdata", "cases")

// buildTheirs returns the program of package observe, built with client-go in place of the runtime.
var buildTheirs = sync.OnceValues(func() (string, error) {
	dir, err := peers.Work("kubeconfig")
	if err != nil {
		return "", err
	}
	if err = os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	ours, err := filepath.Abs(filepath.Join("observe", "observe.go"))
	if err != nil {
		return "", err
	}
	source, err := os.ReadFile(ours)
	if err != nil {
		return "", err
	}
	for _, pair := range migration.Pairs {
		source = bytes.Replace(source, []byte(`"`+pair.OurPaths()[0]+`"`), []byte(`"`+pair.TheirPath()+`"`), 1)
	}
	if bytes.Contains(source, []byte(`"github.com/listwatch/listwatch/runtime/`)) {
		return "", fmt.Errorf("%s with client-go's imports still imports the runtime", ours)
	}
	changed := filepath.Join(dir, "observe.go")
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {ours: changed}})
	if err != nil {
		return "", err
	}
	file, program := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "theirs")
	if err = errors.Join(os.WriteFile(changed, source, 0o666), os.WriteFile(file, overlay, 0o666)); err != nil {
		return "", err
	}
	cmd := exec.Command("go", "build", "-buildvcs=false", "-overlay="+file, "-o", program, "./observe/program")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	return program, nil
})

// observeTheirs runs the program with client-go on a case, in the working directory.
func observeTheirs(t *testing.T, program string, c kubeconfigtest.Case) []kubeconfigtest.Observation {
	t.Helper()
	input, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Stdin = bytes.NewReader(input)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("observe %s with client-go: %v", c.Name, err)
	}
	var observations []struct{ Aspect, Value, Kinds, Err string }
	if err = json.Unmarshal(out, &observations); err != nil {
		t.Fatalf("observe %s with client-go: %v\n%s", c.Name, err, out)
	}
	var all []kubeconfigtest.Observation
	for _, o := range observations {
		observation := kubeconfigtest.Observation{Aspect: o.Aspect, Value: o.Value, Kinds: o.Kinds}
		if o.Err != "" {
			observation.Err = errors.New(o.Err)
		}
		all = append(all, observation)
	}
	return all
}

func TestCases(t *testing.T) {
	all := kubeconfigtest.Read(t, cases)
	if len(all) < 120 {
		t.Errorf("only %d cases", len(all))
	}
	aspects := 0
	for _, c := range all {
		t.Run(c.Name, func(t *testing.T) {
			differing, reason, _ := strings.Cut(c.Options["differs"], ":")
			if differing != "" && strings.TrimSpace(reason) == "" {
				t.Error("no reason for a difference")
			}
			for _, d := range compare(t, c) {
				aspects++
				kind, _, _ := strings.Cut(d.aspect, " ")
				meant := strings.Fields(differing)
				isMeant := slices.ContainsFunc(meant, func(aspect string) bool {
					return kind == aspect || strings.HasPrefix(kind, aspect+"-")
				})
				switch {
				case d.text != "" && !isMeant:
					t.Errorf("%s: %s", d.aspect, d.text)
				case d.text == "" && slices.Contains(meant, kind):
					t.Errorf("%s does not differ", d.aspect)
				}
			}
		})
	}
	t.Logf("%d cases, %d aspects", len(all), aspects)
}

// difference is how the two libraries differ in an aspect; empty if they do not.
type difference struct{ aspect, text string }

// compare runs a case with both libraries, in the same directory.
func compare(t *testing.T, c kubeconfigtest.Case) []difference {
	t.Helper()
	program, err := buildTheirs() // before the working directory changes
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "dir")
	enter := func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		c.Enter(t, dir)
	}
	enter()
	got := observe.Observe(c)
	for _, o := range got {
		if o.Err != nil && strings.Contains(fmt.Sprintf("%v %+v %#v", o.Err, o.Err, o.Err), kubeconfigtest.Secret) {
			t.Errorf("%s: a secret is in the error %v", o.Aspect, o.Err)
		}
	}
	enter()
	want := observeTheirs(t, program, c)
	var differences []difference
	for _, aspect := range aspectsOf(got, want) {
		g, w := find(got, aspect), find(want, aspect)
		d := difference{aspect: aspect}
		switch {
		case g == nil || w == nil:
			d.text = fmt.Sprintf("only one has it: ours %v, theirs %v", g, w)
		case (g.Err == nil) != (w.Err == nil):
			d.text = fmt.Sprintf("got error %v, want %v", g.Err, w.Err)
		case g.Kinds != w.Kinds:
			d.text = fmt.Sprintf("got %s: %v\nwant %s: %v", g.Kinds, g.Err, w.Kinds, w.Err)
		case g.Value != w.Value:
			d.text = fmt.Sprintf("got %s\nwant %s", g.Value, w.Value)
		}
		differences = append(differences, d)
	}
	return differences
}

// aspectsOf returns the names of all aspects, each once.
func aspectsOf(observations ...[]kubeconfigtest.Observation) []string {
	var names []string
	for _, o := range slices.Concat(observations...) {
		if !slices.Contains(names, o.Aspect) {
			names = append(names, o.Aspect)
		}
	}
	return names
}

func find(observations []kubeconfigtest.Observation, aspect string) *kubeconfigtest.Observation {
	for i := range observations {
		if observations[i].Aspect == aspect {
			return &observations[i]
		}
	}
	return nil
}
