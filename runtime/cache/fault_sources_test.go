package cache_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/listwatch/listwatch/runtime/cache"
)

// TestFaultNamespaces checks that an informer of several namespaces works as far as possible,
// reports which one is in trouble, and has synced only when all have.
func TestFaultNamespaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		here, there := newBargeServer(t), newBargeServer(t)
		there.namespace = "m"
		here.add("a", "1")
		there.add("b", "1")
		forbidden := status(403, "Forbidden", `cannot list resource "barges" in the namespace "m"`)
		there.fail(forbidden, "list", "watch list")
		v := newVoyage(t, here, cache.SharedIndexInformerOptions{Sources: []cache.Source{
			{Namespace: "n", ListerWatcher: here.listerWatcher(t)},
			{Namespace: "m", ListerWatcher: there.listerWatcher(t)},
		}})
		v.run()
		v.awaitPhase(time.Minute, cache.PhaseFailed)
		v.wantUnsynced("namespace m", `cannot list resource "barges" in the namespace "m"`)
		v.await(time.Minute, "partly stored", func() bool { return slices.Equal(v.stored(), here.content()) })
		phases := map[string]cache.Phase{}
		for _, source := range v.state().Sources {
			phases[source.Namespace] = source.Phase
		}
		if phases["n"] != cache.PhaseLive || phases["m"] != cache.PhaseFailed {
			t.Errorf("phases %v", phases)
		}

		there.heal()
		v.awaitPhase(2*time.Minute, cache.PhaseLive)
		if stored := v.stored(); !slices.Equal(stored, []string{"a@11 1", "b@11 1"}) || !v.informer.HasSynced() {
			t.Errorf("stored %q", stored)
		}
		v.fleet.news()

		// The list of one namespace does not delete objects of the other.
		there.fail(forbidden, "list", "watch list")
		there.failOnce(status(410, "Expired", "too old"), "watch")
		time.Sleep(5 * time.Second)
		there.endWatches(false)
		v.awaitPhase(time.Minute, cache.PhaseStale)
		here.silence(true)
		here.remove("a")
		here.failOnce(status(410, "Expired", "too old"), "watch")
		here.endWatches(false)
		synctest.Wait()
		here.silence(false)
		v.await(2*time.Minute, "told", func() bool { return len(v.stored()) == 1 })
		v.wantTold("tombstone a")
		if stored := v.stored(); !slices.Equal(stored, []string{"b@11 1"}) {
			t.Errorf("stored %q", stored)
		}
		there.heal()
		v.awaitPhase(2*time.Minute, cache.PhaseLive)
		v.wantTold()
	})
}
