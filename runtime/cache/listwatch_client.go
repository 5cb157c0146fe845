package cache

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// ListWatchFor returns the [ListerWatcher] of a typed client, with contexts. tweak, if
// not nil, changes the options of each request.
//
// If the client has methods beyond its interface that make it a [ListStreamer], or report that
// it does not support WatchList (IsWatchListSemanticsUnSupported), or that its objects can be texts
// (PassesTexts: see [codec.WithTexts]), the result has them too.
//
// If a server ignores the options' ShardSelector, objects of other shards are dropped here. A
// selector in another form than [metav1.ListOptions] documents is an error of each request.
func ListWatchFor[L runtime.Object](client interface {
	List(ctx context.Context, options metav1.ListOptions) (L, error)
	Watch(ctx context.Context, options metav1.ListOptions) (watch.Interface, error)
}, tweak func(*metav1.ListOptions)) ListerWatcher {
	lw := clientListWatch{
		list: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			list, err := client.List(ctx, options)
			if err != nil {
				return nil, err // not a typed nil beside it
			}
			return list, nil
		},
		watch:   client.Watch,
		tweak:   tweak,
		refuses: refusesWatchList(client),
		texts:   passesTexts(client),
	}
	if s, ok := client.(ListStreamer); ok {
		return &streamingListWatch{clientListWatch: lw, stream: s.StreamList}
	}
	return &lw
}

// clientListWatch is the [ListerWatcher] of a client.
type clientListWatch struct {
	list    func(context.Context, metav1.ListOptions) (runtime.Object, error)
	watch   func(context.Context, metav1.ListOptions) (watch.Interface, error)
	tweak   func(*metav1.ListOptions) // may be nil
	refuses bool
	texts   bool
}

func (lw *clientListWatch) tweaked(options metav1.ListOptions) metav1.ListOptions {
	if lw.tweak != nil {
		lw.tweak(&options)
	}
	return options
}

func (lw *clientListWatch) List(options metav1.ListOptions) (runtime.Object, error) {
	return lw.ListWithContext(context.Background(), options)
}

func (lw *clientListWatch) ListWithContext(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
	return listShards(ctx, lw.tweaked(options), lw.list)
}

func (lw *clientListWatch) Watch(options metav1.ListOptions) (watch.Interface, error) {
	return lw.WatchWithContext(context.Background(), options)
}

func (lw *clientListWatch) WatchWithContext(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	return watchShards(ctx, lw.tweaked(options), lw.watch)
}

// IsWatchListSemanticsUnSupported reports whether WatchList must not be requested.
func (lw *clientListWatch) IsWatchListSemanticsUnSupported() bool { return lw.refuses }

// PassesTexts reports whether the client does.
func (lw *clientListWatch) PassesTexts() bool { return lw.texts }

// streamingListWatch is the [ListerWatcher] of a client that can list object by object.
type streamingListWatch struct {
	clientListWatch
	stream func(context.Context, metav1.ListOptions, func(runtime.Object) error) (runtime.Object, error)
}

// StreamList implements [ListStreamer].
func (lw *streamingListWatch) StreamList(ctx context.Context, options metav1.ListOptions, each func(runtime.Object) error) (runtime.Object, error) {
	return streamShards(ctx, lw.tweaked(options), each, lw.stream)
}
