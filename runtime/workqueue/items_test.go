package workqueue

import (
	"fmt"
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
			if slot := s.insert(i); s.at(slot).item != i {
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
