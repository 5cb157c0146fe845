package perturb

import (
	"errors"
	"fmt"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// drive lets users write when the program rests, and ends disturbances, until all is done.
func (t *trial) drive(users <-chan error) {
	done, waited := false, time.Duration(0)
	for {
		patient := t.patience()
		if done {
			patient = t.pace.end
		}
		if !t.rest(patient) {
			t.fail(ruleRest, fmt.Sprintf("the program has not come to rest in %s: it has written %d times, and still writes", t.now().Round(time.Second), t.activity.Load()))
			return
		}
		if t.patience() > patient {
			continue // a lease has begun to change hands
		}
		if !t.schedule.first.long && (t.release() || t.resume()) {
			continue
		}
		select {
		case err := <-users:
			if err != nil && t.over.Err() == nil {
				t.failUsers(err)
			}
			done = true
			continue
		default:
		}
		select {
		case g := <-t.gates:
			waited = 0
			t.stopBefore(g.point)
			t.recovered()
			close(g.open)
			continue
		default:
		}
		if !done {
			if waited += patient; waited >= t.pace.limit {
				t.fail(ruleUsers, fmt.Sprintf("users wait for %s for what does not happen", t.pace.limit))
				return
			}
			if waited > t.pace.end && !t.release() { // they may wait for the program
				t.resume()
			}
			continue
		}
		if !t.release() && !t.resume() {
			return
		}
	}
}

// patience is how long the program must not have written before users go on.
func (t *trial) patience() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.disturbed {
		return max(t.patient, t.pace.recovery)
	}
	return max(t.patient, t.pace.rest)
}

// failUsers records that users have failed. If a disturbance has made the server refuse a request of theirs, because
// the program has not done its work yet or has changed the object, they should have waited: the run tells nothing.
func (t *trial) failUsers(err error) {
	var status apierrors.APIStatus
	if t.schedule.first.kind == "" || !errors.As(err, &status) {
		t.fail(ruleUsers, err.Error())
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.void = true
}

// rest returns when the program has not written for d, or false if that does not happen. In real time, it must not have
// received anything or wait for a response either.
func (t *trial) rest(d time.Duration) bool {
	begin := time.Now()
	for quiet := time.Duration(0); time.Since(begin) < t.pace.limit; {
		t.settle()
		before := t.signs()
		step := min(t.pace.rest/2, d-quiet)
		time.Sleep(step)
		t.settle()
		quiet += step
		switch {
		case t.activity.Load() > manyWrites:
			return false
		case t.signs() != before || t.open.Load() > 0:
			quiet = 0
		case quiet >= d:
			t.mu.Lock()
			t.rests++
			t.mu.Unlock()
			return true
		}
	}
	return false
}

// settle returns when nothing goes on without time passing.
func (t *trial) settle() {
	if t.pace.virtual {
		synctest.Wait()
	}
}

// signs counts what shows that the program is at work.
func (t *trial) signs() int64 {
	n := t.activity.Load()
	if !t.pace.virtual {
		t.mu.Lock()
		n += int64(len(t.received))
		t.mu.Unlock()
	}
	return n
}

// stopBefore ends the process before a write of users, if that is the next disturbance, and keeps the program away.
func (t *trial) stopBefore(write point) {
	t.mu.Lock()
	d := t.next()
	if d.kind != stop || d.at != write {
		t.mu.Unlock()
		return
	}
	t.begins()
	p := t.processes[len(t.processes)-1]
	t.tell("", "The program is stopped.")
	t.mu.Unlock()
	t.keepAway()
	p.crash()
}

// keepAway keeps the program from being restarted until resume is called.
func (t *trial) keepAway() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.away = make(chan struct{})
}

// resume restarts a stopped program, and reports whether there was one.
func (t *trial) resume() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.away == nil {
		return false
	}
	close(t.away)
	t.away = nil
	t.disturbed = true
	return true
}

// recovered lets users go on at their usual pace.
func (t *trial) recovered() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.disturbed = false
}
