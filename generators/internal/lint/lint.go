// Package lint checks API types against rules of good API design, which the API conventions of Kubernetes and
// kube-api-linter define, and the markers of packages against code-generator's rules. The rules have kube-api-linter's
// and code-generator's names.
//
// [Check] applies rules. A finding about a field or type is an error there, and ends
// with the name of its rule in parentheses. The comment +listwatch:ignore drops the findings of the next line.
//
// The rules read syntax, as everything else does: types of packages that cannot be read are not checked.
package lint

import (
	"go/ast"
	"go/token"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/resolve"
)

// rule is one rule. It checks fields, types, or both.
type rule struct {
	// Default reports whether the rule is part of the group "default", as kube-api-linter runs it
	// without configuration.
	Default bool
	field   func(c *checker, f *field)
	typ     func(c *checker, t *typ)
	// lists reports whether the fields of list types are checked too.
	lists bool
}

// Names of groups of rules.
const (
	All     = "all"
	Default = "default"
)

// rules are the rules by name.
var rules = map[string]rule{
	"arrayofstruct":      {Default: true, field: arrayOfStruct},
	"commentstart":       {Default: true, field: commentStart},
	"conditions":         {Default: true, field: conditions},
	"defaultorrequired":  {Default: true, field: defaultOrRequired},
	"duplicatemarkers":   {Default: true, field: duplicateFieldMarkers, typ: duplicateTypeMarkers},
	"integers":           {Default: true, field: basicField(integers), typ: basicType(integers)},
	"jsontags":           {Default: true, field: jsonTags, lists: true},
	"maxlength":          {field: maxLength},
	"nobools":            {field: basicField(bools), typ: basicType(bools)},
	"nodurations":        {Default: true, field: basicField(durations), typ: basicType(durations)},
	"nofloats":           {Default: true, field: basicField(floats), typ: basicType(floats)},
	"nomaps":             {Default: true, field: noMaps, typ: noMapsType},
	"nonullable":         {Default: true, field: noNullable, typ: noNullableType},
	"nophase":            {Default: true, field: noPhase},
	"notimestamp":        {Default: true, field: noTimestamp},
	"optionalfields":     {Default: true, field: optionalFields},
	"optionalorrequired": {Default: true, field: optionalOrRequired, typ: optionalOrRequiredType},
	"requiredfields":     {Default: true, field: requiredFields},
	"ssatags":            {Default: true, field: ssaTags},
	"statusoptional":     {field: statusOptional},
	"statussubresource":  {typ: statusSubresource},
	"uniquemarkers":      {Default: true, field: uniqueFieldMarkers, typ: uniqueTypeMarkers},
}

// Names are the names of the rules: those for packages, the groups, and those for types, sorted.
var Names = slices.Concat([]string{KnownTagsOnly, RequireExplicitDisablement, All, Default}, slices.Sorted(maps.Keys(rules)))

// Check checks packages and their types against rules, which are names of rules or groups; others are ignored.
func Check(packages []*load.Package, resolver *resolve.Resolver, names []string, diags *diag.List) {
	for _, p := range packages {
		checkPackage(p, names, diags)
	}
	c := &checker{resolver: resolver, diags: diags, active: map[string]rule{}}
	for name, r := range rules {
		if slices.Contains(names, name) || slices.Contains(names, All) || r.Default && slices.Contains(names, Default) {
			c.active[name] = r
		}
	}
	if len(c.active) == 0 {
		return
	}
	resolve.Ahead(packages)
	for _, p := range packages {
		p.Files(func(f *load.File) bool {
			if !ast.IsGenerated(f.Syntax) {
				for _, t := range f.Types() {
					c.check(t)
				}
			}
			return true
		})
	}
}

// checker applies rules.
type checker struct {
	resolver *resolve.Resolver
	diags    *diag.List
	active   map[string]rule
	rule     string // the current rule
}

// errorf adds a finding of the current rule.
func (c *checker) errorf(pos token.Position, edits []diag.Edit, format string, args ...any) {
	c.diags.Fix(edits...).Ignorablef(pos, format+" ("+c.rule+")", args...)
}

// typ is a declared type.
type typ struct {
	*load.Type
	markers []mark
	pos     token.Position
}

// field is a field of a struct that a type contains.
type field struct {
	owner *load.Type
	file  *load.File
	// name is its name in messages: Type.Field.
	name, goName string
	syntax       *ast.Field
	embedded     bool
	// json is the name in the JSON tag, options what follows it; tagged reports whether there is a
	// tag.
	json, options string
	tagged        bool
	tag           string
	index         int // in its struct
	markers       []mark
	pos           token.Position
}

// check checks a type and the fields of the structs in its declaration.
func (c *checker) check(t *load.Type) {
	whole := &typ{Type: t, markers: marks(t.OwnLines()), pos: t.Pos()}
	for _, name := range slices.Sorted(maps.Keys(c.active)) {
		if r := c.active[name]; r.typ != nil {
			c.rule = name
			r.typ(c, whole)
		}
	}
	c.structs(t, t.Name+".", t.Spec.Type)
}

// structs checks the fields of the structs in a type expression.
func (c *checker) structs(t *load.Type, prefix string, expr ast.Expr) {
	switch e := expr.(type) {
	case *ast.StarExpr:
		c.structs(t, prefix, e.X)
	case *ast.ArrayType:
		c.structs(t, prefix, e.Elt)
	case *ast.MapType:
		c.structs(t, prefix, e.Value)
	case *ast.ParenExpr:
		c.structs(t, prefix, e.X)
	case *ast.StructType:
		isList := list(e)
		for i, f := range e.Fields.List {
			c.field(t, prefix, e, i, f, isList)
		}
	}
}

// field checks the fields that are declared together.
func (c *checker) field(t *load.Type, prefix string, s *ast.StructType, index int, syntax *ast.Field, inList bool) {
	for _, f := range load.StructFields(&ast.StructType{Fields: &ast.FieldList{List: []*ast.Field{syntax}}}, t.File) {
		tag, tagged := reflect.StructTag(f.Tag).Lookup("json")
		if tag == "-" {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		found := &field{
			owner: t, file: t.File, name: prefix + f.Name, goName: f.Name, syntax: syntax, embedded: f.Embedded,
			json: name, options: options, tagged: tagged, tag: f.Tag, index: index,
			markers: marks(fieldLines(t.File, s, index)), pos: f.Pos(),
		}
		if found.has("kubebuilder:validation:Schemaless") {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(c.active)) {
			if r := c.active[name]; r.field != nil && (!inList || r.lists) {
				c.rule = name
				r.field(c, found)
			}
		}
		c.structs(t, "", syntax.Type)
	}
}

// list reports whether a struct is the list type of a kind.
func list(s *ast.StructType) bool {
	var names []string
	for _, f := range s.Fields.List {
		switch e := f.Type.(type) {
		case *ast.Ident:
			if len(f.Names) == 0 {
				names = append(names, e.Name)
			}
		case *ast.SelectorExpr:
			if len(f.Names) == 0 {
				names = append(names, e.Sel.Name)
			}
		case *ast.ArrayType:
			for _, n := range f.Names {
				names = append(names, n.Name)
			}
		}
	}
	return slices.Equal(names, []string{"TypeMeta", "ListMeta", "Items"}) && len(s.Fields.List) == len(names)
}

// resolved returns the type of a field.
func (c *checker) resolved(f *field) *resolve.Type { return c.resolver.Expr(f.file, f.syntax.Type) }

// inline reports whether a field is embedded in JSON.
func (f *field) inline() bool {
	return f.embedded && f.json == ""
}

// all returns the markers of a field and of the types that its type is declared as, as far as they are
// named.
func (c *checker) all(f *field) []mark {
	return append(slices.Clone(f.markers), c.typeMarks(f.file, f.syntax.Type)...)
}

// typeMarks returns the markers of the declaration that an expression refers to, and of those below.
func (c *checker) typeMarks(file *load.File, e ast.Expr) []mark {
	const deep = 20
	var found []mark
	for range deep {
		for {
			star, ok := e.(*ast.StarExpr)
			if !ok {
				break
			}
			e = star.X
		}
		switch e.(type) {
		case *ast.Ident, *ast.SelectorExpr:
		default:
			return found
		}
		t, err := file.Resolve(e)
		if err != nil || t == nil {
			return found
		}
		found = append(found, marks(t.OwnLines())...)
		e, file = t.Spec.Type, t.File
	}
	return found
}
