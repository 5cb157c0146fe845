package cache

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/sharding"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
	"github.com/listwatch/listwatch/runtime/codec"
)

// ShardSelector (KEP-5866) makes a server send only some of the objects. A server without the
// feature gate ShardedListAndWatch ignores it: it sends all objects, and only ListMeta.ShardInfo of
// a list, which is then nil, shows that. A watch does not show it. Therefore objects are selected
// here again. Whether one is selected never changes, because it depends on UID or namespace.

// shardRange is a part of a shard selector, in the form that the API documents.
var shardRange = regexp.MustCompile(`^\s*shardRange\s*\(\s*(object\.metadata\.uid|object\.metadata\.namespace)` +
	`\s*,\s*'(0x[0-9a-f]{16})'\s*,\s*'(0x[0-9a-f]{16}|0x10000000000000000)'\s*\)\s*$`)

// parseShards returns what a ShardSelector selects, nil if it is empty, which is everything.
func parseShards(selector string) (sharding.Selector, error) {
	if selector == "" {
		return nil, nil
	}
	var ranges []sharding.ShardRangeRequirement
	for part := range strings.SplitSeq(selector, "||") {
		m := shardRange.FindStringSubmatch(part)
		if m == nil {
			return nil, fmt.Errorf("shard selector: invalid %q; write shardRange(object.metadata.uid, '0x' and 16 digits, '0x' and 16 digits), as metav1.ListOptions documents", strings.TrimSpace(part))
		}
		r := sharding.ShardRangeRequirement{Key: m[1], Start: m[2], End: m[3]}
		if !sharding.HexLess(r.Start, r.End) {
			return nil, fmt.Errorf("shard selector: %s is not less than %s", r.Start, r.End)
		}
		if len(ranges) > 0 && r.Key != ranges[0].Key {
			return nil, fmt.Errorf("shard selector: %s and %s in one selector", ranges[0].Key, r.Key)
		}
		ranges = append(ranges, r)
	}
	return sharding.NewSelector(ranges...), nil
}

// inShard reports whether an object is selected. It is if that cannot be decided, because the
// object cannot be decoded that far.
func inShard(shards sharding.Selector, obj runtime.Object) bool {
	if u, ok := obj.(*codec.Undecodable); ok && u.GetUID() == "" {
		return true
	}
	matches, err := shards.Matches(obj)
	return matches || err != nil
}

// listShards lists, and drops what the options' shard selector does not select.
func listShards(ctx context.Context, options metav1.ListOptions, list func(context.Context, metav1.ListOptions) (runtime.Object, error)) (runtime.Object, error) {
	shards, err := parseShards(options.ShardSelector)
	if err != nil {
		return nil, err
	}
	all, err := list(ctx, options)
	if err != nil || shards == nil || isSharded(ctx, all) {
		return all, err
	}
	objects, err := meta.ExtractList(all)
	if err != nil {
		return nil, err
	}
	var some []runtime.Object
	for _, obj := range objects {
		if inShard(shards, obj) {
			some = append(some, obj)
		}
	}
	return all, meta.SetList(all, some)
}

// streamShards is listShards for lists that come object by object.
func streamShards(ctx context.Context, options metav1.ListOptions, each func(runtime.Object) error, stream func(context.Context, metav1.ListOptions, func(runtime.Object) error) (runtime.Object, error)) (runtime.Object, error) {
	shards, err := parseShards(options.ShardSelector)
	if err != nil {
		return nil, err
	}
	if shards == nil {
		return stream(ctx, options, each)
	}
	list, err := stream(ctx, options, func(obj runtime.Object) error {
		if !inShard(shards, obj) {
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
	if m, err := meta.ListAccessor(list); err == nil {
		if s, ok := m.(interface{ GetShardInfo() *metav1.ShardInfo }); ok && s.GetShardInfo() != nil {
			return true
		}
	}
	klog.FromContext(ctx).V(1).Info("Server ignores the shard selector, dropping objects of other shards")
	return false
}

// watchShards watches, and drops what the options' shard selector does not select. If bookmarks
// are allowed, there is one in place of each dropped event.
func watchShards(ctx context.Context, options metav1.ListOptions, begin func(context.Context, metav1.ListOptions) (watch.Interface, error)) (watch.Interface, error) {
	shards, err := parseShards(options.ShardSelector)
	if err != nil {
		return nil, err
	}
	w, err := begin(ctx, options)
	if err != nil || shards == nil {
		return w, err
	}
	s := &shardWatch{all: w, shards: shards, bookmarks: options.AllowWatchBookmarks, some: make(chan watch.Event), stopped: make(chan struct{})}
	go s.run()
	return s, nil
}

// shardWatch is a watch of some of the objects of another watch.
type shardWatch struct {
	all       watch.Interface
	shards    sharding.Selector
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
		if event.Type != watch.Bookmark && event.Type != watch.Error && !inShard(s.shards, event.Object) {
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
