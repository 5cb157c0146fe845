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

// onWire compares all of an answer.
func onWire(_ *suite.Step, answer suite.Answer) suite.Answer { return answer }

// What a server adds to each object that it stores, and fakes do not: see the documentation of
// the runtime's package testing.
var added = regexp.MustCompile(`^ +(- )?(uid|creationTimestamp|generation): (uid\d+|<time>|"?\d+"?)$`)

// inMemory compares what fakes have: calls return objects, and deletions nothing; there are no
// codes of success; and what a server adds to each object is not there.
func inMemory(s *suite.Step, answer suite.Answer) suite.Answer {
	if len(answer) == 0 {
		return answer
	}
	answer = slices.Clone(answer)
	if strings.HasPrefix(answer[0], "< 2") {
		answer[0] = "< 2xx"
		if s.Request.Method == http.MethodDelete {
			return answer[:1]
		}
	}
	return slices.DeleteFunc(answer, func(line string) bool { return added.MatchString(line) })
}
