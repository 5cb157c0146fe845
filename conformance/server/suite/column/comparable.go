package column

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/listwatch/listwatch/conformance/server/suite"
)

// unasked replaces the answer to a request that only reads and that no call can send.
var unasked = suite.Response{}

// wasAsked reports whether an answer is not unasked.
func wasAsked(answer suite.Answer) bool {
	return len(answer) == 0 || strings.TrimSpace(answer[0]) != "< 0"
}

// comparison removes from answers what a target does not have for any object. The answers are those
// of the steps, in order. It must not modify them.
type comparison func(steps []*suite.Step, answers []suite.Answer) []suite.Answer

// onWire removes what calls do not return although it was in the response: the end of a list, for
// which Go types have no field, and the text of errors that are not a Status, for which clients
// have their own text.
func onWire(_ []*suite.Step, answers []suite.Answer) []suite.Answer {
	left := make([]suite.Answer, len(answers))
	for i, answer := range answers {
		at := slices.IndexFunc(answer, func(line string) bool { return strings.HasPrefix(line, "< Content-Type: text/plain") })
		if at >= 0 {
			answer = answer[:at+1]
		}
		left[i] = slices.DeleteFunc(slices.Clone(answer), func(line string) bool { return line == end })
		for j := 1; j < len(left[i]); j++ {
			if left[i][j-1] == endShown {
				left[i] = slices.Delete(left[i], j-1, j+1)
				left[i] = slices.Insert(left[i], j-1, strings.Replace(answer[j], "      ", "    - ", 1))
			}
		}
	}
	return left
}

// end is in complete lists of custom resources; endShown if only metadata is shown.
const (
	end      = `      continue: ""`
	endShown = `    - continue: ""`
)

// inMemory reduces answers to what fakes have: calls return objects, and deletions nothing; there
// are no media types and no success codes; and what a server adds to each object is missing.
func inMemory(steps []*suite.Step, answers []suite.Answer) []suite.Answer {
	answers = onWire(steps, answers)
	for i, answer := range answers {
		if len(answer) == 0 {
			continue
		}
		if strings.HasPrefix(answer[0], "< 2") {
			answer[0] = "< 2xx"
			if steps[i].Request.Method == http.MethodDelete {
				answer = answer[:1]
			}
		}
		answers[i] = slices.DeleteFunc(answer, added.MatchString)
	}
	return ranked(answers)
}

// What a server adds to each stored object, and fakes do not: see the documentation of the
// runtime's package testing.
var added = regexp.MustCompile(`^< Content-Type: application/vnd.kubernetes.protobuf$` +
	`|^ +(- )?(uid|creationTimestamp|generation): (uid\d+|<time>|"?\d+"?)$`)

// ranked renames resource versions as if what was removed had never existed. For those of lists,
// only their presence is compared.
func ranked(answers []suite.Answer) []suite.Answer {
	var seen []string
	for _, answer := range answers {
		for i, line := range answer {
			answer[i] = atLeast.ReplaceAllString(line, "≥")
			seen = append(seen, version.FindAllString(answer[i], -1)...)
		}
	}
	slices.SortFunc(seen, func(a, b string) int { return slices.Compare(numbers(a), numbers(b)) })
	seen = slices.Compact(seen)
	for _, answer := range answers {
		for i, line := range answer {
			answer[i] = version.ReplaceAllStringFunc(line, func(name string) string {
				return fmt.Sprintf("rv%d", 1+slices.Index(seen, name))
			})
		}
	}
	return answers
}

var (
	atLeast = regexp.MustCompile(`≥rv[\d.]+`)
	version = regexp.MustCompile(`\brv\d+(\.\d+)*\b`)
)

// numbers returns the numbers in the name of a version, such as rv1.2.
func numbers(version string) []int {
	var all []int
	for part := range strings.SplitSeq(strings.TrimPrefix(version, "rv"), ".") {
		n, err := strconv.Atoi(part)
		if err == nil {
			all = append(all, n)
		}
	}
	return all
}
