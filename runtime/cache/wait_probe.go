package cache

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// A caller of [WaitForCacheSync] passes functions, mostly the HasSynced methods of
// informers. To wait without polling, what is behind a function must be known: while
// a waiter asks a function, HasSynced leaves word of what it found unsynced.

// askAgain is how often a function is asked of which nothing better is known.
const askAgain = 100 * time.Millisecond

// errNotSynced is the reason of a function that says no and of which nothing is known.
var errNotSynced = errors.New("not synced")

// probe is what the one who asks is told by what is asked.
type probe struct {
	mu sync.Mutex
	// The checker that was found unsynced: preferably one that the waiter asked itself
	// (direct), else the first that a function in between asked, or anybody else who
	// asked at the same time.
	checker DoneChecker
	direct  bool
}

var (
	asking      sync.Mutex            // held by the one waiter that has a probe
	activeProbe atomic.Pointer[probe] // the probe while asking is held
)

// hasSynced says whether c is done, and if it is not lets a waiter that is asking know.
// Every HasSynced of the package ends here.
func hasSynced(c DoneChecker) bool {
	if IsDone(c) {
		return true
	}
	if p := activeProbe.Load(); p != nil {
		p.tell(c)
	}
	return false
}

// tell is called from HasSynced through hasSynced.
func (p *probe) tell(c DoneChecker) {
	// The frames: Callers, tell, hasSynced, HasSynced, and the one that asked. Method
	// values and promoted methods add no frames.
	var pcs [1]uintptr
	runtime.Callers(4, pcs[:])
	frame, _ := runtime.CallersFrames(pcs[:]).Next()

	p.mu.Lock()
	defer p.mu.Unlock()
	if direct := frame.Entry == askWithProbeEntry; p.checker == nil || direct && !p.direct {
		p.checker, p.direct = c, direct
	}
}

// ask asks f. If it says no, it returns what it waits for if that is known, and whether
// that is all that it waits for.
func ask(f InformerSynced) (synced bool, c DoneChecker, direct bool) {
	// Only one waiter at a time has a probe, so that what it is told is about the
	// function that it asked. A function that blocks must not block other waiters.
	if !asking.TryLock() {
		return f(), nil, false
	}
	defer asking.Unlock()
	p := &probe{}
	activeProbe.Store(p)
	defer activeProbe.Store(nil)
	synced = askWithProbe(f)
	p.mu.Lock()
	defer p.mu.Unlock()
	return synced, p.checker, p.direct
}

// askWithProbe calls f. It is recognized on the stack of what f calls.
//
//go:noinline
func askWithProbe(f InformerSynced) bool { return f() }

var askWithProbeEntry = reflect.ValueOf(askWithProbe).Pointer()

// waitForSyncs waits until all functions say yes in one pass. When stop is closed it
// returns the reason of the first that still says no.
func waitForSyncs(stop <-chan struct{}, syncs []InformerSynced) error {
	for {
		i, c, direct := firstUnsynced(syncs)
		if i < 0 {
			return nil
		}
		if isClosed(stop) {
			return unsyncedReason(c)
		}
		var done <-chan struct{}
		if c != nil {
			done = c.Done()
		}
		var again <-chan time.Time
		if !direct {
			again = time.After(askAgain)
		}
		select {
		case <-done:
		case <-again:
		case <-stop:
		}
	}
}

func firstUnsynced(syncs []InformerSynced) (i int, c DoneChecker, direct bool) {
	for i, f := range syncs {
		if synced, c, direct := ask(f); !synced {
			return i, c, direct
		}
	}
	return -1, nil, false
}

// unsyncedReason returns why c is not done, as far as that is known.
func unsyncedReason(c DoneChecker) error {
	if c == nil {
		return errNotSynced
	}
	err := errNotSynced
	if e, ok := c.(interface{ unsyncedCause() error }); ok {
		if cause := e.unsyncedCause(); cause != nil {
			err = cause
		}
	}
	return fmt.Errorf("%s: %w", c.Name(), err)
}

// describeUnsynced returns the name of c and, if it is known, why it is not done.
func describeUnsynced(c DoneChecker) string {
	if e, ok := c.(interface{ unsyncedCause() error }); ok {
		if cause := e.unsyncedCause(); cause != nil {
			return c.Name() + ": " + cause.Error()
		}
	}
	return c.Name()
}
