package marker

import (
	"go/token"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/mod/module"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/model"
)

// methodVerbs are the verbs of additional methods; inputVerbs are those that send an object
// of a configurable type.
var (
	methodVerbs = []string{"create", "update", "get", "list", "patch", "apply"}
	inputVerbs  = []string{"create", "update", "apply"}
	methodKeys  = []string{"verb", "subresource", "input", "result"}
)

// Method contains the settings of "+genclient:method=Name,verb=,subresource=,input=,result=".
type Method struct {
	Name        string
	Verb        string
	Subresource string
	// Input and Result are types: "Kind" in the same package, or "import/path.Kind"; empty
	// for the type itself.
	Input, Result string
	Pos           token.Position
}

// parseMethod parses a method marker; ok reports whether it is valid.
func parseMethod(t Tag, diags *diag.List) (m Method, ok bool) {
	parts := strings.Split(t.Value, ",")
	m = Method{Name: parts[0], Pos: t.Pos}
	var edits []diag.Edit
	fail := func(format string, args ...any) (Method, bool) {
		diags.Fix(edits...).Errorf(t.Pos, format, args...)
		return m, false
	}
	if !model.IsExported(m.Name) {
		return fail("invalid method name %q; use an exported Go name, as in +genclient:method=Name,verb=create", m.Name)
	}
	verbAt, at := 0, len(parts[0]+",")
	for _, part := range parts[1:] {
		start := at
		at += len(part + ",")
		key, value, found := strings.Cut(part, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if !found || value == "" || strings.Contains(value, "=") {
			return fail("invalid setting %q of method %s; use key=value", part, m.Name)
		}
		switch key {
		case "verb":
			m.Verb, verbAt = value, start+strings.LastIndex(part, value)
		case "subresource":
			m.Subresource = value
		case "input":
			m.Input = value
		case "result":
			m.Result = value
		default:
			hint, meant := suggest(key, methodKeys, "")
			edits = editValue(t, start+strings.Index(part, key), key, meant)
			return fail("unknown setting %q of method %s%s", key, m.Name, hint)
		}
	}
	switch {
	case m.Verb == "":
		return fail("method %s has no verb; add one, as in +genclient:method=%s,verb=create", m.Name, m.Name)
	case !slices.Contains(methodVerbs, m.Verb):
		hint, meant := suggest(m.Verb, methodVerbs, "")
		edits = editValue(t, verbAt, m.Verb, meant)
		return fail("unsupported verb %q of method %s%s", m.Verb, m.Name, hint)
	case m.Input != "" && !namesType(m.Input):
		return fail("input=%s of method %s is not a type; use input=Type or input=import/path.Type", m.Input, m.Name)
	case m.Result != "" && !namesType(m.Result):
		return fail("result=%s of method %s is not a type; use result=Type or result=import/path.Type", m.Result, m.Name)
	case m.Input != "" && !slices.Contains(inputVerbs, m.Verb):
		return fail("method %s: verb %q sends no object; remove input=, or use one of the verbs %s", m.Name, m.Verb, strings.Join(inputVerbs, ", "))
	}
	if plain := strings.ReplaceAll(m.Subresource, "/", ""); url.PathEscape(plain) != plain {
		diags.Suspectf(t.Pos, "invalid subresource %q; use letters, digits and hyphens, as in subresource=scale", m.Subresource)
	}
	return m, true
}

// namesType reports whether s is the name of an exported type, optionally with an import
// path.
func namesType(s string) bool {
	dot := strings.LastIndexByte(s, '.')
	if dot >= 0 && module.CheckImportPath(s[:dot]) != nil {
		return false
	}
	return model.IsExported(s[dot+1:])
}
