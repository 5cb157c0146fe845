// Package soak runs informers under load while their server is disturbed, and compares their
// content with the server's.
//
// Writers create, update and delete custom objects, each with its own names, in rounds. Meanwhile
// informers follow, some with lists and watches, some with WatchList, each with a fast and a slow
// handler. At the beginning of each round the server is disturbed: restarted, its history
// discarded, its connections cut. At its end the writers pause, before the next disturbance can
// repair what was lost: when the informers have caught up, their stores, keys and indexes, and the
// last state of each object that each handler received, must equal a fresh list.
//
// Of the informers of each kind, one has a store that is blocked while the writers write, so that a
// whole round arrives in one burst, including lists. The other one has a third handler, another in
// each round, that joins while the writers write.
//
// Handlers check each call against the previous ones: only an object that was never received or was
// deleted is added, and only the last received state is updated or deleted.
//
// [Run] runs it; [Server] covers the differences between servers.
package soak

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/listwatch/listwatch/golden/one-group/clientset/versioned"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/rest"
	libraryv1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Server is the server under load. It serves books of library.example.com/v1.
type Server interface {
	Config() *rest.Config
	// Disturb disturbs the server in one of several ways, another each time, and returns a
	// description when the server is available again.
	Disturb(ctx context.Context) (string, error)
}

// Load describes the amount of work. All fields must be set.
type Load struct {
	Objects   int // objects before the informers begin
	Events    int // creations, updates and deletions after that, at least
	Writers   int // number of concurrent writers
	Disturbed int // number of disturbances, evenly distributed
}

// Report contains the results.
type Report struct {
	Objects, Events int
	Disturbances    []string
	Filling         time.Duration // until the first objects existed
	Writing         time.Duration // in all rounds
	CatchingUp      time.Duration // maximum time until a round was handled
	Informers       []InformerReport
}

// InformerReport describes the work of an informer.
type InformerReport struct {
	Mode                   string
	Syncing                time.Duration
	Lists, Watches, Events int64
	Handled                []int64 // by handler
}

func (r *Report) String() string {
	s := fmt.Sprintf("%d objects in %s, %d events in %s (%.0f a second), all of a round handled at most %s later; disturbed by %q",
		r.Objects, r.Filling.Round(time.Millisecond), r.Events, r.Writing.Round(time.Millisecond),
		float64(r.Events)/r.Writing.Seconds(), r.CatchingUp.Round(time.Millisecond), r.Disturbances)
	for _, i := range r.Informers {
		s += fmt.Sprintf("\n  %s: synced in %s, %d lists, %d watches, %d events received, handled %d",
			i.Mode, i.Syncing.Round(time.Millisecond), i.Lists, i.Watches, i.Events, i.Handled)
	}
	return s
}

// Run puts the load on the server and returns the results, or an error if the content of an
// informer or a handler differs from the server's after a round, or ctx is done earlier.
func Run(ctx context.Context, server Server, load Load) (*Report, error) {
	config := server.Config()
	config.QPS = -1 // unlimited
	client, err := versioned.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()

	s := &soak{server: server, client: client, report: &Report{Objects: load.Objects}}
	for i := range load.Writers {
		s.writers = append(s.writers, newWriter(client.LibraryV1().Books(metav1.NamespaceDefault), i))
	}
	begin := time.Now()
	if err = inParallel(s.writers, func(w *writer) error { return w.fill(ctx, load.Objects/load.Writers) }); err != nil {
		return nil, fmt.Errorf("fill: %w", err)
	}
	s.report.Filling = time.Since(begin)

	for _, mode := range []string{"LIST", "WatchList"} {
		s.observers = append(s.observers, newObserver(mode, false, client), newObserver(mode, true, client))
	}
	if err = inParallel(s.observers, func(o *observer) error { return o.start(ctx, &running) }); err != nil {
		return nil, fmt.Errorf("start: %w", err)
	}

	rounds := load.Disturbed + 1
	for round := 0; round < rounds && err == nil; round++ {
		if err = s.write(ctx, load.Events/rounds/load.Writers+1, round > 0); err == nil {
			err = s.compare(ctx)
		}
	}
	for _, w := range s.writers {
		s.report.Events += w.events
	}
	for _, o := range s.observers {
		s.report.Informers = append(s.report.Informers, o.report())
	}
	return s.report, err
}

// soak is a run.
type soak struct {
	server    Server
	client    versioned.Interface
	writers   []*writer
	observers []*observer
	report    *Report
}

// write lets each writer make changes. In the middle of it the server is disturbed, if requested,
// and handlers join.
func (s *soak) write(ctx context.Context, changes int, disturb bool) error {
	for _, o := range s.observers {
		defer o.hold()()
	}
	begin := time.Now()
	writing := make(chan error, 1)
	go func() {
		writing <- inParallel(s.writers, func(w *writer) error { return w.write(ctx, changes) })
	}()
	if disturb {
		what, err := s.server.Disturb(ctx)
		if err != nil {
			return errors.Join(fmt.Errorf("disturb: %w", err), <-writing)
		}
		s.report.Disturbances = append(s.report.Disturbances, what)
	}
	if err := inParallel(s.observers, (*observer).join); err != nil {
		return errors.Join(fmt.Errorf("join: %w", err), <-writing)
	}
	if err := <-writing; err != nil {
		return fmt.Errorf("write: %w", err)
	}
	s.report.Writing += time.Since(begin)
	return nil
}

// compare compares the observers with a fresh list. Nobody else writes meanwhile: it makes the last
// change, so informers that have received that have received everything.
func (s *soak) compare(ctx context.Context) error {
	last, err := s.writers[0].create(ctx)
	if err != nil {
		return fmt.Errorf("write: %w", err)
	}
	begin := time.Now()
	list, err := s.client.LibraryV1().Books(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	want := states{}
	for i := range list.Items {
		want.set(&list.Items[i])
	}
	err = inParallel(s.observers, func(o *observer) error { return o.compare(ctx, last, want) })
	s.report.CatchingUp = max(s.report.CatchingUp, time.Since(begin))
	return err
}

// states are the resource versions of objects by their name.
type states map[cache.ObjectName]string

func (s states) set(book *libraryv1.Book) { s[cache.MetaObjectToName(book)] = book.ResourceVersion }

// compare returns an error that lists the first few objects whose states are not as expected.
func (s states) compare(name string, want states) error {
	all := maps.Clone(want)
	maps.Copy(all, s)
	var found []string
	for object := range all {
		if s[object] != want[object] {
			found = append(found, fmt.Sprintf("%s is at %q, want %q", object, s[object], want[object]))
		}
	}
	if found == nil {
		return nil
	}
	slices.Sort(found)
	return fmt.Errorf("%s: %d objects differ: %s", name, len(found), strings.Join(found[:min(5, len(found))], "; "))
}

// inParallel calls do for all elements concurrently.
func inParallel[T any](all []T, do func(T) error) error {
	errs := make([]error, len(all))
	var group sync.WaitGroup
	for i, one := range all {
		group.Go(func() { errs[i] = do(one) })
	}
	group.Wait()
	return errors.Join(errs...)
}
