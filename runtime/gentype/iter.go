package gentype

import (
	"context"
	"fmt"
	"iter"

	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// Event is a [watch.Event] with a typed object.
type Event[T any] struct {
	// Type is Added, Modified, Deleted or Bookmark.
	Type watch.EventType
	// Object is the object after the event; before it, if the event is Deleted. Of a
	// Bookmark only the resource version is set.
	Object T
}

// Events watches and yields typed events, until the loop ends, the context is done or the
// server closes the watch, which it does after some minutes. A failed request, an error
// that the server sends as an event and an object of another type are each yielded as
// an error, which is the last element. The end of the watch is not an error. Leaving the
// loop stops the watch.
//
//	for event, err := range gentype.Events(ctx, client.LibraryV1().Books("ns"), opts) { ... }
func Events[T objectWithMeta](ctx context.Context, client interface {
	Watcher
	Getter[T]
}, opts metav1.ListOptions,
) iter.Seq2[Event[T], error] {
	return func(yield func(Event[T], error) bool) {
		w, err := client.Watch(ctx, opts)
		if err != nil {
			yield(Event[T]{}, err)
			return
		}
		defer w.Stop()
		for e := range w.ResultChan() {
			if e.Type == watch.Error {
				yield(Event[T]{}, errors.FromObject(e.Object))
				return
			}
			object, ok := e.Object.(T)
			if end, isEnd := e.Object.(*metav1.PartialObjectMetadata); isEnd && !ok && e.Type == watch.Bookmark {
				object, ok = maker[T]()(), true // of a view: see runtime/watch
				object.SetResourceVersion(end.ResourceVersion)
			}
			if !ok {
				yield(Event[T]{}, fmt.Errorf("watch event %s contains %T, want %T", e.Type, e.Object, object))
				return
			}
			if !yield(Event[T]{e.Type, object}, nil) {
				return
			}
		}
	}
}

// pageSize is the limit of [Pages] if the caller sets none; informers use the same.
const pageSize = 500

// Pages lists and yields the objects one by one. It requests pages of opts.Limit objects,
// 500 if that is 0, each when the one before is used up. All pages show one state of the
// server. A failure is yielded as an error, which is the last element; if the
// server has dropped that state, errors.IsResourceExpired is true for it and the list must be
// started again.
//
//	for book, err := range gentype.Pages(ctx, client.LibraryV1().Books("ns"), opts) { ... }
func Pages[T objectWithMeta, L runtime.Object](ctx context.Context, client interface {
	Lister[L]
	Getter[T]
}, opts metav1.ListOptions,
) iter.Seq2[T, error] {
	if opts.Limit == 0 {
		opts.Limit = pageSize
	}
	return func(yield func(T, error) bool) {
		var none T
		for opts := opts; ; {
			list, err := client.List(ctx, opts)
			if err != nil {
				yield(none, err)
				return
			}
			more := true
			err = meta.EachListItem(list, func(item runtime.Object) error {
				object, ok := item.(T)
				switch {
				case !more:
				case !ok:
					return fmt.Errorf("list contains %T, want %T", item, none)
				default:
					more = yield(object, nil)
				}
				return nil
			})
			if !more {
				return
			}
			page, accessErr := meta.ListAccessor(list)
			if err == nil {
				err = accessErr
			}
			if err != nil {
				yield(none, err)
				return
			}
			if opts.Continue = page.GetContinue(); opts.Continue == "" {
				return
			}
			// The token names the version of the list.
			opts.ResourceVersion, opts.ResourceVersionMatch = "", ""
		}
	}
}
