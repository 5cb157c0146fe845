package main

import (
	"path/filepath"
	"testing"

	"github.com/listwatch/listwatch/bench/internal/report"
)

func TestDocumentHasTheSection(t *testing.T) {
	bench, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := report.FillSection(folders{bench: bench}.document(), "generators", "figures"); err != nil {
		t.Error(err)
	}
}
