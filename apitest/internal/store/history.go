package store

import (
	"sort"
	"time"
)

const (
	// historyAge is how far back a table's history goes: a server has etcd discard what is older.
	historyAge = 5 * time.Minute
	// maxHistoryBytes bounds what a table's history retains besides the current objects.
	maxHistoryBytes = 256 << 20
	// recordBytes is about what a record takes, with its key and its places in tree and history.
	recordBytes = 512
	// keepDecoded is the number of latest records that retain the decoded state that they replaced,
	// for watchers that are nearly up to date, unless their encoded size exceeds maxDecodedBytes:
	// decoded, it is several times as much.
	keepDecoded     = 1024
	maxDecodedBytes = 16 << 20
)

// history contains a table's latest records in the order of writing. A record's place is the number
// of records that were ever added before it:
//
//	start <= place < end, end - start <= limit, end - start <= len(ring)
type history struct {
	limit      int // 0 means none
	ring       []*record
	start, end uint64
	bytes      int
	// The records from the place decoded on retain what they replaced decoded.
	decoded      uint64
	decodedBytes int
}

// at returns the record at a place.
func (h *history) at(place uint64) *record { return h.ring[place%uint64(len(h.ring))] }

// first returns the oldest record. There must be one.
func (h *history) first() *record { return h.at(h.start) }

// add appends a record and returns the records that it drops.
func (h *history) add(r *record) (dropped []*record) {
	for h.start < h.end && h.full(r) {
		dropped = append(dropped, h.drop())
	}
	if int(h.end-h.start) == len(h.ring) {
		h.grow()
	}
	h.ring[h.end%uint64(len(h.ring))] = r
	h.end++
	h.bytes += r.size
	h.decodedBytes += r.size
	for h.end-h.decoded > keepDecoded || h.decodedBytes > maxDecodedBytes && h.decoded < h.end {
		h.at(h.decoded).forgetDecoded()
		h.passDecoded()
	}
	return dropped
}

// passDecoded leaves the first record that retains what it replaced decoded.
func (h *history) passDecoded() {
	h.decodedBytes -= h.at(h.decoded).size
	h.decoded++
}

// full reports whether the first record has to make room for a new one.
func (h *history) full(r *record) bool {
	return h.limit > 0 && int(h.end-h.start) >= h.limit ||
		h.bytes+r.size > maxHistoryBytes ||
		r.written.Sub(h.first().written) > historyAge
}

func (h *history) drop() *record {
	if h.decoded == h.start {
		h.passDecoded()
	}
	i := h.start % uint64(len(h.ring))
	r := h.ring[i]
	h.ring[i] = nil
	h.start++
	h.bytes -= r.size
	return r
}

// grow doubles the ring.
func (h *history) grow() {
	size := max(2*len(h.ring), 16)
	if h.limit > 0 {
		size = min(size, h.limit)
	}
	ring := make([]*record, size)
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
