package schema

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/kubemarker"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/marker"
	"github.com/listwatch/listwatch/generators/model"
)

// check is a marker whose value is compared with the whole schema that it belongs to, once all types
// are known.
type check struct {
	schema *model.Schema
	marker *kubemarker.Marker
}

// check adds a check.
func (r *reader) check(s *model.Schema, m *kubemarker.Marker) {
	if r.inRun(m.Pos) {
		r.checks = append(r.checks, check{s, m})
	}
}

// runChecks compares the values of markers with schemas.
func (r *reader) runChecks() {
	r.merged = true
	for _, c := range r.checks {
		m, s := c.marker, r.flatten(r.expand(c.schema))
		switch strings.TrimPrefix(m.Name, "kubebuilder:validation:") {
		case "kubebuilder:default", "default":
			if at, why := mismatch(c.schema.Default, s, ""); why != "" {
				r.fault(m.Pos, "default%s %s", at, why)
			} else if at, why := outside(c.schema.Default, s, ""); why != "" {
				r.refuse(m.Pos, "default%s %s", at, why)
			}
		case "Enum":
			for _, v := range s.Enum {
				if _, why := mismatch(v, &model.Schema{Type: s.Type}, ""); why != "" && !s.IntOrString {
					r.warnf(m.Pos, "value of enum %s", why)
				}
			}
		case "Pattern":
			if _, err := regexp.Compile(c.schema.Pattern); err != nil {
				r.fault(m.Pos, "invalid pattern: %v; write it in backquotes, in RE2's syntax", err)
			}
		case "XValidation":
			if _, why := walk(s, m.Argument("fieldPath")); why != "" {
				r.refuse(m.Pos, "fieldPath %s: %s", m.Argument("fieldPath"), why)
			}
		case "listMapKey", "k8s:listMapKey":
			r.checkKey(s, m)
		case "AtMostOneOf", "ExactlyOneOf", "AtLeastOneOf":
			names, _ := m.Value.([]string)
			for _, name := range names {
				if s.Properties[name] == nil {
					r.fault(m.Pos, "+%s names field %s, which the type does not have%s", m.Name, name, suggestion(name, s.Properties))
				}
			}
		}
	}
}

// checkKey checks that the key of a list names a field of its items.
func (r *reader) checkKey(s *model.Schema, m *kubemarker.Marker) {
	name, _ := m.Value.(string)
	if s.Items == nil || s.Items.PreserveUnknownFields && len(s.Items.Properties) == 0 {
		return
	}
	if s.Items.Properties[name] == nil {
		r.fault(m.Pos, "+%s=%s names no field of the list's items%s", m.Name, name, suggestion(name, s.Items.Properties))
	}
}

// suggestion returns the property with a name like another.
func suggestion(name string, properties map[string]*model.Schema) string {
	names := slices.Sorted(maps.Keys(properties))
	if best := marker.Nearest(name, names); best != "" {
		return "; did you mean " + best + "?"
	}
	if len(names) == 0 || len(names) > 12 {
		return "; use the JSON name of a field"
	}
	return "; want one of " + strings.Join(names, ", ")
}

// mismatch reports where and why a JSON value does not fit a schema; why is empty if it does.
func mismatch(value any, s *model.Schema, path string) (at, why string) {
	if value == nil {
		return "", ""
	}
	if s.IntOrString {
		switch value.(type) {
		case string, int64:
			return "", ""
		case float64:
			if isInteger(value) {
				return "", ""
			}
		}
		return path, fmt.Sprintf("is %s, but the value is an integer or a string", describe(value))
	}
	ok := true
	switch s.Type {
	case "string":
		_, ok = value.(string)
	case "boolean":
		_, ok = value.(bool)
	case "integer":
		ok = isInteger(value)
	case "number":
		_, isFloat := value.(float64)
		ok = isFloat || isInteger(value)
	case "array":
		list, isList := value.([]any)
		if ok = isList; ok && s.Items != nil {
			for i, item := range list {
				if at, why := mismatch(item, s.Items, path+"["+strconv.Itoa(i)+"]"); why != "" {
					return at, why
				}
			}
		}
	case "object":
		object, isObject := value.(map[string]any)
		if ok = isObject; ok {
			return mismatchObject(object, s, path)
		}
	}
	if !ok {
		return path, fmt.Sprintf("is %s, but the value is %s%s", describe(value), article(s.Type), quoteHint(value, s.Type))
	}
	return "", ""
}

// mismatchObject is mismatch for an object.
func mismatchObject(object map[string]any, s *model.Schema, path string) (at, why string) {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		property := s.Properties[name]
		if property == nil {
			property = s.AdditionalProperties
		}
		if property == nil {
			if len(s.Properties) > 0 && !s.PreserveUnknownFields && !s.EmbeddedResource && !s.AnyProperties {
				return path, "has the field " + name + ", which the type does not have" + suggestion(name, s.Properties)
			}
			continue
		}
		if at, why := mismatch(object[name], property, path+"."+name); why != "" {
			return at, why
		}
	}
	return "", ""
}

func isInteger(value any) bool {
	switch v := value.(type) {
	case int64:
		return true
	case float64:
		return v == math.Trunc(v)
	}
	return false
}

// describe returns a value with its type.
func describe(value any) string {
	text, _ := json.Marshal(value)
	switch value.(type) {
	case string:
		return "the string " + string(text)
	case []any:
		return "the list " + string(text)
	case map[string]any:
		return "the object " + string(text)
	}
	return string(text)
}

// article returns the type of a schema with its article.
func article(typ string) string {
	switch typ {
	case "integer", "object":
		return "an " + typ
	case "array":
		return "a list"
	}
	return "a " + typ
}

// quoteHint returns advice for a value that only lacks or has too many quotes.
func quoteHint(value any, typ string) string {
	text, isText := value.(string)
	_, isList := value.([]any)
	_, isObject := value.(map[string]any)
	switch {
	case typ == "string" && !isList && !isObject:
		return `; write it in quotes, as "` + fmt.Sprint(value) + `"`
	case isText && typ == "array":
		return "; write lists as {a,b}"
	case isText && typ == "object":
		return "; write objects as {a: b}"
	case isText && typ == "boolean" && (text == "true" || text == "false"), isText && (typ == "integer" || typ == "number") && isNumber(text):
		return "; write it without quotes, as " + text
	}
	return "; change one of them"
}

func isNumber(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}

// enum applies the marker +k8s:enum: the values are the constants of the type.
func (r *reader) enum(s *model.Schema, m *kubemarker.Marker, d *declared) {
	if d == nil {
		return
	}
	var values []string
	of := declarationOf(d.typ)
	of.File.Package.Files(func(f *load.File) bool {
		for _, decl := range f.Syntax.Decls {
			if decl, ok := decl.(*ast.GenDecl); ok && decl.Tok == token.CONST {
				values = append(values, constants(decl, of.Name)...)
			}
		}
		return true
	}, of.Name)
	if len(values) == 0 {
		r.fault(m.Pos, "type %s has no constants, so +%s allows no value; declare them as const A %s = \"a\"", of.Name, m.Name, of.Name)
		return
	}
	slices.SortFunc(values, func(a, b string) int { return strings.Compare(encoded(a), encoded(b)) })
	s.Type, s.Enum = "string", nil
	for _, v := range values {
		s.Enum = append(s.Enum, v)
	}
}

func encoded(text string) string {
	b, _ := json.Marshal(text)
	return string(b)
}

// constants returns the values of the constants of a type in a declaration, as far as they are string
// literals.
func constants(decl *ast.GenDecl, typ string) []string {
	var values []string
	for _, spec := range decl.Specs {
		spec, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		if id, ok := spec.Type.(*ast.Ident); !ok || id.Name != typ {
			continue
		}
		for _, value := range spec.Values {
			if lit, ok := value.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil {
					values = append(values, text)
				}
			}
		}
	}
	return values
}
