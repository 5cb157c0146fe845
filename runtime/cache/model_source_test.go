package cache_test

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
)

// modelSource is a namespace of the server, or all of it, as a [cache.ListerWatcher]. It records
// what was delivered and in which order.
type modelSource struct {
	server    *modelServer
	index     int
	namespace string

	// The server's mutex guards the fields below.
	streams    map[*modelWatch]struct{}
	deliveries []delivery
	delivered  map[int64][]int // by resource version: positions in deliveries, ascending
}

// delivery is an event of a watch, or a whole list.
type delivery struct {
	void  bool // it was not received
	event write
	list  map[cache.ObjectName]write // nil for an event
}

func (s *modelSource) IsWatchListSemanticsUnSupported() bool {
	return s.server.config.watchList == watchListUnknown
}

func (s *modelSource) serves(name cache.ObjectName) bool {
	return s.namespace == "" || s.namespace == name.Namespace
}

func (s *modelSource) deliverLocked(d delivery) int {
	at := len(s.deliveries)
	s.deliveries = append(s.deliveries, d)
	if d.list == nil {
		s.delivered[d.event.rv] = append(s.delivered[d.event.rv], at)
	}
	for _, w := range d.list {
		s.delivered[w.rv] = append(s.delivered[w.rv], at)
	}
	return at
}

// find returns the first position, from a position on, at which the write rv was delivered.
func (s *modelSource) find(from int, rv int64) (int, bool) {
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	all := s.delivered[rv]
	i := sort.SearchInts(all, from)
	if i == len(all) {
		return 0, false
	}
	return all[i], true
}

// findGone returns the first position, from a position on, at which an object's deletion followed:
// from a list without it, or from a deletion that could not be decoded.
func (s *modelSource) findGone(from int, name cache.ObjectName) (int, bool) {
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	for i := from; i < len(s.deliveries); i++ {
		d := s.deliveries[i]
		_, listed := d.list[name]
		if d.list != nil && !listed || d.event.gone && d.event.name == name && d.event.color == colorUnreadable {
			return i, true
		}
	}
	return 0, false
}

// listing reports whether nothing was delivered after a list.
func (s *modelSource) listing() bool {
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	for _, d := range slices.Backward(s.deliveries) {
		if !d.void {
			return d.list != nil
		}
	}
	return false
}

// readable returns the last decodable state of each object.
func (s *modelSource) readable() map[cache.ObjectName]write {
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	state := map[cache.ObjectName]write{}
	for _, d := range s.deliveries {
		switch {
		case d.void:
		case d.list == nil && d.event.gone:
			delete(state, d.event.name)
		case d.list == nil && d.event.color != colorUnreadable:
			state[d.event.name] = d.event
		case d.list != nil:
			maps.DeleteFunc(state, func(name cache.ObjectName, _ write) bool { _, ok := d.list[name]; return !ok })
			for name, w := range d.list {
				if w.color != colorUnreadable {
					state[name] = w
				}
			}
		}
	}
	return state
}

// first returns the decodable objects of the first delivered list, nil if there was none.
func (s *modelSource) first() map[cache.ObjectName]write {
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	for _, d := range s.deliveries {
		if d.list == nil || d.void {
			continue
		}
		list := maps.Clone(d.list)
		maps.DeleteFunc(list, func(_ cache.ObjectName, w write) bool { return w.color == colorUnreadable })
		return list
	}
	return nil
}

func (s *modelSource) List(options metav1.ListOptions) (runtime.Object, error) {
	return s.ListWithContext(context.Background(), options)
}

func (s *modelSource) Watch(options metav1.ListOptions) (watch.Interface, error) {
	return s.WatchWithContext(context.Background(), options)
}

func (s *modelSource) ListWithContext(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
	page, err := s.page(ctx, options)
	if err != nil {
		return nil, err
	}
	if page.broken {
		return nil, io.ErrUnexpectedEOF
	}
	list := page.list
	for _, w := range page.items {
		list.Items = append(list.Items, *w.object())
	}
	page.done()
	return list, nil
}

// modelPage is a response to a list request.
type modelPage struct {
	list   *metav1.PartialObjectMetadataList // without items
	items  []write
	broken bool   // the connection ends in the middle
	done   func() // called when it was delivered
}

func (s *modelSource) page(ctx context.Context, options metav1.ListOptions) (*modelPage, error) {
	server := s.server
	server.mu.Lock()
	failure := takeFault(&server.lists)
	rv, offset := server.rv, 0
	switch {
	case options.Continue != "":
		at, from, _ := strings.Cut(options.Continue, "/")
		rv = parseRV(at)
		offset, _ = strconv.Atoi(from)
		if rv < server.compacted {
			server.mu.Unlock()
			return nil, apierrors.NewResourceExpired("the provided continue parameter is too old")
		}
	case options.ResourceVersion == "0" && server.config.stale && server.rv > server.compacted:
		rv = server.compacted + server.random.Int64N(server.rv-server.compacted)
	case parseRV(options.ResourceVersion) > server.rv:
		failure = faultFuture
	}
	if failure != faultBroken {
		if err := failure.err(options.ResourceVersion); err != nil {
			server.mu.Unlock()
			return nil, err
		}
	}
	all := server.stateLocked(rv, s.namespace)
	server.mu.Unlock()

	if err := wait(ctx, server.config.latency); err != nil {
		return nil, err
	}
	items := sorted(all)
	items = items[min(offset, len(items)):]
	list := &metav1.PartialObjectMetadataList{ListMeta: metav1.ListMeta{ResourceVersion: formatRV(rv)}}
	if limit := int(options.Limit); server.config.paged && limit > 0 {
		limit = min(limit, 3) // so that there are several pages
		if limit < len(items) {
			items = items[:limit]
			list.Continue = fmt.Sprintf("%d/%d", rv, offset+limit)
		}
	}
	return &modelPage{list: list, items: items, broken: failure == faultBroken, done: func() {
		if list.Continue == "" {
			server.mu.Lock()
			s.deliverLocked(delivery{list: all})
			server.mu.Unlock()
		}
	}}, nil
}

// streamingSource is a source whose client streams lists.
type streamingSource struct{ *modelSource }

// StreamList lists like gentype's clients.
func (s streamingSource) StreamList(ctx context.Context, options metav1.ListOptions, each func(runtime.Object) error) (runtime.Object, error) {
	page, err := s.page(ctx, options)
	if err != nil {
		return nil, err
	}
	for i, w := range page.items {
		if page.broken && i >= len(page.items)/2 {
			return nil, io.ErrUnexpectedEOF
		}
		if err := each(w.delivered()); err != nil {
			return nil, err
		}
	}
	if page.broken {
		return nil, io.ErrUnexpectedEOF
	}
	page.done()
	return page.list, nil
}

// sorted returns objects in a fixed order.
func sorted(state map[cache.ObjectName]write) []write {
	return slices.SortedFunc(maps.Values(state), func(a, b write) int { return byName(a.name, b.name) })
}

func byName(a, b cache.ObjectName) int {
	return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
}

// wait waits for a while, or until the context is done.
func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return ctx.Err()
	}
}
