package kubemarker

import (
	"errors"
	"go/token"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// at is the position of the markers in tests.
var at = token.Position{Filename: "a.go", Line: 1, Column: 4}

// parse parses a marker at a place.
func parse(text string, place Place) (*Marker, error) {
	def, items := Lookup(text, place)
	if def == nil {
		return nil, errors.New("no definition")
	}
	return Parse(def, items, text, at)
}

var valueCases = []struct {
	name, give string
	want       any
}{
	{"integer", "+kubebuilder:default=3", int64(3)},
	{"negative", "+kubebuilder:default=-3", int64(-3)},
	{"float", "+kubebuilder:default=1.5", 1.5},
	{"bool", "+kubebuilder:default=true", true},
	{"word that starts like a bool", "+kubebuilder:default=trueish", "trueish"},
	{"bare string", "+kubebuilder:default=ClusterIP", "ClusterIP"},
	{"quantity", "+kubebuilder:default=100Mi", "100Mi"},
	{"date", "+kubebuilder:default=2024-01-15", "2024-01-15"},
	{"invalid octal", "+kubebuilder:default=087bdd", "087bdd"},
	{"quoted", `+kubebuilder:default="a,b"`, "a,b"},
	{"raw", "+kubebuilder:default=`a\\b`", `a\b`},
	{"single quotes are kept", "+kubebuilder:default='a'", "'a'"},
	{"empty", `+kubebuilder:default=""`, ""},
	{"empty object", "+kubebuilder:default={}", map[string]any{}},
	{"list", "+kubebuilder:default={1,2}", []any{int64(1), int64(2)}},
	{"list with semicolons", "+kubebuilder:default=a;b", []any{"a", "b"}},
	{"object", `+kubebuilder:default={a: 1, b: {c: d}, e: {"x","y"}}`, map[string]any{"a": int64(1), "b": map[string]any{"c": "d"}, "e": []any{"x", "y"}}},
	{"list of objects", "+kubebuilder:default={{a: b},{c: d}}", []any{map[string]any{"a": "b"}, map[string]any{"c": "d"}}},
	{"JSON", `+default={"a": [1, null]}`, map[string]any{"a": []any{1.0, nil}}},
	{"constant", "+default=ref(X)", nil},
	{"enum", "+kubebuilder:validation:Enum=a;1;true", []any{"a", int64(1), true}},
	{"enum in braces", "+kubebuilder:validation:Enum={a,b}", []any{"a", "b"}},
	{"number", "+kubebuilder:validation:Maximum=1e3", 1000.0},
	{"comment after a number of k8s:", "+k8s:maxItems=3 # few", int64(3)},
	{"items", "+kubebuilder:validation:items:Pattern=`^a$`", "^a$"},
	{"list type", "+listType=map", "map"},
}

func TestValues(t *testing.T) {
	for _, c := range valueCases {
		t.Run(c.name, func(t *testing.T) {
			m, err := parse(c.give, OnField)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, m.Value); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestArguments(t *testing.T) {
	m, err := parse(`+kubebuilder:resource:path=shoes,shortName={sh,s},categories=all;mine,scope=Cluster`, OnType)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"path": "shoes", "shortName": []string{"sh", "s"}, "categories": []string{"all", "mine"}, "scope": "Cluster"}
	if d := cmp.Diff(want, m.Values); d != "" {
		t.Error(d)
	}
}

func TestPositions(t *testing.T) {
	const text = `+kubebuilder:rbac:groups="",verbs= get;list,resources={a,b}`
	m, err := parse(text, OnProgram)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"groups": `"",verbs`, "verbs": "get;list", "resources": "{a,b}", "namespace": "+kubebuilder"} {
		if pos := m.At(name); !strings.HasPrefix(text[pos.Column-at.Column:], want) {
			t.Errorf("%s is at column %d, not at %s", name, pos.Column, want)
		}
	}
	if got := m.Strings("verbs"); len(got) != 2 || m.Strings("urls") != nil {
		t.Errorf("verbs are %q", got)
	}
}

var faultCases = []struct {
	name, give string
	column     int
	want       string
}{
	{"not a number", "+kubebuilder:validation:MinLength=x", 38, `want an integer, found "x"`},
	{"not a whole number", "+kubebuilder:validation:Maximum=ten", 36, `want a number, found "ten", as in +kubebuilder:validation:Maximum=100`},
	{"no value", "+kubebuilder:validation:Enum", 32, "+kubebuilder:validation:Enum has no value; want a list, as in"},
	{"value of a marker without", "+optional=true", 14, "+optional takes no value; remove =true"},
	{"unknown argument", `+kubebuilder:validation:XValidation:rules="a"`, 40, "unknown argument rules of +kubebuilder:validation:XValidation; did you mean rule?"},
	{"missing argument", `+kubebuilder:validation:XValidation:message="a"`, 40, "+kubebuilder:validation:XValidation has no argument rule, as in"},
	{"text after the value", "+kubebuilder:validation:Pattern=a,b", 37, `unexpected ",b" after the value; quote it if it is part of it`},
	{"open brace", "+kubebuilder:default={1,2", 29, "want a comma or }, found the end"},
	{"open quote", `+kubebuilder:default="a`, 25, "literal not terminated"},
	{"JSON", "+default=a", 13, "invalid JSON a: invalid character 'a' looking for beginning of value; quote strings with \""},
}

func TestFaults(t *testing.T) {
	for _, c := range faultCases {
		t.Run(c.name, func(t *testing.T) {
			_, err := parse(c.give, OnField)
			var fault *Error
			if !errors.As(err, &fault) {
				t.Fatalf("got %v", err)
			}
			if !strings.HasPrefix(fault.Message, c.want) || fault.Pos.Column != c.column {
				t.Errorf("got %d: %s, want %d: %s", fault.Pos.Column, fault.Message, c.column, c.want)
			}
		})
	}
}

func TestUnknown(t *testing.T) {
	for _, c := range []struct {
		name, give string
		place      Place
		want       string
	}{
		{"near miss", "+kubebuilder:validation:MinLenght=1", OnField, "unknown marker +kubebuilder:validation:MinLenght; did you mean +kubebuilder:validation:MinLength?"},
		{"near another prefix too", "+kubebuilder:validation:Minimun=1", OnField, "unknown marker +kubebuilder:validation:Minimun; did you mean +kubebuilder:validation:Minimum?"},
		{"near a marker with another meaning", "+kubebuilder:validation:Require", OnField, "unknown marker +kubebuilder:validation:Require; did you mean +kubebuilder:validation:Required?"},
		{"misspelled prefix", "+kubebuilder:validaton:Minimum=1", OnField, "unknown marker +kubebuilder:validaton:Minimum; did you mean +kubebuilder:validation:Minimum?"},
		{"items", "+kubebuilder:validation:items:Minimun=1", OnField, "unknown marker +kubebuilder:validation:items:Minimun; did you mean +kubebuilder:validation:items:Minimum?"},
		{"colon", "+kubebuilder:validation:UniqueItems:true", OnField, "unknown marker +kubebuilder:validation:UniqueItems:true; did you mean +kubebuilder:validation:UniqueItems=true?"},
		{"period", "+optional.", OnField, "unknown marker +optional.; did you mean +optional?"},
		{"on a type", "+kubebuilder:default=1", OnType, "+kubebuilder:default has no effect on a type; it describes fields"},
		{"other generators", "+kubebuilder:rbac:groups=a", OnPackage, ""},
		{"something else", "+enum", OnType, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, _ := Unknown(c.give, c.place); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestExamples parses the example of every definition, which messages show.
func TestExamples(t *testing.T) {
	for _, def := range Definitions {
		text := def.Example
		if text == "" {
			text = "+" + def.Name
		}
		for _, place := range []Place{OnPackage, OnType, OnField, OnProgram} {
			if def.Places&place == 0 {
				continue
			}
			if found, _ := Lookup(text, place); found != def {
				t.Errorf("%s on a %s is %v", text, place, found)
			} else if _, err := parse(text, place); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
}

// FuzzParse parses arbitrary markers at all places: nothing panics, and faults are within the line.
func FuzzParse(f *testing.F) {
	for _, c := range valueCases {
		f.Add(c.give)
	}
	for _, c := range faultCases {
		f.Add(c.give)
	}
	for _, def := range Definitions {
		f.Add("+" + def.Name)
		f.Add("+" + strings.TrimPrefix(def.Example, "+"))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !strings.HasPrefix(text, "+") || strings.Contains(text, "\n") {
			return
		}
		for _, place := range []Place{OnPackage, OnType, OnField, OnProgram} {
			def, items := Lookup(text, place)
			if def == nil {
				_, _ = Unknown(text, place)
				continue
			}
			m, err := Parse(def, items, text, at)
			var fault *Error
			switch {
			case err == nil:
				_ = m.Written()
			case !errors.As(err, &fault) || fault.Message == "":
				t.Errorf("got %v", err)
			case fault.Pos.Column < at.Column || fault.Pos.Column > at.Column+len(text):
				t.Errorf("%s is at column %d of %q", fault.Message, fault.Pos.Column, text)
			}
		}
	})
}
