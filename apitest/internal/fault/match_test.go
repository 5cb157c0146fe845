package fault_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/listwatch/listwatch/apitest/internal/fault"
)

func TestMatch(t *testing.T) {
	const (
		foo     = "/apis/example.com/v1/namespaces/default/foos/one"
		pods    = "/api/v1/namespaces/default/pods"
		allPods = "/api/v1/pods"
	)
	for _, test := range []struct {
		name           string
		match          fault.Match
		method, target string
		want           bool
	}{
		{"all", fault.Match{}, "GET", "/readyz", true},
		{"the verb", fault.Match{Verb: "get"}, "GET", foo, true},
		{"another verb", fault.Match{Verb: "list"}, "GET", foo, false},
		{"a watch is not a list", fault.Match{Verb: "list"}, "GET", pods + "?watch=1", false},
		{"a watch", fault.Match{Verb: "watch"}, "GET", pods + "?watch=1", true},
		{"deletecollection", fault.Match{Verb: "deletecollection"}, "DELETE", pods, true},
		{"a method", fault.Match{Verb: "post"}, "POST", "/readyz", true},
		{"the group", fault.Match{Group: "example.com"}, "GET", foo, true},
		{"another group", fault.Match{Group: "example.com"}, "GET", pods, false},
		{"the core group", fault.Match{Group: fault.CoreGroup}, "GET", pods, true},
		{"not the core group", fault.Match{Group: fault.CoreGroup}, "GET", foo, false},
		{"a path has no group", fault.Match{Group: fault.CoreGroup}, "GET", "/api/v1", false},
		{"the resource", fault.Match{Resource: "pods"}, "GET", pods, true},
		{"another resource", fault.Match{Resource: "pods"}, "GET", foo, false},
		{"not the subresource", fault.Match{Resource: "pods"}, "GET", pods + "/a/status", false},
		{"the subresource", fault.Match{Resource: "pods/status"}, "GET", pods + "/a/status", true},
		{"not the resource", fault.Match{Resource: "pods/status"}, "GET", pods + "/a", false},
		{"a subresource of any", fault.Match{Resource: "*/status"}, "PATCH", foo + "/status", true},
		{"a subresource of any, without one", fault.Match{Resource: "*/status"}, "PATCH", foo, false},
		{"any subresource", fault.Match{Resource: "pods/*"}, "GET", pods + "/a/log", true},
		{"any subresource or none", fault.Match{Resource: "pods/*"}, "GET", pods + "/a", true},
		{"the namespace", fault.Match{Namespace: "default"}, "GET", foo, true},
		{"another namespace", fault.Match{Namespace: "other"}, "GET", foo, false},
		{"all namespaces", fault.Match{Namespace: "default"}, "GET", allPods, false},
		{"the name", fault.Match{Name: "one"}, "DELETE", foo, true},
		{"another name", fault.Match{Name: "two"}, "DELETE", foo, false},
		{"the name in a selector", fault.Match{Name: "one"}, "GET", pods + "?watch=1&fieldSelector=metadata.name%3Done", true},
		{"the path", fault.Match{Path: "/readyz"}, "GET", "/readyz?verbose", true},
		{"another path", fault.Match{Path: "/readyz"}, "GET", "/readyz/ping", false},
		{"the beginning of the path", fault.Match{Path: "/readyz*"}, "GET", "/readyz/ping", true},
		{"the user", fault.Match{User: "alice"}, "GET", foo, true},
		{"another user", fault.Match{User: "bob"}, "GET", foo, false},
		{"all but one", fault.Match{Verb: "get", Group: "example.com", Resource: "foos", Namespace: "default", Name: "one", User: "bob"}, "GET", foo, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			i := fault.New()
			injection := i.Inject(fault.Rule{Match: test.match, Error: errors.New("hit")})
			w := ask(t, i, test.method, test.target, "alice")
			if got := w.Code == http.StatusInternalServerError; got != test.want || injection.Hits() != map[bool]int{true: 1}[got] {
				t.Errorf("%s %s: %d, %d hits", test.method, test.target, w.Code, injection.Hits())
			}
		})
	}
}
