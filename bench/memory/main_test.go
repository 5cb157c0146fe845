package main

import (
	"fmt"
	"os"
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
	if err := kept.Try(3, 0, t.TempDir()); err != nil {
		t.Error(err)
	}
}

func TestDocumentHasTheSections(t *testing.T) {
	if err := kept.HasSections(); err != nil {
		t.Error(err)
	}
}
