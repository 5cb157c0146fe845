package cache_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/runtime/cache"
)

// drainBatches takes everything out of a queue with PopBatch, after closing it.
func drainBatches(t *testing.T, f *cache.DeltaFIFO, known *shelf) []told {
	t.Helper()
	f.Close()
	var all []told
	process := func(deltas []cache.Delta, initial bool) {
		for _, d := range deltas {
			known.apply(d)
		}
		all = append(all, told{deltas, initial})
	}
	for {
		err := f.PopBatch(func(deltas []cache.Delta, initial bool) error {
			if len(deltas) < 2 {
				t.Errorf("a batch of %d", len(deltas))
			}
			process(deltas, initial)
			return nil
		}, func(obj any, initial bool) error {
			process(obj.(cache.Deltas), initial)
			return nil
		})
		if errors.Is(err, cache.ErrFIFOClosed) {
			return all
		}
		if err != nil {
			t.Fatalf("PopBatch: %v", err)
		}
	}
}

func TestDeltaFIFOPopBatch(t *testing.T) {
	a, b, c := parcel{"a", 1}, parcel{"b", 1}, parcel{"c", 1}
	added := func(p parcel) cache.Delta { return cache.Delta{Type: cache.Added, Object: p} }
	updated := func(p parcel) cache.Delta { return cache.Delta{Type: cache.Updated, Object: p} }
	replaced := func(p parcel) cache.Delta { return cache.Delta{Type: cache.Replaced, Object: p} }
	gone := func(p parcel) cache.Delta {
		return cache.Delta{Type: cache.Deleted, Object: cache.DeletedFinalStateUnknown{Key: p.Key, Obj: p}}
	}
	batch := func(initial bool, deltas ...cache.Delta) told { return told{deltas, initial} }
	cases := map[string]struct {
		known []parcel
		do    func(f *cache.DeltaFIFO) error
		want  []told
	}{
		"different objects": {
			do:   func(f *cache.DeltaFIFO) error { return errors.Join(f.Add(a), f.Update(b), f.Add(c)) },
			want: []told{batch(false, added(a), updated(b), added(c))},
		},
		"an object again": {
			do:   func(f *cache.DeltaFIFO) error { return errors.Join(f.Add(a), f.Add(b), f.Update(a), f.Update(c)) },
			want: []told{batch(false, added(a), added(b)), batch(false, updated(a), updated(c))},
		},
		"the first list and later deltas": {
			do:   func(f *cache.DeltaFIFO) error { return errors.Join(f.Replace([]any{a, b}, "1"), f.Update(c)) },
			want: []told{batch(true, replaced(a), replaced(b)), batch(false, updated(c))},
		},
		"an object twice in the first list": {
			do:   func(f *cache.DeltaFIFO) error { return f.Replace([]any{a, a, b}, "1") },
			want: []told{batch(true, replaced(a)), batch(true, replaced(a), replaced(b))},
		},
		"a later list waits for the deltas before it": {
			known: []parcel{a},
			do: func(f *cache.DeltaFIFO) error {
				return errors.Join(f.Update(b), f.Update(c), f.Replace([]any{c}, "1"), f.Add(b))
			},
			want: []told{batch(false, updated(b), updated(c)), batch(false, gone(a), gone(b), replaced(c)), batch(false, added(b))},
		},
		"a resync before the first list": {
			known: []parcel{a},
			do:    func(f *cache.DeltaFIFO) error { return errors.Join(f.Resync(), f.Replace([]any{a, b}, "1")) },
			want:  []told{batch(true, cache.Delta{Type: cache.Sync, Object: a}), batch(true, replaced(a), replaced(b))},
		},
		"bookmarks alone": {
			do: func(f *cache.DeltaFIFO) error { return errors.Join(f.Add(a), f.Add(b), f.Bookmark("1"), f.Add(c)) },
			want: []told{batch(false, added(a), added(b)),
				batch(false, cache.Delta{Type: cache.Bookmark, Object: cache.BookmarkInfo{ResourceVersion: "1"}}), batch(false, added(c))},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			known := newShelf(c.known...)
			f := cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{
				KeyFunction: parcelKey, KnownObjects: known, EmitDeltaTypeReplaced: true, EmitDeltaTypeBookmark: true,
			})
			must(t, c.do(f))
			if diff := cmp.Diff(c.want, drainBatches(t, f, known)); diff != "" {
				t.Errorf("batches (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDeltaFIFOPopBatchIsBounded(t *testing.T) {
	f := cache.NewDeltaFIFO(parcelKey, newShelf())
	const count = 2500
	for i := range count {
		must(t, f.Add(parcel{fmt.Sprint(i), i}))
	}
	next := 0
	for _, call := range drainBatches(t, f, newShelf()) {
		if len(call.Deltas) > 1000 {
			t.Errorf("a batch of %d", len(call.Deltas))
		}
		for _, d := range call.Deltas {
			if d.Object.(parcel).State != next {
				t.Fatalf("got %v, want number %d", d.Object, next)
			}
			next++
		}
	}
	if next != count {
		t.Errorf("%d deltas, want %d", next, count)
	}
}

func TestDeltaFIFOPopBatchReturnsWhatProcessReturns(t *testing.T) {
	f := cache.NewDeltaFIFO(parcelKey, newShelf())
	sentinel := errors.New("cannot")
	must(t, f.Replace([]any{parcel{"a", 1}, parcel{"b", 1}}, "1"))
	if err := f.PopBatch(func([]cache.Delta, bool) error { return sentinel }, nil); !errors.Is(err, sentinel) {
		t.Errorf("PopBatch = %v, want %v", err, sentinel)
	}
	if !f.HasSynced() {
		t.Error("not synced")
	}
}

// A consumer that applies the deltas ends with the same content as a plain map with the same
// operations, whichever way it takes the deltas out, and with several producers at once, each with
// its own objects and without lists.
func TestDeltaFIFOAgreesWithAMap(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		known := newShelf()
		options := cache.DeltaFIFOOptions{KeyFunction: parcelKey, KnownObjects: known}
		if r.IntN(2) == 0 {
			options.KnownObjects = nil
		}
		f := cache.NewDeltaFIFOWithOptions(options)
		model := map[string]any{}
		for state := range 100 {
			p := parcel{fmt.Sprint(r.IntN(10)), state}
			switch r.IntN(8) {
			case 0:
				must(t, f.Delete(p))
				delete(model, p.Key)
			case 1:
				var list []any
				clear(model)
				for key := range r.IntN(8) {
					q := parcel{fmt.Sprint(key), state}
					list = append(list, q)
					model[q.Key] = q
				}
				must(t, f.Replace(list, "1"))
			case 2:
				must(t, f.Resync())
			case 3:
				if f.HasSynced() || len(model) == 0 {
					break
				}
				must(t, f.PopBatch(func(deltas []cache.Delta, _ bool) error {
					for _, d := range deltas {
						known.apply(d)
					}
					return nil
				}, func(obj any, _ bool) error { known.apply(obj.(cache.Deltas)[0]); return nil }))
			default:
				must(t, f.Update(p))
				model[p.Key] = p
			}
		}
		if r.IntN(2) == 0 {
			drain(t, f, known)
		} else {
			drainBatches(t, f, known)
		}
		if diff := cmp.Diff(model, known.held); diff != "" {
			t.Fatalf("seed %d: the consumer's objects (-want +got):\n%s", seed, diff)
		}
	}
}

func TestDeltaFIFOKeepsTheOrderOfEachProducer(t *testing.T) {
	f := cache.NewDeltaFIFO(parcelKey, newShelf())
	const producers, each = 4, 2000
	var producing, consuming sync.WaitGroup
	for p := range producers {
		producing.Go(func() {
			for i := range each {
				_ = f.Update(parcel{fmt.Sprint(p), i})
			}
		})
	}
	next := map[string]int{}
	consuming.Go(func() {
		for {
			_, err := f.Pop(func(obj any, _ bool) error {
				p := obj.(cache.Deltas)[0].Object.(parcel)
				if p.State != next[p.Key] {
					t.Errorf("producer %s: got %d, want %d", p.Key, p.State, next[p.Key])
				}
				next[p.Key]++
				return nil
			})
			if err != nil {
				return
			}
		}
	})
	producing.Wait()
	f.Close()
	consuming.Wait()
	for p := range producers {
		if got := next[fmt.Sprint(p)]; got != each {
			t.Errorf("producer %d: %d deltas, want %d", p, got, each)
		}
	}
}
