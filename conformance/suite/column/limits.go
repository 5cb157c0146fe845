package column

import (
	"regexp"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/conformance/suite"
)

// limit is something that a server does and fakes, by their documentation, do not.
type limit struct {
	reason string
	// shows reports whether a difference looks like it.
	shows func(want, got suite.Answer) bool
}

var generation = regexp.MustCompile(`^ +\d+$`)

const (
	noUIDs  = "objects have no UIDs of their own"
	noPages = "lists have no pages, nor have deletions"
)

// limits are what reasons are proposed from when the table is written anew. The first that
// shows in a case is proposed; people look at what is.
var limits = []limit{
	{"there are no warnings", wants("< Warning:")},
	{"deletions take effect at once: there are no finalizers and no grace", func(want, got suite.Answer) bool {
		gone := code(want) == "2" && got[0] == "< 404 Not Found"
		return gone || wants("deletionTimestamp: <time>", "being deleted")(want, got)
	}},
	{noUIDs, wants("UID in precondition", "UID in the precondition")},
	{"resources have no versions and namespaces of their own: any can be asked for", func(want, got suite.Answer) bool {
		return code(got) == "2" && wants("< 405", "< Content-Type: text/plain")(want, got)
	}},
	{"generations are not counted", func(want, got suite.Answer) bool {
		return len(want) == 2 && generation.MatchString(want[1]) && got[len(got)-1] == "    null"
	}},
	{"custom resources are applied without a schema, and their fields are managed from then on", func(want, got suite.Answer) bool {
		return has(want, "${group}") && has(want, "fieldsV1:") || wants("reason: FieldManagerConflict", "failed to create typed patch object")(want, got)
	}},
	{"lists and reads are of the newest version", wants("Too large resource version", "resourceVersion: ${")},
	{"watches do not end by themselves, and have no bookmarks from time to time", wants("< end", "< BOOKMARK")},
	{"nothing is sent, in no form", wants("reason: NotAcceptable")},
	{noPages, wants("continue: <", "remainingItemCount:", "continue parameter", "continue key")},
	{"nothing is validated", wants("reason: Invalid", "reason: FieldValue", "reason: BadRequest", "< 500")},
	{"nothing is defaulted", func(want, got suite.Answer) bool {
		return code(want) == "2" && len(got) < len(want) && !slices.ContainsFunc(got, func(line string) bool { return !slices.Contains(want, line) })
	}},
	{"a write to the object also writes its status", func(want, got suite.Answer) bool {
		return has(got, "    status:") && !has(want, "    status:")
	}},
	{"errors are worded otherwise", func(want, got suite.Answer) bool { return code(want) == "4" && want[0] == got[0] }},
	{"what changes nothing is a change, and each fake clientset counts on its own", func(want, got suite.Answer) bool {
		return slices.Equal(withoutVersions(want), withoutVersions(got))
	}},
}

// propose returns the reason of the first limit that shows in a difference, or "".
func propose(want, got suite.Answer) string {
	for _, l := range limits {
		if len(want) > 0 && len(got) > 0 && l.shows(want, got) {
			return l.reason
		}
	}
	return ""
}

// proposeFor returns the reason that a case could not go on.
func proposeFor(err error) string {
	if strings.Contains(err.Error(), "{.metadata.uid}") {
		return noUIDs
	}
	if strings.Contains(err.Error(), "{.metadata.continue}") {
		return noPages
	}
	return ""
}

// wants reports whether one of the texts is in what is wanted and not in what came.
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
