package leaderelection_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/kubernetes/leaderelection"
	"github.com/listwatch/listwatch/kubernetes/leaderelection/resourcelock"
)

// model is an election whose replicas, network and server fail at random. It checks that there are never two
// leaders, that each term has a higher number than all before, and that there is a leader when all is well
// again.
type model struct {
	random   *rand.Rand
	server   *server
	config   leaderelection.LeaderElectionConfig
	replicas []*replica
	running  sync.WaitGroup

	mu       sync.Mutex // guards the fields below, and the random numbers of the network
	leaders  map[*replica]int
	highest  int // number of a term
	terms    int
	failures []string
	delay    time.Duration // the longest of a request, and of a response
	errors   float64       // the rate of requests that fail
}

// replica is a process of the model. It runs electors one after the other until it is killed.
type replica struct {
	model    *model
	name     string
	clock    *skewed
	elector  *leaderelection.LeaderElector
	shutdown func() // ends the current elector
	kill     func()

	mu  sync.Mutex // guards cut
	cut bool       // the network
}

// bug makes a model fail, if the model is any good.
type bug struct {
	careless bool    // the server accepts updates of an old version
	naive    bool    // Since depends on the wall clock
	skew     float64 // of the fastest to the slowest clock; more than LeaseDuration to RenewDeadline
	truncate bool    // of LeaseDurationSeconds
}

func newModel(seed uint64, b bug) *model {
	random := rand.New(rand.NewPCG(seed, 0))
	m := &model{random: random, server: &server{careless: b.careless}, leaders: map[*replica]int{}, highest: -1}
	durations := [][3]time.Duration{
		{15 * time.Second, 10 * time.Second, 2 * time.Second},
		{1900 * time.Millisecond, 1200 * time.Millisecond, 200 * time.Millisecond},
		{60 * time.Second, 40 * time.Second, 5 * time.Second},
	}[random.IntN(3)]
	m.config = leaderelection.LeaderElectionConfig{
		LeaseDuration: durations[0], RenewDeadline: durations[1], RetryPeriod: durations[2],
		ReleaseOnCancel: random.IntN(2) == 0,
		Random: func() float64 {
			m.mu.Lock()
			defer m.mu.Unlock()
			return random.Float64()
		},
	}
	skew := 0.999 * float64(durations[0]) / float64(durations[1])
	if b.skew != 0 {
		skew = b.skew
	}
	for i := range 2 + random.IntN(4) {
		rate := 1 + random.Float64()*(skew-1)
		if i < 2 {
			rate = []float64{1, skew}[i]
		}
		r := &replica{model: m, name: string(rune('a' + i)), clock: newSkewed(rate)}
		r.clock.naive = b.naive
		m.replicas = append(m.replicas, r)
	}
	for _, r := range m.replicas {
		ctx, kill := context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
		r.kill = kill
		m.running.Go(func() { r.run(ctx, b) })
	}
	return m
}

// run runs electors until ctx is done, which kills the replica.
func (r *replica) run(ctx context.Context, b bug) {
	for n := 0; ctx.Err() == nil; n++ {
		config := r.model.config
		l := &lock{on: r.model.server, identity: fmt.Sprintf("%s%d", r.name, n), send: r.send}
		if b.truncate {
			l.alter = func(record *resourcelock.LeaderElectionRecord) {
				if record.HolderIdentity != "" {
					record.LeaseDurationSeconds = int(config.LeaseDuration / time.Second)
				}
			}
		}
		config.Lock, config.Clock = l, r.clock
		config.Callbacks = leaderelection.LeaderCallbacks{
			OnStartedLeading: r.lead,
			OnStoppedLeading: func() {},
		}
		elector, err := leaderelection.NewLeaderElector(config)
		if err != nil {
			panic(err)
		}
		running, shutdown := context.WithCancel(ctx)
		r.model.mu.Lock()
		r.elector, r.shutdown = elector, shutdown
		r.model.mu.Unlock()
		elector.Run(running)
		shutdown()
	}
}

// lead is the work of a leader.
func (r *replica) lead(term context.Context) {
	m := r.model
	token, _ := leaderelection.FencingToken(term)
	m.mu.Lock()
	elector := r.elector
	for other, number := range m.leaders {
		m.fail("%s begins term %d while %s is in term %d", r.name, token, other.name, number)
	}
	for _, other := range m.replicas {
		if other != r && other.elector != nil && other.elector.IsLeader() {
			m.fail("%s begins term %d while IsLeader of %s is true", r.name, token, other.name)
		}
	}
	if token <= m.highest {
		m.fail("%s begins term %d after term %d", r.name, token, m.highest)
	}
	m.highest = token
	m.leaders[r] = token
	m.terms++
	m.mu.Unlock()

	<-term.Done()
	if errors.Is(context.Cause(term), context.Canceled) && m.config.ReleaseOnCancel {
		// The elector is being shut down: the work may last as long as it holds the lease.
		for range r.number(int64(m.config.RetryPeriod / time.Millisecond)) {
			if !elector.IsLeader() {
				break
			}
			time.Sleep(time.Millisecond)
		}
	}
	m.mu.Lock()
	delete(m.leaders, r)
	m.mu.Unlock()
}

// number returns a random number below n.
func (r *replica) number(n int64) int64 {
	r.model.mu.Lock()
	defer r.model.mu.Unlock()
	return r.model.random.Int64N(n)
}

// fail is called with mu.
func (m *model) fail(format string, args ...any) {
	m.failures = append(m.failures, fmt.Sprintf("after %d terms, ", m.terms)+fmt.Sprintf(format, args...))
}

// send is the network: it delays requests, which arrive even if nobody waits for the response any more, and
// responses, and drops them if it is cut.
func (r *replica) send(ctx context.Context, request func()) error {
	m := r.model
	m.mu.Lock()
	there, back := time.Duration(m.random.Int64N(int64(m.delay)+1)), time.Duration(m.random.Int64N(int64(m.delay)+1))
	fails := m.random.Float64() < m.errors
	m.mu.Unlock()
	arrived := make(chan struct{})
	if !r.isCut() {
		m.running.Go(func() {
			time.Sleep(there)
			if !fails {
				request()
			}
			time.Sleep(back)
			if !r.isCut() {
				close(arrived)
			}
		})
	}
	select {
	case <-arrived:
		if fails {
			return errors.New("internal error")
		}
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (r *replica) isCut() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.cut
}

func (r *replica) setCut(cut bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cut = cut
}

// disturb does something at random.
func (m *model) disturb() {
	m.mu.Lock()
	event, r := m.random.IntN(8), m.replicas[m.random.IntN(len(m.replicas))]
	jump := time.Duration(m.random.Int64N(int64(2*time.Hour))) - time.Hour
	delay := time.Duration(m.random.Int64N(int64(m.config.RenewDeadline)))
	rate := m.random.Float64()
	shutdown := r.shutdown
	m.mu.Unlock()
	switch event {
	case 0, 1:
		r.setCut(true)
	case 2, 3:
		r.setCut(false)
	case 4:
		r.clock.jump(jump)
	case 5:
		m.setNetwork(delay, rate/2)
	case 6:
		m.setNetwork(0, 0)
	case 7:
		shutdown()
	}
}

func (m *model) setNetwork(delay time.Duration, errors float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.delay, m.errors = delay, errors
}

// run disturbs the election, waits until it must have a leader again, and returns what was wrong.
func (m *model) run(events int) []string {
	for range events {
		m.mu.Lock()
		pause := time.Duration(m.random.Int64N(int64(m.config.LeaseDuration / 2)))
		m.mu.Unlock()
		time.Sleep(pause)
		m.disturb()
	}
	m.setNetwork(0, 0)
	for _, r := range m.replicas {
		r.setCut(false)
	}
	time.Sleep(3 * m.config.LeaseDuration)
	m.mu.Lock()
	if len(m.leaders) != 1 {
		m.fail("%d leaders although all is well", len(m.leaders))
	}
	m.mu.Unlock()
	for _, r := range m.replicas {
		r.kill()
	}
	m.running.Wait()
	return m.failures
}

// check runs a model, and returns its failures and the number of its terms.
func check(t *testing.T, seed uint64, b bug) (failures []string, terms int) {
	t.Helper()
	synctest.Test(t, func(*testing.T) {
		m := newModel(seed, b)
		synctest.Wait()
		failures, terms = m.run(60), m.terms
	})
	return failures, terms
}

func TestModel(t *testing.T) {
	terms := 0
	seeds := []uint64{2297, 3606} // found bugs
	for seed := range uint64(300) {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		failures, n := check(t, seed, bug{})
		if len(failures) > 0 {
			t.Errorf("seed %d: %s", seed, strings.Join(failures, "\n"))
		}
		terms += n
	}
	t.Logf("%d terms", terms)
	if terms < 500 {
		t.Errorf("%d terms: nothing happens", terms)
	}
}

func FuzzModel(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		if failures, _ := check(t, seed, bug{}); len(failures) > 0 {
			t.Error(strings.Join(failures, "\n"))
		}
	})
}

// The model finds bugs, and conditions under which two leaders are possible.
func TestModelFindsBugs(t *testing.T) {
	for name, b := range map[string]bug{
		"a server that ignores preconditions":                  {careless: true},
		"durations measured by the wall clock":                 {naive: true},
		"clocks that differ by more than the ratio":            {skew: 2},
		"a lease that is shorter for others, in whole seconds": {truncate: true},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(300) {
				failures, _ := check(t, seed, b)
				if slices.ContainsFunc(failures, func(s string) bool { return strings.Contains(s, " while ") }) {
					t.Logf("seed %d: %s", seed, failures[0])
					return
				}
			}
			t.Error("the model has never had two leaders")
		})
	}
}
