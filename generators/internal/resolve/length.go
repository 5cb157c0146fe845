package resolve

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/listwatch/listwatch/generators/internal/load"
)

// length returns the value of an array's length.
func length(file *load.File, e ast.Expr) (int64, error) {
	v := value(file, e, 0, 0)
	if n, exact := constant.Int64Val(constant.ToInt(v)); exact && n >= 0 && constant.ToInt(v).Kind() == constant.Int {
		return n, nil
	}
	return 0, fmt.Errorf("array length %s is not understood", file.Source(e))
}

// value returns the value of a constant expression, which is unknown if it is not understood: calls
// except conversions and len, and constants of unreadable packages.
func value(file *load.File, e ast.Expr, iota int, depth int) constant.Value {
	unknown := constant.MakeUnknown()
	if depth > maxDepth {
		return unknown
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return value(file, e.X, iota, depth+1)
	case *ast.BasicLit:
		return constant.MakeFromLiteral(e.Value, e.Kind, 0)
	case *ast.Ident:
		if c := file.Package.Const(e.Name); c != nil {
			return constantValue(c, depth)
		}
		if e.Name == "iota" {
			return constant.MakeInt64(int64(iota))
		}
	case *ast.SelectorExpr:
		x, ok := e.X.(*ast.Ident)
		if !ok {
			return unknown
		}
		if p, _, err := Imported(file, x.Name); err == nil && p != nil {
			if c := p.Const(e.Sel.Name); c != nil {
				return constantValue(c, depth)
			}
		}
	case *ast.UnaryExpr:
		return unary(e.Op, value(file, e.X, iota, depth+1))
	case *ast.BinaryExpr:
		return binary(value(file, e.X, iota, depth+1), e.Op, value(file, e.Y, iota, depth+1))
	case *ast.CallExpr:
		f, ok := ast.Unparen(e.Fun).(*ast.Ident)
		if !ok || len(e.Args) != 1 {
			return unknown
		}
		arg := value(file, e.Args[0], iota, depth+1)
		if f.Name == "len" && arg.Kind() == constant.String {
			return constant.MakeInt64(int64(len(constant.StringVal(arg))))
		}
		if t, ok := types.Universe.Lookup(f.Name).(*types.TypeName); ok && !types.IsInterface(t.Type()) && arg.Kind() == constant.Int {
			return arg
		}
	}
	return unknown
}

// constantValue returns the value of a declared constant.
func constantValue(c *load.Const, depth int) constant.Value {
	if c.Value == nil {
		return constant.MakeUnknown()
	}
	return value(c.File, c.Value, c.Iota, depth+1)
}

func unary(op token.Token, x constant.Value) constant.Value {
	if x.Kind() != constant.Int || op != token.ADD && op != token.SUB {
		return constant.MakeUnknown()
	}
	return constant.UnaryOp(op, x, 0)
}

// maxShift limits shifts, whose results are held in memory.
const maxShift = 64

func binary(x constant.Value, op token.Token, y constant.Value) constant.Value {
	if op == token.ADD && x.Kind() == constant.String && y.Kind() == constant.String {
		return constant.BinaryOp(x, op, y)
	}
	if x.Kind() != constant.Int || y.Kind() != constant.Int {
		return constant.MakeUnknown()
	}
	switch op {
	case token.SHL, token.SHR:
		if n, ok := constant.Uint64Val(y); ok && n <= maxShift {
			return constant.Shift(x, op, uint(n))
		}
	case token.QUO:
		if constant.Sign(y) != 0 {
			return constant.BinaryOp(x, token.QUO_ASSIGN, y) // of integers
		}
	case token.REM:
		if constant.Sign(y) != 0 {
			return constant.BinaryOp(x, op, y)
		}
	case token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR, token.AND_NOT:
		return constant.BinaryOp(x, op, y)
	}
	return constant.MakeUnknown()
}
