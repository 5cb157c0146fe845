package cache_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/runtime/cache"
)

// parcel is an object with its own key, as custom queues may contain.
type parcel struct {
	Key   string
	State int
}

func parcelKey(obj any) (string, error) {
	p, ok := obj.(parcel)
	if !ok {
		return "", errors.New("not a parcel")
	}
	return p.Key, nil
}

// shelf is the content of a consumer, which applies the deltas that it gets.
type shelf struct {
	mu    sync.Mutex
	held  map[string]any
	order []string
}

func newShelf(objs ...parcel) *shelf {
	s := &shelf{held: map[string]any{}}
	for _, p := range objs {
		s.put(p)
	}
	return s
}

func (s *shelf) put(p parcel) {
	if _, ok := s.held[p.Key]; !ok {
		s.order = append(s.order, p.Key)
	}
	s.held[p.Key] = p
}

func (s *shelf) ListKeys() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.order)
}

func (s *shelf) GetByKey(key string) (any, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if key == "broken" {
		return nil, false, errors.New("broken")
	}
	obj, ok := s.held[key]
	return obj, ok, nil
}

func (s *shelf) apply(d cache.Delta) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch obj := d.Object.(type) {
	case parcel:
		if d.Type == cache.Deleted {
			s.remove(obj.Key)
		} else {
			s.put(obj)
		}
	case cache.DeletedFinalStateUnknown:
		s.remove(obj.Key)
	}
}

func (s *shelf) remove(key string) {
	delete(s.held, key)
	s.order = slices.DeleteFunc(s.order, func(k string) bool { return k == key })
}

// told is one call of a process function.
type told struct {
	Deltas  []cache.Delta
	Initial bool
}

// drain takes everything out of a queue, after closing it, and applies it to known.
func drain(t *testing.T, f *cache.DeltaFIFO, known *shelf) []told {
	t.Helper()
	f.Close()
	var all []told
	for {
		_, err := f.Pop(func(obj any, initial bool) error {
			deltas := obj.(cache.Deltas)
			for _, d := range deltas {
				known.apply(d)
			}
			all = append(all, told{deltas, initial})
			return nil
		})
		if errors.Is(err, cache.ErrFIFOClosed) {
			return all
		}
		if err != nil {
			t.Fatalf("Pop: %v", err)
		}
	}
}

func singles(all []told) []cache.Delta {
	var deltas []cache.Delta
	for _, call := range all {
		deltas = append(deltas, call.Deltas...)
	}
	return deltas
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestDeltaFIFOTellsWhatHappenedInOrder(t *testing.T) {
	foo := func(state int) parcel { return parcel{"foo", state} }
	bar := func(state int) parcel { return parcel{"bar", state} }
	gone := func(p parcel) cache.DeletedFinalStateUnknown {
		return cache.DeletedFinalStateUnknown{Key: p.Key, Obj: p}
	}
	cases := map[string]struct {
		known []parcel
		do    func(f *cache.DeltaFIFO) error
		want  []cache.Delta
	}{
		"every state of an object": {
			do: func(f *cache.DeltaFIFO) error {
				return errors.Join(f.Add(foo(1)), f.Add(bar(1)), f.Update(foo(2)), f.Update(foo(3)), f.Delete(bar(2)))
			},
			want: []cache.Delta{{cache.Added, foo(1)}, {cache.Added, bar(1)}, {cache.Updated, foo(2)}, {cache.Updated, foo(3)}, {cache.Deleted, bar(2)}},
		},
		"a deletion of an unknown object": {
			do:   func(f *cache.DeltaFIFO) error { return f.Delete(foo(1)) },
			want: []cache.Delta{{cache.Deleted, foo(1)}},
		},
		"a tombstone that was put in": {
			do:   func(f *cache.DeltaFIFO) error { return f.Delete(gone(foo(1))) },
			want: []cache.Delta{{cache.Deleted, gone(foo(1))}},
		},
		"a list": {
			do:   func(f *cache.DeltaFIFO) error { return f.Replace([]any{foo(1), bar(1)}, "1") },
			want: []cache.Delta{{cache.Replaced, foo(1)}, {cache.Replaced, bar(1)}},
		},
		"a list first deletes known objects that are not in it": {
			known: []parcel{foo(1), bar(1)},
			do:    func(f *cache.DeltaFIFO) error { return f.Replace([]any{bar(2)}, "1") },
			want:  []cache.Delta{{cache.Deleted, gone(foo(1))}, {cache.Replaced, bar(2)}},
		},
		"an empty list deletes all": {
			known: []parcel{foo(1), bar(1)},
			do:    func(f *cache.DeltaFIFO) error { return f.Replace(nil, "1") },
			want:  []cache.Delta{{cache.Deleted, gone(foo(1))}, {cache.Deleted, gone(bar(1))}},
		},
		"a list deletes objects queued before it, in their last state": {
			do: func(f *cache.DeltaFIFO) error {
				return errors.Join(f.Add(foo(1)), f.Update(foo(2)), f.Replace([]any{bar(1)}, "1"))
			},
			want: []cache.Delta{{cache.Added, foo(1)}, {cache.Updated, foo(2)}, {cache.Deleted, gone(foo(2))}, {cache.Replaced, bar(1)}},
		},
		"a list does not delete objects queued after it": {
			do: func(f *cache.DeltaFIFO) error {
				return errors.Join(f.Replace([]any{bar(1)}, "1"), f.Add(foo(1)))
			},
			want: []cache.Delta{{cache.Replaced, bar(1)}, {cache.Added, foo(1)}},
		},
		"a list does not delete again": {
			known: []parcel{foo(1)},
			do: func(f *cache.DeltaFIFO) error {
				return errors.Join(f.Delete(foo(2)), f.Replace(nil, "1"), f.Replace(nil, "2"))
			},
			want: []cache.Delta{{cache.Deleted, foo(2)}},
		},
		"a list after a list": {
			do: func(f *cache.DeltaFIFO) error {
				return errors.Join(f.Replace([]any{foo(1), bar(1)}, "1"), f.Replace([]any{foo(2)}, "2"))
			},
			want: []cache.Delta{{cache.Replaced, foo(1)}, {cache.Replaced, bar(1)}, {cache.Deleted, gone(bar(1))}, {cache.Replaced, foo(2)}},
		},
		"deleted and added again before a list": {
			known: []parcel{foo(1)},
			do: func(f *cache.DeltaFIFO) error {
				return errors.Join(f.Delete(foo(1)), f.Add(foo(9)), f.Replace(nil, "1"))
			},
			want: []cache.Delta{{cache.Deleted, foo(1)}, {cache.Added, foo(9)}, {cache.Deleted, gone(foo(9))}},
		},
		"a resync delivers the objects known when it is reached": {
			known: []parcel{foo(1), bar(1)},
			do: func(f *cache.DeltaFIFO) error {
				return errors.Join(f.Update(foo(2)), f.Resync(), f.Update(foo(3)))
			},
			want: []cache.Delta{{cache.Updated, foo(2)}, {cache.Sync, foo(2)}, {cache.Sync, bar(1)}, {cache.Updated, foo(3)}},
		},
		"a resync does not restore deleted objects": {
			known: []parcel{foo(1)},
			do:    func(f *cache.DeltaFIFO) error { return errors.Join(f.Delete(foo(1)), f.Resync()) },
			want:  []cache.Delta{{cache.Deleted, foo(1)}},
		},
		"keys with slashes": {
			known: []parcel{{"a/b/c", 1}, {"/d", 1}, {"e/", 1}, {"f/g", 1}},
			do:    func(f *cache.DeltaFIFO) error { return f.Replace([]any{parcel{"f/g", 2}}, "1") },
			want: []cache.Delta{{cache.Deleted, gone(parcel{"a/b/c", 1})}, {cache.Deleted, gone(parcel{"/d", 1})},
				{cache.Deleted, gone(parcel{"e/", 1})}, {cache.Replaced, parcel{"f/g", 2}}},
		},
		"no bookmarks": {
			do: func(f *cache.DeltaFIFO) error { return f.Bookmark("5") },
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			known := newShelf(c.known...)
			f := cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{
				KeyFunction: parcelKey, KnownObjects: known, EmitDeltaTypeReplaced: true,
			})
			must(t, c.do(f))
			if diff := cmp.Diff(c.want, singles(drain(t, f, known))); diff != "" {
				t.Errorf("deltas (-want +got):\n%s", diff)
			}
		})
		if c.known != nil {
			continue
		}
		t.Run(name+", remembered by the queue", func(t *testing.T) {
			f := cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{KeyFunction: parcelKey, EmitDeltaTypeReplaced: true})
			must(t, c.do(f))
			if diff := cmp.Diff(c.want, singles(drain(t, f, newShelf()))); diff != "" {
				t.Errorf("deltas (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDeltaFIFORemembersOnlyWhatItHandedOver(t *testing.T) {
	f := cache.NewDeltaFIFO(parcelKey, nil)
	must(t, errors.Join(f.Add(parcel{"foo", 1}), f.Replace(nil, "1"), f.Resync(), f.Add(parcel{"bar", 1}), f.Delete(parcel{"bar", 2}), f.Replace(nil, "2")))
	want := []cache.Delta{
		{cache.Added, parcel{"foo", 1}}, {cache.Deleted, cache.DeletedFinalStateUnknown{Key: "foo", Obj: parcel{"foo", 1}}},
		{cache.Added, parcel{"bar", 1}}, {cache.Deleted, parcel{"bar", 2}},
	}
	if diff := cmp.Diff(want, singles(drain(t, f, newShelf()))); diff != "" {
		t.Errorf("deltas (-want +got):\n%s", diff)
	}
}

func TestDeltaFIFOCallsListedObjectsSyncUnlessTold(t *testing.T) {
	f := cache.NewDeltaFIFO(parcelKey, newShelf())
	must(t, f.Replace([]any{parcel{"foo", 1}}, "1"))
	want := []cache.Delta{{cache.Sync, parcel{"foo", 1}}}
	if diff := cmp.Diff(want, singles(drain(t, f, newShelf()))); diff != "" {
		t.Errorf("deltas (-want +got):\n%s", diff)
	}
}

func TestDeltaFIFOTellsAtomically(t *testing.T) {
	known := newShelf(parcel{"old", 1})
	f := cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{
		KeyFunction: parcelKey, KnownObjects: known, AtomicEvents: true, EmitDeltaTypeBookmark: true,
	})
	must(t, errors.Join(f.Replace([]any{parcel{"foo", 1}, parcel{"bar", 1}}, "7"), f.Resync(), f.Bookmark("9"), f.Replace(nil, "10")))
	want := []told{
		{[]cache.Delta{{cache.ReplacedAll, cache.ReplacedAllInfo{ResourceVersion: "7", Objects: []any{parcel{"foo", 1}, parcel{"bar", 1}}}}}, true},
		{[]cache.Delta{{cache.SyncAll, cache.SyncAllInfo{}}}, false},
		{[]cache.Delta{{cache.Bookmark, cache.BookmarkInfo{ResourceVersion: "9"}}}, false},
		{[]cache.Delta{{cache.ReplacedAll, cache.ReplacedAllInfo{ResourceVersion: "10", Objects: []any{}}}}, false},
	}
	if diff := cmp.Diff(want, drain(t, f, known)); diff != "" {
		t.Errorf("deltas (-want +got):\n%s", diff)
	}
}

func TestDeltaFIFOKnownObjectThatCannotBeHad(t *testing.T) {
	known := newShelf(parcel{"broken", 1})
	silent := logr.Discard()
	f := cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{Logger: &silent, KeyFunction: parcelKey, KnownObjects: known})
	must(t, errors.Join(f.Resync(), f.Replace(nil, "1")))
	want := []cache.Delta{{cache.Deleted, cache.DeletedFinalStateUnknown{Key: "broken"}}}
	if diff := cmp.Diff(want, singles(drain(t, f, known))); diff != "" {
		t.Errorf("deltas (-want +got):\n%s", diff)
	}
}

func TestDeltaFIFOSync(t *testing.T) {
	a, b := parcel{"a", 1}, parcel{"b", 1}
	type step func(t *testing.T, f *cache.DeltaFIFO)
	put := func(do func(f *cache.DeltaFIFO) error) step {
		return func(t *testing.T, f *cache.DeltaFIFO) { t.Helper(); must(t, do(f)) }
	}
	list := func(objs ...any) step {
		return put(func(f *cache.DeltaFIFO) error { return f.Replace(objs, "1") })
	}
	pop := func(initial bool) step {
		return func(t *testing.T, f *cache.DeltaFIFO) {
			t.Helper()
			_, err := f.Pop(func(_ any, got bool) error {
				if got != initial {
					t.Errorf("isInInitialList = %t, want %t", got, initial)
				}
				if f.HasSynced() == initial {
					t.Errorf("HasSynced = %t while processing", !initial)
				}
				return nil
			})
			must(t, err)
		}
	}
	cases := map[string]struct {
		known []parcel
		steps []step
		want  bool
	}{
		"nothing":                         {want: false},
		"an add":                          {steps: []step{put(func(f *cache.DeltaFIFO) error { return f.Add(a) }), pop(false)}, want: true},
		"an update":                       {steps: []step{put(func(f *cache.DeltaFIFO) error { return f.Update(a) })}, want: true},
		"a delete":                        {steps: []step{put(func(f *cache.DeltaFIFO) error { return f.Delete(a) })}, want: true},
		"an add before a list":            {steps: []step{put(func(f *cache.DeltaFIFO) error { return f.Add(a) }), list(a, b), pop(false)}, want: true},
		"a resync":                        {known: []parcel{a}, steps: []step{put((*cache.DeltaFIFO).Resync), pop(true)}, want: false},
		"a resync before a list":          {known: []parcel{a}, steps: []step{put((*cache.DeltaFIFO).Resync), list(a), pop(true)}, want: false},
		"an empty list":                   {steps: []step{list()}, want: true},
		"an empty list that deletes":      {known: []parcel{a}, steps: []step{list()}, want: false},
		"an empty list that has deleted":  {known: []parcel{a}, steps: []step{list(), pop(true)}, want: true},
		"a list":                          {steps: []step{list(a, b)}, want: false},
		"a list taken out in part":        {steps: []step{list(a, b), pop(true)}, want: false},
		"a list taken out":                {steps: []step{list(a, b), pop(true), pop(true)}, want: true},
		"a list with deletions, in part":  {known: []parcel{b}, steps: []step{list(a), pop(true)}, want: false},
		"a list with deletions":           {known: []parcel{b}, steps: []step{list(a), pop(true), pop(true)}, want: true},
		"a list and later deltas":         {steps: []step{list(a), list(a, b), pop(true), pop(false)}, want: true},
		"an object twice in a list":       {steps: []step{list(a, a), pop(true), pop(true)}, want: true},
		"a list after an empty list":      {steps: []step{list(), list(a), pop(false)}, want: true},
		"a list of which a key cannot be": {steps: []step{func(_ *testing.T, f *cache.DeltaFIFO) { _ = f.Replace([]any{1}, "1") }}, want: false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := cache.NewDeltaFIFO(parcelKey, newShelf(c.known...))
			for _, step := range c.steps {
				step(t, f)
			}
			if got := f.HasSynced(); got != c.want {
				t.Errorf("HasSynced = %t, want %t", got, c.want)
			}
			select {
			case <-f.HasSyncedChecker().Done():
				if !c.want {
					t.Error("the checker is done")
				}
			default:
				if c.want {
					t.Error("the checker is not done")
				}
			}
		})
	}
}

func TestDeltaFIFOSyncsOnce(t *testing.T) {
	known := newShelf()
	f := cache.NewDeltaFIFO(parcelKey, known)
	must(t, f.Replace(nil, "1"))
	known.apply(cache.Delta{Type: cache.Added, Object: parcel{"late", 1}})
	want := []told{{[]cache.Delta{{cache.Deleted, cache.DeletedFinalStateUnknown{Key: "late", Obj: parcel{"late", 1}}}}, false}}
	if diff := cmp.Diff(want, drain(t, f, known)); diff != "" {
		t.Errorf("deltas (-want +got):\n%s", diff)
	}
}

func TestDeltaFIFOSyncsThoughProcessingPanics(t *testing.T) {
	f := cache.NewDeltaFIFO(parcelKey, newShelf())
	must(t, f.Replace([]any{parcel{"a", 1}}, "1"))
	func() {
		defer func() { _ = recover() }()
		_, _ = f.Pop(func(any, bool) error { panic("processing") })
	}()
	if !f.HasSynced() {
		t.Error("not synced")
	}
	must(t, f.Add(parcel{"b", 1}))
	if _, err := f.Pop(func(any, bool) error { return nil }); err != nil {
		t.Errorf("Pop after a panic: %v", err)
	}
}

func TestDeltaFIFOPopReturnsWhatProcessReturns(t *testing.T) {
	f := cache.NewDeltaFIFO(parcelKey, nil)
	must(t, f.Add(parcel{"a", 1}))
	sentinel := errors.New("cannot")
	got, err := f.Pop(func(any, bool) error { return sentinel })
	if !errors.Is(err, sentinel) {
		t.Errorf("Pop error = %v, want %v", err, sentinel)
	}
	if diff := cmp.Diff(cache.Deltas{{Type: cache.Added, Object: parcel{"a", 1}}}, got); diff != "" {
		t.Errorf("Pop (-want +got):\n%s", diff)
	}
}

func TestDeltaFIFOKeyOf(t *testing.T) {
	f := cache.NewDeltaFIFO(parcelKey, nil)
	cases := map[string]struct {
		obj  any
		want string
		err  error
	}{
		"object":              {obj: parcel{Key: "a"}, want: "a"},
		"tombstone":           {obj: cache.DeletedFinalStateUnknown{Key: "b"}, want: "b"},
		"deltas":              {obj: cache.Deltas{{Object: parcel{Key: "c"}}, {Object: parcel{Key: "d"}}}, want: "d"},
		"deltas of tombstone": {obj: cache.Deltas{{Object: cache.DeletedFinalStateUnknown{Key: "e"}}}, want: "e"},
		"no deltas":           {obj: cache.Deltas{}, err: cache.ErrZeroLengthDeltasObject},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := f.KeyOf(c.obj)
			if got != c.want || !errors.Is(err, c.err) {
				t.Errorf("KeyOf = %q, %v, want %q, %v", got, err, c.want, c.err)
			}
		})
	}
}

func TestDeltasOldestNewest(t *testing.T) {
	if d := (cache.Deltas{}); d.Oldest() != nil || d.Newest() != nil {
		t.Error("empty Deltas have a delta")
	}
	d := cache.Deltas{{Type: cache.Added}, {Type: cache.Deleted}}
	if d.Oldest().Type != cache.Added || d.Newest().Type != cache.Deleted {
		t.Errorf("Oldest = %v, Newest = %v", d.Oldest().Type, d.Newest().Type)
	}
}

func TestDeltaFIFORefusesWhatHasNoKey(t *testing.T) {
	f := cache.NewDeltaFIFO(parcelKey, newShelf())
	for name, err := range map[string]error{
		"Add":     f.Add("letter"),
		"Update":  f.Update("letter"),
		"Delete":  f.Delete("letter"),
		"Replace": f.Replace([]any{parcel{"a", 1}, "letter"}, "1"),
	} {
		var keyErr cache.KeyError
		if !errors.As(err, &keyErr) || keyErr.Obj != "letter" {
			t.Errorf("%s: %v, want a KeyError for the letter", name, err)
		}
	}
	if all := drain(t, f, newShelf()); len(all) != 0 {
		t.Errorf("queued: %v", all)
	}
}

func TestDeltaFIFOTransforms(t *testing.T) {
	stamped := func(p parcel) parcel { p.State += 100; return p }
	known := newShelf(parcel{"known", 1})
	f := cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{
		KeyFunction: parcelKey, KnownObjects: known, EmitDeltaTypeReplaced: true,
		Transformer: func(obj any) (any, error) {
			p := obj.(parcel)
			if p.Key == "bad" {
				return nil, errors.New("torn")
			}
			return stamped(p), nil
		},
	})
	a := parcel{"a", 1}
	must(t, errors.Join(f.Add(a), f.Update(a), f.Delete(a), f.Resync(), f.Replace([]any{a}, "1"),
		f.Delete(cache.DeletedFinalStateUnknown{Key: "a", Obj: a})))
	for name, err := range map[string]error{
		"Add":     f.Add(parcel{Key: "bad"}),
		"Replace": f.Replace([]any{a, parcel{Key: "bad"}}, "1"),
	} {
		if err == nil || !strings.Contains(err.Error(), "transform cache_test.parcel bad with github.com/listwatch/listwatch/runtime/cache_test.") {
			t.Errorf("%s: %v", name, err)
		}
	}
	want := []cache.Delta{
		{cache.Added, stamped(a)}, {cache.Updated, stamped(a)}, {cache.Deleted, stamped(a)},
		{cache.Sync, parcel{"known", 1}},
		{cache.Deleted, cache.DeletedFinalStateUnknown{Key: "known", Obj: parcel{"known", 1}}}, {cache.Replaced, stamped(a)},
		{cache.Deleted, cache.DeletedFinalStateUnknown{Key: "a", Obj: a}},
	}
	if diff := cmp.Diff(want, singles(drain(t, f, known))); diff != "" {
		t.Errorf("deltas (-want +got):\n%s", diff)
	}
	if f.Transformer() == nil {
		t.Error("Transformer is nil")
	}
}
