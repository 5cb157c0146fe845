package cache_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/codec"
)

// modelObject is what the model's server serves.
type modelObject = metav1.PartialObjectMetadata

// colorLabel is what the model's index is about.
const colorLabel = "color"

// write is a state that an object was given: there with a color, or gone.
type write struct {
	rv    int64
	name  cache.ObjectName
	uid   types.UID
	color string

	created, gone bool
}

func byVersion(w write, rv int64) int { return int(w.rv - rv) }

func (w write) object() *modelObject {
	return &modelObject{ObjectMeta: metav1.ObjectMeta{
		Namespace:       w.name.Namespace,
		Name:            w.name.Name,
		UID:             w.uid,
		ResourceVersion: formatRV(w.rv),
		Labels:          map[string]string{colorLabel: w.color},
	}}
}

// delivered is what a client makes of the state.
func (w write) delivered() runtime.Object {
	o := w.object()
	if w.color != colorUnreadable {
		return o
	}
	return &codec.Undecodable{ObjectMeta: o.ObjectMeta, Err: &codec.Error{}}
}

func formatRV(rv int64) string { return strconv.FormatInt(rv, 10) }

func parseRV(s string) int64 {
	rv, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return -1
	}
	return rv
}

// modelServer serves one resource as an API server does: each write has a resource
// version of its own, a watch replays the writes after the version at which it starts, and
// that of before a compaction is answered with 410. It keeps every write, which is the
// truth that the informer is held to.
type modelServer struct {
	config serverConfig

	mu        sync.Mutex // guards all below
	random    *rand.Rand // for what a server is free to do
	rv        int64
	compacted int64 // watches from before it are refused
	writes    []write
	current   map[cache.ObjectName]write
	uids      int
	sources   []*modelSource
	silent    bool // connections are up, and nothing comes
	lists     []fault
	watches   []fault
}

// serverConfig is what a server does all the time.
type serverConfig struct {
	watchList   watchListMode
	paged       bool          // answers list requests with a limit by pages
	streams     bool          // its client streams lists
	stale       bool          // lists at version 0 come from a cache that lags
	latency     time.Duration // of lists
	unreadable  bool          // has objects that cannot be decoded, and they are put up with
	errorEvents bool          // says 410 in the stream, not to the request
}

// watchListMode is what a server, or the client of it, makes of watches with initial
// events.
type watchListMode int

const (
	watchListDone    watchListMode = iota
	watchListRefused               // by the server
	watchListUnknown               // the client says that there are none
	watchListHangs                 // the initial events come, their end does not
	watchListModes
)

// fault is what goes wrong with a request.
type fault int

const (
	faultNone fault = iota
	faultInternal
	faultForbidden
	faultThrottled
	faultRefused // the connection
	faultExpired // the version asked for
	faultFuture  // the version asked for is not known yet
	faultBroken  // half-way; of requests that do not stream: at once
	faults
)

var faultNames = [...]string{"none", "internal", "forbidden", "throttled", "refused", "expired", "future", "broken"}

func (f fault) String() string { return faultNames[f] }

var modelResource = schema.GroupResource{Group: "model.example.com", Resource: "boats"}

// err is the fault of a request at rv; nil if it cannot happen to that.
func (f fault) err(rv string) error {
	switch f {
	case faultInternal:
		return apierrors.NewInternalError(errors.New("the model wants it"))
	case faultForbidden:
		return apierrors.NewForbidden(modelResource, "", errors.New("the model wants it"))
	case faultThrottled:
		return apierrors.NewTooManyRequests("the model wants it", 1)
	case faultRefused:
		return &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	case faultExpired:
		if rv != "" && rv != "0" {
			return apierrors.NewResourceExpired("too old resource version: the model wants it")
		}
	case faultFuture:
		if rv != "" && rv != "0" {
			err := apierrors.NewTimeoutError("Too large resource version: the model wants it", 1)
			err.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: metav1.CauseTypeResourceVersionTooLarge}}
			return err
		}
	case faultBroken:
		return io.ErrUnexpectedEOF
	}
	return nil
}

func newModelServer(config serverConfig, random *rand.Rand, namespaces []string) *modelServer {
	s := &modelServer{config: config, random: random, rv: 100, compacted: 100, current: map[cache.ObjectName]write{}}
	for i, namespace := range namespaces {
		s.sources = append(s.sources, &modelSource{
			server: s, index: i, namespace: namespace,
			streams: map[*modelWatch]struct{}{}, delivered: map[int64][]int{},
		})
	}
	return s
}

// put creates an object or changes it.
func (s *modelServer) put(name cache.ObjectName, color string) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if color == colorUnreadable && !s.config.unreadable {
		color = ""
	}
	w, ok := s.current[name]
	if !ok {
		s.uids++
		w.uid = types.UID(fmt.Sprint("uid-", s.uids))
	}
	w.name, w.color, w.created = name, color, !ok
	return s.writeLocked(w)
}

// remove deletes an object if it is there.
func (s *modelServer) remove(name cache.ObjectName) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, ok := s.current[name]
	if !ok {
		return s.rv
	}
	w.gone = true
	return s.writeLocked(w)
}

func (s *modelServer) writeLocked(w write) int64 {
	s.rv += 1 + s.random.Int64N(3) // other resources are written, too
	w.rv = s.rv
	s.writes = append(s.writes, w)
	if w.gone {
		delete(s.current, w.name)
	} else {
		s.current[w.name] = w
	}
	s.wakeLocked()
	return s.rv
}

func (s *modelServer) wakeLocked() {
	if s.silent {
		return
	}
	for _, source := range s.sources {
		for stream := range source.streams {
			select {
			case stream.wake <- struct{}{}:
			default:
			}
		}
	}
}

// bookmark sends one to every watch.
func (s *modelServer) bookmark() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rv++
	s.markLocked()
}

func (s *modelServer) markLocked() {
	for _, source := range s.sources {
		for stream := range source.streams {
			stream.bookmark = true
		}
	}
	s.wakeLocked()
}

// cut ends every watch, with an error event if there is a fault.
func (s *modelServer) cut(end error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, source := range s.sources {
		for stream := range source.streams {
			stream.cutLocked(end)
		}
	}
}

// compact forgets the writes so far: who has not seen them has to list.
func (s *modelServer) compact() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rv++
	s.compacted = s.rv
}

// mute makes connections silent, or makes them speak again.
func (s *modelServer) mute(silent bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.silent = silent
	s.wakeLocked()
}

// fail makes the next lists or watches fail.
func (s *modelServer) fail(lists bool, f fault, times int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for range times {
		if lists {
			s.lists = append(s.lists, f)
		} else {
			s.watches = append(s.watches, f)
		}
	}
}

func takeFault(from *[]fault) fault {
	if len(*from) == 0 {
		return faultNone
	}
	f := (*from)[0]
	*from = (*from)[1:]
	return f
}

// heal ends all that is wrong.
func (s *modelServer) heal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lists, s.watches, s.silent = nil, nil, false
	s.wakeLocked()
}

// state is what the objects are now.
func (s *modelServer) state() (map[cache.ObjectName]write, int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stateLocked(s.rv, ""), s.rv
}

// stateLocked is what the objects of a namespace were at rv.
func (s *modelServer) stateLocked(rv int64, namespace string) map[cache.ObjectName]write {
	state := map[cache.ObjectName]write{}
	for _, w := range s.writes {
		switch {
		case w.rv > rv:
			return state
		case namespace != "" && w.name.Namespace != namespace:
		case w.gone:
			delete(state, w.name)
		default:
			state[w.name] = w
		}
	}
	return state
}

// at returns the write that had a resource version.
func (s *modelServer) at(rv int64) (write, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, ok := slices.BinarySearchFunc(s.writes, rv, byVersion)
	if !ok {
		return write{}, false
	}
	return s.writes[i], true
}

// goneAfter says whether an object was deleted after rv.
func (s *modelServer) goneAfter(name cache.ObjectName, rv int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := len(s.writes) - 1; i >= 0 && s.writes[i].rv > rv; i-- {
		if s.writes[i].gone && s.writes[i].name == name {
			return true
		}
	}
	return false
}

// modelSource is a namespace of the server, or all of it, as a [cache.ListerWatcher]. It
// remembers what was handed over and in which order.
type modelSource struct {
	server    *modelServer
	index     int
	namespace string

	// The server's mutex guards what follows.
	streams    map[*modelWatch]struct{}
	deliveries []delivery
	delivered  map[int64][]int // by resource version: where in deliveries, ascending
}

// delivery is an event of a watch, or a whole list.
type delivery struct {
	void  bool // it was not taken
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

// find returns where, from a position on, the write rv was delivered.
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

// findGone returns where, from a position on, it first followed that an object was gone: by
// a list without it, or a deletion that could not be decoded.
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

// readable returns the last state of each object that could be decoded.
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

// first returns what could be decoded of the first list that was delivered, nil if none was.
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

// modelPage is an answer to a list request.
type modelPage struct {
	list   *metav1.PartialObjectMetadataList // without items
	items  []write
	broken bool   // the connection ends half-way
	done   func() // to be called when it was handed over
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
		limit = min(limit, 3) // so that there are pages at all
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

// StreamList lists as gentype's clients do.
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

// modelWatch is a watch of a source.
type modelWatch struct {
	source  *modelSource
	results chan watch.Event
	wake    chan struct{} // there may be something to send
	stop    chan struct{} // closed by Stop
	ended   chan struct{} // closed when cut
	once    sync.Once     // closes stop

	// The server's mutex guards what follows.
	initial  []write                    // initial events that are still to be sent
	all      map[cache.ObjectName]write // all initial objects, until their end is sent
	from     int64                      // what was sent up to
	bookmark bool
	cut      bool
	end      error // to be sent when cut; nil for just a closed connection
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

// next returns what is to be sent, if anything; taken is to be told whether it was.
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

// handOverLocked notes a delivery before the receiver can act on it.
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
