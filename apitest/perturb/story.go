package perturb

import (
	"fmt"
	"strings"
	"time"
)

// entry is a line of a run's story. Without a lane it is what the disturbance does.
type entry struct {
	at   time.Duration // of virtual time, since the start of the run
	lane string
	text string
}

// diagram draws what happens in a run, as a sequence diagram: users at the left, the server in the middle, the program
// at the right.
func diagram(story []entry) string {
	var b strings.Builder
	const left = 10
	fmt.Fprintf(&b, "%8s  %-*s%s\n", "", left, "users", "server     program")
	for _, e := range story {
		at := e.at.Round(time.Millisecond).String()
		switch e.lane {
		case "":
			fmt.Fprintf(&b, "%8s  %-*s  *        | %s\n", at, left, "  |", e.text)
		case "users":
			fmt.Fprintf(&b, "%8s  %-*s> |          %s\n", at, left, "  |"+strings.Repeat("-", left-3), e.text)
		case "program":
			fmt.Fprintf(&b, "%8s  %-*s  | <------- | %s\n", at, left, "  |", e.text)
		default:
			fmt.Fprintf(&b, "%8s  %-*s  | <------- | %s (%s)\n", at, left, "  |", e.text, e.lane)
		}
	}
	return b.String()
}

// report describes a run that has failed; late is that of its [Finding].
func (o *outcome) report(test string, verdicts []verdict, late time.Duration) string {
	var b strings.Builder
	fmt.Fprintf(&b, "disturbance: %s\n", o.schedule)
	for _, v := range verdicts {
		fmt.Fprintf(&b, "broken: %s\n  %s\n", v.rule, strings.ReplaceAll(strings.TrimSpace(v.text), "\n", "\n  "))
	}
	if late > 0 {
		fmt.Fprintf(&b, "the program recovers, but late: it survives with Recovery: %d * time.Minute\n", int(late.Minutes()))
	}
	fmt.Fprintf(&b, "what happened:\n%s", diagram(o.story))
	fmt.Fprintf(&b, "run it again: go test -run '^%s$' -perturb.replay '%s'\n", test, o.schedule)
	fmt.Fprintf(&b, "as a regression test:\n\tfunc Test...(t *testing.T) {\n\t\tperturb.Replay(t, controller, %q)\n\t}\n", o.schedule.String())
	return b.String()
}
