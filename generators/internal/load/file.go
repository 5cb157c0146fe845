package load

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// File is a parsed Go file.
type File struct {
	Name    string
	Package *Package
	Syntax  *ast.File

	types   map[string]*Type
	order   []*Type // types in source order
	values  map[string]bool
	consts  map[string]*Const
	methods map[methodName]*ast.FuncDecl
	src     []byte
}

// Types returns the file's type declarations in source order.
func (f *File) Types() []*Type { return f.order }

// Line is one line of a comment, without the comment markers.
type Line struct {
	Text string
	Pos  token.Position
	// Block reports whether the line is in a /* */ comment.
	Block bool
}

// Lines returns the lines of a comment group like [ast.CommentGroup.Text], but each with its
// position. A tab before the text is retained: it makes the line an example, not a marker.
func (f *File) Lines(group *ast.CommentGroup) []Line {
	lines := make([]Line, 0, len(group.List))
	for _, c := range group.List {
		start := f.Package.Position(c.Pos())
		text, isLine := strings.CutPrefix(c.Text, "//")
		if isLine {
			lines = append(lines, line(text, start, 2))
			continue
		}
		text = strings.TrimSuffix(strings.TrimPrefix(c.Text, "/*"), "*/")
		column := 2
		for s := range strings.SplitSeq(text, "\n") {
			l := line(s, start, column)
			l.Block = true
			lines = append(lines, l)
			start.Line, start.Column, column = start.Line+1, 1, 0
		}
	}
	return lines
}

func line(text string, start token.Position, column int) Line {
	trimmed := strings.TrimLeft(text, " ")
	start.Column += column + len(text) - len(trimmed)
	return Line{Text: strings.TrimRight(trimmed, " \t\r"), Pos: start}
}

// Comments returns the lines of every comment in the file.
func (f *File) Comments() []Line {
	var lines []Line
	for _, group := range f.Syntax.Comments {
		lines = append(lines, f.Lines(group)...)
	}
	return lines
}

// ImportPaths returns the import paths that a package name in the file can refer to: the
// import with that name if there is one, otherwise the unnamed imports, likeliest first.
func (f *File) ImportPaths(name string) []string {
	var exact, likely, other []string
	for _, spec := range f.Syntax.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		switch {
		case spec.Name != nil && spec.Name.Name == name:
			return []string{p}
		case spec.Name != nil:
		case path.Base(p) == name:
			exact = append(exact, p)
		case strings.Contains(p, name):
			likely = append(likely, p)
		default:
			other = append(other, p)
		}
	}
	return append(append(exact, likely...), other...)
}

// DotImports returns the import paths of the file's dot imports.
func (f *File) DotImports() []string {
	var paths []string
	for _, spec := range f.Syntax.Imports {
		if spec.Name != nil && spec.Name.Name == "." {
			if p, err := strconv.Unquote(spec.Path.Value); err == nil {
				paths = append(paths, p)
			}
		}
	}
	return paths
}

// file is a Go file that is read and parsed at most once, on first use.
type file struct {
	pkg  *Package
	name string

	reading sync.Once
	src     []byte

	parsing sync.Once
	parsed  *File
	done    atomic.Bool // set after parsing

	searches atomic.Int32 // for names in the text
	indexing sync.Once
	names    map[string]uint8 // those in the text; see declarable
}

func (f *file) source() []byte {
	f.reading.Do(func() {
		src, err := f.pkg.loader.cfg.ReadFile(f.name)
		if err != nil {
			f.pkg.loader.cfg.Diags.Errorf(token.Position{Filename: f.name}, "%v", unwrapPath(err))
		}
		f.src = src
	})
	return f.src
}

func (f *file) parse() *File {
	f.parsing.Do(func() {
		defer f.done.Store(true)
		l := f.pkg.loader
		syntax, err := parser.ParseFile(l.fset, f.name, f.source(), parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			report(l, syntax, err)
			return
		}
		f.parsed = index(&File{Name: f.name, Package: f.pkg, Syntax: syntax, src: f.source()})
		if bytes.Contains(f.source(), []byte(ignore)) {
			f.parsed.ignore()
		}
	})
	return f.parsed
}

// ignore is the comment that silences the warnings about the next line. A reason can follow.
const ignore = "+listwatch:ignore"

// ignore silences the warnings according to the comments of the file.
func (f *File) ignore() {
	for _, l := range f.Comments() {
		if rest, ok := strings.CutPrefix(l.Text, ignore); ok && (rest == "" || rest[0] == '=' || rest[0] == ' ') {
			f.Package.loader.cfg.Diags.Ignore(l.Pos)
		}
	}
}

// report adds the first syntax error of a file; the others usually follow from it.
func report(l *Loader, syntax *ast.File, err error) {
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		first := slices.MinFunc(list, func(a, b *scanner.Error) int { return a.Pos.Offset - b.Pos.Offset })
		// Its file and line can come from a //line comment, but not its offset.
		pos := syntax.FileStart + token.Pos(first.Pos.Offset)
		l.cfg.Diags.Errorf(l.fset.PositionFor(pos, false), "%s", first.Msg)
		return
	}
	l.cfg.Diags.Errorf(l.fset.PositionFor(syntax.FileStart, false), "%v", err)
}

func unwrapPath(err error) error {
	var pathErr *os.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	return err
}

// index finds the file's declarations and the comments that belong to its types.
func index(f *File) *File {
	f.types, f.values = map[string]*Type{}, map[string]bool{}
	f.consts, f.methods = map[string]*Const{}, map[methodName]*ast.FuncDecl{}
	ends := map[int]*ast.CommentGroup{} // by the line on which the group ends
	for _, group := range f.Syntax.Comments {
		// Group.End does not count the carriage returns that the scanner removed.
		last := group.List[len(group.List)-1]
		ends[f.line(last.Pos())+strings.Count(last.Text, "\n")] = group
	}
	for _, decl := range f.Syntax.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil {
				f.values[decl.Name.Name] = true
			} else if len(decl.Recv.List) == 1 {
				f.methods[methodName{baseName(decl.Recv.List[0].Type), decl.Name.Name}] = decl
			}
		case *ast.GenDecl:
			if decl.Tok == token.CONST {
				f.constants(decl)
			}
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						f.values[name.Name] = true
					}
				case *ast.TypeSpec:
					t := &Type{Name: spec.Name.Name, Spec: spec, File: f}
					f.above(t, ends)
					f.types[t.Name] = t
					f.order = append(f.order, t)
				}
			}
		}
	}
	return f
}

// above sets the comment groups of a type: the group that ends on the line before its name,
// and the group that ends two lines before that group or, without one, before the name. The
// latter is borrowed if another declaration directly follows it.
func (f *File) above(t *Type, ends map[int]*ast.CommentGroup) {
	first := f.line(t.Spec.Name.Pos())
	t.Doc = ends[first-1]
	if t.Doc != nil {
		first = f.line(t.Doc.Pos())
	}
	if detached := ends[first-2]; detached != nil {
		t.Comments = append(t.Comments, detached)
		if between := f.text(first - 1); between != "" && between != "type (" {
			t.Borrowed = detached
		}
	}
	if t.Doc != nil {
		t.Comments = append(t.Comments, t.Doc)
	}
}

// Source returns the text of a node of the file.
func (f *File) Source(node ast.Node) string {
	file := f.Package.loader.fset.File(f.Syntax.FileStart)
	return string(f.src[file.Offset(node.Pos()):file.Offset(node.End())])
}

// text returns the text of a line.
func (f *File) text(line int) string {
	file := f.Package.loader.fset.File(f.Syntax.FileStart)
	text, _, _ := bytes.Cut(f.src[file.Offset(file.LineStart(line)):], []byte("\n"))
	return string(bytes.TrimSpace(text))
}

func (f *File) line(pos token.Pos) int { return f.Package.Position(pos).Line }
