package suite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Judge compares a target's answers with the recorded ones, and returns the differences: texts that
// begin with a position. Steps that were not reached are ignored.
func Judge(c *Case, target string, o *Outcome) []string {
	var complaints []string
	for _, s := range c.Steps {
		got, ok := o.Answers[s]
		if !ok {
			continue
		}
		want, line, differs := s.Wanted(target)
		position := fmt.Sprintf("%s:%d", c.File, line)
		switch {
		case differs && slices.Equal(got, s.Answer):
			complaints = append(complaints, position+": "+target+" answers like the real server: remove the difference")
		case want == nil && s.Answer == nil:
			complaints = append(complaints, position+": no answer is recorded; "+target+" answers\n"+got.text())
		case !slices.Equal(got, want):
			complaints = append(complaints, position+": "+target+" answer differs from the record\n"+
				string(diff.Diff("recorded", []byte(want.text()), target, []byte(got.text()))))
		}
	}
	for _, err := range []error{o.Err, o.Informed} {
		if err != nil {
			complaints = append(complaints, err.Error())
		}
	}
	return complaints
}

// Compare compares the real server's answers with another target's, apart from known differences.
func Compare(c *Case, target string, server, other *Outcome) []string {
	var complaints []string
	for _, s := range c.Steps {
		want, got := server.Answers[s], other.Answers[s]
		if _, _, differs := s.Wanted(target); differs || slices.Equal(want, got) {
			continue
		}
		complaints = append(complaints, fmt.Sprintf("%s:%d: %s answer differs from the real server's\n%s", c.File, s.Line, target,
			diff.Diff(Real, []byte(want.text()), target, []byte(got.text()))))
	}
	return complaints
}

func (a Answer) text() string {
	if len(a) == 0 {
		return ""
	}
	return strings.Join(a, "\n") + "\n"
}
