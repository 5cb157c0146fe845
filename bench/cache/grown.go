package main

import (
	"fmt"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/listwatch/listwatch/bench/internal/contest"
)

// The figures of the work on stores: the CPU time for all objects.
const (
	addedAll   = "CPU seconds to add all"
	gotAll     = "CPU seconds to get each"
	updatedAll = "CPU seconds to update each"
	listedAll  = "CPU seconds to list all"
	notified   = "CPU seconds for 50,000 updates"
)

var (
	// upToAMillion are sizes of stores.
	upToAMillion = []int{1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000}
	// upTo64 are numbers of handlers.
	upTo64 = []int{1, 2, 4, 8, 16, 32, 64}
)

// large is a size that takes seconds.
const large = 300_000

// growths are the benchmarks of how costs grow.
var growths = []contest.Growth{
	{Name: "store", X: "objects", Sizes: upToAMillion, Once: large, Start: growStore, Drawings: []contest.Drawing{
		{File: "store-add", Title: "Store: add", Row: contest.Less(addedAll)},
		{File: "store-get", Title: "Store: get", Row: contest.Less(gotAll)},
		{File: "store-update", Title: "Store: update", Row: contest.Less(updatedAll)},
		{File: "store-list", Title: "Store: list through a lister", Row: contest.Less(listedAll)},
	}},
	{Name: "sync", X: "objects of 0.5 KB", Sizes: upToAMillion, Once: large, WarmUp: 100, Start: overHTTP("/small", nil), Drawings: []contest.Drawing{
		{File: "sync-cpu", Title: "Informer: sync over HTTP", Row: contest.CPU.Named("CPU seconds")},
		{File: "sync-wall", Title: "Informer: sync over HTTP", Row: contest.Wall.Named("seconds")},
		{File: "sync-live", Title: "Informer: memory after sync", Row: contest.LiveHeap.Named("live heap, MiB")},
		{File: "sync-peak", Title: "Informer: memory during sync", Row: contest.PeakHeap.Named("peak heap, MiB")},
	}},
	{Name: "handlers", X: "handlers", Sizes: upTo64, Start: growHandlers, Drawings: []contest.Drawing{
		{File: "handlers", Title: "Informer: updates to handlers", Row: contest.Less(notified)},
	}},
}

// growStore returns a run on stores of n objects. What is fast is repeated, so that it can be measured.
func growStore(c int, _ contest.Env) (contest.Run, error) {
	return func(n int, o *contest.Observer) (any, error) {
		f := newFilled(n)
		times := max(1, 100_000/n)
		if err := o.CPU(addedAll, times, func() error {
			return f.fill(contenders[c])
		}); err != nil {
			return nil, err
		}
		if err := o.CPU(gotAll, 4*times, func() error { return getEach(f, n, o) }); err != nil {
			return nil, err
		}
		version := 0
		if err := o.CPU(updatedAll, 2*times, func() error {
			version++
			return repeat(n, func(i int) error { return f.Update(f.version(version)[i]) })
		}); err != nil {
			return nil, err
		}
		err := o.CPU(listedAll, 40*times, func() error {
			objects, err := f.list(labels.Everything())
			if err == nil && len(objects) != n {
				err = fmt.Errorf("got %d objects, want %d", len(objects), n)
			}
			return err
		})
		return f, err
	}, nil
}

// growHandlers returns a run with n handlers.
func growHandlers(c int, _ contest.Env) (contest.Run, error) {
	return func(n int, o *contest.Observer) (any, error) {
		f, err := newInformed(contenders[c], n)
		if err != nil {
			return nil, err
		}
		const events = 50_000
		return f, o.CPU(notified, 1, func() error { return updates(f, events, o) })
	}, nil
}
