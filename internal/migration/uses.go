package migration

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/listwatch/listwatch/internal/migration/source"
)

// collect adds what the package's code does with types of client-go, besides naming declarations.
func (k *keeper) collect(pkg *source.Package) {
	for selector, selection := range pkg.Info.Selections {
		k.selection(selector, selection)
	}
	for _, file := range pkg.Syntax {
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.CompositeLit:
				k.literal(pkg.Info, node)
			case *ast.TypeAssertExpr:
				if node.Type != nil {
					k.assertion(pkg.Info, node.X, node.Type)
				}
			case *ast.TypeSwitchStmt:
				k.assertion(pkg.Info, asserted(node), cases(node)...)
			}
			return true
		})
	}
	for _, object := range pkg.Info.Defs {
		if name, ok := object.(*types.TypeName); ok {
			if named, ok := types.Unalias(name.Type()).(*types.Named); ok {
				k.candidates.add(named, own, "", name.Pos())
			}
		}
	}
}

// use adds a declaration that the code names.
func (k *keeper) use(at token.Pos, object types.Object) {
	if object.Pkg() == nil {
		return
	}
	if _, ok := object.(*types.PkgName); ok {
		return
	}
	// Types of client-go that are arguments of a type or function are the program's choice.
	switch generic := object.(type) {
	case *types.Func:
		object = generic.Origin()
	case *types.Var:
		object = generic.Origin()
	}
	kind, path := k.kindOf(object.Pkg().Path())
	switch kind {
	case foreign:
		for mentioned := range k.mentions(object.Type(), at) {
			k.seed(mentioned, fmt.Sprintf("%s of %s has its types", nameOfObject(object), object.Pkg().Path()), at)
		}
	case theirs:
		if object.Exported() {
			k.candidates.addType(object.Type(), theirs, path, at)
		}
		for mentioned := range k.mentions(object.Type(), at) {
			k.connect(path, mentioned, object.Pkg().Name()+"."+nameOfObject(object))
		}
	}
}

// leftOut adds a declaration that the code names if we have none for it.
func (k *keeper) leftOut(at token.Pos, object types.Object) {
	if object.Pkg() == nil || !object.Exported() {
		return
	}
	kind, path := k.kindOf(object.Pkg().Path())
	if kind != theirs {
		return
	}
	if d, ok := FindDecision(path, nameOfObject(object)); ok && d.Fate == LeftOut {
		k.seed(path, fmt.Sprintf("%s.%s is left out: %s", object.Pkg().Name(), nameOfObject(object), d.Why), at)
	}
}

// nameOfObject is the name of a declaration, after that of its type if it is a method.
func nameOfObject(object types.Object) string {
	function, ok := object.(*types.Func)
	if !ok || function.Signature().Recv() == nil {
		return object.Name()
	}
	receiver := types.Unalias(function.Signature().Recv().Type())
	if pointer, ok := receiver.(*types.Pointer); ok {
		receiver = types.Unalias(pointer.Elem())
	}
	if named, ok := receiver.(*types.Named); ok {
		return named.Obj().Name() + "." + object.Name()
	}
	return object.Name()
}

// selection adds what a method or field is reached through: an embedded type of another package.
func (k *keeper) selection(selector *ast.SelectorExpr, s *types.Selection) {
	if s.Obj().Pkg() == nil {
		return
	}
	kind, path := k.kindOf(s.Obj().Pkg().Path())
	if kind != theirs {
		return
	}
	mentioned := k.mentions(s.Obj().Type(), selector.Pos())
	mentioned[path] = true
	for _, owner := range owners(s) {
		if owner.Obj().Pkg() == nil {
			continue
		}
		switch kind, ownerPath := k.kindOf(owner.Obj().Pkg().Path()); kind {
		case foreign:
			for m := range k.mentions(s.Obj().Type(), selector.Pos()) {
				k.seed(m, fmt.Sprintf("%s of %s has its types", owner.Obj().Name(), owner.Obj().Pkg().Path()), selector.Pos())
			}
		case theirs:
			for m := range mentioned {
				k.connect(ownerPath, m, owner.Obj().Pkg().Name()+"."+owner.Obj().Name())
			}
		}
	}
}

// owners are the named types that a selection goes through.
func owners(s *types.Selection) []*types.Named {
	var all []*types.Named
	t := s.Recv()
	for i := 0; ; i++ {
		t = types.Unalias(t)
		if pointer, ok := t.(*types.Pointer); ok {
			t = types.Unalias(pointer.Elem())
		}
		if named, ok := t.(*types.Named); ok {
			all = append(all, named)
		}
		fields, ok := t.Underlying().(*types.Struct)
		if !ok || i >= len(s.Index())-1 {
			return all
		}
		t = fields.Field(s.Index()[i]).Type()
	}
}

// literal adds the fields of a foreign struct that a literal sets without their names.
func (k *keeper) literal(info *types.Info, literal *ast.CompositeLit) {
	if len(literal.Elts) == 0 {
		return
	}
	if _, keyed := literal.Elts[0].(*ast.KeyValueExpr); keyed {
		return
	}
	named, ok := types.Unalias(info.TypeOf(literal)).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return
	}
	fields, ok := named.Underlying().(*types.Struct)
	if kind, _ := k.kindOf(named.Obj().Pkg().Path()); !ok || kind != foreign {
		return
	}
	for field := range fields.Fields() {
		k.use(literal.Pos(), field)
	}
}

// assertion adds types that a value of an interface is asserted to have: a library that links the package of one may
// have created the value, unless the interface is of that package.
func (k *keeper) assertion(info *types.Info, value ast.Expr, expressions ...ast.Expr) {
	t := info.TypeOf(value)
	if t == nil {
		return
	}
	known := k.mentions(t, value.Pos())
	for _, expression := range expressions {
		t := info.TypeOf(expression)
		if t == nil {
			continue
		}
		for path := range k.mentions(t, expression.Pos()) {
			if k.linked[path] && !known[path] {
				k.seed(path, "a library may create the values that this assertion expects", expression.Pos())
			}
		}
	}
}

// asserted returns the value of a type switch.
func asserted(node *ast.TypeSwitchStmt) ast.Expr {
	var assertion ast.Expr
	switch assign := node.Assign.(type) {
	case *ast.ExprStmt:
		assertion = assign.X
	case *ast.AssignStmt:
		assertion = assign.Rhs[0]
	}
	if found, ok := assertion.(*ast.TypeAssertExpr); ok {
		return found.X
	}
	return assertion
}

// cases returns the types of a type switch.
func cases(node *ast.TypeSwitchStmt) []ast.Expr {
	var all []ast.Expr
	for _, statement := range node.Body.List {
		if clause, ok := statement.(*ast.CaseClause); ok {
			all = append(all, clause.List...)
		}
	}
	return all
}

// group connects what the generators of clients import: either all of their output is generated again, or none.
// What other generators import that write client-go's imports stays.
func (k *keeper) group(rewritten []*source.Package) {
	together := map[string]bool{}
	for _, pkg := range rewritten {
		for _, file := range pkg.Syntax {
			generator := generatorOf(file)
			if generator == "" {
				continue
			}
			for _, spec := range file.Imports {
				_, below, ok := pathOf(spec)
				if _, paired := FindPair(below); !ok || !paired {
					continue
				}
				switch {
				case replacesGenerator(generator):
					together[below] = true
				case writesClientGo(generator):
					k.seed(below, generator+" writes its import", spec.Pos())
				}
			}
		}
	}
	all := slices.Sorted(maps.Keys(together))
	for _, path := range all {
		k.connect(all[0], path, "generated code")
	}
}

// mentions returns the packages of theirs that a type contains, as far as code exchanges values of them by naming
// a declaration of the type. It adds the named types to the candidates.
func (k *keeper) mentions(t types.Type, at token.Pos) map[string]bool {
	found := map[string]bool{}
	k.mention(t, at, found, map[types.Type]bool{})
	return found
}

func (k *keeper) mention(t types.Type, at token.Pos, found map[string]bool, seen map[types.Type]bool) {
	t = types.Unalias(t)
	if t == nil || seen[t] {
		return
	}
	seen[t] = true
	again := func(t types.Type) { k.mention(t, at, found, seen) }
	switch t := t.(type) {
	case *types.Named:
		for argument := range t.TypeArgs().Types() {
			again(argument)
		}
		if t.Obj().Pkg() == nil {
			return
		}
		kind, path := k.kindOf(t.Obj().Pkg().Path())
		k.candidates.add(t, kind, path, at)
		if kind == theirs {
			found[path] = true
		}
		switch t.Underlying().(type) {
		case *types.Struct, *types.Interface, *types.Basic:
		default:
			// Values of other types need no name of theirs.
			if kind == foreign {
				again(t.Underlying())
			}
		}
	case *types.Pointer:
		again(t.Elem())
	case *types.Slice:
		again(t.Elem())
	case *types.Array:
		again(t.Elem())
	case *types.Chan:
		again(t.Elem())
	case *types.Map:
		again(t.Key())
		again(t.Elem())
	case *types.Tuple:
		for variable := range t.Variables() {
			again(variable.Type())
		}
	case *types.Signature:
		for parameter := range t.TypeParams().TypeParams() {
			again(parameter.Constraint())
		}
		again(t.Params())
		again(t.Results())
	case *types.Struct:
		for field := range t.Fields() {
			again(field.Type())
		}
	case *types.Interface:
		for method := range t.ExplicitMethods() {
			again(method.Type())
		}
		for embedded := range t.EmbeddedTypes() {
			again(embedded)
		}
	case *types.Union:
		for term := range t.Terms() {
			again(term.Type())
		}
	}
}
