package requests

import (
	"regexp"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/conformance/runtime/requests/transcript"
	"github.com/listwatch/listwatch/internal/testcase"
)

const ownWords = "the texts of errors are not part of the API"

// generated are exceptions for the behaviour of generated code.
var generated = []Exception{
	{
		Input: "kubernetes", Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^factory that does not sync$`),
		Reason: "the error contains the reason why each informer has not synced", Blank: causes,
	},
	{
		Input: "kubernetes", Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^factory with informers that come late$`),
		Reason: "the result of waiting also contains the causes", Instead: moreCauses,
	},
	{
		Input: "kubernetes", Flavour: testcase.ClientGo, Call: regexp.MustCompile(`\.ApplyScale empty$`),
		Reason: ownWords, Instead: applyError,
	},
	{
		Input: "apply", Flavour: testcase.ClientGo, Call: regexp.MustCompile(`(^client .*\.(ApplyYield|Paint)|\.ApplyScale|\.Plough|\.Mend) empty$`),
		Reason: ownWords, Instead: applyError,
	},
	{
		Input: "apply", Flavour: testcase.ClientGo, Call: regexp.MustCompile(`\.Plough nameless$`),
		Reason: ownWords, Instead: applyError,
	},
	{
		Input: "apply", Call: regexp.MustCompile(`\.Mend nameless$`),
		Reason:  "code-generator's method panics for a configuration without metadata",
		Instead: namelessFence,
	},
	{
		Input: "apply", Call: regexp.MustCompile(`^fake .*\.(ApplyYield|Paint)`),
		Reason:  "code-generator's fake names the input type, not the subresource",
		Instead: subresource,
	},
	{
		Input: "kubernetes", Flavour: testcase.ClientGo, Call: regexp.MustCompile(`^construct New.* with a rate but no burst$`),
		Reason: ownWords, Instead: burstError,
	},
	{
		Input: "embedded-status", Flavour: testcase.Listwatch, Call: regexp.MustCompile(`\.UpdateStatus `),
		Reason: "a Status promoted from an embedded struct is a status; client-gen considers only the struct's own fields",
		Extra:  true,
	},
}

var (
	mustNotBeNil   = regexp.MustCompile(`^(\w+) provided to (\w+) must not be nil$`)
	mustBeProvided = regexp.MustCompile(`^(\w+)\.Name must be provided to (\w+)$`)
	burstRequired  = regexp.MustCompile(`burst is required to be greater than 0 when RateLimiter is not set and QPS is set to greater than 0$`)
)

// applyError is the error of our Apply methods for a configuration that is nil or has no name.
func applyError(c transcript.Call) transcript.Call {
	c.Error = mustNotBeNil.ReplaceAllString(c.Error, "$2: $1 must not be nil")
	c.Error = mustBeProvided.ReplaceAllString(c.Error, "$2: $1 must have a name")
	return c
}

// namelessFence returns the error of Mend for a configuration without a name. Errors of the
// listwatch flavour are compared without their words.
func namelessFence(c transcript.Call) transcript.Call {
	c.Result, c.Failure = "*v1.Fence null", ""
	if strings.HasPrefix(c.Error, "panic: ") {
		c.Error = "Mend: fence must have a name"
	}
	return c
}

// subresource replaces the name of the input type, which code-generator's fake records, by
// the subresource that ApplyYield or Paint works on.
func subresource(c transcript.Call) transcript.Call {
	c.Actions = slices.Clone(c.Actions)
	for i, a := range c.Actions {
		c.Actions[i].Subresource = strings.NewReplacer("yield", "harvest", "fence", "paint").Replace(a.Subresource)
		c.Actions[i].Detail = strings.NewReplacer(
			`"Subresource":"yield"`, `"Subresource":"harvest"`, `"Subresource":"fence"`, `"Subresource":"paint"`,
		).Replace(a.Detail)
	}
	return applyError(c)
}

// burstError is the error of our constructors for a rate without a burst.
func burstError(c transcript.Call) transcript.Call {
	c.Error = burstRequired.ReplaceAllString(c.Error,
		"config has QPS 5 but burst 0: a burst above 0 is needed where QPS is set and RateLimiter is not")
	return c
}

// causes removes the reasons why informers have not synced.
func causes(c transcript.Call) transcript.Call {
	c.Error = inBrackets.ReplaceAllLiteralString(c.Error, "")
	return c
}

var inBrackets = regexp.MustCompile(` \([^()]*\)`)

// moreCauses adds the causes, of which there are none, to the result of waiting.
func moreCauses(c transcript.Call) transcript.Call {
	for i, event := range c.Events {
		c.Events[i] = strings.TrimSuffix(event, "}") + " map[]}"
	}
	return c
}
