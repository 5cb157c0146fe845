// Package soak keeps informers under load while their server is disturbed, and holds what they
// end with to what the server has.
//
// Writers create, update and delete custom objects, each with names of its own. Meanwhile two
// informers follow, one that lists pages and watches, one that streams its first list from a
// watch, each with a fast and a slow handler. Between rounds of writing the server is disturbed:
// restarted, its history forgotten, its connections cut. In the end both stores, and what each
// handler was told last of each object, must equal a fresh list.
//
// [Run] does it; what differs between servers is behind [Server].
package soak

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/listwatch/listwatch/golden/one-group/clientset/versioned"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/rest"
	libraryv1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Server is what the load goes to. It serves books of library.example.com/v1.
type Server interface {
	Config() *rest.Config
	// Disturb does one of the bad things that can happen to a server, another each time, and
	// returns what it was when the server can be talked to again.
	Disturb(ctx context.Context) (string, error)
}

// Load says how much there is to do. All of it must be set.
type Load struct {
	Objects   int // objects before the informers begin
	Events    int // creations, updates and deletions after that, at least
	Writers   int // that work at once
	Disturbed int // times that the server is disturbed, evenly spread
}

// Report is what came of it.
type Report struct {
	Objects, Events int
	Disturbances    []string
	Filling         time.Duration // until the first objects were there
	Writing         time.Duration // until the last write
	CatchingUp      time.Duration // from there until all had been handled
	Informers       []InformerReport
}

// InformerReport is what an informer went through.
type InformerReport struct {
	Mode                   string
	Syncing                time.Duration
	Lists, Watches, Events int64
	Handled                []int64 // by handler
}

func (r *Report) String() string {
	s := fmt.Sprintf("%d objects in %s, %d events in %s (%.0f a second), the last handled %s later; disturbed by %q",
		r.Objects, r.Filling.Round(time.Millisecond), r.Events, r.Writing.Round(time.Millisecond),
		float64(r.Events)/r.Writing.Seconds(), r.CatchingUp.Round(time.Millisecond), r.Disturbances)
	for _, i := range r.Informers {
		s += fmt.Sprintf("\n  %s: synced in %s, %d lists, %d watches, %d events received, handled %d",
			i.Mode, i.Syncing.Round(time.Millisecond), i.Lists, i.Watches, i.Events, i.Handled)
	}
	return s
}

// Run puts the load on the server and returns what came of it, or an error if an informer's
// store or what a handler knows is not in the end what the server has, or ctx ends before.
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

	report := &Report{Objects: load.Objects}
	writers := make([]*writer, load.Writers)
	for i := range writers {
		writers[i] = newWriter(client.LibraryV1().Books(metav1.NamespaceDefault), i)
	}
	begin := time.Now()
	if err = inParallel(writers, func(w *writer) error { return w.fill(ctx, load.Objects/load.Writers) }); err != nil {
		return nil, fmt.Errorf("fill: %w", err)
	}
	report.Filling = time.Since(begin)

	observers := []*observer{newObserver("LIST", client), newObserver("WatchList", client)}
	if err = inParallel(observers, func(o *observer) error { return o.start(ctx, &running) }); err != nil {
		return nil, fmt.Errorf("start: %w", err)
	}

	begin = time.Now()
	rounds := load.Disturbed + 1
	for round := range rounds {
		writing := make(chan error, 1)
		go func() {
			writing <- inParallel(writers, func(w *writer) error { return w.write(ctx, load.Events/rounds/load.Writers+1) })
		}()
		// The server is disturbed in the midst of it, not in a pause.
		if round > 0 {
			what, failed := server.Disturb(ctx)
			if failed != nil {
				return nil, errors.Join(fmt.Errorf("disturb: %w", failed), <-writing)
			}
			report.Disturbances = append(report.Disturbances, what)
		}
		if err = <-writing; err != nil {
			return nil, fmt.Errorf("write: %w", err)
		}
	}
	report.Writing = time.Since(begin)
	for _, w := range writers {
		report.Events += w.events
	}

	begin = time.Now()
	list, err := client.LibraryV1().Books(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	want := states{}
	for i := range list.Items {
		want.set(&list.Items[i])
	}
	err = inParallel(observers, func(o *observer) error { return o.compare(ctx, list.ResourceVersion, want) })
	report.CatchingUp = time.Since(begin)
	for _, o := range observers {
		report.Informers = append(report.Informers, o.report())
	}
	return report, err
}

// states are the resource versions of objects by their name.
type states map[cache.ObjectName]string

func (s states) set(book *libraryv1.Book) { s[cache.MetaObjectToName(book)] = book.ResourceVersion }

// differences returns the first few objects whose states differ.
func (s states) differences(want states) []string {
	all := maps.Clone(want)
	maps.Copy(all, s)
	var found []string
	for name := range all {
		if s[name] != want[name] {
			found = append(found, fmt.Sprintf("%s is at %q, want %q", name, s[name], want[name]))
		}
	}
	slices.Sort(found)
	if len(found) > 5 {
		found = append(found[:5], fmt.Sprintf("and %d more", len(found)-5))
	}
	return found
}

// inParallel does something with each of all at once.
func inParallel[T any](all []T, do func(T) error) error {
	errs := make([]error, len(all))
	var group sync.WaitGroup
	for i, one := range all {
		group.Go(func() { errs[i] = do(one) })
	}
	group.Wait()
	return errors.Join(errs...)
}
