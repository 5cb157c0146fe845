package perturb

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/endpoints/request"

	"github.com/listwatch/listwatch/apitest/controllers"
	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/runtime/rest"
)

// manyWrites is how many writes a run may have. A program that writes without a pause would take long, because writes take
// little of the virtual time.
const manyWrites = 2000

// heldWrites is how many writes the program makes while changes are withheld from it. A program that undoes its own
// work meanwhile would not end otherwise.
const heldWrites = 10

// write is a write of the program or of a user.
type write struct {
	point
	resource  string
	verb      string
	process   *process // nil if a user's
	versioned bool     // an update that the server rejects if the object has changed
	code      int      // HTTP status; 0 if there was no response
	changed   bool     // an object has another version, or is deleted
	version   uint64   // of the object; 0 of a deletion
	family    string   // resource and name, of which the completed part is *
	step      int      // of the run, when it was sent
	rests     int      // how often the program had rested
	reviews   []review // by webhooks
}

// review is the review of a write by a webhook.
type review struct {
	webhook string
	ignored bool // whether the server goes on without the webhook's response
	mutates bool
}

// delivery is what a watch of the program has delivered.
type delivery struct {
	resource string
	step     int // how many writes had been sent
	rests    int // how often the program had rested
}

// trial is one run of the program with a schedule, usually in a bubble.
type trial struct {
	controller Controller
	schedule   schedule
	plain      bool // the server does not stream lists, as older ones
	pace       pace
	server     *embedded.Server
	history    *history
	began      time.Time
	over       context.Context // done at the end of the run
	gates      chan gate
	held       atomic.Pointer[holding]
	activity   atomic.Int64 // increases with writes of the program that have changed something, or failed
	open       atomic.Int64 // requests of the program in real time, other than watches
	lives      sync.WaitGroup

	mu          sync.Mutex // guards the rest
	processes   []*process
	away        chan struct{}  // while the program is stopped: closed when it may start
	done        map[string]int // writes that had an effect, by actor and what they do
	writes      []*write
	sent        map[string]sent // by what a reviewer knows of a write
	generated   families
	kept        map[string]uint64 // versions of objects after the last write
	watched     map[string]bool
	listed      map[string]bool
	lenient     map[string]bool // resources of lists that accept any version
	received    []delivery
	step        int // how many writes were sent
	rests       int // how often the program has rested
	staleAt     uint64
	begun       int             // how many of the schedule's disturbances have begun
	disturbedAt int             // the step of the first
	void        bool            // the run tells nothing
	lax         bool            // a write was not modified by a webhook, as its failure policy demands
	unseen      int             // the program's writes while changes are withheld
	listing     map[string]bool // resources of which the program has missed changes, and which it has not watched since
	patient     time.Duration
	disturbed   bool                // something has just happened from which the program may have to recover
	holders     map[string]*process // of leases
	former      map[*process]bool   // processes that others have succeeded
	story       []entry
	failed      []verdict
	returned    int // how often Start has returned by itself
}

// background reports whether requests are neither judged nor disturbed: those for leases and events.
func (t *trial) background(info *request.RequestInfo) bool {
	return info.Resource == "leases" && info.APIGroup == "coordination.k8s.io" || info.Resource == "events" ||
		slices.Contains(t.controller.Background, resourceName(info))
}

// begin records that a write is requested.
func (t *trial) begin(actor string, info *request.RequestInfo, sent partial) *write {
	what := describe(info, sent)
	t.mu.Lock()
	defer t.mu.Unlock()
	verb, object := what[:strings.LastIndex(what, " ")], what[strings.LastIndex(what, " "):]
	object = t.generated.replace(object) // others may be named after an object with a completed name
	what = verb + object
	w := &write{
		point: point{actor, what, t.done[actor+what] + 1}, resource: resourceName(info), verb: info.Verb,
		family: resourceName(info) + object,
	}
	t.writes = append(t.writes, w)
	t.remember(info)
	return w
}

// remember keeps the version before the write at which a restarted process starts. The lock is held.
func (t *trial) remember(info *request.RequestInfo) {
	last := t.writes[len(t.writes)-1].point
	if stale := t.schedule.first.stale; stale.n == 0 || last != stale {
		return
	}
	number, err := t.history.current(info)
	if err != nil {
		t.failed = append(t.failed, verdict{ruleRun, err.Error()})
	}
	t.staleAt = number
}

// next returns the disturbance that has not begun yet, if any. The lock is held.
func (t *trial) next() disturbance {
	if all := t.schedule.disturbances(); t.begun < len(all) {
		return all[t.begun]
	}
	return disturbance{}
}

// begins records that the next disturbance begins. The lock is held.
func (t *trial) begins() {
	if t.begun++; t.begun == 1 {
		t.disturbedAt = t.step
	}
}

// reached begins the disturbance of a write that is about to be sent, and returns it.
func (t *trial) reached(w *write) disturbance {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.step++
	w.step, w.rests = t.step, t.rests
	d := t.next()
	if d.kind == stop || d.at != w.point {
		return disturbance{}
	}
	t.begins()
	switch d.kind {
	case hold, miss:
		t.held.Store(&holding{resource: d.of, lost: d.kind == miss, released: make(chan struct{})})
		t.tell("", "From here on, the program sees no changes of "+d.of+".")
	case delay: // nothing is disturbed before the response arrives
	default:
		t.disturbed = true
	}
	return d
}

// limitHolding ends a holding when the program has written much. It returns how long a write of the program takes: more
// if the program still has to list.
func (t *trial) limitHolding() time.Duration {
	t.mu.Lock()
	behind := t.held.Load() != nil || len(t.listing) > 0
	if behind {
		t.unseen++
	}
	over := behind && t.unseen > heldWrites
	t.mu.Unlock()
	if !over {
		return latency
	}
	t.release()
	return time.Second
}

// again makes a disturbance that follows a write wait for the next attempt, because this one had no effect.
func (t *trial) again(d disturbance, w *write) {
	none := false
	switch d.kind {
	case crash, timeout, loseLease:
		none = !w.changed
	case delay, silence:
		none = !slices.ContainsFunc(w.reviews, func(r review) bool { return r.webhook == d.of })
	}
	if none {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.begun--
	}
}

// release ends a holding, and reports whether there was one.
func (t *trial) release() bool {
	h := t.held.Swap(nil)
	if h == nil {
		return false
	}
	t.mu.Lock()
	t.disturbed = true
	for _, p := range t.processes {
		p.mu.Lock()
		p.staleAt = 0
		p.mu.Unlock()
	}
	if h.lost {
		for resource := range t.watched {
			if h.covers(resource) {
				t.listing[resource] = true
			}
		}
		t.tell("", "The watches of "+h.resource+" end, and the history has expired: the program lists.")
	} else {
		t.tell("", "The program sees all changes again.")
	}
	t.mu.Unlock()
	close(h.released)
	return true
}

// finish records the response of a write.
func (t *trial) finish(w *write, code int, got partial) {
	t.mu.Lock()
	defer t.mu.Unlock()
	w.code = code
	text := w.what
	if p := w.process; p != nil && t.former[p] {
		t.failed = append(t.failed, verdict{ruleLease, fmt.Sprintf("process %d writes after another one has taken its lease: %s", p.number, w.what)})
	}
	name := got.Metadata.Name
	if code < http.StatusMultipleChoices {
		key := w.resource + " " + got.Metadata.Namespace + "/" + name
		switch {
		case w.verb == "delete" || w.verb == "deletecollection":
			w.changed = true
		case name != "":
			w.version, _ = parseVersion(got.Metadata.ResourceVersion)
			w.changed = w.version != t.kept[key]
			t.kept[key] = w.version
		}
		if w.verb == "create" && got.Metadata.GenerateName != "" && name != "" {
			t.generated.add(name, got.Metadata.GenerateName)
			text = strings.Replace(text, "*", strings.TrimPrefix(name, got.Metadata.GenerateName), 1)
		}
	} else {
		text += fmt.Sprintf(": %d", code)
	}
	if w.changed {
		t.done[w.actor+w.what]++
	}
	if w.actor == programActor && (w.changed || code >= http.StatusMultipleChoices) {
		t.activity.Add(1)
	}
	if !w.changed && code < http.StatusMultipleChoices {
		text += ": no change"
	}
	t.tell(w.lane(), text)
}

// rejected records that a write was not sent.
func (t *trial) rejected(w *write, why string) {
	t.activity.Add(1)
	t.note(w.lane(), w.what+": "+why)
	t.note("", "The server has not carried it out.")
}

// lane is where a write is in the story.
func (w *write) lane() string {
	if w.process == nil {
		return "users"
	}
	return w.process.lane()
}

func (p *process) lane() string {
	if p.number == 1 {
		return "program"
	}
	return fmt.Sprintf("process %d", p.number)
}

// leads records that a process has written a lease as its holder.
func (t *trial) leads(p *process, lease string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if before := t.holders[lease]; before != nil && before != p && !before.isDead() {
		t.former[before] = true
		t.tell(p.lane(), "acquire the lease")
	}
	delete(t.former, p)
	t.holders[lease] = p
}

// reads records that the program lists or watches a resource; with anyVersion, it accepts an old list.
func (t *trial) reads(resource string, watch, anyVersion bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if watch && t.held.Load() == nil {
		delete(t.listing, resource)
	}
	t.listed[resource] = true
	if watch {
		t.watched[resource] = true
	}
	if anyVersion {
		t.lenient[resource] = true
	}
}

// receives records that a watch of the program delivers something.
func (t *trial) receives(resource string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.received = append(t.received, delivery{resource, t.step, t.rests})
}

func (t *trial) now() time.Duration { return time.Since(t.began) }

// tell adds to the story. The lock is held.
func (t *trial) tell(lane, text string) { t.story = append(t.story, entry{t.now(), lane, text}) }

func (t *trial) note(lane, text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tell(lane, text)
}

func (t *trial) fail(rule rule, text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.failed = append(t.failed, verdict{rule, text})
}

// run runs the program and its users to the end. Unless the run is in real time, it is called in a bubble.
func (t *trial) run() error {
	t.began = time.Now()
	options := append([]embedded.Option{embedded.WithHistory(1 << 20)}, t.controller.Server...)
	options = append(options, embedded.WithWebhookTransport(func(of embedded.Webhook, next http.RoundTripper) http.RoundTripper {
		return reviewer{t, of, next}
	}))
	if t.pace.virtual {
		options = append(options, embedded.WithoutNetwork())
	}
	if t.controller.Controllers != nil {
		options = append(options, embedded.WithControllers(t.controller.Controllers()...))
	}
	if !t.controller.WithoutGarbageCollector {
		options = append(options, embedded.WithControllers(controllers.GarbageCollector()))
	}
	server, err := embedded.New(options...)
	if err != nil {
		return fmt.Errorf("start the server: %w", err)
	}
	t.server = server
	over, end := context.WithCancel(context.Background())
	defer end()
	t.over = over
	client, err := rest.HTTPClientFor(server.Config())
	if err != nil {
		return errors.Join(fmt.Errorf("connect to the server: %w", err), server.Stop())
	}
	t.history = newHistory(over, client, server.URL())
	t.lives.Go(t.live)
	users := make(chan error, 1)
	go func() { users <- t.use(over) }()
	t.drive(users)
	end()
	t.lives.Wait()
	err = server.Stop()
	t.history.all.Wait()
	client.CloseIdleConnections()
	time.Sleep(t.pace.linger) // timers of the bubble do not fire after its end
	return err
}

// use is the work of the users.
func (t *trial) use(ctx context.Context) error {
	if t.controller.Users == nil && t.controller.UsersClientGo == nil {
		return nil
	}
	wrap := func(next http.RoundTripper) http.RoundTripper { return &users{t, next} }
	if t.controller.Users != nil {
		config := t.server.Config()
		config.ContentType = runtime.ContentTypeJSON
		config.Wrap(wrap)
		return t.controller.Users(ctx, config)
	}
	config := t.server.RESTConfig()
	config.ContentType = runtime.ContentTypeJSON
	config.Wrap(wrap)
	return t.controller.UsersClientGo(ctx, config)
}
