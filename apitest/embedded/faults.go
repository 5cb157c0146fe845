package embedded

import (
	"github.com/listwatch/listwatch/apitest"
	"github.com/listwatch/listwatch/apitest/internal/fault"
	"github.com/listwatch/listwatch/apitest/internal/store"
)

// Faults makes a server misbehave. When a method returns, its effect is active. It is safe for concurrent use.
type Faults struct {
	injector *fault.Injector
	backend  *store.Backend
}

// Faults returns the controls that make the server misbehave.
func (s *Server) Faults() *Faults { return &Faults{injector: s.faults, backend: s.backend} }

// CoreGroup selects in a [Match] the group whose name is empty, to which pods belong.
const CoreGroup = apitest.CoreGroup

// Match selects requests; see [apitest.Match].
type Match = apitest.Match

// Rule is a fault of requests; see [apitest.Rule].
type Rule = apitest.Rule

// Injection is an active rule. It is safe for concurrent use.
type Injection struct{ injection *fault.Injection }

// Inject activates a rule. It stays active across restarts. If several rules match a request, only the oldest
// acts.
func (f *Faults) Inject(rule Rule) *Injection {
	return &Injection{f.injector.Inject(fault.Rule{
		Match: fault.Match(rule.Match), Delay: rule.Delay, Error: rule.Error, Times: rule.Times,
	})}
}

// Hits returns the number of requests on which the rule has acted, including those that it is delaying.
func (i *Injection) Hits() int { return i.injection.Hits() }

// Done returns a channel that is closed when the rule is no longer active, because it has acted Times times or
// was removed.
func (i *Injection) Done() <-chan struct{} { return i.injection.Done() }

// Remove deactivates the rule. Requests that it is delaying are delayed to the end. Further calls do nothing.
func (i *Injection) Remove() { i.injection.Remove() }

// DropWatches ends the watches that any of the matches selects, or all watches without matches, and returns
// their number. Clients see a normal end of the stream, as when a watch times out.
func (f *Faults) DropWatches(matches ...Match) int {
	converted := make([]fault.Match, len(matches))
	for i, m := range matches {
		converted[i] = fault.Match(m)
	}
	return f.injector.DropWatches(converted...)
}

// CutConnections resets all connections, and returns their number. Requests in progress may or may not have
// been carried out.
func (f *Faults) CutConnections() int { return f.injector.CutConnections() }

// ExpireHistory discards the history. Watches and exact lists at an older resource version, and continue
// tokens, then get 410 Gone. Open watches that are up to date continue.
func (f *Faults) ExpireHistory() { f.backend.ExpireHistory() }

// Freeze makes the server hang, like a process after SIGSTOP: connections stay open and new ones are accepted,
// but nothing is read or sent. Nothing is lost either. [Faults.Thaw], [Server.Restart] and [Server.Stop] end
// it. Freezing a frozen server does nothing.
func (f *Faults) Freeze() { f.injector.Freeze() }

// Thaw lets a frozen server continue.
func (f *Faults) Thaw() { f.injector.Thaw() }
