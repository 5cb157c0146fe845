package foreign_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	clientgo "k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/listwatch/listwatch/runtime/workqueue"
)

// Ours can be a manager's, by controller.Options.NewQueue.
var _ clientgo.TypedRateLimitingInterface[reconcile.Request] = workqueue.TypedPriorityInterface[reconcile.Request](nil)

// queue is the common interface of both queues with priorities.
type queue interface {
	clientgo.TypedRateLimitingInterface[string]
	addWith(priority int, items ...string)
	GetWithPriority() (string, int, bool)
}

type ours struct {
	workqueue.TypedPriorityInterface[string]
}

func (q ours) addWith(priority int, items ...string) {
	q.AddWithOpts(workqueue.AddOpts{Priority: &priority}, items...)
}

type theirs struct {
	priorityqueue.PriorityQueue[string]
}

func (q theirs) addWith(priority int, items ...string) {
	q.AddWithOpts(priorityqueue.AddOpts(workqueue.AddOpts{Priority: &priority}), items...)
}

func queues() map[string]queue {
	return map[string]queue{
		"listwatch": ours{workqueue.NewTypedPriorityQueue(workqueue.DefaultTypedItemBasedRateLimiter[string]())},
		"controller-runtime": theirs{priorityqueue.New("", func(o *priorityqueue.Opts[string]) {
			o.RateLimiter = clientgo.DefaultTypedItemBasedRateLimiter[string]()
		})},
	}
}

// TestPriorityQueues does the same to both queues. At most 15 items are added, so that none has its turn for its
// age.
func TestPriorityQueues(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	for range 200 {
		both := queues()
		for range random.IntN(15) {
			item, priority := fmt.Sprint(random.IntN(8)), random.IntN(4)
			for _, q := range both {
				q.addWith(priority, item)
			}
		}
		for both["listwatch"].Len() > 0 {
			if ours, theirs := both["listwatch"].Len(), both["controller-runtime"].Len(); ours != theirs {
				t.Fatalf("%d items, controller-runtime has %d", ours, theirs)
			}
			item, priority, _ := both["listwatch"].GetWithPriority()
			wantItem, wantPriority, _ := both["controller-runtime"].GetWithPriority()
			if item != wantItem || priority != wantPriority {
				t.Fatalf("got %s with priority %d, controller-runtime's has %s with priority %d", item, priority, wantItem, wantPriority)
			}
			for _, q := range both {
				q.Done(item)
			}
		}
		for _, q := range both {
			q.ShutDown()
		}
	}
}

// BenchmarkPriorityQueue adds changes while a first list is processed.
func BenchmarkPriorityQueue(b *testing.B) {
	const listed = 10_000
	for name, q := range queues() {
		b.Run(name, func(b *testing.B) {
			items := make([]string, listed)
			for i := range items {
				items[i] = fmt.Sprintf("namespace/worker-%06d", i)
			}
			q.addWith(-100, items...)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				q.Add(items[i*7919%listed])
				item, priority, _ := q.GetWithPriority()
				q.Done(item)
				q.addWith(priority, item)
			}
			b.StopTimer()
			q.ShutDown()
			time.Sleep(time.Millisecond) // so that its goroutines don't count for the next
		})
	}
}
