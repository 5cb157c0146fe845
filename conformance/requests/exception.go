package requests

import (
	"regexp"

	"github.com/listwatch/listwatch/conformance/requests/transcript"
	"github.com/listwatch/listwatch/internal/testcase"
)

// Exception is what ours does differently on purpose.
type Exception struct {
	// Input is the name of the one that it is about, and Flavour that of ours; empty
	// ones stand for all. Call matches the names of the calls.
	Input   string
	Flavour testcase.Flavour
	Call    *regexp.Regexp
	// Error, where there is one, matches the text of upstream's error.
	Error *regexp.Regexp
	// Reason says why.
	Reason string
	// Extra says that there are such calls in ours only, and Missing that they are in
	// upstream's only.
	Extra, Missing bool
	// Instead makes what ours does out of what upstream does.
	Instead func(transcript.Call) transcript.Call
	// Blank is for what cannot be told in advance: it takes it out of what each of
	// them does. It stands in the place of Instead.
	Blank func(transcript.Call) transcript.Call
}

// Exceptions are all that there are.
var Exceptions = append(append(generated, answered...), faked...)

// exceptionsOf returns the exceptions for one input in a flavour.
func exceptionsOf(input string, f Flavour) []Exception {
	var found []Exception
	for _, e := range Exceptions {
		if (e.Input == "" || e.Input == input) && (e.Flavour == "" || e.Flavour == f.Name) {
			found = append(found, e)
		}
	}
	return found
}
