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

// ListWatch is a [ListerWatcher] made of functions, with and without contexts. A function that
// lists and one that watches must be set. If only the function without a context is set,
// contexts are ignored; if only the one with a context is, the methods without a context call it
// with one that never ends.
//
// It is safe for concurrent use if its functions are. Do not change it while it is in use.
type ListWatch struct {
	ListFunc  ListFunc
	WatchFunc WatchFunc

	ListWithContextFunc  ListWithContextFunc
	WatchFuncWithContext WatchFuncWithContext

	// DisableChunking has no effect: the reflector requests pages.
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

// ToListWatcherWithWatchListSemantics returns lw with client's support of WatchList; client is
// the client that lw's functions use. If it has a method IsWatchListSemanticsUnSupported that
// returns true, a [Reflector] never requests WatchList.
func ToListWatcherWithWatchListSemantics(lw *ListWatch, client any) ListerWatcher {
	return &watchListListWatch{ListWatch: lw, refuses: refusesWatchList(client)}
}

type watchListListWatch struct {
	*ListWatch
	refuses bool
}

// IsWatchListSemanticsUnSupported reports whether WatchList must not be requested.
func (lw *watchListListWatch) IsWatchListSemanticsUnSupported() bool { return lw.refuses }
