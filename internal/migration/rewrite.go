package migration

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Result is a Go file after its migration.
type Result struct {
	// Text is the new text, or the old one if nothing changes.
	Text []byte
	// Findings are sorted by position.
	Findings []Finding
	// Generator is the program that generated the file, if it imports client-go and must
	// therefore be generated again instead of rewritten.
	Generator string
}

// Finding is a place in a file that the rewriting does not settle.
type Finding struct {
	// Position is the place before the file is rewritten, After the one in the new text.
	Position, After token.Position
	// Subject is the import path, or the import path and symbol, that the finding is about.
	Subject string
	// Note is true for code that usually compiles as it is.
	Note    bool
	Message string
}

// String returns the finding as file:line:col: message.
func (f Finding) String() string {
	note := ""
	if f.Note {
		note = "note: "
	}
	return fmt.Sprintf("%s: %s%s", f.Position, note, f.Message)
}

// Rewrite returns a Go file with its imports of client-go replaced, and reports what has no
// replacement. It changes import declarations and the qualifiers of symbols that moved to
// another package, and nothing else; a file that gofmt leaves unchanged stays one. The
// error is a [go/scanner.ErrorList] if the text is not a Go file.
func Rewrite(name string, text []byte) (*Result, error) { return (*Kept)(nil).rewrite(name, text) }

// rewrite is [Rewrite] of a file in which some imports stay.
func (k *Kept) rewrite(name string, text []byte) (*Result, error) {
	result := &Result{Text: text}
	if !bytes.Contains(text, []byte(ClientGo)) && !bytes.Contains(text, []byte(registrations)) {
		return result, nil
	}
	r := &rewriter{kept: k, set: token.NewFileSet(), text: text, result: result}
	var err error
	if r.file, err = parser.ParseFile(r.set, name, text, parser.ParseComments); err != nil {
		return nil, err
	}
	if generator := generatorOf(r.file); generator != "" && !keepsOutput(generator) && r.concerned() {
		result.Generator = generator
		return result, nil
	}
	r.collect()
	for _, decl := range r.file.Decls {
		if group, ok := decl.(*ast.GenDecl); ok && group.Tok == token.IMPORT {
			if err := r.rewriteGroup(group); err != nil {
				return nil, fmt.Errorf("%s: %w", r.position(group.Pos()), err)
			}
		}
	}
	slices.SortStableFunc(result.Findings, compareFindings)
	if len(r.edits) == 0 {
		return result, nil
	}
	result.Text = apply(text, r.edits)
	// Where names change their length, gofmt may align what follows differently.
	if old, err := format.Source(text); err == nil && bytes.Equal(old, text) {
		if result.Text, err = format.Source(result.Text); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return result, r.locate(name)
}

// locate sets where the findings are in the new text. Both files have the same identifiers
// outside of imports, in the same order.
func (r *rewriter) locate(name string) error {
	if len(r.result.Findings) == 0 {
		return nil
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, r.result.Text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	after := map[token.Position]token.Position{}
	ids := identifiers(file)
	for i, id := range identifiers(r.file) {
		after[r.position(id.Pos())] = set.PositionFor(ids[i].Pos(), false)
	}
	specs := map[string]token.Pos{}
	for _, spec := range file.Imports {
		path, _, _ := pathOf(spec)
		specs[nameOf(spec)+" "+path] = spec.Pos()
	}
	for _, spec := range r.file.Imports {
		path, _, _ := pathOf(spec)
		if pos, ok := specs[nameOf(spec)+" "+path]; ok {
			after[r.position(spec.Pos())] = set.PositionFor(pos, false)
		}
	}
	for i := range r.result.Findings {
		f := &r.result.Findings[i]
		f.After = after[f.Position]
	}
	return nil
}

// identifiers returns the identifiers outside of import declarations.
func identifiers(file *ast.File) []*ast.Ident {
	var all []*ast.Ident
	ast.Inspect(file, func(node ast.Node) bool {
		if id, ok := node.(*ast.Ident); ok {
			all = append(all, id)
		}
		_, isImport := node.(*ast.ImportSpec)
		return !isImport
	})
	return all
}

func compareFindings(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.Position.Filename, b.Position.Filename),
		cmp.Compare(a.Position.Line, b.Position.Line),
		cmp.Compare(a.Position.Column, b.Position.Column),
		cmp.Compare(a.Message, b.Message))
}

// rewriter is the state of one call of [Rewrite].
type rewriter struct {
	kept   *Kept
	set    *token.FileSet
	text   []byte
	file   *ast.File
	result *Result

	// qualified are the selectors x.y where x is not declared in this file, by x: x is the
	// name of an import. names are all identifiers of the file.
	qualified map[string][]*ast.SelectorExpr
	names     map[string]bool
	// imported are the imports that the new file has so far, as name and path.
	imported map[string]bool
	edits    []edit
}

// edit replaces the bytes between two offsets.
type edit struct {
	from, to int
	text     string
}

// apply returns text with edits that do not overlap.
func apply(text []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	var out []byte
	last := 0
	for _, e := range edits {
		out = append(out, text[last:e.from]...)
		out = append(out, e.text...)
		last = e.to
	}
	return append(out, text[last:]...)
}

// position ignores //line comments: findings are about this file.
func (r *rewriter) position(pos token.Pos) token.Position { return r.set.PositionFor(pos, false) }

func (r *rewriter) offset(pos token.Pos) int { return r.position(pos).Offset }

// pathOf returns an import's path, and the part below k8s.io/client-go/ if it is there.
func pathOf(spec *ast.ImportSpec) (path, theirs string, ok bool) {
	path, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return "", "", false // the parser has rejected it
	}
	theirs, ok = strings.CutPrefix(path, ClientGo)
	return path, theirs, ok
}

// nameOf returns an import's explicit name, or "".
func nameOf(spec *ast.ImportSpec) string {
	if spec.Name == nil {
		return ""
	}
	return spec.Name.Name
}

// concerned reports whether the file imports a package of client-go that neither can be shared nor stays.
func (r *rewriter) concerned() bool {
	return slices.ContainsFunc(r.file.Imports, func(spec *ast.ImportSpec) bool {
		_, theirs, ok := pathOf(spec)
		other, found := FindOther(theirs)
		return ok && (!found || other.Standing != Shared) && !r.kept.Has(theirs)
	})
}

// collect fills qualified, names, and imported with the imports that stay.
func (r *rewriter) collect() {
	r.qualified, r.names, r.imported = map[string][]*ast.SelectorExpr{}, map[string]bool{}, map[string]bool{}
	ast.Inspect(r.file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.Ident:
			r.names[node.Name] = true
		case *ast.SelectorExpr:
			if x, ok := node.X.(*ast.Ident); ok && x.Obj == nil {
				r.qualified[x.Name] = append(r.qualified[x.Name], node)
			}
		}
		return true
	})
	for _, spec := range r.file.Imports {
		path, theirs, ok := pathOf(spec)
		if _, paired := FindPair(theirs); !ok || !paired || r.kept.Has(theirs) || r.staysLinked(spec, theirs) {
			r.imported[nameOf(spec)+" "+path] = true
		}
		r.names[PackageName(path)] = true
	}
}

// rewriteGroup rewrites an import declaration, and formats it if it changes.
func (r *rewriter) rewriteGroup(group *ast.GenDecl) error {
	from, to := r.offset(group.Pos()), r.offset(group.End())
	var edits []edit
	for _, spec := range group.Specs {
		spec, ok := spec.(*ast.ImportSpec)
		if !ok {
			continue
		}
		e, changed := r.rewriteImport(spec, group.Lparen.IsValid())
		if !changed {
			continue
		}
		if !group.Lparen.IsValid() {
			e.from, e.to = from, to
		}
		e.from, e.to = e.from-from, e.to-from
		edits = append(edits, e)
	}
	if len(edits) == 0 {
		return nil
	}
	text, err := formatImports(apply(r.text[from:to], edits))
	if err != nil {
		return err
	}
	if text == "" {
		to += len(emptyLines.Find(r.text[to:]))
	}
	r.edits = append(r.edits, edit{from, to, text})
	return nil
}

// emptyLines is what remains of a declaration that is removed.
var emptyLines = regexp.MustCompile(`^(\r?\n)+`)

// formatImports formats import declarations, with the line ends that they have.
func formatImports(text []byte) (string, error) {
	const head = "package p\n"
	out, err := format.Source(slices.Concat([]byte(head+"\n"), text, []byte("\n")))
	if err != nil {
		return "", err
	}
	formatted := strings.TrimSpace(strings.TrimPrefix(string(out), head))
	if bytes.Contains(text, []byte("\r\n")) {
		formatted = strings.ReplaceAll(formatted, "\n", "\r\n")
	}
	return formatted, nil
}

// rewriteImport returns the edit that replaces an import, if it is replaced, and reports
// what is not. Where it is not in a group, the edit's text is one of whole declarations.
func (r *rewriter) rewriteImport(spec *ast.ImportSpec, grouped bool) (e edit, changed bool) {
	path, theirs, ok := pathOf(spec)
	if !ok {
		r.reportMetrics(spec, path)
		return edit{}, false
	}
	pair, ok := FindPair(theirs)
	if !ok {
		r.reportOther(spec, path, theirs)
		return edit{}, false
	}
	if r.kept.Has(theirs) || r.staysLinked(spec, theirs) && r.kept.Has("rest") {
		return edit{}, false
	}
	var lines []string
	if r.staysLinked(spec, theirs) {
		lines = append(lines, importLine("_", path, grouped))
	}
	for _, wanted := range r.replacements(spec, pair) {
		key := wanted.name + " " + wanted.path
		if r.imported[key] {
			continue
		}
		r.imported[key] = true
		lines = append(lines, importLine(wanted.name, wanted.path, grouped))
	}
	return edit{r.offset(spec.Pos()), r.offset(spec.Path.End()), strings.Join(lines, "\n")}, true
}

// importLine returns an import in a group, or a declaration of one.
func importLine(name, path string, grouped bool) string {
	line := strings.TrimSpace(name + " " + strconv.Quote(path))
	if !grouped {
		line = "import " + line
	}
	return line
}

// staysLinked reports whether an import registers credential plugins with client-go's rest, which is in the program after the
// rewriting too: without the import, its configs would have no plugins at run time.
func (r *rewriter) staysLinked(spec *ast.ImportSpec, theirs string) bool {
	return nameOf(spec) == "_" && (theirs == plugins || strings.HasPrefix(theirs, plugins+"/")) && r.kept.links("rest")
}

// plugins is the package that registers all credential plugins. Those below it register one.
const plugins = "plugin/pkg/client/auth"

// imported is an import of the new file; name is empty where the package's is used.
type imported struct{ name, path string }

// replacements returns the imports that replace one, edits the qualifiers that change with
// them, and reports symbols that are not kept.
func (r *rewriter) replacements(spec *ast.ImportSpec, pair Pair) []imported {
	first := pair.OurPaths()[0]
	name := nameOf(spec)
	switch name {
	case "_":
		return []imported{{name, first}}
	case ".":
		homes := []imported{{name, first}}
		for _, id := range r.file.Unresolved {
			r.reportSymbol(id.Pos(), pair, id.Name)
			if home := (imported{name, pair.Home(id.Name)}); !slices.Contains(homes, home) {
				homes = append(homes, home)
			}
		}
		return homes
	}
	local := name
	if local == "" {
		local = PackageName(pair.TheirPath())
		if PackageName(first) != local {
			name = local
		}
	}
	moved := map[string]string{} // the names of the other packages, by path
	var all []imported
	stays := false
	for _, selector := range r.qualified[local] {
		symbol := selector.Sel.Name
		r.reportSymbol(selector.Pos(), pair, symbol)
		home := pair.Home(symbol)
		if home == first {
			stays = true
			continue
		}
		if moved[home] == "" {
			moved[home] = r.fresh(home)
			all = append(all, imported{moved[home], home})
		}
		r.edits = append(r.edits, edit{r.offset(selector.X.Pos()), r.offset(selector.X.End()), moved[home]})
	}
	if stays || len(all) == 0 {
		all = append(all, imported{name, first})
	}
	return all
}

// fresh returns a name for an import that the file has no other use of: fakegentype for
// .../gentype/fake.
func (r *rewriter) fresh(path string) string {
	elements := strings.Split(path, "/")
	n := len(elements)
	base := elements[n-1] + elements[n-2]
	name := base
	for i := 2; r.names[name]; i++ {
		name = base + strconv.Itoa(i)
	}
	r.names[name] = true
	return name
}

// reportSymbol reports a use of a symbol that is left out. Code that uses a changed one compiles.
func (r *rewriter) reportSymbol(pos token.Pos, pair Pair, symbol string) {
	d, ok := FindDecision(pair.Theirs, symbol)
	if !ok || d.Fate != LeftOut || !token.IsExported(symbol) {
		return
	}
	r.report(pos, Finding{
		Subject: pair.TheirPath() + "." + symbol,
		Message: fmt.Sprintf("%s.%s is %s: %s", PackageName(pair.TheirPath()), symbol, d.Fate, d.Why),
	})
}

// reportOther reports an import that stays, unless it can.
func (r *rewriter) reportOther(spec *ast.ImportSpec, path, theirs string) {
	other, found := FindOther(theirs)
	message := fmt.Sprintf("%s %s: %s", path, other.Standing, other.Advice)
	switch {
	case !found:
		message = fmt.Sprintf("%s is not a package of client-go v0.37: update k8s.io/client-go first", path)
	case other.Standing == Shared:
		return
	}
	r.report(spec.Pos(), Finding{Subject: path, Message: message})
}

// registrations is the directory of packages that register metrics when they are imported, and
// measured are those below it whose metrics are client-go's, with what registers ours.
const registrations = "k8s.io/component-base/metrics/prometheus/"

var measured = map[string]string{
	"clientgo":                "Register of " + Module + "metrics/prometheus",
	"clientgo/leaderelection": "SetProvider of " + Module + "kubernetes/leaderelection",
	"restclient":              "Register of " + Module + "metrics/prometheus",
	"workqueue":               "Register of " + Module + "metrics/prometheus",
}

// reportMetrics reports an import that registers metrics with client-go only: without a word, those
// of migrated code would be missing.
func (r *rewriter) reportMetrics(spec *ast.ImportSpec, path string) {
	below, found := strings.CutPrefix(path, registrations)
	register := measured[below]
	if !found || register == "" {
		return
	}
	r.report(spec.Pos(), Finding{
		Subject: path, Note: true,
		Message: fmt.Sprintf("%s registers metrics with client-go: register those of migrated code with %s", path, register),
	})
}

func (r *rewriter) report(pos token.Pos, f Finding) {
	f.Position = r.position(pos)
	f.After = f.Position
	r.result.Findings = append(r.result.Findings, f)
}
