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
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/endpoints/request"

	"github.com/listwatch/listwatch/apitest/controllers"
	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/runtime/rest"
)

// Virtual times of a run.
const (
	shortRest  = 2 * time.Second  // without a write of the program, between writes of users
	latency    = time.Millisecond // of the program's writes
	leaseRest  = time.Minute      // the same while a lease changes hands
	longRest   = time.Minute      // the same at the end
	recovery   = time.Minute      // the same after a disturbance: retries back off
	restLimit  = 15 * time.Minute // a program that still writes then does not come to rest
	startAfter = time.Second      // a process is restarted after it has ended
	linger     = time.Hour        // goroutines of the program that end by themselves have so long
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
}

// trial is one run of the program with a schedule, in a bubble.
type trial struct {
	controller Controller
	schedule   schedule
	server     *embedded.Server
	history    *history
	began      time.Time
	over       context.Context // done at the end of the run
	gates      chan gate
	held       atomic.Pointer[holding]
	activity   atomic.Int64 // increases with writes of the program that have changed something, or failed
	lives      sync.WaitGroup

	mu        sync.Mutex // guards the rest
	processes []*process
	away      chan struct{}  // while the program is stopped: closed when it may start
	done      map[string]int // writes that had an effect, by actor and what they do
	writes    []*write
	generated families
	kept      map[string]uint64 // versions of objects after the last write
	watched   map[string]bool
	listed    map[string]bool
	staleAt   uint64
	hit       bool            // the schedule's write was reached
	void      bool            // the run tells nothing
	unseen    int             // the program's writes while changes are withheld
	listing   map[string]bool // resources of which the program has missed changes, and which it has not watched since
	patient   time.Duration
	disturbed bool                // something has just happened from which the program may have to recover
	holders   map[string]*process // of leases
	former    map[*process]bool   // processes that others have succeeded
	story     []entry
	failed    []verdict
	returned  int // how often Start has returned by itself
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
	if t.schedule.stale.n == 0 || last != t.schedule.stale {
		return
	}
	number, err := t.history.current(info)
	if err != nil {
		t.failed = append(t.failed, verdict{ruleRun, err.Error()})
	}
	t.staleAt = number
}

// reached begins the disturbance of a write that is about to be sent, and returns its kind.
func (t *trial) reached() kind {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.hit = true
	if t.schedule.kind != hold && t.schedule.kind != miss {
		t.disturbed = true
	} else {
		t.held.Store(&holding{resource: t.schedule.resource, lost: t.schedule.kind == miss, released: make(chan struct{})})
		t.tell("", "From here on, the program sees no changes of "+t.schedule.resource+".")
	}
	return t.schedule.kind
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

// passed reports whether the schedule's write was reached before.
func (t *trial) passed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.hit
}

// again makes a disturbance that follows a write wait for the next attempt, because this one had no effect.
func (t *trial) again(planned kind) {
	if planned == crash || planned == timeout || planned == loseLease {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.hit = false
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

// reads records that the program reads a resource.
func (t *trial) reads(resource string, watch bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if watch && t.held.Load() == nil {
		delete(t.listing, resource)
	}
	t.listed[resource] = true
	if watch {
		t.watched[resource] = true
	}
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

// run runs the program and its users to the end. It is called in a bubble.
func (t *trial) run() error {
	t.began = time.Now()
	options := append([]embedded.Option{embedded.WithoutNetwork(), embedded.WithHistory(1 << 20)}, t.controller.Server...)
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
	time.Sleep(linger) // timers of the bubble do not fire after its end
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

// live runs processes of the program, one after the other, until the run is over.
func (t *trial) live() {
	for t.over.Err() == nil {
		t.mu.Lock()
		away := t.away
		t.mu.Unlock()
		if away != nil {
			select {
			case <-away:
			case <-t.over.Done():
				return
			}
		}
		t.one()
		select {
		case <-time.After(startAfter):
		case <-t.over.Done():
		}
	}
}

// standIn starts another replica of the program.
func (t *trial) standIn() {
	t.mu.Lock()
	t.patient = leaseRest
	t.mu.Unlock()
	t.lives.Go(t.live)
}

// one runs a process to its end.
func (t *trial) one() {
	ctx, cancel := context.WithCancel(t.over)
	defer cancel()
	p := &process{trial: t, cancel: cancel, dead: make(chan struct{}), ended: make(chan struct{}), expired: map[string]int{}}
	t.mu.Lock()
	t.processes = append(t.processes, p)
	p.number = len(t.processes)
	if p.number > 1 {
		t.tell("", fmt.Sprintf("Process %d of the program starts.", p.number))
		if t.schedule.stale.n > 0 && p.number == 2 && t.staleAt > 0 {
			p.staleAt = t.staleAt
			t.held.Store(&holding{resource: everything, released: make(chan struct{})})
			t.tell("", "It sees the state before \""+t.schedule.stale.String()+"\".")
		}
	}
	t.mu.Unlock()
	var err error
	t.lives.Go(func() {
		err = t.start(ctx, p)
		close(p.ended)
	})
	select {
	case <-p.ended:
	case <-p.dead: // what it has still to do, a process that has crashed does not
		return
	}
	killed := t.over.Err() != nil || ctx.Err() != nil
	p.crash() // what goes on after Start ends with the process
	if killed {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.returned++
	t.tell(p.lane(), fmt.Sprintf("ends: %v", err))
	if t.returned > 5 || len(t.writes) == 0 && t.schedule.kind == "" {
		t.failed = append(t.failed, verdict{ruleRun, fmt.Sprintf("the program ends again and again: %v", err)})
	}
}

func (t *trial) start(ctx context.Context, p *process) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	wrap := func(next http.RoundTripper) http.RoundTripper { return connection{p, next} }
	config, clientGo := t.server.Config(), t.server.RESTConfig()
	if user := t.controller.User; user != "" {
		config, clientGo = t.server.ConfigFor(user, t.controller.Groups...), t.server.RESTConfigFor(user, t.controller.Groups...)
	}
	if t.controller.Start != nil {
		config.ContentType = runtime.ContentTypeJSON
		config.Wrap(wrap)
		return t.controller.Start(ctx, config)
	}
	clientGo.ContentType = runtime.ContentTypeJSON
	clientGo.Wrap(wrap)
	return t.controller.StartClientGo(ctx, clientGo)
}

// drive lets users write when the program rests, and ends disturbances, until all is done.
func (t *trial) drive(users <-chan error) {
	done, waited := false, time.Duration(0)
	for {
		patient := t.patience()
		if done {
			patient = longRest
		}
		if !t.rest(patient) {
			t.fail(ruleRest, fmt.Sprintf("the program has not come to rest in %s: it has written %d times, and still writes", t.now().Round(time.Second), t.activity.Load()))
			return
		}
		if t.patience() > patient {
			continue // a lease has begun to change hands
		}
		if !t.schedule.long && (t.release() || t.resume()) {
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
			if t.schedule.kind == stop && g.point == t.schedule.at {
				t.stop()
			}
			t.recovered()
			close(g.open)
			continue
		default:
		}
		if !done {
			if waited += patient; waited >= restLimit {
				t.fail(ruleUsers, fmt.Sprintf("users wait for %s for what does not happen", restLimit))
				return
			}
			if waited > longRest && !t.release() { // they may wait for the program
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
		return max(t.patient, recovery)
	}
	return max(t.patient, shortRest)
}

// failUsers records that users have failed. If a disturbance has made the server refuse a request of theirs, because
// the program has not done its work yet or has changed the object, they should have waited: the run tells nothing.
func (t *trial) failUsers(err error) {
	var status apierrors.APIStatus
	if t.schedule.kind == "" || !errors.As(err, &status) {
		t.fail(ruleUsers, err.Error())
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.void = true
}

// rest returns when the program has not written for d, or false if that does not happen.
func (t *trial) rest(d time.Duration) bool {
	begin := time.Now()
	for quiet := time.Duration(0); time.Since(begin) < restLimit; {
		synctest.Wait()
		before := t.activity.Load()
		time.Sleep(min(time.Second, d-quiet))
		synctest.Wait()
		quiet += min(time.Second, d-quiet)
		switch after := t.activity.Load(); {
		case after > manyWrites:
			return false
		case after != before:
			quiet = 0
		case quiet >= d:
			return true
		}
	}
	return false
}

// stop ends the process, and keeps the program away.
func (t *trial) stop() {
	t.mu.Lock()
	t.hit = true
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
