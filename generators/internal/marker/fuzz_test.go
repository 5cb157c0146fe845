package marker

import (
	"errors"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/model"
)

// FuzzParseType parses arbitrary comments above a type: nothing panics, every error is on a line of
// the comment, and a result without errors can be printed.
func FuzzParseType(f *testing.F) {
	for _, c := range typeCases {
		f.Add(c.give)
	}
	for _, c := range methodCases {
		f.Add("+genclient\n+genclient:method=" + c.give)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines := comment(text)
		var diags diag.List
		got := ParseType(lines, &diags)
		inside(t, lines, &diags)
		if diags.Err("") != nil {
			return
		}
		for _, v := range got.Skip {
			if !slices.Contains(Verbs, v) {
				t.Errorf("verb %q is skipped", v)
			}
		}
		names := map[string]bool{}
		for _, m := range got.Methods {
			if names[m.Name] || !token.IsIdentifier(m.Name) || !token.IsExported(m.Name) {
				t.Errorf("method named %q", m.Name)
			}
			names[m.Name] = true
			if !slices.Contains(methodVerbs, m.Verb) {
				t.Errorf("method of verb %q", m.Verb)
			}
		}
		if asked := slices.ContainsFunc(lines, func(l load.Line) bool { return l.Text == "+genclient" || strings.HasPrefix(l.Text, "+genclient=") }); asked != got.GenClient {
			t.Errorf("a client is requested: %v, generated: %v", asked, got.GenClient)
		}
	})
}

// FuzzParsePackage parses arbitrary comments of a package: nothing panics, every error is on a line
// of the comment, and names without an error are valid.
func FuzzParsePackage(f *testing.F) {
	for _, c := range packageCases {
		f.Add(c.give)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines := comment(text)
		var diags diag.List
		got := ParsePackage(lines, &diags)
		inside(t, lines, &diags)
		if got.GroupGoName != "" && !token.IsIdentifier(model.Title(got.GroupGoName)) {
			t.Errorf("group %q in Go", got.GroupGoName)
		}
		if odd := got.GroupName != strings.ToLower(got.GroupName) || strings.ContainsAny(got.GroupName, " \t\"\\/_"); odd && diags.Err("") == nil {
			t.Errorf("group %q", got.GroupName)
		}
		if given := got.HasGroupName || got.GroupGoName != ""; given != got.At.IsValid() {
			t.Errorf("names given: %v, at %v", given, got.At)
		}
	})
}

// inside fails unless every error is on one of the lines.
func inside(t *testing.T, lines []load.Line, diags *diag.List) {
	t.Helper()
	var all diag.Errors
	errors.As(diags.Err(""), &all)
	for _, d := range append(all, diags.Warnings("")...) {
		if d.Pos.Line < 1 || d.Pos.Line > len(lines) || d.Pos != lines[d.Pos.Line-1].Pos {
			t.Errorf("%s: not at the place of a line", d)
		}
		if strings.Contains(d.Message, "line 0") {
			t.Errorf("%s: names a missing line", d)
		}
	}
}
