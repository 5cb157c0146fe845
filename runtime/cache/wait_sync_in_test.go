package cache_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/listwatch/listwatch/runtime/cache"
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
)

// One source has synced when its list is stored, whatever others do.
func TestSyncedIn(t *testing.T) {
	inBubble(t, func(t *testing.T, bay *cachetesting.FakeControllerSource) {
		sea := cachetesting.NewFakeControllerSource()
		defer sea.Shutdown()
		bay.Add(newShip("bay/a", "red"))
		informer := cache.NewSharedIndexInformerWithOptions(nil, &ship{}, cache.SharedIndexInformerOptions{
			ObjectDescription: "boats",
			Sources: []cache.Source{
				{Except: []string{"sea"}, ListerWatcher: bay},
				{Namespace: "sea", ListerWatcher: lateSource{sea, 0, errForbidden}},
			},
		})
		inBay, inSea := cache.SyncedIn(informer, "bay"), cache.SyncedIn(informer, "sea")
		if cache.IsDone(inBay) || cache.IsDone(inSea) {
			t.Error("synced before the start")
		}
		defer run(t, informer)()
		synctest.Wait()
		if !cache.IsDone(inBay) || cache.IsDone(inSea) || informer.HasSynced() {
			t.Errorf("bay: %v, sea: %v, all: %v", cache.IsDone(inBay), cache.IsDone(inSea), informer.HasSynced())
		}
		if got := inBay.Name() + ", " + inSea.Name(); got != "SharedIndexInformer boats, SharedIndexInformer boats in namespace sea" {
			t.Errorf("names %s", got)
		}
		state := cache.StateOf(informer)
		if got := state.Sources[0]; !got.Synced || got.Unsynced() != nil {
			t.Errorf("of all others: synced %v, because of %v", got.Synced, got.Unsynced())
		}
		if got := state.Sources[1]; got.Synced || got.Unsynced() == nil || !strings.Contains(got.Unsynced().Error(), "cannot list") {
			t.Errorf("of sea: synced %v, because of %v", got.Synced, got.Unsynced())
		}
		if text := state.Unsynced().Error(); !strings.Contains(text, "cannot list") || strings.Contains(text, "\n") {
			t.Errorf("of all: %s", text)
		}
		ctx, lines := logTo(soon(t))
		if cache.WaitFor(ctx, "boats", inBay, inSea) {
			t.Error("waited for a source that cannot be listed")
		}
		if log := strings.Join(lines(), "\n"); !strings.Contains(log, "in namespace sea: ") || !strings.Contains(log, "cannot list") {
			t.Errorf("the log has no cause:\n%s", log)
		}
		if other := cache.SyncedIn(foreignInformer{informer}, "bay"); cache.IsDone(other) {
			t.Error("an informer of another package has synced")
		}
	})
}

// A source that has synced and fails later is not why others have not.
func TestSyncedInFailsLater(t *testing.T) {
	inBubble(t, func(t *testing.T, bay *cachetesting.FakeControllerSource) {
		sea := cachetesting.NewFakeControllerSource()
		defer sea.Shutdown()
		failing := &failingSource{FakeControllerSource: bay}
		informer := cache.NewSharedIndexInformerWithOptions(nil, &ship{}, cache.SharedIndexInformerOptions{Sources: []cache.Source{
			{Namespace: "bay", ListerWatcher: failing},
			{Namespace: "sea", ListerWatcher: lateSource{sea, time.Hour, nil}},
		}})
		defer run(t, informer)()
		synctest.Wait()
		failing.fail(errForbidden)
		bay.ResetWatch()
		time.Sleep(time.Minute)
		state := cache.StateOf(informer)
		if state.Sources[0].Failures == 0 {
			t.Fatal("the source does not fail")
		}
		if err := state.Unsynced(); err == nil || strings.Contains(err.Error(), "bay") || !strings.Contains(err.Error(), "sea") {
			t.Errorf("got %v", err)
		}
	})
}
