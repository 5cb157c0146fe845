package perturb

import (
	"fmt"
	"strconv"
	"strings"
)

// The actors of a run, other than the server.
const (
	userActor    = "user"
	programActor = "program"
)

// point is a write, described so that it is found again in other runs: "program create secrets default/a-* #2" is the
// second creation of a secret whose name the server completes.
type point struct {
	actor string
	what  string // verb, resource, object
	n     int    // 1 is the first such write of the actor that has an effect, 2 the next
}

func (p point) String() string {
	if p.n > 1 {
		return fmt.Sprintf("%s %s #%d", p.actor, p.what, p.n)
	}
	return p.actor + " " + p.what
}

func parsePoint(s string) (point, error) {
	p := point{n: 1}
	if before, after, ok := strings.Cut(s, " #"); ok {
		n, err := strconv.Atoi(after)
		if err != nil || n < 1 {
			return p, fmt.Errorf("%q: invalid number %q", s, after)
		}
		s, p.n = before, n
	}
	var ok bool
	if p.actor, p.what, ok = strings.Cut(s, " "); !ok || p.actor != userActor && p.actor != programActor {
		return p, fmt.Errorf("%q: write must start with %s or %s", s, userActor, programActor)
	}
	return p, nil
}

// kind is a kind of disturbance.
type kind string

const (
	crash     kind = "crash after"   // the write takes effect, its response is lost with the process, which is restarted
	stop      kind = "stop before"   // the process is away while users write
	hold      kind = "hold"          // watches deliver nothing
	miss      kind = "miss"          // as hold; then the watches end, and the history has expired
	conflict  kind = "conflict at"   // the write is rejected
	failure   kind = "fail"          // the write is rejected by an internal error
	throttle  kind = "throttle"      // the write is rejected by 429, to be repeated in a second
	timeout   kind = "time out at"   // the write takes effect, the response is an error
	loseLease kind = "lose lease at" // the process cannot renew its lease after the write; another one is started
)

// everything is the resource of a hold of all watches.
const everything = "everything"

// schedule is a disturbance of a run. The zero schedule disturbs nothing. Its text is what -perturb.replay reads.
type schedule struct {
	kind     kind
	at       point
	stale    point  // of a crash: the restarted process sees the state before this write until it rests
	resource string // of hold and miss
	long     bool   // of crash, stop, hold and miss: until users have done everything; otherwise until the program rests
}

const (
	staleText = ", restart with the state before "
	longText  = ", until users are done"
	fromText  = " from "
)

func (s schedule) String() string {
	var b strings.Builder
	switch b.WriteString(string(s.kind)); s.kind {
	case "":
		return "nothing"
	case hold, miss:
		b.WriteString(" " + s.resource + fromText)
	default:
		b.WriteString(" ")
	}
	b.WriteString(s.at.String())
	if s.stale.n > 0 {
		b.WriteString(staleText + s.stale.String())
	}
	if s.long {
		b.WriteString(longText)
	}
	return b.String()
}

// parseSchedule is the inverse of the method String.
func parseSchedule(text string) (s schedule, err error) {
	if text == (schedule{}).String() {
		return s, nil
	}
	rest := text
	for _, k := range []kind{crash, stop, hold, miss, conflict, failure, throttle, timeout, loseLease} {
		if after, ok := strings.CutPrefix(text, string(k)+" "); ok {
			s.kind, rest = k, after
		}
	}
	if s.kind == "" {
		return s, fmt.Errorf("schedule %q: unknown disturbance", text)
	}
	rest, s.long = strings.CutSuffix(rest, longText)
	if before, after, ok := strings.Cut(rest, staleText); ok {
		rest = before
		if s.stale, err = parsePoint(after); err != nil {
			return s, fmt.Errorf("schedule %w", err)
		}
	}
	if s.kind == hold || s.kind == miss {
		var ok bool
		if s.resource, rest, ok = strings.Cut(rest, fromText); !ok {
			return s, fmt.Errorf("schedule %q: %s needs a resource%sa write", text, s.kind, fromText)
		}
	}
	if s.at, err = parsePoint(rest); err != nil {
		return s, fmt.Errorf("schedule %w", err)
	}
	return s, nil
}
