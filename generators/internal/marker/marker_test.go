package marker

import (
	"errors"
	"fmt"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
)

// comment returns text as the lines of a comment that begins on line 1. The text of each is in
// column 4, as after "// ".
func comment(text string) []load.Line {
	var lines []load.Line
	for s := range strings.SplitSeq(text, "\n") {
		lines = append(lines, load.Line{Text: strings.TrimRight(strings.TrimLeft(s, " "), " \t\r"), Pos: place(len(lines) + 1)})
	}
	return lines
}

// place returns the position of a line of [comment].
func place(line int) token.Position {
	return token.Position{Filename: "types.go", Line: line, Column: 4}
}

// faults returns the errors in a list as "line: message", and then the warnings as
// "line: warning: message".
func faults(t *testing.T, diags *diag.List) []string {
	t.Helper()
	var all diag.Errors
	if err := diags.Err(""); err != nil && !errors.As(err, &all) {
		t.Fatalf("%v is not a diag.Errors", err)
	}
	var lines []string
	for _, d := range append(all, diags.Warnings("")...) {
		if d.Pos != place(d.Pos.Line) {
			t.Errorf("%s: not at the place of a line", d)
		}
		line := d.Pos.Line
		d.Pos = token.Position{}
		lines = append(lines, fmt.Sprintf("%d: %s", line, d))
	}
	return lines
}

func TestTags(t *testing.T) {
	for _, c := range []struct {
		name string
		give string
		want []Tag
	}{
		{name: "no marker", give: "Shoe is a kind.\n\n a+b=c\n- +list"},
		{name: "name only", give: "+genclient", want: []Tag{{Name: "genclient", Pos: place(1)}}},
		{name: "value", give: "+groupName=a.b", want: []Tag{{Name: "groupName", Value: "a.b", HasValue: true, Pos: place(1)}}},
		{name: "empty value", give: "+groupName=", want: []Tag{{Name: "groupName", HasValue: true, Pos: place(1)}}},
		{name: "value with equals sign", give: "+a=b=c=", want: []Tag{{Name: "a", Value: "b=c=", HasValue: true, Pos: place(1)}}},
		{name: "spaces are kept", give: "+a b= c ,d", want: []Tag{{Name: "a b", Value: " c ,d", HasValue: true, Pos: place(1)}}},
		{name: "sign alone", give: "+", want: []Tag{{Pos: place(1)}}},
		{name: "no name", give: "+=x", want: []Tag{{Value: "x", HasValue: true, Pos: place(1)}}},
		{
			name: "in their order, also if of one name",
			give: "+b=1\ntext\n+a\n\n+b=2",
			want: []Tag{
				{Name: "b", Value: "1", HasValue: true, Pos: place(1)},
				{Name: "a", Pos: place(3)},
				{Name: "b", Value: "2", HasValue: true, Pos: place(5)},
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := cmp.Diff(c.want, Tags(comment(c.give))); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestMentions(t *testing.T) {
	for _, c := range []struct {
		name string
		give string
		line int // 0 for none
	}{
		{"nothing", "", 0},
		{"in prose", "Put +genclient here.", 0},
		{"another marker", "+k8s:client-gen=false\n+resourceName=x", 0},
		{"genclient", "Shoe is a kind.\n+genclient", 2},
		{"one of the family", "+resourceName=x\n+genclient:noStatus\n+genclient", 2},
		{"an unknown one", "+genclient:frobnicate", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			pos, ok := Mentions(comment(c.give))
			if ok != (c.line > 0) {
				t.Fatalf("got %v, want %v", ok, c.line > 0)
			}
			if ok && pos != place(c.line) {
				t.Errorf("got %v, want line %d", pos, c.line)
			}
		})
	}
}

// packageCase is a comment of a package and the expected result.
type packageCase struct {
	name   string
	give   string
	want   Package
	faults []string // each without its end, see matches
}

var packageCases = []packageCase{
	{name: "nothing", give: "Package v1 holds shoes."},
	{
		name: "group",
		give: "+groupName=shop.example.com",
		want: Package{GroupName: "shop.example.com", HasGroupName: true, At: place(1)},
	},
	{
		name: "core group",
		give: "+groupName=",
		want: Package{HasGroupName: true, At: place(1)},
	},
	{
		name: "core group, without equals sign",
		give: "+groupName",
		want: Package{HasGroupName: true, At: place(1)},
	},
	{
		name: "group of one letter",
		give: "+groupName=a",
		want: Package{GroupName: "a", HasGroupName: true, At: place(1)},
	},
	{
		name: "group with digits and hyphens",
		give: "+groupName=3scale.my-org.net",
		want: Package{GroupName: "3scale.my-org.net", HasGroupName: true, At: place(1)},
	},
	{
		name: "group given twice alike",
		give: "+groupName=a.b\n+groupName=a.b",
		want: Package{GroupName: "a.b", HasGroupName: true, At: place(1)},
	},
	{
		name:   "groups that contradict each other",
		give:   "+groupName=a.b\ntext\n+groupName=c.d",
		want:   Package{GroupName: "a.b", HasGroupName: true, At: place(1)},
		faults: []string{"3: warning: +groupName=c.d contradicts +groupName=a.b at types.go:1; keep one"},
	},
	{
		name:   "a group contradicts the core group",
		give:   "+groupName=\n+groupName=a.b",
		want:   Package{HasGroupName: true, At: place(1)},
		faults: []string{"2: warning: +groupName=a.b contradicts +groupName= at types.go:1; keep one"},
	},
	{name: "group in upper case", give: "+groupName=Shop", want: Package{GroupName: "Shop", HasGroupName: true, At: place(1)}, faults: []string{`1: invalid API group "Shop"; `}},
	{name: "group with underscore", give: "+groupName=a_b", want: Package{GroupName: "a_b", HasGroupName: true, At: place(1)}, faults: []string{`1: invalid API group "a_b"; `}},
	{name: "group with empty label", give: "+groupName=a..b", want: Package{GroupName: "a..b", HasGroupName: true, At: place(1)}, faults: []string{`1: invalid API group "a..b"; `}},
	{name: "group that starts with a dot", give: "+groupName=.a", want: Package{GroupName: ".a", HasGroupName: true, At: place(1)}, faults: []string{`1: invalid API group ".a"; `}},
	{name: "group that starts with a hyphen", give: "+groupName=-a.b", want: Package{GroupName: "-a.b", HasGroupName: true, At: place(1)}, faults: []string{`1: invalid API group "-a.b"; `}},
	{name: "group that ends with a hyphen", give: "+groupName=a.b-", want: Package{GroupName: "a.b-", HasGroupName: true, At: place(1)}, faults: []string{`1: invalid API group "a.b-"; `}},
	{name: "group with a space", give: "+groupName=a b", want: Package{GroupName: "a b", HasGroupName: true, At: place(1)}, faults: []string{`1: invalid API group "a b"; `}},
	{name: "group in quotes", give: `+groupName="a"`, want: Package{GroupName: `"a"`, HasGroupName: true, At: place(1)}, faults: []string{`1: invalid API group "\"a\""; `}},
	{
		name:   "a good group after a bad one",
		give:   "+groupName=A\n+groupName=a",
		want:   Package{GroupName: "A", HasGroupName: true, At: place(1)},
		faults: []string{`1: invalid API group "A"; `, "2: warning: +groupName=a contradicts +groupName=A at types.go:1; keep one"},
	},
	{
		name: "name in Go",
		give: "+groupGoName=Shop",
		want: Package{GroupGoName: "Shop", At: place(1)},
	},
	{
		name: "the first name in Go counts",
		give: "+groupGoName=Shop\n+groupGoName=Store",
		want: Package{GroupGoName: "Shop", At: place(1)},
	},
	{
		name: "group and its name in Go",
		give: "+groupGoName=Shop\n+groupName=a.b\n+groupGoName=Shop",
		want: Package{GroupName: "a.b", HasGroupName: true, GroupGoName: "Shop", At: place(2)},
	},
	{name: "no name in Go", give: "+groupGoName=", faults: []string{`1: invalid Go name ""; use ASCII letters and digits and start with a letter, as in +groupGoName=Apps`}},
	{name: "hyphen in the name in Go", give: "+groupGoName=my-shop", faults: []string{`1: invalid Go name "my-shop"`}},
	{name: "digit before the name in Go", give: "+groupGoName=3Scale", faults: []string{`1: invalid Go name "3Scale"`}},
	{name: "name in Go that is not exported", give: "+groupGoName=_shop", faults: []string{`1: invalid Go name "_shop"`}},
	{name: "name in Go that is not ASCII", give: "+groupGoName=Äpfel", faults: []string{`1: invalid Go name "Äpfel"`}},
	{name: "keyword as name in Go", give: "+groupGoName=type", want: Package{GroupGoName: "type", At: place(1)}},
	{
		name: "tools turned off",
		give: "+k8s:client-gen=false\n+k8s:informer-gen=false\n+k8s:lister-gen=true",
		want: Package{Off: map[string]bool{"client-gen": true, "informer-gen": true}},
	},
	{
		name: "listers turned off",
		give: "+k8s:lister-gen=false",
		want: Package{Off: map[string]bool{"lister-gen": true}},
	},
	{name: "other tools do not matter", give: "+k8s:deepcopy-gen=false\n+k8s:client-gen\n+k8s:client-gen=no"},
	{
		name: "markers of all sorts",
		give: "Package v1 holds shoes.\n\n+k8s:deepcopy-gen=package\n+groupName=shop.example.com\n+groupGoName=Shop\n+genclient",
		want: Package{GroupName: "shop.example.com", HasGroupName: true, GroupGoName: "Shop", At: place(4)},
	},
}

// matches compares errors with the beginnings of the expected ones, because many messages end with
// long lists.
func matches(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.EqualFunc(got, want, strings.HasPrefix) {
		t.Errorf("faults:\n%s", cmp.Diff(want, got))
	}
}

func TestParsePackage(t *testing.T) {
	for _, c := range packageCases {
		t.Run(c.name, func(t *testing.T) {
			var diags diag.List
			got := ParsePackage(comment(c.give), &diags)
			matches(t, faults(t, &diags), c.faults)
			if c.want.Off == nil {
				c.want.Off = map[string]bool{}
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}
