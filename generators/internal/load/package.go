package load

import (
	"bytes"
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"sync"
	"unicode/utf8"
)

// Package is a Go package whose files are read and parsed on demand.
type Package struct {
	Path   string
	Name   string
	Dir    string
	Module Module
	// Mixed lists the packages of the directory's files if there is more than one, as in
	// "v1 (types.go) and v2 (more.go)".
	Mixed string

	loader *Loader
	from   string  // the directory from which it was found; for a main module, its root
	files  []*file // sorted by name
	// excluded are the files that build constraints exclude, such as those of other
	// generators.
	excluded []*file
	// holders are the files that may declare methods, as []holder by the method's name.
	holders sync.Map
}

// Import returns a package that this one imports, or an error that wraps
// [ErrNotFound].
func (p *Package) Import(path string) (*Package, error) { return p.loader.find(p.from, path) }

// Files parses the files that contain one of the words and calls yield with each, in the
// order of file names. It stops when yield returns false. A file with syntax errors is
// reported and skipped.
func (p *Package) Files(yield func(*File) bool, words ...string) {
	p.FilesWhere(yield, func(src []byte) bool { return mentions(src, words) })
}

// FilesWhere is like [Package.Files], but accept selects the files by their text.
func (p *Package) FilesWhere(yield func(*File) bool, accept func(src []byte) bool) {
	for _, f := range p.files {
		if !accept(f.source()) {
			continue
		}
		if parsed := f.parse(); parsed != nil && !yield(parsed) {
			return
		}
	}
}

// Pos returns the position for messages about the package: the start of doc.go if it exists, otherwise
// of the first file.
func (p *Package) Pos() token.Position {
	name := p.files[0].name
	for _, f := range p.files {
		if filepath.Base(f.name) == "doc.go" {
			name = f.name
		}
	}
	return token.Position{Filename: name, Line: 1, Column: 1}
}

// DocFile parses doc.go, or returns nil if there is none or it has syntax errors.
func (p *Package) DocFile() *File {
	for _, f := range p.files {
		if filepath.Base(f.name) == "doc.go" {
			return f.parse()
		}
	}
	return nil
}

// Lookup returns the declaration of a type of the package, or nil if there is none with this
// name.
func (p *Package) Lookup(name string) *Type {
	for _, f := range p.files {
		if !f.mayDeclare(name, "type") {
			continue
		}
		if parsed := f.parse(); parsed != nil && parsed.types[name] != nil {
			return parsed.types[name]
		}
	}
	return nil
}

// Declares reports whether the package declares a function, variable or constant of this
// name. It also looks in files that build constraints exclude, because generated files are
// excluded while generators run.
func (p *Package) Declares(name string) bool {
	for _, f := range slices.Concat(p.files, p.excluded) {
		if !f.mayDeclare(name, "func", "var", "const", ",") {
			continue
		}
		if parsed := f.parse(); parsed != nil && parsed.values[name] {
			return true
		}
	}
	return false
}

// HasMethod reports whether the package declares a method of a type.
func (p *Package) HasMethod(typ, name string) bool {
	m := p.Method(typ, name)
	return m != nil && !m.Excluded
}

// declares reports whether src could declare name: whether name follows one of the words, or
// is where a declaration in parentheses can start. It avoids parsing and can report false
// positives.
func declares(src []byte, name string, words ...string) bool {
	for from := 0; ; {
		i := bytes.Index(src[from:], []byte(name))
		if i < 0 || name == "" {
			return false
		}
		start, end := from+i, from+i+len(name)
		from = end
		if end < len(src) && inName(src[end]) || start > 0 && inName(src[start-1]) {
			continue
		}
		before := bytes.TrimRight(src[:start], " \t\r")
		if len(before) == 0 || bytes.IndexByte([]byte("\n(;/"), before[len(before)-1]) >= 0 {
			return true
		}
		for _, w := range words {
			if bytes.HasSuffix(before, []byte(w)) {
				return true
			}
		}
	}
}

// inName reports whether a byte can be part of a Go name.
func inName(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= utf8.RuneSelf
}

// Position returns the position of pos in the source.
func (p *Package) Position(pos token.Pos) token.Position {
	return p.loader.fset.PositionFor(pos, false)
}

// Type is a type declaration at the top level of a package.
type Type struct {
	Name string
	Spec *ast.TypeSpec
	File *File
	// Comments contains the comment one blank line above the doc comment, if any, and then
	// the doc comment.
	Comments []*ast.CommentGroup
	// Doc is the doc comment among Comments; nil if there is none.
	Doc *ast.CommentGroup
	// Borrowed is the comment among Comments that is directly above another declaration. It
	// applies to this type only because gengo counts lines; nil if there is none.
	Borrowed *ast.CommentGroup
}

// Pos returns the position of the type's name.
func (t *Type) Pos() token.Position { return t.File.Package.Position(t.Spec.Name.Pos()) }

// Lines returns the lines of the comments above the declaration.
func (t *Type) Lines() []Line {
	var lines []Line
	for _, group := range t.Comments {
		lines = append(lines, t.File.Lines(group)...)
	}
	return lines
}

// OwnLines is like Lines without the borrowed comment.
func (t *Type) OwnLines() []Line {
	var lines []Line
	for _, group := range t.Comments {
		if group != t.Borrowed {
			lines = append(lines, t.File.Lines(group)...)
		}
	}
	return lines
}

func mentions(src []byte, words []string) bool {
	for _, w := range words {
		if bytes.Contains(src, []byte(w)) {
			return true
		}
	}
	return len(words) == 0
}

// Base returns the file's name without its directory.
func (f *File) Base() string { return filepath.Base(f.Name) }
