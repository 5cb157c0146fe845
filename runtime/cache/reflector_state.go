package cache

import (
	"slices"
	"strings"
	"sync"
	"time"
)

// sourceRecord is what a reflector writes down about itself. It is written by the
// goroutine that runs the reflector, and read by others.
type sourceRecord struct {
	mu       sync.Mutex  // guards what follows
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

// cause returns the last failure if it has not been made up for, else nil.
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

// doing says what is being done, in words.
func (s *sourceRecord) doing(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now.Doing = what
}

// listing is that all objects are being got.
func (s *sourceRecord) listing(how string, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now.Lists++
	s.now.Doing = how
	if s.now.Failures == 0 {
		s.enter(PhaseListing, now)
	}
}

// fill is that the store was given all objects up to rv, those of isolated excepted.
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

// watching is that a watch was begun, which makes up for failures.
func (s *sourceRecord) watching(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now.Watches++
	s.now.Doing, s.now.Failures = "watching", 0
	s.enter(PhaseLive, now)
}

// lasted is that a watch lasted: it has worked.
func (s *sourceRecord) lasted() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.streak = 0
}

// fail is that a list or a watch failed.
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

// note is that something went wrong that nothing can be done about.
func (s *sourceRecord) note(err error, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now.Err, s.now.LastErr = err, now
}

// event is that an event came in, at about now, and got to resource version rv, unless
// that is empty.
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

// isolate is that an object cannot be decoded. It returns false if that was known.
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

// release is that an object can be decoded again, or is gone.
func (s *sourceRecord) release(name ObjectName) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.isolated, name)
}
