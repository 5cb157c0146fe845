package main

import (
	"time"

	"github.com/listwatch/listwatch/bench/internal/contest"
	"github.com/listwatch/listwatch/runtime/sharing"
)

// cached is the number of objects in a large cache. Tests make it smaller.
var cached = 100_000

const (
	// namespaces is their number of namespaces, and instances the number of values in their other
	// index.
	namespaces, instances = 50, 100
	// many is the number of objects in a large cluster.
	many = 50_000
)

var (
	eachCall  = []contest.Row{contest.CPUEach, contest.AllocsEach}
	eachEvent = []contest.Row{contest.Rate, contest.CPUEach, contest.AllocsEach}
)

// works are the benchmarks.
var works = []contest.Work{
	{Name: "indexer, list of 100,000", Objects: 200, WarmUp: 5, SeesOthers: true, Rows: []contest.Row{contest.CPUEach.With("3x"), contest.BytesEach}, Start: onIndexer(listAll)},
	{Name: "indexer, 2,000 by namespace", Objects: 10_000, WarmUp: 50, SeesOthers: true, Rows: []contest.Row{contest.CPUEach.With("8x"), contest.BytesEach}, Start: onIndexer(byNamespace)},
	{Name: "indexer, replace of 100,000", Objects: 10, WarmUp: 1, SeesOthers: true, Rows: []contest.Row{contest.CPUEach.With("1.5x"), contest.AllocsEach}, Start: onIndexer(replaceAll)},
	{Name: "indexer, update", Objects: 500_000, WarmUp: 1_000, SeesOthers: true, Rows: []contest.Row{contest.CPUEach.With("1.4x"), contest.AllocsEach.With("at most 1")}, Start: onIndexer(updateEach)},
	{Name: "indexer, add", Objects: cached, SeesOthers: true, Rows: []contest.Row{contest.CPUEach.With("1x"), contest.AllocsEach}, Start: addEach},
	{Name: "indexer, get by key", Objects: 2_000_000, WarmUp: 1_000, SeesOthers: true, Rows: []contest.Row{contest.CPUEach.With("1x"), contest.AllocsEach}, Start: onIndexer(getEach)},
	{Name: "indexer, one writer beside a reader", Objects: 500, WarmUp: 10, SeesOthers: true, Rows: []contest.Row{contest.More(writes).With("3x"), contest.More(reads).With("1x")}, Start: onIndexer(writeBesideReader)},

	{Name: "lister, all of 100,000", Objects: 200, WarmUp: 5, SeesOthers: true, Rows: []contest.Row{contest.CPUEach.With("10x"), contest.BytesEach}, Start: onIndexer(listerAll)},
	{Name: "lister, namespace of 2,000", Objects: 10_000, WarmUp: 50, SeesOthers: true, Rows: []contest.Row{contest.CPUEach.With("12x"), contest.BytesEach}, Start: onIndexer(listerNamespace)},
	{Name: "lister, selector on 100,000", Objects: 30, WarmUp: 2, SeesOthers: true, Rows: []contest.Row{contest.CPUEach.With("3x"), contest.BytesEach}, Start: onIndexer(listerSelector)},
	{Name: "lister, get", Objects: 1_000_000, WarmUp: 1_000, SeesOthers: true, Rows: eachCall, Start: onIndexer(listerGet)},

	{Name: "updates to 1 handler", Objects: 400_000, WarmUp: 1_000, SeesOthers: true, Rows: withTargets(eachEvent, "5x", "", "at most 1"), Start: onInformer(1, updates)},
	{Name: "updates to 4 handlers", Objects: 400_000, WarmUp: 1_000, SeesOthers: true, Rows: withTargets(eachEvent, "8x", "", "at most 1"), Start: onInformer(4, updates)},
	{Name: "updates to 16 handlers", Objects: 200_000, WarmUp: 1_000, SeesOthers: true, Rows: withTargets(eachEvent, "15x", "", "at most 1"), Start: onInformer(16, updates)},
	{Name: "latency to 1 handler", Objects: 20_000, WarmUp: 500, SeesOthers: true, Rows: []contest.Row{contest.Less(p50).With("1x"), contest.Less(p99).With("1x")}, Start: onInformer(1, latencies)},
	{Name: "latency to the last of 16 handlers", Objects: 20_000, WarmUp: 500, SeesOthers: true, Rows: []contest.Row{contest.Less(p50).With("1x"), contest.Less(p99).With("1x")}, Start: onInformer(16, latencies)},

	{Name: "sync of 50,000 over HTTP", Objects: many, Rows: []contest.Row{contest.Wall.With("10x").Main(), contest.CPU.With("12x").Main(), contest.Bytes, contest.PeakHeap, contest.LiveEach.With("1.82x"), contest.PeakToLive.With("at most 1.1"), contest.PeakRSS}, Start: overHTTP("/sync", nil)},
	{Name: "sync of 50,000 over HTTP, parts shared by both", Objects: many, Rows: []contest.Row{contest.Wall, contest.CPU, contest.LiveEach}, Start: overHTTP("/sync", sharedByBoth)},
	{Name: "sync of 50,000 over HTTP, without managedFields", Objects: many, Rows: []contest.Row{contest.CPU, contest.LiveEach.With("2.1x")}, Start: overHTTP("/sync", withoutManaged)},
	{Name: "untyped sync of 50,000 over HTTP", Objects: many, Rows: []contest.Row{contest.Wall, contest.CPU.With("6x"), contest.Bytes, contest.LiveEach}, Start: untypedOverHTTP},
	{Name: "50,000 watch events over HTTP, to a handler", Objects: many, Rows: []contest.Row{contest.Rate.With("14x").Main(), contest.CPUEach, contest.BytesEach, contest.AllocsEach}, Start: overHTTP("/events", nil)},

	{Name: "work queue, add, get and done", Objects: 1_000_000, WarmUp: 1_000, SeesOthers: true, Rows: withTargets(eachEvent, "1.5x", "", ""), Start: onQueue(1, 0)},
	{Name: "work queue, 4 workers", Objects: 1_000_000, WarmUp: 1_000, SeesOthers: true, Rows: withTargets(eachEvent, "1.5x", "", ""), Start: onQueue(4, 0)},
	{Name: "work queue, 4 workers, 1 µs of work", Objects: 500_000, WarmUp: 1_000, SeesOthers: true, Rows: withTargets(eachEvent, "1.5x", "", ""), Start: onQueue(4, time.Microsecond)},
	{Name: "work queue, 4 workers, 10 µs of work", Objects: 100_000, WarmUp: 1_000, SeesOthers: true, Rows: withTargets(eachEvent, "1x", "", ""), Start: onQueue(4, 10*time.Microsecond)},
	{Name: "work queue, add with limited rate", Objects: 500_000, WarmUp: 1_000, SeesOthers: true, Rows: eachEvent, Start: limitedQueue},
}

// sharedByBoth returns a transform of package sharing, which also works with client-go.
func sharedByBoth(*contender) transform { return transform(sharing.Transform()) }

// withoutManaged returns what a contender has to do without managedFields.
func withoutManaged(c *contender) transform { return c.withoutManaged }

// withTargets returns rows with a target each.
func withTargets(rows []contest.Row, targets ...string) []contest.Row {
	with := make([]contest.Row, len(rows))
	for i, r := range rows {
		with[i] = r.With(targets[i])
	}
	return with
}
