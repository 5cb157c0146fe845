package cache

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
	"github.com/listwatch/listwatch/runtime/cache/internal/shards"
	"github.com/listwatch/listwatch/runtime/codec"
)

// ShardSelector (KEP-5866) makes a server send only some of the objects. A server without the
// feature gate ShardedListAndWatch ignores it: it sends all objects, and only ListMeta.ShardInfo of
// a list, which is then nil, shows that. A watch does not show it. Therefore objects are selected
// here again. Whether one is selected never changes, because it depends on UID or namespace.

// inShard reports whether an object is selected. It is if that cannot be decided, because the
// object cannot be decoded that far.
func inShard(shard *shards.Selector, obj runtime.Object) bool {
	m, err := meta.Accessor(obj)
	return err != nil || isSelected(shard, m)
}

// isSelected is inShard for metadata, or a [*codec.Undecodable].
func isSelected(shard *shards.Selector, m metav1.Object) bool {
	if u, ok := m.(*codec.Undecodable); ok && u.GetUID() == "" {
		return true
	}
	return shard.Matches(m)
}

// shardOf returns the shard selector by which objects have to be selected here, nil if there is none: an informer that
// follows [Shards] does that itself.
func shardOf(ctx context.Context, options *metav1.ListOptions) (*shards.Selector, error) {
	text := shards.SelectorOf(options)
	if text == shards.SelectionOf(ctx).String() {
		return nil, nil
	}
	return shards.Parse(text)
}

// listShards lists, and drops what the options' shard selector does not select.
func listShards(ctx context.Context, options metav1.ListOptions, list func(context.Context, metav1.ListOptions) (runtime.Object, error)) (runtime.Object, error) {
	shard, err := shardOf(ctx, &options)
	if err != nil {
		return nil, err
	}
	all, err := list(ctx, options)
	if err != nil || shard == nil || isSharded(ctx, all) {
		return all, err
	}
	objects, err := meta.ExtractList(all)
	if err != nil {
		return nil, err
	}
	var some []runtime.Object
	for _, obj := range objects {
		if inShard(shard, obj) {
			some = append(some, obj)
		}
	}
	return all, meta.SetList(all, some)
}

// streamShards is listShards for lists that come object by object.
func streamShards(ctx context.Context, options metav1.ListOptions, each func(runtime.Object) error, stream func(context.Context, metav1.ListOptions, func(runtime.Object) error) (runtime.Object, error)) (runtime.Object, error) {
	shard, err := shardOf(ctx, &options)
	if err != nil {
		return nil, err
	}
	if shard == nil {
		return stream(ctx, options, each)
	}
	list, err := stream(ctx, options, func(obj runtime.Object) error {
		if !inShard(shard, obj) {
			return nil
		}
		return each(obj)
	})
	if err == nil {
		isSharded(ctx, list)
	}
	return list, err
}

// isSharded reports whether the server has applied the selector to a list. It logs if it has not.
func isSharded(ctx context.Context, list runtime.Object) bool {
	if shards.IsApplied(list) {
		return true
	}
	klog.FromContext(ctx).V(1).Info("Server ignores the shard selector, dropping objects of other shards")
	return false
}

// watchShards watches, and drops what the options' shard selector does not select. If bookmarks
// are allowed, there is one in place of each dropped event.
func watchShards(ctx context.Context, options metav1.ListOptions, begin func(context.Context, metav1.ListOptions) (watch.Interface, error)) (watch.Interface, error) {
	shard, err := shardOf(ctx, &options)
	if err != nil {
		return nil, err
	}
	w, err := begin(ctx, options)
	if err != nil || shard == nil {
		return w, err
	}
	s := &shardWatch{all: w, shard: shard, bookmarks: options.AllowWatchBookmarks, some: make(chan watch.Event), stopped: make(chan struct{})}
	go s.run()
	return s, nil
}

// shardWatch is a watch of some of the objects of another watch.
type shardWatch struct {
	all       watch.Interface
	shard     *shards.Selector
	bookmarks bool // instead of other events
	some      chan watch.Event
	stop      sync.Once
	stopped   chan struct{}
}

// ResultChan implements [watch.Interface].
func (s *shardWatch) ResultChan() <-chan watch.Event { return s.some }

// Stop implements [watch.Interface].
func (s *shardWatch) Stop() {
	s.stop.Do(func() { close(s.stopped) })
	s.all.Stop()
}

func (s *shardWatch) run() {
	defer close(s.some)
	for {
		var event watch.Event
		var open bool
		select {
		case event, open = <-s.all.ResultChan():
		case <-s.stopped:
		}
		if !open {
			return
		}
		if event.Type != watch.Bookmark && event.Type != watch.Error && !inShard(s.shard, event.Object) {
			if !s.bookmarks || endsInitialEvents(event.Object) {
				continue
			}
			event.Type = watch.Bookmark
		}
		select {
		case s.some <- event:
		case <-s.stopped:
			return
		}
	}
}

// endsInitialEvents reports whether an object, if it were a bookmark, would end the initial events
// of a watch: any user can annotate an object like that.
func endsInitialEvents(obj runtime.Object) bool {
	m := delta.MetadataOf(obj)
	return m == nil || m.GetAnnotations()[metav1.InitialEventsAnnotationKey] != ""
}
