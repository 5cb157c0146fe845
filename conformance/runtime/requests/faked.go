package requests

import (
	"regexp"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/conformance/runtime/requests/transcript"
	"github.com/listwatch/listwatch/internal/testcase"
)

// faked are exceptions for the results of our fake clientsets. None of them is about what they
// record.
var faked = []Exception{
	{
		Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^fake `),
		Error:  regexp.MustCompile(`^panic: interface conversion: `),
		Reason: "an object of another type than the method's is an error, not a panic", Blank: panicked,
	},
	{
		Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^(fake|life) NewClientset `),
		Error:  regexp.MustCompile(`no type found matching|no corresponding type for`),
		Reason: "the tracker stores kinds without a schema", Blank: answer,
	},
	{
		Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^(fake|life|informer) NewClientset\b`),
		Reason: "it is also generated without apply configurations", Extra: true,
	},
	{
		Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^(fake|life) NewClientset `),
		Reason: "the tracker gives resource versions", Blank: versions,
	},
	{
		Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^informer NewClientset `),
		Reason: "the tracker gives resource versions", Blank: toldVersions,
	},
	{
		Input: "builtin", Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^expansion fake NewClientset Events\.`),
		Reason: "as for the other methods: resource versions and types differ", Blank: answer,
	},
	{
		Input: "apply", Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^informer NewClientset$`),
		Reason: "the tracker stores kinds without a schema, so informers receive events", Missing: true,
	},
	{
		Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^(fake|life) NewClientset `),
		Reason: ownWords, Blank: words,
	},
	{
		Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^fake NewSimpleClientset .*\.(Apply\w+|Plough|Mend|Paint) (empty|nameless)$`),
		Reason: ownWords, Blank: words,
	},
	{
		Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^fake NewClientset .*\.UpdateStatus plain$`),
		Reason: "a write to the status changes nothing else, as with a server", Blank: result,
	},
	{
		Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^fake NewClientset .*\.(Apply\w*|Plough|Mend|Paint) (plain|nameless)$`),
		Reason: "apply needs a field manager, as with a server", Blank: answer,
	},
	{
		Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^fake NewClientset .*\.Apply(Status|Scale|Yield) full$`),
		Reason: "apply to a subresource of a missing object fails with 404, as with a server", Blank: answer,
	},
	{
		Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^fake NewClientset .*\.UpdateScale plain$`),
		Reason: "a write to a subresource of another kind returns the sent object; upstream's tracker has no schema for it", Blank: answer,
	},
	{
		Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^fake NewClientset .*\.(Patch strategic|Update(Approval|EphemeralContainers|Resize) plain)$`),
		Reason: "managed fields name the subresource that was written to, as with a server", Blank: writtenTo,
	},
	{
		Input: "kubernetes", Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^fake NewClientset .*\.Create (full|empty)$`),
		Reason: "types are stored as sent, as with the other tracker", Blank: untyped,
	},
	{
		Input: "apply", Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^(fake|life) NewClientset FieldsV1\.`),
		Reason: "the tracker stores kinds without a schema, so more steps follow", Blank: answer,
	},
	{
		Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^life NewClientset .* is patched with an invalid patch$`),
		Reason: "the error is 400, as with a server", Blank: failure,
	},
	{
		Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^life NewClientset .* is patched with an unknown patch type$`),
		Reason: "the error is 415, as with a server", Blank: failure,
	},
	{
		Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^life NewClientset .* fails a test$`),
		Reason: "the error is 422, as with a server", Blank: failure,
	},
	{
		Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^life NewClientset .* is no longer listed$`),
		Reason: "a collection can be deleted", Blank: result,
	},
	{
		Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^life NewClientset .* in the watch's events$`),
		Reason: "a collection can be deleted", Instead: collectionDeleted,
	},
}

var (
	version      = regexp.MustCompile(`"resourceVersion":"[^"]*",?`)
	commaAtClose = strings.NewReplacer(",}", "}")
)

// versions removes the resource versions of objects and lists.
func versions(c transcript.Call) transcript.Call {
	without := func(s string) string { return commaAtClose.Replace(version.ReplaceAllString(s, "")) }
	c.Result = without(c.Result)
	for i, event := range c.Events {
		c.Events[i] = without(event)
	}
	return c
}

// toldVersions removes the resource versions of objects that handlers receive and listers return.
func toldVersions(c transcript.Call) transcript.Call {
	for i, event := range c.Events {
		c.Events[i] = toldVersion.ReplaceAllLiteralString(event, " at  ")
	}
	return c
}

var toldVersion = regexp.MustCompile(` at \d+ `)

// result removes the result of a call.
func result(c transcript.Call) transcript.Call {
	c.Result = ""
	return c
}

// failure removes the error of a call.
func failure(c transcript.Call) transcript.Call {
	c.Error, c.Failure = "", ""
	return c
}

// panicked removes a panic, but not the failure of the call.
func panicked(c transcript.Call) transcript.Call {
	c.Failure = ""
	return result(words(c))
}

// answer removes the results of a fake, and the events of a watch.
func answer(c transcript.Call) transcript.Call {
	c.Events = nil
	return failure(result(c))
}

// writtenTo removes the subresource of managed fields.
func writtenTo(c transcript.Call) transcript.Call {
	c.Result = ofSubresource.ReplaceAllString(c.Result, "")
	return c
}

var ofSubresource = regexp.MustCompile(`,"subresource":"[^"]*"`)

// untyped removes the kind and version of a returned object.
func untyped(c transcript.Call) transcript.Call {
	c.Result = typeOf.ReplaceAllString(c.Result, "$1")
	return c
}

var typeOf = regexp.MustCompile(`^(\S+ \{)"kind":"[^"]*","apiVersion":"[^"]*",`)

// collectionDeleted inserts the deletion of the object before the mark that ends the events of a
// watch.
func collectionDeleted(c transcript.Call) transcript.Call {
	if n := len(c.Events); n > 1 {
		object := strings.TrimPrefix(c.Events[n-2], "ADDED ")
		c.Events = slices.Insert(c.Events, n-1, "DELETED "+object)
	}
	return c
}
