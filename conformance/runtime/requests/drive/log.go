package drive

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// Log is a queue of a handler's calls.
type Log chan string

// NewLog returns a log with more room than any scenario needs.
func NewLog() Log { return make(Log, 64) }

// Add records that an object was added.
func (l Log) Add(object metav1.Object, initial bool) {
	l <- fmt.Sprintf("add %s initial=%v", describe(object), initial)
}

// Update records that an object was updated.
func (l Log) Update(old, object metav1.Object) {
	l <- fmt.Sprintf("update %s to %s", describe(old), describe(object))
}

// Delete records that an object was deleted, or its tombstone.
func (l Log) Delete(object any) { l <- "delete " + describe(object) }

// Next waits for n events.
func (l Log) Next(ctx context.Context, n int) ([]string, error) {
	var events []string
	for range n {
		select {
		case e := <-l:
			events = append(events, e)
		case <-ctx.Done():
			return events, fmt.Errorf("event %d of %d after %q: %w", len(events)+1, n, events, ctx.Err())
		}
	}
	return events, nil
}

// Handler returns an untyped handler that records all calls in the log.
func (l Log) Handler() cache.ResourceEventHandler {
	return cache.ResourceEventHandlerDetailedFuncs{
		AddFunc:    func(o any, initial bool) { l.Add(o.(metav1.Object), initial) },
		UpdateFunc: func(old, o any) { l.Update(old.(metav1.Object), o.(metav1.Object)) },
		DeleteFunc: l.Delete,
	}
}

func describe(v any) string {
	o, ok := v.(metav1.Object)
	if !ok {
		return fmt.Sprintf("%T", v)
	}
	return fmt.Sprintf("%T %s/%s at %s %v", v, o.GetNamespace(), o.GetName(), o.GetResourceVersion(), o.GetLabels())
}
