package main

import (
	"path/filepath"
	"testing"
)

func TestDocumentHasTheSection(t *testing.T) {
	bench, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fill(folders{bench: bench}.document(), "figures"); err != nil {
		t.Error(err)
	}
}
