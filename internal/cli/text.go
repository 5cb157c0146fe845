package cli

import (
	"fmt"
	"io"
	"time"
)

// style is how the lines of text are printed that report something wrong.
type style interface {
	// diagnostic returns a message about the source.
	diagnostic(d diagnostic) string
	// stale returns a message about a file that should have changed.
	stale(c change) string
	// failure returns the message of an error that is about no file.
	failure(tool string, err error) string
}

// plain prints lines for people, and for editors that find positions in them.
type plain struct{}

func (plain) diagnostic(d diagnostic) string { return d.String() }

func (plain) stale(c change) string { return c.String() }

func (plain) failure(tool string, err error) string { return fmt.Sprintf("%s: %v", tool, err) }

// printText prints a result as lines: what was requested to stdout, and messages to stderr.
func printText(r result, s style, stdout, stderr io.Writer) {
	for _, d := range r.diagnostics {
		fmt.Fprintln(stderr, s.diagnostic(d))
	}
	fmt.Fprint(stdout, r.text)
	color := colored(stdout)
	_, _ = stdout.Write(colorDiff(r.diff, color)) // to the terminal: there is nobody left to tell
	for _, c := range r.changes[:r.listed] {
		fmt.Fprintln(stdout, colorOp(c.op, color), c.path)
	}
	if r.mode == modeVerify {
		for _, c := range r.changes {
			fmt.Fprintln(stderr, s.stale(c))
		}
	}
	for _, timing := range r.timings {
		fmt.Fprintf(stderr, "%8.1f ms  %s\n", milliseconds(timing.Took), timing.Step)
	}
	if r.summary != "" && !r.quiet {
		fmt.Fprintf(stderr, "%s: %s\n", r.tool, r.summary)
	}
	if len(r.next) > 0 {
		fmt.Fprintln(stderr, "then run:")
	}
	for _, command := range r.next {
		fmt.Fprintf(stderr, "\t%s\n", command)
	}
	if r.failure != nil {
		fmt.Fprintln(stderr, s.failure(r.tool, r.failure))
	}
	if r.code == exitUsage {
		fmt.Fprintf(stderr, "see %s --help\n", r.tool)
	}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
