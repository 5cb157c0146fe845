// Package diag collects the errors and warnings about the input of a run, with their
// positions in the source.
//
// A [Diagnostic] is one error or warning; a [List] collects the diagnostics of a run. An
// error stops the run before anything is written; a warning does not. Diagnostics print as
// "file:line:col: message". Files below the directory of the run are printed relative to
// it.
//
// Input that cannot be generated, or whose output would not compile, is an error. Input that
// another tool generates, but into output that does not compile or that no server accepts, is
// suspect: also an error, unless the run replaces that tool. What only looks wrong is a warning.
// Advice about input that does what it should is a warning even in strict lists.
//
// A List is safe for concurrent use.
package diag

import (
	"cmp"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Severity tells errors from warnings.
type Severity int

// The severities.
const (
	Error Severity = iota
	Warning
)

// Diagnostic is one error or warning.
type Diagnostic struct {
	// Pos is its position. Filename is empty if it concerns no particular file.
	Pos token.Position
	// Severity is Error if it stops the run.
	Severity Severity
	// Message describes the cause and the fix: lowercase, without a final period.
	Message string
	// Edits correct the file of Pos; empty if the correction is not known.
	Edits []Edit
}

// String returns "file:line:col: message", with "warning: " before the message
// of a warning.
func (d Diagnostic) String() string {
	message := d.Message
	if d.Severity == Warning {
		message = "warning: " + message
	}
	if d.Pos.Filename == "" {
		return message
	}
	return fmt.Sprintf("%s: %s", d.Pos, message)
}

// List collects diagnostics. The zero List is empty and ready for use. Its fields must be
// set before the first diagnostic is added.
type List struct {
	// Lenient reports suspect input as a warning instead of an error.
	Lenient bool
	// Strict turns all warnings into errors, except advice.
	Strict bool

	mu      sync.Mutex // guards the fields below
	items   []item
	ignored map[line]bool
}

// item is a diagnostic. Ignorable ones are dropped on ignored lines.
type item struct {
	Diagnostic
	ignorable bool
}

// line is a line of a file.
type line struct {
	file string
	n    int
}

// Errorf adds an error at pos, for input that cannot be generated or whose output would not
// compile.
func (l *List) Errorf(pos token.Position, format string, args ...any) {
	l.Fix().Errorf(pos, format, args...)
}

// Suspectf adds an error at pos or, if the list is lenient, a warning, for input whose output
// is of no use although other tools generate it.
func (l *List) Suspectf(pos token.Position, format string, args ...any) {
	l.Fix().Suspectf(pos, format, args...)
}

// Warnf adds a warning at pos or, if the list is strict, an error, for input that looks wrong.
func (l *List) Warnf(pos token.Position, format string, args ...any) {
	l.Fix().Warnf(pos, format, args...)
}

// Advisef adds a warning at pos, even if the list is strict, for input that has its effect but could be better.
func (l *List) Advisef(pos token.Position, format string, args ...any) {
	l.Fix().add(pos, Warning, true, format, args)
}

// Fix returns a Reporter for diagnostics that the edits correct.
func (l *List) Fix(edits ...Edit) Reporter { return Reporter{l, edits} }

// Reporter adds diagnostics with edits to a list.
type Reporter struct {
	list  *List
	edits []Edit
}

// Errorf is like [List.Errorf].
func (r Reporter) Errorf(pos token.Position, format string, args ...any) {
	r.add(pos, Error, false, format, args)
}

// Suspectf is like [List.Suspectf].
func (r Reporter) Suspectf(pos token.Position, format string, args ...any) {
	if r.list.Lenient {
		r.Warnf(pos, format, args...)
		return
	}
	r.Errorf(pos, format, args...)
}

// Warnf is like [List.Warnf].
func (r Reporter) Warnf(pos token.Position, format string, args ...any) {
	severity := Warning
	if r.list.Strict {
		severity = Error
	}
	r.add(pos, severity, true, format, args)
}

// Ignorablef is like [Reporter.Errorf], but [List.Ignore] drops the error.
func (r Reporter) Ignorablef(pos token.Position, format string, args ...any) {
	r.add(pos, Error, true, format, args)
}

func (r Reporter) add(pos token.Position, severity Severity, ignorable bool, format string, args []any) {
	r.list.add(item{Diagnostic{Pos: pos, Severity: severity, Message: fmt.Sprintf(format, args...), Edits: r.edits}, ignorable})
}

// Ignore drops the warnings and the ignorable errors about the line of pos and the next line,
// including those that were already added. Other errors stay.
func (l *List) Ignore(pos token.Position) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ignored == nil {
		l.ignored = map[line]bool{}
	}
	l.ignored[line{pos.Filename, pos.Line}] = true
	l.ignored[line{pos.Filename, pos.Line + 1}] = true
}

func (l *List) add(d item) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.items = append(l.items, d)
}

// Err returns the errors as an [Errors], sorted and with file names relative to dir, or nil
// if there are no errors.
func (l *List) Err(dir string) error {
	if items := l.sorted(dir, Error); len(items) > 0 {
		return Errors(items)
	}
	return nil
}

// Warnings returns the warnings, sorted and with file names relative to dir.
func (l *List) Warnings(dir string) []Diagnostic { return l.sorted(dir, Warning) }

// sorted returns the diagnostics of one severity by file, line, column and
// message, each once.
func (l *List) sorted(dir string, severity Severity) []Diagnostic {
	l.mu.Lock()
	defer l.mu.Unlock()
	var items []Diagnostic
	for _, d := range l.items {
		if d.Severity != severity || d.ignorable && l.ignored[line{d.Pos.Filename, d.Pos.Line}] {
			continue
		}
		if rel, err := filepath.Rel(dir, d.Pos.Filename); err == nil && filepath.IsLocal(rel) {
			d.Pos.Filename = filepath.ToSlash(rel)
		}
		items = append(items, d.Diagnostic)
	}
	slices.SortFunc(items, func(a, b Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.Pos.Filename, b.Pos.Filename),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Column, b.Pos.Column),
			cmp.Compare(a.Message, b.Message),
		)
	})
	return slices.CompactFunc(items, func(a, b Diagnostic) bool {
		a.Pos.Offset, b.Pos.Offset = 0, 0
		return a.Pos == b.Pos && a.Message == b.Message
	})
}

// Errors are the errors of a run, sorted by position. It is never empty.
type Errors []Diagnostic

// Error returns one line per error.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, d := range e {
		lines[i] = d.String()
	}
	return strings.Join(lines, "\n")
}
