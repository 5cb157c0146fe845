package generators

import (
	"path/filepath"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/emit"
	"github.com/listwatch/listwatch/generators/internal/tree"
)

// Our tools take the place of code-generator's, but write other files: what those left behind would declare the same once
// more.

// replaced returns a function that reports whether code-generator's tool that one of ours replaces wrote a text to a file; nil
// if there is no such tool.
func replaced(tool string) func(name string, text []byte) bool {
	switch tool {
	case "gen-clientset":
		return ofClientGen
	case "gen-lister", "gen-informer", "gen-applyconfiguration":
		mark := emit.Generated(strings.TrimPrefix(tool, "gen-") + "-gen")
		return func(_ string, text []byte) bool { return tree.Marked(text, "// ", mark) }
	}
	return nil
}

// ofClientGen reports whether client-gen wrote a text to a file. A program that contains it is often named main, as other
// generators are, so then only the names of files tell.
func ofClientGen(name string, text []byte) bool {
	if tree.Marked(text, "// ", emit.Generated("client-gen")) {
		return true
	}
	base := filepath.Base(name)
	usual := base == "clientset.go" || base == "doc.go" || base == "generated_expansion.go" || strings.HasPrefix(base, "fake_")
	return usual && tree.Marked(text, "// ", emit.Generated("main"))
}
