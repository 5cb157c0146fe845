package cache_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/listwatch/listwatch/runtime/cache"
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
)

// typedLogbook is a typed handler that records its calls.
type typedLogbook struct{ logbook }

func (l *typedLogbook) OnAdd(obj *ship, isInInitialList bool) { l.logbook.OnAdd(obj, isInInitialList) }
func (l *typedLogbook) OnUpdate(oldObj, newObj *ship)         { l.logbook.OnUpdate(oldObj, newObj) }

func (l *typedLogbook) OnDelete(obj cache.DeletedObject[*ship]) {
	if obj.FinalStateUnknown != nil {
		l.write("lost %s, last %s", obj.GetKey(), describeShip(obj.OptionalObj))
		return
	}
	l.write("delete %s", describeShip(obj.OptionalObj))
}

func TestTypedInformer(t *testing.T) {
	for name, view := range map[string]func(cache.SharedIndexInformer) cache.SharedIndexInformer{
		"of ours":    func(i cache.SharedIndexInformer) cache.SharedIndexInformer { return i },
		"of foreign": func(i cache.SharedIndexInformer) cache.SharedIndexInformer { return foreignInformer{i} },
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
				source.Add(newShip("bay/a", "red"))
				informer := cache.NewTypedSharedIndexInformer[*ship](view(cache.NewSharedIndexInformer(source, &ship{}, 0, nil)))
				byColor := cache.TypedIndexers[*ship]{"color": func(s *ship) ([]string, error) { return []string{s.Labels["color"]}, nil }}
				if err := informer.AddTypedIndexers(byColor); err != nil {
					t.Fatal(err)
				}
				log := &typedLogbook{}
				if _, err := informer.AddTypedEventHandler(log); err != nil {
					t.Fatal(err)
				}
				defer run(t, informer)()
				log.expect(t, "first bay/a red")
				source.Modify(newShip("bay/a", "blue"))
				source.Add(newShip("bay/b", "blue"))
				source.Delete(newShip("bay/a", "blue"))
				log.expect(t, "update bay/a red to bay/a blue", "add bay/b blue", "delete bay/a blue")
				found, err := informer.GetTypedIndexer().ByTypedIndex("color", "blue")
				if err != nil || len(found) != 1 || found[0].Name != "b" {
					t.Errorf("ByTypedIndex = %v, %v, want b", found, err)
				}
				source.DeleteDropWatch(newShip("bay/b", "blue"))
				source.ResetWatch()
				time.Sleep(time.Minute)
				log.expect(t, "lost bay/b, last bay/b blue")
			})
		})
	}
}

func TestTypedInformerHandlerOptions(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		informer := cache.NewTypedSharedIndexInformer[*ship](cache.NewSharedIndexInformer(source, &ship{}, time.Minute, nil))
		never := time.Duration(0)
		resynced, left := &typedLogbook{}, &typedLogbook{}
		if _, err := informer.AddTypedEventHandler(resynced); err != nil {
			t.Fatal(err)
		}
		if _, err := informer.AddTypedEventHandler(left, cache.HandlerOptions{ResyncPeriod: &never}); err != nil {
			t.Fatal(err)
		}
		if _, err := informer.AddTypedEventHandler(left, cache.HandlerOptions{}, cache.HandlerOptions{}); err == nil {
			t.Error("two options are accepted")
		}
		source.Add(newShip("bay/a", "red"))
		defer run(t, informer)()
		synctest.Wait()
		resynced.take()
		left.take()
		time.Sleep(time.Minute + time.Second)
		resynced.expect(t, "update bay/a red to bay/a red")
		left.expect(t)
	})
}
