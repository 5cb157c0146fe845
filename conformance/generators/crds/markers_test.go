package crds_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/generators/crds"
)

var (
	markerCount = flag.Int("markers", 50000, "number of random markers")
	markerSeed  = flag.Uint64("markers.seed", 1, "seed of the random markers")
)

// arguments are the markers with the names of their arguments; a marker without a colon at the end of its
// arguments has a value, or none.
var arguments = map[string][]string{
	"kubebuilder:validation:XValidation": {"rule", "message", "messageExpression", "reason", "fieldPath", "optionalOldSelf"},
	"kubebuilder:resource":               {"path", "singular", "shortName", "categories", "scope"},
	"kubebuilder:printcolumn":            {"name", "type", "JSONPath", "description", "format", "priority"},
	"kubebuilder:subresource:scale":      {"specpath", "statuspath", "selectorpath"},
	"kubebuilder:deprecatedversion":      {"warning"},
	"kubebuilder:metadata":               {"annotations", "labels"},
	"kubebuilder:selectablefield":        {"JSONPath"},
	"kubebuilder:externalDocs":           {"url", "description"},
	"kubebuilder:rbac":                   {"groups", "resources", "resourceNames", "verbs", "urls", "namespace", "roleName"},
	"kubebuilder:webhook":                {"mutating", "failurePolicy", "timeoutSeconds", "verbs", "servicePort", "admissionReviewVersions", "patch"},
	"kubebuilder:webhookconfiguration":   {"mutating", "name"},
}

var names = strings.Fields(`
	groupName versionName kubebuilder:skip kubebuilder:storageversion kubebuilder:skipversion kubebuilder:unservedversion
	kubebuilder:subresource:status kubebuilder:default kubebuilder:example kubebuilder:title default nullable optional required
	listType listMapKey mapType structType k8s:listType k8s:listMapKey k8s:optional k8s:required k8s:enum k8s:immutable
	k8s:maxItems k8s:minimum k8s:maximum kubebuilder:pruning:PreserveUnknownFields
	kubebuilder:validation:Maximum kubebuilder:validation:Minimum kubebuilder:validation:ExclusiveMaximum
	kubebuilder:validation:ExclusiveMinimum kubebuilder:validation:MultipleOf kubebuilder:validation:MinProperties
	kubebuilder:validation:MaxProperties kubebuilder:validation:MaxLength kubebuilder:validation:MinLength
	kubebuilder:validation:Pattern kubebuilder:validation:MaxItems kubebuilder:validation:MinItems
	kubebuilder:validation:UniqueItems kubebuilder:validation:Enum kubebuilder:validation:Format kubebuilder:validation:Type
	kubebuilder:validation:XPreserveUnknownFields kubebuilder:validation:XEmbeddedResource
	kubebuilder:validation:XIntOrString kubebuilder:validation:EmbeddedResource kubebuilder:validation:Schemaless
	kubebuilder:validation:Required kubebuilder:validation:Optional kubebuilder:validation:AtMostOneOf
	kubebuilder:validation:ExactlyOneOf kubebuilder:validation:AtLeastOneOf`)

// writer writes random markers.
type markerWriter struct{ *rand.Rand }

func (w markerWriter) pick(list ...string) string { return list[w.IntN(len(list))] }

func (w markerWriter) marker() crds.Marker {
	m := crds.Marker{On: w.pick("package", "type", "type", "type", "field", "field", "field", "field", "field", "field")}
	var name string
	var args []string
	if w.IntN(3) == 0 {
		name = w.pick(slices.Sorted(maps.Keys(arguments))...)
		args = arguments[name]
	} else {
		name = w.pick(names...)
	}
	if rest, ok := strings.CutPrefix(name, "kubebuilder:validation:"); ok && w.IntN(5) == 0 {
		name = "kubebuilder:validation:items:" + rest
	}
	if w.IntN(40) == 0 {
		name += w.pick("s", ":", "x", " ")
	}
	m.Text = "+" + name
	switch {
	case args != nil && w.IntN(8) > 0:
		m.Text += ":"
		for i := range 1 + w.IntN(len(args)) {
			if i > 0 {
				m.Text += w.pick(",", ",", ",", ", ", ";", "")
			}
			m.Text += w.pick(args[i], args[i], args[i], args[i], w.pick(args...), "other") + w.pick("=", "=", "=", "=", ":=", " = ", "") + w.value(0)
		}
	case w.IntN(8) > 0:
		m.Text += w.pick("=", "=", "=", "=", "=", ":=", ":", " ", "= ", " =") + w.value(0)
	}
	if w.IntN(15) == 0 {
		m.Text += w.pick(" ", ",", ";", "}", "# comment", " # comment", "x", "=", `"`)
	}
	// Comments are read without the space around them.
	m.Text = strings.TrimSpace(m.Text)
	return m
}

// value returns a random value, most of the time a valid one of some type.
func (w markerWriter) value(depth int) string {
	kinds := 12
	if depth > 2 {
		kinds = 8
	}
	switch w.IntN(kinds) {
	case 0:
		return w.pick("0", "1", "-7", "007", "3.5", "-0.25", "1e3", "1E-2", "9007199254740993", "99999999999999999999", "0x1f", "1_000", "+5", ".5", "5.", "-", "0b11", "0o7")
	case 1:
		return w.pick("true", "false", "True", "null", "nil", "~", "t")
	case 2, 3:
		return w.pick("text", "a-b", "two words", "x.y.z", ".spec.size", "v1", "1a", "a1", "ümlaut", "日本", "a/b", "*", "a:b", "a=b", "<x>", "#x", "$", "@", "a'b", "a\\b", "it's", "(a)", "[a]", "")
	case 4, 5:
		return w.pick(`"text"`, `"a b"`, `"a,b;c"`, `"a\"b"`, `"a\\d"`, `"tab\t"`, `""`, `"{}"`, `"ü"`, `"\u00fc"`, `"\d"`, `"unfinished`, `"1"`, `"true"`, `'a'`, `'ab'`)
	case 6:
		return w.pick("`raw`", "`a\"b`", "`^[a-z]+(,|;)$`", "`a\\b`", "``", "`unfinished", "`a` `b`")
	case 7:
		var b strings.Builder
		for range w.IntN(8) {
			b.WriteString(w.pick("a", "1", " ", "{", "}", ";", ",", ":", "=", `"`, "`", "-", ".", "+", "[", "]", "'", "/", "//", "\\", "true", "é"))
		}
		return b.String()
	case 8:
		return w.list("", w.pick(";", ";", "; ", ","), "", depth)
	case 9:
		return w.list("{", w.pick(",", ",", ", ", ";"), w.pick("}", "}", "}", "}", ""), depth)
	case 10:
		var b strings.Builder
		b.WriteString("{")
		for i := range w.IntN(4) {
			if i > 0 {
				b.WriteString(w.pick(",", ",", ", ", ";"))
			}
			b.WriteString(w.pick("a", "b", "key", `"quoted"`, "`raw`", "a-b", "1", "") + w.pick(":", ":", ": ", " : ", "=") + w.value(depth+1))
		}
		return b.String() + w.pick("}", "}", "}", "}", "")
	default:
		text, _ := json.Marshal(map[string]any{"a": []any{1, "x", true, nil}, "b": map[string]any{}})
		return w.pick(string(text), `["a","b"]`, `[1,2]`, `{"a":"b"}`, `[]`, `{}`, "ref(Name)", "ref(pkg.Name)")
	}
}

func (w markerWriter) list(open, separator, end string, depth int) string {
	var items []string
	for range w.IntN(4) {
		items = append(items, w.value(depth+1))
	}
	return open + strings.Join(items, separator) + end
}

// TestMarkers compares how random markers are parsed.
func TestMarkers(t *testing.T) {
	w := markerWriter{rand.New(rand.NewPCG(*markerSeed, 7))}
	var list []crds.Marker
	for range *markerCount {
		list = append(list, w.marker())
	}
	their, ours := crds.ParsedByThem(t, list), crds.ParsedByUs(t, list)
	known, valid, used := 0, 0, make([]int, len(markerExceptions))
	failures := 0
	for i, m := range list {
		a, b := their[i], ours[i]
		if a.Name != "" {
			known++
			if a.Error == "" {
				valid++
			}
		}
		difference := parsedDifference(a, b)
		if difference == "" {
			continue
		}
		if e := markerException(m, a, b); e >= 0 {
			used[e]++
			continue
		}
		if failures++; failures <= 40 {
			t.Errorf("on %s: %s\n%s", m.On, m.Text, difference)
		}
	}
	for i, e := range markerExceptions {
		if used[i] == 0 && *markerSeed == 1 {
			t.Errorf("an exception without a difference: %s", e.reason)
		}
	}
	t.Logf("%d markers, %d known, %d valid; %d different without a reason, with one %v", len(list), known, valid, failures, used)
}

// parsedDifference returns how two results differ.
func parsedDifference(their, ours crds.Parsed) string {
	switch {
	case their.Name != ours.Name:
		return fmt.Sprintf("is %q, want %q", ours.Name, their.Name)
	case (their.Error == "") != (ours.Error == ""):
		return fmt.Sprintf("error %q, want %q (%s)", ours.Error, their.Error, their.Value)
	case their.Error != "":
		return ""
	}
	a, b := meaning(their.Value), meaning(ours.Value)
	if !reflect.DeepEqual(a, b) {
		return fmt.Sprintf("%s (%v), want %s (%v)", ours.Value, b, their.Value, a)
	}
	return ""
}

// meaning returns a value without what only one side writes: the type around a value of any type, the case
// of the names of arguments, and arguments with zero values.
func meaning(text json.RawMessage) any {
	var v any
	_ = json.Unmarshal(text, &v)
	m, ok := v.(map[string]any)
	if !ok {
		return clean(v)
	}
	if inner, ok := m["Value"]; ok && len(m) == 1 {
		return clean(inner)
	}
	return clean(v)
}

func clean(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, x := range v {
			if x = clean(x); x != nil {
				out[strings.ToLower(name)] = x
			}
		}
		if len(out) == 0 {
			return nil
		}
		return out
	case []any:
		if len(v) == 0 {
			return nil
		}
		return v
	case string:
		if v == "" {
			return nil
		}
	case bool:
		if !v {
			return nil
		}
	case float64:
		if v == 0 {
			return nil
		}
	}
	return v
}

// markerExceptions are intentional differences.
var markerExceptions = []struct {
	reason string
	fits   func(m crds.Marker, their, ours crds.Parsed) bool
}{
	{"controller-gen knows +k8s:enum on fields to refuse it; here it is unknown there, which is an error too", func(m crds.Marker, their, ours crds.Parsed) bool {
		return m.On == "field" && their.Name == "k8s:enum" && ours.Name == ""
	}},
	{"an empty list in an object in a list is a list; controller-gen writes null", func(_ crds.Marker, their, ours crds.Parsed) bool {
		return their.Error == "" && ours.Error == "" && strings.ReplaceAll(string(their.Value), "null", "[]") == string(ours.Value)
	}},
}

func markerException(m crds.Marker, their, ours crds.Parsed) int {
	for i, e := range markerExceptions {
		if e.fits(m, their, ours) {
			return i
		}
	}
	return -1
}
