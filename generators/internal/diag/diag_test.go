package diag_test

import (
	"errors"
	"go/token"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/generators/internal/diag"
)

func at(name string, line, column int) token.Position {
	return token.Position{Filename: name, Line: line, Column: column}
}

func TestDiagnosticString(t *testing.T) {
	for _, c := range []struct {
		name string
		give diag.Diagnostic
		want string
	}{
		{"error", diag.Diagnostic{Pos: at("a.go", 3, 4), Message: "no"}, "a.go:3:4: no"},
		{"warning", diag.Diagnostic{Pos: at("a.go", 3, 4), Severity: diag.Warning, Message: "hm"}, "a.go:3:4: warning: hm"},
		{"whole file", diag.Diagnostic{Pos: at("a.go", 0, 0), Message: "unreadable"}, "a.go: unreadable"},
		{"no column", diag.Diagnostic{Pos: at("a.go", 3, 0), Message: "no"}, "a.go:3: no"},
		{"no place", diag.Diagnostic{Message: "no"}, "no"},
		{"warning of no place", diag.Diagnostic{Severity: diag.Warning, Message: "hm"}, "warning: hm"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.give.String(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// printed returns the printed form of each diagnostic of an error.
func printed(err error) []string {
	var all diag.Errors
	if err == nil || !errors.As(err, &all) {
		return nil
	}
	var lines []string
	for _, d := range all {
		lines = append(lines, d.String())
	}
	return lines
}

func TestErr(t *testing.T) {
	dir := filepath.FromSlash("/src/dir")
	in := func(name string, line, column int) token.Position {
		return at(filepath.Join(dir, name), line, column)
	}
	for _, c := range []struct {
		name string
		give []diag.Diagnostic
		want []string
	}{
		{name: "none"},
		{
			name: "only warnings",
			give: []diag.Diagnostic{{Pos: in("a.go", 1, 1), Severity: diag.Warning, Message: "hm"}},
		},
		{
			name: "one",
			give: []diag.Diagnostic{{Pos: in("a.go", 1, 1), Message: "x"}},
			want: []string{"a.go:1:1: x"},
		},
		{
			name: "by file, line, column and message",
			give: []diag.Diagnostic{
				{Pos: in("b.go", 1, 1), Message: "x"},
				{Pos: in("a.go", 10, 1), Message: "x"},
				{Pos: in("a.go", 9, 2), Message: "b"},
				{Pos: in("a.go", 9, 2), Message: "a"},
				{Pos: in("a.go", 9, 1), Message: "z"},
			},
			want: []string{"a.go:9:1: z", "a.go:9:2: a", "a.go:9:2: b", "a.go:10:1: x", "b.go:1:1: x"},
		},
		{
			name: "each once",
			give: []diag.Diagnostic{
				{Pos: token.Position{Filename: filepath.Join(dir, "a.go"), Line: 1, Column: 1, Offset: 7}, Message: "x"},
				{Pos: in("a.go", 2, 1), Message: "x"},
				{Pos: in("a.go", 1, 1), Message: "x"},
				{Pos: in("a.go", 1, 1), Message: "y"},
				{Pos: in("a.go", 1, 1), Severity: diag.Warning, Message: "x"},
			},
			want: []string{"a.go:1:1: x", "a.go:1:1: y", "a.go:2:1: x"},
		},
		{
			name: "relative below the directory, unchanged elsewhere",
			give: []diag.Diagnostic{
				{Pos: in("sub/deep/a.go", 1, 1), Message: "below"},
				{Pos: in("../other/a.go", 1, 1), Message: "beside"},
				{Pos: at(dir+"2/a.go", 1, 1), Message: "same beginning"},
				{Message: "nowhere"},
			},
			want: []string{"nowhere", "/src/dir2/a.go:1:1: same beginning", "/src/other/a.go:1:1: beside", "sub/deep/a.go:1:1: below"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var l diag.List
			for _, d := range c.give {
				add := l.Errorf
				if d.Severity == diag.Warning {
					add = l.Warnf
				}
				add(d.Pos, "%s", d.Message)
			}
			err := l.Err(dir)
			if c.want == nil && err != nil {
				t.Fatalf("got %v, want nil", err)
			}
			if d := cmp.Diff(c.want, printed(err)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestWarnings(t *testing.T) {
	var l diag.List
	l.Warnf(at("/dir/b.go", 1, 1), "number %d", 2)
	l.Errorf(at("/dir/a.go", 1, 1), "an error")
	l.Warnf(at("/dir/a.go", 1, 1), "number %d", 1)
	want := []diag.Diagnostic{
		{Pos: at("a.go", 1, 1), Severity: diag.Warning, Message: "number 1"},
		{Pos: at("b.go", 1, 1), Severity: diag.Warning, Message: "number 2"},
	}
	if d := cmp.Diff(want, l.Warnings("/dir")); d != "" {
		t.Error(d)
	}
}

func TestSeverities(t *testing.T) {
	add := func(l *diag.List) {
		l.Errorf(at("a.go", 1, 1), "does not compile")
		l.Suspectf(at("a.go", 2, 1), "suspect")
		l.Warnf(at("a.go", 3, 1), "no effect")
		l.Advisef(at("a.go", 4, 1), "could be %s", "better")
	}
	const advice = "a.go:4:1: warning: could be better"
	for _, c := range []struct {
		name             string
		lenient, strict  bool
		errors, warnings []string
	}{
		{
			name:   "as they are",
			errors: []string{"a.go:1:1: does not compile", "a.go:2:1: suspect"}, warnings: []string{"a.go:3:1: warning: no effect", advice},
		},
		{
			name: "lenient", lenient: true,
			errors: []string{"a.go:1:1: does not compile"}, warnings: []string{"a.go:2:1: warning: suspect", "a.go:3:1: warning: no effect", advice},
		},
		{
			name: "strict", strict: true,
			errors: []string{"a.go:1:1: does not compile", "a.go:2:1: suspect", "a.go:3:1: no effect"}, warnings: []string{advice},
		},
		{
			name: "strict wins over lenient", lenient: true, strict: true,
			errors: []string{"a.go:1:1: does not compile", "a.go:2:1: suspect", "a.go:3:1: no effect"}, warnings: []string{advice},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := diag.List{Lenient: c.lenient, Strict: c.strict}
			add(&l)
			if d := cmp.Diff(c.errors, printed(l.Err(""))); d != "" {
				t.Error("errors:", d)
			}
			var warnings []string
			for _, w := range l.Warnings("") {
				warnings = append(warnings, w.String())
			}
			if d := cmp.Diff(c.warnings, warnings); d != "" {
				t.Error("warnings:", d)
			}
		})
	}
}

func TestErrorsError(t *testing.T) {
	err := diag.Errors{{Pos: at("a.go", 1, 2), Message: "one"}, {Message: "two"}}
	if got, want := err.Error(), "a.go:1:2: one\ntwo"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestListConcurrently fills a list from several goroutines, for the race detector.
func TestListConcurrently(t *testing.T) {
	var l diag.List
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for n := range 50 {
				l.Errorf(at("a.go", n+1, i+1), "fault")
				l.Warnf(at("a.go", n+1, i+1), "doubt")
			}
		})
	}
	wg.Wait()
	errs := printed(l.Err(""))
	if len(errs) != 8*50 || len(l.Warnings("")) != 8*50 {
		t.Errorf("got %d errors and %d warnings, want 400 of each", len(errs), len(l.Warnings("")))
	}
	if first, last := errs[0], errs[len(errs)-1]; first != "a.go:1:1: fault" || last != "a.go:50:8: fault" {
		t.Errorf("from %q to %q: not sorted", first, last)
	}
}
