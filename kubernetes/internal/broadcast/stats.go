package broadcast

import (
	"math/bits"
	"sync/atomic"
)

// Stats counts the events of a broadcaster since its creation. Drops are counted once per watcher: an event
// that a logger received and a sink did not counts as one.
type Stats struct {
	// Recorded is the number of events that recorders created and passed on.
	Recorded uint64
	// Written is the number of writes that a sink accepted: events created, and counts patched.
	Written uint64

	// Invalid is the number of events that recorders could not create: the object was nil or of an unknown
	// kind, or the type neither Normal nor Warning.
	Invalid uint64
	// Late is the number of events recorded after the broadcaster was shut down.
	Late uint64
	// Overflowed is the number of events dropped because a queue was full: a handler or sink was too slow.
	Overflowed uint64
	// Filtered is the number of events that the spam filter of a correlator dropped.
	Filtered uint64
	// Failed is the number of events dropped because a sink failed: the server rejected them, or could not
	// be reached in all attempts or until the broadcaster was shut down.
	Failed uint64
}

// Dropped returns the number of events that were not written, for any reason.
func (s Stats) Dropped() uint64 {
	return s.Invalid + s.Late + s.Overflowed + s.Filtered + s.Failed
}

// Counters are the counters of [Stats].
type Counters struct {
	Recorded, Written, Invalid, Late, Overflowed, Filtered, Failed atomic.Uint64
}

// Stats returns the present values.
func (c *Counters) Stats() Stats {
	return Stats{
		Recorded: c.Recorded.Load(), Written: c.Written.Load(),
		Invalid: c.Invalid.Load(), Late: c.Late.Load(), Overflowed: c.Overflowed.Load(),
		Filtered: c.Filtered.Load(), Failed: c.Failed.Load(),
	}
}

// LogDrop reports whether to log the present drop for a full queue: the 1st, 2nd, 4th, 8th and so on, so that
// an overload does not fill the log.
func (c *Counters) LogDrop() bool { return bits.OnesCount64(c.Overflowed.Load()) <= 1 }
