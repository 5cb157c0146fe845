package cache_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

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
func (s *modelServer) remove(name cache.ObjectName) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, ok := s.current[name]
	if !ok {
		return
	}
	w.gone = true
	s.writeLocked(w)
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
