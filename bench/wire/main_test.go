package main

import (
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/bench/internal/report"
	"github.com/listwatch/listwatch/bench/wire/internal/input"
)

// TestMain lets the tests start this binary as a child, as the program does.
func TestMain(m *testing.M) {
	asked, err := child()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if asked {
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestContendersDecodeTheSame(t *testing.T) {
	bodies, err := input.NewBodies(prepared)
	if err != nil {
		t.Fatal(err)
	}
	in := inputs{server: input.Server{Bodies: bodies}}
	server := httptest.NewServer(in.server)
	defer server.Close()
	in.url = server.URL
	for _, w := range works {
		for _, n := range []int{1, listed + 1} {
			if err := w.verify(n, in); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestVerifyTellsADifference(t *testing.T) {
	bodies, err := input.NewBodies(3)
	if err != nil {
		t.Fatal(err)
	}
	differs := work{name: "broken", start: func(c *contender, in inputs) (run, error) {
		if c == contenders[1] {
			in.server.Bodies, err = input.NewBodies(2)
		}
		return decodeObjects(c, in)
	}}
	in := inputs{server: input.Server{Bodies: bodies}}
	if err := differs.verify(2, in); err != nil {
		t.Errorf("the same two objects: %v", err)
	}
	if err := differs.verify(3, in); err == nil || !strings.Contains(err.Error(), "object 2") {
		t.Errorf("a different third object: got error %v", err)
	}
}

func TestVerifyCountsObjects(t *testing.T) {
	bodies, err := input.NewBodies(3)
	if err != nil {
		t.Fatal(err)
	}
	stops := work{name: "broken", start: func(c *contender, in inputs) (run, error) {
		run, err := decodeObjects(c, in)
		return func(n int, see func(runtime.Object)) (any, error) { return run(n-1, see) }, err
	}}
	if err := stops.verify(3, inputs{server: input.Server{Bodies: bodies}}); err == nil {
		t.Error("two objects are taken for three")
	}
}

func TestEveryRoundHasAFigureOfEveryWork(t *testing.T) {
	small := slices.Clone(works)
	for i := range small {
		small[i].objects, small[i].warmUp = 30, 3
	}
	const rounds = 2
	results, err := competition{works: small, rounds: rounds, profiles: t.TempDir(), progress: io.Discard}.run()
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range results {
		for c, costs := range r.cost {
			if r.work.name != small[i].name || len(costs) != rounds {
				t.Fatalf("got %d costs of %s, want %d of %s", len(costs), r.work.name, rounds, small[i].name)
			}
			for _, cost := range costs {
				if cost.Allocs < 30 || cost.Bytes < 30*1000 {
					t.Errorf("%s, %s: 30 objects cost %+v", r.work.name, contenders[c].name, cost)
				}
			}
		}
	}
	for _, row := range table(results).Rows {
		if slices.Contains(row, "NaN") || slices.Contains(row, "+Inf") {
			t.Errorf("a row without a figure: %q", row)
		}
	}
}

func TestDocumentHasTheSection(t *testing.T) {
	if _, err := report.FillSection("../"+document, "wire", "figures"); err != nil {
		t.Error(err)
	}
}

func TestClientGoVersion(t *testing.T) {
	if v, err := clientGoVersion(); err != nil || !strings.HasPrefix(v, "v0.") {
		t.Errorf("got version %q, error %v", v, err)
	}
}
