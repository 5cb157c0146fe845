package cache

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// AddIndexers calls the new index functions without locks: for what the store holds, then
// for what was written meanwhile, and so on. If that does not become less, the rest is done
// while writers wait. Readers see the indexes when they are complete.
func (s *objectStore) AddIndexers(newIndexers Indexers) error {
	added := &newIndexes{}
	for name, f := range newIndexers {
		added.indexes = append(added.indexes, newObjectIndex(name, f))
	}
	for missed := math.MaxInt; ; {
		missing, err := s.tryAddIndexes(added, missed)
		if err != nil || len(missing) == 0 {
			return err
		}
		added.compute(missing)
		missed = len(missing)
	}
}

// tryAddIndexes adds indexes, unless values are missing: then it returns the cells of those
// objects, as long as they are fewer than last time.
func (s *objectStore) tryAddIndexes(added *newIndexes, missed int) (missing []*cell, err error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := s.refuseTaken(added); err != nil {
		return nil, err
	}
	places, missing := added.find(s.held.cells)
	if len(missing) > 0 && len(missing) < missed {
		return missing, nil
	}
	for i, place := range added.compute(missing) {
		places[missing[i].pos] = place
	}
	for pos, c := range s.held.cells {
		values := added.values[places[pos]:]
		for i, x := range added.indexes {
			s.held.relink(c, x, len(c.refs), len(c.refs), values[i].values)
			x.record(c, values[i].err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held.indexes = append(s.held.indexes, added.indexes...)
	return nil, nil
}

// refuseTaken returns an error if there are indexes of the same names. s.writing is held.
func (s *objectStore) refuseTaken(added *newIndexes) error {
	var taken []string
	for _, x := range added.indexes {
		if s.held.index(x.name) != nil {
			taken = append(taken, x.name)
		}
	}
	if len(taken) == 0 {
		return nil
	}
	slices.Sort(taken)
	return fmt.Errorf("indexer conflict: %s", strings.Join(taken, ", "))
}

// newIndexes are indexes that are to be added, with what their functions gave so far.
//
//	len(cells) == len(objects), len(values) == len(cells)*len(indexes)
type newIndexes struct {
	indexes []*objectIndex
	cells   []*cell
	objects []any     // the object of a cell when its values were computed
	values  []indexed // of the first cell in each index, of the next, and so on
	arena   []string
}

// compute calls the index functions for what cells hold, and returns where the values of
// each begin.
func (n *newIndexes) compute(cells []*cell) (places []int) {
	n.cells = append(n.cells, cells...)
	n.objects = slices.Grow(n.objects, len(cells))
	n.values = slices.Grow(n.values, len(cells)*len(n.indexes))
	places = make([]int, len(cells))
	for i, c := range cells {
		object := c.object()
		n.objects = append(n.objects, object)
		places[i] = len(n.values)
		for _, x := range n.indexes {
			n.values = append(n.values, x.compute(object, &n.arena))
		}
	}
	return places
}

// find returns where the values of each of the held cells begin, by its position, and the
// cells without: their objects are new, or not surely those that values were computed for.
func (n *newIndexes) find(held []*cell) (places []int, missing []*cell) {
	places = make([]int, len(held))
	for i := range places {
		places[i] = -1
	}
	for i, c := range n.cells {
		object := n.objects[i]
		if int(c.pos) < len(held) && held[c.pos] == c && isPointer(object) && object == c.object() {
			places[c.pos] = i * len(n.indexes)
		}
	}
	for pos, place := range places {
		if place < 0 {
			missing = append(missing, held[pos])
		}
	}
	return places, missing
}
