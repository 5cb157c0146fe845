package objectstore

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
)

// AddIndexes adds indexes. It calls their functions without locks: for the objects in the
// store, then for those that were written meanwhile, and so on. If these do not become fewer,
// writers wait for the rest. Readers see the indexes when they are complete.
func (s *Store) AddIndexes(indexes []Index) error {
	added := &newIndexes{}
	for _, index := range indexes {
		added.indexes = append(added.indexes, newObjectIndex(index))
	}
	for missed := math.MaxInt; ; {
		missing, err := s.tryAddIndexes(added, missed)
		if err != nil || len(missing) == 0 {
			return err
		}
		added.compute()
		missed = len(missing)
	}
}

// tryAddIndexes adds indexes, unless values are missing: then it returns the cells of these objects
// if there are fewer than last time.
func (s *Store) tryAddIndexes(added *newIndexes, missed int) (missing []*cell, err error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := s.refuseTaken(added); err != nil {
		return nil, err
	}
	places, missing := added.find(s.contents.cells)
	for _, c := range missing {
		places[c.pos] = added.add(c)
	}
	if len(missing) > 0 && len(missing) < missed {
		return missing, nil
	}
	added.compute()
	for pos, c := range s.contents.cells {
		values := added.values[places[pos]*len(added.indexes):]
		for i, x := range added.indexes {
			s.contents.relink(c, x, len(c.refs), len(c.refs), values[i].values)
			x.record(c, values[i].err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.contents.indexes = append(s.contents.indexes, added.indexes...)
	return nil, nil
}

// refuseTaken returns an error if there are indexes of the same names. s.writing is held.
func (s *Store) refuseTaken(added *newIndexes) error {
	var taken []string
	for _, x := range added.indexes {
		if s.contents.index(x.Name) != nil {
			taken = append(taken, x.Name)
		}
	}
	if len(taken) == 0 {
		return nil
	}
	slices.Sort(taken)
	return fmt.Errorf("indexer conflict: %s", strings.Join(taken, ", "))
}

// newIndexes are indexes to be added, with the results of their functions so far.
//
//	len(cells) == len(objects), len(values) == computed*len(indexes)
type newIndexes struct {
	indexes  []*objectIndex
	cells    []*cell
	objects  []any     // of the cells, when they were added
	values   []indexed // of the first object in each index, of the next, and so on
	computed int       // the number of objects with values
	arena    []string
}

// add adds a cell whose values are to be computed, and returns its position. The store's writing lock is
// held.
func (n *newIndexes) add(c *cell) int {
	n.cells, n.objects = append(n.cells, c), append(n.objects, c.object())
	return len(n.cells) - 1
}

// compute calls the index functions for the objects without values.
func (n *newIndexes) compute() {
	n.values = slices.Grow(n.values, (len(n.objects)-n.computed)*len(n.indexes))
	for ; n.computed < len(n.objects); n.computed++ {
		for _, x := range n.indexes {
			n.values = append(n.values, x.compute(n.objects[n.computed], &n.arena))
		}
	}
}

// find returns which of n's cells each of the store's cells is, by its position, and the cells
// without values: those whose objects are new, or may differ from the objects for which values were
// computed.
func (n *newIndexes) find(stored []*cell) (places []int, missing []*cell) {
	places = make([]int, len(stored))
	for i := range places {
		places[i] = -1
	}
	for i, c := range n.cells {
		object := n.objects[i]
		if int(c.pos) < len(stored) && stored[c.pos] == c && delta.IsPointer(object) && object == c.object() {
			places[c.pos] = i
		}
	}
	for pos, place := range places {
		if place < 0 {
			missing = append(missing, stored[pos])
		}
	}
	return places, missing
}
