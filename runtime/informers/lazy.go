package informers

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
)

// lazy is a [cache.ListerWatcher] that is created when it is first used: an informer that is only
// filled by hand, as in tests, needs no client.
type lazy struct {
	client    any
	listWatch func() cache.ListerWatcher

	once sync.Once // guards made
	made cache.ListerWatcher
}

func (l *lazy) get() cache.ListerWatcher {
	l.once.Do(func() { l.made = l.listWatch() })
	return l.made
}

func (l *lazy) List(options metav1.ListOptions) (runtime.Object, error) {
	return l.get().List(options)
}

func (l *lazy) ListWithContext(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
	return cache.ToListerWithContext(l.get()).ListWithContext(ctx, options)
}

func (l *lazy) Watch(options metav1.ListOptions) (watch.Interface, error) {
	return l.get().Watch(options)
}

func (l *lazy) WatchWithContext(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	return cache.ToWatcherWithContext(l.get()).WatchWithContext(ctx, options)
}

// StreamList implements [cache.ListStreamer]. If the created ListerWatcher does not, the whole list
// is read first.
func (l *lazy) StreamList(ctx context.Context, options metav1.ListOptions, each func(runtime.Object) error) (runtime.Object, error) {
	if streamer, ok := l.get().(cache.ListStreamer); ok {
		return streamer.StreamList(ctx, options, each)
	}
	list, err := l.ListWithContext(ctx, options)
	if err != nil {
		return nil, err
	}
	// Items are copied, so that a single one does not keep the whole list in memory.
	return list, meta.EachListItemWithAlloc(list, each)
}

// PassesTexts reports that the client hands over texts: see codec.WithTexts.
func (l *lazy) PassesTexts() bool {
	p, ok := l.get().(interface{ PassesTexts() bool })
	return ok && p.PassesTexts()
}

// IsWatchListSemanticsUnSupported reports whether WatchList must not be requested.
func (l *lazy) IsWatchListSemanticsUnSupported() bool { return refuses(l.client) || refuses(l.get()) }

func refuses(client any) bool {
	r, ok := client.(interface{ IsWatchListSemanticsUnSupported() bool })
	return ok && r.IsWatchListSemanticsUnSupported()
}
