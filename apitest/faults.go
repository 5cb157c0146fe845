package apitest

import (
	"time"

	"github.com/listwatch/listwatch/apitest/internal/fault"
	"github.com/listwatch/listwatch/apitest/internal/store"
)

// Faults makes a server misbehave. What it does is in force when a method returns. It is
// safe for concurrent use.
type Faults struct {
	injector *fault.Injector
	backend  *store.Backend
}

// Faults returns what makes the server misbehave.
func (s *Server) Faults() *Faults { return &Faults{injector: s.faults, backend: s.backend} }

// CoreGroup stands in a [Match] for the group whose name is empty, that of pods.
const CoreGroup = fault.CoreGroup

// Match selects requests. Fields that are empty match all; those that are not must all match.
type Match struct {
	// Verb is that of the API, such as "list" or "deletecollection"; for paths that are no
	// resources, it is the method in lower case.
	Verb string
	// Group is a resource's group, or CoreGroup.
	Group string
	// Resource is a plural ("pods"), with its subresource ("pods/status"), if one is asked
	// for. "*" stands for any of either ("*/status", "pods/*"), also for no subresource.
	Resource  string
	Namespace string
	// Name is that of an object. Requests that carry it only in their body, as those that
	// create objects do, have none.
	Name string
	// Path is that of a URL ("/readyz"), or the beginning of one ("/apis*").
	Path string
	// User is the name of who asks.
	User string
}

// Rule says what happens to requests that have been authenticated.
type Rule struct {
	Match Match
	// Delay is how long requests wait before they are refused or served. Requests other than
	// watches are refused after a minute, as everywhere on the server.
	Delay time.Duration
	// Error refuses requests: with its Status if it is one of k8s.io/apimachinery's API
	// errors, and with Retry-After if that says so, else with 500. Nil serves them.
	Error error
	// Times is how many requests the rule acts on. Zero means all until it is removed.
	Times int
}

// Injection is a rule in force. It is safe for concurrent use.
type Injection struct{ injection *fault.Injection }

// Inject puts a rule in force, also across restarts. Of several that match a request, the
// one that has been in force for longest acts, alone.
func (f *Faults) Inject(rule Rule) *Injection {
	return &Injection{f.injector.Inject(fault.Rule{
		Match: fault.Match(rule.Match), Delay: rule.Delay, Error: rule.Error, Times: rule.Times,
	})}
}

// Hits returns how many requests the rule has acted on. They count as they come in.
func (i *Injection) Hits() int { return i.injection.Hits() }

// Done is closed when the rule is in force no more: it has acted as often as it says, or
// has been removed.
func (i *Injection) Done() <-chan struct{} { return i.injection.Done() }

// Remove ends the rule. Requests that it delays go on waiting. To remove it again does nothing.
func (i *Injection) Remove() { i.injection.Remove() }

// DropWatches ends those watches that any of the matches selects, or all without matches,
// and returns how many. Clients see streams that end in good order, as they do when a
// watch's time is over.
func (f *Faults) DropWatches(matches ...Match) int {
	converted := make([]fault.Match, len(matches))
	for i, m := range matches {
		converted[i] = fault.Match(m)
	}
	return f.injector.DropWatches(converted...)
}

// CutConnections ends all connections without a word, and returns how many. Clients see a
// reset. What was asked over them may have been done or not.
func (f *Faults) CutConnections() int { return f.injector.CutConnections() }

// ExpireHistory forgets all that was before now: watches and consistent lists that go on
// from an older resource version, and continue tokens, are answered with 410 Gone.
func (f *Faults) ExpireHistory() { f.backend.ExpireHistory() }

// Freeze stops the server from reading and writing, as a signal stops a process: open
// connections stay, new ones are taken, and nothing is answered or lost. Thaw ends that, and
// so do [Server.Restart] and [Server.Stop]. To freeze it again does nothing.
func (f *Faults) Freeze() { f.injector.Freeze() }

// Thaw lets a frozen server go on where it was.
func (f *Faults) Thaw() { f.injector.Thaw() }
