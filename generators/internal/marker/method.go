package marker

import (
	"go/token"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/mod/module"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/model"
)

// methodVerbs are the verbs that a method of its own can have; inputVerbs those
// of them that send an object whose type can be chosen.
var (
	methodVerbs = []string{"create", "update", "get", "list", "patch", "apply"}
	inputVerbs  = []string{"create", "update", "apply"}
	methodKeys  = []string{"verb", "subresource", "input", "result"}
)

// Method is what "+genclient:method=Name,verb=,subresource=,input=,result=" says.
type Method struct {
	Name        string
	Verb        string
	Subresource string
	// Input and Result name types: "Kind" of the same package, or
	// "import/path.Kind". They are empty for the type itself.
	Input, Result string
	Pos           token.Position
}

// parseMethod reads a method marker; ok says that it had no fault.
func parseMethod(t Tag, diags *diag.List) (m Method, ok bool) {
	parts := strings.Split(t.Value, ",")
	m = Method{Name: parts[0], Pos: t.Pos}
	fail := func(format string, args ...any) (Method, bool) {
		diags.Errorf(t.Pos, format, args...)
		return m, false
	}
	if !model.IsExported(m.Name) {
		return fail("%q cannot be the name of a method; write +genclient:method=Name,verb=create with an exported Go name", m.Name)
	}
	for _, part := range parts[1:] {
		key, value, found := strings.Cut(part, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if !found || value == "" || strings.Contains(value, "=") {
			return fail("setting %q of method %s is not key=value", part, m.Name)
		}
		switch key {
		case "verb":
			m.Verb = value
		case "subresource":
			m.Subresource = value
		case "input":
			m.Input = value
		case "result":
			m.Result = value
		default:
			return fail("method %s has no setting %q%s", m.Name, key, suggest(key, methodKeys, ""))
		}
	}
	switch {
	case m.Verb == "":
		return fail("method %s has no verb; add one, as in +genclient:method=%s,verb=create", m.Name, m.Name)
	case !slices.Contains(methodVerbs, m.Verb):
		return fail("a method cannot have the verb %q%s", m.Verb, suggest(m.Verb, methodVerbs, ""))
	case m.Input != "" && !namesType(m.Input):
		return fail("input=%s of method %s names no type; write input=Type or input=import/path.Type", m.Input, m.Name)
	case m.Result != "" && !namesType(m.Result):
		return fail("result=%s of method %s names no type; write result=Type or result=import/path.Type", m.Result, m.Name)
	case m.Input != "" && !slices.Contains(inputVerbs, m.Verb):
		return fail("method %s: verb %q sends no object, so input= has no meaning; it goes with %s", m.Name, m.Verb, strings.Join(inputVerbs, ", "))
	}
	if plain := strings.ReplaceAll(m.Subresource, "/", ""); url.PathEscape(plain) != plain {
		diags.Suspectf(t.Pos, "%q cannot be the name of a subresource; want letters, digits and hyphens, as in subresource=scale", m.Subresource)
	}
	return m, true
}

// namesType reports whether s is the name of a type that emitted code can refer to:
// exported, and with an import path before it or none.
func namesType(s string) bool {
	dot := strings.LastIndexByte(s, '.')
	if dot >= 0 && module.CheckImportPath(s[:dot]) != nil {
		return false
	}
	return model.IsExported(s[dot+1:])
}
