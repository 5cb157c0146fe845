package cache_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
)

func (s *modelSource) WatchWithContext(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	server := s.server
	server.mu.Lock()
	defer server.mu.Unlock()
	initial := options.SendInitialEvents != nil && *options.SendInitialEvents
	if initial && server.config.watchList == watchListRefused {
		return nil, apierrors.NewInvalid(schema.GroupKind{Group: "meta.k8s.io", Kind: "ListOptions"}, "", nil)
	}
	from := parseRV(options.ResourceVersion)
	end := takeFault(&server.watches).err(options.ResourceVersion)
	switch {
	case initial && from > server.rv:
		end = faultFuture.err(options.ResourceVersion)
	case initial:
		from = server.rv
	case from < server.compacted:
		end = apierrors.NewResourceExpired(fmt.Sprintf("too old resource version: %d (%d)", from, server.compacted))
	}
	if end != nil && !server.config.errorEvents {
		return nil, end
	}
	w := &modelWatch{
		source: s, from: from,
		results: make(chan watch.Event), wake: make(chan struct{}, 1), stop: make(chan struct{}), ended: make(chan struct{}),
	}
	if initial {
		w.all = server.stateLocked(from, s.namespace)
		w.initial = sorted(w.all)
	}
	s.streams[w] = struct{}{}
	if end != nil {
		w.cutLocked(end)
	}
	lifetime := time.Hour
	if options.TimeoutSeconds != nil {
		lifetime = time.Duration(*options.TimeoutSeconds) * time.Second
	}
	go w.serve(ctx, lifetime)
	return w, nil
}

// modelWatch is a watch of a source.
type modelWatch struct {
	source  *modelSource
	results chan watch.Event
	wake    chan struct{} // there may be something to send
	stop    chan struct{} // closed by Stop
	ended   chan struct{} // closed when cut
	once    sync.Once     // closes stop

	// The server's mutex guards the fields below.
	initial  []write                    // remaining initial events
	all      map[cache.ObjectName]write // all initial objects, until their end is sent
	from     int64                      // version up to which events were sent
	bookmark bool
	cut      bool
	end      error // sent when cut; nil for just a closed connection
}

func (w *modelWatch) Stop() { w.once.Do(func() { close(w.stop) }) }

func (w *modelWatch) ResultChan() <-chan watch.Event { return w.results }

func (w *modelWatch) cutLocked(end error) {
	if !w.cut {
		w.cut, w.end = true, end
		close(w.ended)
	}
}

func (w *modelWatch) serve(ctx context.Context, lifetime time.Duration) {
	server := w.source.server
	defer close(w.results)
	defer func() {
		server.mu.Lock()
		delete(w.source.streams, w)
		server.mu.Unlock()
	}()
	timeout := time.NewTimer(lifetime)
	defer timeout.Stop()
	for {
		for {
			event, taken, ok := w.next()
			if !ok {
				break
			}
			select {
			case w.results <- event:
				taken(true)
			case <-w.stop:
				taken(false)
				return
			case <-ctx.Done():
				taken(false)
				return
			case <-w.ended:
				taken(false)
			case <-timeout.C:
				taken(false)
				return
			}
		}
		select {
		case <-w.wake:
		case <-w.stop:
			return
		case <-ctx.Done():
			return
		case <-timeout.C:
			return
		case <-w.ended:
			w.sayEnd(ctx)
			return
		}
	}
}

func (w *modelWatch) sayEnd(ctx context.Context) {
	if w.end == nil {
		return
	}
	var status apierrors.APIStatus
	if !errors.As(w.end, &status) {
		status = apierrors.NewInternalError(w.end)
	}
	s := status.Status()
	select {
	case w.results <- watch.Event{Type: watch.Error, Object: &s}:
	case <-w.stop:
	case <-ctx.Done():
	}
}

// next returns what to send, if anything; taken must be called with whether it was received.
func (w *modelWatch) next() (event watch.Event, taken func(bool), ok bool) {
	server := w.source.server
	server.mu.Lock()
	defer server.mu.Unlock()
	if w.cut || server.silent {
		return event, nil, false
	}
	if len(w.initial) > 0 {
		event = watch.Event{Type: watch.Added, Object: w.initial[0].delivered()}
		w.initial = w.initial[1:]
		return event, func(bool) {}, true
	}
	if w.all != nil && server.config.watchList == watchListHangs {
		return event, nil, false
	}
	if w.all != nil {
		taken := w.handOverLocked(delivery{list: w.all})
		w.all = nil
		return bookmarkEvent(w.from, true), taken, true
	}
	i, _ := slices.BinarySearchFunc(server.writes, w.from+1, byVersion)
	for ; i < len(server.writes); i++ {
		state := server.writes[i]
		w.from = state.rv
		if !w.source.serves(state.name) {
			continue
		}
		event = watch.Event{Type: watch.Modified, Object: state.delivered()}
		switch {
		case state.gone:
			event.Type = watch.Deleted
		case state.created:
			event.Type = watch.Added
		}
		return event, w.handOverLocked(delivery{event: state}), true
	}
	if w.bookmark {
		w.bookmark, w.from = false, server.rv
		return bookmarkEvent(server.rv, false), func(bool) {}, true
	}
	return event, nil, false
}

// handOverLocked records a delivery before the receiver can act on it.
func (w *modelWatch) handOverLocked(d delivery) func(bool) {
	at := w.source.deliverLocked(d)
	return func(taken bool) {
		if !taken {
			w.source.server.mu.Lock()
			w.source.deliveries[at].void = true
			w.source.server.mu.Unlock()
		}
	}
}

func bookmarkEvent(rv int64, initialEnd bool) watch.Event {
	o := &modelObject{ObjectMeta: metav1.ObjectMeta{ResourceVersion: formatRV(rv)}}
	if initialEnd {
		o.Annotations = map[string]string{metav1.InitialEventsAnnotationKey: "true"}
	}
	return watch.Event{Type: watch.Bookmark, Object: o}
}
