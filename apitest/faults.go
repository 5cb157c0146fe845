package apitest

import (
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/listwatch/listwatch/apitest/internal/control"
)

// CoreGroup selects in a [Match] the group whose name is empty, to which pods belong.
const CoreGroup = control.CoreGroup

// Match selects requests. All fields that are set must match; the zero Match selects all requests.
type Match struct {
	// Verb is the API verb, such as "list" or "deletecollection". For paths that are not resources, such as
	// /readyz, it is the HTTP method in lower case.
	Verb string
	// Group is the API group of a resource. For pods and others, whose group is "", use CoreGroup.
	Group string
	// Resource is the plural ("pods"), or a subresource ("pods/status"). "pods" does not match
	// requests for subresources. "*" matches any name on its side of the slash, and after the
	// slash also no subresource: "*/status", "pods/*".
	Resource  string
	Namespace string
	// Name is the name of an object in the URL. Requests that create objects have it only in their body, and do
	// not match.
	Name string
	// Path is the path of the URL ("/readyz"), or with "*" at the end its prefix ("/apis*").
	Path string
	// User is the name of the user who sends the request.
	User string
}

// Rule is a fault of requests. It acts after authentication, so not on requests with a wrong token, and before
// authorization.
type Rule struct {
	Match Match
	// Delay is how long requests wait before they are rejected or served. Requests other than watches time out
	// after a minute, as without a delay.
	Delay time.Duration
	// Error rejects requests. An error of k8s.io/apimachinery/pkg/api/errors is sent unchanged, with the header
	// Retry-After if it has one; any other error becomes a 500. If it is nil, requests are served.
	Error error
	// Times is the number of requests on which the rule acts. Zero means until it is removed.
	Times int
}

// Faults makes a server misbehave. When a method returns, its effect is active. It is safe for concurrent use.
type Faults struct{ server *Server }

// Faults returns the controls that make the server misbehave.
func (s *Server) Faults() *Faults { return &Faults{s} }

// Injection is an active rule. It is safe for concurrent use.
type Injection struct {
	server *Server
	id     int

	once sync.Once
	done chan struct{} // made once
}

// Inject activates a rule. It stays active across restarts. If several rules match a request, only the oldest
// acts.
func (f *Faults) Inject(rule Rule) *Injection {
	sent := &control.Rule{Match: control.Match(rule.Match), Delay: rule.Delay, Times: rule.Times}
	if rule.Error != nil {
		sent.Fails, sent.Message = true, rule.Error.Error()
		// Servers send an error that only wraps one as a 500.
		if status, ok := rule.Error.(apierrors.APIStatus); ok {
			s := status.Status()
			sent.Status = &s
		}
	}
	return &Injection{server: f.server, id: f.server.do(control.Inject, control.Argument{Rule: sent}).ID}
}

// Hits returns the number of requests on which the rule has acted, including those that it is delaying.
func (i *Injection) Hits() int { return i.server.do(control.Hits, control.Argument{ID: i.id}).Count }

// Done returns a channel that is closed when the rule is no longer active, because it has acted Times times or
// was removed, or the server was stopped.
func (i *Injection) Done() <-chan struct{} {
	i.once.Do(func() {
		i.done = make(chan struct{})
		go func() {
			defer close(i.done)
			i.server.await(control.AwaitDone, control.Argument{ID: i.id})
		}()
	})
	return i.done
}

// Remove deactivates the rule. Requests that it is delaying are delayed to the end. Further calls do nothing.
func (i *Injection) Remove() { i.server.do(control.Remove, control.Argument{ID: i.id}) }

// DropWatches ends the watches that any of the matches selects, or all watches without matches, and returns
// their number. Clients see a normal end of the stream, as when a watch times out.
func (f *Faults) DropWatches(matches ...Match) int {
	var sent []control.Match
	for _, m := range matches {
		sent = append(sent, control.Match(m))
	}
	return f.server.do(control.DropWatches, control.Argument{Matches: sent}).Count
}

// CutConnections resets all connections, and returns their number. Requests in progress may or may not have
// been carried out.
func (f *Faults) CutConnections() int {
	return f.server.do(control.CutConnections, control.Argument{}).Count
}

// ExpireHistory discards the history. Watches and exact lists at an older resource version, and continue
// tokens, then get 410 Gone. Open watches that are up to date continue.
func (f *Faults) ExpireHistory() { f.server.do(control.ExpireHistory, control.Argument{}) }

// Freeze makes the server hang, like a process after SIGSTOP: connections stay open and new ones are accepted,
// but nothing is read or sent. Nothing is lost either. [Faults.Thaw], [Server.Restart] and [Server.Stop] end
// it. Freezing a frozen server does nothing.
func (f *Faults) Freeze() { f.server.do(control.Freeze, control.Argument{}) }

// Thaw lets a frozen server continue.
func (f *Faults) Thaw() { f.server.do(control.Thaw, control.Argument{}) }
