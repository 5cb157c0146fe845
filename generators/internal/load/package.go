package load

import (
	"bytes"
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"unicode/utf8"
)

// Package is a Go package whose files are read and parsed on demand.
type Package struct {
	Path   string
	Name   string
	Dir    string
	Module Module
	// Mixed names the packages that the folder's files are of, if they are of several,
	// as in "v1 (types.go) and v2 (more.go)".
	Mixed string

	loader *Loader
	from   string  // the folder from which it was found: its module's, if it is worked on
	files  []*file // sorted by name
	// excluded are the files that build constraints exclude, as they do what other
	// generators wrote.
	excluded []*file
}

// Import returns a package that this one imports, or an error that wraps
// [ErrNotFound].
func (p *Package) Import(path string) (*Package, error) { return p.loader.find(p.from, path) }

// Files calls yield with each file whose text holds one of the words, parsed,
// in the order of file names. It stops when yield returns false. A file that
// does not parse is reported and left out.
func (p *Package) Files(yield func(*File) bool, words ...string) {
	p.FilesWhere(yield, func(src []byte) bool { return mentions(src, words) })
}

// FilesWhere is like [Package.Files] for the files whose text a function accepts.
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

// Main returns the name of the file that stands for the package in messages:
// doc.go if it has one, else its first.
func (p *Package) Main() string {
	for _, f := range p.files {
		if filepath.Base(f.name) == "doc.go" {
			return f.name
		}
	}
	return p.files[0].name
}

// Lookup returns the declaration of a type of the package, or nil if it
// declares none by that name.
func (p *Package) Lookup(name string) *Type {
	for _, f := range p.files {
		if !declares(f.source(), name, "type") {
			continue
		}
		if parsed := f.parse(); parsed != nil && parsed.types[name] != nil {
			return parsed.types[name]
		}
	}
	return nil
}

// Declares reports whether the package declares a function, variable or constant by
// that name, be it in a file that build constraints exclude: what other generators
// write is excluded while generators run.
func (p *Package) Declares(name string) bool {
	for _, f := range slices.Concat(p.files, p.excluded) {
		if !declares(f.source(), name, "func", "var", "const", ",") {
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
	for _, f := range p.files {
		if !declares(f.source(), name, ")") {
			continue
		}
		parsed := f.parse()
		if parsed == nil {
			continue
		}
		for _, decl := range parsed.Syntax.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if ok && f.Recv != nil && f.Name.Name == name && len(f.Recv.List) == 1 && baseName(f.Recv.List[0].Type) == typ {
				return true
			}
		}
	}
	return false
}

// declares reports whether source could declare a name: whether the name stands
// somewhere after one of the words, or where a declaration in parentheses can
// begin. It is a quick look that spares parsing, and may be wrong in saying yes.
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

// Position returns where pos is in the source.
func (p *Package) Position(pos token.Pos) token.Position {
	return p.loader.fset.PositionFor(pos, false)
}

// Type is a type declaration at the top level of a package.
type Type struct {
	Name string
	Spec *ast.TypeSpec
	File *File
	// Comments holds the comment block that is one blank line above the
	// declaration's doc comment, if any, then the doc comment.
	Comments []*ast.CommentGroup
	// Borrowed is the one of Comments that stands right above something else, such as
	// the type before, and counts for this one only because gengo counts lines; nil if
	// there is none.
	Borrowed *ast.CommentGroup
}

// Pos returns where the type's name stands.
func (t *Type) Pos() token.Position { return t.File.Package.Position(t.Spec.Name.Pos()) }

// Lines returns the lines of the comments above the declaration.
func (t *Type) Lines() []Line {
	var lines []Line
	for _, group := range t.Comments {
		lines = append(lines, t.File.Lines(group)...)
	}
	return lines
}

// OwnLines returns the lines of the comments above the declaration that stand above
// nothing else.
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

// Base returns the file's name without its folder.
func (f *File) Base() string { return filepath.Base(f.Name) }
