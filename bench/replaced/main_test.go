package main

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"testing"
)

// TestMain lets the tests start this binary as a child, as the program does.
func TestMain(m *testing.M) {
	asked, err := kept.Child()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if asked {
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestEveryRoundHasAFigureOfEveryWork(t *testing.T) {
	if err := kept.Try(3, 1, t.TempDir()); err != nil {
		t.Error(err)
	}
}

func TestDocumentHasTheSection(t *testing.T) {
	if err := kept.HasSections(); err != nil {
		t.Error(err)
	}
}

// TestSizes checks the sizes of the operator's program that docs/benchmarks.md states, which are of this machine's
// architecture.
func TestSizes(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("docs/benchmarks.md has the sizes of programs for amd64")
	}
	document, err := os.ReadFile("../../docs/benchmarks.md")
	if err != nil {
		t.Fatal(err)
	}
	said := regexp.MustCompile(`Its program, stripped, has ([\d.]+) MB and ([\d.]+) MB`).FindSubmatch(document)
	if said == nil {
		t.Fatal("docs/benchmarks.md has no sizes of the operator")
	}
	for i, file := range requirements {
		program := filepath.Join(t.TempDir(), "operator")
		cmd := exec.Command("go", "build", "-modfile", file, "-ldflags=-s -w", "-o", program, "./operator/cmd")
		cmd.Env = append(os.Environ(), "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		info, err := os.Stat(program)
		if err != nil {
			t.Fatal(err)
		}
		want, err := strconv.ParseFloat(string(said[1+i]), 64)
		if err != nil {
			t.Fatal(err)
		}
		if got := float64(info.Size()) / 1e6; math.Abs(got-want) > 0.02*want {
			t.Errorf("docs/benchmarks.md says %.1f MB with %s, which makes %.1f MB", want, file, got)
		}
	}
}
