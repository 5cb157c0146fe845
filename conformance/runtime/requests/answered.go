package requests

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/conformance/runtime/requests/transcript"
	"github.com/listwatch/listwatch/internal/testcase"
)

// answered are exceptions for the runtime's handling of requests and responses.
var answered = []Exception{
	{
		Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^raw request a path with a parent directory$`),
		Reason: "a path with .. is an error, because it leads outside of the client's path", Blank: nameOnly,
	},
	{
		Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^informer listing `),
		Reason: "the first list is a consistent read", Instead: consistently,
	},
	{
		Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^client .* plain in no namespace$`),
		Error:  regexp.MustCompile(`^an empty namespace may not be set`),
		Reason: "additional methods behave like the usual ones: without a namespace they send none; client-go checks only the usual ones",
		Blank:  outcome,
	},
	{
		Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^answer .*\.Get cut off$`),
		Reason: "the error wraps the JSON decoder's, which reports that the input has ended",
		Blank: func(c transcript.Call) transcript.Call {
			c.Failure = strings.TrimPrefix(c.Failure, "unexpected end; ")
			return c
		},
	},
	{
		Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^answer .*\.Get (a list of it|a list of anything|no fields|null)$`),
		Reason: notWhatWasWanted, Instead: refused,
	},
	{
		Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^answer .*\.List (one object|of anything|no fields|null)$`),
		Reason: notWhatWasWanted, Instead: refused,
	},
	{
		Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^answer .*\.List (of items that are .*|an item with a broken field|cut off.*)$`),
		Error:  regexp.MustCompile(`.`),
		Reason: "a list that fails is empty, and its error reports where the input has ended", Blank: failedList,
	},
	{
		Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^answer .*\.List of (an unknown kind|anything)$`),
		Error:  regexp.MustCompile(`.`),
		Reason: "the kind after the items, as in lists of custom resources, differs from the expected one", Blank: failure,
	},
	{
		Input: "kubernetes", Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^construct (apps )?New(ForConfig|ForConfigOrDie)? without compression$`),
		Reason: "DisableCompression also works without TLS", Instead: uncompressed,
	},
	{
		Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^(answer|raw) .* 400 in words$`),
		Reason: "the message of a bad request contains the server's text; client-go's reports an unknown reason", Instead: told,
	},
	{
		Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^(answer|raw|client|construct) `),
		Reason: ownWords, Blank: words,
	},
	{
		Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^(answer .*\.|raw )Watch `),
		Reason: "a watch reports an undecodable event with its own text: the resource, the object and the field", Blank: undecoded,
	},
	{
		Flavour: testcase.Listwatch, Call: regexp.MustCompile(`^(answer|raw) `),
		Reason: "errors about a response name the request, in a *url.Error", Blank: request,
	},
}

const notWhatWasWanted = "a response that is not an object, or has another kind, is an error, not an empty object"

// request removes the request from an error.
func request(c transcript.Call) transcript.Call {
	c.Failure = withoutRequest(c.Failure)
	for i, event := range c.Events {
		c.Events[i] = withoutRequest(event)
	}
	return c
}

var aboutRequest = regexp.MustCompile(`(; wrapped)?(; )?\brequest\b(; )?`)

func withoutRequest(failure string) string { return aboutRequest.ReplaceAllString(failure, "") }

// told appends the server's text to the message of a bad request.
func told(c transcript.Call) transcript.Call {
	tell := func(failure string) string {
		return strings.Replace(failure, `","reason":"BadRequest"`, `: the server said no","reason":"BadRequest"`, 1)
	}
	c.Failure = tell(c.Failure)
	for i, event := range c.Events {
		c.Events[i] = tell(event)
	}
	return c
}

// uncompressed does not request compression.
func uncompressed(c transcript.Call) transcript.Call {
	c.Requests = slices.Clone(c.Requests)
	for i, r := range c.Requests {
		c.Requests[i].Header = maps.Clone(r.Header)
		delete(c.Requests[i].Header, "Accept-Encoding")
	}
	return c
}

// failedList removes the content of a failed list, and the end of its input.
func failedList(c transcript.Call) transcript.Call {
	c.Failure = strings.TrimSuffix(strings.TrimPrefix(c.Failure, "unexpected end; "), "unexpected end")
	return result(c)
}

// refused makes a successful call fail.
func refused(c transcript.Call) transcript.Call {
	if c.Error == "" {
		c.Error = "an error"
	}
	return c
}

// outcome removes a call's requests and its result.
func outcome(c transcript.Call) transcript.Call {
	c.Requests = nil
	return failure(result(c))
}

// words removes the text of an error, if there is one. The message of a Status is unchanged: it is
// in Failure.
func words(c transcript.Call) transcript.Call {
	if c.Error != "" {
		c.Error = "an error"
	}
	return c
}

// undecoded removes the text and the details of a watch's decoding error.
func undecoded(c transcript.Call) transcript.Call {
	for i, event := range c.Events {
		var status metav1.Status
		body, ok := strings.CutPrefix(event, "ERROR ")
		if !ok || json.Unmarshal([]byte(body), &status) != nil || !apierrors.HasStatusCause(&apierrors.StatusError{ErrStatus: status}, decodingCause) {
			continue
		}
		c.Events[i] = fmt.Sprintf("ERROR %d %s of decoding", status.Code, status.Reason)
	}
	return c
}

// decodingCause is the cause that client-go gives if a watch cannot decode.
const decodingCause = metav1.CauseType("ClientWatchDecoding")

// nameOnly removes everything of a call except its name.
func nameOnly(c transcript.Call) transcript.Call { return transcript.Call{Name: c.Name} }

// consistently lists without a resource version if the call lists at any.
func consistently(c transcript.Call) transcript.Call {
	c.Requests = slices.Clone(c.Requests)
	for i := range c.Requests {
		c.Requests[i].Query = strings.TrimSuffix(c.Requests[i].Query, "&resourceVersion=0")
	}
	return c
}
