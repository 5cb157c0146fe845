package leaderelection

import "sync"

// notices calls a function with each new holder, in order, in a goroutine that exists as long as there are
// calls to make.
type notices struct {
	call func(identity string) // may be nil

	mu      sync.Mutex // guards the fields below
	last    string
	pending []string
	running bool
}

// add makes a call if the holder is not the last one.
func (n *notices) add(holder string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.call == nil || holder == n.last {
		return
	}
	n.last = holder
	n.pending = append(n.pending, holder)
	if !n.running {
		n.running = true
		go n.run()
	}
}

func (n *notices) run() {
	for {
		holder, ok := n.next()
		if !ok {
			return
		}
		n.call(holder)
	}
}

// next returns the holder of the next call. If there is none, run ends.
func (n *notices) next() (holder string, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.pending) == 0 {
		n.running = false
		return "", false
	}
	holder, n.pending = n.pending[0], n.pending[1:]
	return holder, true
}
