package shards

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/conformance/internal/proxy"
	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/runtime/rest"
)

var (
	worlds  = flag.Int("worlds", 1, "how many rings to disturb at the same time, each in its own namespace; -parallel must not be less")
	rounds  = flag.Int("rounds", 4, "how often to disturb the replicas of each")
	objects = flag.Int("objects", 200, "how many objects the replicas of each share")
	lease   = flag.Duration("lease", 3*time.Second, "the duration of Leases, whole seconds")
)

func TestMain(m *testing.M) {
	if text, ok := os.LookupEnv(replicaVariable); ok {
		if err := runReplica(text); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

func TestOnTestServer(t *testing.T) { run(t, embedded.Start(t).Config(), setup{}) }

// faults are what happens to replicas, in turn.
var faults = []string{"killed", "suspended", "cut", "scaled"}

// most is the number of replicas, except in rounds of scaling.
const most = 5

// world is a ring and its objects.
type world struct {
	*testing.T
	number   int
	setup    setup
	server   string
	audit    *audit
	load     *load
	replicas []*process
	started  int
	took     map[string][]handover
	moved    int // slots, in all rounds
}

// sum is what happened in all worlds.
type sum struct {
	mu          sync.Mutex // guards the fields below
	worlds      int        // that have ended well
	writes      int
	byOthers    int
	assignments int
	moved       int
	took        map[string][]handover
}

// handover is how long after a fault the slots of a replica had other owners, its first object was written by
// another, and its last one.
type handover struct{ assigned, first, last time.Duration }

// run runs worlds on a server at the same time, with rings or, for comparison, with elections.
func run(t *testing.T, config *rest.Config, s setup) {
	server, err := url.Parse(config.Host)
	if err != nil {
		t.Fatal(err)
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	s.Token, s.CA, s.Lease = config.BearerToken, config.CAData, *lease
	all := &sum{took: map[string][]handover{}}
	t.Run("worlds", func(t *testing.T) {
		for n := range *worlds {
			t.Run(fmt.Sprint(n), func(t *testing.T) {
				t.Parallel()
				own := s
				own.Namespace = fmt.Sprint("world-", n)
				namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: own.Namespace}}
				if _, err := client.CoreV1().Namespaces().Create(t.Context(), namespace, metav1.CreateOptions{}); err != nil {
					t.Fatal(err)
				}
				w := &world{
					T: t, number: n, server: server.Host, took: map[string][]handover{}, setup: own,
					audit: newAudit(t, client, own.Namespace, own.Elected),
					load:  newLoad(t, client.CoreV1().ConfigMaps(own.Namespace), *objects),
				}
				defer w.end()
				w.run(*rounds)
				w.check(all)
			})
		}
	})
	all.log(t)
}

// run runs rounds. Worlds have different faults at the same time.
func (w *world) run(rounds int) {
	w.scale(most)
	w.audit.settled(w.T, w.identities())
	for n := range rounds {
		fault := faults[(n+w.number)%len(faults)]
		w.Logf("round %d: %s", n, fault)
		if fault == "scaled" {
			if !w.setup.Elected {
				w.rescale()
			}
			continue
		}
		w.disturb(fault)
	}
	if !w.setup.Elected && w.setup.program == "" {
		w.measure()
	}
}

// check checks who wrote, and adds to what happened in all worlds.
func (w *world) check(all *sum) {
	wrong, writes := w.audit.byOthers()
	if w.setup.Elected {
		wrong = nil // there are no owners
	}
	for _, one := range wrong {
		w.Error(one)
	}
	if w.audit.invalid != nil {
		w.Error(w.audit.invalid)
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	all.worlds++
	all.writes, all.byOthers, all.moved = all.writes+writes, all.byOthers+len(wrong), all.moved+w.moved
	all.assignments += len(w.audit.assignments)
	for fault, took := range w.took {
		all.took[fault] = append(all.took[fault], took...)
	}
}

func (s *sum) log(t *testing.T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t.Logf("%d rounds in each of %d worlds with %d objects: %d writes, %d of replicas that did not own the object; %d assignments; %d slots moved; in %d worlds each object was written last by its owner",
		*rounds, *worlds, *objects, s.writes, s.byOthers, s.assignments, s.moved, s.worlds)
	for _, fault := range faults {
		logTook(t, fault, s.took[fault])
	}
}

// scale starts or stops replicas.
func (w *world) scale(n int) {
	w.Helper()
	for len(w.replicas) > n {
		r := w.replicas[0]
		w.replicas = w.replicas[1:]
		if err := r.stop(); err != nil {
			w.Error(err)
		}
		_ = r.proxy.Close()
	}
	for len(w.replicas) < n {
		p, err := proxy.New(w.server, true)
		if err != nil {
			w.Fatal(err)
		}
		w.start(p)
	}
}

// start starts a replica.
func (w *world) start(p *proxy.Proxy) {
	w.Helper()
	w.started++
	s := w.setup
	s.Identity = fmt.Sprint("replica-", w.started)
	r, err := start(s, p)
	if err != nil {
		w.Fatal(err)
	}
	w.replicas = append(w.replicas, r)
}

func (w *world) end() {
	for _, r := range w.replicas {
		r.resume()
		r.kill()
		_ = r.proxy.Close()
	}
}

func (w *world) identities() (out []string) {
	for _, r := range w.replicas {
		out = append(out, r.identity)
	}
	return out
}

// settle waits until the replicas share what there is, and checks that no slot has moved that need not.
func (w *world) settle(before assignment) assignment {
	w.Helper()
	after := w.audit.settled(w.T, w.identities())
	had, have := before.shares(), after.shares()
	need, moved, lapsed := 0, 0, false
	for identity, n := range had {
		need += max(0, n-have[identity])
	}
	for slot := range slots {
		from, to := before.owners[slot], after.owners[slot]
		switch {
		case identityOf(from) != identityOf(to):
			moved++
		case from != to:
			lapsed = true
		}
	}
	w.moved += moved
	if moved > need && !lapsed {
		w.Errorf("%d slots moved, needed are %d: from %v to %v", moved, need, had, have)
	}
	return after
}

// rescale runs other numbers of replicas.
func (w *world) rescale() {
	for _, n := range []int{1, most, 2, most} {
		before := w.last()
		w.load.during(func() { w.scale(n) })
		w.settle(before)
	}
}

func (w *world) last() assignment {
	w.audit.mu.Lock()
	defer w.audit.mu.Unlock()
	return w.audit.current()
}

// disturb disturbs a replica that works, until others have its objects, and then lets it, or another one, take part again.
func (w *world) disturb(fault string) {
	w.Helper()
	before := w.last()
	victim := w.replicas[rand.IntN(len(w.replicas))]
	if w.setup.Elected {
		victim = w.leader()
	}
	w.load.during(func() { time.Sleep(time.Duration(rand.Int64N(int64(*lease / 2)))) })
	began := time.Now()
	switch fault {
	case "killed":
		victim.kill()
	case "suspended":
		victim.suspend()
	case "cut":
		victim.proxy.Cut()
	}
	w.load.during(func() { w.took[fault] = append(w.took[fault], w.takenOver(victim, began)) })
	rest := slices.DeleteFunc(slices.Clone(w.replicas), func(r *process) bool { return r == victim })
	all := w.replicas
	w.replicas = rest
	if !w.setup.Elected {
		before = w.settle(before)
	}
	switch fault {
	case "killed":
		w.start(victim.proxy)
	case "suspended":
		victim.resume()
		w.replicas = all
	case "cut":
		victim.proxy.Heal()
		w.replicas = all
	}
	if w.setup.Elected {
		w.audit.settled(w.T, nil)
		return
	}
	w.settle(before)
}

// leader returns the replica that wrote last.
func (w *world) leader() *process {
	w.audit.mu.Lock()
	defer w.audit.mu.Unlock()
	by := w.audit.writes[len(w.audit.writes)-1].by
	return w.replicas[slices.IndexFunc(w.replicas, func(r *process) bool { return r.identity == by })]
}

// takenOver waits until others have all objects of a replica.
func (w *world) takenOver(victim *process, began time.Time) (h handover) {
	w.Helper()
	a := w.audit
	slotsOf := map[int]bool{}
	before := w.last()
	for slot, term := range before.owners {
		slotsOf[slot] = identityOf(term) == victim.identity
	}
	a.wait(w.T, func() string {
		if h.assigned == 0 && a.current().shares()[victim.identity] == 0 {
			h.assigned = time.Since(began)
		}
		for i := len(a.writes) - 1; i >= 0 && a.writes[i].at.After(began); i-- {
			one := a.writes[i]
			if identityOf(one.by) != victim.identity && (a.elected || slotsOf[one.slot]) {
				h.first = one.at.Sub(began)
			}
		}
		if a.elected {
			if h.first == 0 {
				return "no leader wrote"
			}
			h.assigned, h.last = h.first, h.first
			return ""
		}
		for name, obj := range a.objects {
			if slotsOf[slotOf(string(obj.UID))] && (obj.Data["by"] == victim.identity || obj.Data["by"] == "") {
				return name + " is still the former owner's"
			}
		}
		h.last = time.Since(began)
		return ""
	})
	return h
}

func logTook(t *testing.T, fault string, all []handover) {
	if len(all) == 0 {
		return
	}
	median := func(of func(handover) time.Duration) string {
		slices.SortFunc(all, func(x, y handover) int { return int(of(x) - of(y)) })
		return fmt.Sprintf("%.1f s (%.1f to %.1f)", of(all[len(all)/2]).Seconds(), of(all[0]).Seconds(), of(all[len(all)-1]).Seconds())
	}
	t.Logf("%d %s: assigned after %s, first write after %s, last object after %s", len(all), fault,
		median(func(h handover) time.Duration { return h.assigned }),
		median(func(h handover) time.Duration { return h.first }),
		median(func(h handover) time.Duration { return h.last }))
}

// measure logs what replicas request and receive while each object is changed once, and while nothing happens.
func (w *world) measure() {
	total := func() (sum stats) {
		time.Sleep(time.Second) // longer than between two reports
		for _, r := range w.replicas {
			s := r.stats()
			sum.Leases += s.Leases
			sum.Writes += s.Writes
			sum.Events += s.Events
			sum.Bytes += s.Bytes
			sum.CPU += s.CPU
		}
		return sum
	}
	before, began := total(), time.Now()
	w.load.all()
	w.audit.settled(w.T, w.identities())
	after := total()
	n := int64(len(w.replicas))
	w.Logf("each of %d replicas, for %d changes: %d writes, %d events of %d, %d bytes, CPU %v", n, *objects,
		(after.Writes-before.Writes)/n, (after.Events-before.Events)/n, int64(*objects)+after.Writes-before.Writes, (after.Bytes-before.Bytes)/n,
		((after.CPU - before.CPU) / time.Duration(n)).Round(time.Millisecond))
	time.Sleep(4 * *lease)
	idle := total()
	_, _, period := w.setup.durations()
	w.Logf("requests for Leases: %.3f a second and replica, which renew every %s", float64(idle.Leases-before.Leases)/float64(n)/time.Since(began).Seconds(), period)
}
