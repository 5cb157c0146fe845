package shards

// Counts are the numbers of a ring as a member sees it, for metrics. The type is an alias so that a collector of
// metrics need not import this package; metrics/prometheus has one.
type Counts = struct {
	// Ring is the name of the ring.
	Ring string
	// InTerm reports whether the member may work, Coordinates whether it assigns slots.
	InTerm, Coordinates bool
	// Epoch is the assignment's that the member follows, and Members is how many it names.
	Epoch, Members int
	// Owned are slots on which work may begin, Releasing those on which it has to end, and Waiting those that the
	// member gets when others have released them.
	Owned, Releasing, Waiting int
	// Gained and Lost count slots, and Lapsed the terms that ended although the member did not leave.
	Gained, Lost, Lapsed int64
	// Dropped counts keys of lost slots that [Ring.Do] did not work on, and Refused the writes that [Ring.Transport] did
	// not send.
	Dropped, Refused int64
}

// Counts returns the current numbers.
func (r *Ring) Counts() Counts {
	s := r.State()
	r.mu.Lock()
	c := r.counts
	r.mu.Unlock()
	c.Ring, c.InTerm, c.Coordinates = s.Name, s.InTerm, s.Coordinator == s.Identity
	c.Epoch, c.Members, c.Owned, c.Releasing = s.Epoch, len(s.Members), len(s.Owned), len(s.Releasing)
	for _, m := range s.Moves {
		if m.To == s.Identity {
			c.Waiting++
		}
	}
	return c
}

// count adds one to a number of counts.
func (r *Ring) count(number *int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	*number++
}
