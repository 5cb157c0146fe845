package kubeconfig

import (
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/runtime/kubeconfig/ours"
	"github.com/listwatch/listwatch/conformance/runtime/kubeconfig/theirs"
	"github.com/listwatch/listwatch/internal/golden"
	"github.com/listwatch/listwatch/internal/kubeconfigtest"
	"github.com/listwatch/listwatch/internal/migration"
)

var cases = filepath.Join("..", "..", "..", "runtime", "clientcmd", "testdata", "cases")

// TestSource: the observer of client-go's package is ours with other imports.
func TestSource(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("ours", "observe.go"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer("Package ours", "Package theirs", "package ours", "package theirs").Replace(string(source))
	for _, pair := range migration.Pairs {
		text = strings.Replace(text, `"`+pair.OurPaths()[0]+`"`, `"`+pair.TheirPath()+`"`, 1)
	}
	formatted, err := format.Source([]byte(text)) // sorts the imports
	if err != nil {
		t.Fatal(err)
	}
	golden.File(t, filepath.Join("theirs", "observe.go"), string(formatted))
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
	got := ours.Observe(c)
	for _, o := range got {
		if o.Err != nil && strings.Contains(fmt.Sprintf("%v %+v %#v", o.Err, o.Err, o.Err), kubeconfigtest.Secret) {
			t.Errorf("%s: a secret is in the error %v", o.Aspect, o.Err)
		}
	}
	enter()
	want := theirs.Observe(c)
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
