package column

import (
	"regexp"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/conformance/server/suite"
)

// limit is something that a server does and fakes, according to their documentation, do not.
type limit struct {
	reason string
	// shows reports whether the limit may be the cause of a difference.
	shows func(want, got suite.Answer) bool
}

var generation = regexp.MustCompile(`^ +\d+$`)

const (
	noUIDs  = "fakes generate no UIDs"
	noPages = "fakes ignore limits and continue tokens"
)

// limits are used to propose reasons when the table is updated. The first that matches a case is
// proposed, and must be reviewed.
var limits = []limit{
	{"fakes send no warnings", wants("< Warning:")},
	{"fakes delete immediately, without finalizers and graceful deletion", func(want, got suite.Answer) bool {
		gone := code(want) == "2" && got[0] == "< 404 Not Found"
		return gone || wants("deletionTimestamp: <time>", "being deleted")(want, got)
	}},
	{noUIDs, wants("UID in precondition", "UID in the precondition")},
	{"fakes accept any version and namespace of a resource", func(want, got suite.Answer) bool {
		return code(got) == "2" && wants("< 405", "< Content-Type: text/plain")(want, got)
	}},
	{"fakes do not maintain generations", func(want, got suite.Answer) bool {
		return len(want) == 2 && generation.MatchString(want[1]) && got[len(got)-1] == "    null"
	}},
	{"fakes apply custom resources without a schema, and manage their fields only after the first apply", func(want, got suite.Answer) bool {
		return has(want, "${group}") && has(want, "fieldsV1:") || wants("reason: FieldManagerConflict", "failed to create typed patch object")(want, got)
	}},
	{"fakes always read the newest version", wants("Too large resource version", "resourceVersion: ${")},
	{"watches of fakes have no timeout and no periodic bookmarks", wants("< end", "< BOOKMARK")},
	{"fakes have no media types", wants("reason: NotAcceptable")},
	{noPages, wants("continue: <", "remainingItemCount:", "continue parameter", "continue key")},
	{"fakes do not validate", wants("< 422", "reason: Invalid", "reason: FieldValue", "reason: BadRequest", "< 500")},
	{"fakes set no defaults", func(want, got suite.Answer) bool {
		return code(want) == "2" && len(got) < len(want) && !slices.ContainsFunc(got, func(line string) bool { return !slices.Contains(want, line) })
	}},
	{"in fakes, writing the object also writes its status", func(want, got suite.Answer) bool {
		return has(got, "    status:") && !has(want, "    status:")
	}},
	{"the error message differs", func(want, got suite.Answer) bool { return code(want) == "4" && want[0] == got[0] }},
	{"in fakes, a write without changes is a change, and each fake clientset counts versions separately", func(want, got suite.Answer) bool {
		return slices.Equal(withoutVersions(want), withoutVersions(got))
	}},
}

// propose returns the reason of the first limit that matches a difference, or "".
func propose(want, got suite.Answer) string {
	for _, l := range limits {
		if len(want) > 0 && len(got) > 0 && l.shows(want, got) {
			return l.reason
		}
	}
	return ""
}

// proposeFor returns the reason why a case could not continue.
func proposeFor(err error) string {
	if strings.Contains(err.Error(), "{.metadata.uid}") {
		return noUIDs
	}
	if strings.Contains(err.Error(), "{.metadata.continue}") {
		return noPages
	}
	return ""
}

// wants reports whether one of the texts is in the expected answer and not in the actual one.
func wants(texts ...string) func(want, got suite.Answer) bool {
	return func(want, got suite.Answer) bool {
		return slices.ContainsFunc(texts, func(text string) bool { return has(want, text) && !has(got, text) })
	}
}

func has(answer suite.Answer, text string) bool {
	return slices.ContainsFunc(answer, func(line string) bool { return strings.Contains(line, text) })
}

// code returns the first digit of an answer's status code.
func code(answer suite.Answer) string {
	digits := strings.TrimPrefix(answer[0], "< ")
	return digits[:min(len(digits), 1)]
}

func withoutVersions(answer suite.Answer) suite.Answer {
	return slices.DeleteFunc(slices.Clone(answer), func(line string) bool {
		return strings.HasPrefix(strings.TrimSpace(line), "resourceVersion: ")
	})
}
