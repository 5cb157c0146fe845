package cache_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/listwatch/listwatch/runtime/cache"
)

// fleet is a handler that records its calls, and reports impossible ones.
type fleet struct {
	mu     sync.Mutex // guards the fields below
	barges map[string]*barge
	told   []string
	wrong  []string
}

func (f *fleet) OnAdd(obj any, _ bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := obj.(*barge)
	if f.barges[s.Name] != nil {
		f.wrong = append(f.wrong, "repeated event of "+describeBarge(s))
	}
	f.barges[s.Name] = s
	f.told = append(f.told, "add "+describeBarge(s))
}

func (f *fleet) OnUpdate(before, after any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := after.(*barge)
	if f.barges[s.Name] == nil || f.barges[s.Name] != before.(*barge) {
		f.wrong = append(f.wrong, fmt.Sprintf("update of %v, which was %v", s.Name, f.barges[s.Name]))
	}
	f.barges[s.Name] = s
	f.told = append(f.told, "update "+describeBarge(s))
}

func (f *fleet) OnDelete(obj any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	how := "delete"
	if tombstone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		how, obj = "tombstone", tombstone.Obj
	}
	s := obj.(*barge)
	if f.barges[s.Name] == nil {
		f.wrong = append(f.wrong, "deletion of "+s.Name+", which was never received")
	}
	delete(f.barges, s.Name)
	f.told = append(f.told, how+" "+s.Name)
}

// news returns the handler's calls since the last call of news.
func (f *fleet) news() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	told := f.told
	f.told = nil
	return told
}

func (f *fleet) content() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []string
	for _, s := range f.barges {
		all = append(all, describeBarge(s))
	}
	slices.Sort(all)
	return all
}

// voyage is an informer of a server, with a handler.
type voyage struct {
	t        *testing.T
	server   *bargeServer
	informer cache.SharedIndexInformer
	fleet    *fleet
}

// inTrouble runs a test in a bubble, with a server that has the barges a, b and c, and an informer
// with these options, which is started before the test. The informer is stopped at the end, and
// must leave nothing behind.
func inTrouble(t *testing.T, options cache.SharedIndexInformerOptions, before func(*bargeServer), test func(*testing.T, *voyage)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		server := newBargeServer(t)
		for _, name := range []string{"a", "b", "c"} {
			server.add(name, "1")
		}
		if before != nil {
			before(server)
		}
		v := newVoyage(t, server, options)
		v.run()
		test(t, v)
	})
}

// newVoyage returns an informer of the server, which is not running.
func newVoyage(t *testing.T, server *bargeServer, options cache.SharedIndexInformerOptions) *voyage {
	t.Helper()
	v := &voyage{
		t: t, server: server, fleet: &fleet{barges: map[string]*barge{}},
		informer: cache.NewSharedIndexInformerWithOptions(server.listerWatcher(t), &barge{}, options),
	}
	if _, err := v.informer.AddEventHandler(v.fleet); err != nil {
		t.Fatal(err)
	}
	return v
}

// run runs the informer until the test ends.
func (v *voyage) run() {
	ctx, cancel := context.WithCancel(context.Background())
	stopped := make(chan struct{})
	go func() {
		v.informer.RunWithContext(ctx)
		close(stopped)
	}()
	v.t.Cleanup(func() {
		cancel()
		<-stopped
		if state := v.state(); state.Phase != cache.PhaseStopped {
			v.t.Errorf("stopped informer is %s", state.Phase)
		}
	})
}

func (v *voyage) state() cache.State { return cache.StateOf(v.informer) }

func (v *voyage) source() cache.SourceState {
	v.t.Helper()
	sources := v.state().Sources
	if len(sources) != 1 {
		v.t.Fatalf("%d sources", len(sources))
	}
	return sources[0]
}

// await waits until a condition is true, up to a limit.
func (v *voyage) await(limit time.Duration, what string, is func() bool) {
	v.t.Helper()
	for end := time.Now().Add(limit); ; time.Sleep(50 * time.Millisecond) {
		synctest.Wait()
		if is() {
			return
		}
		if time.Now().After(end) {
			v.t.Fatalf("not %s after %v: %+v", what, limit, v.state())
		}
	}
}

func (v *voyage) awaitPhase(limit time.Duration, phase cache.Phase) {
	v.t.Helper()
	v.await(limit, string(phase), func() bool { return v.state().Phase == phase })
}

// awaitSame waits until server, store and handler have the same content, and there is no error.
func (v *voyage) awaitSame(limit time.Duration) {
	v.t.Helper()
	v.await(limit, "up to date and live", func() bool {
		want := v.server.content()
		return v.state().Phase == cache.PhaseLive && slices.Equal(v.stored(), want) && slices.Equal(v.fleet.content(), want)
	})
	if state := v.state(); state.Err != nil {
		v.t.Errorf("live with the error %v", state.Err)
	}
	v.fleet.mu.Lock()
	defer v.fleet.mu.Unlock()
	for _, wrong := range v.fleet.wrong {
		v.t.Error(wrong)
	}
}

// stored returns the barges in the store.
func (v *voyage) stored() []string {
	var all []string
	for _, obj := range v.informer.GetStore().List() {
		all = append(all, describeBarge(obj.(*barge)))
	}
	slices.Sort(all)
	return all
}

// wantUnsynced compares the reason why the informer has not synced.
func (v *voyage) wantUnsynced(words ...string) {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.t.Context(), time.Millisecond)
	defer cancel()
	err := cache.WaitForSync(ctx, v.informer)
	if !errors.Is(err, context.DeadlineExceeded) {
		v.t.Errorf("waiting for sync: %v", err)
	}
	wantWords(v.t, err, words...)
}

func wantWords(t *testing.T, err error, words ...string) {
	t.Helper()
	for _, word := range words {
		if err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("error %q does not say %q", fmt.Sprint(err), word)
		}
	}
}

// wantBounded checks that requests of these kinds are rare: at least one within 10 minutes, and at
// most most.
func (v *voyage) wantBounded(most int, kinds ...string) {
	v.t.Helper()
	before := len(v.server.asked(kinds...))
	time.Sleep(10 * time.Minute)
	if n := len(v.server.asked(kinds...)) - before; n > most || n == 0 {
		v.t.Errorf("%d requests to %v within 10 minutes", n, kinds)
	}
}
