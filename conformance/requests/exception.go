package requests

import (
	"regexp"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/conformance/requests/transcript"
)

// Exception is what ours does differently on purpose.
type Exception struct {
	// Input is the name of the one that it is about, and Call matches the names of
	// the calls.
	Input string
	Call  *regexp.Regexp
	// Reason says why.
	Reason string
	// Instead makes what ours does out of what upstream does.
	Instead func(transcript.Call) transcript.Call
}

const ownWords = "the texts of errors are not part of the API"

// Exceptions are all that there are.
var Exceptions = []Exception{
	{"kubernetes", regexp.MustCompile(`\.ApplyScale empty$`), ownWords, applyError},
	{"apply", regexp.MustCompile(`(^client .*\.ApplyYield|\.ApplyScale|\.Plough) empty$`), ownWords, applyError},
	{"apply", regexp.MustCompile(`\.Plough nameless$`), ownWords, applyError},
	{"apply", regexp.MustCompile(`^fake .*\.ApplyYield`), "code-generator's fake names the input type, not the subresource", subresource},
	{"kubernetes", regexp.MustCompile(`^construct New.* with a rate but no burst$`), ownWords, burstError},
}

// exceptionsOf returns the exceptions for one input.
func exceptionsOf(input string) []Exception {
	var found []Exception
	for _, e := range Exceptions {
		if e.Input == input {
			found = append(found, e)
		}
	}
	return found
}

var (
	mustNotBeNil   = regexp.MustCompile(`^(\w+) provided to (\w+) must not be nil$`)
	mustBeProvided = regexp.MustCompile(`^(\w+)\.Name must be provided to (\w+)$`)
	burstRequired  = regexp.MustCompile(`burst is required to be greater than 0 when RateLimiter is not set and QPS is set to greater than 0$`)
)

// applyError is what our Apply methods say of a configuration that is nil or has
// no name.
func applyError(c transcript.Call) transcript.Call {
	c.Error = mustNotBeNil.ReplaceAllString(c.Error, "$2: $1 must not be nil")
	c.Error = mustBeProvided.ReplaceAllString(c.Error, "$2: $1 must have a name")
	return c
}

// subresource puts the subresource that ApplyYield works on where code-generator's
// fake has the name of the input type.
func subresource(c transcript.Call) transcript.Call {
	c.Actions = slices.Clone(c.Actions)
	for i, a := range c.Actions {
		c.Actions[i].Subresource = strings.Replace(a.Subresource, "yield", "harvest", 1)
		c.Actions[i].Detail = strings.Replace(a.Detail, `"Subresource":"yield"`, `"Subresource":"harvest"`, 1)
	}
	return applyError(c)
}

// burstError is what our constructors say of a rate without a burst.
func burstError(c transcript.Call) transcript.Call {
	c.Error = burstRequired.ReplaceAllString(c.Error,
		"config has QPS 5 but burst 0: a burst above 0 is needed where QPS is set and RateLimiter is not")
	return c
}
