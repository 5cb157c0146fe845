package cache

import (
	"sync"
	"weak"

	"k8s.io/apimachinery/pkg/runtime"
)

// copies are the copies of a segment's objects, for handlers that get those. They are made by the first handler that
// reads the segment. Nothing retains them but the handlers that are reading them: for a handler that is far behind they
// are made once more, so that its lag does not cost memory.
type copies struct {
	mu   sync.Mutex // guards made
	made weak.Pointer[copiedEvents]
}

// copiedEvents are events with copies of the objects.
type copiedEvents struct{ events []event }

// of returns the events with copies. The caller retains the result while it uses the events.
func (c *copies) of(events []event) *copiedEvents {
	if c == nil { // of a handler with its own queue
		return copyEvents(events)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	made := c.made.Value()
	if made == nil {
		made = copyEvents(events)
		c.made = weak.Make(made)
	}
	return made
}

func copyEvents(events []event) *copiedEvents {
	made := &copiedEvents{make([]event, len(events))}
	for i, packed := range events {
		e := packed.opened()
		old := e.old
		if e.kind == eventUpdate {
			e.old = copyOf(old)
		}
		switch tombstone, ok := e.object.(DeletedFinalStateUnknown); {
		case ok:
			tombstone.Obj = copyOf(tombstone.Obj)
			e.object = tombstone
		case e.kind == eventUpdate && e.object == old: // a resync
			e.object = e.old
		default:
			e.object = copyOf(e.object)
		}
		made.events[i] = e
	}
	return made
}

func copyOf(obj any) any {
	if object, ok := obj.(runtime.Object); ok {
		return object.DeepCopyObject()
	}
	return obj
}
