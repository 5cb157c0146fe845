package fields

import (
	"go/constant"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// printsType reports whether an element of a variadic argument list belongs to the verb %T or %p of a constant format, so
// that nothing of the object is printed.
func printsType(addr *ssa.IndexAddr) bool {
	alloc, ok := addr.X.(*ssa.Alloc)
	if !ok || alloc.Comment != "varargs" {
		return false
	}
	c, ok := addr.Index.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return false
	}
	n, _ := constant.Int64Val(c.Value)
	for _, instr := range *alloc.Referrers() {
		slice, ok := instr.(*ssa.Slice)
		if !ok || len(*slice.Referrers()) != 1 {
			continue
		}
		call, ok := (*slice.Referrers())[0].(ssa.CallInstruction)
		if !ok {
			continue
		}
		args := call.Common().Args
		if len(args) < 2 || args[len(args)-1] != slice || !strings.HasSuffix(calledName(call), "f") {
			continue
		}
		if format, ok := text(args[len(args)-2]); ok {
			verb := verbOf(format, int(n))
			return verb == 'T' || verb == 'p'
		}
	}
	return false
}

// calledName returns the name of the function that a call names; empty if it is a value.
func calledName(call ssa.CallInstruction) string {
	c := call.Common()
	if c.IsInvoke() {
		return c.Method.Name()
	}
	if fn := c.StaticCallee(); fn != nil {
		return fn.Name()
	}
	return ""
}

// verbOf returns the verb for the operand n of a format; 0 if it is not known.
func verbOf(format string, n int) byte {
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		for i++; i < len(format) && strings.IndexByte("+-# 0123456789.", format[i]) >= 0; i++ {
		}
		if i == len(format) || format[i] == '[' || format[i] == '*' {
			return 0
		}
		if format[i] == '%' {
			continue
		}
		if n == 0 {
			return format[i]
		}
		n--
	}
	return 0
}
