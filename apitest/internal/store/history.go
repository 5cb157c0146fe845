package store

import "sort"

const (
	// maxHistoryBytes bounds the encoded objects in a table's history.
	maxHistoryBytes = 256 << 20
	// keepDecoded is the number of latest records that retain the decoded state that they replaced,
	// for watchers that are nearly up to date.
	keepDecoded = 1024
)

// history contains a table's latest records in the order of writing. A record's place is the number
// of records that were ever added before it:
//
//	start <= place < end, end - start <= limit, end - start <= len(ring)
type history struct {
	limit      int
	ring       []*record
	start, end uint64
	bytes      int
}

// at returns the record at a place.
func (h *history) at(place uint64) *record { return h.ring[place%uint64(len(h.ring))] }

// first returns the oldest record. There must be one.
func (h *history) first() *record { return h.at(h.start) }

// add appends a record and returns the records that it drops.
func (h *history) add(r *record) (dropped []*record) {
	for h.start < h.end && (int(h.end-h.start) >= h.limit || h.bytes+len(r.value) > maxHistoryBytes) {
		dropped = append(dropped, h.drop())
	}
	if int(h.end-h.start) == len(h.ring) {
		h.grow()
	}
	h.ring[h.end%uint64(len(h.ring))] = r
	h.end++
	h.bytes += len(r.value)
	if h.end-h.start > keepDecoded {
		h.at(h.end - 1 - keepDecoded).forgetDecoded()
	}
	return dropped
}

func (h *history) drop() *record {
	i := h.start % uint64(len(h.ring))
	r := h.ring[i]
	h.ring[i] = nil
	h.start++
	h.bytes -= len(r.value)
	return r
}

// grow doubles the ring.
func (h *history) grow() {
	ring := make([]*record, min(max(2*len(h.ring), 16), h.limit))
	for i := h.start; i < h.end; i++ {
		ring[i%uint64(len(ring))] = h.at(i)
	}
	h.ring = ring
}

// removeUpTo drops the records up to a version.
func (h *history) removeUpTo(version uint64) (dropped []*record) {
	for h.start < h.end && h.first().version <= version {
		dropped = append(dropped, h.drop())
	}
	return dropped
}

// forgetDecoded drops the decoded objects that are no longer current.
func (r *record) forgetDecoded() {
	if p := r.prev.Load(); p != nil {
		p.decoded.Store(forgotten)
	}
	if r.deleted {
		r.decoded.Store(forgotten)
	}
}

// behind returns the place of the first record after a version.
func (h *history) behind(version uint64) uint64 {
	n := sort.Search(int(h.end-h.start), func(i int) bool { return h.at(h.start+uint64(i)).version > version })
	return h.start + uint64(n)
}
