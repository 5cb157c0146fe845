package cli

import (
	"errors"
	"fmt"
	"go/token"
	"strings"

	"github.com/listwatch/listwatch/generators"
)

// result is what a command reports about its run. The formats print it.
type result struct {
	tool string
	mode mode
	code int // the exit code
	// diagnostics are about the source, sorted as their command sorts them.
	diagnostics []diagnostic
	// failure is why the run failed, except for diagnostics; nil if it succeeded.
	failure error
	// changes are the files that are written and removed, or would be.
	changes []change
	// listed is the number of changes that text lists.
	listed int
	// diff is a unified diff of the changes, if the mode has one.
	diff    []byte
	timings []generators.Timing
	// text is what the command prints on standard output, and kinds are its contents for JSON.
	text  string
	kinds []jsonKind
	// counts are nil for commands that generate nothing.
	counts *counts
	// contents are what was read.
	contents contents
	// summary is the last line of a run, without the name of the tool. Text does not contain it if quiet is set.
	summary string
	quiet   bool
	// next are the commands to run next.
	next []string
}

// mode is what a run does with its output.
type mode string

const (
	modeWrite  mode = "write"
	modeVerify mode = "verify"
	modeDryRun mode = "dry-run"
	modeCheck  mode = "check"
)

var modes = map[generators.Mode]mode{
	generators.Write:  modeWrite,
	generators.Verify: modeVerify,
	generators.DryRun: modeDryRun,
}

// severity is how serious a diagnostic is.
type severity string

const (
	severityError   severity = "error"
	severityWarning severity = "warning"
	severityNote    severity = "note"
)

// diagnostic is one message about the source. The file name of its position is empty if the message is
// about no particular file, and as users see it otherwise.
type diagnostic struct {
	pos      token.Position
	severity severity
	message  string
	// edits correct the file; empty if the correction is not known.
	edits []generators.Edit
	// change is the change since a commit that the message describes; nil for other messages.
	change *generators.APIChange
}

// String returns "file:line:col: message", with the severity before the message unless it is an error.
func (d diagnostic) String() string {
	message := d.message
	if d.severity != severityError {
		message = string(d.severity) + ": " + message
	}
	if d.pos.Filename == "" {
		return message
	}
	return fmt.Sprintf("%s: %s", d.pos, message)
}

// change is a file that a run writes or removes, with its path as users see it.
type change struct {
	op   generators.Op
	path string
}

// fault describes a file that must change.
var fault = map[generators.Op]string{
	generators.Create: "missing",
	generators.Update: "stale",
	generators.Remove: "superfluous",
}

// String describes the change as what is wrong with the file.
func (c change) String() string { return fault[c.op] + ": " + c.path }

// counts are the numbers of files of a run.
type counts struct{ written, unchanged, removed int }

// count counts the files of a report.
func count(report *generators.Report) counts {
	n := counts{unchanged: report.Unchanged}
	for _, c := range report.Changes {
		if c.Op == generators.Remove {
			n.removed++
		} else {
			n.written++
		}
	}
	return n
}

// result returns what a run of the tool reports.
func (t Tool) result(report *generators.Report, flags *Flags, err error) result {
	r := result{
		tool: t.Name, mode: modes[flags.options.Mode],
		quiet: flags.verbosity <= 0 && (!t.Summary || flags.options.Mode != generators.Write),
	}
	if flags.checks() {
		r.mode = modeCheck
	}
	r.alsoRead(report)
	r.add(severityWarning, report.Warnings)
	if report.Comparison != nil {
		if flags.timings {
			r.timings = report.Timings
		}
		return compared(r, report.Comparison, err)
	}
	var faults generators.Errors
	switch {
	case err == nil:
		n := count(report)
		r.counts, r.contents, r.summary = &n, read(report.API), summary(report)
		if parts := r.contents.String(); t.Summary && parts != "" {
			r.summary = parts + ": " + r.summary
		}
	case errors.As(err, &faults):
		r.code = exitInput
		r.add(severityError, faults)
	default:
		r.fail(err)
	}
	for _, c := range report.Changes {
		r.changes = append(r.changes, change{c.Op, shown(c.Path)})
	}
	switch r.mode {
	case modeVerify:
		r.diff = report.Diff
	case modeDryRun:
		r.listed = len(r.changes)
	}
	if flags.timings {
		r.timings = report.Timings
	}
	return r
}

// alsoRead appends notes about packages that were read although they were not named.
func (r *result) alsoRead(report *generators.Report) {
	note := func(format string, packages []string) {
		if len(packages) > 0 {
			r.diagnostics = append(r.diagnostics, diagnostic{severity: severityNote, message: fmt.Sprintf(format, strings.Join(packages, ", "))})
		}
	}
	note("also read, because an earlier run generated clients for them: %s; leave them out with --exclude", report.Clients)
	note("also read for the versions of CRDs: %s", report.Versions)
	note("also read for roles and webhooks, which are those of the whole module: %s; leave packages out with --exclude", report.Programs)
}

// add appends diagnostics of a generator, which have one severity.
func (r *result) add(s severity, diagnostics []generators.Diagnostic) {
	for _, d := range diagnostics {
		r.diagnostics = append(r.diagnostics, diagnostic{pos: d.Pos, severity: s, message: d.Message, edits: d.Edits})
	}
}

// fail sets the failure and the exit code that belongs to it. Invalid flags have no mode.
func (r *result) fail(err error) {
	r.failure, r.code = err, exitInput
	if errors.Is(err, generators.ErrUsage) {
		r.mode, r.code = "", exitUsage
	}
}
