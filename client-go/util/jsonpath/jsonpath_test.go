package jsonpath_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"

	"k8s.io/client-go/util/jsonpath"
)

// fruit is a struct, so that names come from tags and from Go.
type fruit struct {
	Base  `json:",inline"`
	Name  string            `json:"name"`
	Grams int               `json:"grams"`
	Tags  []string          `json:"tags"`
	Notes map[string]string `json:"notes"`
	Plain bool
	Next  *fruit `json:"next,omitempty"`
}

// Base is inlined.
type Base struct {
	Kind string `json:"kind"`
}

var basket = map[string]any{
	"owner": "Ann",
	"fruits": []fruit{
		{Base: Base{"Apple"}, Name: "a", Grams: 150, Tags: []string{"red", "round"}, Notes: map[string]string{"x.y/z": "dotted"}, Plain: true},
		{Base: Base{"Pear"}, Name: "b", Grams: 180, Tags: []string{"green"}, Next: &fruit{Name: "c"}},
		{Base: Base{"Plum"}, Name: "p (small)", Grams: 40},
	},
	"empty": []any{},
	"none":  nil,
	"json":  map[string]any{"n": 1.5, "b": true, "list": []any{"u", "v", "w", "x", "y"}, "s": "o'k"},
}

// templates are tested, and seed the fuzzer.
var templates = []struct {
	name, text string
	want       string // what is printed, or a part of the error if fails
	fails      bool
}{
	{name: "text", text: `no action`, want: "no action"},
	{name: "empty", text: ``, want: ""},
	{name: "field", text: `{.owner}`, want: "Ann"},
	{name: "dollar and at", text: `{$.owner}{@.owner}`, want: "AnnAnn"},
	{name: "without dot", text: `{$['owner']}`, want: "Ann"},
	{name: "between texts", text: `<{.owner}>`, want: "<Ann>"},
	{name: "quoted text", text: `{"a\tb"}{'c'}`, want: "a\tbc"},
	{name: "index", text: `{.fruits[1].name}`, want: "b"},
	{name: "last", text: `{.fruits[-1].kind}`, want: "Plum"},
	{name: "slice", text: `{.json.list[1:3]}`, want: "v w"},
	{name: "open slices", text: `{.json.list[3:]} {.json.list[:2]}`, want: "x y u v"},
	{name: "step", text: `{.json.list[0:5:2]}`, want: "u w y"},
	{name: "negative bounds", text: `{.json.list[-3:-1]}`, want: "w x"},
	{name: "all elements", text: `{.fruits[*].grams}`, want: "150 180 40"},
	{name: "wildcard", text: `{.fruits[0].notes.*}`, want: "dotted"},
	{name: "union of indices", text: `{.json.list[0,2]}`, want: "u w"},
	{name: "union of keys", text: `{.fruits[0]['name','kind']}`, want: "a Apple"},
	{name: "key in brackets", text: `{.fruits[0].notes['x\.y/z']}`, want: "dotted"},
	{name: "escaped dot", text: `{.fruits[0].notes.x\.y/z}`, want: "dotted"},
	{name: "inlined", text: `{.fruits[0].kind}`, want: "Apple"},
	{name: "name in Go", text: `{.fruits[0].Plain}`, want: "true"},
	{name: "pointer", text: `{.fruits[1].next.name}`, want: "c"},
	{name: "recursive", text: `{..grams}`, want: "150 180 0 40"},
	{name: "filter equal", text: `{.fruits[?(@.kind=="Pear")].name}`, want: "b"},
	{name: "filter not equal", text: `{.fruits[?(@.kind!='Pear')].grams}`, want: "150 40"},
	{name: "filter less", text: `{.fruits[?(@.grams<150)].kind}`, want: "Plum"},
	{name: "filter less or equal", text: `{.fruits[?(@.grams<=150)].kind}`, want: "Apple Plum"},
	{name: "filter greater", text: `{.fruits[?(@.grams>150)].kind}`, want: "Pear"},
	{name: "filter greater or equal", text: `{.fruits[?(@.grams>=150)].kind}`, want: "Apple Pear"},
	{name: "filter exists", text: `{.fruits[?(@.next)].kind}`, want: "Apple Pear Plum"},
	{name: "filter bool", text: `{.fruits[?(@.Plain==true)].kind}`, want: "Apple"},
	{name: "filter with parenthesis", text: `{.fruits[?(@.name=="p (small)")].kind}`, want: "Plum"},
	{name: "filter of strings", text: `{.json.list[?(@>"w")]}`, want: "x y"},
	{name: "range", text: `{range .fruits[*]}{.name}={.grams};{end}`, want: "a=150;b=180;p (small)=40;"},
	{name: "range of nothing", text: `{range .empty[*]}{"-"}{end}.`, want: "."},
	{name: "range without end", text: `{range .json.list[:2]}{"-"}`, want: "---"},
	{name: "field in a range of nothing", text: `{range .empty[*]}{.name}{end}.`, want: "name is not found", fails: true},
	{name: "nested ranges", text: `{range .fruits[*]}[{range .tags[*]}<{@}>{end}]{end}`, want: "[<red><round>][<green>][]"},
	{name: "list as JSON", text: `{.json.list}`, want: `["u","v","w","x","y"]`},
	{name: "map as JSON", text: `{.fruits[0].notes}`, want: `{"x.y/z":"dotted"}`},
	{name: "float and bool", text: `{.json.n} {.json.b}`, want: "1.5 true"},
	{name: "nil", text: `{.none}`, want: "null"},

	{name: "missing", text: `{.nothing}`, want: "nothing is not found", fails: true},
	{name: "out of bounds", text: `{.fruits[3]}`, want: "array index out of bounds", fails: true},
	{name: "bounds in reverse", text: `{.json.list[3:1]}`, want: "greater than", fails: true},
	{name: "step 0", text: `{.json.list[0:2:0]}`, want: "step must be > 0", fails: true},
	{name: "index of no list", text: `{.owner[0]}`, want: "is not array or slice", fails: true},
	{name: "filter of no list", text: `{.owner[?(@.a)]}`, want: "is not array or slice", fails: true},
	{name: "compares many", text: `{.fruits[?(@.tags[*]=="red")]}`, want: "one element at a time", fails: true},
	{name: "compares types", text: `{.fruits[?(@.grams=="a")]}`, want: "incompatible types", fails: true},
	{name: "end without range", text: `{end}`, want: "nothing to end", fails: true},
	{name: "unknown word", text: `{begin}`, want: "unrecognized identifier", fails: true},

	{name: "unclosed", text: `{.a`, want: "unclosed action", fails: true},
	{name: "unclosed bracket", text: `{.a[0}`, want: "unterminated array", fails: true},
	{name: "unclosed quote", text: `{"a}`, want: "unterminated quoted string", fails: true},
	{name: "unclosed filter", text: `{.a[?(.b}`, want: "unterminated filter", fails: true},
	{name: "filter without bracket", text: `{.a[?(.b)}`, want: "unclosed array", fails: true},
	{name: "invalid index", text: `{.a[b]}`, want: "invalid array index", fails: true},
	{name: "huge index", text: `{.a[99999999999999999999]}`, want: "is not a number", fails: true},
	{name: "invalid number", text: `{1.2.3}`, want: "cannot parse number", fails: true},
	{name: "invalid character", text: `{*}`, want: "unrecognized character", fails: true},
	{name: "recursive twice", text: `{....a}`, want: "invalid multiple recursive descent", fails: true},
}

func TestExecute(t *testing.T) {
	for _, tt := range templates {
		t.Run(tt.name, func(t *testing.T) {
			got, err := execute(tt.text)
			switch {
			case tt.fails && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("printed %q, error %v, want an error with %q", got, err, tt.want)
			case tt.fails && got != "":
				t.Errorf("printed %q in spite of the error", got)
			case !tt.fails && err != nil:
				t.Error(err)
			case !tt.fails && got != tt.want:
				t.Errorf("printed %q, want %q", got, tt.want)
			}
		})
	}
}

func execute(text string) (string, error) {
	j := jsonpath.New("test")
	if err := j.Parse(text); err != nil {
		return "", err
	}
	var b bytes.Buffer
	err := j.Execute(&b, basket)
	return b.String(), err
}

func TestAllowMissingKeys(t *testing.T) {
	j := jsonpath.New("test").AllowMissingKeys(true)
	if err := j.Parse(`<{.nothing.at.all}{.fruits[0].nothing}>{.owner}`); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := j.Execute(&b, basket); err != nil || b.String() != "<>Ann" {
		t.Errorf("printed %q, %v", b.String(), err)
	}
}

func TestEnableJSONOutput(t *testing.T) {
	j := jsonpath.New("test")
	j.EnableJSONOutput(true)
	if err := j.Parse(`{.fruits[*].name}`); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := j.Execute(&b, basket); err != nil {
		t.Fatal(err)
	}
	var names []string
	if err := json.Unmarshal(b.Bytes(), &names); err != nil || len(names) != 3 || !strings.Contains(b.String(), "\n    \"a\"") {
		t.Errorf("printed %s, %v", b.String(), err)
	}
}

func TestFindResults(t *testing.T) {
	if _, err := jsonpath.New("early").FindResults(basket); err == nil || !strings.Contains(err.Error(), "early") {
		t.Errorf("error before Parse is %v", err)
	}
	data := map[string]any{"list": []*fruit{{Name: "a"}}}
	j := jsonpath.New("test")
	if err := j.Parse(`{.list[*].name}`); err != nil {
		t.Fatal(err)
	}
	results, err := j.FindResults(data)
	if err != nil || len(results) != 1 || len(results[0]) != 1 {
		t.Fatalf("results %v, %v", results, err)
	}
	results[0][0].SetString("changed")
	if name := data["list"].([]*fruit)[0].Name; name != "changed" {
		t.Errorf("results are copies: the name is %q", name)
	}
}

func TestParser(t *testing.T) {
	p, err := jsonpath.Parse("test", `a{.b[0]['c'][?(@.d==1)]..e.*}{range}{1.5}{true}{[1,2]}`)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, node := range p.Root.Nodes {
		list, ok := node.(*jsonpath.ListNode)
		if !ok {
			got = append(got, node.String())
			continue
		}
		for _, node := range list.Nodes {
			got = append(got, node.Type().String())
		}
	}
	want := "NodeText: a NodeField NodeArray NodeField NodeFilter NodeRecursive NodeField NodeWildcard NodeIdentifier NodeFloat NodeBool NodeUnion"
	if got := strings.Join(got, " "); got != want {
		t.Errorf("nodes %s, want\n%s", got, want)
	}
}

func TestUnquoteExtend(t *testing.T) {
	for _, tt := range []struct {
		text, want string
		err        error
	}{
		{`"a"`, "a", nil},
		{`'a"b'`, `a"b`, nil},
		{`'a\'b'`, "a'b", nil},
		{`"\n\u00e4\x41"`, "\nä\x41", nil},
		{`''`, "", nil},
		{`a`, "", jsonpath.ErrSyntax},
		{``, "", jsonpath.ErrSyntax},
		{`"a'`, "", jsonpath.ErrSyntax},
		{"`a`", "", jsonpath.ErrSyntax},
		{`"\q"`, "", strconv.ErrSyntax},
	} {
		got, err := jsonpath.UnquoteExtend(tt.text)
		if got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: %q, %v", tt.text, got, err)
		}
	}
}

// No template is a panic, and an error prints nothing.
func FuzzExecute(f *testing.F) {
	for _, tt := range templates {
		f.Add(tt.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got, err := execute(text); err != nil && got != "" {
			t.Errorf("%q: printed %q, then %v", text, got, err)
		}
	})
}
