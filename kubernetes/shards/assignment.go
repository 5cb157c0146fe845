package shards

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	coordinationv1 "k8s.io/api/coordination/v1"
)

const (
	// ringLabel is the label of the Leases of members. Its value is the name of the ring.
	ringLabel = "listwatch.github.io/ring"
	// assignmentAnnotation has the assignment, on the ring's Lease.
	assignmentAnnotation = "listwatch.github.io/assignment"
	// memberAnnotation has the report, on the Lease of a member.
	memberAnnotation = "listwatch.github.io/member"
)

// assignment maps slots to terms of members. Each change is a new epoch. It is written with the resource version of the
// one that it follows as the precondition, so there is one sequence of epochs, whoever writes them.
type assignment struct {
	// ID is random. It differs after the ring's Lease was deleted, when epochs begin again.
	ID    string `json:"id"`
	Epoch int    `json:"epoch"`
	Slots int    `json:"slots"`
	Key   Key    `json:"key"`
	// Fresh is true until slots are assigned for the first time. Terms that followed a lost assignment may work
	// until a lease duration has passed.
	Fresh bool `json:"fresh,omitempty"`
	// Owners has the slots of each term that owns some. Slots of no term are free.
	Owners map[string]slotSet `json:"owners,omitempty"`
	// Moves are slots that their owners must release, with the term that gets them afterwards.
	Moves []move `json:"moves,omitempty"`
}

// move is a slot that is handed over.
type move struct {
	Slot int    `json:"slot"`
	To   string `json:"to"`
	// Epoch is the one with which the owner was asked to release the slot: a report of the owner that follows it, or
	// a later one, and does not hold the slot acknowledges the release.
	Epoch int `json:"epoch"`
}

// owners returns the owner of each slot, empty for free ones.
func (a *assignment) owners() []string {
	all := make([]string, a.Slots)
	for term, slots := range a.Owners {
		for _, slot := range slots {
			if slot < len(all) {
				all[slot] = term
			}
		}
	}
	return all
}

// of returns the slots on which a term may work.
func (a *assignment) of(term string) slotSet {
	var slots slotSet
	for _, slot := range a.Owners[term] {
		if !slices.ContainsFunc(a.Moves, func(m move) bool { return m.Slot == slot }) {
			slots = append(slots, slot)
		}
	}
	return slots
}

// terms returns the terms that the assignment names, in order.
func (a *assignment) terms() []string {
	all := slices.Collect(maps.Keys(a.Owners))
	for _, m := range a.Moves {
		all = append(all, m.To)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// facts are what a coordinator knows about the terms of an assignment. What over and released report once stays true as
// long as the assignment does not change.
type facts struct {
	live     []string // terms that can own slots, ordered by identity
	over     func(term string) bool
	released func(term string, m move) bool
	// successor returns the live term of a member whose former term is over.
	successor func(term string) string
	// settled reports that members have not come or gone lately: it is the time to balance.
	settled bool
}

// next returns the assignment that follows from facts, nil if it does not change.
func (a *assignment) next(f facts) *assignment {
	owners, moves, before := a.owners(), map[int]move{}, a.owners()
	isLive := map[string]bool{}
	for _, term := range f.live {
		isLive[term] = true
	}
	for _, m := range a.Moves {
		owner := owners[m.Slot]
		switch {
		case !isLive[m.To]:
			// The owner keeps the slot, or it is free.
		case owner == "" || f.over(owner) || f.released(owner, m):
			owners[m.Slot] = m.To
		default:
			moves[m.Slot] = m
		}
	}
	for slot, owner := range owners {
		if owner == "" || isLive[owner] || !f.over(owner) {
			continue
		}
		owners[slot] = f.successor(owner)
	}
	if f.settled && len(f.live) > 0 {
		a.plan(f, owners, moves)
	}

	n := &assignment{ID: a.ID, Epoch: a.Epoch + 1, Slots: a.Slots, Key: a.Key, Owners: map[string]slotSet{}}
	for slot, owner := range owners {
		if owner != "" {
			n.Owners[owner] = append(n.Owners[owner], slot)
		}
	}
	for _, slot := range slices.Sorted(maps.Keys(moves)) {
		n.Moves = append(n.Moves, moves[slot])
	}
	if slices.Equal(owners, before) && slices.Equal(n.Moves, a.Moves) { // a fresh one too: it has no owners
		return nil
	}
	return n
}

// plan balances what will own the slots when all moves have ended: it changes owners of free slots, and moves.
func (a *assignment) plan(f facts, owners []string, moves map[int]move) {
	future := slices.Clone(owners)
	for slot, m := range moves {
		future[slot] = m.To
	}
	for slot, to := range balance(future, f.live) {
		m, moving := moves[slot]
		switch owner := owners[slot]; {
		case owner == "":
			owners[slot] = to
		case owner == to:
			delete(moves, slot)
		case !moving:
			moves[slot] = move{Slot: slot, To: to, Epoch: a.Epoch + 1}
		default:
			m.To = to
			moves[slot] = m
		}
	}
}

// balance distributes slots among members, of which there is at least one: their numbers differ by one at most, and as
// few slots as possible change their owner. Slots of others than members count as free.
func balance(owners, members []string) []string {
	has := map[string][]int{}
	for slot, owner := range owners {
		has[owner] = append(has[owner], slot)
	}
	// Those with the most slots get the larger share.
	order := slices.Clone(members)
	slices.SortStableFunc(order, func(x, y string) int { return cmp.Compare(len(has[y]), len(has[x])) })
	share := map[string]int{}
	for i, m := range order {
		share[m] = len(owners) / len(members)
		if i < len(owners)%len(members) {
			share[m]++
		}
	}
	balanced := make([]string, len(owners))
	for _, m := range order {
		for _, slot := range has[m][:min(len(has[m]), share[m])] {
			balanced[slot] = m
			share[m]--
		}
	}
	for slot, owner := range balanced {
		if owner != "" {
			continue
		}
		for share[order[0]] == 0 {
			order = order[1:]
		}
		balanced[slot] = order[0]
		share[order[0]]--
	}
	return balanced
}

// assignmentOf returns the assignment of the ring's Lease, nil if there is none.
func assignmentOf(lease *coordinationv1.Lease) *assignment {
	a := &assignment{}
	if lease == nil || json.Unmarshal([]byte(lease.Annotations[assignmentAnnotation]), a) != nil || a.validate() != nil {
		return nil
	}
	return a
}

// validate checks what an annotation that was edited by hand may violate.
func (a *assignment) validate() error {
	if a.ID == "" || !isSlots(a.Slots) {
		return fmt.Errorf("invalid assignment")
	}
	owned := map[int]bool{}
	for term, slots := range a.Owners {
		for _, slot := range slots {
			if term == "" || slot >= a.Slots || owned[slot] {
				return fmt.Errorf("invalid owners of slot %d", slot)
			}
			owned[slot] = true
		}
	}
	for _, m := range a.Moves {
		if m.Slot < 0 || m.Slot >= a.Slots || m.To == "" {
			return fmt.Errorf("invalid move of slot %d", m.Slot)
		}
	}
	return nil
}

// report is what a member says about itself.
type report struct {
	// Follows and Epoch are the assignment that the member follows; empty before it has read one in its term.
	Follows string `json:"follows,omitempty"`
	Epoch   int    `json:"epoch,omitempty"`
	// Holds are the slots on which the member may still work.
	Holds slotSet `json:"holds,omitempty"`
	// Leaving is true when the member gives away all slots.
	Leaving bool `json:"leaving,omitempty"`
	// Replaces is the term before, of which the member knows that it is over; in a released Lease, the one that released
	// it.
	Replaces string `json:"replaces,omitempty"`
	// Slots and Key are the member's options. A member whose options differ from the ring's gets no slots.
	Slots int `json:"slots"`
	Key   Key `json:"key"`
}

func (r report) equal(other report) bool {
	return r.Follows == other.Follows && r.Epoch == other.Epoch && slices.Equal(r.Holds, other.Holds) && r.Leaving == other.Leaving
}

// reportOf returns the report of the Lease of a member; it is empty if there is none.
func reportOf(lease *coordinationv1.Lease) report {
	var r report
	if json.Unmarshal([]byte(lease.Annotations[memberAnnotation]), &r) != nil {
		return report{}
	}
	return r
}

func encode(v any) string {
	text, _ := json.Marshal(v) // of strings, numbers and slots, which cannot fail
	return string(text)
}
