package apitest

import (
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"
)

// Request is a request that a client sent to a server, with the status of the response.
type Request struct {
	User      string // who sent it, after impersonation; "" if the credentials are invalid
	UserAgent string
	// Verb is that of Kubernetes: get, list, watch, create, update, patch, delete or deletecollection; for other
	// paths than those of resources, the HTTP method in lower case.
	Verb                                  string
	Group, Version, Resource, Subresource string // "" for other paths
	Namespace                             string // "" for cluster-scoped objects and all namespaces
	Name                                  string // also of an object that was created; "" for collections
	Path                                  string // of the URL
	Patch                                 types.PatchType
	DryRun                                bool
	Code                                  int // HTTP status; 0 if the connection was closed before
	// Writes is the number of objects that the request created, changed or deleted: 0 for reads, dry runs, errors,
	// and updates and patches that change nothing.
	Writes int
}

// String returns the request in a form such as
//
//	patch books.library.example.com/status default/emma: 200 by shelver, merge-patch, nothing written
func (r Request) String() string {
	text := strings.Join(r.fields(), " ") + fmt.Sprintf(": %d by %s", r.Code, r.User)
	if r.Patch != "" {
		kind, _, _ := strings.Cut(strings.TrimPrefix(string(r.Patch), "application/"), "+")
		text += ", " + kind
	}
	if r.DryRun {
		text += ", dry run"
	}
	if r.modifies() && !r.DryRun && r.Code < http.StatusBadRequest && r.Writes == 0 {
		text += ", nothing written"
	}
	return text
}

// fields returns the verb, the resource or the path, and the object, if any.
func (r Request) fields() []string {
	if r.Resource == "" {
		return []string{r.Verb, r.Path}
	}
	resource := r.Resource
	if r.Group != "" {
		resource += "." + r.Group
	}
	if r.Subresource != "" {
		resource += "/" + r.Subresource
	}
	fields := []string{r.Verb, resource}
	switch {
	case r.Namespace != "":
		fields = append(fields, r.Namespace+"/"+r.Name)
	case r.Name != "":
		fields = append(fields, r.Name)
	}
	return fields
}

func (r Request) modifies() bool {
	return r.Resource != "" && !slices.Contains([]string{"get", "list", "watch"}, r.Verb)
}

// Matches reports whether a request is as the pattern says: a verb, a resource, and optionally an object, with blanks
// between them.
//
//	patch books/status default/emma
//	create books.library.example.com default/emma-*
//	delete namespaces shop
//	* leases
//	get /healthz
//
// The group of a resource can be omitted, but not the subresource. Each part is a pattern of path.Match, in which *
// does not match a slash. It panics if the pattern is malformed.
func (r Request) Matches(pattern string) bool {
	wanted, got := strings.Fields(pattern), r.fields()
	if len(wanted) < 2 || len(wanted) > 3 {
		panic(fmt.Sprintf("pattern %q: want a verb, a resource and optionally an object", pattern))
	}
	if len(wanted) > len(got) {
		return false
	}
	for i, want := range wanted {
		if !matches(want, got[i]) && (i != 1 || !matches(want, strings.Replace(got[i], "."+r.Group, "", 1))) {
			return false
		}
	}
	return true
}

func matches(pattern, text string) bool {
	ok, err := path.Match(pattern, text)
	if err != nil {
		panic(fmt.Sprintf("pattern %q: %v", pattern, err))
	}
	return ok
}

// RequestFilter selects requests.
type RequestFilter func(Request) bool

// Modifying selects the requests that would modify objects, and those to services that create nothing, such as
// reviews: all except get, list and watch of resources and requests for other paths. The requests that did modify
// something have Writes above 0.
func Modifying(r Request) bool { return r.modifies() }

// By selects the requests of some users.
func By(users ...string) RequestFilter {
	return func(r Request) bool { return slices.Contains(users, r.User) }
}

// Matching selects the requests that match one of the patterns of [Request.Matches].
func Matching(patterns ...string) RequestFilter {
	return func(r Request) bool { return slices.ContainsFunc(patterns, r.Matches) }
}

// Not selects the requests that a filter does not select.
func Not(filter RequestFilter) RequestFilter {
	return func(r Request) bool { return !filter(r) }
}

// Requests is part of a recording.
type Requests []Request

// String returns one request in each line.
func (r Requests) String() string {
	var text strings.Builder
	for _, request := range r {
		fmt.Fprintln(&text, request)
	}
	return text.String()
}

// Expect reports an error to t unless there are as many requests as patterns of [Request.Matches], and each matches
// the pattern at its position; and returns whether that is so. The error shows all requests.
func (r Requests) Expect(t testing.TB, patterns ...string) bool {
	t.Helper()
	var text strings.Builder
	ok := true
	for i := range max(len(r), len(patterns)) {
		switch {
		case i >= len(r):
			fmt.Fprintf(&text, "  missing     %s\n", patterns[i])
		case i >= len(patterns):
			fmt.Fprintf(&text, "  unexpected  %s\n", r[i])
		case !r[i].Matches(patterns[i]):
			fmt.Fprintf(&text, "  got         %s\n  want        %s\n", r[i], patterns[i])
		default:
			fmt.Fprintf(&text, "  ok          %s\n", r[i])
			continue
		}
		ok = false
	}
	if !ok {
		t.Errorf("%d requests, want %d:\n%s", len(r), len(patterns), text.String())
	}
	return ok
}
