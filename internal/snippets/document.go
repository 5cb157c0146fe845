package snippets

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Block is a fenced block of a document in Markdown.
type Block struct {
	Line    int // of the opening fence
	Lang    string
	Text    string
	Heading string // of the section around it, without number signs
}

// Blocks returns the fenced blocks of a document.
func Blocks(document string) []Block {
	var all []Block
	var open *Block
	n, heading := 0, ""
	for line := range strings.Lines(document) {
		n++
		switch fence, ok := strings.CutPrefix(strings.TrimSpace(line), "```"); {
		case ok && open == nil:
			open = &Block{Line: n, Lang: fence, Heading: heading}
		case ok:
			all = append(all, *open)
			open = nil
		case open != nil:
			open.Text += line
		case strings.HasPrefix(line, "#"):
			heading = strings.TrimSpace(strings.TrimLeft(line, "#"))
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

// excerpt is the first line of a block that is part of a file of the tree.
var excerpt = regexp.MustCompile(`^(?://|#) from (\S+)\n\n?`)

// Source returns the file of the tree that a block is part of, and the block without its first line, which names it:
//
//	// from examples/shop/main.go
//
// The file is "" if the block names none.
func (b Block) Source() (file, text string) {
	m := excerpt.FindStringSubmatch(b.Text)
	if m == nil {
		return "", b.Text
	}
	return m[1], strings.TrimPrefix(b.Text, m[0])
}
