package cache_test

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/listwatch/listwatch/runtime/cache"
)

// opKind is the kind of an operation in a sequence.
type opKind int

const (
	opPut           opKind = iota // the server: an object is created or changed
	opRemove                      // an object is deleted
	opRecreate                    // an object is deleted, and recreated with a new UID
	opBurst                       // many changes at once
	opBookmark                    // a bookmark to each watch
	opCut                         // watches are closed
	opBreak                       // watches end with an error
	opExpire                      // watches are closed, and versions so far are discarded
	opMiss                        // like opExpire, with writes that are not watched
	opFlood                       // like opMiss, with hundreds of objects
	opMute                        // connections become silent
	opUnmute                      // and active again
	opFailLists                   // the next lists fail
	opFailWatches                 // the next watches fail
	opAddHandler                  // the informer: a handler is added
	opRemoveHandler               // a handler is removed
	opShutDown                    // a handler is removed and waited for
	opBlock                       // a handler blocks in its call
	opUnblock                     // and continues
	opAddIndexer                  // an index is added
	opRead                        // reads of all kinds
	opAwait                       // waits for its own write
	opSleep                       // time passes
	opSettle                      // all faults end, and everything is compared
	opStop                        // the informer is stopped
	opKinds
)

var opNames = [...]string{
	"put", "remove", "recreate", "burst", "bookmark", "cut", "break", "expire", "miss", "flood", "mute", "unmute", "failLists", "failWatches",
	"addHandler", "removeHandler", "shutDown", "block", "unblock", "addIndexer", "read", "await", "sleep", "settle", "stop",
}

// opWeights are the relative frequencies of operations.
var opWeights = [opKinds]int{
	opPut: 300, opRemove: 120, opRecreate: 40, opBurst: 25, opBookmark: 25, opCut: 15, opBreak: 10, opExpire: 8, opMiss: 12, opFlood: 2,
	opMute: 6, opUnmute: 8, opFailLists: 6, opFailWatches: 6, opAddHandler: 20, opRemoveHandler: 8, opShutDown: 5,
	opBlock: 10, opUnblock: 12, opAddIndexer: 3, opRead: 30, opAwait: 8, opSleep: 40, opSettle: 4, opStop: 1,
}

func (k opKind) String() string { return opNames[k] }

// op is an operation of a sequence. It contains only data, so that sequences can be shortened.
type op struct {
	kind    opKind
	object  int // index into the names
	color   int
	times   int
	handler int // index into the handlers
	fault   fault
	wait    time.Duration
	config  handlerConfig
	quiet   bool   // wait for all its effects
	seed    uint64 // for random numbers during the operation
}

func (o op) String() string {
	s := o.kind.String()
	switch o.kind {
	case opPut, opRemove, opRecreate, opAwait:
		s += fmt.Sprintf(" %s %s", modelNames[o.object], modelColors[o.color])
	case opBurst, opMiss, opFlood:
		s += fmt.Sprintf(" of %d", o.times)
	case opBreak:
		s += fmt.Sprintf(" %v", o.fault)
	case opFailLists, opFailWatches:
		s += fmt.Sprintf(" %d times %v", o.times, o.fault)
	case opAddHandler:
		s += fmt.Sprintf(" %+v", o.config)
	case opRemoveHandler, opShutDown, opBlock, opUnblock:
		s += fmt.Sprintf(" handler %d", o.handler)
	case opSleep:
		s += fmt.Sprintf(" %v", o.wait)
	}
	if o.quiet {
		s += ", wait"
	}
	return s
}

// modelNames are the names of the objects: without a namespace, and in several.
var modelNames = func() (names []cache.ObjectName) {
	for _, namespace := range []string{"", "red", "green"} {
		for i := range 4 {
			names = append(names, cache.ObjectName{Namespace: namespace, Name: fmt.Sprint("boat-", i)})
		}
	}
	return names
}()

// crowdName returns the name of one of the objects of a flood.
func crowdName(i int) cache.ObjectName {
	return cache.ObjectName{Namespace: modelNames[i%len(modelNames)].Namespace, Name: fmt.Sprint("crowd-", i)}
}

// modelColors are values of the index: several, none, one for which its function fails, and one
// that makes an object undecodable.
var modelColors = []string{"white", "black", "black,white", "", colorFails, colorPanics, "blue", "gray", colorUnreadable}

const (
	colorFails      = "fails"
	colorPanics     = "panics"
	colorUnreadable = "unreadable"
)

// worldConfig is the configuration of a sequence.
type worldConfig struct {
	seed       uint64
	server     serverConfig
	namespaces []string      // of the sources; a single empty one for all
	resync     time.Duration // of the informer
	transform  bool
	packed     bool // objects are packed
	drain      bool // received events are delivered when the informer stops
	startAfter int  // operations
	early      []handlerConfig
}

// drawWorld returns a random configuration and a sequence of n operations for a seed.
func drawWorld(seed uint64, n int) (worldConfig, []op) {
	random := rand.New(rand.NewPCG(seed, 1))
	chance := func(percent int) bool { return random.IntN(100) < percent }
	config := worldConfig{
		seed: seed,
		server: serverConfig{
			watchList:   watchListMode(random.IntN(int(watchListModes))),
			paged:       chance(50),
			streams:     chance(50),
			stale:       chance(30),
			errorEvents: chance(50),
		},
		namespaces: []string{""},
		transform:  chance(40),
		drain:      chance(50),
		startAfter: random.IntN(12),
	}
	config.server.unreadable = config.server.streams && chance(50)
	if chance(50) {
		config.server.latency = time.Duration(random.IntN(100)) * time.Millisecond
	}
	if chance(30) {
		config.namespaces = []string{"red", "green"}
	}
	if chance(40) {
		config.resync = time.Duration(1+random.IntN(60)) * time.Second
	}
	for range random.IntN(4) {
		config.early = append(config.early, drawHandler(random))
	}

	// A sequence has only some kinds of operations, so that their combinations are explored
	// further.
	weights := opWeights
	total := 0
	for kind := range weights {
		if chance(25) && kind != int(opPut) {
			weights[kind] = 0
		}
		if kind == int(opFlood) && !chance(10) { // they take long
			weights[kind] = 0
		}
		total += weights[kind]
	}
	ops := make([]op, n)
	for i := range ops {
		at, kind := random.IntN(total), 0
		for ; at >= weights[kind]; kind++ {
			at -= weights[kind]
		}
		ops[i] = drawOp(random, opKind(kind))
	}
	return config, ops
}

func drawOp(random *rand.Rand, kind opKind) op {
	o := op{
		kind:    kind,
		object:  random.IntN(len(modelNames)),
		color:   random.IntN(len(modelColors)),
		times:   1 + random.IntN(3),
		handler: random.IntN(8),
		fault:   1 + fault(random.IntN(int(faults)-1)),
		quiet:   random.IntN(3) == 0,
		seed:    random.Uint64(),
	}
	switch kind {
	case opBurst:
		o.times = 5 + random.IntN(40)
	case opFlood:
		o.times = 100 + random.IntN(1400)
	case opMiss:
		o.times = 1 + random.IntN(12)
	case opSleep:
		o.wait = time.Duration(random.ExpFloat64() * float64(time.Second))
		if random.IntN(4) == 0 {
			o.wait *= 20
		}
	case opAddHandler:
		o.config = drawHandler(random)
	}
	return o
}

func drawHandler(random *rand.Rand) handlerConfig {
	chance := func(percent int) bool { return random.IntN(100) < percent }
	c := handlerConfig{As: handlerForm(random.IntN(int(handlerForms)))}
	if chance(30) {
		c.Slow = time.Duration(1+random.IntN(30)) * time.Millisecond
	}
	if chance(15) {
		c.PanicEvery = 1 + random.IntN(6)
	}
	if chance(30) {
		c.Resync = []time.Duration{500 * time.Millisecond, 7 * time.Second, 20 * time.Second, time.Minute}[random.IntN(4)]
	}
	if chance(25) {
		c.Bound = 1 + random.IntN(6)
	}
	if chance(8) {
		c.Quits = 1 + random.IntN(20)
	}
	return c
}
