package cache

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
)

// stage is a processor with the surrounding parts of an informer: a store, and a lock on both.
type stage struct {
	*processor
	mu   sync.Mutex // the applier's
	held map[string]*metav1.ObjectMeta
	full chan struct{} // closed when it has synced
	stop func()        // and waits until it has
}

// Name and Done make it a DoneChecker, and the processor's informer.
func (s *stage) Name() string { return "informer of boats" }

func (s *stage) Done() <-chan struct{} { return s.full }

// newStage returns a stage that is not running.
func newStage(o processorOptions) *stage {
	s := &stage{held: make(map[string]*metav1.ObjectMeta), full: make(chan struct{})}
	o.informer = s
	o.locked = func(f func()) {
		s.mu.Lock()
		defer s.mu.Unlock()
		f()
	}
	o.snapshot = func() []any {
		if s.mu.TryLock() {
			panic("snapshot while the store may change")
		}
		return s.objects()
	}
	s.processor = newProcessor(o)
	return s
}

// start runs the stage until stop is called, or the test ends.
func (s *stage) start(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	s.stop = func() {
		cancel()
		running.Wait()
	}
	t.Cleanup(s.stop)
	running.Go(func() { s.run(ctx) })
}

func (s *stage) objects() []any {
	var objects []any
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range s.held {
			if !yield(name) {
				return
			}
		}
	}) {
		objects = append(objects, s.held[name])
	}
	return objects
}

// set adds or updates objects, whose resource versions count from 1.
func (s *stage) set(names ...string) { s.setInitial(false, names...) }

func (s *stage) setInitial(initial bool, names ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var changes []delta.Delta
	for _, name := range names {
		c := delta.Delta{Kind: delta.Set, Initial: initial, Name: delta.Name{Name: name}}
		object := &metav1.ObjectMeta{Name: name, ResourceVersion: "1"}
		if old := s.held[name]; old != nil {
			version, _ := strconv.Atoi(old.ResourceVersion)
			object.ResourceVersion = strconv.Itoa(version + 1)
			c.Old = old
		}
		s.held[name] = object
		c.Object = object
		changes = append(changes, c)
	}
	s.publish(changes)
}

// unset deletes objects; the deletion of one that is not in the store has version 0.
func (s *stage) unset(names ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var changes []delta.Delta
	for _, name := range names {
		c := delta.Delta{Kind: delta.Delete, Name: delta.Name{Name: name}, Object: &metav1.ObjectMeta{Name: name, ResourceVersion: "0"}}
		if old := s.held[name]; old != nil {
			c.Old, c.Object = old, old
			delete(s.held, name)
		}
		changes = append(changes, c)
	}
	s.publish(changes)
}

func (s *stage) sync() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.markSynced()
	if !isClosed(s.full) {
		close(s.full)
	}
}

func (s *stage) addHandler(h ResourceEventHandler, o HandlerOptions) *registration {
	var period time.Duration
	if o.ResyncPeriod != nil {
		period = *o.ResyncPeriod
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.add(h, o, period, s.objects())
}

func (s *stage) removeHandler(t *testing.T, r *registration) <-chan struct{} {
	t.Helper()
	done, err := s.remove(r)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// recorder is a handler that records its calls, and then calls each.
type recorder struct {
	each func(told string)

	mu   sync.Mutex
	told []string
}

func (r *recorder) tell(format string, args ...any) {
	told := fmt.Sprintf(format, args...)
	r.mu.Lock()
	r.told = append(r.told, told)
	r.mu.Unlock()
	if r.each != nil {
		r.each(told)
	}
}

func version(obj any) string {
	switch obj := obj.(type) {
	case *metav1.ObjectMeta:
		return obj.Name + obj.ResourceVersion
	case DeletedFinalStateUnknown:
		return obj.Key + "?"
	default:
		return fmt.Sprint(obj)
	}
}

func (r *recorder) OnAdd(obj any, initial bool) {
	if initial {
		r.tell("+%s!", version(obj))
		return
	}
	r.tell("+%s", version(obj))
}

func (r *recorder) OnUpdate(oldObj, newObj any) { r.tell("%s>%s", version(oldObj), version(newObj)) }

func (r *recorder) OnDelete(obj any) { r.tell("-%s", version(obj)) }

// take returns the recorded calls since the last time.
func (r *recorder) take() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	told := strings.Join(r.told, " ")
	r.told = nil
	return told
}

// expect waits until everything is idle, and compares the recorded calls.
func (r *recorder) expect(t *testing.T, want string) {
	t.Helper()
	synctest.Wait()
	if got := r.take(); got != want {
		t.Errorf("received %q, want %q", got, want)
	}
}

func expectSynced(t *testing.T, r *registration, want bool) {
	t.Helper()
	synctest.Wait()
	if got := r.HasSynced(); got != want {
		t.Errorf("handler %s: synced is %t, want %t", r.name(), got, want)
	}
}

// expectUnsynced compares the reason why a handler has not synced, "" if it has.
func expectUnsynced(t *testing.T, r *registration, want string) {
	t.Helper()
	synctest.Wait()
	got := ""
	if err := (handlerSynced{r}).unsyncedCause(); err != nil {
		got = err.Error()
	}
	if !strings.Contains(got, want) || (got == "") != (want == "") {
		t.Errorf("handler %s has not synced for %q, want %q", r.name(), got, want)
	}
}
