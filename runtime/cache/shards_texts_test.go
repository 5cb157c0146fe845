package cache_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/listwatch/listwatch/runtime/cache"
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
	"github.com/listwatch/listwatch/runtime/packed"
)

// TestShardsOfTexts has an informer that follows shards store objects as they were received. What it has, and what its handlers
// receive, equals that of an informer of the same shards whose objects are not packed.
func TestShardsOfTexts(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		r := newRing()
		of := func(i int, color, note string) *metav1.PartialObjectMetadata {
			o := record(fmt.Sprintf("%02d", i), color, note)
			o.UID = r.uidOf(i % modelSlots)
			return o
		}
		for i := range 60 {
			source.Add(of(i, []string{"red", "green"}[i%2], fmt.Sprint("note ", i)))
		}
		options := packedOptions()
		options.Shards, options.Packed = r, nil
		plain := cache.NewSharedIndexInformerWithOptions(cache.ListWatchFor(newMessages(source, true), nil), &metav1.PartialObjectMetadata{}, options)
		options.Packed = packed.S2
		client := newMessages(source, true)
		small := cache.NewPackedInformer(cache.ListWatchFor(client, nil), &metav1.PartialObjectMetadata{}, options, 2)
		logs := map[cache.SharedIndexInformer]*releases{small: {}, plain: {}}
		for informer, log := range logs {
			mustAddHandler(t, informer, log)
			defer run(t, informer)()
		}
		check := func(what string, sameEvents bool) {
			t.Helper()
			time.Sleep(time.Minute)
			synctest.Wait()
			if diff := cmp.Diff(logs[plain].sorted(), logs[small].sorted()); diff != "" && sameEvents {
				t.Errorf("%s: events (-want +got):\n%s", what, diff)
			}
			logs[plain].all, logs[small].all = nil, nil
			want, got := recordsOf(t, plain, labels.Everything()), recordsOf(t, small, labels.Everything())
			if diff := cmp.Diff(want, got); diff != "" || len(got) == 0 {
				t.Errorf("%s: %d objects (-want +got):\n%s", what, len(got), diff)
			}
			if err := cache.CheckDrift(t.Context(), small); err != nil {
				t.Errorf("%s: %v", what, err)
			}
			if whole := cache.StateOf(small).Packed.Whole; whole > 0 {
				t.Errorf("%s: %d objects are not packed", what, whole)
			}
		}
		synctest.Wait()
		r.set([]int{0, 1}, nil)
		check("first slots", true)
		source.Modify(of(0, "white", "changed"))
		source.Modify(of(2, "white", "another's"))
		source.Delete(of(8, "red", ""))
		source.Add(of(60, "white", "new"))
		check("events", true)
		r.set([]int{1, 2}, nil)
		check("moved", true)
		r.set([]int{1, 2, 3}, nil)
		source.Modify(of(3, "blue", "changed while its slot is gained")) // which may be an event
		source.Modify(of(1, "blue", "changed meanwhile"))
		check("moved beside events", false)
		source.DeleteDropWatch(of(10, "red", ""))
		source.ModifyDropWatch(of(11, "white", "changed unseen"))
		source.ResetWatch()
		r.set([]int{2, 3}, []int{3})
		check("unseen", false)
		if client.taken() == 0 {
			t.Error("all objects were decoded")
		}
	})
}

// releases is an events that is also told about released objects.
type releases struct{ events }

func (r *releases) OnReleased(obj any) { r.add("release", obj) }
