package main

import (
	"path/filepath"
	"testing"

	"github.com/listwatch/listwatch/bench/internal/report"
)

func TestDocumentHasTheSections(t *testing.T) {
	bench, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, section := range []string{"generators", "generators-growth", "generators-projects"} {
		if _, err := report.FillSection(folders{bench: bench}.document(), section, "figures"); err != nil {
			t.Error(err)
		}
	}
}
