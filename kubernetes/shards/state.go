package shards

import (
	"fmt"
	"slices"
	"time"
)

// State is a ring as a member sees it, for logs and debug pages.
type State struct {
	Name, Namespace, Identity string
	// Term is the member's; it changes when the member could not renew its Lease.
	Term string
	// InTerm is false if the member may not work.
	InTerm bool
	// Left is how much longer the member may work if no further renewal succeeds.
	Left time.Duration
	// Epoch is the assignment's that the member follows, 0 if there is none.
	Epoch int
	Slots int
	Key   Key
	// Coordinator is the identity of the member that assigns slots, empty if there is none.
	Coordinator string
	// Owned are the slots on which work may begin, Releasing those on which work has to end.
	Owned, Releasing []int
	// Members are those that own slots or will, in the order of their identities.
	Members []Member
	// Moves are the slots that are handed over.
	Moves []Move
	// Waits are the reasons why the member has no slots, or fewer than it will have; empty if there are none.
	Waits []string
	// Err is why the last renewal failed, or why the member gets no slots.
	Err error
}

// Member is a member of a ring in a [State].
type Member struct {
	Identity, Term string
	Slots          []int
}

// Move is a slot that From must release before To gets it. To waits for From, until From's Lease expires.
type Move struct {
	Slot     int
	From, To string
	// Epoch is since when From knows of it, if From follows that epoch.
	Epoch int
}

// State returns the current state.
func (r *Ring) State() (s State) {
	now := r.now()
	r.mu.Lock()
	defer r.mu.Unlock()
	t, o := r.term, &r.options
	s = State{
		Name: o.Name, Namespace: o.Namespace, Identity: o.Identity, Term: t.name,
		Epoch: t.epoch, Slots: o.Slots, Key: o.Key, Coordinator: identityOf(r.leader), Err: r.err,
	}
	defer func() { s.Waits = r.waits(t, &s) }()
	if t.begun && !t.over {
		s.Left = max(0, o.RenewDeadline-(now-t.synced))
		s.InTerm = s.Left > 0
	}
	for slot, h := range r.holdings {
		if h.losing {
			s.Releasing = append(s.Releasing, slot)
		} else {
			s.Owned = append(s.Owned, slot)
		}
	}
	slices.Sort(s.Owned)
	slices.Sort(s.Releasing)
	if t.last == nil {
		return s
	}
	if a := t.last; a.Slots != o.Slots || a.Key != o.Key {
		s.Err = fmt.Errorf("ring %s has %d slots by %s, options have %d by %s: stop all members and delete the ring's Lease", o.Name, a.Slots, a.Key, o.Slots, o.Key)
	}
	for _, term := range t.last.terms() {
		s.Members = append(s.Members, Member{Identity: identityOf(term), Term: term, Slots: slices.Clone(t.last.Owners[term])})
	}
	owners := t.last.owners()
	for _, m := range t.last.Moves {
		s.Moves = append(s.Moves, Move{Slot: m.Slot, From: identityOf(owners[m.Slot]), To: identityOf(m.To), Epoch: m.Epoch})
	}
	return s
}
