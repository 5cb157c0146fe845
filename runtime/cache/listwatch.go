package cache

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// Lister lists objects.
type Lister interface {
	// List returns a list of the objects that options select. A watch continues from its
	// resource version.
	List(options metav1.ListOptions) (runtime.Object, error)
}

// Watcher starts watches.
type Watcher interface {
	// Watch returns the changes after the resource version of options. The caller must stop
	// the watch, unless there is an error.
	Watch(options metav1.ListOptions) (watch.Interface, error)
}

// ListerWatcher lists objects and watches them from there. A [Reflector] also uses the methods
// of [ListerWatcherWithContext] and [ListStreamer], if there are any.
type ListerWatcher interface {
	Lister
	Watcher
}

// ListerWithContext is a [Lister] with a context, which ends the request.
type ListerWithContext interface {
	ListWithContext(ctx context.Context, options metav1.ListOptions) (runtime.Object, error)
}

// WatcherWithContext is a [Watcher] with a context, which ends the watch.
type WatcherWithContext interface {
	WatchWithContext(ctx context.Context, options metav1.ListOptions) (watch.Interface, error)
}

// ListerWatcherWithContext is a [ListerWatcher] with contexts.
type ListerWatcherWithContext interface {
	ListerWithContext
	WatcherWithContext
}

// ListStreamer is implemented by a [ListerWatcher] that can list without having the whole list
// in memory.
type ListStreamer interface {
	// StreamList lists as ListWithContext does, but calls each for every object, in
	// order, as soon as it is decoded, from the goroutine that called StreamList. each owns
	// the objects. StreamList returns the list without items after the last object; before
	// that, the objects may be incomplete. An error of each ends the list and is returned
	// unchanged.
	//
	// If the context is one of [codec.WithUndecodable], an object may be a [*codec.Undecodable].
	StreamList(ctx context.Context, options metav1.ListOptions, each func(runtime.Object) error) (runtime.Object, error)
}

// textPasser is implemented by a client or [ListerWatcher] that hands over the objects of lists and watches as decoders return them,
// so that they can be texts: see [codec.WithTexts].
type textPasser interface {
	PassesTexts() bool
}

func passesTexts(client any) bool {
	p, ok := client.(textPasser)
	return ok && p.PassesTexts()
}

// watchListRefuser is implemented by a client or [ListerWatcher] that may not support
// WatchList, as fakes do.
type watchListRefuser interface {
	IsWatchListSemanticsUnSupported() bool
}

func refusesWatchList(client any) bool {
	r, ok := client.(watchListRefuser)
	return ok && r.IsWatchListSemanticsUnSupported()
}

// ToListerWithContext returns l with a context: l itself if it has the method, otherwise one
// that ignores the context.
func ToListerWithContext(l Lister) ListerWithContext {
	if with, ok := l.(ListerWithContext); ok {
		return with
	}
	return contextLister{l}
}

// ToWatcherWithContext returns w with a context: w itself if it has the method, otherwise one
// that ignores the context.
func ToWatcherWithContext(w Watcher) WatcherWithContext {
	if with, ok := w.(WatcherWithContext); ok {
		return with
	}
	return contextWatcher{w}
}

// ToListerWatcherWithContext returns lw with contexts: lw itself if it has both methods,
// otherwise one whose missing methods ignore the context.
func ToListerWatcherWithContext(lw ListerWatcher) ListerWatcherWithContext {
	if with, ok := lw.(ListerWatcherWithContext); ok {
		return with
	}
	return struct {
		ListerWithContext
		WatcherWithContext
	}{ToListerWithContext(lw), ToWatcherWithContext(lw)}
}

type contextLister struct{ lister Lister }

func (c contextLister) ListWithContext(_ context.Context, options metav1.ListOptions) (runtime.Object, error) {
	return c.lister.List(options)
}

type contextWatcher struct{ watcher Watcher }

func (c contextWatcher) WatchWithContext(_ context.Context, options metav1.ListOptions) (watch.Interface, error) {
	return c.watcher.Watch(options)
}
