package column

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/conformance/suite"
)

// unasked stands for the answer to a request that only reads and that no call makes.
var unasked = suite.Response{}

// wasAsked says whether an answer is one.
func wasAsked(answer suite.Answer) bool {
	return len(answer) == 0 || strings.TrimSpace(answer[0]) != "< 0"
}

// comparison takes out of an answer to a step what a target does not have for any object.
type comparison func(*suite.Step, suite.Answer) suite.Answer

// onWire leaves out what calls do not return even though it was on the wire: that a list is at
// its end, which a Go type does not say, and the text of answers that are no Status, for which
// clients have words of their own.
func onWire(_ *suite.Step, answer suite.Answer) suite.Answer {
	for i, line := range answer {
		if strings.HasPrefix(line, "< Content-Type: text/plain") {
			return answer[:i+1]
		}
	}
	return slices.DeleteFunc(slices.Clone(answer), func(line string) bool { return line == end })
}

// end is in lists of custom resources that are complete.
const end = `      continue: ""`

// What a server adds to each object that it stores, and fakes do not: see the documentation of
// the runtime's package testing.
var added = regexp.MustCompile(`^ +(- )?(uid|creationTimestamp|generation): (uid\d+|<time>|"?\d+"?)$`)

// inMemory compares what fakes have: calls return objects, and deletions nothing; there are no
// codes of success; and what a server adds to each object is not there.
func inMemory(s *suite.Step, answer suite.Answer) suite.Answer {
	if len(answer) == 0 {
		return answer
	}
	answer = onWire(s, answer)
	if strings.HasPrefix(answer[0], "< 2") {
		answer[0] = "< 2xx"
		if s.Request.Method == http.MethodDelete {
			return answer[:1]
		}
	}
	for i, line := range answer {
		answer[i] = atLeast.ReplaceAllString(line, "≥")
	}
	return slices.DeleteFunc(answer, func(line string) bool { return added.MatchString(line) })
}

// atLeast are versions of lists. What they are compared with can have been in the answer to a
// deletion.
var atLeast = regexp.MustCompile(`≥rv[\d.]+`)
