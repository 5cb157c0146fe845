package snippets

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Block is a fenced block of a document in Markdown.
type Block struct {
	Line int // of the opening fence
	Lang string
	Text string
}

// Blocks returns the fenced blocks of a document.
func Blocks(document string) []Block {
	var all []Block
	var open *Block
	n := 0
	for line := range strings.Lines(document) {
		n++
		switch fence, ok := strings.CutPrefix(strings.TrimSpace(line), "```"); {
		case ok && open == nil:
			open = &Block{Line: n, Lang: fence}
		case ok:
			all = append(all, *open)
			open = nil
		case open != nil:
			open.Text += line
		}
	}
	return all
}

// InDocument returns the blocks of a document that are fenced as Go.
func InDocument(name string) ([]Snippet, error) {
	document, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var found []Snippet
	for _, b := range Blocks(string(document)) {
		if b.Lang == "go" {
			found = append(found, Snippet{Where: fmt.Sprintf("%s:%d", filepath.Base(name), b.Line), Text: b.Text})
		}
	}
	return found, nil
}
