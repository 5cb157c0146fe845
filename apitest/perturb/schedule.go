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
	delay     kind = "delay webhook" // the webhook's response to the review of the write arrives late
	silence   kind = "lose webhook"  // the webhook's response does not arrive
)

// everything is the resource of a hold of all watches.
const everything = "everything"

// disturbance is what is done to a run. The zero disturbance is none.
type disturbance struct {
	kind  kind
	at    point
	stale point  // of a crash: the restarted process sees the state before this write until it rests
	of    string // the resource of hold and miss, the webhook of delay and silence
	long  bool   // of crash, stop, hold and miss: until users have done everything; otherwise until the program rests
}

// schedule has the disturbances of a run: none, one, or two, of which the second begins after the first. Its text is
// what -perturb.replay reads.
type schedule struct{ first, second disturbance }

// disturbances returns what a schedule has, in its order.
func (s schedule) disturbances() []disturbance {
	switch {
	case s.first.kind == "":
		return nil
	case s.second.kind == "":
		return []disturbance{s.first}
	}
	return []disturbance{s.first, s.second}
}

const (
	nothing   = "nothing"
	staleText = ", restart with the state before "
	longText  = ", until users are done"
	nextText  = "; then "
)

// joint is between what a disturbance is of and its write, if the kind has both.
func (k kind) joint() string {
	switch k {
	case hold, miss:
		return " from "
	case delay, silence:
		return " at "
	}
	return ""
}

func (s schedule) String() string {
	switch {
	case s.first.kind == "":
		return nothing
	case s.second.kind == "":
		return s.first.String()
	}
	return s.first.String() + nextText + s.second.String()
}

func (d disturbance) String() string {
	var b strings.Builder
	b.WriteString(string(d.kind) + " ")
	if joint := d.kind.joint(); joint != "" {
		b.WriteString(d.of + joint)
	}
	b.WriteString(d.at.String())
	if d.stale.n > 0 {
		b.WriteString(staleText + d.stale.String())
	}
	if d.long {
		b.WriteString(longText)
	}
	return b.String()
}

// parseSchedule is the inverse of the method String.
func parseSchedule(text string) (s schedule, err error) {
	if text == nothing {
		return s, nil
	}
	first, second, two := strings.Cut(text, nextText)
	if s.first, err = parseDisturbance(first); err == nil && two {
		s.second, err = parseDisturbance(second)
	}
	if err != nil {
		return s, fmt.Errorf("schedule %w", err)
	}
	return s, nil
}

func parseDisturbance(text string) (d disturbance, err error) {
	rest := text
	for _, k := range []kind{crash, stop, hold, miss, conflict, failure, throttle, timeout, loseLease, delay, silence} {
		if after, ok := strings.CutPrefix(text, string(k)+" "); ok {
			d.kind, rest = k, after
		}
	}
	if d.kind == "" {
		return d, fmt.Errorf("%q: unknown disturbance", text)
	}
	rest, d.long = strings.CutSuffix(rest, longText)
	if before, after, ok := strings.Cut(rest, staleText); ok {
		rest = before
		if d.stale, err = parsePoint(after); err != nil {
			return d, err
		}
	}
	if joint := d.kind.joint(); joint != "" {
		var ok bool
		if d.of, rest, ok = strings.Cut(rest, joint); !ok {
			return d, fmt.Errorf("%q: the write is missing, which follows%q", text, joint)
		}
	}
	d.at, err = parsePoint(rest)
	return d, err
}
