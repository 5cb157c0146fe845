package controllerruntime_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/cache"

	"github.com/listwatch/listwatch/controllerruntime"
)

var (
	scripts     = flag.Int("scripts", 24, "scripts of TestScripts")
	scriptSeed  = flag.Uint64("scripts.seed", 1, "the seed of the first script of TestScripts, which a failure names")
	scriptLanes = flag.Int("scripts.parallel", 12, "scripts of TestScripts that run at the same time: they wait more than they work")
)

// TestScripts runs random scripts on controller-runtime's cache and on ours, on one server, and compares every answer.
//
// A script draws options of the caches and performs operations: objects are written, permissions are given and taken back,
// namespaces are slow or missing, CustomResourceDefinitions come and go, the server restarts and fails, contexts are
// canceled, informers, indexes and handlers are added and removed, and objects are read in all forms. After each
// operation, it waits until both caches have what the server has, as far as they may read it. So no answer depends on time.
//
// The long mode is
//
//	go test -timeout 2h -run TestScripts . -scripts=2000
func TestScripts(t *testing.T) {
	seeds := make(chan uint64)
	var lanes sync.WaitGroup
	for range *scriptLanes {
		lanes.Go(func() {
			for seed := range seeds {
				if log, err := runScript(t.Context(), seed); err != nil {
					t.Errorf("-scripts=1 -scripts.seed=%d: %v\n%s", seed, err, strings.Join(log, "\n"))
				}
			}
		})
	}
	for i := range uint64(*scripts) {
		seeds <- *scriptSeed + i
		if i > 0 && i%100 == 0 {
			t.Logf("%d scripts have begun", i)
		}
	}
	close(seeds)
	lanes.Wait()
}

// script is a run of a script.
type script struct {
	draw
	*world
	*plan
	ctx    context.Context
	caches [2]cache.Cache // controller-runtime's, ours

	started, stopped bool
	stop             context.CancelFunc
	ended            [2]chan error

	informers map[informerID]*informer
	touched   map[informerID]bool // may exist
	log       []string
}

// informerID identifies an informer of a cache.
type informerID struct {
	*kind
	form string
}

func (id informerID) String() string { return strings.TrimSuffix(id.Kind+" "+id.form, " ") }

// informer is what is known of an informer that both caches have.
type informer struct {
	synced   map[string]bool // by scope
	whole    bool            // all scopes exist in controller-runtime's cache
	handlers [][2]*witness
}

func (s *script) say(format string, args ...any) { s.log = append(s.log, fmt.Sprintf(format, args...)) }

// runScript runs the script of a seed. It returns what it has done.
func runScript(ctx context.Context, seed uint64) (log []string, err error) {
	s := &script{
		draw: draw{rand.New(rand.NewPCG(seed, 0))}, ctx: ctx,
		informers: map[informerID]*informer{}, touched: map[informerID]bool{},
	}
	defer func() { log = s.log }()
	if s.world, err = newWorld(ctx, s.draw); s.world != nil {
		defer func() { err = errors.Join(err, s.srv.Stop()) }()
	}
	if err != nil {
		return nil, err
	}
	s.plan = newPlan(s.draw, s.world)
	s.Scheme, s.Mapper = scriptScheme(), s.mapper
	s.say("%s; served %v; granted %v\n%s", s.user, s.served, s.granted, strings.Join(s.words, "\n"))
	for i, newCache := range []cache.NewCacheFunc{cache.New, controllerruntime.NewCache} {
		if s.caches[i], err = newCache(s.world.config, s.Options); err != nil {
			return nil, err
		}
	}
	defer func() { err = errors.Join(err, s.end()) }()
	for range 3 {
		if err = s.writes(); err != nil {
			return nil, err
		}
	}
	for range 15 + s.IntN(20) {
		if err = s.step(); err != nil {
			return nil, err
		}
	}
	return nil, s.afterwards()
}

// operations are what a script does, with weights.
var operations = []struct {
	weight int
	run    func(*script) error
}{
	{8, (*script).start},
	{30, (*script).get},
	{30, (*script).list},
	{20, (*script).writes},
	{10, (*script).getInformer},
	{8, (*script).indexField},
	{4, (*script).removeInformer},
	{6, (*script).permission},
	{3, (*script).slowNamespace},
	{6, (*script).fault},
	{2, (*script).restartServer},
	{4, (*script).definition},
	{2, (*script).namespace},
	{4, (*script).waitForSync},
	{6, (*script).canceled},
}

// step performs an operation, and waits until both caches have settled.
func (s *script) step() error {
	total := 0
	for _, o := range operations {
		total += o.weight
	}
	n := s.IntN(total)
	for _, o := range operations {
		if n -= o.weight; n < 0 {
			if err := o.run(s); err != nil {
				return err
			}
			break
		}
	}
	return s.settle()
}

// start starts the caches.
func (s *script) start() error {
	if s.started {
		if !s.oneIn(10) {
			return nil
		}
		again := s.ask(patience, func(ctx context.Context, _ int, c cache.Cache) answer { return answer{err: c.Start(ctx)} })
		return s.compare("start again", true, again) // both fail, and say so differently
	}
	s.say("start")
	s.started = true
	ctx, cancel := context.WithCancel(s.ctx)
	s.stop = cancel
	for i, c := range s.caches {
		s.ended[i] = make(chan error, 1)
		go func() { s.ended[i] <- c.Start(ctx) }()
	}
	// A cache that has not synced by then has started nevertheless.
	s.ask(time.Second, func(ctx context.Context, _ int, c cache.Cache) (a answer) {
		c.WaitForCacheSync(ctx)
		return a
	})
	return nil
}

// end stops the caches, and returns why one has failed.
func (s *script) end() error {
	if s.stopped {
		return nil
	}
	if !s.started {
		for _, c := range s.caches {
			startEnded(c)
		}
		return nil
	}
	s.say("stop")
	s.stopped = true
	s.stop()
	for i := range s.ended {
		select {
		case err := <-s.ended[i]:
			if err != nil {
				return fmt.Errorf("cache %d has ended: %w", i, err)
			}
		case <-time.After(patience):
			return fmt.Errorf("cache %d does not end", i)
		}
	}
	return nil
}

// afterwards stops the caches, at any moment, and reads what they have.
func (s *script) afterwards() error {
	if !s.started {
		return nil
	}
	if err := s.end(); err != nil {
		return err
	}
	for range 5 {
		for _, run := range []func(*script) error{(*script).get, (*script).list, (*script).indexField} {
			if err := run(s); err != nil {
				return err
			}
		}
	}
	return nil
}
