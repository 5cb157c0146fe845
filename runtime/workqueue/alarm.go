package workqueue

import (
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"
)

// alarm runs a goroutine while items wait for their time. All methods except run are called under the owner's
// lock.
type alarm struct {
	logger klog.Logger
	clock  clock.WithTicker
	// ring adds the items whose time has come, and returns the time of the next one. It takes the owner's lock
	// and calls pause if nothing remains to wait for: then more is false, and the goroutine ends.
	ring func() (next time.Time, more bool)

	// running is true while the goroutine exists, and stopped when stop is closed.
	running, stopped bool
	// earlier signals the goroutine that there is another first item, stop that nothing remains to wait for.
	earlier, stop chan struct{}
}

func newAlarm(logger *klog.Logger, clock clock.WithTicker, ring func() (time.Time, bool)) alarm {
	a := alarm{logger: klog.Background(), clock: clock, ring: ring, earlier: make(chan struct{}, 1), stop: make(chan struct{})}
	if logger != nil {
		a.logger = *logger
	}
	return a
}

// set is called after an item was added, with whether it is now the first.
func (a *alarm) set(first bool) {
	if !a.running {
		a.running = true
		go a.run()
	} else if first {
		select {
		case a.earlier <- struct{}{}:
		default: // a signal is pending already
		}
	}
}

// pause is called by ring when no item is waiting.
func (a *alarm) pause() { a.running = false }

// end ends the goroutine. It reports whether it did not do so before.
func (a *alarm) end() bool {
	if a.stopped {
		return false
	}
	a.stopped = true
	close(a.stop)
	return true
}

func (a *alarm) run() {
	defer utilruntime.HandleCrashWithLogger(a.logger)
	for {
		next, more := a.ring()
		if !more || !a.wait(next) {
			return
		}
	}
}

// wait waits until a time, or until an item must be added earlier. It returns false if nothing remains to wait
// for because the queue shuts down.
func (a *alarm) wait(until time.Time) bool {
	timer := a.clock.NewTimer(until.Sub(a.clock.Now()))
	defer timer.Stop()
	if !a.clock.Now().Before(until) {
		return true // the clock was set between the two readings
	}
	select {
	case <-timer.C():
		return true
	case <-a.earlier:
		return true
	case <-a.stop:
		return false
	}
}
