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

// modelObject is the type of the model server's objects.
type modelObject = metav1.PartialObjectMetadata

// colorLabel is the label that the model's index uses.
const colorLabel = "color"

// write is a state of an object: existing with a color, or deleted.
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

// delivered is the state as a client decodes it.
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

// modelServer serves one resource like an API server: each write has its own resource version, a
// watch replays the writes after the version at which it starts, and versions before a compaction
// get 410. It records every write, which is the truth with which the informer is compared.
type modelServer struct {
	config serverConfig

	mu        sync.Mutex // guards the fields below
	random    *rand.Rand // for what a server may decide freely
	rv        int64
	compacted int64 // watches from before it are rejected
	writes    []write
	current   map[cache.ObjectName]write
	uids      int
	sources   []*modelSource
	silent    bool // connections are open, but nothing is sent
	lists     []fault
	watches   []fault
}

// serverConfig configures a server's permanent behaviour.
type serverConfig struct {
	watchList   watchListMode
	paged       bool          // serves list requests with a limit in pages
	streams     bool          // its client streams lists
	stale       bool          // lists at version 0 come from a cache that lags behind
	latency     time.Duration // of lists
	unreadable  bool          // has undecodable objects, which are tolerated
	errorEvents bool          // sends 410 in the stream, not in response to the request
}

// watchListMode is how a server, or its client, handles WatchList.
type watchListMode int

const (
	watchListDone    watchListMode = iota
	watchListRefused               // by the server
	watchListUnknown               // the client reports that it does not support it
	watchListHangs                 // the initial events are sent, but not their end
	watchListModes
)

// fault is a failure of a request.
type fault int

const (
	faultNone fault = iota
	faultInternal
	faultForbidden
	faultThrottled
	faultRefused // the connection
	faultExpired // the requested version
	faultFuture  // the requested version is not known yet
	faultBroken  // in the middle; requests without a stream fail immediately
	faults
)

var faultNames = [...]string{"none", "internal", "forbidden", "throttled", "refused", "expired", "future", "broken"}

func (f fault) String() string { return faultNames[f] }

var modelResource = schema.GroupResource{Group: "model.example.com", Resource: "boats"}

// err returns the error of a request at rv; nil if the fault cannot occur there.
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

// put creates or changes an object.
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

// remove deletes an object if it exists.
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
	s.rv += 1 + s.random.Int64N(3) // other resources are also written
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

// bookmark sends a bookmark to every watch.
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

// cut ends every watch, with an error event if end is not nil.
func (s *modelServer) cut(end error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, source := range s.sources {
		for stream := range source.streams {
			stream.cutLocked(end)
		}
	}
}

// compact discards the writes so far: clients that have not seen them must list.
func (s *modelServer) compact() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rv++
	s.compacted = s.rv
}

// mute makes connections silent, or active again.
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

// heal ends all faults.
func (s *modelServer) heal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lists, s.watches, s.silent = nil, nil, false
	s.wakeLocked()
}

// state returns the current objects.
func (s *modelServer) state() (map[cache.ObjectName]write, int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stateLocked(s.rv, ""), s.rv
}

// stateLocked returns the objects of a namespace at rv.
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

// at returns the write with a resource version.
func (s *modelServer) at(rv int64) (write, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, ok := slices.BinarySearchFunc(s.writes, rv, byVersion)
	if !ok {
		return write{}, false
	}
	return s.writes[i], true
}

// goneAfter reports whether an object was deleted after rv.
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
