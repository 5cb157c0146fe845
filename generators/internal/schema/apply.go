package schema

import (
	"errors"
	"fmt"
	"go/token"
	"math"
	"net/url"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/kubemarker"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/model"
)

// parse parses the markers in lines. Lines that are not markers of CRDs are skipped.
func (r *reader) parse(f *load.File, place kubemarker.Place, lines []load.Line) []*kubemarker.Marker {
	var list []*kubemarker.Marker
	for _, line := range lines {
		m, fault := r.parseLine(f, place, line)
		switch {
		case fault != nil:
			r.fault(fault.Pos, "%s", fault.Message)
		case m != nil:
			list = append(list, m)
		}
	}
	return list
}

// parseLine parses the marker in a line, and warns if there is none of its name at the place. Then, or if the line is
// not about CRDs, it returns nil.
func (r *reader) parseLine(f *load.File, place kubemarker.Place, line load.Line) (*kubemarker.Marker, *kubemarker.Error) {
	def, items := kubemarker.Lookup(line.Text, place)
	if def == nil {
		if message, c := kubemarker.Unknown(line.Text, place); message != "" && r.owned(f) {
			var edits []diag.Edit
			if c.New != "" {
				edits = []diag.Edit{{Line: line.Pos.Line, Column: line.Pos.Column, Old: c.Old, New: c.New}}
			}
			r.Diags.Fix(edits...).Warnf(line.Pos, "%s", message)
		}
		return nil, nil
	}
	m, err := kubemarker.Parse(def, items, line.Text, line.Pos)
	var fault *kubemarker.Error
	errors.As(err, &fault)
	return m, fault
}

// fault adds an error about a marker or, in packages outside of the run, which cannot be corrected
// there, a warning.
func (r *reader) fault(pos token.Position, format string, args ...any) {
	if !r.inRun(pos) {
		r.Diags.Warnf(pos, format, args...)
		return
	}
	r.Diags.Errorf(pos, format, args...)
}

// warnf adds a warning about a package of the run.
func (r *reader) warnf(pos token.Position, format string, args ...any) {
	if r.inRun(pos) {
		r.Diags.Warnf(pos, format, args...)
	}
}

// Markers are applied in the order of these ranks, and those of a rank in the order of the source:
// first those about types, which others depend on.
func rank(m *kubemarker.Marker) int {
	switch strings.TrimPrefix(m.Name, "kubebuilder:validation:") {
	case "Type", "XIntOrString":
		return 0
	case "listType", "k8s:listType", "default":
		return 1
	case "k8s:required":
		return 3
	case "AtMostOneOf":
		return 4
	case "ExactlyOneOf":
		return 5
	case "AtLeastOneOf":
		return 6
	}
	return 2
}

// apply applies markers to the schema of a field or, if d is not nil, of a type.
func (r *reader) apply(s *model.Schema, markers []*kubemarker.Marker, d *declared) {
	sorted := slices.Clone(markers)
	slices.SortStableFunc(sorted, func(a, b *kubemarker.Marker) int { return rank(a) - rank(b) })
	for _, m := range sorted {
		if !m.Items {
			r.applyOne(s, m, d)
		}
	}
	for _, m := range sorted {
		switch {
		case !m.Items:
		case s.Items == nil:
			r.fault(m.Pos, "+%s needs a list with items; move it to the type of the list, or remove items:", m.Written())
		default:
			r.applyOne(s.Items, m, d)
		}
	}
}

// applyOne applies a marker to a schema that it fits.
func (r *reader) applyOne(s *model.Schema, m *kubemarker.Marker, d *declared) {
	shape := r.shape(s)
	if m.Fits != 0 && m.Fits&shape == 0 {
		r.fault(m.Pos, "+%s applies to %s, not to %s; %s", m.Written(), m.Fits, shape, better(m, shape))
		return
	}
	if r.set(s, m) {
		return
	}
	switch m.Name {
	case "kubebuilder:validation:XValidation":
		r.rule(s, m)
	case "kubebuilder:validation:AtMostOneOf", "kubebuilder:validation:ExactlyOneOf", "kubebuilder:validation:AtLeastOneOf":
		r.oneOf(s, m)
	case "k8s:immutable":
		s.Validations = append(s.Validations, model.Rule{Rule: "self == oldSelf", Message: "field is immutable"})
	case "k8s:required":
		atLeastOne(s, shape)
	case "k8s:enum":
		r.enum(s, m, d)
	case "listMapKey", "k8s:listMapKey":
		if s.ListType != "map" {
			r.fault(m.Pos, "+%s needs +listType=map on the same field or type; add it", m.Name)
			return
		}
		if key, _ := m.Value.(string); !slices.Contains(s.ListMapKeys, key) {
			s.ListMapKeys = append(s.ListMapKeys, key)
		}
		r.check(s, m)
	case "kubebuilder:default":
		s.Default = m.Value
		if object, ok := m.Value.(map[string]any); ok && len(object) == 0 && shape == kubemarker.Array {
			s.Default = []any{}
		}
		r.check(s, m)
	case "default":
		if m.Value != nil {
			s.Default = m.Value
			r.check(s, m)
		}
	case "kubebuilder:externalDocs":
		if _, err := url.ParseRequestURI(m.Argument("url")); err != nil {
			r.fault(m.Pos, "invalid URL %q; use one such as https://example.com/docs", m.Argument("url"))
			return
		}
		s.ExternalDocs = &model.ExternalDocs{URL: m.Argument("url"), Description: m.Argument("description")}
	}
}

// better returns advice for a marker that does not fit.
func better(m *kubemarker.Marker, shape kubemarker.Shape) string {
	pairs := [][3]string{ // the names for texts, lists and objects
		{"MaxLength", "MaxItems", "MaxProperties"},
		{"MinLength", "MinItems", "MinProperties"},
	}
	name := strings.TrimPrefix(m.Name, "kubebuilder:validation:")
	i := map[kubemarker.Shape]int{kubemarker.Textual: 0, kubemarker.Array: 1, kubemarker.Object: 2}
	for _, pair := range pairs {
		if at, ok := i[shape]; ok && slices.Contains(pair[:], name) {
			return "did you mean +kubebuilder:validation:" + pair[at] + "?"
		}
		if slices.Contains(pair[:], name) && shape&kubemarker.Numeric != 0 {
			return "did you mean +kubebuilder:validation:" + pair[0][:3] + "imum?"
		}
	}
	switch {
	case !m.Items && shape == kubemarker.Array && m.Name != name:
		return "for the items of the list, write +kubebuilder:validation:items:" + name
	case shape == kubemarker.Untyped:
		return "add +kubebuilder:validation:Type"
	case m.Name == "mapType" || m.Name == "structType" || m.Name == "listType":
		return "remove it"
	}
	return "remove it, or change the type"
}

// set applies the markers that set one field of a schema, and reports whether the marker is one.
func (r *reader) set(s *model.Schema, m *kubemarker.Marker) bool {
	text, _ := m.Value.(string)
	number := func(to **float64) {
		n, _ := m.Value.(float64)
		if s.Type == "integer" && n != math.Trunc(n) {
			r.fault(m.Pos, "+%s=%v is not an integer, but the value is; round it", m.Written(), n)
			return
		}
		*to = &n
	}
	count := func(to **int64) {
		n, _ := m.Value.(int64)
		*to = &n
	}
	choice := func(to *string, choices ...string) {
		if !slices.Contains(choices, text) {
			r.fault(m.Pos, "unknown value %q of +%s; want one of %s", text, m.Name, strings.Join(choices, ", "))
			return
		}
		*to = text
	}
	yes, _ := m.Value.(bool)
	switch strings.TrimPrefix(m.Name, "kubebuilder:validation:") {
	case "Maximum", "k8s:maximum":
		number(&s.Maximum)
	case "Minimum", "k8s:minimum":
		number(&s.Minimum)
	case "MultipleOf":
		number(&s.MultipleOf)
	case "ExclusiveMaximum":
		s.ExclusiveMaximum = yes
	case "ExclusiveMinimum":
		s.ExclusiveMinimum = yes
	case "MaxLength":
		count(&s.MaxLength)
	case "MinLength":
		count(&s.MinLength)
	case "Pattern":
		s.Pattern = text
		r.check(s, m)
	case "MaxItems", "k8s:maxItems":
		count(&s.MaxItems)
	case "MinItems":
		count(&s.MinItems)
	case "UniqueItems":
		s.UniqueItems = yes
	case "MaxProperties":
		count(&s.MaxProperties)
	case "MinProperties":
		count(&s.MinProperties)
	case "Enum":
		s.Enum, _ = m.Value.([]any)
		r.check(s, m)
	case "Format":
		s.Format = text
	case "Type":
		s.Type = text
	case "nullable":
		s.Nullable = true
	case "XPreserveUnknownFields", "kubebuilder:pruning:PreserveUnknownFields":
		s.PreserveUnknownFields = true
	case "XEmbeddedResource", "EmbeddedResource":
		s.EmbeddedResource = true
	case "XIntOrString":
		s.IntOrString = true
	case "kubebuilder:title":
		if _, ok := m.Value.(string); !ok {
			r.fault(m.Pos, "+kubebuilder:title wants a string; quote it")
		}
		s.Title = text
	case "kubebuilder:example":
		s.Example = m.Value
	case "listType", "k8s:listType":
		choice(&s.ListType, "atomic", "set", "map")
	case "mapType", "structType":
		choice(&s.MapType, "atomic", "granular")
	default:
		return false
	}
	return true
}

// atLeastOne requires that a value is not empty, unless markers say how many it contains.
func atLeastOne(s *model.Schema, shape kubemarker.Shape) {
	one := int64(1)
	switch {
	case shape == kubemarker.Textual && s.MinLength == nil:
		s.MinLength = &one
	case shape == kubemarker.Array && s.MinItems == nil:
		s.MinItems = &one
	case shape == kubemarker.Object && s.MinProperties == nil:
		s.MinProperties = &one
	}
}

// reasons are the reasons that a rule can have.
var reasons = []string{"FieldValueRequired", "FieldValueInvalid", "FieldValueForbidden", "FieldValueDuplicate"}

// rule adds a validation rule.
func (r *reader) rule(s *model.Schema, m *kubemarker.Marker) {
	rule := model.Rule{
		Rule: m.Argument("rule"), Message: m.Argument("message"), MessageExpression: m.Argument("messageExpression"),
		Reason: m.Argument("reason"), FieldPath: m.Argument("fieldPath"),
	}
	if yes, ok := m.Values["optionalOldSelf"].(bool); ok {
		rule.OptionalOldSelf = &yes
		if !strings.Contains(rule.Rule, "oldSelf") {
			r.refuse(m.Pos, "optionalOldSelf has no effect, because the rule does not use oldSelf, so API servers refuse it; remove optionalOldSelf")
		}
	}
	if strings.TrimSpace(rule.Rule) == "" {
		r.fault(m.Pos, "rule of +%s is empty; write a CEL expression, as in %s", m.Written(), m.Example)
	}
	if rule.Reason != "" && !slices.Contains(reasons, rule.Reason) {
		r.fault(m.Pos, "unknown reason %q; want one of %s", rule.Reason, strings.Join(reasons, ", "))
	}
	s.Validations = append(s.Validations, rule)
	if rule.FieldPath != "" {
		r.check(s, m)
	}
}

// oneOf adds the rule of a marker such as ExactlyOneOf.
func (r *reader) oneOf(s *model.Schema, m *kubemarker.Marker) {
	names, _ := m.Value.([]string)
	if len(names) == 0 {
		return
	}
	for _, name := range names {
		if strings.Contains(name, ".") {
			r.fault(m.Pos, "+%s names fields of the type itself, not %s in a field of it; move the marker to that type", m.Name, name)
			return
		}
	}
	var terms []string
	for _, name := range names {
		if m.Name == "kubebuilder:validation:AtLeastOneOf" {
			terms = append(terms, "has(self."+name+")")
		} else {
			terms = append(terms, "(has(self."+name+")?1:0)")
		}
	}
	rule := model.Rule{}
	switch m.Name {
	case "kubebuilder:validation:AtMostOneOf":
		rule.Rule = strings.Join(terms, "+") + " <= 1"
		rule.Message = fmt.Sprintf("at most one of the fields in %v may be set", names)
	case "kubebuilder:validation:ExactlyOneOf":
		rule.Rule = strings.Join(terms, "+") + " == 1"
		rule.Message = fmt.Sprintf("exactly one of the fields in %v must be set", names)
	default:
		rule.Rule = strings.Join(terms, "||")
		rule.Message = fmt.Sprintf("at least one of the fields in %v must be set", names)
	}
	s.Validations = append(s.Validations, rule)
	r.check(s, m)
}
