package main

import (
	"fmt"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/bench/internal/input"
)

// TestMain lets the tests start this binary as a child, as the program does.
func TestMain(m *testing.M) {
	asked, err := wire.Child()
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
	if err := wire.Try(30, 3, t.TempDir()); err != nil {
		t.Error(err)
	}
}

func TestDocumentHasTheSections(t *testing.T) {
	if err := wire.HasSections(); err != nil {
		t.Error(err)
	}
}
