package requests

import (
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/runtime/requests/transcript"
)

// made is the result that a caller must get from a response, whoever decodes it.
type made struct {
	call string
	// requests is the number of requests.
	requests int
	// result is the result of the call, or the first event of a watch; failure is a part of its
	// error, empty if there is none.
	result, failure string
}

const (
	route   = `{"metadata":{"name":"served","namespace":"here","resourceVersion":"42","labels":{"colour":"blue"}},"spec":{"to":""}}`
	noRoute = `*v1.Route {"metadata":{},"spec":{"to":""}}`
	typed   = `{"kind":"Route","apiVersion":"maps.example.com/v1",`
	page    = `*v1.RouteList {"metadata":{"resourceVersion":"43","continue":"more","remainingItemCount":2},"items":[`
)

// answers, all about the kind of the input api-path, check, among others, where the kind and
// version of an object are retained and where they are cleared: objects, lists and the objects of
// events have none, but the items of a list retain theirs.
var answers = []made{
	{"Get as it is", 1, "*v1.Route " + route, ""},
	{"Get without a type", 1, "*v1.Route " + route, ""},
	{"Get of an unknown kind", 1, noRoute, "unknown kind"},
	{"Get in gzip", 1, "*v1.Route " + route, ""},
	{"Get an unknown field", 1, "*v1.Route " + route, ""},
	{"Get as YAML", 1, "*v1.Route " + route, ""},
	{"Get once busy", 2, "*v1.Route " + route, ""},
	{"Get once down", 2, "*v1.Route " + route, ""},
	{"Get always busy", 11, noRoute, `"code":429`},
	{"Get 429 with a status", 1, noRoute, `"reason":"TooManyRequests"`},
	{"Get 404 with a status", 1, noRoute, `"message":"the server does not want to","reason":"NotFound"`},
	{"Get 404 in words", 1, noRoute, `"message":"the server could not find the requested resource (get routes.maps.example.com thing)"`},
	{"Get 200 with a refusal", 1, noRoute, `"reason":"Forbidden"`},
	{"Delete 409 with a status", 1, "", `"reason":"AlreadyExists"`},
	{"Create 422 with a status", 1, noRoute, `"field":"spec.size"`},
	{"List of items without types", 1, page + route + "," + route + "]}", ""},
	{"List of items with and without types", 1, page + route + "," + typed +
		strings.Replace(route[1:], "served", "second", 1) + "," + route + "]}", ""},
	{"Watch as it is", 1, "ADDED " + route, ""},
	{"Watch a bookmark", 1, `BOOKMARK {"metadata":{"resourceVersion":"50","annotations":{"k8s.io/initial-events-end":"true"}},"spec":{"to":""}}`, ""},
	{"Watch 410 with a status", 1, "", `"reason":"Expired"`},
}

// expectAnswers checks the results of calls for given responses.
func expectAnswers(t *testing.T, calls map[string]transcript.Call) {
	t.Helper()
	for _, a := range answers {
		c := calls["answer MapsV1.Routes."+a.call]
		result := c.Result
		if len(c.Events) > 0 {
			result = c.Events[0]
		}
		if len(c.Requests) != a.requests || result != a.result || !strings.Contains(c.Failure, a.failure) || (c.Failure == "") != (a.failure == "") {
			t.Errorf("%s: %d requests, %s\n%s\nwant %d, ..%s..\n%s", a.call, len(c.Requests), c.Failure, result, a.requests, a.failure, a.result)
		}
	}
}
