package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestProjects counts the kinds and types in the projects of all series.
func TestProjects(t *testing.T) {
	bench, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range allSeries {
		t.Run(s.file, func(t *testing.T) {
			read := func(name string) string {
				text, err := os.ReadFile(filepath.Join(folders{bench: bench}.inputs(), inputs[len(inputs)-1].module, name))
				if err != nil {
					t.Fatal(err)
				}
				return string(text)
			}
			for _, n := range s.sizes {
				files, versions := s.write(n, read)
				kinds, types := 0, 0
				for name, text := range files {
					if !strings.HasSuffix(name, ".go") {
						t.Errorf("%d: file %s", n, name)
					}
					kinds += strings.Count(text, "\n// +genclient\n")
					types += strings.Count(text, "\ntype Part")
				}
				if s.file == "kinds" && (kinds != n || len(versions) != (n+perGroup-1)/perGroup) {
					t.Errorf("%d: %d kinds, %d versions", n, kinds, len(versions))
				}
				if s.file == "types" && (kinds != 1 || types != n || len(versions) != 1 || len(files) != 2) {
					t.Errorf("%d: %d kinds, %d types, %d files", n, kinds, types, len(files))
				}
			}
		})
	}
}
