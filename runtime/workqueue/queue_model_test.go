package workqueue_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/listwatch/listwatch/runtime/workqueue"
)

// model is the specification of a queue, as simple as possible.
type model struct {
	line, held, processing []byte
	down                   bool
}

func (m *model) add(item byte) {
	switch {
	case m.down, slices.Contains(m.line, item), slices.Contains(m.held, item):
	case slices.Contains(m.processing, item):
		m.held = append(m.held, item)
	default:
		m.line = append(m.line, item)
	}
}

func (m *model) get() byte {
	item := m.line[0]
	m.line = m.line[1:]
	m.processing = append(m.processing, item)
	return item
}

func (m *model) done(item byte) {
	i := slices.Index(m.processing, item)
	if i < 0 {
		return
	}
	m.processing = slices.Delete(m.processing, i, i+1)
	if i := slices.Index(m.held, item); i >= 0 {
		m.held = slices.Delete(m.held, i, i+1)
		m.line = append(m.line, item)
	}
}

// FuzzQueue performs operations on a queue and on the model. The upper bits of each byte are the
// operation, the lower ones the item.
func FuzzQueue(f *testing.F) {
	const add, get, done, shutDown = 0 << 5, 1 << 5, 2 << 5, 7 << 5
	f.Add([]byte{add, add + 1, get, add, done, get, done + 1, get, done})
	f.Add([]byte{add, add, get, add, shutDown, done, add + 1, get})
	f.Add([]byte{done, add, done, get, get, done, done})
	f.Fuzz(func(t *testing.T, ops []byte) {
		synctest.Test(t, func(t *testing.T) {
			metrics := &recorder{}
			queues := []workqueue.TypedInterface[byte]{
				workqueue.NewTyped[byte](),
				workqueue.NewTypedWithConfig(workqueue.TypedQueueConfig[byte]{Queue: workqueue.DefaultQueue[byte]()}),
				workqueue.NewTypedWithConfig(workqueue.TypedQueueConfig[byte]{Name: "q", MetricsProvider: metrics}),
			}
			var m model
			for i, op := range ops {
				item := op & 31
				switch op &^ 31 {
				case get:
					if len(m.line) == 0 {
						continue
					}
					want := m.get()
					for j, q := range queues {
						if got, shutdown := q.Get(); shutdown || got != want {
							t.Fatalf("operation %d: queue %d: Get %d, %v, want %d", i, j, got, shutdown, want)
						}
					}
				case done:
					m.done(item)
					for _, q := range queues {
						q.Done(item)
					}
				case shutDown:
					m.down = true
					for _, q := range queues {
						q.ShutDown()
					}
				default:
					m.add(item)
					for _, q := range queues {
						q.Add(item)
					}
				}
				time.Sleep(time.Second) // in the bubble, so that work takes time
				for j, q := range queues {
					if q.Len() != len(m.line) {
						t.Fatalf("operation %d: queue %d: Len %d, want %d", i, j, q.Len(), len(m.line))
					}
				}
				if got, want := int(metrics.value("depth")), len(m.line)+len(m.held); got != want {
					t.Fatalf("operation %d: depth %d, want %d", i, got, want)
				}
			}
			for _, q := range queues {
				q.ShutDown()
			}
		})
	})
}

func TestRandomOperations(t *testing.T) {
	// The fuzz target's own seeds are few and short.
	random := rand.New(rand.NewPCG(5, 6))
	for range 5 {
		q := workqueue.NewTyped[byte]()
		var m model
		for i := range 20_000 {
			item := byte(random.IntN(64))
			switch random.IntN(3) {
			case 0:
				m.add(item)
				q.Add(item)
			case 1:
				if len(m.line) > 0 {
					want := m.get()
					if got, _ := q.Get(); got != want {
						t.Fatalf("operation %d: Get %d, want %d", i, got, want)
					}
				}
			case 2:
				m.done(item)
				q.Done(item)
			}
			if q.Len() != len(m.line) {
				t.Fatalf("operation %d: Len %d, want %d", i, q.Len(), len(m.line))
			}
		}
	}
}
