package column

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/listwatch/listwatch/conformance/server/suite"
)

// Word is the result of a case.
type Word string

// The words of verdicts.
const (
	Same          Word = "same"
	Differs       Word = "differs"
	NotApplicable Word = "n/a"
)

// Verdict is the result of a case, with its reason.
type Verdict struct {
	Case string
	Word Word
	// Reason is empty for cases that are the same. For those that are not applicable it is
	// determined, and for those that differ it is a proposal, or empty: it must be completed by
	// hand.
	Reason string
	// Details describe the differences. They are not in tables.
	Details string
}

// judge compares the outcome of a case with the expected one. t is the target's tally.
func judge(c *suite.Case, t *tally, wanted func(*suite.Step) suite.Answer, got *suite.Outcome, comparable comparison) Verdict {
	v := Verdict{Case: c.ID(), Word: Same}
	var details []string
	var steps []*suite.Step
	var want, have []suite.Answer
	for _, s := range c.Steps {
		if answer, reached := got.Answers[s]; reached && wasAsked(answer) {
			steps, want, have = append(steps, s), append(want, wanted(s)), append(have, answer)
		}
	}
	want, have = comparable(steps, want), comparable(steps, have)
	for i, s := range steps {
		if !slices.Equal(want[i], have[i]) {
			v.Reason = cmp.Or(v.Reason, propose(want[i], have[i]))
			details = append(details, fmt.Sprintf("%s:%d\n%s", c.File, s.Line,
				diff.Diff("wanted", []byte(strings.Join(want[i], "\n")+"\n"), "got", []byte(strings.Join(have[i], "\n")+"\n"))))
		}
	}
	unsupported := errors.Is(got.Err, suite.ErrUnsupported)
	if got.Err != nil && !unsupported {
		details = append(details, got.Err.Error())
		v.Reason = cmp.Or(v.Reason, proposeFor(got.Err))
	}
	v.Details = strings.Join(details, "\n")
	switch {
	case t.Typed() == 0 && t.foremost() != "":
		v.Word, v.Reason = NotApplicable, string(t.foremost())
	case len(details) > 0:
		v.Word = Differs
	case unsupported:
		v.Word, v.Reason = NotApplicable, cmp.Or(string(t.foremost()), "the server is made to do something")
	}
	return v
}
