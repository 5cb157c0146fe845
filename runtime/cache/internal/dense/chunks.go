package dense

// perChunk is the number of elements of a chunk, the most that one write copies after a view.
const perChunk = 512

// chunks are elements in chunks, all full except the last.
//
//	len == the sum of the lengths of all chunks, and no chunk has a later epoch than the slice
type chunks[E any] struct {
	chunks []chunk[E]
	len    int
	epoch  uint64 // in which the slice of chunks was copied last
	room   int    // how many elements are expected at least
}

// chunk is a part of the elements.
type chunk[E any] struct {
	elements []E
	epoch    uint64 // in which the elements were copied last
}

func (c *chunks[E]) at(i int) E { return at(c.chunks, i) }

func at[E any](chunks []chunk[E], i int) E {
	return chunks[uint(i)/perChunk].elements[uint(i)%perChunk]
}

func (c *chunks[E]) set(epoch uint64, i int, e E) {
	c.own(epoch, i/perChunk).elements[i%perChunk] = e
}

func (c *chunks[E]) append(epoch uint64, e E) {
	last := c.len / perChunk
	if last == len(c.chunks) {
		if c.chunks == nil {
			c.chunks, c.epoch = make([]chunk[E], 0, (c.room+perChunk-1)/perChunk), epoch
		}
		c.ownSlice(epoch)
		added := chunk[E]{epoch: epoch}
		if n := min(perChunk, max(c.len, c.room-c.len)); n > 0 {
			added.elements = make([]E, 0, n)
		}
		c.chunks = append(c.chunks, added)
	}
	to := c.own(epoch, last)
	to.elements = append(to.elements, e)
	c.len++
}

// removeLast removes the last element, and chunks without elements except one.
func (c *chunks[E]) removeLast(epoch uint64) {
	c.len--
	from := c.own(epoch, c.len/perChunk)
	var none E
	from.elements[c.len%perChunk] = none
	from.elements = from.elements[:c.len%perChunk]
	if needed := c.len/perChunk + 1; len(c.chunks) > needed {
		clear(c.chunks[needed:])
		c.chunks = c.chunks[:needed]
	}
	if c.len == 0 {
		c.chunks, c.room = nil, 0
	}
}

// own returns a chunk, copied if a view from before this epoch may share it.
func (c *chunks[E]) own(epoch uint64, i int) *chunk[E] {
	if owned := &c.chunks[i]; owned.epoch == epoch { // so is the slice
		return owned
	}
	return c.copy(epoch, i)
}

func (c *chunks[E]) copy(epoch uint64, i int) *chunk[E] {
	c.ownSlice(epoch)
	owned := &c.chunks[i]
	owned.elements = append(make([]E, 0, cap(owned.elements)), owned.elements...)
	owned.epoch = epoch
	return owned
}

// ownSlice copies the slice of chunks if a view from before this epoch may share it.
func (c *chunks[E]) ownSlice(epoch uint64) {
	if c.epoch != epoch {
		c.chunks = append(make([]chunk[E], 0, cap(c.chunks)), c.chunks...)
		c.epoch = epoch
	}
}
