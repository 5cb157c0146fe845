package shards_test

import (
	"math"
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// machine is the clock of a member, and the reason why it does not run: its rate differs from the bubble's, its wall
// clock jumps, and while it is frozen, timers do not fire and nobody learns what time it is.
type machine struct {
	clock.RealClock
	rate  float64
	birth time.Time

	mu     sync.Mutex // guards the fields below
	wall   time.Duration
	stamps map[time.Time]time.Duration // what Now returned, with the monotonic clock
	thaws  chan struct{}               // closed when the machine runs; nil if it does
}

var _ clock.WithDelayedExecution = (*machine)(nil)

func newMachine(rate float64) *machine {
	return &machine{rate: rate, birth: time.Now(), stamps: map[time.Time]time.Duration{}}
}

func (m *machine) jump(by time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.wall += by
}

func (m *machine) freeze() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.thaws == nil {
		m.thaws = make(chan struct{})
	}
}

func (m *machine) thaw() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.thaws != nil {
		close(m.thaws)
		m.thaws = nil
	}
}

func (m *machine) isFrozen() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.thaws != nil
}

// run returns when the machine runs.
func (m *machine) run() {
	for {
		m.mu.Lock()
		thaws := m.thaws
		m.mu.Unlock()
		if thaws == nil {
			return
		}
		<-thaws
	}
}

func (m *machine) Now() time.Time {
	m.run()
	m.mu.Lock()
	defer m.mu.Unlock()
	elapsed := time.Duration(float64(time.Since(m.birth)) * m.rate)
	now := m.birth.Round(0).Add(elapsed + m.wall)
	for ; ; now = now.Add(1) { // Since needs to know which call of Now returned a time
		if at, ok := m.stamps[now]; !ok || at == elapsed {
			m.stamps[now] = elapsed
			return now
		}
	}
}

func (m *machine) Since(t time.Time) time.Duration {
	m.run()
	m.mu.Lock()
	defer m.mu.Unlock()
	at, ok := m.stamps[t]
	if !ok {
		panic("Since is called with a time that Now did not return")
	}
	return time.Duration(float64(time.Since(m.birth))*m.rate) - at
}

// real is rounded up: when a timer fires, its duration has passed.
func (m *machine) real(d time.Duration) time.Duration {
	return time.Duration(math.Ceil(float64(d) / m.rate))
}

func (m *machine) sleep(d time.Duration) {
	time.Sleep(m.real(d))
	m.run()
}

func (m *machine) NewTimer(d time.Duration) clock.Timer {
	c := make(chan time.Time, 1)
	return timer{m.AfterFunc(d, func() { c <- time.Time{} }), c}
}

func (m *machine) AfterFunc(d time.Duration, f func()) clock.Timer {
	return m.RealClock.AfterFunc(m.real(d), func() {
		m.run()
		f()
	})
}

type timer struct {
	clock.Timer
	c chan time.Time
}

func (t timer) C() <-chan time.Time { return t.c }
