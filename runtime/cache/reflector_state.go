package cache

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// sourceRecord is the status of a reflector. It is written by the goroutine that runs the
// reflector, and read by others.
type sourceRecord struct {
	mu       sync.Mutex  // guards the fields below
	now      SourceState // without Quarantined
	filled   bool        // the store was filled once
	streak   int         // failures since the last event, or watch that lasted
	isolated map[ObjectName]QuarantinedObject
}

func newSourceRecord(namespace string) sourceRecord {
	return sourceRecord{now: SourceState{Namespace: namespace, Phase: PhaseStarting}}
}

// state returns a copy.
func (s *sourceRecord) state() SourceState {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := s.now
	for _, q := range s.isolated {
		state.Quarantined = append(state.Quarantined, q)
	}
	slices.SortFunc(state.Quarantined, func(a, b QuarantinedObject) int {
		if c := strings.Compare(a.Name.Namespace, b.Name.Namespace); c != 0 {
			return c
		}
		return strings.Compare(a.Name.Name, b.Name.Name)
	})
	return state
}

// version returns the last resource version.
func (s *sourceRecord) version() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now.ResourceVersion
}

// cause returns the last failure if there was no success since, otherwise nil.
func (s *sourceRecord) cause() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now.Failures == 0 {
		return nil
	}
	return s.now.Err
}

// enter sets the phase. s.mu is held.
func (s *sourceRecord) enter(p Phase, now time.Time) {
	if s.now.Phase != p {
		s.now.Phase, s.now.Since = p, now
	}
}

func (s *sourceRecord) start(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.streak, s.now.Failures = 0, 0
	s.enter(PhaseStarting, now)
}

func (s *sourceRecord) stop(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now.Doing = ""
	s.enter(PhaseStopped, now)
}

// doing describes what is being done.
func (s *sourceRecord) doing(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now.Doing = what
}

// listing records the start of a list.
func (s *sourceRecord) listing(how string, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now.Lists++
	s.now.Doing = how
	if s.now.Failures == 0 {
		s.enter(PhaseListing, now)
	}
}

// fill records that the store got all objects up to rv, except isolated ones.
func (s *sourceRecord) fill(rv string, isolated map[ObjectName]QuarantinedObject, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, q := range isolated {
		if before, ok := s.isolated[name]; ok {
			q.Since = before.Since
			isolated[name] = q
		}
	}
	s.filled, s.isolated, s.now.ResourceVersion = true, isolated, rv
	if s.now.Failures == 0 {
		s.enter(PhaseSyncing, now)
	} else {
		s.enter(PhaseStale, now)
	}
}

// watching records the start of a watch, which is a success after failures.
func (s *sourceRecord) watching(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now.Watches++
	s.now.Doing, s.now.Failures = "watching", 0
	s.enter(PhaseLive, now)
}

// lasted records that a watch has worked for a while.
func (s *sourceRecord) lasted() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.streak = 0
}

// fail records the failure of a list or a watch.
func (s *sourceRecord) fail(err error, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.streak++
	s.now.Err, s.now.LastErr, s.now.Failures = err, now, s.streak
	if s.filled {
		s.enter(PhaseStale, now)
	} else {
		s.enter(PhaseFailed, now)
	}
}

// note records an error that does not change what is done.
func (s *sourceRecord) note(err error, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now.Err, s.now.LastErr = err, now
}

// event records an event, received at about now, of resource version rv, unless that is empty.
func (s *sourceRecord) event(rv string, now time.Time) {
	s.mu.Lock()
	s.now.Events++
	s.now.LastEvent = now
	s.streak = 0
	if rv != "" {
		s.now.ResourceVersion = rv
	}
	s.mu.Unlock()
}

// rewind records that a watch continues from an older resource version.
func (s *sourceRecord) rewind(rv string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now.ResourceVersion = rv
}

// slots records the slots whose objects the store has, and those that are listed.
func (s *sourceRecord) slots(stored, gaining []int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now.Slots, s.now.Gaining = stored, gaining
}

// idle records that there are no slots to list and watch.
func (s *sourceRecord) idle(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now.Doing = "waiting for shards"
	if s.filled = true; s.now.Failures == 0 {
		s.enter(PhaseLive, now)
	}
}

// releaseAll forgets objects that could not be decoded.
func (s *sourceRecord) releaseAll(of func(QuarantinedObject) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.isolated, func(_ ObjectName, q QuarantinedObject) bool { return of(q) })
}

// isolate records that an object cannot be decoded. It returns false if that was known.
func (s *sourceRecord) isolate(q QuarantinedObject) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, known := s.isolated[q.Name]
	if known {
		q.Since = before.Since
	}
	if s.isolated == nil {
		s.isolated = map[ObjectName]QuarantinedObject{}
	}
	s.isolated[q.Name] = q
	return !known
}

// release records that an object can be decoded again, or is deleted.
func (s *sourceRecord) release(name ObjectName) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.isolated, name)
}
