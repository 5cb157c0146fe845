package shards_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/kubernetes/shards"
	"github.com/listwatch/listwatch/runtime/workqueue"
)

var (
	modelSeeds = flag.Int("model.seeds", 200, "how many seeds TestModel runs")
	modelFirst = flag.Int("model.first", 0, "the first seed")
)

// model is a ring whose members, network and server fail at random. It checks that there are never two members within
// the reconcile of one object, and that each object is reconciled in time when all is well again.
type model struct {
	random  *rand.Rand
	server  *server
	options shards.Options
	objects []string
	running sync.WaitGroup

	mu         sync.Mutex // guards the fields below, and the random numbers
	members    []*member  // those that have not been stopped
	everybody  []*member
	active     map[string]map[*member]*reconcile
	reconciled map[string]time.Time // when the last write of a complete reconcile was
	ended      bool
	failures   []string
	delay      time.Duration // the longest of a request, and of a response
	errors     float64       // the rate of requests that fail
	haste      float64       // the rate of writes after which the writer crashes
	sloth      float64       // the rate of requests before whose response the sender freezes for some time
	writes     int
	epochs     int
	names      int
}

// member is a process of the model.
type member struct {
	*machine
	model   *model
	name    string
	process string
	ring    *shards.Ring
	queue   *workqueue.Typed[string] // of objects
	api     http.RoundTripper        // for writes of objects

	netmu sync.Mutex // guards cut
	cut   bool
}

// reconcile is work on an object. It is unverified before it has begun, and if the member was frozen since
// it last asked whether it may write.
type reconcile struct{ unverified bool }

const (
	maxRate = 1.2
	// lag is how long work takes to end after its context: LeaseDuration of the fastest clock is longer than
	// RenewDeadline of the slowest by more.
	lag = 2 * time.Second
)

func newModel(seed uint64) *model {
	m := emptyModel(seed)
	if m.random.IntN(2) == 0 {
		m.server.watches = map[*watching]bool{}
	}
	for range 2 + m.random.IntN(4) {
		m.start("")
	}
	return m
}

// emptyModel returns a model without members.
func emptyModel(seed uint64) *model {
	random := rand.New(rand.NewPCG(seed, 0))
	m := &model{
		random: random, server: newServer(),
		options: shards.Options{
			Name: "ring", Namespace: "default", Slots: []int{8, 16, 64}[random.IntN(3)],
			LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RenewPeriod: 3 * time.Second,
			HandOver: time.Duration(random.IntN(4)-1) * time.Second, Settle: time.Duration(3*random.IntN(2)-1) * time.Second,
		},
		active: map[string]map[*member]*reconcile{}, reconciled: map[string]time.Time{},
	}
	for i := range 10 {
		m.objects = append(m.objects, fmt.Sprintf("object-%d-%d", i, seed))
		m.active[m.objects[i]] = map[*member]*reconcile{}
	}
	m.server.wrote, m.server.asked = m.wrote, m.asked
	return m
}

// start starts a process, with a new identity if none is given.
func (m *model) start(name string) {
	m.mu.Lock()
	m.names++
	process := fmt.Sprint("process-", m.names)
	if name == "" {
		name = fmt.Sprint("member-", m.names)
	}
	p := &member{
		machine: newMachine(1 + m.random.Float64()*(maxRate-1)), model: m, name: name, process: process,
		queue: workqueue.NewTyped[string](),
	}
	m.members = append(m.members, p)
	m.everybody = append(m.everybody, p)
	m.mu.Unlock()

	options := m.options
	options.Identity, options.Clock = name, p.machine
	ctx := klog.NewContext(context.Background(), logr.Discard())
	ring, err := shards.Join(ctx, &client{name: process, on: m.server, send: p.send, isCut: p.isCut}, options)
	if err != nil {
		panic(err)
	}
	p.ring, p.api = ring, ring.Transport(objects{p})
	following, stop := context.WithCancel(ctx)
	m.running.Go(func() { p.follow(following) })
	m.running.Go(func() {
		defer stop()
		p.work(ctx)
	})
}

// work queues the objects again and again, also those of others, and reconciles them.
func (p *member) work(ctx context.Context) {
	var workers sync.WaitGroup
	defer workers.Wait()
	for range p.model.objects {
		workers.Go(func() {
			for object, shutdown := p.queue.Get(); !shutdown; object, shutdown = p.queue.Get() {
				if err := p.reconcile(ctx, object); err != nil {
					p.model.locked(func() { p.model.fail("%s fails in %s, which it has lost or not: %v", p.name, object, err) })
				}
				p.queue.Done(object)
			}
		})
	}
	for !p.model.isOver() {
		p.sleep(p.number(3 * time.Second))
		for _, object := range p.model.objects {
			p.queue.Add(object)
		}
	}
	p.queue.ShutDown()
}

func (p *member) reconcile(ctx context.Context, object string) error {
	m := p.model
	m.locked(func() { m.active[object][p] = &reconcile{unverified: true} })
	defer m.locked(func() { delete(m.active[object], p) })
	return p.ring.Do(ctx, object, func(ctx context.Context) error { return p.change(ctx, object) })
}

// change is the work on an object, with some writes.
func (p *member) change(ctx context.Context, object string) error {
	m := p.model
	defer m.locked(func() { delete(m.active[object], p) }) // before the slot can be handed over
	m.mu.Lock()
	m.active[object][p].unverified = p.isFrozen()
	m.verify(p, object, "begins")
	m.mu.Unlock()

	for range 1 + p.number(3) {
		timer := p.NewTimer(p.number(p.number(8*time.Second) + 1)) // many are short
		select {
		case <-timer.C():
		case <-ctx.Done():
			timer.Stop()
			p.sleep(p.number(lag))
			return context.Cause(ctx)
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodPut, "/"+object, nil)
		if err != nil {
			return err
		}
		if _, err = p.api.RoundTrip(request); err != nil { //nolint:bodyclose // there are none
			p.sleep(p.number(lag))
			return err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reconciled[object] = time.Now()
	return nil
}

// objects is the server of objects, which a member writes.
type objects struct{ *member }

// RoundTrip implements [http.RoundTripper].
func (p objects) RoundTrip(request *http.Request) (*http.Response, error) {
	m, object := p.model, strings.TrimPrefix(request.URL.Path, "/")
	m.mu.Lock()
	defer m.mu.Unlock()
	m.active[object][p.member].unverified = p.isFrozen()
	m.verify(p.member, object, "writes")
	m.writes++
	return &http.Response{StatusCode: http.StatusOK}, nil
}

// verify fails if another member is within the reconcile of an object. It is called with mu.
func (m *model) verify(p *member, object, does string) {
	if m.active[object][p].unverified {
		return
	}
	for other, r := range m.active[object] {
		if other != p && !r.unverified {
			m.fail("%s (%s) %s %s while %s (%s) is at it", p.name, p.process, does, object, other.name, other.process)
		}
	}
}

// follow reconciles what is gained at once, and checks that changes fit together.
func (p *member) follow(ctx context.Context) {
	has := map[int]bool{}
	for change := range p.ring.Follow(ctx) {
		for _, slot := range change.Lost {
			if !has[slot] {
				p.model.locked(func() { p.model.fail("%s loses slot %d that it was not given", p.name, slot) })
			}
			delete(has, slot)
		}
		for _, slot := range change.Gained {
			if has[slot] {
				p.model.locked(func() { p.model.fail("%s is given slot %d twice", p.name, slot) })
			}
			has[slot] = true
			for _, object := range p.model.objects {
				if p.ring.Slot(object) == slot {
					p.queue.Add(object)
				}
			}
		}
		p.sleep(p.number(time.Second))
	}
}

func (m *model) locked(f func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f()
}

func (m *model) isOver() (over bool) {
	m.locked(func() { over = m.ended })
	return over
}

// fail is called with mu.
func (m *model) fail(format string, args ...any) {
	if !m.ended {
		m.failures = append(m.failures, fmt.Sprintf("after %d writes, ", m.writes)+fmt.Sprintf(format, args...))
	}
}

// number returns a random number below n, which is positive.
func (p *member) number(n time.Duration) (number time.Duration) {
	p.model.locked(func() { number = time.Duration(p.model.random.Int64N(int64(n))) })
	return number
}

// send is the network of a member: it delays requests, which arrive even if nobody waits for them any more, and
// responses, and drops them if it is cut. Responses reach a frozen member when it runs again.
func (p *member) send(ctx context.Context, request func()) error {
	p.run()
	m := p.model
	var there, back time.Duration
	var fails bool
	m.locked(func() {
		there, back = time.Duration(m.random.Int64N(int64(m.delay)+1)), time.Duration(m.random.Int64N(int64(m.delay)+1))
		fails = m.random.Float64() < m.errors
	})
	lost := fails && there%2 == 0 // otherwise the response is
	arrived := make(chan struct{})
	if !p.isCut() {
		m.running.Go(func() {
			time.Sleep(there)
			if !lost {
				request()
			}
			time.Sleep(back)
			if !p.isCut() {
				close(arrived)
			}
		})
	}
	select {
	case <-arrived:
	case <-ctx.Done():
	}
	p.run()
	if fails {
		return errors.New("internal error")
	}
	select {
	case <-arrived:
		return nil
	default:
		return ctx.Err()
	}
}

func (p *member) isCut() bool {
	p.netmu.Lock()
	defer p.netmu.Unlock()
	return p.cut
}

func (p *member) setCut(cut bool) {
	p.netmu.Lock()
	defer p.netmu.Unlock()
	p.cut = cut
}

// stall freezes a member. It is called with mu.
func (m *model) stall(p *member) {
	p.freeze()
	for _, members := range m.active {
		if r := members[p]; r != nil {
			r.unverified = true
		}
	}
}

// crash ends a member for ever. It is called with mu.
func (m *model) crash(p *member) {
	m.stall(p)
	p.setCut(true)
	m.forget(p)
}

// forget removes a member from those that disturb chooses from. It is called with mu.
func (m *model) forget(p *member) {
	for i, other := range m.members {
		if other == p {
			m.members = append(m.members[:i:i], m.members[i+1:]...)
			return
		}
	}
}

// wrote is called after each write of a Lease: its writer may crash.
func (m *model) wrote(lease *coordinationv1.Lease) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if lease.Name == m.options.Name && lease.Annotations != nil {
		m.epochs = epochOf(lease)
	}
	if m.random.Float64() >= m.haste || len(m.members) < 2 {
		return
	}
	for _, p := range m.members {
		if holder := lease.Spec.HolderIdentity; holder != nil && strings.HasPrefix(*holder, p.name+"_") {
			m.crash(p)
			return
		}
	}
}

// asked is called when a request for a Lease arrives: its sender may freeze.
func (m *model) asked(process string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.random.Float64() >= m.sloth {
		return
	}
	for _, p := range m.members {
		if p.process == process && !p.isFrozen() {
			m.stall(p)
			pause := time.Duration(m.random.Int64N(int64(10 * time.Second)))
			m.running.Go(func() {
				time.Sleep(pause)
				p.thaw()
			})
		}
	}
}

func epochOf(lease *coordinationv1.Lease) int {
	var a struct{ Epoch int }
	_ = json.Unmarshal([]byte(lease.Annotations["listwatch.github.io/assignment"]), &a)
	return a.Epoch
}

// disturb does something at random.
func (m *model) disturb() {
	m.mu.Lock()
	event, count := m.random.IntN(16), len(m.members)
	p := m.members[m.random.IntN(count)]
	jump := time.Duration(m.random.Int64N(int64(2*time.Hour))) - time.Hour
	delay := time.Duration(m.random.Int64N(int64(3 * time.Second)))
	rate, choice := m.random.Float64(), m.random.IntN(3)
	m.mu.Unlock()
	switch event {
	case 0, 1:
		p.setCut(true)
	case 2:
		p.setCut(false)
	case 3, 4:
		m.locked(func() { m.stall(p) })
	case 5, 6:
		p.thaw()
	case 7:
		p.jump(jump)
	case 8:
		m.setNetwork(delay, rate/3, 0, 0)
	case 9:
		m.setNetwork(0, 0, 0, 0)
	case 10:
		m.setNetwork(delay/10, 0, rate/10, rate/3*float64(choice))
	case 11:
		if count > 1 {
			m.locked(func() {
				if rate < 0.5 { // it goes on, but nobody hears of it
					p.setCut(true)
					m.forget(p)
				} else {
					m.crash(p)
				}
			})
		}
		if rate < 0.25 {
			m.deleteLeases(func(name string) bool { return name == "ring."+p.name })
		}
		if choice > 0 || count < 2 {
			m.start([]string{"", p.name}[min(choice/2, count/2)])
		}
	case 12:
		if count > 1 {
			m.locked(func() { m.forget(p) })
			m.running.Go(func() { _ = p.ring.Leave(context.Background()) })
		}
	case 13:
		if count < 7 {
			m.start("")
			time.Sleep(delay)
			m.start("")
		}
	case 14:
		m.deleteLeases(func(name string) bool { return choice == 2 || name == "ring" != (choice == 1) })
	case 15:
		m.deleteLeases(func(name string) bool { return name == "ring."+p.name })
	}
}

// deleteLeases deletes Leases by hand.
func (m *model) deleteLeases(which func(name string) bool) {
	m.server.locked(func() {
		for name := range m.server.leases {
			if which(name) {
				m.server.remove(name)
			}
		}
	})
}

func (m *model) setNetwork(delay time.Duration, errors, haste, sloth float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.delay, m.errors, m.haste, m.sloth = delay, errors, haste, sloth
}

// bound is within what time after the last fault each object is reconciled: a Lease expires, perhaps after the
// coordinator has been replaced, members settle, slots are handed over, owners learn of it, and reconcile.
func (m *model) bound() time.Duration {
	o := m.options
	return 2*o.LeaseDuration + 5*o.RenewPeriod + max(0, o.Settle) + max(0, o.HandOver) + (o.LeaseDuration - o.RenewDeadline) + 30*time.Second
}

// run disturbs the ring, and returns what was wrong.
func (m *model) run(events int) []string {
	for range events {
		var pause time.Duration
		m.locked(func() { pause = time.Duration(m.random.Int64N(int64(m.options.LeaseDuration / 2))) })
		time.Sleep(pause)
		m.disturb()
	}
	return m.settle()
}

// settle waits until all must be well again, ends the model, and returns what was wrong.
func (m *model) settle() []string {
	m.setNetwork(0, 0, 0, 0)
	time.Sleep(10 * time.Second) // until those that freeze for some time are back
	for _, p := range m.members {
		p.setCut(false)
		p.thaw()
	}
	healed := time.Now()
	time.Sleep(m.bound())
	m.locked(func() {
		for _, object := range m.objects {
			if !m.reconciled[object].After(healed) {
				m.fail("%s is not reconciled within %s", object, m.bound())
			}
		}
	})
	m.checkCalm()
	m.locked(func() { m.ended = true })
	for _, p := range m.everybody {
		p.thaw()
		_ = p.ring.Leave(context.Background())
	}
	m.running.Wait()
	return m.failures
}

// checkCalm checks that slots are balanced and stay where they are.
func (m *model) checkCalm() {
	time.Sleep(3 * m.options.RenewPeriod)
	var epoch int
	m.locked(func() { epoch = m.epochs })
	time.Sleep(4 * m.options.RenewPeriod)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.epochs != epoch {
		m.fail("epoch %d becomes %d although nothing happens", epoch, m.epochs)
	}
	sum := 0
	for _, p := range m.members {
		owned := len(p.ring.State().Owned)
		sum += owned
		if least := m.options.Slots / len(m.members); owned < least || owned > least+1 {
			m.fail("%s owns %d of %d slots, there are %d members", p.name, owned, m.options.Slots, len(m.members))
		}
	}
	if sum != m.options.Slots {
		m.fail("%d of %d slots are owned", sum, m.options.Slots)
	}
}

// check runs a model, and returns its failures and the number of its writes.
func check(t *testing.T, seed uint64) (failures []string, writes int) {
	t.Helper()
	synctest.Test(t, func(*testing.T) {
		m := newModel(seed)
		synctest.Wait()
		failures, writes = m.run(40), m.writes
	})
	return failures, writes
}

func TestModel(t *testing.T) {
	writes := 0
	for seed := range *modelSeeds {
		failures, n := check(t, uint64(*modelFirst+seed))
		if len(failures) > 0 {
			t.Fatalf("seed %d: %s", *modelFirst+seed, strings.Join(failures[:min(3, len(failures))], "\n"))
		}
		writes += n
	}
	t.Logf("%d writes", writes)
	if writes < 300**modelSeeds {
		t.Errorf("%d writes: nothing happens", writes)
	}
}
