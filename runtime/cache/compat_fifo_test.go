package cache_test

import (
	"errors"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/runtime/cache"
)

// drainFIFO takes everything out of a queue, after closing it.
func drainFIFO(t *testing.T, f *cache.FIFO) []any {
	t.Helper()
	f.Close()
	var all []any
	for {
		obj, err := f.Pop(func(any, bool) error { return nil })
		if errors.Is(err, cache.ErrFIFOClosed) {
			return all
		}
		must(t, err)
		all = append(all, obj)
	}
}

func TestFIFO(t *testing.T) {
	foo := func(state int) parcel { return parcel{"foo", state} }
	bar := func(state int) parcel { return parcel{"bar", state} }
	cases := map[string]struct {
		do   func(f *cache.FIFO) error
		want []any
	}{
		"in order": {
			do:   func(f *cache.FIFO) error { return errors.Join(f.Add(foo(1)), f.Update(bar(1))) },
			want: []any{foo(1), bar(1)},
		},
		"the newest state in the oldest place": {
			do:   func(f *cache.FIFO) error { return errors.Join(f.Add(foo(1)), f.Add(bar(1)), f.Update(foo(2))) },
			want: []any{foo(2), bar(1)},
		},
		"a deletion": {
			do:   func(f *cache.FIFO) error { return errors.Join(f.Add(foo(1)), f.Add(bar(1)), f.Delete(foo(2))) },
			want: []any{bar(1)},
		},
		"deleted and added again": {
			do:   func(f *cache.FIFO) error { return errors.Join(f.Add(foo(1)), f.Delete(foo(1)), f.Add(foo(3))) },
			want: []any{foo(3)},
		},
		"a list": {
			do: func(f *cache.FIFO) error {
				return errors.Join(f.Add(foo(1)), f.Add(bar(1)), f.Replace([]any{bar(2), parcel{"baz", 1}}, "1"), f.Resync())
			},
			want: []any{bar(2), parcel{"baz", 1}},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := cache.NewFIFO(parcelKey)
			must(t, c.do(f))
			if diff := cmp.Diff(c.want, drainFIFO(t, f)); diff != "" {
				t.Errorf("objects (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFIFOLetsNobodyJumpTheLine(t *testing.T) {
	f := cache.NewFIFO(parcelKey)
	must(t, errors.Join(f.Add(parcel{"foo", 1}), f.Update(parcel{"foo", 2}), f.Add(parcel{"bar", 1})))
	first, err := f.Pop(func(any, bool) error { return nil })
	must(t, errors.Join(err, f.Add(parcel{"foo", 3})))
	want := []any{parcel{"foo", 2}, parcel{"bar", 1}, parcel{"foo", 3}}
	if diff := cmp.Diff(want, append([]any{first}, drainFIFO(t, f)...)); diff != "" {
		t.Errorf("objects (-want +got):\n%s", diff)
	}
}

func TestFIFOSync(t *testing.T) {
	a, b := parcel{"a", 1}, parcel{"b", 1}
	pop := func(initial bool) func(f *cache.FIFO) error {
		return func(f *cache.FIFO) error {
			_, err := f.Pop(func(_ any, got bool) error {
				if got != initial || f.HasSynced() == initial {
					return errors.New("is or is not in the first list")
				}
				return nil
			})
			return err
		}
	}
	list := func(objs ...any) func(f *cache.FIFO) error {
		return func(f *cache.FIFO) error { return f.Replace(objs, "1") }
	}
	cases := map[string]struct {
		steps []func(f *cache.FIFO) error
		want  bool
	}{
		"nothing":                   {want: false},
		"an add":                    {steps: []func(f *cache.FIFO) error{func(f *cache.FIFO) error { return f.Add(a) }, pop(false)}, want: true},
		"a delete":                  {steps: []func(f *cache.FIFO) error{func(f *cache.FIFO) error { return f.Delete(a) }}, want: true},
		"an empty list":             {steps: []func(f *cache.FIFO) error{list()}, want: true},
		"a list":                    {steps: []func(f *cache.FIFO) error{list(a, b), pop(true)}, want: false},
		"a list taken out":          {steps: []func(f *cache.FIFO) error{list(a, b), pop(true), pop(true)}, want: true},
		"an object twice in a list": {steps: []func(f *cache.FIFO) error{list(a, a), pop(true)}, want: true},
		"a list of which an object was deleted": {
			steps: []func(f *cache.FIFO) error{list(a, b), func(f *cache.FIFO) error { return f.Delete(a) }, pop(true)}, want: true,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := cache.NewFIFO(parcelKey)
			for _, step := range c.steps {
				must(t, step(f))
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

func TestFIFORefusesWhatHasNoKey(t *testing.T) {
	f := cache.NewFIFO(parcelKey)
	must(t, f.Add(parcel{"a", 1}))
	for name, err := range map[string]error{
		"Add": f.Add("letter"), "Update": f.Update("letter"), "Delete": f.Delete("letter"),
		"Replace": f.Replace([]any{parcel{"b", 1}, "letter"}, "1"),
	} {
		var keyErr cache.KeyError
		if !errors.As(err, &keyErr) {
			t.Errorf("%s: %v, want a KeyError", name, err)
		}
	}
	if diff := cmp.Diff([]any{parcel{"a", 1}}, drainFIFO(t, f)); diff != "" {
		t.Errorf("objects (-want +got):\n%s", diff)
	}
}

func TestFIFOClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := cache.NewFIFO(parcelKey)
		var waiting sync.WaitGroup
		for range 3 {
			waiting.Go(func() {
				if _, err := f.Pop(nil); !errors.Is(err, cache.ErrFIFOClosed) {
					t.Errorf("Pop: %v, want %v", err, cache.ErrFIFOClosed)
				}
			})
		}
		synctest.Wait()
		f.Close()
		waiting.Wait()
		if !f.IsClosed() {
			t.Error("not closed")
		}
		for name, err := range map[string]error{
			"Add": f.Add(parcel{"a", 1}), "Replace": f.Replace([]any{parcel{"a", 1}}, "1"),
		} {
			if !errors.Is(err, cache.ErrFIFOClosed) {
				t.Errorf("%s: %v, want %v", name, err, cache.ErrFIFOClosed)
			}
		}
	})
}
