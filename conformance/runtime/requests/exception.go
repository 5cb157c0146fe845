package requests

import (
	"regexp"

	"github.com/listwatch/listwatch/conformance/runtime/requests/transcript"
	"github.com/listwatch/listwatch/internal/testcase"
)

// Exception is an intentional difference.
type Exception struct {
	// Input is the name of the input, and Flavour the flavour of ours; empty ones mean all. Call
	// matches the names of the calls.
	Input   string
	Flavour testcase.Flavour
	Call    *regexp.Regexp
	// Error, if set, matches the text of upstream's error.
	Error *regexp.Regexp
	// Reason is the reason for it.
	Reason string
	// Extra reports that ours alone has such calls, and Missing that only upstream has them.
	Extra, Missing bool
	// Instead returns our behaviour, given upstream's.
	Instead func(transcript.Call) transcript.Call
	// Blank removes unpredictable parts from both sides. It replaces Instead.
	Blank func(transcript.Call) transcript.Call
}

// Exceptions are all intentional differences.
var Exceptions = append(append(generated, answered...), faked...)

// exceptionsOf returns the exceptions for one input in a flavour.
func exceptionsOf(input string, f Flavour) []Exception {
	var found []Exception
	for _, e := range Exceptions {
		if input == Builtin().Name && e.Input == Kubernetes().Name {
			e.Input = "" // of the same API; it may be about a version that is not driven
		}
		if (e.Input == "" || e.Input == input) && (e.Flavour == "" || e.Flavour == f.Name) {
			found = append(found, e)
		}
	}
	return found
}
