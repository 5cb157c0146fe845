package workqueue

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// TestItems compares random operations on items with a list of those being processed.
func TestItems(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 9))
	var s items[int]
	var idle, processing []int
	started := map[int]time.Duration{}
	for i := range 20_000 {
		switch op := random.IntN(4); {
		case op == 0:
			if place := s.place(i); s.at(place).item != i {
				t.Fatalf("operation %d: another item is in the slot", i)
			}
			idle = append(idle, i)
		case op == 1 && len(idle) > 0:
			item := idle[0]
			idle = idle[1:]
			place, _ := s.find(item)
			started[item] = time.Duration(i)
			s.begin(place, started[item])
			processing = append(processing, item)
		case op >= 2 && len(processing) > 0:
			j := random.IntN(len(processing))
			item := processing[j]
			processing = slices.Delete(processing, j, j+1)
			place, known := s.findProcessing(item)
			if !known || s.at(place).item != item || !s.at(place).processing {
				t.Fatalf("operation %d: item %d is not found", i, item)
			}
			s.end(place)
			s.remove(place)
			if _, known := s.findProcessing(item); known {
				t.Fatalf("operation %d: item %d is found after it was removed", i, item)
			}
		}
		var sum, earliest time.Duration
		for j, item := range processing {
			sum += started[item]
			if j == 0 {
				earliest = started[item]
			}
		}
		want := fmt.Sprint(len(processing), sum, earliest)
		if got := fmt.Sprint(s.unfinished()); got != want {
			t.Fatalf("operation %d: unfinished %s, want %s", i, got, want)
		}
	}
}

// TestCollidingItems stores items with few different hashes: they are found by more than those, also after
// others were removed.
func TestCollidingItems(t *testing.T) {
	for _, hashes := range []uint32{1, 2, 7, 1 << 31} {
		hash := func(i int) uint32 { return uint32(i) % hashes * 13 }
		random := rand.New(rand.NewPCG(uint64(hashes), 1))
		var s items[int]
		places := map[int]slot{}
		for i := range 4_000 {
			if n := i / 500 * 10; len(places) > 0 && random.IntN(100) < 20+n {
				for item, place := range places {
					s.remove(place)
					delete(places, item)
					break
				}
			} else {
				places[i] = s.insert(hash(i), i)
			}
			for item, place := range places {
				if i%10 == 0 && s.findHash(hash(item), item) != place {
					t.Fatalf("operation %d: item %d is not in its slot", i, item)
				}
			}
			if s.live > 0 && s.findHash(hash(i+1), i+1) != 0 || s.live != len(places) || 2*s.live > len(s.table) {
				t.Fatalf("operation %d: %d of %d items in a table of %d", i, s.live, len(places), len(s.table))
			}
		}
	}
}

// TestUnusualItems uses items that maps treat specially.
func TestUnusualItems(t *testing.T) {
	floats := NewTyped[float64]()
	for range 3 {
		floats.Add(math.NaN())
		floats.Add(0)
		floats.Add(math.Copysign(0, -1))
	}
	if n := floats.Len(); n != 4 {
		t.Errorf("%d items, want 0 and three that are not equal to themselves", n)
	}
	type pair struct {
		name  string
		value any
	}
	pairs := NewTyped[pair]()
	for range 2 {
		pairs.Add(pair{"a", 1})
		pairs.Add(pair{"a", "1"})
		pairs.Add(pair{"a", nil})
	}
	if n := pairs.Len(); n != 3 {
		t.Errorf("%d items, want 3", n)
	}
	defer func() {
		if r := recover(); r == nil {
			t.Error("no panic for an item that cannot be compared")
		}
		if n := pairs.Len(); n != 3 {
			t.Errorf("%d items after a panic, want 3", n)
		}
	}()
	pairs.Add(pair{"a", []int{1}})
}

func TestMemoryOfItems(t *testing.T) {
	q := NewTyped[int]()
	next := 0
	turn := func(n int) {
		for range n {
			q.Add(next)
			next++
		}
		for range n {
			item, _ := q.Get()
			q.Done(item)
		}
	}
	slots := func() int { return len(q.items.slots) }
	ring := func() int { return len(q.line.(*slotLine[int]).ring.buffer) }

	for range 1000 {
		turn(10)
	}
	if slots() > 10 || ring() > 16 {
		t.Errorf("%d slots and a line of %d for 10 items", slots(), ring())
	}
	for range 10 {
		turn(10_000)
	}
	if slots() != 10_000 {
		t.Errorf("%d slots for 10000 recurring items", slots())
	}
	for range 10_000 {
		turn(10)
	}
	if slots() > spared || ring() > spared {
		t.Errorf("%d slots and a line of %d are left after a long time with few items", slots(), ring())
	}
}
