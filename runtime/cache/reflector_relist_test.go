package cache_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/runtime/cache"
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
)

// TestRelistSeesOtherContent checks that a relist replaces an object whose content the server has
// changed without a write, and leaves the others unchanged.
func TestRelistSeesOtherContent(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		s := &busySource{FakeControllerSource: source}
		s.Add(newShip("bay/a", "blue"))
		s.Add(newShip("bay/b", "blue"))
		informer := cache.NewSharedIndexInformer(s, &ship{}, 0, cache.Indexers{
			colorIndex: indexByColor,
		})
		told := &logbook{}
		if _, err := informer.AddEventHandler(told); err != nil {
			t.Fatal(err)
		}
		defer run(t, informer)()
		synctest.Wait()
		told.take()
		kept, _, _ := informer.GetStore().GetByKey("bay/a")

		s.repaint()
		s.AddDropWatch(newShip("bay/c", "blue"))
		s.ResetWatch() // so that the next watch is rejected, and all objects are relisted
		time.Sleep(time.Minute)
		synctest.Wait()

		got, _, _ := informer.GetStore().GetByKey("bay/b")
		if color := got.(*ship).Labels["color"]; color != "red" {
			t.Errorf("the store has it %s", color)
		}
		if red, err := informer.GetIndexer().IndexKeys(colorIndex, "red"); err != nil || !cmp.Equal(red, []string{"bay/b"}) {
			t.Errorf("the index has %v (%v)", red, err)
		}
		if again, _, _ := informer.GetStore().GetByKey("bay/a"); again != kept {
			t.Error("an unchanged object was replaced")
		}
		news := slices.Sorted(slices.Values(told.take())) // the source lists in no order
		if diff := cmp.Diff([]string{"add bay/c blue", "update bay/b blue to bay/b red"}, news); diff != "" {
			t.Errorf("the handler received (-want +got):\n%s", diff)
		}
		if err := cache.CheckDrift(t.Context(), informer); err != nil {
			t.Error(err)
		}
	})
}
