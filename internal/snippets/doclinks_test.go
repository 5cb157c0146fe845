package snippets_test

import (
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// brackets is what authors mean as a link to a symbol: a name in brackets.
var brackets = regexp.MustCompile(`(?:^|\W)\[\*?(?:[a-z]\w*\.)?[A-Z]\w*(?:\.[A-Z]\w*)?\]\w*`)

// TestDocLinks checks that names in brackets in the comments of packages that users read are links: that the symbol exists, in
// the package or in one that a file of it imports.
func TestDocLinks(t *testing.T) {
	packages := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); slices.Contains([]string{"testdata", "golden", "internal", "conformance", "bench", "bin", "generated"}, name) || name != ".." && strings.HasPrefix(name, ".") && path != root {
			return filepath.SkipDir
		}
		if documented(t, path) {
			packages++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if packages < 100 {
		t.Errorf("found %d packages, want all of the tree", packages)
	}
}

// documented checks the package in a directory, and reports whether there is one.
func documented(t *testing.T, dir string) bool {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		var file *ast.File
		if file, err = parser.ParseFile(fset, name, nil, parser.ParseComments); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	if len(files) == 0 {
		return false
	}
	pkg, err := doc.NewFromFiles(fset, files, dir, doc.PreserveAST)
	if err != nil {
		t.Fatal(err)
	}
	p := pkg.Parser()
	for _, file := range files {
		if ast.IsGenerated(file) {
			continue
		}
		for _, group := range file.Comments {
			for _, text := range plain(p.Parse(group.Text())) {
				for _, link := range brackets.FindAllString(text, -1) {
					if strings.HasSuffix(link, "]") || strings.HasSuffix(link, "]s") { // otherwise an array
						t.Errorf("%s: %s is no link: no file here declares or imports that, or a letter follows", fset.Position(group.Pos()), link)
					}
				}
			}
		}
	}
	return true
}

// plain returns the plain texts of a comment, which include brackets that are no links.
func plain(d *comment.Doc) (texts []string) {
	text := func(all []comment.Text) {
		for _, t := range all {
			switch t := t.(type) {
			case comment.Plain:
				texts = append(texts, string(t))
			case comment.Italic:
				texts = append(texts, string(t))
			}
		}
	}
	var blocks func(all []comment.Block)
	blocks = func(all []comment.Block) {
		for _, b := range all {
			switch b := b.(type) {
			case *comment.Paragraph:
				text(b.Text)
			case *comment.Heading:
				text(b.Text)
			case *comment.List:
				for _, item := range b.Items {
					blocks(item.Content)
				}
			}
		}
	}
	blocks(d.Content)
	return texts
}
