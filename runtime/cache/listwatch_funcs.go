package cache

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// ListFunc lists objects; see [Lister].
type ListFunc func(options metav1.ListOptions) (runtime.Object, error)

// ListWithContextFunc lists objects; see [ListerWithContext].
type ListWithContextFunc func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error)

// WatchFunc starts a watch; see [Watcher].
type WatchFunc func(options metav1.ListOptions) (watch.Interface, error)

// WatchFuncWithContext starts a watch; see [WatcherWithContext].
type WatchFuncWithContext func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error)

// ListWatch is a [ListerWatcher], with and without contexts, made of functions. One
// that lists and one that watches must be set; where only the one without a context
// is, contexts are ignored, and where only the one with a context is, the methods
// without one call it with a context that never ends.
//
// It is safe for concurrent use as far as its functions are, and must not be changed
// while it is in use.
type ListWatch struct {
	ListFunc  ListFunc
	WatchFunc WatchFunc

	ListWithContextFunc  ListWithContextFunc
	WatchFuncWithContext WatchFuncWithContext

	// DisableChunking has no effect: it is the reflector that asks for pages.
	DisableChunking bool
}

var (
	_ ListerWatcher            = (*ListWatch)(nil)
	_ ListerWatcherWithContext = (*ListWatch)(nil)
)

// List implements [Lister].
func (lw *ListWatch) List(options metav1.ListOptions) (runtime.Object, error) {
	if lw.ListFunc != nil {
		return lw.ListFunc(options)
	}
	return lw.ListWithContextFunc(context.Background(), options)
}

// ListWithContext implements [ListerWithContext].
func (lw *ListWatch) ListWithContext(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
	if lw.ListWithContextFunc != nil {
		return lw.ListWithContextFunc(ctx, options)
	}
	return lw.ListFunc(options)
}

// Watch implements [Watcher].
func (lw *ListWatch) Watch(options metav1.ListOptions) (watch.Interface, error) {
	if lw.WatchFunc != nil {
		return lw.WatchFunc(options)
	}
	return lw.WatchFuncWithContext(context.Background(), options)
}

// WatchWithContext implements [WatcherWithContext].
func (lw *ListWatch) WatchWithContext(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	if lw.WatchFuncWithContext != nil {
		return lw.WatchFuncWithContext(ctx, options)
	}
	return lw.WatchFunc(options)
}

// ToListWatcherWithWatchListSemantics returns lw as one that also says what client,
// which lw's functions ask, says of itself: that it does not know streaming lists
// (WatchList), if it has a method IsWatchListSemanticsUnSupported that returns true. A
// [Reflector] then never asks for one.
func ToListWatcherWithWatchListSemantics(lw *ListWatch, client any) ListerWatcher {
	return &watchListListWatch{ListWatch: lw, refuses: refusesWatchList(client)}
}

type watchListListWatch struct {
	*ListWatch
	refuses bool
}

// IsWatchListSemanticsUnSupported says whether streaming lists must not be asked for.
func (lw *watchListListWatch) IsWatchListSemanticsUnSupported() bool { return lw.refuses }
