package apitest

import (
	"time"

	"github.com/listwatch/listwatch/apitest/internal/fault"
	"github.com/listwatch/listwatch/apitest/internal/store"
)

// Faults makes a server misbehave. When a method returns, its effect is in force. It is safe for
// concurrent use.
type Faults struct {
	injector *fault.Injector
	backend  *store.Backend
}

// Faults returns what makes the server misbehave.
func (s *Server) Faults() *Faults { return &Faults{injector: s.faults, backend: s.backend} }

// CoreGroup stands in a [Match] for the group whose name is empty, that of pods.
const CoreGroup = fault.CoreGroup

// Match selects requests. All fields that are set must match; the zero Match selects all requests.
type Match struct {
	// Verb is the API's, such as "list" or "deletecollection". For paths that are not
	// resources, such as /readyz, it is the HTTP method in lower case.
	Verb string
	// Group is the API group of a resource. For pods and the like, whose group is "", use
	// CoreGroup.
	Group string
	// Resource is the plural ("pods"), or a subresource ("pods/status"). "pods" does not match
	// requests for subresources. "*" matches any name on its side of the slash, and after the
	// slash also no subresource: "*/status", "pods/*".
	Resource  string
	Namespace string
	// Name is the name of an object, as the URL gives it. Requests that create objects have it
	// in their body only, and are not matched.
	Name string
	// Path is the path of the URL ("/readyz"), or with "*" at the end its beginning ("/apis*").
	Path string
	// User is the name of the user who sends the request.
	User string
}

// Rule says what happens to requests. It acts after authentication, so not on requests with a
// wrong token, and before authorization.
type Rule struct {
	Match Match
	// Delay is how long requests wait before they are refused or served. Requests that are not
	// watches time out after a minute, as they always do.
	Delay time.Duration
	// Error refuses requests. An error of k8s.io/apimachinery/pkg/api/errors is sent as it is,
	// with the header Retry-After if it has one; any other error becomes a 500. If it is nil,
	// requests are served.
	Error error
	// Times is how many requests the rule acts on. Zero means until it is removed.
	Times int
}

// Injection is a rule in force. It is safe for concurrent use.
type Injection struct{ injection *fault.Injection }

// Inject puts a rule in force. It stays in force across restarts. If several rules match a request,
// only the oldest acts.
func (f *Faults) Inject(rule Rule) *Injection {
	return &Injection{f.injector.Inject(fault.Rule{
		Match: fault.Match(rule.Match), Delay: rule.Delay, Error: rule.Error, Times: rule.Times,
	})}
}

// Hits returns how many requests the rule has acted on, including those that it delays now.
func (i *Injection) Hits() int { return i.injection.Hits() }

// Done returns a channel that is closed when the rule is no longer in force, because it has acted
// as often as it should or was removed.
func (i *Injection) Done() <-chan struct{} { return i.injection.Done() }

// Remove ends the rule. Requests that it already delays are delayed to the end. Calls after the
// first do nothing.
func (i *Injection) Remove() { i.injection.Remove() }

// DropWatches ends the watches that any of the matches selects, or all watches if none is given,
// and returns their number. Clients see a normal end of the stream, as when a watch times out.
func (f *Faults) DropWatches(matches ...Match) int {
	converted := make([]fault.Match, len(matches))
	for i, m := range matches {
		converted[i] = fault.Match(m)
	}
	return f.injector.DropWatches(converted...)
}

// CutConnections resets all connections, and returns their number. Requests that were under way may
// have been carried out or not.
func (f *Faults) CutConnections() int { return f.injector.CutConnections() }

// ExpireHistory forgets all changes up to now. Watches and exact lists at an older resource
// version, and continue tokens, then get 410 Gone. Watches that are open and up to date go on.
func (f *Faults) ExpireHistory() { f.backend.ExpireHistory() }

// Freeze makes the server hang, like a process that got SIGSTOP: connections stay open and new ones
// are accepted, but nothing is read or answered. Nothing is lost either. [Faults.Thaw],
// [Server.Restart] and [Server.Stop] end it. Freezing a frozen server does nothing.
func (f *Faults) Freeze() { f.injector.Freeze() }

// Thaw lets a frozen server continue where it stopped.
func (f *Faults) Thaw() { f.injector.Thaw() }
