package shards

import (
	"fmt"
	"maps"
	"slices"
)

// waits returns why a member has no slots, or fewer than it will have. It is called with mu.
func (r *Ring) waits(t *term, s *State) []string {
	a := t.last
	switch {
	case r.leaving:
		if len(s.Releasing) > 0 {
			return []string{fmt.Sprintf("it leaves when work in slots %s has ended", text(s.Releasing))}
		}
		return nil
	case t.over && len(r.holdings) > 0:
		return []string{fmt.Sprintf("its term has ended, and the next begins when work in slots %s has ended", text(s.Releasing))}
	case t.over:
		return []string{"its term has ended, and the next has not begun"}
	case !t.begun && r.err != nil:
		return []string{fmt.Sprintf("it cannot take its Lease: %v", r.err)}
	case !t.begun:
		return []string{"its term has not begun"}
	case a == nil:
		return []string{"there is no assignment yet"}
	case a.Slots != r.options.Slots || a.Key != r.options.Key:
		return []string{"its options are not the ring's"}
	case a.Fresh:
		return []string{fmt.Sprintf("the ring is new, or its Lease was deleted: %s assigns slots when every former Lease must have expired", s.Coordinator)}
	}
	from := map[string][]int{}
	for _, m := range s.Moves {
		if m.To == r.options.Identity {
			from[m.From] = append(from[m.From], m.Slot)
		}
	}
	var all []string
	for _, owner := range slices.Sorted(maps.Keys(from)) {
		all = append(all, fmt.Sprintf("%s has to release slots %s, or its Lease to expire", owner, text(from[owner])))
	}
	if len(all) == 0 && len(s.Owned) == 0 {
		if len(s.Members) >= a.Slots {
			return []string{fmt.Sprintf("%d members share %d slots", len(s.Members), a.Slots)}
		}
		return []string{fmt.Sprintf("%s assigns slots when members have not come or gone for %s", s.Coordinator, r.options.Settle)}
	}
	return all
}

// text returns slots in the form of reports.
func text(slots []int) string {
	text, _ := slotSet(slots).MarshalText() // never fails
	return string(text)
}
